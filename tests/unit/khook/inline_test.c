#include "khook/spec/spec.h"

#include "khook/act/action.h"
#include "support/test.h"

TEST(spec_on_one_line_reads_an_inline_manifest_to_its_end_only)
{
    AUTO(diag_list_done) struct diag_list problems = {0};
    AUTO(khook_vars_done) struct khook_vars vars = {0};
    static const struct khook_engines engines = {0};
    AUTO(khook_spec_free)
    struct khook_spec *spec = khook_spec_read(
        STR("{\"apiVersion\":\"khook.io/v1\",\"kind\":\"Khook\",\"metadata\":{\"name\":\"n\"},"
            "\"steps\":[{\"name\":\"a\",\"apply\":{\"manifests\":[{\"inline\":\"kind: X\"}]}},"
            "{\"name\":\"b\",\"job\":{\"image\":\"i\"}}]}"),
        "one-line", &vars, &engines, &problems);

    CHECK(spec != NULL);
    for (size_t i = 0; i < problems.len; i++)
        CHECK_STR(problems.v[i].text, STR(""), "no problem expected");
}

#define SPEC(inline_text)                                                                        \
    "apiVersion: khook.io/v1\nkind: Khook\nmetadata: {name: n}\nsteps:\n  - name: a\n    apply:" \
    "\n      manifests:\n        - inline: " inline_text

TEST(mistakes_of_an_inline_manifest_are_placed_in_the_spec)
{
    static const struct {
        const char *text;
        uint32_t line, column;
        const char *want;
    } rows[] = {
        {SPEC("|\n            a: 1\n            b: [\n            c: ]]\n"), 11, 17,
         "is no YAML: "},
        {SPEC("|\n\n            a: 1\n\n             b: 2\n"), 12, 15, "is no YAML"},
        {SPEC("|-\n           a: 1\n           a: 2\n"), 10, 12, "is no YAML: duplicate key \"a\""},
        {SPEC("|2\n            a: 1\n            a: 2\n"), 10, 13, "duplicate key"},
        {SPEC("|\r\n            a: 1\r\n            a: 2\r\n"), 10, 13, "duplicate key"},
        {SPEC("|\n            a: [\n              x\n\n        - file: y\n"), 10, 16, "expected"},
        {SPEC("|\n            kind: A\n            ---\n            b: 1\n"), 11, 13,
         "document 2 has no kind"},
        {SPEC("|\n            a: ${LINES}\n            a: 2\n"), 10, 13, "duplicate key"},
        {SPEC(">-\n            a: [\n"), 8, 19, "expected"},
        {SPEC("'a: ['\n"), 8, 19, "expected"},
        {SPEC("\"a: 1\\na: 2\"\n"), 8, 19, "duplicate key"},
        {SPEC("b\n"), 8, 19, "document 1 has no kind"},
    };
    static const struct khook_engines engines = {0};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(diag_list_done) struct diag_list problems = {0};
        AUTO(khook_vars_done) struct khook_vars vars = {0};
        AUTO(khook_spec_free) struct khook_spec *spec = NULL;

        khook_vars_put(&vars, STR("LINES"), STR("[1,\n            2]"), false);
        spec = khook_spec_read(str_of(rows[i].text), "s", &vars, &engines, &problems);
        CHECK(spec != NULL);
        CHECK_INT((long)problems.len, 1, rows[i].text);
        if (problems.len != 1)
            continue;
        CHECK_INT(problems.v[0].line, rows[i].line, rows[i].text);
        CHECK_INT(problems.v[0].column, rows[i].column, rows[i].text);
        if (!str_contains(problems.v[0].text, str_of(rows[i].want)))
            CHECK_STR(problems.v[0].text, str_of(rows[i].want), "should contain");
    }
}

TEST(an_inline_source_fails_with_the_place_in_the_spec)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {SPEC("|\n            a: [\n              }\n"), "manifests[0]: s:10:15: "},
        {SPEC("|\n            kind: X\n            ---\n            kind: Y\n"),
         "manifests[0]: s:9:13: document 1: X has no apiVersion"},
        {SPEC("|\n            # nothing\n"), "s:9:13: there are no resources"},
        {SPEC("'{kind: X}'\n"), "manifests[0]: s:8:19: document 1: X has no apiVersion"},
    };
    static const struct khook_engines engines = {0};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(diag_list_done) struct diag_list problems = {0};
        AUTO(khook_vars_done) struct khook_vars vars = {0};
        AUTO(khook_spec_free)
        struct khook_spec *spec =
            khook_spec_read(str_of(rows[i].text), "s", &vars, &engines, &problems);
        struct khook_context ctx = {.spec = spec};
        AUTO(khook_objects_done) struct khook_objects objects = {0};
        AUTO(err_done) struct err e = {0};

        CHECK(spec != NULL);
        if (!spec)
            continue;
        CHECK_INT(khook_sources_load_local(&ctx, &spec->steps[0].apply->manifests, &objects, &e),
                  -1, rows[i].text);
        if (!str_contains(str_of(err_text(&e)), str_of(rows[i].want)))
            CHECK_STR(str_of(err_text(&e)), str_of(rows[i].want), "should contain");
    }
}
