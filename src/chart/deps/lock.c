#include "chart/deps/lock.h"

#include "base/sha256.h"
#include "chart/release/record.h"
#include "chart/yaml.h"
#include "doc/emit.h"

int chart_lock_read(struct doc_set *set, str text, struct chart_lock *ret, str *ret_digest,
                    struct err *e)
{
    struct doc_node *root = chart_parse_yaml(set, text, e);
    struct doc_iter it = doc_children(doc_get_lit(root, "dependencies"));

    if (e->kind != ERR_NONE)
        return err_wrap(e, "cannot load Chart.lock");
    while (doc_next(&it))
        vec_push(ret, {.name = doc_text(doc_get_lit(it.value, "name"), STR("")),
                       .version = doc_text(doc_get_lit(it.value, "version"), STR("")),
                       .repository = doc_text(doc_get_lit(it.value, "repository"), STR(""))});
    if (ret_digest)
        *ret_digest = doc_text(doc_get_lit(root, "digest"), STR(""));
    return 0;
}

/* ---- digests: of the JSON that Go makes */

/* The members of an entry stand in the order of its struct; Go sorts the maps in import-values. */
static void add_requests(struct doc_set *set, const struct doc_node *requests, struct buf *out)
{
    struct doc_node *copy = doc_copy(set, requests);
    struct doc_iter it = doc_children(copy);

    while (doc_next(&it))
        doc_sort_keys(doc_get_lit(it.value, "import-values"));
    doc_emit_json(copy, DOC_JSON_HTML, out);
}

static struct doc_node *to_nodes(struct doc_set *set, const struct chart_lock *lock)
{
    struct doc_node *list = doc_new_list(set);

    for (size_t i = 0; i < lock->len; i++) {
        struct doc_node *n = doc_append(list, doc_new_map(set));

        doc_set_string(set, n, STR("name"), lock->v[i].name);
        if (lock->v[i].version.len)
            doc_set_string(set, n, STR("version"), lock->v[i].version);
        doc_set_string(set, n, STR("repository"), lock->v[i].repository);
    }
    return list;
}

void chart_lock_digest(const struct doc_node *requests, const struct chart_lock *lock,
                       struct buf *out)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf json = {0};

    buf_add_char(&json, '[');
    add_requests(set, requests, &json);
    buf_add_char(&json, ',');
    doc_emit_json(to_nodes(set, lock), DOC_JSON_HTML, &json);
    buf_add_char(&json, ']');
    sha256_digest(buf_view(&json), out);
}

void chart_lock_old_digest(const struct doc_node *requests, struct buf *out)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf json = {0};

    buf_add_cstr(&json, "{\"dependencies\":");
    add_requests(set, requests, &json);
    buf_add_char(&json, '}');
    sha256_digest(buf_view(&json), out);
}

void chart_lock_write(const struct chart_lock *lock, str digest, int64_t now_us, struct buf *out)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf now = {0};
    struct doc_node *root = doc_new_map(set);

    chart_time_emit(now_us, &now);
    doc_set_field(set, root, STR("dependencies"), to_nodes(set, lock));
    doc_set_string(set, root, STR("digest"), digest);
    doc_set_string(set, root, STR("generated"), buf_view(&now));
    doc_emit(root, DOC_EMIT_SORTED, out);
}
