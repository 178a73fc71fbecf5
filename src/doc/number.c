#include <math.h>

#include "base/ascii.h"
#include "base/num.h"
#include "doc/number_priv.h"

static const char *skip_digits(const char *p, const char *end)
{
    while (p < end && ascii_is_digit(*p))
        p++;
    return p;
}

bool number_is_json(str s)
{
    const char *p = s.p, *end = s.p + s.len;

    if (p < end && *p == '-')
        p++;
    if (p == end || !ascii_is_digit(*p) || (*p == '0' && p + 1 < end && ascii_is_digit(p[1])))
        return false;
    p = skip_digits(p, end);
    if (p < end && *p == '.') {
        if (++p == end || !ascii_is_digit(*p))
            return false;
        p = skip_digits(p, end);
    }
    if (p < end && (*p | 0x20) == 'e') {
        p++;
        if (p < end && (*p == '+' || *p == '-'))
            p++;
        if (p == end || !ascii_is_digit(*p))
            return false;
        p = skip_digits(p, end);
    }
    return p == end;
}

/* The value as a 64-bit integer, when the node is written as one. */
static bool add_exact(struct buf *out, const struct doc_node *n)
{
    int64_t i;
    uint64_t u;

    if (doc_to_int64(n, &i))
        buf_addf(out, "%lld", (long long)i);
    else if (doc_to_uint64(n, &u))
        buf_addf(out, "%llu", (unsigned long long)u);
    else
        return false;
    return true;
}

bool number_add_json(struct buf *out, const struct doc_node *n)
{
    double value;

    if (add_exact(out, n))
        return true;
    if (!doc_to_double(n, &value) || !isfinite(value))
        return false;
    num_add_double(out, value, NUM_JSON);
    return true;
}

/* As sigs.k8s.io/yaml writes a float that came as JSON: what JSON writes without a fraction or an
 * exponent is an integer if it fits 64 bits. Digits beyond a double's are zeros then. */
static bool add_whole(struct buf *out, double value)
{
    AUTO(buf_done) struct buf json = {0};
    int64_t i;
    uint64_t u;

    num_add_double(&json, value, NUM_JSON);
    if (str_to_int64(buf_view(&json), &i))
        buf_addf(out, "%lld", (long long)i);
    else if (str_to_uint64(buf_view(&json), &u))
        buf_addf(out, "%llu", (unsigned long long)u);
    else
        return false;
    return true;
}

void number_add_yaml(struct buf *out, const struct doc_node *n)
{
    double value;

    if (add_exact(out, n))
        return;
    if (!doc_to_double(n, &value))
        buf_add(out, n->text, n->len);
    else if (!isfinite(value))
        buf_add_cstr(out, isnan(value) ? ".nan" : value < 0 ? "-.inf" : ".inf");
    else if (!add_whole(out, value))
        num_add_double(out, value, NUM_G);
}
