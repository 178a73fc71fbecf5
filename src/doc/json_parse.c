#include "doc/parse.h"

#include "base/mem.h"
#include "doc/scan_priv.h"

enum { MAX_DEPTH = 10000, FIRST_DEPTH = 32 };

struct frame {
    struct doc_node *node;
    uint64_t seen; /* a bit for each hash of a key so far: a key whose bit is clear is new */
};

struct reader {
    struct doc_set *set;
    const char *begin, *p, *end;
    uint32_t source;
    unsigned flags; /* of enum doc_parse_flags: DOC_BORROW, DOC_LAST_WINS */
    struct frame *stack;
    size_t depth, cap;
    struct doc_node *root;
    const char *bad; /* place of the first mistake */
    const char *why;
    str what; /* quoted behind why, may be empty */
    struct frame first[FIRST_DEPTH];
};

static bool fail(struct reader *r, const char *at, const char *why)
{
    r->bad = at;
    r->why = why;
    return false;
}

static inline void skip_blanks(struct reader *r)
{
    while (r->p < r->end && (*r->p == ' ' || *r->p == '\n' || *r->p == '\r' || *r->p == '\t'))
        r->p++;
}

/* ---- strings */

static int hex4(const char *p)
{
    int value = 0;

    for (int i = 0; i < 4; i++) {
        char c = p[i];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;

        if (digit < 0)
            return -1;
        value = value << 4 | digit;
    }
    return value;
}

static char *put_utf8(char *to, uint32_t c)
{
    if (c < 0x80) {
        *to++ = (char)c;
    } else if (c < 0x800) {
        *to++ = (char)(0xc0 | c >> 6);
        *to++ = (char)(0x80 | (c & 0x3f));
    } else {
        if (c < 0x10000) {
            *to++ = (char)(0xe0 | c >> 12);
        } else {
            *to++ = (char)(0xf0 | c >> 18);
            *to++ = (char)(0x80 | ((c >> 12) & 0x3f));
        }
        *to++ = (char)(0x80 | ((c >> 6) & 0x3f));
        *to++ = (char)(0x80 | (c & 0x3f));
    }
    return to;
}

/* What stands behind the backslash at p[-1]: appends it and returns what follows, NULL after a
 * mistake. A surrogate without its partner becomes U+FFFD, as API servers read it. */
