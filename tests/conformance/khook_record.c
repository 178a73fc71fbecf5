/* Area record: the state record's Secret, read, written and deleted in the stand-in cluster. */
#include "base/escape.h"
#include "conformance/khook_cluster.h"
#include "doc/emit.h"
#include "khook/state/state.h"

#define NS "default"
#define NAME "khook-state-t"

/* The Secret of a case as JSON, its data encoded. */
static void secret_json(const struct doc_node *secret, struct buf *out)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *object = doc_new_map(set), *metadata, *data;
    struct doc_iter it = doc_children(doc_get_lit(secret, "data"));

    doc_set_string(set, object, STR("apiVersion"), STR("v1"));
    doc_set_string(set, object, STR("kind"), STR("Secret"));
    metadata = doc_ensure_map(set, object, STR("metadata"));
    doc_set_string(set, metadata, STR("name"), STR(NAME));
    doc_set_string(set, metadata, STR("namespace"), STR(NS));
    if (doc_get_lit(secret, "labels"))
        doc_set_field(set, metadata, STR("labels"), doc_copy(set, doc_get_lit(secret, "labels")));
    data = doc_ensure_map(set, object, STR("data"));
    while (doc_next(&it)) {
        AUTO(buf_done) struct buf base64 = {0};

        escape_base64(doc_text(it.value, STR_NONE), true, &base64);
        doc_set_string(set, data, it.key, buf_view(&base64));
    }
    doc_emit_json(object, 0, out);
}

static bool same_keys(struct khook_case *c, const struct doc_node *data)
{
    const struct doc_node *keys = doc_get_lit(c->expect, "keys");
    struct doc_iter it = doc_children(keys);

    if (!keys)
        return true;
    while (doc_next(&it))
        if (!doc_get(data, doc_text(it.value, STR_NONE)))
            return khook_wrong(c, "no key %.*s", STR_ARG(doc_text(it.value, STR_NONE)));
    return doc_len(data) == doc_len(keys) || khook_wrong(c, "%zu keys", doc_len(data));
}

static bool saved_as_wanted(struct khook_case *c, struct stand_in *s)
{
    const struct doc_node *live = stand_in_object(s, STR("secret/" NAME "@" NS));
    const struct doc_node *labels = doc_get_lit(c->expect, "labels");
    str type = khook_member(c->expect, "type");

    if (!live)
        return khook_wrong(c, "the Secret is not there");
    if (type.len && !khook_same(c, "type", khook_member(live, "type"), type))
        return false;
    if (labels && !doc_equal(labels, doc_at(live, "metadata/labels")))
        return khook_wrong(c, "other labels");
    return same_keys(c, doc_get_lit(live, "data"));
}

/* What a run does: read, take the lease with the seeded record, and write it a last time. */
static int save(struct khook_store *store, struct err *e)
{
    AUTO(khook_record_done) struct khook_record before = {0}, record = {0};
    AUTO(cancel_free) struct cancel *lost = cancel_new(NULL, CLOCK_NEVER);

    record.spec_name = STR("t");
    record.run_status = STR("ok");
    if (khook_store_load(store, NULL, &before, e) < 0 ||
        khook_store_begin(store, &record, NULL, lost, e) < 0 ||
        khook_store_end(store, &record, e) < 0)
        return -1;
    return 0;
}

static const char *carry_out(struct khook_store *store, str op, struct khook_record *record,
                             struct err *e)
{
    int rc;

    if (str_eq(op, STR("load"))) {
        rc = khook_store_load(store, NULL, record, e);
        return rc < 0 ? "error" : rc ? "record" : "none";
    }
    if (str_eq(op, STR("save")))
        return save(store, e) < 0 ? "error" : "saved";
    return khook_store_delete(store, NULL, e) < 0 ? "error" : "deleted";
}

static bool judge(struct khook_case *c, struct stand_in *s, const char *result,
                  const struct khook_record *record, const struct err *e)
{
    str name = khook_member(c->expect, "specName");

    if (!khook_same(c, "result", str_of(result), khook_member(c->expect, "result")))
        return khook_wrong(c, "%s", err_text(e));
    if (!strcmp(result, "error")) {
        int status = e->kind == ERR_INVALID || e->kind == ERR_USAGE ? 2 : 1;
        int64_t want = doc_int(doc_get_lit(c->expect, "exit"), status);

        return (status == want || khook_wrong(c, "exit status %d", status)) &&
               khook_mentions(c, c->expect, str_of(err_text(e)));
    }
    if (name.len && !khook_same(c, "specName", record->spec_name, name))
        return false;
    if (!strcmp(result, "deleted") && stand_in_object(s, STR("secret/" NAME "@" NS)))
        return khook_wrong(c, "the Secret is still there");
    return strcmp(result, "saved") != 0 || saved_as_wanted(c, s);
}

bool khook_area_record(struct khook_case *c)
{
    const struct doc_node *secret = doc_get_lit(c->node, "secret");
    AUTO(stand_in_stop) struct stand_in *s = stand_in_start(c, NULL);
    AUTO(khook_store_free) struct khook_store *store = NULL;
    AUTO(khook_record_done) struct khook_record record = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf json = {0};
    const char *result;

    if (!s)
        return false;
    if (!doc_is_null(secret)) {
        secret_json(secret, &json);
        if (doc_bool(doc_get_lit(secret, "race"), false))
            stand_in_race(s, buf_view(&json));
        else if (sandbox_put(stand_in_sandbox(s), buf_view(&json), &e) < 0)
            return khook_wrong(c, "%s", err_text(&e));
        stand_in_conflicts(s, (int)doc_int(doc_get_lit(secret, "conflicts"), 0));
    }
    store = khook_store_new(stand_in_kube(s), STR(NS), STR(NAME));
    result = carry_out(store, khook_member(c->node, "op"), &record, &e);
    return judge(c, s, result, &record, &e);
}
