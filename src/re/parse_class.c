#include "re/parse_priv.h"

struct named_class {
    char name[8];
    struct re_range v[4];
    size_t count;
};

static const struct named_class perl_classes[] = {
    {"d", {{'0', '9'}}, 1},
    {"s", {{'\t', '\n'}, {'\f', '\r'}, {' ', ' '}}, 3},
    {"w", {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}, 4},
};
static const struct named_class posix_classes[] = {
    {"alnum", {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}, 3},
    {"alpha", {{'A', 'Z'}, {'a', 'z'}}, 2},
    {"ascii", {{0, 0x7f}}, 1},
    {"blank", {{'\t', '\t'}, {' ', ' '}}, 2},
    {"cntrl", {{0, 0x1f}, {0x7f, 0x7f}}, 2},
    {"digit", {{'0', '9'}}, 1},
    {"graph", {{'!', '~'}}, 1},
    {"lower", {{'a', 'z'}}, 1},
    {"print", {{' ', '~'}}, 1},
    {"punct", {{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}, 4},
    {"space", {{'\t', '\r'}, {' ', ' '}}, 2},
    {"upper", {{'A', 'Z'}}, 1},
    {"word", {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}, 4},
    {"xdigit", {{'0', '9'}, {'A', 'F'}, {'a', 'f'}}, 3},
};

static const struct named_class *find_class(const struct named_class *classes, size_t count,
                                            str name)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq(str_of(classes[i].name), name))
            return &classes[i];
    return NULL;
}

/* Case does not count before negation: (?i)\PL is what is no letter in any case. */
static void add_ranges(struct re_parser *p, struct re_set *set, const struct re_range *ranges,
                       size_t count, bool is_negated)
{
    AUTO(re_set_done) struct re_set own = {0};

    for (size_t i = 0; i < count; i++) {
        if (p->flags & RE_NOCASE)
            re_set_add_fold(&own, ranges[i].lo, ranges[i].hi);
        else
            re_set_add(&own, ranges[i].lo, ranges[i].hi);
    }
    re_set_normalize(&own);
    if (is_negated)
        re_set_negate(&own);
    for (size_t i = 0; i < own.len; i++)
        re_set_add(set, own.v[i].lo, own.v[i].hi);
}

/* \pN, \p{Greek}, \PN, \p{^Greek}; pos is at the backslash. */
static int parse_unicode(struct re_parser *p, struct re_set *set)
{
    size_t begin = p->pos, count;
    bool is_negated = p->in.p[p->pos + 1] == 'P';
    const struct re_range *ranges;
    str name;

    p->pos += 2;
    if (p->pos == p->in.len)
        return re_parse_fail(p, "invalid character class range", begin, p->pos);
    if (p->in.p[p->pos] == '{') {
        ssize_t close = str_find_char(str_from(p->in, p->pos), '}');

        if (close < 0)
            return re_parse_fail(p, "invalid character class range", begin, p->in.len);
        name = str_sub(p->in, p->pos + 1, (size_t)close - 1);
        p->pos += (size_t)close + 1;
    } else {
        size_t at = p->pos;

        re_parse_next(p);
        name = str_sub(p->in, at, p->pos - at);
    }
    if (str_drop_prefix(&name, STR("^")))
        is_negated = !is_negated;
    if (!re_unicode_class(name, &ranges, &count))
        return re_parse_fail(p, "invalid character class range", begin, p->pos);
    add_ranges(p, set, ranges, count, is_negated);
    return 1;
}

int re_parse_escaped_class(struct re_parser *p, struct re_set *set)
{
    const struct named_class *c;
    char letter, lower;

    if (p->pos + 1 >= p->in.len || p->in.p[p->pos] != '\\')
        return 0;
    letter = p->in.p[p->pos + 1];
    if (letter == 'p' || letter == 'P')
        return parse_unicode(p, set);
    lower = (char)(letter | 0x20);
    c = find_class(perl_classes, ARRAY_LEN(perl_classes), (str){&lower, 1});
    if (!c || (letter != lower && (letter < 'A' || letter > 'Z')))
        return 0;
    p->pos += 2;
    add_ranges(p, set, c->v, c->count, letter != lower);
    return 1;
}

/* [:name:] or [:^name:]: 0 when none stands at pos. */
static int parse_posix(struct re_parser *p, struct re_set *set)
{
    const struct named_class *c;
    bool is_negated;
    ssize_t close;
    str name;

    if (!re_parse_at(p, "[:"))
        return 0;
    close = str_find(str_from(p->in, p->pos + 2), STR(":]"));
    if (close < 0)
        return 0;
    name = str_sub(p->in, p->pos + 2, (size_t)close);
    is_negated = str_drop_prefix(&name, STR("^"));
    c = find_class(posix_classes, ARRAY_LEN(posix_classes), name);
    if (!c)
        return re_parse_fail(p, "invalid character class range", p->pos,
                             p->pos + (size_t)close + 4);
    p->pos += (size_t)close + 4;
    add_ranges(p, set, c->v, c->count, is_negated);
    return 1;
}

