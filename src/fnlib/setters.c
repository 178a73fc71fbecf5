#include "fnlib/setters.h"

#include <string.h>

const char *fnlib_setter_pattern(gfn_node n)
{
    static const char lead[] = "kpt-set:";
    const char *comment = gfn_line_comment(n);

    if (!comment || strncmp(comment, lead, sizeof(lead) - 1) != 0)
        return NULL;
    comment += sizeof(lead) - 1;
    return comment + strspn(comment, " \t");
}

bool fnlib_pattern_read(gfn_ctx *ctx, const char *text, fnlib_pattern *ret)
{
    size_t len = strlen(text);

    while (len && (text[len - 1] == ' ' || text[len - 1] == '\t'))
        len--;
    *ret = (fnlib_pattern){0};
    for (const char *end = text + len;;) {
        const char *open = strstr(text, "${"), *close = open ? strchr(open, '}') : NULL;

        if (!close || close >= end) {
            ret->before[ret->count] = gfn_printf(ctx, "%.*s", (int)(end - text), text);
            return ret->count > 0;
        }
        if (ret->count == FNLIB_MAX_PARTS)
            return false;
        ret->before[ret->count] = gfn_printf(ctx, "%.*s", (int)(open - text), text);
        ret->names[ret->count++] = gfn_printf(ctx, "%.*s", (int)(close - open - 2), open + 2);
        text = close + 1;
    }
}

/* The last place of a text inside value[from..to). */
static const char *find_last(const char *from, const char *to, const char *text)
{
    size_t len = strlen(text);

    if ((size_t)(to - from) < len)
        return NULL;
    for (const char *at = to - len;; at--) {
        if (memcmp(at, text, len) == 0)
            return at;
        if (at == from)
            return NULL;
    }
}

/* From the right, each text between two parts stands as far right as it can: that gives the parts
 * before it all they can have. */
void fnlib_pattern_match(gfn_ctx *ctx, fnlib_pattern *p, const char *value)
{
    const char *from = value, *to = value + strlen(value), *starts[FNLIB_MAX_PARTS + 1];
    const char *ends[FNLIB_MAX_PARTS];
    const char *last = p->before[p->count];

    for (size_t i = 0; i < p->count; i++)
        p->values[i] = NULL;
    if (strncmp(value, p->before[0], strlen(p->before[0])) != 0)
        return;
    from += strlen(p->before[0]);
    if ((size_t)(to - from) < strlen(last) || strcmp(to - strlen(last), last) != 0)
        return;
    to -= strlen(last);
    for (size_t i = p->count; i-- > 0;) {
        const char *between = i ? find_last(from, to, p->before[i]) : from;

        if (!between)
            return;
        starts[i] = i ? between + strlen(p->before[i]) : from;
        ends[i] = to;
        to = between;
    }
    for (size_t i = 0; i < p->count; i++)
        if (ends[i] > starts[i])
            p->values[i] = gfn_printf(ctx, "%.*s", (int)(ends[i] - starts[i]), starts[i]);
}

bool fnlib_pattern_is_whole(const fnlib_pattern *p)
{
    return p->count == 1 && !*p->before[0] && !*p->before[1];
}

gfn_node fnlib_setter_list(gfn_ctx *ctx, const char *value)
{
    const char *at = value + strspn(value, " \t\n");
    gfn_node list = *at == '[' || *at == '-' ? gfn_parse(ctx, value) : gfn_nothing(ctx);

    return gfn_is_list(list) ? list : gfn_nothing(ctx);
}
