#include "expr/semver/semver.h"

#include "base/ascii.h"

enum { MAX_VERSION = 256 }; /* bytes; nobody writes longer ones by hand */

static bool is_ident(char c) { return ascii_is_alnum(c) || c == '-'; }

static bool is_number(str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!ascii_is_digit(s.p[i]))
            return false;
    return s.len > 0;
}

/* Identifiers divided by dots, none of them empty. */
static bool is_dotted(str text, bool numbers_may_start_zero)
{
    str rest = text;

    while (rest.p) {
        str part = str_cut(rest, '.', &rest);

        if (!part.len)
            return false;
        for (size_t i = 0; i < part.len; i++)
            if (!is_ident(part.p[i]))
                return false;
        if (!numbers_may_start_zero && part.len > 1 && part.p[0] == '0' && is_number(part))
            return false;
    }
    return true;
}

bool semver_is_pre(str text) { return !text.len || is_dotted(text, false); }
bool semver_is_meta(str text) { return !text.len || is_dotted(text, true); }

static int read_part(str part, enum semver_rules rules, uint64_t *ret, struct err *e)
{
    if (!is_number(part))
        return err_set(e, ERR_INVALID, "invalid semantic version");
    if (rules == SEMVER_STRICT && part.len > 1 && part.p[0] == '0')
        return err_set(e, ERR_INVALID, "version segment starts with 0");
    if (!str_to_uint64(part, ret))
        return err_set(e, ERR_INVALID,
                       "error parsing version segment: strconv.ParseUint: parsing \"%.*s\": value "
                       "out of range",
                       STR_ARG(part));
    return 0;
}

/* What stands before '-' and '+'. */
static int read_numbers(str core, enum semver_rules rules, struct semver *ret, struct err *e)
{
    uint64_t *const parts[] = {&ret->major, &ret->minor, &ret->patch};
    size_t count = 0;
    str rest = core;

    if (rules == SEMVER_LENIENT)
        str_drop_prefix(&rest, STR("v"));
    if (!rest.p)
        return err_set(e, ERR_INVALID, "invalid semantic version");
    while (rest.p) {
        str part = str_cut(rest, '.', &rest);

        if (count == ARRAY_LEN(parts))
            return err_set(e, ERR_INVALID, "invalid semantic version");
        if (read_part(part, rules, parts[count++], e) < 0)
            return -1;
    }
    if (rules == SEMVER_STRICT && count < ARRAY_LEN(parts))
        return err_set(e, ERR_INVALID, "invalid semantic version");
    return 0;
}

int semver_parse(str text, enum semver_rules rules, struct semver *ret, struct err *e)
{
    str core, pre = STR_NONE, meta = STR_NONE;

    *ret = (struct semver){.original = text};
    if (!text.len)
        return err_set(e, ERR_INVALID,
                       rules == SEMVER_STRICT ? "version string empty"
                                              : "invalid semantic version");
    if (text.len > MAX_VERSION)
        return err_set(e, ERR_INVALID, "version string is too long");
    core = str_cut(text, '+', &meta);
    core = str_cut(core, '-', &pre);
    if ((pre.p && !pre.len) || (meta.p && !meta.len) || (meta.p && !is_dotted(meta, true)) ||
        (pre.p && !is_dotted(pre, true)))
        return err_set(e, ERR_INVALID, "invalid semantic version");
    if (read_numbers(core, rules, ret, e) < 0)
        return -1;
    if (!semver_is_pre(pre))
        return err_set(e, ERR_INVALID, "version segment starts with 0");
    ret->pre = pre;
    ret->meta = meta;
    return 0;
}

static int compare_numbers(str a, str b)
{
    return a.len != b.len ? (a.len < b.len ? -1 : 1) : str_cmp(a, b);
}

static int compare_identifiers(str a, str b)
{
    bool is_a = is_number(a), is_b = is_number(b);

    if (is_a && is_b)
        return compare_numbers(a, b);
    if (is_a != is_b)
        return is_a ? -1 : 1;
    return str_cmp(a, b);
}

static int compare_pre(str a, str b)
{
    if (!a.len || !b.len) /* none is above any */
        return a.len ? -1 : b.len ? 1 : 0;
    while (a.p && b.p) {
        int order = compare_identifiers(str_cut(a, '.', &a), str_cut(b, '.', &b));

        if (order)
            return order < 0 ? -1 : 1;
    }
    return a.p ? 1 : b.p ? -1 : 0;
}

int semver_compare(const struct semver *a, const struct semver *b)
{
    if (a->major != b->major)
        return a->major < b->major ? -1 : 1;
    if (a->minor != b->minor)
        return a->minor < b->minor ? -1 : 1;
    if (a->patch != b->patch)
        return a->patch < b->patch ? -1 : 1;
    return compare_pre(a->pre, b->pre);
}

void semver_print(const struct semver *v, struct buf *out)
{
    buf_addf(out, "%ju.%ju.%ju", (uintmax_t)v->major, (uintmax_t)v->minor, (uintmax_t)v->patch);
    if (v->pre.len)
        buf_addf(out, "-%.*s", STR_ARG(v->pre));
    if (v->meta.len)
        buf_addf(out, "+%.*s", STR_ARG(v->meta));
}
