#include "khook/state/record.h"

#include "base/log.h"
#include "base/utf8.h"
#include "doc/emit.h"
#include "doc/parse.h"
#include "khook/results.h"

void khook_record_done(struct khook_record *r)
{
    map_done(&r->by_name);
    vec_done(&r->steps);
    arena_done(&r->arena);
    *r = (struct khook_record){0};
}

static str keep(struct khook_record *r, str text)
{
    return text.len ? arena_dup(&r->arena, text) : STR_NONE;
}

static str keep_cstr(struct khook_record *r, const char *text) { return keep(r, str_of(text)); }

/* A new last step; the first of equal names is the one that is found. */
static struct khook_record_step *add_step(struct khook_record *r, str name, str type)
{
    struct khook_record_step *step = vec_add(&r->steps);

    step->name = keep(r, name);
    step->type = keep(r, type);
    if (!map_has(&r->by_name, step->name))
        map_put(&r->by_name, step->name, (void *)(uintptr_t)r->steps.len);
    return step;
}

struct khook_record_step *khook_record_find(const struct khook_record *r, str name)
{
    uintptr_t index = r ? (uintptr_t)map_get(&r->by_name, name) : 0;

    return index ? &r->steps.v[index - 1] : NULL;
}

/* ---- JSON */

static enum run_status status_of(str word)
{
    for (enum run_status s = RUN_OK; s <= RUN_SKIPPED; s++)
        if (str_eq(word, khook_status_word(s)))
            return s;
    return RUN_PENDING;
}

static str member(struct khook_record *r, const struct doc_node *map, const char *key)
{
    return keep(r, doc_string(doc_get(map, str_of(key)), STR_NONE));
}

static void read_step(struct khook_record *r, const struct doc_node *n)
{
    struct khook_record_step *step = add_step(r, doc_string(doc_get_lit(n, "name"), STR_NONE),
                                              doc_string(doc_get_lit(n, "type"), STR_NONE));

    step->input_hash = member(r, n, "inputHash");
    step->status = status_of(doc_string(doc_get_lit(n, "status"), STR_NONE));
    step->attempts = (int)doc_int(doc_get_lit(n, "attempts"), 0);
    step->duration_ms = doc_int(doc_get_lit(n, "durationMs"), 0);
    step->error = member(r, n, "error");
    step->skip_reason = member(r, n, "skipReason");
    step->finished_at = member(r, n, "finishedAt");
}

int khook_record_parse(str json, struct khook_record *ret, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    const struct doc_node *root = doc_parse_json(set, json, KHOOK_RECORD_KEY, e);
    struct doc_iter it = doc_children(doc_get_lit(root, "steps"));

    *ret = (struct khook_record){0};
    if (!root)
        return -1;
    if (!doc_is_map(root))
        return err_set(e, ERR_INVALID, "%s is no JSON object", KHOOK_RECORD_KEY);
    if (!str_eq(doc_string(doc_get_lit(root, "apiVersion"), STR_NONE), STR(KHOOK_RECORD_VERSION)))
        return 1;
    ret->spec_name = member(ret, root, "specName");
    ret->spec_hash = member(ret, root, "specHash");
    ret->writer = member(ret, root, "khookVersion");
    ret->run_status = member(ret, root, "runStatus");
    ret->started_at = member(ret, root, "startedAt");
    ret->updated_at = member(ret, root, "updatedAt");
    while (doc_next(&it))
        if (doc_is_map(it.value))
            read_step(ret, it.value);
    return 0;
}

static void add_text(struct buf *out, const char *key, str value)
{
    if (!value.len)
        return;
    buf_addf(out, ",\"%s\":", key);
    doc_json_quote(value, 0, out);
}

static void add_number(struct buf *out, const char *key, int64_t value)
{
    if (value)
        buf_addf(out, ",\"%s\":%lld", key, (long long)value);
}

