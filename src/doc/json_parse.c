#include "doc/parse.h"

#include "base/ascii.h"
#include "base/hash.h"
#include "base/mem.h"
#include "doc/scan_priv.h"

/* Whatever reads gets the place where it begins and returns the place behind it, NULL after a
 * mistake: the place stays in a register.
 *
 * What stops every scan stands at the end, so that few steps ask where that is: a copied text is
 * followed by NUL; one that is borrowed ends in '}' or ']', and only who takes such a bracket may
 * come to stand behind the last byte. */

enum { MAX_DEPTH = 10000, FIRST_DEPTH = 32 };

/* A list or map that is not closed. The one at the bottom of the stack stands for the text. */
struct frame {
    struct doc_node *node;
    uint64_t seen; /* a bit for each hash of a key so far: a key whose bit is clear is new */
    char closer;   /* '}', ']', or 0 of the bottom */
};

struct reader {
    struct doc_set *set;
    const char *begin, *end;
    uint32_t source, bits;             /* the index of the text; what all nodes have in theirs */
    unsigned flags;                    /* of enum doc_parse_flags: DOC_BORROW, DOC_LAST_WINS */
    struct frame *stack, *top, *first; /* stack is first until that has no room */
    size_t cap;
    struct doc_node *root;
    const char *bad; /* place of the first mistake */
    const char *why;
    str what; /* quoted behind why, may be empty */
};

static __attribute__((cold, noinline)) const char *fail(struct reader *r, const char *at,
                                                        const char *why)
{
    r->bad = at;
    r->why = why;
    return NULL;
}

