/* kubeconfig files: which ones, merged how, and reading their fields with places. */
#include "base/escape.h"
#include "doc/parse.h"
#include "kube/config_load_priv.h"
#include "sys/env.h"
#include "sys/file.h"

enum { MAX_FILE = 16 << 20, MAX_PEM = 4 << 20 };

void kubeconfig_done(struct kubeconfig *k)
{
    for (size_t i = 0; i < k->files.len; i++)
        doc_set_free(k->files.v[i].set);
    vec_done(&k->files);
    str_vec_done(&k->sought);
    diag_list_done(&k->diags);
    arena_done(&k->arena);
}

/* ---- which files */
static str folder_of(str path)
{
    ssize_t slash = str_rfind_char(path, '/');

    if (slash < 0)
        return STR(".");
    return slash == 0 ? STR("/") : str_sub(path, 0, (size_t)slash);
}

int kubeconfig_add_text(struct kubeconfig *k, str path, str text, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    const char *origin = arena_cstr(&k->arena, path);
    struct kubeconfig_file file = {.path = str_of(origin), .folder = folder_of(str_of(origin))};
    str kind;

    file.root = doc_parse(set, text, DOC_MANIFEST, origin, e);
    if (!file.root)
        return -1;
    if (doc_is_null(file.root)) { /* an empty file is an empty configuration */
        k->empty = file.path;
        return 0;
    }
    if (!doc_is_map(file.root))
        return err_set(e, ERR_INVALID, "%s is not a kubeconfig: it holds no map", origin);
    kind = doc_text(doc_get_lit(file.root, "kind"), STR("Config"));
    if (!str_eq(kind, STR("Config")))
        return err_set(e, ERR_INVALID, "%s is not a kubeconfig: it holds a %.*s", origin,
                       STR_ARG(kind));
    file.set = TAKE(set);
    vec_push(&k->files, file);
    return 0;
}

static int add_file(struct kubeconfig *k, str path, bool must_exist, struct err *e)
{
    AUTO(buf_done) struct buf text = {0};
    const char *name = arena_cstr(&k->arena, path);

    for (size_t i = 0; i < k->sought.len; i++)
        if (str_eq(k->sought.v[i], path))
            return 0;
    vec_push(&k->sought, str_of(name));
    if (file_read(name, MAX_FILE, &text, e) == 0)
        return kubeconfig_add_text(k, path, buf_view(&text), e);
    if (must_exist || e->kind != ERR_NOT_FOUND)
        return err_wrap(e, "kubeconfig");
    err_done(e);
    return 0;
}

int kubeconfig_read(struct kubeconfig *k, const struct kube_config_flags *flags, struct err *e)
{
    str rest = str_of(env_get("KUBECONFIG"));
    const char *home = env_get("HOME");

    if (flags->kubeconfig.len)
        return add_file(k, flags->kubeconfig, true, e);
    if (rest.len == 0)
        return home ? add_file(k, arena_printf(&k->arena, "%s/.kube/config", home), false, e) : 0;
    while (rest.p) {
        str path = str_cut(rest, ':', &rest);

        if (path.len && add_file(k, path, false, e) < 0)
            return -1;
    }
    return 0;
}

/* ---- merged look-ups */
bool kubeconfig_find(struct kubeconfig *k, const char *list, const char *field, str name,
                     struct kubeconfig_entry *ret)
{
    for (size_t i = 0; i < k->files.len; i++) {
        const struct kubeconfig_file *file = &k->files.v[i];
        struct doc_iter it = doc_children(doc_get(file->root, str_of(list)));

        while (doc_next(&it)) {
            if (!str_eq(doc_text(doc_get_lit(it.value, "name"), STR_NONE), name))
                continue;
            *ret = (struct kubeconfig_entry){
                .file = file, .node = it.value, .body = doc_get(it.value, str_of(field))};
            return true;
        }
    }
    return false;
}

void kubeconfig_names(const struct kubeconfig *k, const char *list, struct str_vec *ret)
{
    for (size_t i = 0; i < k->files.len; i++) {
        struct doc_iter it = doc_children(doc_get(k->files.v[i].root, str_of(list)));

        while (doc_next(&it)) {
            str name = doc_text(doc_get_lit(it.value, "name"), STR_NONE);

            if (name.len)
                vec_push(ret, name);
        }
    }
}

str kubeconfig_current_context(const struct kubeconfig *k)
{
    for (size_t i = 0; i < k->files.len; i++) {
        str name = doc_text(doc_get_lit(k->files.v[i].root, "current-context"), STR_NONE);

        if (name.len)
            return name;
    }
    return STR_NONE;
}

/* ---- fields */
str kubeconfig_text(struct kubeconfig *k, const struct kubeconfig_entry *at, const char *name)
{
    const struct doc_node *n = doc_get(at->body, str_of(name));

    if (doc_is_null(n))
        return STR_NONE;
    if (doc_type(n) == DOC_LIST || doc_type(n) == DOC_MAP)
        doc_diag(&k->diags, at->file->set, n, false, "kubeconfig.type", "\"%s\" must be a text",
                 name);
    return doc_text(n, STR_NONE);
}

bool kubeconfig_bool(struct kubeconfig *k, const struct kubeconfig_entry *at, const char *name)
{
    const struct doc_node *n = doc_get(at->body, str_of(name));

    if (!doc_is_null(n) && doc_type(n) != DOC_BOOL)
        doc_diag(&k->diags, at->file->set, n, false, "kubeconfig.type",
                 "\"%s\" must be true or false", name);
    return doc_bool(n, false);
}

str kubeconfig_path(const struct kubeconfig_file *file, str path, struct arena *a)
{
    if (path.len == 0 || path.p[0] == '/')
        return arena_dup(a, path);
    return arena_printf(a, "%.*s/%.*s", STR_ARG(file->folder), STR_ARG(path));
}

static bool read_pem_file(const struct kubeconfig_file *file, str path, struct buf *out,
                          struct err *e)
{
    AUTO(arena_done) struct arena a = {0};

    return file_read(kubeconfig_path(file, path, &a).p, MAX_PEM, out, e) == 0;
}

str kubeconfig_pem(struct kubeconfig *k, const struct kubeconfig_entry *at, const char *name,
                   struct arena *out)
{
    AUTO(arena_done) struct arena a = {0};
    AUTO(buf_done) struct buf pem = {0};
    AUTO(err_done) struct err e = {0};
    const char *data_name = arena_printf(&a, "%s-data", name).p;
    str data = kubeconfig_text(k, at, data_name), path = kubeconfig_text(k, at, name);
    const char *used = data.len ? data_name : name;
    const struct doc_node *n = doc_get(at->body, str_of(used));

    if (data.len == 0 && path.len == 0)
        return STR_NONE;
    if (data.len && !unescape_base64(data, &pem))
        doc_diag(&k->diags, at->file->set, n, false, "kubeconfig.base64", "\"%s\" is not base64",
                 used);
    else if (!data.len && !read_pem_file(at->file, path, &pem, &e))
        doc_diag(&k->diags, at->file->set, n, false, "kubeconfig.file", "\"%s\": %s", used,
                 err_text(&e));
    else if (!str_contains(buf_view(&pem), STR("-----BEGIN ")))
        doc_diag(&k->diags, at->file->set, n, false, "kubeconfig.pem",
                 "\"%s\" holds no PEM (\"-----BEGIN …\")", used);
    return arena_dup(out, buf_view(&pem));
}
