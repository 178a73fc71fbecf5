#include "base/log.h"

#include <pthread.h>

#include "support/test.h"

static void keep(void *ctx, enum log_level level UNUSED, str line) { buf_add_str(ctx, line); }
static int64_t fixed_time(void) { return 1767323045067000; }

static void logs_to(struct buf *out, enum log_format format)
{
    log_set_sink(keep, out);
    log_set_clock(fixed_time);
    log_set_format(format);
}

static void logs_reset(void)
{
    log_set_sink(NULL, NULL);
    log_set_clock(NULL);
    log_set_format(LOG_TEXT);
    log_set_level(LOG_INFO);
    secret_forget_all();
}

TEST(log_text_lines_quote_what_needs_it)
{
    AUTO(buf_done) struct buf out = {0};

    logs_to(&out, LOG_TEXT);
    log_info("step ok", LOG_STR("step", STR("a-1")), LOG_STR("why", STR("it \"is\"\nso")));
    log_warn("plain", LOG_STR("empty", STR("")), LOG_STR("eq", STR("a=b")),
             LOG_STR("bad", STR("\xff")), LOG_NUMBER("attempt", -3));
    CHECK_STR(buf_view(&out),
              STR("time=2026-01-02T03:04:05.067Z level=INFO msg=\"step ok\" step=a-1 "
                  "why=\"it \\\"is\\\"\\nso\"\n"
                  "time=2026-01-02T03:04:05.067Z level=WARN msg=\"plain\" empty=\"\" eq=\"a=b\" "
                  "bad=\"\\xff\" attempt=-3\n"),
              "text");
    logs_reset();
}

TEST(log_json_lines_are_objects)
{
    AUTO(buf_done) struct buf out = {0};

    logs_to(&out, LOG_JSON);
    secret_add(STR("3")); /* never makes a number "***" */
    log_error("step attempt failed", LOG_NUMBER("attempt", 3),
              LOG_STR("error", STR("a\t\"b\"\xff")));
    log_info("sizes", LOG_NUMBER("least", INT64_MIN), LOG_NUMBER("most", INT64_MAX));
    CHECK_STR(buf_view(&out),
              STR("{\"time\":\"2026-01-02T03:04:05.067Z\",\"level\":\"ERROR\",\"msg\":\"step "
                  "attempt failed\",\"attempt\":3,\"error\":\"a\\t\\\"b\\\"\\ufffd\"}\n"
                  "{\"time\":\"2026-01-02T03:04:05.067Z\",\"level\":\"INFO\",\"msg\":\"sizes\","
                  "\"least\":-9223372036854775808,\"most\":9223372036854775807}\n"),
              "json");
    logs_reset();
}

TEST(log_level_filters)
{
    AUTO(buf_done) struct buf out = {0};

    logs_to(&out, LOG_TEXT);
    log_debug("no");
    CHECK_INT((int)out.len, 0, "debug is off");
    log_set_level(LOG_ERROR);
    log_warn("no");
    CHECK_INT((int)out.len, 0, "warn is off");
    log_set_level(LOG_DEBUG);
    log_debug("yes");
    CHECK(out.len > 0 && log_is_on(LOG_DEBUG));
    logs_reset();
}

TEST(log_masks_before_it_encodes)
{
    AUTO(buf_done) struct buf out = {0};

    secret_add(STR("level"));
    secret_add(STR("ste"));
    secret_add(STR("a\"b"));
    logs_to(&out, LOG_JSON);
    log_info("the level", LOG_STR("step", STR("x a\"b y")));
    CHECK_STR(buf_view(&out),
              STR("{\"time\":\"2026-01-02T03:04:05.067Z\",\"level\":\"INFO\",\"msg\":\"the "
                  "***\",\"step\":\"x *** y\"}\n"),
              "keys stay");
    logs_reset();
}

TEST(secret_is_masked_in_every_spelling)
{
    static const struct {
        const char *secret, *in, *want;
    } rows[] = {
        {"s3cr3t", "password: s3cr3t plain", "password: *** plain"},
        {"pa\"ss", "{\"e\":\"auth pa\\\"ss no\"}", "{\"e\":\"auth *** no\"}"},
        {"p<q", "p\\u003cq and p<q", "*** and ***"},
        {"drum-solo", "data: ZHJ1bS1zb2xv", "data: ***"},
        {"drum-sol", "ZHJ1bS1zb2w= ZHJ1bS1zb2w.", "*** ***."},
        {"x/y+z=", "?t=x%2Fy%2Bz%3D&u=1", "?t=***&u=1"},
        {"two words", "two%20words two+words", "*** ***"},
        {"x/y+z=", "?t=x%2fy%2bz%3d", "?t=***"},
        {"it's: so", "a: 'it''s: so'", "a: '***'"},
        {"a\x1b[0m\x01\t\"\\\x7f", "t: \"a\\e[0m\\x01\\t\\\"\\\\\\x7F\"", "t: \"***\""},
        {"bbbb1\nxy\ncccc2", "xy bbbb1 cccc2", "xy *** ***"},
        {"bbbb1\r\ncccc2\r\n", "bbbb1, cccc2", "***, ***"},
        {"\xc3\xa9\xc3\xa9\nlong", "\xc3\xa9\xc3\xa9 long", "\xc3\xa9\xc3\xa9 ***"},
        {"ok", "b2s= ok", "*** ***"},
        {"", "nothing", "nothing"},
        {"", "get https://u:p@h/x@y: 403", "get https://h/x@y: 403"},
        {"https://u:p@h/x", "get https://u:p@h/x", "get ***"},
        {"p/w", "get https://u:p/w@h/x", "get https://h/x"},
        {"", "no folder k/https:/u:p@h/x, no k/http:/h/u@x",
         "no folder k/https:/h/x, no k/http:/h/u@x"},
        {"", "a:/b@c in git:/me:p@h", "a:/b@c in git:/h"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf out = {0};

        secret_add(str_of(rows[i].secret));
        CHECK(secret_any() == (rows[i].secret[0] != '\0'));
        secret_mask(str_of(rows[i].in), &out);
        CHECK_STR(buf_view(&out), str_of(rows[i].want), rows[i].secret);
        secret_forget_all();
    }
}

TEST(secret_list_keeps_order_and_drops_repeats)
{
    AUTO(buf_done) struct buf out = {0};

    secret_add(STR("one"));
    secret_add(STR("two"));
    secret_add(STR("one"));
    secret_list(&out);
    CHECK_STR(buf_view(&out), STR("one\0two"), "list");
    secret_forget_all();
}

static void *log_and_add(void *ctx)
{
    for (int i = 0; i < 50; i++) {
        AUTO(buf_done) struct buf secret = {0};

        buf_addf(&secret, "secret-%c-%d", *(const char *)ctx, i);
        secret_add(buf_view(&secret));
        log_info("now", LOG_STR("value", buf_view(&secret)));
    }
    return NULL;
}

TEST(log_lines_of_many_threads_are_whole_and_masked)
{
    AUTO(buf_done) struct buf out = {0};
    static const char names[] = "abcd";
    pthread_t threads[4];
    str rest, line;
    int lines = 0;

    logs_to(&out, LOG_TEXT);
    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        CHECK_INT(pthread_create(&threads[i], NULL, log_and_add, (void *)&names[i]), 0, "create");
    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        pthread_join(threads[i], NULL);
    for (rest = buf_view(&out); str_next_line(&rest, &line); lines++)
        CHECK_STR(line, STR("time=2026-01-02T03:04:05.067Z level=INFO msg=\"now\" value=***"),
                  "a line");
    CHECK_INT(lines, 200, "lines");
    logs_reset();
}