/* The value of the digit at pos, which moves on over whatever stands there; -1 for another
 * character or none. */
static int next_hex(struct re_parser *p)
{
    uint32_t c = p->pos < p->in.len ? re_parse_next(p) : 0;

    return c >= '0' && c <= '9'                 ? (int)c - '0'
           : (c | 32) >= 'a' && (c | 32) <= 'f' ? (int)(c | 32) - 'a' + 10
                                                : -1;
}

/* What follows \x{. */
static bool parse_hex_braces(struct re_parser *p, uint32_t *ret)
{
    int count = 0;

    for (*ret = 0; *ret <= RE_MAX_RUNE; count++) {
        int digit;

        if (count && re_parse_at(p, "}")) {
            p->pos++;
            return true;
        }
        digit = next_hex(p);
        if (digit < 0)
            return false;
        *ret = *ret * 16 + (uint32_t)digit;
    }
    return false;
}

/* What follows \x. */
static bool parse_hex(struct re_parser *p, uint32_t *ret)
{
    int high, low;

    if (re_parse_at(p, "{")) {
        p->pos++;
        return parse_hex_braces(p, ret);
    }
    high = next_hex(p);
    low = next_hex(p);
    *ret = (uint32_t)(high * 16 + low);
    return high >= 0 && low >= 0;
}

/* \0, \12, \123; a single digit but 0 would be a reference back, which there is not. */
static bool parse_octal(struct re_parser *p, uint32_t first, uint32_t *ret)
{
    uint32_t value = first;
    int more = 0;

    while (more < 2 && p->pos < p->in.len && p->in.p[p->pos] >= '0' && p->in.p[p->pos] <= '7') {
        value = value * 8 + (uint32_t)(p->in.p[p->pos++] - '0');
        more++;
    }
    *ret = value;
    return first == 0 || more > 0;
}

int re_parse_escape(struct re_parser *p, uint32_t *ret)
{
    static const char simple[] = "a\af\fn\nr\rt\tv\v";
    size_t begin = p->pos++;
    uint32_t c;
    bool is_fine;

    if (p->pos == p->in.len)
        return re_parse_fail(p, "trailing backslash at end of expression", p->in.len, p->in.len);
    c = re_parse_next(p);
    *ret = c;
    for (size_t i = 0; i + 1 < sizeof(simple); i += 2) {
        if ((uint32_t)simple[i] == c) {
            *ret = (uint32_t)simple[i + 1];
            return 0;
        }
    }
    if (c == 'x')
        is_fine = parse_hex(p, ret);
    else if (c >= '0' && c <= '7')
        is_fine = parse_octal(p, c - '0', ret);
    else
        is_fine = c < 0x80 && (!re_is_word((int)c) || c == '_');
    return is_fine ? 0 : re_parse_fail(p, "invalid escape sequence", begin, p->pos);
}

static int parse_class_char(struct re_parser *p, size_t begin, uint32_t *ret)
{
    if (p->pos == p->in.len)
        return re_parse_fail(p, "missing closing ]", begin, p->in.len);
    if (p->in.p[p->pos] == '\\')
        return re_parse_escape(p, ret);
    *ret = re_parse_next(p);
    return 0;
}

/* A character, or two with '-' between them. */
static int parse_range(struct re_parser *p, size_t begin, struct re_set *set)
{
    size_t at = p->pos;
    uint32_t lo = 0, hi;

    if (parse_class_char(p, begin, &lo) < 0)
        return -1;
    hi = lo;
    if (re_parse_at(p, "-") && p->pos + 1 < p->in.len && p->in.p[p->pos + 1] != ']') {
        p->pos++;
        if (parse_class_char(p, begin, &hi) < 0)
            return -1;
        if (hi < lo)
            return re_parse_fail(p, "invalid character class range", at, p->pos);
    }
    if (p->flags & RE_NOCASE)
        re_set_add_fold(set, lo, hi);
    else
        re_set_add(set, lo, hi);
    return 0;
}

int re_parse_bracket(struct re_parser *p, struct re_set *set)
{
    size_t begin = p->pos++;
    bool is_negated = re_parse_at(p, "^"), is_first = true;

    p->pos += is_negated;
    for (; is_first || !re_parse_at(p, "]"); is_first = false) {
        int rc = parse_posix(p, set);

        if (rc == 0)
            rc = re_parse_escaped_class(p, set);
        if (rc == 0)
            rc = parse_range(p, begin, set);
        if (rc < 0)
            return -1;
    }
    p->pos++;
    re_set_normalize(set);
    if (is_negated)
        re_set_negate(set);
    return 0;
}
