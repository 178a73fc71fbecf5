/* ValueAddTransformer (kustomize spec 17): a value put at paths of selected resources, or into the
 * file paths that stand there. */
#include "doc/path.h"
#include "kustomize/select.h"
#include "kustomize/transform/fields.h"

struct value_target {
    struct kustomize_selector selector;
    str field_path;
    int64_t position; /* in a file path, from 1; 0: the value stands for itself */
};
struct value_add {
    str value;
    VEC(struct value_target) targets;
};
static void value_add_done(struct value_add *v) { vec_done(&v->targets); }
AUTO_VALUE(struct value_add, value_add_done)

/* ---- reading */

static str text_at(const struct doc_node *map, const char *key)
{
    return doc_text(doc_get(map, str_of(key)), STR_NONE);
}

static void read_selector(const struct doc_node *n, struct kustomize_selector *ret)
{
    *ret = (struct kustomize_selector){
        .group = text_at(n, "group"),
        .version = text_at(n, "version"),
        .kind = text_at(n, "kind"),
        .name = text_at(n, "name"),
        .ns = text_at(n, "namespace"),
        .label_selector = text_at(n, "labelSelector"),
        .annotation_selector = text_at(n, "annotationSelector"),
        .node = n,
    };
}

static int read_targets(struct value_add *v, const struct doc_node *list, struct err *e)
{
    struct doc_iter it = doc_children(list);

    if (!doc_is_null(list) && !doc_is_list(list))
        return err_set(e, ERR_INVALID, "targets is a list");
    while (doc_next(&it)) {
        struct value_target *t = vec_add(&v->targets);

        read_selector(doc_get_lit(it.value, "selector"), &t->selector);
        t->field_path = text_at(it.value, "fieldPath");
        t->position = doc_int(doc_get_lit(it.value, "filePathPosition"), 0);
        if (t->field_path.len == 0)
            return err_set(e, ERR_INVALID, "fieldPath cannot be empty");
        if (t->position < 0)
            return err_set(e, ERR_INVALID, "value of FilePathPosition (%lld) cannot be negative",
                           (long long)t->position);
    }
    return 0;
}

static int read_config(struct kustomize_build *b, const struct doc_node *config,
                       struct value_add *v, struct err *e)
{
    AUTO(doc_list_done) struct doc_list file = {0};
    str path = text_at(config, "targetFilePath");
    ssize_t slash = str_rfind_char(b->dir, '/');

    v->value = str_trim(text_at(config, "value"));
    if (v->value.len == 0)
        v->value = str_from(b->dir, (size_t)(slash + 1));
    if (read_targets(v, doc_get_lit(config, "targets"), e) < 0)
        return -1;
    if (path.len && kustomize_load_documents(b, path, &file, e) < 0)
        return -1;
    if (file.len && read_targets(v, file.v[0], e) < 0)
        return err_wrap(e, "%.*s", STR_ARG(path));
    return v->targets.len ? 0 : err_set(e, ERR_INVALID, "must specify at least one target");
}

/* ---- setting */

/* The value as the element of a file path at a position; behind the end: the last one. */
static void insert(str file, str value, int64_t position, struct buf *out)
{
    str rest = file;

    if (str_drop_prefix(&rest, STR("/")))
        buf_add_char(out, '/');
    while (--position > 0 && rest.len) {
        buf_add_str(out, str_cut(rest, '/', &rest));
        buf_add_char(out, '/');
    }
    buf_add_str(out, value);
    if (rest.len) {
        buf_add_char(out, '/');
        buf_add_str(out, rest);
    }
}

static int set_at(const struct value_add *v, const struct value_target *t,
                  struct kustomize_resource *r, struct err *e)
{
    AUTO(arena_done) struct arena arena = {0};
    AUTO(doc_path_done) struct doc_path path = {0};
    AUTO(doc_list_done) struct doc_list found = {0};
    struct doc_path_options options = {.set = r->set, .create = DOC_STRING};

    doc_path_split(&arena, t->field_path, '/', &path);
    if (doc_path_find(r->root, &path, &options, &found, e) < 0)
        return -1;
    for (size_t i = 0; i < found.len; i++) {
        AUTO(buf_done) struct buf text = {0};

        if (t->position)
            insert(doc_text(found.v[i], STR_NONE), v->value, t->position, &text);
        else
            buf_add_str(&text, v->value);
        if (kustomize_set_scalar(r->set, found.v[i], buf_view(&text), e) < 0)
            return -1;
    }
    return 0;
}

/* The namespace of what has none, like a ClusterRole, is not set; subjects of bindings follow. */
static int set_in(struct kustomize_build *b, const struct value_add *v,
                  const struct value_target *t, struct kustomize_resource *r, struct err *e)
{
    return str_eq(t->field_path, STR("metadata/namespace"))
               ? kustomize_namespace_one(b, r, v->value, e)
               : set_at(v, t, r, e);
}

static int run_target(struct kustomize_build *b, struct kustomize_resmap *m,
                      const struct value_add *v, const struct value_target *t, struct err *e)
{
    AUTO(kustomize_matcher_done) struct kustomize_matcher matcher = {0};
    AUTO(kustomize_found_done) struct kustomize_found found = {0};

    if (kustomize_matcher_init(&matcher, &t->selector, e) < 0)
        return -1;
    kustomize_matcher_find(&matcher, m, &found);
    for (size_t i = 0; i < found.len; i++) {
        if (set_in(b, v, t, found.v[i], e) < 0)
            return -1;
        kustomize_resmap_refresh(m, found.v[i]);
    }
    m->has_new_names = true;
    return 0;
}

int kustomize_value_add(struct kustomize_build *b, struct kustomize_resmap *m,
                        const struct doc_node *config, struct err *e)
{
    AUTO(value_add_done) struct value_add v = {0};

    if (read_config(b, config, &v, e) < 0)
        return -1;
    for (size_t i = 0; i < v.targets.len; i++)
        if (run_target(b, m, &v, &v.targets.v[i], e) < 0)
            return -1;
    return 0;
}
