#include "fetch/git_url.h"
#include "fetch/path.h"
#include "fetch/root.h"
#include "kustomize/composition/composition.h"
#include "kustomize/file/path_fields.h"
#include "kustomize/plugin/plugin.h"

struct job {
    struct doc_set *set;
    const struct kustomize_level *from; /* paths are counted from its folder */
    str to;                             /* and shall be from this one */
};

static bool is_url(str path)
{
    AUTO(fetch_git_url_done) struct fetch_git_url url = {0};
    AUTO(err_done) struct err e = {0};

    return fetch_is_file_url(path) || fetch_git_url_parse(path, &url, &e) != 0;
}

/* An executable without a slash may be a file of the folder, else it is one along PATH. */
static bool is_of_path(const struct job *j, str program)
{
    return str_find_char(program, '/') < 0 && fetch_root_look(j->from->root, program) != FETCH_FILE;
}

static bool stays(const struct job *j, str path, enum kustomize_path_form form)
{
    bool may_be_text = form == KUSTOMIZE_PATH_PATCH || form == KUSTOMIZE_PATH_PLUGIN;

    return !path.len || path.p[0] == '/' || is_url(path) ||
           (may_be_text && kustomize_is_inline(path)) ||
           (form == KUSTOMIZE_PATH_PROGRAM && is_of_path(j, path));
}

static int rebase(void *ctx, struct doc_node *value, enum kustomize_path_form form, struct err *e)
{
    const struct job *j = ctx;
    AUTO(buf_done) struct buf whole = {0}, clean = {0}, out = {0};
    str text = doc_string(value, STR_NONE), path = text;
    ssize_t equals = form == KUSTOMIZE_PATH_KEYED ? str_find_char(text, '=') : -1;

    (void)e;
    if (equals >= 0) {
        buf_add_str(&out, str_sub(text, 0, (size_t)equals + 1));
        path = str_from(text, (size_t)equals + 1);
    }
    if (stays(j, path, form))
        return 0;
    buf_addf(&whole, "%.*s/%.*s", STR_ARG(j->from->b.dir), STR_ARG(path));
    fetch_clean_path(buf_view(&whole), &clean);
    kustomize_relative_path(j->to, buf_view(&clean), &out);
    doc_replace(value, doc_new_string(j->set, buf_view(&out)));
    return 0;
}

void kustomize_rebase_paths(const struct kustomize_level *from, struct doc_node *config, str kind,
                            str to)
{
    struct job j = {from->b.set, from, to};
    AUTO(err_done) struct err never = {0};
    int rc = kustomize_each_path(config, kind, rebase, &j, &never);

    assert(rc == 0);
    (void)rc;
}