static inline bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/* Not at the end of a borrowed text. API servers write none. */
static inline const char *skip_blanks(const char *p)
{
    while (UNLIKELY((unsigned char)*p <= ' ') && is_blank(*p))
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

/* The end of a string that is no plain ASCII; at a mistake, NULL. */
static const char *find_close(struct reader *r, const char *from)
{
    const char *p = from;
    bool high = false;

    while ((p = scan_string(p, r->end, &high)) < r->end && *p == '\\')
        p += 2;
    if (p >= r->end)
        return fail(r, from - 1, "this string is not closed");
    if (*p != '"')
        return fail(r, p, "a control character in a string must be written as an escape");
    return !high || is_utf8(r, from, p) ? p : NULL;
}

/* A string with escapes, or beyond ASCII. With escapes the text goes to the arena, where it takes
 * no more room than in the source (and the 16 bytes that copying may write behind it). from is
 * behind the quote. */
static __attribute__((noinline)) const char *read_special(struct reader *r, const char *from,
                                                          str *ret)
{
    const char *close = find_close(r, from);
    char *text, *to;

    if (!close)
        return NULL;
    *ret = str_range(from, close);
    if (str_find_char(*ret, '\\') < 0)
        return close + 1;
    to = text = arena_alloc(&r->set->arena, ret->len + 16);
    for (;;) {
        from = copy_string(&to, from, r->end);
        if (from == close)
            break;
        from = unescape(r, from + 1, &to);
        if (!from)
            return NULL;
    }
    *to = '\0';
    *ret = str_range(text, to);
    return close + 1;
}

/* from is behind the opening quote. */
static inline __attribute__((always_inline)) const char *read_string(struct reader *r,
                                                                     const char *from, str *ret)
{
    const char *p = scan_plain(from, r->end);

    if (UNLIKELY(p >= r->end || *p != '"'))
        return read_special(r, from, ret);
    *ret = str_range(from, p);
    return p + 1;
}

/* ---- values */

static inline const char *digits(const char *p)
{
    while (ascii_is_digit(*p))
        p++;
    return p;
}

static const char *read_number(struct reader *r, const char *from, struct doc_node *n)
{
    const char *p = from + (*from == '-');

    if (!ascii_is_digit(*p))
        return fail(r, from,
                    from >= r->end ? "the text ends where a value is expected"
                                   : "a value is expected here");
    p = *p == '0' ? p + 1 : digits(p);
    if (ascii_is_digit(*p))
        return fail(r, from, "a number must not begin with 0");
    n->type = DOC_NUMBER;
    n->is_int = *p != '.' && (*p | 0x20) != 'e';
    if (*p == '.') {
        if (!ascii_is_digit(*++p))
            return fail(r, p - 1, "a digit is expected behind the decimal point");
        p = digits(p);
    }
    if ((*p | 0x20) == 'e') {
        p++;
        if (*p == '+' || *p == '-')
            p++;
        if (!ascii_is_digit(*p))
            return fail(r, p - 1, "a digit is expected in the exponent");
        p = digits(p);
    }
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
    size_t depth = (size_t)(r->top - old);

    if (depth >= MAX_DEPTH)
        return fail(r, p, "lists and maps are nested more than 10000 deep");
    r->cap = MIN(r->cap * 4, (size_t)MAX_DEPTH + 1);
    r->stack = mem_realloc(old == r->first ? NULL : old, r->cap, sizeof(*old));
    if (old == r->first)
        memcpy(r->stack, r->first, FIRST_DEPTH * sizeof(*old));
    r->top = r->stack + depth;
    return true;
}

/* The key may be there already (or only share its bit with another): an error, or its first entry
 * is made empty and takes the new value. */
static bool read_repeated_key(struct reader *r, struct doc_node **n, const char *at)
{
    struct doc_node *before = doc_get(r->top->node, doc_key(*n));

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
static inline __attribute__((always_inline)) const char *read_key(struct reader *r, const char *p,
                                                                  struct doc_node **ret)
{
    struct doc_node *n = *ret;
    const char *at = skip_blanks(p);
    uint64_t bit;
    str key;

    if (UNLIKELY(*at != '"'))
        return fail(r, at, "a key in double quotes is expected here");
    p = read_string(r, at + 1, &key);
    if (UNLIKELY(!p))
        return NULL;
    n->key = key.p;
    n->key_len = (uint32_t)key.len;
    n->key_hash = hash_str(key);
    if (UNLIKELY(key.p != at + 1)) /* had escapes */
        keep_key_place(r, n, at, p);
    bit = (uint64_t)1 << (n->key_hash & 63);
    if (UNLIKELY(r->top->seen & bit) && !read_repeated_key(r, ret, at))
        return NULL;
    r->top->seen |= bit;
    p = skip_blanks(p);
    if (UNLIKELY(*p != ':'))
        return fail(r, p, "':' is expected behind a key");
    return p + 1;
}

static inline const char *open_value(struct reader *r, const char *p, struct doc_node *n)
{
    if (UNLIKELY(r->top == r->stack + r->cap - 1) && !grow_stack(r, p))
        return NULL;
    n->bits = r->bits | (*p == '{' ? DOC_MAP : DOC_LIST);
    *++r->top = (struct frame){n, 0, *p == '{' ? '}' : ']'};
    return p + 1;
}

/* Reads a scalar or opens a list or map; the node hangs in the tree already. */
static inline __attribute__((always_inline)) const char *read_value(struct reader *r, const char *p,
                                                                    struct doc_node *n)
{
    str text;

    p = skip_blanks(p);
    n->begin = (uint32_t)(p - r->begin);
    switch (*p) {
    case '"':
        p = read_string(r, p + 1, &text);
        if (UNLIKELY(!p))
            return NULL;
        n->bits = r->bits | DOC_STRING;
        n->text = text.p;
        n->len = (uint32_t)text.len;
        break;
    case '{':
    case '[':
        return open_value(r, p, n);
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

static const char *no_separator(struct reader *r, const char *p)
{
    bool is_map = r->top->closer == '}';

    if (p >= r->end)
        return fail(r, r->begin + r->top->node->begin,
                    is_map ? "this map is not closed" : "this list is not closed");
    return fail(r, p, is_map ? "',' or '}' is expected here" : "',' or ']' is expected here");
}

/* Behind a value, or where a list or map was opened (first): closes what ends here, up to where a
 * further child of the top begins, or the end of the root. */
static inline __attribute__((always_inline)) const char *read_separator(struct reader *r,
                                                                        const char *p, bool first)
{
    for (; r->top->closer; first = false) {
        struct frame *top = r->top;

        if (UNLIKELY(p >= r->end))
            return no_separator(r, p);
        p = skip_blanks(p);
        if (*p == top->closer) {
            p++;
            top->node->end = (uint32_t)(p - r->begin);
            r->top--;
            continue;
        }
        if (first)
            return p;
        return LIKELY(*p == ',') ? p + 1 : no_separator(r, p);
    }
    return p;
}

static inline struct doc_node *node_new(struct reader *r)
{
    struct doc_node *n = arena_alloc(&r->set->arena, sizeof(*n));

    *n = (struct doc_node){.bits = r->bits};
    return n;
}

static bool read_text(struct reader *r)
{
    struct doc_node *n;
    const char *p;

    if (str_starts(str_range(r->begin, r->end), STR("\xef\xbb\xbf")))
        return fail(r, r->begin, "JSON must not begin with a byte-order mark");
    n = r->root = node_new(r);
    p = read_value(r, r->begin, n);
    while (p && (p = read_separator(r, p, r->top->node == n)) && r->top->closer) {
        struct doc_node *top = r->top->node;

        n = node_new(r);
        if (r->top->closer == '}' && !(p = read_key(r, p, &n)))
            return false;
        p = read_value(r, p, n);
        if (LIKELY(!n->next)) /* not a repeated key */
            doc_push(r->set, top, n);
    }
    if (!p)
        return false;
    while (p < r->end && is_blank(*p))
        p++;
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

/* Whether it ends in '}' or ']'; then *ret_len becomes its length up to there. */
static bool ends_in_bracket(str text, size_t *ret_len)
{
    text = str_trim_right(text, " \n\r\t");
    if (text.len == 0 || (text.p[text.len - 1] != '}' && text.p[text.len - 1] != ']'))
        return false;
    *ret_len = text.len;
    return true;
}

struct doc_node *doc_parse_json_flags(struct doc_set *set, str text, unsigned flags,
                                      const char *origin, struct err *e)
{
    struct frame first[FIRST_DEPTH];
    struct reader r = {.set = set,
                       .stack = first,
                       .top = first,
                       .first = first,
                       .cap = FIRST_DEPTH,
                       .flags = flags};
    size_t len = text.len;
    bool is_copied, is_ok;

    if (text.len >= UINT32_MAX) {
        err_set(e, ERR_INVALID, "%s: the text is larger than 4 GiB", origin);
        return NULL;
    }
    if (!text.p)
        text = STR("");
    is_copied = !(flags & DOC_BORROW) || !ends_in_bracket(text, &len);
    first[0] = (struct frame){0};
    r.source = doc_set_add_source(set, text, str_of(origin), is_copied);
    r.bits = (struct doc_node){.source = r.source}.bits;
    r.begin = set->sources[r.source].text.p;
    r.end = r.begin + len;
    is_ok = read_text(&r);
    if (r.stack != first)
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
