/* Release records: what helm writes is read, what we write has its form (helm spec 9.2). */
#include "base/escape.h"
#include "chart/release/record.h"
#include "chart/yaml.h"
#include "doc/emit.h"
#include "support/test.h"

struct fixture {
    struct doc_set *set;
    struct chart_files files;
    struct chart_record record;
    struct buf out;
    struct err e;
};
static void fixture_done(struct fixture *f)
{
    doc_set_free(f->set);
    chart_files_done(&f->files);
    chart_record_done(&f->record);
    buf_done(&f->out);
    err_done(&f->e);
}
AUTO_VALUE(struct fixture, fixture_done)

static void add(struct fixture *f, const char *name, const char *text)
{
    if (!f->set)
        f->set = doc_set_new();
    vec_push(&f->files, {str_of(name), str_of(text), 1700000000500000, NULL});
}

#define HOOK                                                                            \
    "kind: Job\nmetadata:\n  name: h\n  annotations:\n    helm.sh/hook: Test-Success, " \
    "post-install\n    helm.sh/hook-weight: \"-2\"\n    helm.sh/hook-delete-policy: "   \
    "hook-succeeded,before-hook-creation\n    helm.sh/hook-output-log-policy: hook-failed\n"

static void make(struct fixture *f)
{
    AUTO(chart_release_done) struct chart_release release = {0};
    struct chart_render_options options = {.release = STR("web"), .ns = STR("prod")};
    struct chart_record_start start = {.name = STR("web"),
                                       .ns = STR("prod"),
                                       .revision = 3,
                                       .status = CHART_PENDING_UPGRADE,
                                       .description = STR("Preparing upgrade"),
                                       .first_us = 1600000000000000,
                                       .now_us = 1700000000250000};
    struct chart *c;

    add(f, "Chart.yaml", "apiVersion: v2\nname: top\nversion: 1.0.0\nappVersion: \"7\"\n");
    add(f, "values.yaml", "a: 1.0\nb: {c: 1e3}\n");
    add(f, "templates/a.yaml", "kind: Secret\nmetadata: {name: s}\n");
    add(f, "templates/h.yaml", HOOK);
    add(f, "templates/NOTES.txt", "Hi {{ .Release.Name }}\n");
    add(f, "README.md", "read");
    c = chart_from_files(f->set, &f->files, &f->e);
    start.config = chart_read_values(f->set, STR("x: {z: null}\n"), &f->e);
    CHECK(c && chart_render(f->set, c, start.config, &options, &release, &f->e) == 0);
    CHECK_OK(&f->e);
    chart_record_make(&start, c, &release, STR_NONE, &f->record);
}

static str json_at(struct fixture *f, const char *path)
{
    buf_clear(&f->out);
    doc_emit_json(doc_at(f->record.root, path), 0, &f->out);
    return buf_view(&f->out);
}

TEST(a_record_of_a_rendered_chart_has_the_members_of_helm)
{
    static const struct {
        const char *path, *want;
    } rows[] = {
        {"name", "\"web\""},
        {"namespace", "\"prod\""},
        {"version", "3"},
        {"apply_method", "\"ssa\""},
        {"info", "{\"first_deployed\":\"2020-09-13T12:26:40Z\",\"last_deployed\":\"2023-11-14T22:"
                 "13:20.25Z\",\"status\":\"pending-upgrade\",\"description\":\"Preparing "
                 "upgrade\",\"notes\":\"Hi web\\n\"}"},
        {"config", "{\"x\":{\"z\":null}}"},
        {"chart/metadata",
         "{\"name\":\"top\",\"version\":\"1.0.0\",\"apiVersion\":\"v2\",\"appVersion\":\"7\"}"},
        {"chart/lock", "null"},
        {"chart/schema", "null"},
        {"chart/values", "{\"a\":1,\"b\":{\"c\":1000}}"},
        {"chart/files", "[{\"name\":\"README.md\",\"data\":\"cmVhZA==\",\"modtime\":"
                        "\"2023-11-14T22:13:20.5Z\"}]"},
        {"manifest", "\"---\\n# Source: top/templates/a.yaml\\nkind: Secret\\nmetadata: {name: "
                     "s}\\n\\n\""},
    };
    AUTO(fixture_done) struct fixture f = {0};

    make(&f);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        CHECK_STR(json_at(&f, rows[i].path), str_of(rows[i].want), rows[i].path);
}

TEST(hooks_keep_events_policies_and_weight)
{
    AUTO(fixture_done) struct fixture f = {0};
    AUTO(chart_hooks_done) struct chart_hooks hooks = {0};

    make(&f);
    chart_record_hooks(&f.record, &hooks);
    CHECK_INT((long long)hooks.len, 1, "hooks");
    CHECK_STR(hooks.v[0].path, STR("top/templates/h.yaml"), "path");
    CHECK_INT(hooks.v[0].events, 1 << CHART_TEST | 1 << CHART_POST_INSTALL, "events");
    CHECK_INT(hooks.v[0].weight, -2, "weight");
    CHECK_INT(hooks.v[0].delete_policies, CHART_HOOK_SUCCEEDED | CHART_BEFORE_HOOK_CREATION,
              "deletion");
    CHECK_INT(hooks.v[0].log_policies, CHART_HOOK_FAILED, "logs");
    hooks.v[0].phase = STR("Succeeded");
    hooks.v[0].started_us = 1700000000000000;
    hooks.v[0].completed_us = 1700000001000000;
    chart_record_set_run(&f.record, &hooks.v[0]);
    hooks.len = 0;
    chart_record_hooks(&f.record, &hooks);
    CHECK_STR(hooks.v[0].phase, STR("Succeeded"), "phase");
    CHECK_INT(hooks.v[0].completed_us, 1700000001000000, "completed");
}