static void emit_step(const struct khook_record_step *step, struct buf *out)
{
    buf_add_cstr(out, "{\"name\":");
    doc_json_quote(step->name, 0, out);
    add_text(out, "type", step->type);
    add_text(out, "inputHash", step->input_hash);
    add_text(out, "status", khook_status_word(step->status));
    add_number(out, "attempts", step->attempts);
    add_number(out, "durationMs", step->duration_ms);
    add_text(out, "error", step->error);
    add_text(out, "skipReason", step->skip_reason);
    add_text(out, "finishedAt", step->finished_at);
    buf_add_char(out, '}');
}

void khook_record_emit(const struct khook_record *r, struct buf *out)
{
    buf_add_cstr(out, "{\"apiVersion\":\"" KHOOK_RECORD_VERSION "\"");
    add_text(out, "specName", r->spec_name);
    add_text(out, "specHash", r->spec_hash);
    add_text(out, "khookVersion", r->writer);
    add_text(out, "runStatus", r->run_status);
    add_text(out, "startedAt", r->started_at);
    add_text(out, "updatedAt", r->updated_at);
    buf_add_cstr(out, ",\"steps\":[");
    for (size_t i = 0; i < r->steps.len; i++) {
        if (i)
            buf_add_char(out, ',');
        emit_step(&r->steps.v[i], out);
    }
    buf_add_cstr(out, "]}");
}

/* ---- resuming */

bool khook_record_resumes(const struct khook_record *record, const struct khook_step *step,
                          str hash)
{
    const struct khook_record_step *entry = khook_record_find(record, step->name);

    return entry && !step->is_excluded && entry->status == RUN_OK && hash.len &&
           str_eq(entry->input_hash, hash);
}

void khook_record_seed(const struct khook_spec *spec, const struct khook_record *before,
                       const str *hashes, str spec_hash, str now, struct khook_record *ret)
{
    *ret = (struct khook_record){0};
    ret->spec_name = keep(ret, spec->name);
    ret->spec_hash = keep(ret, spec_hash);
    ret->writer = STR("grapnel " GRAPNEL_VERSION);
    ret->run_status = STR("running");
    ret->started_at = ret->updated_at = keep(ret, now);
    for (size_t i = 0; i < spec->step_count; i++) {
        const struct khook_step *step = &spec->steps[i];
        struct khook_record_step *entry = add_step(ret, step->name, khook_type_name(step->type));
        const struct khook_record_step *old = khook_record_find(before, step->name);

        entry->input_hash = keep(ret, hashes[i]);
        if (!khook_record_resumes(before, step, hashes[i]))
            continue;
        entry->status = old->status;
        entry->attempts = old->attempts;
        entry->duration_ms = old->duration_ms;
        entry->skip_reason = keep(ret, old->skip_reason);
        entry->finished_at = keep(ret, old->finished_at);
    }
}

void khook_record_error(str error, struct buf *out)
{
    AUTO(buf_done) struct buf masked = {0};
    str start;

    secret_mask(error, &masked);
    start = utf8_start(buf_view(&masked), KHOOK_RECORD_ERROR_BYTES);
    buf_add_str(out, start);
    if (start.len < masked.len)
        buf_add_cstr(out, " (truncated)");
}

void khook_record_update(struct khook_record *r, str step, const struct run_result *result, str now)
{
    struct khook_record_step *entry = khook_record_find(r, step);
    AUTO(buf_done) struct buf error = {0};

    if (!entry)
        return;
    if (result->error)
        khook_record_error(str_of(result->error), &error);
    entry->status = result->status;
    entry->attempts = result->attempts;
    entry->duration_ms = result->duration_ms;
    entry->error = keep(r, buf_view(&error));
    entry->skip_reason = keep_cstr(r, result->skip_reason);
    entry->finished_at = keep(r, now);
    r->updated_at = entry->finished_at;
}

void khook_record_clear(struct khook_record *r, str step)
{
    struct khook_record_step *entry = khook_record_find(r, step);

    if (entry)
        *entry = (struct khook_record_step){
            .name = entry->name, .type = entry->type, .input_hash = entry->input_hash};
}
