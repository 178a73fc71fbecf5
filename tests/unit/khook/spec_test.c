#include "khook/spec/spec.h"

#include "base/duration.h"
#include "base/words.h"
#include "khook/spec/fields.h"
#include "khook/spec/graph.h"
#include "khook/spec/report.h"
#include "khook/spec/words.h"
#include "support/test.h"
#include "sys/file.h"

#define HEAD "apiVersion: khook.io/v1\nkind: Khook\nmetadata: {name: t}\n"
#define STEP "steps:\n- name: one\n  job: {image: i}\n"

static struct khook_spec *read(const char *text, struct diag_list *problems)
{
    AUTO(khook_vars_done) struct khook_vars vars = {0};
    struct khook_engines engines = {0};

    return khook_spec_read(str_of(text), "spec.yaml", &vars, &engines, problems);
}

#define A16 "aaaaaaaaaaaaaaaa"
#define A64 A16 A16 A16 A16

TEST(every_problem_has_its_code_and_place)
{
    static const struct {
        const char *text, *code;
        uint32_t line, column;
    } rows[] = {
        {"", "field.required", 1, 1},
        {"[1]", "field.type", 1, 1},
        {"a: [", "yaml.syntax", 0, 0},
        {HEAD STEP "state: {}\nstate: {}\n", "yaml.duplicate-key", 0, 0},
        {HEAD STEP "---\na: 1\n", "yaml.multiple-documents", 0, 0},
        {HEAD STEP "stat: {}\n", "field.unknown", 7, 1},
        {HEAD "steps: []\n", "value.range", 4, 8},
        {HEAD STEP "state: {namespace: " A64 "}\n", "value.range", 7, 20},
        {HEAD STEP "state: {name: " A64 A64 A64 A64 "}\n", "value.range", 7, 15},
        {HEAD "steps: 1\n", "field.type", 4, 8},
        {HEAD "steps: [{name: a, delete: {release: A_b}}]\n", "value.format", 4, 37},
        {HEAD "steps:\n- name: A_b\n  job: {image: i}\n", "value.format", 5, 9},
        {HEAD "steps:\n- name: a\n", "step.action", 5, 3},
        {HEAD "steps:\n- name: a\n  job: {image: i}\n  needs: [b]\n", "needs.unknown", 7, 11},
        {HEAD "steps:\n- name: a\n  job: {image: i}\n  needs: [a]\n", "needs.cycle", 5, 3},
        {HEAD STEP "- name: one\n  job: {image: i}\n", "step.duplicate", 7, 9},
        {HEAD "steps:\n- name: a\n  timeout: 0s\n  job: {image: i}\n", "value.range", 6, 12},
        {HEAD "steps:\n- name: a\n  timeout: 3\n  job: {image: i}\n", "field.type", 6, 12},
        {HEAD "steps:\n- name: a\n  job: {image: \"\"}\n", "field.required", 6, 16},
        {HEAD "steps:\n- name: a\n  job: {image: i, skipIf: exists}\n", "value.enum", 6, 27},
        {HEAD "steps:\n- name: a\n  when: \"true\"\n  job: {image: i}\n", "when.compile", 6, 9},
        {HEAD "steps:\n- name: a\n  wait: {on: pods, for: x}\n", "wait.expr", 6, 25},
        {HEAD "steps:\n- name: a\n  wait: {on: pods, anyOf: [delete]}\n", "value.range", 6, 27},
        {HEAD "steps:\n- name: a\n  wait: {on: pods, for: delete, selector: \"a in b\"}\n",
         "value.format", 6, 43},
        {HEAD "steps:\n- name: a\n  helm: {chart: c}\n", "chart", 6, 9},
        {HEAD "steps:\n- name: ${N}\n", "substitution.missing", 5, 9},
        {HEAD "steps:\n- name: a\n  delete: {resource: Pod/x, allNamespaces: true}\n", "exclusive",
         6, 44},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(diag_list_done) struct diag_list problems = {0};
        AUTO(khook_spec_free) struct khook_spec *spec = read(rows[i].text, &problems);
        const struct diag *first = problems.len ? &problems.v[0] : NULL;

        CHECK(!spec);
        CHECK_STR(first ? first->code : STR_NONE, str_of(rows[i].code), rows[i].text);
        if (!first || !rows[i].line)
            continue;
        CHECK_INT(first->line, rows[i].line, rows[i].text);
        CHECK_INT(first->column, rows[i].column, rows[i].text);
    }
}