static const char *unescape(struct reader *r, const char *p, char **to)
{
    static const char plain[128] = {['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
                                    ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t'};
    int unit, low;

    if (p < r->end && (unsigned char)*p < 128 && plain[(unsigned char)*p]) {
        *(*to)++ = plain[(unsigned char)*p];
        return p + 1;
    }
    if (p >= r->end || *p != 'u')
        return fail(r, p - 1, "unknown escape in a string"), NULL;
    if (r->end - p < 5 || (unit = hex4(p + 1)) < 0)
        return fail(r, p - 1, "four hexadecimal digits are expected behind \\u"), NULL;
    p += 5;
    if (unit >= 0xd800 && unit < 0xdc00 && r->end - p >= 6 && p[0] == '\\' && p[1] == 'u' &&
        (low = hex4(p + 2)) >= 0xdc00 && low < 0xe000) {
        *to = put_utf8(*to, 0x10000 + ((uint32_t)(unit - 0xd800) << 10) + (uint32_t)(low - 0xdc00));
        return p + 6;
    }
    *to = put_utf8(*to, unit >= 0xd800 && unit < 0xe000 ? 0xfffd : (uint32_t)unit);
    return p;
}

static bool check_utf8(struct reader *r, const char *from, const char *to)
{
    size_t bad;

    return str_is_utf8(str_range(from, to), &bad) || fail(r, from + bad, "a string is not UTF-8");
}

static bool string_stops(struct reader *r, const char *open, const char *p)
{
    if (p >= r->end)
        return fail(r, open, "this string is not closed");
    return fail(r, p, "a control character in a string must be written as an escape");
}

/* A string with escapes: the text goes to the arena, where it takes no more room than in the
 * source. from is behind the quote, p at the first backslash. */
static bool read_escaped(struct reader *r, const char *from, const char *p, bool high, str *ret)
{
    const char *close = p;
    char *text, *to;

    while (close < r->end && *close != '"')
        close += *close == '\\' ? 2 : 1;
    if (close >= r->end)
        return string_stops(r, from - 1, r->end);
    to = text = arena_alloc(&r->set->arena, (size_t)(close - from) + 1);
    for (;;) {
        memcpy(to, from, (size_t)(p - from));
        to += p - from;
        if (high && !check_utf8(r, from, p))
            return false;
        if (*p == '"')
            break;
        if (*p != '\\')
            return string_stops(r, from - 1, p);
        from = unescape(r, p + 1, &to);
        if (!from)
            return false;
        high = false;
        p = scan_string(from, r->end, &high);
        if (p >= r->end)
            return string_stops(r, from - 1, p);
    }
    *to = '\0';
    *ret = str_range(text, to);
    r->p = p + 1;
    return true;
}

/* r->p is at the opening quote. */
static inline bool read_string(struct reader *r, str *ret)
{
    const char *from = r->p + 1, *p;
    bool high = false;

    p = scan_string(from, r->end, &high);
    if (LIKELY(p < r->end && *p == '"')) {
        if (UNLIKELY(high) && !check_utf8(r, from, p))
            return false;
        *ret = str_range(from, p);
        r->p = p + 1;
        return true;
    }
    if (p < r->end && *p == '\\')
        return read_escaped(r, from, p, high, ret);
    return string_stops(r, from - 1, p);
}

/* ---- values */

static inline bool is_digit(const struct reader *r, const char *p)
{
    return p < r->end && *p >= '0' && *p <= '9';
}

static inline const char *digits(const struct reader *r, const char *p)
{
    while (is_digit(r, p))
        p++;
    return p;
}

static bool read_number(struct reader *r, struct doc_node *n)
{
    const char *from = r->p, *p = from + (*from == '-');

    if (!is_digit(r, p))
        return fail(r, from, "a value is expected here");
    p = *p == '0' ? p + 1 : digits(r, p);
    if (is_digit(r, p))
        return fail(r, from, "a number must not begin with 0");
    n->is_int = 1;
    if (p < r->end && *p == '.') {
        n->is_int = 0;
        if (!is_digit(r, ++p))
            return fail(r, p - 1, "a digit is expected behind the decimal point");
        p = digits(r, p);
    }
    if (p < r->end && (*p | 0x20) == 'e') {
        n->is_int = 0;
        p++;
        if (p < r->end && (*p == '+' || *p == '-'))
            p++;
        if (!is_digit(r, p))
            return fail(r, p - 1, "a digit is expected in the exponent");
        p = digits(r, p);
    }
    n->type = DOC_NUMBER;
    n->text = from;
    n->len = (uint32_t)(p - from);
    r->p = p;
    return true;
}

static bool read_word(struct reader *r, struct doc_node *n)
{
    static const struct {
        str word;
        enum doc_type type;
    } words[] = {
        {STR_INIT("true"), DOC_BOOL}, {STR_INIT("false"), DOC_BOOL}, {STR_INIT("null"), DOC_NULL}};
    str rest = str_range(r->p, r->end);

    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        if (!str_starts(rest, words[i].word))
            continue;
        n->type = words[i].type;
        n->bool_val = i == 0;
        n->text = r->p;
        n->len = (uint32_t)words[i].word.len;
        r->p += words[i].word.len;
        return true;
    }
    return fail(r, r->p, "a value is expected here");
}

static bool push(struct reader *r, struct doc_node *n)
{
    if (r->depth == r->cap) {
        struct frame *old = r->stack;

        if (r->depth >= MAX_DEPTH)
            return fail(r, r->p, "lists and maps are nested more than 10000 deep");
        r->cap = MIN(r->cap * 4, (size_t)MAX_DEPTH);
        r->stack = mem_realloc(old == r->first ? NULL : old, r->cap, sizeof(*old));
        if (old == r->first)
            memcpy(r->stack, r->first, sizeof(r->first));
    }
    r->stack[r->depth++] = (struct frame){n, 0};
    r->p++;
    return true;
}

/* The key may be there already (or only share its bit with another): an error, or its first entry
 * is made empty and takes the new value. */
static bool read_repeated_key(struct reader *r, struct doc_node **n, const char *at)
{
    struct doc_node *before = doc_get(r->stack[r->depth - 1].node, doc_key(*n));

    if (!before)
        return true;
    if (!(r->flags & DOC_LAST_WINS)) {
        r->what = doc_key(*n);
        return fail(r, at, "duplicate key");
    }
    (*n)->next = before->next;
    *before = **n;
    *n = before;
    return true;
}

/* "key": of the map on top, up to the value. *ret becomes the entry of before when the key is
 * repeated. */
static inline bool read_key(struct reader *r, struct doc_node **ret)
{
    struct doc_node *n = *ret;
    struct frame *top = &r->stack[r->depth - 1];
    const char *at;
    uint64_t bit;
    str key = STR_NONE;

    skip_blanks(r);
    if (r->p >= r->end || *r->p != '"')
        return fail(r, r->p, "a key in double quotes is expected here");
    at = r->p;
    if (!read_string(r, &key))
        return false;
    doc_key_set(n, key);
    if (UNLIKELY(key.p != at + 1)) { /* had escapes */
        doc_extra(r->set, n)->key_begin = (uint32_t)(at - r->begin);
        n->extra->key_end = (uint32_t)(r->p - r->begin);
    }
    bit = (uint64_t)1 << (n->key_hash & 63);
    if (UNLIKELY(top->seen & bit) && !read_repeated_key(r, ret, at))
        return false;
    top->seen |= bit;
    skip_blanks(r);
    if (r->p >= r->end || *r->p != ':')
        return fail(r, r->p, "':' is expected behind a key");
    r->p++;
    return true;
}

/* Reads a scalar or opens a list or map; the node hangs in the tree already. */
static inline bool read_value(struct reader *r, struct doc_node *n)
{
    str text = STR_NONE;

    skip_blanks(r);
    if (r->p >= r->end)
        return fail(r, r->p, "the text ends where a value is expected");
    n->begin = (uint32_t)(r->p - r->begin);
    switch (*r->p) {
    case '"':
        if (!read_string(r, &text))
            return false;
        n->type = DOC_STRING;
        n->text = text.p;
        n->len = (uint32_t)text.len;
        break;
    case '{':
    case '[':
        n->type = *r->p == '{' ? DOC_MAP : DOC_LIST;
        return push(r, n);
    case 't':
    case 'f':
    case 'n':
        if (!read_word(r, n))
            return false;
        break;
    default:
        if (!read_number(r, n))
            return false;
    }
    n->end = (uint32_t)(r->p - r->begin);
    return true;
}

/* Behind a value: closes what ends here. True when a further child of the top follows; r->depth is
 * 0 when all is read. */
static inline bool read_separator(struct reader *r, bool first)
{
    for (; r->depth; first = false) {
        struct doc_node *top = r->stack[r->depth - 1].node;
        char close = top->type == DOC_MAP ? '}' : ']';

        skip_blanks(r);
        if (r->p >= r->end)
            return fail(r, r->begin + top->begin,
                        top->type == DOC_MAP ? "this map is not closed"
                                             : "this list is not closed");
        if (*r->p == close) {
            r->p++;
            top->end = (uint32_t)(r->p - r->begin);
            r->depth--;
            continue;
        }
        if (first)
            return true;
        if (*r->p != ',')
            return fail(r, r->p,
                        top->type == DOC_MAP ? "',' or '}' is expected here"
                                             : "',' or ']' is expected here");
        r->p++;
        return true;
    }
    return false;
}

static struct doc_node *node_new(struct reader *r)
{
    struct doc_node *n = arena_alloc(&r->set->arena, sizeof(*n));

    *n = (struct doc_node){.source = r->source};
    return n;
}

static bool read_text(struct reader *r)
{
    size_t depth = 0;

    if (str_starts(str_range(r->begin, r->end), STR("\xef\xbb\xbf")))
        return fail(r, r->begin, "JSON must not begin with a byte-order mark");
    r->root = node_new(r);
    if (!read_value(r, r->root))
        return false;
    while (read_separator(r, r->depth > depth)) {
        struct doc_node *n = node_new(r), *top = r->stack[r->depth - 1].node;

        depth = r->depth;
        if (top->type == DOC_MAP && !read_key(r, &n))
            return false;
        if (!read_value(r, n))
            return false;
        if (LIKELY(!n->next)) /* not a repeated key */
            doc_push(r->set, top, n);
    }
    if (r->bad)
        return false;
    skip_blanks(r);
    return r->p == r->end || fail(r, r->p, "nothing may follow the value");
}

static void report(const struct reader *r, struct err *e)
{
    AUTO(diag_list_done) struct diag_list diags = {0};
    struct doc_place place = doc_place_at(r->set, r->source, (uint32_t)(r->bad - r->begin));
    struct diag *d = diag_errorf(&diags, STR("json.syntax"), place.origin, place.line, place.column,
                                 r->what.p ? "%s \"%.*s\"" : "%s", r->why,
                                 (int)MIN(r->what.len, (size_t)100), r->what.p);

    d->excerpt = arena_dup(&diags.arena, place.excerpt);
    err_diags(e, &diags);
}

struct doc_node *doc_parse_json_flags(struct doc_set *set, str text, unsigned flags,
                                      const char *origin, struct err *e)
{
    struct reader r = {.set = set, .cap = FIRST_DEPTH, .flags = flags};
    bool is_ok;

    if (text.len >= UINT32_MAX) {
        err_set(e, ERR_INVALID, "%s: the text is larger than 4 GiB", origin);
        return NULL;
    }
    if (!text.p)
        text = STR("");
    r.source = doc_set_add_source(set, text, str_of(origin), !(flags & DOC_BORROW));
    text = set->sources[r.source].text;
    r.begin = r.p = text.p;
    r.end = text.p + text.len;
    r.stack = r.first;
    is_ok = read_text(&r);
    if (r.stack != r.first)
        mem_free(r.stack);
    if (is_ok)
        return r.root;
    report(&r, e);
    set->source_count--; /* nobody refers to it */
    return NULL;
}

struct doc_node *doc_parse_json(struct doc_set *set, str text, const char *origin, struct err *e)
{
    return doc_parse_json_flags(set, text, 0, origin, e);
}

struct doc_node *doc_parse_json_view(struct doc_set *set, str text, const char *origin,
                                     struct err *e)
{
    return doc_parse_json_flags(set, text, DOC_BORROW, origin, e);
}
