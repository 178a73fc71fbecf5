#include "base/buf.h"
#include "conformance/suite.h"
#include "doc/emit.h"
#include "doc/parse.h"

static bool decode_base64(str text, struct buf *out)
{
    uint32_t bits = 0, count = 0;

    for (size_t i = 0; i < text.len && text.p[i] != '='; i++) {
        static const char digits[] =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        const char *at = memchr(digits, text.p[i], sizeof(digits) - 1);

        if (!at)
            return false;
        bits = bits << 6 | (uint32_t)(at - digits);
        if ((count += 6) >= 8) {
            count -= 8;
            buf_add_char(out, (char)(bits >> count));
        }
    }
    return true;
}

/* What is accepted must also print and read back as the same value. */
static bool round_trips(const struct doc_node *n)
{
    AUTO(buf_done) struct buf text = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *again;

    doc_emit_json(n, 0, &text);
    again = doc_parse_json_view(set, buf_view(&text), "again", &e);
    return again && doc_equal(n, again);
}

static void judge(struct suite *s, const struct doc_node *c)
{
    AUTO(buf_done) struct buf text = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    str expect = doc_text(doc_get_lit(c, "expect"), STR_NONE);
    struct doc_node *n;

    if (!decode_base64(doc_text(doc_get_lit(c, "base64"), STR_NONE), &text)) {
        suite_end(s, false, "the case is not base64");
        return;
    }
    n = doc_parse_json_flags(set, buf_view(&text), DOC_LAST_WINS, "input", &e);
    if (!n && str_eq(expect, STR("accept")))
        suite_end(s, false, "refused: %s", err_text(&e));
    else if (n && str_eq(expect, STR("refuse")))
        suite_end(s, false, "accepted");
    else if (n && !round_trips(n))
        suite_end(s, false, "does not print as what it was");
    else
        suite_end(s, n || e.diags, "refused without a diagnostic");
}

SUITE(json)
{
    struct doc_iter it = doc_children(suite_json(s, "parsing.json"));

    while (doc_next(&it))
        if (suite_begin(s, doc_text(doc_get_lit(it.value, "name"), STR("?"))))
            judge(s, it.value);
}
