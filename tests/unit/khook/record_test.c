#include "khook/state/record.h"

#include "base/log.h"
#include "khook/results.h"
#include "khook/state/status.h"
#include "support/test.h"

static struct khook_step steps[] = {
    {.name = STR_INIT("a"), .type = KHOOK_APPLY},
    {.name = STR_INIT("b"), .type = KHOOK_JOB},
    {.name = STR_INIT("c"), .type = KHOOK_WAIT, .is_excluded = true},
};
static const struct khook_spec spec = {
    .name = STR_INIT("boot"), .steps = steps, .step_count = ARRAY_LEN(steps)};
static const str hashes[] = {STR_INIT("sha256:1"), STR_INIT("sha256:2"), STR_INIT("sha256:3")};

TEST(a_record_reads_back_as_it_was_written)
{
    AUTO(khook_record_done) struct khook_record record = {0}, back = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf json = {0}, again = {0};
    struct run_result failed = {
        .status = RUN_FAILED, .attempts = 2, .duration_ms = 1500, .error = (char *)"no \"x\"\n"};

    khook_record_seed(&spec, NULL, hashes, STR("sha256:s"), STR("2026-01-02T03:04:05Z"), &record);
    khook_record_update(&record, STR("b"), &failed, STR("2026-01-02T03:04:06Z"));
    khook_record_emit(&record, &json);
    CHECK_INT(khook_record_parse(buf_view(&json), &back, &e), 0, err_text(&e));
    khook_record_emit(&back, &again);
    CHECK_STR(buf_view(&again), buf_view(&json), "the same bytes");
    CHECK_STR(khook_record_find(&back, STR("b"))->error, STR("no \"x\"\n"), "error");
    CHECK_INT((long)back.steps.len, 3, "every step once");
}

TEST(records_of_other_versions_are_none_and_bad_ones_errors)
{
    static const struct {
        const char *json;
        int want;
    } rows[] = {
        {"{\"apiVersion\":\"khook.io/state.v1\"}", 0},
        {"{\"apiVersion\":\"khook.io/state.v1\",\"more\":[],\"steps\":[1,{\"name\":2}]}", 0},
        {"{\"apiVersion\":\"khook.io/state.v2\"}", 1},
        {"{}", 1},
        {"[]", -1},
        {"{", -1},
        {"", -1},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(khook_record_done) struct khook_record record = {0};
        AUTO(err_done) struct err e = {0};

        CHECK_INT(khook_record_parse(str_of(rows[i].json), &record, &e), rows[i].want,
                  rows[i].json);
    }
}

TEST(only_unchanged_ok_steps_resume)
{
    AUTO(khook_record_done) struct khook_record record = {0}, seeded = {0};
    struct run_result ok = {.status = RUN_OK, .attempts = 1};

    khook_record_seed(&spec, NULL, hashes, STR("s"), STR("t"), &record);
    for (size_t i = 0; i < spec.step_count; i++)
        khook_record_update(&record, steps[i].name, &ok, STR("t"));
    CHECK(khook_record_resumes(&record, &steps[0], hashes[0]));
    CHECK(!khook_record_resumes(&record, &steps[0], hashes[1]));
    CHECK(!khook_record_resumes(&record, &steps[0], STR("")));
    CHECK(!khook_record_resumes(&record, &steps[2], hashes[2])); /* excluded */
    CHECK(!khook_record_resumes(NULL, &steps[0], hashes[0]));
    khook_record_seed(&spec, &record, hashes, STR("s"), STR("u"), &seeded);
    CHECK_INT(khook_record_find(&seeded, STR("a"))->status, RUN_OK, "kept");
    CHECK_INT(khook_record_find(&seeded, STR("c"))->status, RUN_PENDING, "fresh");
    khook_record_clear(&seeded, STR("a"));
    CHECK(!khook_record_resumes(&seeded, &steps[0], hashes[0]));
}

TEST(kept_errors_are_masked_then_cut_between_characters)
{
    AUTO(buf_done) struct buf error = {0}, kept = {0};

    buf_add_repeat(&error, 'x', 2047);
    buf_add_cstr(&error, "é and more");
    khook_record_error(buf_view(&error), &kept);
    CHECK_INT((long)kept.len, 2047 + (long)strlen(" (truncated)"), "length");
    buf_clear(&kept);
    secret_add(STR("hush-hush"));
    khook_record_error(STR("token hush-hush refused"), &kept);
    CHECK_STR(buf_view(&kept), STR("token *** refused"), "masked");
    secret_forget_all();
}

TEST(results_print_as_table_and_json)
{
    static const struct khook_result rows[] = {
        {.name = STR_INIT("a"),
         .type = STR_INIT("job"),
         .status = STR_INIT("failed"),
         .attempts = 2,
         .duration_ms = 1500,
         .error = STR_INIT("one\ntwo")},
        {.name = STR_INIT("long-name"),
         .type = STR_INIT("wait"),
         .status = STR_INIT("skipped"),
         .skip_reason = STR_INIT("run canceled")},
    };
    struct khook_results results = {.name = STR("n"), .v = rows, .len = ARRAY_LEN(rows)};
    AUTO(buf_done) struct buf table = {0}, json = {0};

    khook_results_table(&results, &table);
    CHECK_STR(buf_view(&table),
              STR("STEP       TYPE  STATUS   ATTEMPTS  DURATION  DETAIL\n"
                  "a          job   failed   2         1.5s      one; two\n"
                  "long-name  wait  skipped                      run canceled\n"),
              "table");
    khook_results_json(&results, &json);
    CHECK_STR(buf_view(&json),
              STR("{\"name\":\"n\",\"status\":\"failed\",\"steps\":[{\"name\":\"a\",\"type\":"
                  "\"job\",\"status\":\"failed\",\"attempts\":2,\"durationMs\":1500,\"error\":"
                  "\"one\\ntwo\"},{\"name\":\"long-name\",\"type\":\"wait\",\"status\":"
                  "\"skipped\",\"skipReason\":\"run canceled\"}]}\n"),
              "json");
}

TEST(status_predicts_what_the_next_apply_does)
{
    AUTO(khook_record_done) struct khook_record record = {0};
    AUTO(buf_done) struct buf text = {0}, json = {0}, none = {0};
    struct run_result ok = {.status = RUN_OK, .attempts = 1};
    struct khook_status status = {.spec = &spec,
                                  .hashes = hashes,
                                  .spec_hash = STR("s"),
                                  .secret = STR("default/r"),
                                  .record = &record};

    khook_record_seed(&spec, NULL, hashes, STR("s"), STR("no time"), &record);
    khook_record_update(&record, STR("a"), &ok, STR("t"));
    khook_status_text(&status, &text);
    CHECK(str_contains(buf_view(&text), STR("resumes past 1 completed step(s)")));
    CHECK(str_contains(buf_view(&text), STR("started no time")));
    khook_status_json(&status, &json);
    CHECK(str_starts(buf_view(&json), STR("{\"found\":true,\"specChanged\":false,"
                                          "\"resumableSteps\":[\"a\"],\"record\":{")));
    status.record = NULL;
    khook_status_json(&status, &none);
    CHECK_STR(buf_view(&none), STR("{\"found\":false}\n"), "none");
}
