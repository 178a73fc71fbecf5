/* Areas of the state record and of what is printed: resume, hash, output, redacted results. */
#include "conformance/khook_case.h"
#include "doc/emit.h"
#include "khook/plan.h"
#include "khook/results.h"
#include "khook/state/hash.h"
#include "khook/state/record.h"
#include "khook/state/status.h"

/* ---- symbolic specs: steps are names, hashes are words */

struct symbolic {
    struct khook_spec spec;
    str *hashes;
};

static struct symbolic symbolic_steps(struct khook_case *c, const struct doc_node *steps)
{
    struct symbolic s = {.spec.name = STR("t")};
    struct doc_iter it = doc_children(steps);

    s.spec.step_count = doc_len(steps);
    s.spec.steps = ARENA_ARRAY(&c->arena, struct khook_step, s.spec.step_count + 1);
    s.hashes = ARENA_ARRAY(&c->arena, str, s.spec.step_count + 1);
    for (size_t i = 0; doc_next(&it); i++) {
        const struct doc_node *hash = doc_get_lit(it.value, "hash");

        s.spec.steps[i].name = khook_member(it.value, "name");
        s.spec.steps[i].type = KHOOK_APPLY;
        s.spec.steps[i].is_excluded = doc_bool(doc_get_lit(it.value, "excluded"), false);
        s.hashes[i] = hash ? doc_text(hash, STR_NONE) : STR("same");
    }
    return s;
}

/* The record of a case, as the product reads it from its JSON: false when there is none. */
static bool case_record(struct khook_case *c, const struct doc_node *n, struct khook_record *ret)
{
    AUTO(buf_done) struct buf json = {0};
    AUTO(err_done) struct err e = {0};

    if (doc_is_null(n))
        return false;
    doc_emit_json(n, 0, &json);
    if (khook_record_parse(buf_view(&json), ret, &e) == 0)
        return true;
    khook_wrong(c, "record: %s", err_text(&e));
    return false;
}

static bool is_in(const struct doc_node *list, str name)
{
    struct doc_iter it = doc_children(list);

    while (doc_next(&it))
        if (str_eq(doc_text(it.value, STR_NONE), name))
            return true;
    return false;
}

bool khook_area_resume(struct khook_case *c)
{
    AUTO(khook_record_done) struct khook_record record = {0}, seeded = {0};
    struct symbolic s = symbolic_steps(c, doc_get_lit(c->node, "steps"));
    bool has_record = case_record(c, doc_get_lit(c->node, "record"), &record);
    const struct doc_node *resumes = doc_get_lit(c->expect, "resumes");
    const struct doc_node *want = doc_get_lit(c->expect, "seeded");
    struct doc_iter it = doc_children(want);

    for (size_t i = 0; i < s.spec.step_count; i++) {
        bool got = khook_record_resumes(has_record ? &record : NULL, &s.spec.steps[i], s.hashes[i]);

        if (got != is_in(resumes, s.spec.steps[i].name))
            return khook_wrong(c, "%.*s resumes: %d", STR_ARG(s.spec.steps[i].name), got);
    }
    khook_record_seed(&s.spec, has_record ? &record : NULL, s.hashes, STR("spec"), STR("now"),
                      &seeded);
    if (want && seeded.steps.len != doc_len(want))
        return khook_wrong(c, "%zu entries are seeded", seeded.steps.len);
    while (doc_next(&it)) {
        const struct khook_record_step *entry = khook_record_find(&seeded, it.key);

        if (!entry || !khook_same(c, "seeded", khook_status_word(entry->status),
                                  doc_string(it.value, STR_NONE)))
            return khook_wrong(c, "entry %.*s", STR_ARG(it.key));
    }
    return c->why.len == 0;
}

/* ---- hashes */

/* Conditions do not count here, so none is judged. */
static enum khook_condition always(void *ctx UNUSED, str expression UNUSED,
                                   const struct khook_vars *vars UNUSED, struct err *e UNUSED)
{
    return KHOOK_TRUE;
}