TEST(a_spec_in_utf_16_is_told_with_the_way_out)
{
    static const struct {
        str text;
        const char *message;
    } rows[] = {
        {STR_INIT("\xFF\xFE"
                  "a\0:\0"),
         "is UTF-16, not UTF-8: `iconv -f UTF-16 -t UTF-8` converts it"},
        {STR_INIT("\xFE\xFF\0a\0:"),
         "is UTF-16, not UTF-8: `iconv -f UTF-16 -t UTF-8` converts it"},
        {STR_INIT("a\0:\0"), "is UTF-16LE, not UTF-8: `iconv -f UTF-16LE -t UTF-8` converts it"},
        {STR_INIT("\0a\0:"), "is UTF-16BE, not UTF-8: `iconv -f UTF-16BE -t UTF-8` converts it"},
        {STR_INIT("a: \xFF\xFE"), "is no valid UTF-8"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(diag_list_done) struct diag_list problems = {0};
        AUTO(khook_vars_done) struct khook_vars vars = {0};
        struct khook_engines engines = {0};
        AUTO(khook_spec_free)
        struct khook_spec *spec =
            khook_spec_read(rows[i].text, "spec.yaml", &vars, &engines, &problems);

        CHECK(!spec);
        CHECK_STR(problems.len ? problems.v[0].text : STR_NONE, str_of(rows[i].message), "message");
    }
}

TEST(unknown_keys_get_a_hint)
{
    static const struct {
        const char *text, *hint;
    } rows[] = {
        {HEAD STEP "stat: {}\n", "did you mean \"state\"?"},
        {HEAD STEP "operations: []\n", "write steps"},
        {HEAD STEP "config: {}\n", "write defaults"},
        {HEAD "steps:\n- name: a\n  dependsOn: []\n  job: {image: i}\n", "write needs"},
        {HEAD "steps:\n- name: a\n  job: {image: i, skipIfSucceeded: true}\n",
         "write skipIf: succeeded"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(diag_list_done) struct diag_list problems = {0};
        AUTO(khook_spec_free) struct khook_spec *spec = read(rows[i].text, &problems);

        CHECK(!spec);
        CHECK_STR(problems.len ? problems.v[0].hint : STR_NONE, str_of(rows[i].hint), rows[i].text);
    }
}

TEST(steps_take_policy_from_defaults_and_levels_from_needs)
{
    AUTO(diag_list_done) struct diag_list problems = {0};
    AUTO(khook_spec_free)
    struct khook_spec *spec =
        read(HEAD "state: {}\n"
                  "defaults: {timeout: 1m, retries: 3, onError: continue}\n"
                  "steps:\n"
                  "- {name: a, needs: [b], timeout: 2s, retries: 0, job: {image: i}}\n"
                  "- {name: b, apply: {manifests: [{file: x.yaml}]}}\n",
             &problems);

    CHECK_INT((long)problems.len, 0, "problems");
    if (!spec)
        return;
    CHECK_INT(spec->steps[0].timeout_ms, 2000, "own timeout");
    CHECK_INT(spec->steps[0].retries, 0, "own retries");
    CHECK_INT(spec->steps[1].timeout_ms, 60000, "timeout of defaults");
    CHECK_INT(spec->steps[1].retries, 3, "retries of defaults");
    CHECK_INT(spec->steps[1].retry_delay_ms, 10000, "built-in delay");
    CHECK_INT(spec->steps[1].on_error, RUN_CONTINUE, "onError of defaults");
    CHECK_INT((long)spec->steps[0].level, 1, "level of a");
    CHECK_INT((long)spec->steps[1].level, 0, "level of b");
    CHECK_INT(spec->steps[0].type, KHOOK_JOB, "type of a");
    CHECK_STR(spec->steps[0].job->ns, STR("default"), "default namespace");
    CHECK(spec->has_state);
    CHECK_STR(spec->state_name, STR("khook-state-t"), "derived name");
}

/* A field's default must be what its kind can be read from. */
static void check_fallbacks(const struct khook_table *table, int depth)
{
    for (const struct khook_field *f = table->fields; *f->name; f++) {
        int64_t number;
        bool is_good = true;

        CHECK(f - table->fields < 32);
        CHECK(*f->help && f->help[strlen(f->help) - 1] != '.');
        CHECK((f->table != KHOOK_BLOCK_NONE) ==
              (f->kind == KHOOK_BLOCK || f->kind == KHOOK_BLOCKS));
        CHECK(f->kind != KHOOK_WORD || *f->words);
        if (*f->fallback && !(f->flags & KHOOK_DERIVED))
            is_good =
                f->kind == KHOOK_BOOL   ? words_have(str_of("true false"), ' ', str_of(f->fallback))
                : f->kind == KHOOK_INT  ? str_to_int64(str_of(f->fallback), &number)
                : f->kind == KHOOK_TIME ? duration_parse_ms(str_of(f->fallback), &number)
                : f->kind == KHOOK_WORD ? words_have(str_of(f->words), ' ', str_of(f->fallback))
                                        : f->kind == KHOOK_TEXT;
        if (!is_good)
            test_fail(__FILE__, __LINE__, "%s.%s: bad default %s", table->name, f->name,
                      f->fallback);
        if (f->table && depth < 8)
            check_fallbacks(khook_field_table(f), depth + 1);
    }
}

TEST(tables_of_fields_are_sound) { check_fallbacks(&khook_table_root, 0); }

TEST(problems_and_warnings_are_told_as_json)
{
    AUTO(diag_list_done) struct diag_list problems = {0};
    AUTO(khook_spec_free)
    struct khook_spec *spec =
        read(HEAD "state:\nsteps:\n- name: a\n  job: {image: 1}\n", &problems);
    AUTO(buf_done) struct buf json = {0};

    CHECK(!spec);
    khook_report_json(&problems, &json);
    CHECK_STR(
        buf_view(&json),
        STR("{\"valid\":false,\"problems\":[{\"code\":\"field.type\",\"step\":\"a\","
            "\"field\":\"job.image\",\"line\":7,\"column\":16,\"message\":\"step \\\"a\\\": "
            "job.image: must be text, not a number; quote it: \\\"1\\\"\"}],\"warnings\":[{"
            "\"code\":\"null.block\",\"field\":\"state\",\"line\":4,\"column\":7,\"message\":"
            "\"state: state is null and counts as absent: no record is kept; write state: {} to "
            "keep one\"}]}\n"),
        "json");
}

TEST(graphs_show_steps_in_order_and_their_needs)
{
    AUTO(diag_list_done) struct diag_list problems = {0};
    AUTO(khook_spec_free)
    struct khook_spec *spec = read(
        HEAD "steps:\n- {name: b, needs: [a, a], job: {image: i}}\n- {name: a, job: {image: i}}\n",
        &problems);
    AUTO(buf_done) struct buf out = {0};

    if (!spec || !khook_graph(spec, STR("mermaid"), &out))
        test_fail(__FILE__, __LINE__, "no graph");
    CHECK_STR(buf_view(&out),
              STR("flowchart TD\n    n0[\"b (job)\"]\n    n1[\"a (job)\"]\n    n1 --> n0\n"),
              "mermaid");
    CHECK(spec && !khook_graph(spec, STR("svg"), &out));
}

TEST(values_files_are_searched_for_words_that_charts_take_for_true)
{
    AUTO(buf_done) struct buf dir = {0}, path = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(diag_list_done) struct diag_list problems = {0};
    AUTO(khook_spec_free)
    struct khook_spec *spec = read(HEAD "steps:\n- name: one\n  helm: {chart: ./c, namespace: n,\n"
                                        "    valuesFrom: [{file: v.yaml}, {file: away.yaml}]}\n",
                                   &problems);

    CHECK(spec != NULL);
    CHECK_INT(file_temp_dir("words", &dir, &e), 0, err_text(&e));
    buf_addf(&path, "%s/v.yaml", buf_cstr(&dir));
    CHECK_INT(file_replace(buf_cstr(&path), STR("a: {b: no, c: 'no'}\nd: [true, On]\n"), NULL, &e),
              0, err_text(&e));
    khook_warn_values_files(spec, buf_view(&dir), &problems);
    CHECK_INT(file_remove_tree(buf_cstr(&dir), &e), 0, err_text(&e));
    CHECK_INT(problems.len, 2, "warnings");
    CHECK_INT(problems.errors, 0, "errors");
    CHECK_STR(problems.v[0].text, STR("no is the text \"no\", which charts take for true"), "text");
    CHECK_INT(problems.v[1].line, 2, "line");
    CHECK_INT(problems.v[1].column, 11, "column");
}
