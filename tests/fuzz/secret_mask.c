/* Up to four secrets, each behind a byte that gives its length, then a text: no registered value is
 * left in the masked text, and a text that holds none comes back as it was. */
#include "base/log.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool take(str *s, str *ret)
{
    size_t len = s->len ? (unsigned char)s->p[0] % 32u : 0;

    if (len == 0 || len >= s->len)
        return false;
    *ret = str_sub(*s, 1, len);
    *s = str_from(*s, 1 + len);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(buf_done) struct buf out = {0}, again = {0};
    str in = {(const char *)data, size}, secrets[4];
    bool hit = false;
    size_t count = 0;

    while (count < ARRAY_LEN(secrets) && take(&in, &secrets[count])) {
        secret_add(secrets[count]);
        if (count % 2 == 0) /* complete the automaton between additions */
            secret_mask(in, &again);
        count++;
    }
    secret_mask(in, &out);
    if (str_contains(in, STR("://"))) { /* credentials went too, what is left moved together */
        secret_forget_all();
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        hit |= str_contains(in, secrets[i]);
        /* a secret with a star of its own can come about from ours */
        assert(str_find_char(secrets[i], '*') >= 0 || !str_contains(buf_view(&out), secrets[i]));
    }
    assert(hit || count > 0 || str_eq(in, buf_view(&out)));
    assert(!hit || str_contains(buf_view(&out), STR("***")));
    secret_forget_all();
    return 0;
}
