/* Input: a URL, or any text. What is taken apart joins to the same text, decoding undoes encoding,
 * and no userinfo survives. */
#include "http/url.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_parts(str text)
{
    AUTO(err_done) struct err e = {0};
    struct http_url u;
    size_t sum;

    if (http_url_parse(text, &u, &e) < 0) {
        assert(e.text && e.text[0]);
        return;
    }
    assert(u.scheme.len && u.host.len);
    sum = u.scheme.len + 3 + u.userinfo.len + u.host.len + u.port.len + u.path.len + u.query.len +
          u.fragment.len;
    assert(sum <= text.len && text.len - sum <= 6); /* "@", "[", "]", ":", "?", "#" */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(buf_done) struct buf encoded = {0}, decoded = {0}, shown = {0}, again = {0};
    str text = {(const char *)data, size};

    check_parts(text);
    http_url_encode(text, "/", &encoded);
    assert(http_url_decode(buf_view(&encoded), &decoded));
    assert(str_eq(buf_view(&decoded), text));
    http_url_redact(text, &shown);
    http_url_redact(buf_view(&shown), &again);
    assert(shown.len <= text.len && str_eq(buf_view(&again), buf_view(&shown)));
    buf_clear(&decoded);
    http_url_decode(text, &decoded);
    return 0;
}