static bool hash_of(struct khook_case *c, const char *which, struct buf *out)
{
    AUTO(khook_vars_done) struct khook_vars vars = {0};
    AUTO(diag_list_done) struct diag_list problems = {0};
    AUTO(khook_spec_free) struct khook_spec *spec = NULL;
    AUTO(buf_done) struct buf text = {0};
    struct khook_engines engines = {.condition = always};
    const char *files = arena_printf(&c->arena, "files_%s", which).p;
    const char *names = arena_printf(&c->arena, "vars_%s", which).p;
    const char *folder = khook_temp_dir(c);
    str step = khook_member(c->node, which), rest = step, line;

    khook_case_vars(c, names, &vars);
    khook_write_files(c, folder, doc_get(c->node, str_of(files)));
    buf_add_cstr(&text, "apiVersion: khook.io/v1\nkind: Khook\nmetadata: {name: t}\nsteps:\n-\n");
    while (str_next_line(&rest, &line))
        buf_addf(&text, "  %.*s\n", STR_ARG(line));
    if (!str_contains(step, STR("name: x")))
        buf_add_cstr(&text, "- {name: x, job: {image: i}}\n"); /* what a case may need */
    spec = khook_spec_read(buf_view(&text), "spec.yaml", &vars, &engines, &problems);
    if (!spec)
        return khook_wrong(c, "%.*s", STR_ARG(problems.v[0].text));
    khook_step_hash(&spec->steps[0], str_of(folder), out);
    return out->len || khook_wrong(c, "no hash");
}

bool khook_area_hash(struct khook_case *c)
{
    AUTO(buf_done) struct buf a = {0}, b = {0};
    bool want = doc_bool(doc_get_lit(c->expect, "same"), false);

    if (!hash_of(c, "a", &a) || !hash_of(c, "b", &b))
        return false;
    return str_eq(buf_view(&a), buf_view(&b)) == want || khook_wrong(c, "same is %d", !want);
}

/* ---- output */

static struct khook_results case_results(struct khook_case *c, const struct doc_node *given)
{
    const struct doc_node *results = doc_get_lit(given, "results");
    const struct doc_node *rows = results ? results : doc_get_lit(given, "steps");
    struct khook_result *v = ARENA_ARRAY(&c->arena, struct khook_result, doc_len(rows) + 1);
    struct doc_iter it = doc_children(rows);

    for (size_t i = 0; doc_next(&it); i++)
        v[i] = (struct khook_result){
            .name = khook_member(it.value, "name"),
            .type = khook_member(it.value, "type"),
            .status = khook_member(it.value, "status"),
            .attempts = doc_int(doc_get_lit(it.value, "attempts"), 0),
            .duration_ms = doc_int(doc_get_lit(it.value, "durationMs"), 0),
            .error = khook_member(it.value, "error"),
            .skip_reason = khook_member(it.value, "skipReason"),
            .note = khook_member(it.value, "note"),
        };
    return (struct khook_results){.name = khook_member(given, "name"),
                                  .canceled = doc_bool(doc_get_lit(given, "canceled"), false),
                                  .v = v,
                                  .len = doc_len(rows)};
}

/* Columns begin where the heading's words do. */
static size_t column_starts(str heading, size_t *starts, size_t max)
{
    size_t count = 0;

    for (size_t i = 0; i < heading.len && count < max; i++)
        if (heading.p[i] != ' ' && (i == 0 || heading.p[i - 1] == ' '))
            starts[count++] = i;
    return count;
}

/* The bytes of a line from character `from` to character `to`. */
static str cell(str line, size_t from, size_t to)
{
    size_t begin = line.len, end = line.len, at = 0;

    for (size_t i = 0; i < line.len; i++) {
        if (((unsigned char)line.p[i] & 0xc0) == 0x80)
            continue;
        if (at == from)
            begin = i;
        if (at == to)
            end = i;
        at++;
    }
    return str_trim(str_range(line.p + begin, line.p + MAX(begin, end)));
}

static bool row_is(str line, const size_t *starts, size_t count, const struct doc_node *want)
{
    struct doc_iter it = doc_children(want);

    for (size_t i = 0; doc_next(&it); i++)
        if (i >= count || !str_eq(cell(line, starts[i], i + 1 < count ? starts[i + 1] : SIZE_MAX),
                                  doc_text(it.value, STR_NONE)))
            return false;
    return true;
}

/* Every wanted row is in the table, whose heading begins with STEP. */
static bool rows_are(struct khook_case *c, str text)
{
    struct doc_iter it = doc_children(doc_get_lit(c->expect, "rows"));

    while (doc_next(&it)) {
        size_t starts[16], count = 0;
        str rest = text, line;
        bool found = false;

        while (!found && str_next_line(&rest, &line)) {
            if (str_starts(line, STR("STEP ")))
                count = column_starts(line, starts, ARRAY_LEN(starts));
            found = count && row_is(line, starts, count, it.value);
        }
        if (!found)
            return khook_wrong(c, "no row %.*s in: %.*s",
                               STR_ARG(doc_text(doc_item(it.value, 0), STR_NONE)), STR_ARG(text));
    }
    return true;
}

