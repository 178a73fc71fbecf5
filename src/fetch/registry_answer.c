/* What the answers of registries say: in words, and whether to ask again. */
#include "doc/parse.h"
#include "fetch/registry_priv.h"
#include "sys/random.h"

enum { LONGEST_WAIT_MS = 60000 };

/* Words of a server for people: one line, not long. */
static void add_words(str text, bool is_code, struct buf *out)
{
    for (size_t i = 0; i < text.len && i < 300; i++) {
        char c = text.p[i];

        if (is_code && c >= 'A' && c <= 'Z')
            c = (char)(c | 0x20);
        buf_add_char(out, (unsigned char)c < ' ' || c == 0x7f || (is_code && c == '_') ? ' ' : c);
    }
}

void registry_describe(const struct http_response *response, struct buf *out)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(err_done) struct err ignored = {0};
    struct doc_node *root =
        doc_parse_json_flags(set, buf_view(&response->body), DOC_LAST_WINS, "answer", &ignored);
    struct doc_node *first = doc_item(doc_get_lit(root, "errors"), 0);
    str code = doc_string(doc_get_lit(first, "code"), STR_NONE);
    str message = doc_string(doc_get_lit(first, "message"), STR_NONE);

    buf_addf(out, "response status code %d", response->status);
    if (!code.len && !message.len)
        return;
    buf_add_cstr(out, ": ");
    add_words(code, true, out);
    if (message.len) {
        buf_add_cstr(out, ": ");
        add_words(message, false, out);
    }
}

bool registry_is_passing(const struct http_response *response, const struct err *e)
{
    if (!response)
        return e->kind == ERR_UNAVAILABLE;
    return response->status == 408 || response->status == 429 ||
           (response->status >= 500 && response->status != 501);
}

int64_t registry_wait_ms(const struct registry *r, const struct http_response *response,
                         int attempt)
{
    int64_t ms = r->first_wait_ms << MIN(attempt, 8), seconds;

    if (str_to_int64(http_response_header(response, "retry-after"), &seconds) && seconds > 0)
        return MIN(seconds * 1000, (int64_t)LONGEST_WAIT_MS);
    return ms + (int64_t)random_below((uint64_t)ms / 4 + 1);
}
