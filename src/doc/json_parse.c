#include "doc/parse.h"

#include "base/hash.h"
#include "base/mem.h"
#include "doc/scan_priv.h"

/* Whatever reads gets the place where it begins and returns the place behind it, NULL after a
 * mistake: the place stays in a register. */

enum { MAX_DEPTH = 10000, FIRST_DEPTH = 32 };

struct frame {
    struct doc_node *node;
    uint64_t seen; /* a bit for each hash of a key so far: a key whose bit is clear is new */
};

struct reader {
    struct doc_set *set;
    const char *begin, *end;
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

static __attribute__((cold, noinline)) const char *fail(struct reader *r, const char *at,
                                                        const char *why)
{
    r->bad = at;
    r->why = why;
    return NULL;
}

static inline const char *skip_blanks(const char *p, const char *end)
{
    while (UNLIKELY(p < end && (unsigned char)*p <= ' ') &&
           (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t'))
        p++;
    return p;
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
        return fail(r, p - 1, "unknown escape in a string");
    if (r->end - p < 5 || (unit = hex4(p + 1)) < 0)
        return fail(r, p - 1, "four hexadecimal digits are expected behind \\u");
    p += 5;
    if (unit >= 0xd800 && unit < 0xdc00 && r->end - p >= 6 && p[0] == '\\' && p[1] == 'u' &&
        (low = hex4(p + 2)) >= 0xdc00 && low < 0xe000) {
        *to = put_utf8(*to, 0x10000 + ((uint32_t)(unit - 0xd800) << 10) + (uint32_t)(low - 0xdc00));
        return p + 6;
    }
    *to = put_utf8(*to, unit >= 0xd800 && unit < 0xe000 ? 0xfffd : (uint32_t)unit);
    return p;
}

static bool is_utf8(struct reader *r, const char *from, const char *to)
{
    size_t bad;

    return str_is_utf8(str_range(from, to), &bad) || fail(r, from + bad, "a string is not UTF-8");
}

static const char *string_stops(struct reader *r, const char *open, const char *p)
{
    if (p >= r->end)
        return fail(r, open, "this string is not closed");
    return fail(r, p, "a control character in a string must be written as an escape");
}

/* A string with escapes: the text goes to the arena, where it takes no more room than in the
 * source. from is behind the quote, p at the first backslash. */
static __attribute__((noinline)) const char *read_escaped(struct reader *r, const char *from,
                                                          const char *p, bool high, str *ret)
{
    const char *close = p;
    bool any = false;
    char *text, *to;

    while ((close = scan_string(close, r->end, &any)) < r->end && *close != '"')
        close += *close == '\\' ? 2 : 1;
    if (close >= r->end)
        return string_stops(r, from - 1, r->end);
    to = text = arena_alloc(&r->set->arena, (size_t)(close - from) + 1);
    for (;;) {
        memcpy(to, from, (size_t)(p - from));
        to += p - from;
        if (high && !is_utf8(r, from, p))
            return NULL;
        if (*p == '"')
            break;
        if (*p != '\\')
            return string_stops(r, from - 1, p);
        from = unescape(r, p + 1, &to);
        if (!from)
            return NULL;
        high = false;
        p = scan_string(from, r->end, &high);
        if (p >= r->end)
            return string_stops(r, from - 1, p);
    }
    *to = '\0';
    *ret = str_range(text, to);
    return p + 1;
}

/* from is behind the opening quote. */
static inline __attribute__((always_inline)) const char *read_string(struct reader *r,
                                                                     const char *from, str *ret)
{
    bool high = false;
    const char *p = scan_string(from, r->end, &high);

    if (LIKELY(p < r->end && *p == '"')) {
        if (UNLIKELY(high) && !is_utf8(r, from, p))
            return NULL;
        *ret = str_range(from, p);
        return p + 1;
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

static const char *read_number(struct reader *r, const char *from, struct doc_node *n)
{
    const char *p = from + (*from == '-');

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
    return p;
}

static const char *read_word(struct reader *r, const char *p, struct doc_node *n)
{
    size_t left = (size_t)(r->end - p);

    n->text = p;
    if (left >= 4 && memcmp(p, "true", 4) == 0) {
        n->type = DOC_BOOL;
        n->bool_val = true;
        n->len = 4;
    } else if (left >= 5 && memcmp(p, "false", 5) == 0) {
        n->type = DOC_BOOL;
        n->len = 5;
    } else if (left >= 4 && memcmp(p, "null", 4) == 0) {
        n->type = DOC_NULL;
        n->len = 4;
    } else {
        return fail(r, p, "a value is expected here");
    }
    return p + n->len;
}

/* Makes room for a frame; p is where the list or map begins. */
static __attribute__((cold, noinline)) bool grow_stack(struct reader *r, const char *p)
{
    struct frame *old = r->stack;

    if (r->depth >= MAX_DEPTH)
        return fail(r, p, "lists and maps are nested more than 10000 deep");
    r->cap = MIN(r->cap * 4, (size_t)MAX_DEPTH);
    r->stack = mem_realloc(old == r->first ? NULL : old, r->cap, sizeof(*old));
    if (old == r->first)
        memcpy(r->stack, r->first, sizeof(r->first));
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

static __attribute__((noinline)) void keep_key_place(struct reader *r, struct doc_node *n,
                                                     const char *at, const char *end)
{
    struct doc_extra *extra = doc_extra(r->set, n);

    extra->key_begin = (uint32_t)(at - r->begin);
    extra->key_end = (uint32_t)(end - r->begin);
}

/* "key": of the map on top, up to the value. *ret becomes the entry of before when the key is
 * repeated. */
static inline const char *read_key(struct reader *r, const char *p, struct doc_node **ret)
{
    struct doc_node *n = *ret;
    struct frame *top = &r->stack[r->depth - 1];
    const char *at = skip_blanks(p, r->end);
    uint64_t bit;
    str key = STR_NONE;

    if (at >= r->end || *at != '"')
        return fail(r, at, "a key in double quotes is expected here");
    p = read_string(r, at + 1, &key);
    if (!p)
        return NULL;
    n->key = key.p;
    n->key_len = (uint32_t)key.len;
    n->key_hash = hash_str(key);
    if (UNLIKELY(key.p != at + 1)) /* had escapes */
        keep_key_place(r, n, at, p);
    bit = (uint64_t)1 << (n->key_hash & 63);
    if (UNLIKELY(top->seen & bit) && !read_repeated_key(r, ret, at))
        return NULL;
    top->seen |= bit;
    p = skip_blanks(p, r->end);
    if (p >= r->end || *p != ':')
        return fail(r, p, "':' is expected behind a key");
    return p + 1;
}

/* Reads a scalar or opens a list or map; the node hangs in the tree already. */
static inline __attribute__((always_inline)) const char *read_value(struct reader *r, const char *p,
                                                                    struct doc_node *n)
{
    str text = STR_NONE;

    p = skip_blanks(p, r->end);
    if (p >= r->end)
        return fail(r, p, "the text ends where a value is expected");
    n->begin = (uint32_t)(p - r->begin);
    switch (*p) {
    case '"':
        p = read_string(r, p + 1, &text);
        n->type = DOC_STRING;
        n->text = text.p;
        n->len = (uint32_t)text.len;
        break;
    case '{':
    case '[':
        if (UNLIKELY(r->depth == r->cap) && !grow_stack(r, p))
            return NULL;
        n->type = *p == '{' ? DOC_MAP : DOC_LIST;
        r->stack[r->depth++] = (struct frame){n, 0};
        return p + 1;
    case 't':
    case 'f':
    case 'n':
        p = read_word(r, p, n);
        break;
    default:
        p = read_number(r, p, n);
    }
    if (UNLIKELY(!p))
        return NULL;
    n->end = (uint32_t)(p - r->begin);
    return p;
}

static const char *no_separator(struct reader *r, const char *p, const struct doc_node *top)
{
    bool is_map = top->type == DOC_MAP;

    if (p >= r->end)
        return fail(r, r->begin + top->begin,
                    is_map ? "this map is not closed" : "this list is not closed");
    return fail(r, p, is_map ? "',' or '}' is expected here" : "',' or ']' is expected here");
}

/* Behind a value, or where a list or map was opened (first): closes what ends here, up to where a
 * further child of the top begins. r->depth is 0 when all is read. */
static inline const char *read_separator(struct reader *r, const char *p, bool first)
{
    for (; r->depth; first = false) {
        struct doc_node *top;

        p = skip_blanks(p, r->end);
        if (LIKELY(p < r->end) && *p == ',' && !first)
            return p + 1;
        top = r->stack[r->depth - 1].node;
        if (UNLIKELY(p >= r->end))
            return no_separator(r, p, top);
        if (*p == (top->type == DOC_MAP ? '}' : ']')) {
            p++;
            top->end = (uint32_t)(p - r->begin);
            r->depth--;
            continue;
        }
        return first ? p : no_separator(r, p, top);
    }
    return p;
}

static inline struct doc_node *node_new(struct reader *r)
{
    struct doc_node *n = arena_alloc(&r->set->arena, sizeof(*n));

    *n = (struct doc_node){.source = r->source};
    return n;
}

static bool read_text(struct reader *r)
{
    const char *p;
    size_t depth = 0;

    if (str_starts(str_range(r->begin, r->end), STR("\xef\xbb\xbf")))
        return fail(r, r->begin, "JSON must not begin with a byte-order mark");
    r->root = node_new(r);
    p = read_value(r, r->begin, r->root);
    while (p && (p = read_separator(r, p, r->depth > depth)) && r->depth) {
        struct doc_node *n = node_new(r), *top = r->stack[r->depth - 1].node;

        depth = r->depth;
        if (top->type == DOC_MAP && !(p = read_key(r, p, &n)))
            return false;
        p = read_value(r, p, n);
        if (LIKELY(!n->next)) /* not a repeated key */
            doc_push(r->set, top, n);
    }
    if (!p)
        return false;
    p = skip_blanks(p, r->end);
    return p == r->end || fail(r, p, "nothing may follow the value");
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
    r.begin = text.p;
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