static bool output_is(struct khook_case *c, str text)
{
    const struct doc_node *json = doc_get_lit(c->expect, "json");
    const struct doc_node *json_has = doc_get_lit(c->expect, "json_has");

    return (!json || khook_json_is(c, text, json, false)) &&
           (!json_has || khook_json_is(c, text, json_has, true)) && rows_are(c, text) &&
           khook_mentions(c, c->expect, text);
}

static bool status_is(struct khook_case *c, const struct doc_node *given, bool as_json)
{
    AUTO(khook_record_done) struct khook_record record = {0};
    AUTO(buf_done) struct buf out = {0};
    struct symbolic s = symbolic_steps(c, doc_get_lit(given, "steps"));
    bool has_record = case_record(c, doc_get_lit(given, "record"), &record);
    struct khook_status status = {.spec = &s.spec,
                                  .hashes = s.hashes,
                                  .spec_hash = STR("same"),
                                  .secret = khook_member(given, "secret"),
                                  .record = has_record ? &record : NULL};

    if (as_json)
        khook_status_json(&status, &out);
    else
        khook_status_text(&status, &out);
    return output_is(c, buf_view(&out));
}

static bool record_error_is(struct khook_case *c, const struct doc_node *given)
{
    AUTO(buf_done) struct buf error = {0}, kept = {0};
    int64_t max = doc_int(doc_get_lit(c->expect, "max_bytes"), 0);

    buf_add_repeat(&error, 'x', (size_t)doc_int(doc_get_lit(given, "error_chars"), 0));
    khook_record_error(buf_view(&error), &kept);
    return ((int64_t)kept.len <= max || khook_wrong(c, "%zu bytes", kept.len)) &&
           (str_ends(buf_view(&kept), khook_member(c->expect, "ends_with")) ||
            khook_wrong(c, "%s", buf_cstr(&kept)));
}

static bool plan_total_is(struct khook_case *c, const struct doc_node *given)
{
    const struct doc_node *list = doc_get_lit(given, "actions");
    enum khook_plan_action *actions =
        ARENA_ARRAY(&c->arena, enum khook_plan_action, doc_len(list) + 1);
    struct doc_iter it = doc_children(list);
    AUTO(buf_done) struct buf out = {0};

    for (size_t i = 0; doc_next(&it); i++) {
        str word = doc_text(it.value, STR_NONE);
        int a = 0;

        while (a < KHOOK_PLAN_COUNT &&
               !str_eq(word, str_of(khook_plan_word((enum khook_plan_action)a))))
            a++;
        if (a == KHOOK_PLAN_COUNT)
            return khook_wrong(c, "no action is called %.*s", STR_ARG(word));
        actions[i] = (enum khook_plan_action)a;
    }
    khook_plan_total(actions, doc_len(list), &out);
    return khook_same(c, "line", buf_view(&out), khook_member(c->expect, "line"));
}

bool khook_area_output(struct khook_case *c)
{
    AUTO(buf_done) struct buf out = {0};
    const struct doc_node *given = doc_get_lit(c->node, "given");
    str kind = khook_member(c->node, "kind");
    struct khook_results results;

    if (str_eq(kind, STR("record-error")))
        return record_error_is(c, given);
    if (str_eq(kind, STR("plan-total")))
        return plan_total_is(c, given);
    if (str_starts(kind, STR("status-")))
        return status_is(c, given, str_eq(kind, STR("status-json")));
    if (!str_starts(kind, STR("apply-")))
        return khook_wrong(c, "kind %.*s is not built", STR_ARG(kind));
    results = case_results(c, given);
    if (str_eq(kind, STR("apply-json")))
        khook_results_json(&results, &out);
    else
        khook_results_table(&results, &out);
    return output_is(c, buf_view(&out));
}

bool khook_redacted_result(struct khook_case *c)
{
    AUTO(buf_done) struct buf out = {0};
    struct khook_results results = case_results(c, doc_get_lit(c->node, "result"));

    if (!results.len)
        return khook_wrong(c, "no rows in the result");
    khook_results_json(&results, &out);
    return khook_json_is(c, buf_view(&out), doc_get_lit(c->expect, "json"), false);
}
