/* Any text as a khook spec, with and without conditions and pipelines that work: problems have
 * codes, places inside the text and a message; a good spec is linked, hashed and printed. */
#include "base/base.h"
#include "doc/parse.h"
#include "khook/spec/graph.h"
#include "khook/spec/report.h"
#include "khook/spec/spec.h"
#include "khook/state/normal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int pipeline(void *ctx UNUSED, str text, str value, struct buf *out, struct err *e)
{
    if (text.len % 3 == 0)
        return err_set(e, ERR_INVALID, "unknown function");
    buf_add_str(out, value);
    return 0;
}

static enum khook_condition condition(void *ctx UNUSED, str text,
                                      const struct khook_vars *vars UNUSED, struct err *e)
{
    if (text.len % 4 >= KHOOK_WHEN_COMPILE)
        err_set(e, ERR_INVALID, "bad condition");
    return (enum khook_condition)(text.len % 4);
}

static void check_problems(const struct diag_list *problems, bool has_spec)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf json = {0};

    assert(has_spec == (problems->errors == 0));
    for (size_t i = 0; i < problems->len; i++)
        assert(problems->v[i].code.len && problems->v[i].text.len);
    khook_report_json(problems, &json);
    if (!doc_parse_json(set, buf_view(&json), "report", &e))
        assert(!"the report is no JSON");
}

static void check_spec(const struct khook_spec *spec)
{
    AUTO(buf_done) struct buf graph = {0};

    assert(spec->name.len && spec->step_count && spec->level_count);
    for (size_t i = 0; i < spec->step_count; i++) {
        const struct khook_step *step = &spec->steps[i];
        struct khook_action action = khook_step_action(step);
        AUTO(buf_done) struct buf json = {0};

        assert(action.block && step->timeout_ms > 0 && step->retries >= 0);
        for (size_t j = 0; j < step->need_count; j++)
            assert(spec->steps[step->needs[j]].level < step->level);
        khook_normal_json(action.table, action.node, &json);
        assert(json.len >= 2);
    }
    assert(khook_graph(spec, STR("dot"), &graph));
}

static void read(str text, const struct khook_engines *engines)
{
    AUTO(khook_vars_done) struct khook_vars vars = {0};
    AUTO(diag_list_done) struct diag_list problems = {0};
    AUTO(khook_spec_free) struct khook_spec *spec = NULL;

    khook_vars_put(&vars, STR("A"), STR("a: b\n  c"), false);
    khook_vars_put(&vars, STR("B"), STR(""), false);
    khook_vars_put(&vars, STR("C"), STR("1"), false);
    spec = khook_spec_read(text, "fuzz", &vars, engines, &problems);
    check_problems(&problems, spec != NULL);
    if (spec)
        check_spec(spec);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct khook_engines none, all = {.pipeline = pipeline, .condition = condition};
    str text = {(const char *)data, size};

    read(text, &none);
    read(text, &all);
    return 0;
}