TEST(a_hook_that_is_run_says_by_which_policy)
{
    AUTO(fixture_done) struct fixture f = {0};
    AUTO(chart_hooks_done) struct chart_hooks hooks = {0};
    AUTO(buf_done) struct buf out = {0};

    make(&f);
    chart_record_hooks(&f.record, &hooks);
    doc_remove(hooks.v[0].node, STR("delete_policies"));
    chart_record_set_run(&f.record, &hooks.v[0]);
    doc_emit_json(hooks.v[0].node, 0, &out);
    CHECK(str_ends(buf_view(&out), STR("\"delete_policies\":[\"before-hook-creation\"],"
                                       "\"output_log_policies\":[\"hook-failed\"]}")));
}

TEST(text_reads_back_and_unknown_members_survive)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf text = {0}, plain = {0}, json = {0};
    AUTO(chart_record_done) struct chart_record r = {0}, again = {0};
    str given = STR("{\"name\":\"a\",\"future\":{\"x\":[1,2]},\"info\":{\"status\":\"failed\","
                    "\"first_deployed\":\"\",\"odd\":true},\"version\":2,\"namespace\":\"n\"}");

    escape_base64(given, true, &plain);
    CHECK(chart_record_decode(buf_view(&plain), &r, &e) == 0);
    CHECK_INT(r.status, CHART_FAILED, "status");
    CHECK_INT(chart_record_first_deployed(&r), 0, "an empty time is none");
    chart_record_set_status(&r, CHART_SUPERSEDED, STR(""));
    CHECK(chart_record_encode(&r, &text, &e) == 0);
    CHECK(chart_record_decode(buf_view(&text), &again, &e) == 0);
    CHECK_OK(&e);
    CHECK_INT(again.revision, 2, "revision");
    CHECK_STR(again.ns, STR("n"), "namespace");
    doc_emit_json(again.root, DOC_JSON_SORTED, &json);
    CHECK_STR(buf_view(&json),
              STR("{\"future\":{\"x\":[1,2]},\"info\":{\"first_deployed\":\"\",\"odd\":true,"
                  "\"status\":\"superseded\"},\"name\":\"a\",\"namespace\":\"n\",\"version\":2}"),
              "JSON");
}

TEST(broken_records_say_why)
{
    static const struct {
        const char *text;
        enum err_kind kind;
    } rows[] = {
        {"***", ERR_INVALID},
        {"", ERR_INVALID},
        {"e30=", ERR_INVALID},             /* {} */
        {"W10=", ERR_INVALID},             /* [] */
        {"H4sIAAAAAAAA", ERR_INVALID},     /* the head of a gzip text */
        {"eyJuYW1lIjoiYSI=", ERR_INVALID}, /* cut off */
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(chart_record_done) struct chart_record r = {0};

        CHECK(chart_record_decode(str_of(rows[i].text), &r, &e) < 0);
        CHECK_INT(e.kind, rows[i].kind, rows[i].text);
        CHECK(err_text(&e)[0]);
    }
}

TEST(a_record_that_no_secret_holds_is_refused)
{
    AUTO(fixture_done) struct fixture f = {0};
    AUTO(buf_done) struct buf noise = {0}, text = {0};
    uint32_t state = 1;

    for (int i = 0; i < 1 << 20; i++) {
        state = state * 1664525 + 1013904223;
        buf_add_char(&noise, (char)('!' + (state >> 24) % 90));
    }
    make(&f);
    chart_record_set_notes(&f.record, buf_view(&noise));
    CHECK(chart_record_encode(&f.record, &text, &f.e) < 0);
    CHECK_INT(f.e.kind, ERR_LIMIT, err_text(&f.e));
    CHECK(strstr(err_text(&f.e), ".helmignore"));
}

TEST(a_rollback_starts_from_a_copy)
{
    AUTO(fixture_done) struct fixture f = {0};
    AUTO(chart_record_done) struct chart_record copy = {0};
    AUTO(chart_hooks_done) struct chart_hooks hooks = {0};
    struct chart_record_start start = {.name = STR("web"),
                                       .ns = STR("prod"),
                                       .revision = 9,
                                       .status = CHART_PENDING_ROLLBACK,
                                       .description = STR("Rollback to 3"),
                                       .now_us = 1,
                                       .is_client_side = true};

    make(&f);
    chart_record_copy(&f.record, &start, &copy);
    chart_record_set_rollback(&copy, 3);
    CHECK_STR(chart_record_manifest(&copy), chart_record_manifest(&f.record), "manifest");
    CHECK_STR(chart_record_notes(&copy), STR("Hi web\n"), "notes");
    CHECK_STR(chart_record_apply_method(&copy), STR("csa"), "method");
    CHECK_INT(doc_int(doc_at(copy.root, "info/rollback_revision"), 0), 3, "rollback");
    chart_record_hooks(&copy, &hooks);
    CHECK_INT((long long)hooks.len, 1, "hooks");
}

TEST(the_stored_chart_gives_its_values_again)
{
    AUTO(fixture_done) struct fixture f = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf json = {0};
    struct doc_node *all;
    struct chart *c;

    make(&f);
    all = chart_record_values(&f.record, set, &f.e);
    doc_emit_json(all, DOC_JSON_SORTED, &json);
    CHECK_STR(buf_view(&json), STR("{\"a\":1,\"b\":{\"c\":1000},\"x\":{\"z\":null}}"), "values");
    c = chart_record_chart(&f.record, set, &f.e);
    CHECK_OK(&f.e);
    CHECK(c && c->template_count == 3 && c->file_count == 1);
    CHECK_STR(c ? c->version : STR_NONE, STR("1.0.0"), "version");
}
