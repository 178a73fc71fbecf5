#include "kustomize/edit/create.h"

#include "doc/parse.h"
#include "kustomize/edit/edit_priv.h"
#include "sys/file.h"

enum { FILE_LIMIT = 64 << 20 };

static bool is_resource(const struct doc_node *n)
{
    const struct doc_node *kind = doc_get_lit(n, "kind");

    if (!doc_is_string(kind))
        return false;
    if (str_ends(doc_string(kind, STR_NONE), STR("List")) && doc_get_lit(n, "items"))
        return true;
    return doc_is_string(doc_at(n, "metadata/name"));
}

/* An empty file holds no resource that is wrong: upstream lists it. */
static bool holds_resources(str text)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(doc_list_done) struct doc_list roots = {0};
    AUTO(err_done) struct err e = {0};
    struct doc_parse_options options = {.dialect = DOC_RESOURCE};

    if (doc_parse_all(set, text, &options, "", &roots, &e) < 0)
        return false;
    for (size_t i = 0; i < roots.len; i++)
        if (!is_resource(roots.v[i]))
            return false;
    return true;
}

struct detection {
    struct kustomize_edit *edit;
    bool is_recursive;
    struct str_vec resources, components;
};

static void detection_done(struct detection *d)
{
    vec_done(&d->resources);
    vec_done(&d->components);
}
AUTO_VALUE(struct detection, detection_done)

static str keep(struct detection *d, const char *path)
{
    return arena_dup(&d->edit->set->arena, str_of(path));
}

static bool is_component(const char *path)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf text = {0};
    AUTO(err_done) struct err e = {0};
    struct doc_node *root = NULL;

    if (file_read(path, FILE_LIMIT, &text, &e) == 0)
        root = doc_parse(set, buf_view(&text), DOC_KUSTOMIZATION, path, &e);
    return str_eq(doc_string(doc_get_lit(root, "kind"), STR_NONE), STR("Component"));
}

static int visit_folder(struct detection *d, const char *folder)
{
    if (!d->is_recursive)
        return FILE_SKIP;
    for (size_t i = 0; i < ARRAY_LEN(kustomize_edit_names); i++) {
        AUTO(buf_done) struct buf path = {0};

        buf_addf(&path, "%s/%s", folder, kustomize_edit_names[i]);
        if (!file_exists(buf_cstr(&path)))
            continue;
        if (is_component(buf_cstr(&path)))
            vec_push(&d->components, keep(d, folder));
        else
            vec_push(&d->resources, keep(d, folder));
        return FILE_SKIP;
    }
    return FILE_ON;
}

static int visit(void *ctx, const struct file_entry *entry, struct err *e)
{
    AUTO(buf_done) struct buf text = {0};
    AUTO(err_done) struct err unreadable = {0};
    struct detection *d = ctx;

    (void)e;
    if (entry->type == FILE_DIR)
        return visit_folder(d, entry->path);
    if ((entry->type == FILE_LINK && file_is_dir(entry->path)) || entry->type == FILE_OTHER)
        return FILE_ON;
    if (file_read(entry->path, FILE_LIMIT, &text, &unreadable) == 0 &&
        holds_resources(buf_view(&text)))
        vec_push(&d->resources, keep(d, entry->path));
    return FILE_ON;
}

static int append_new(struct kustomize_edit *edit, str field, const struct str_vec *paths,
                      struct err *e)
{
    struct doc_node *list;

    if (!paths->len)
        return 0;
    list = kustomize_edit_list(edit, edit->root, field, e);
    for (size_t i = 0; list && i < paths->len; i++)
        if (!kustomize_edit_has_text(list, paths->v[i]))
            kustomize_edit_append(edit, list, paths->v[i]);
    return list ? 0 : -1;
}

static int detect(struct kustomize_edit *edit, bool is_recursive, struct err *e)
{
    AUTO(detection_done) struct detection d = {.edit = edit, .is_recursive = is_recursive};

    if (file_walk(".", visit, &d, e) < 0 || append_new(edit, STR("resources"), &d.resources, e) < 0)
        return -1;
    return append_new(edit, STR("components"), &d.components, e);
}

static int add_named(struct kustomize_edit *edit, const char *what, const struct str_vec *names,
                     struct err *e)
{
    struct kustomize_edit_args args = {.names = *names};

    for (const struct kustomize_edit_row *row = kustomize_edit_add; names->len && row->verb; row++)
        if (!strcmp(row->what, what))
            return row->run(edit, &args, e);
    return 0;
}

static int fill(const struct kustomize_create *options, struct kustomize_edit *edit, struct err *e)
{
    struct doc_node *root = edit->root;

    doc_set_string(edit->set, root, STR("apiVersion"), STR("kustomize.config.k8s.io/v1beta1"));
    doc_set_string(edit->set, root, STR("kind"), STR("Kustomization"));
    kustomize_edit_text(edit, root, STR("namespace"), options->ns);
    kustomize_edit_text(edit, root, STR("namePrefix"), options->prefix);
    kustomize_edit_text(edit, root, STR("nameSuffix"), options->suffix);
    if (add_named(edit, "resource", &options->resources, e) < 0 ||
        (options->detects && detect(edit, options->is_recursive, e) < 0) ||
        add_named(edit, "label", &options->labels, e) < 0)
        return -1;
    return add_named(edit, "annotation", &options->annotations, e);
}

int kustomize_create(const struct kustomize_create *options, struct kustomize_edit *edit,
                     struct err *e)
{
    for (size_t i = 0; i < ARRAY_LEN(kustomize_edit_names); i++)
        if (file_exists(kustomize_edit_names[i]))
            return err_set(e, ERR_EXISTS, "%s already exists", kustomize_edit_names[i]);
    edit->path = kustomize_edit_names[0];
    edit->set = doc_set_new();
    edit->root = doc_new_map(edit->set);
    edit->is_new = true;
    return fill(options, edit, e) < 0 ? -1 : kustomize_edit_save(edit, e);
}
