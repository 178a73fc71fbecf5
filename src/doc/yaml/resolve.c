#include <math.h>

#include "base/ascii.h"
#include "base/escape.h"
#include "base/num.h"
#include "doc/yaml/dialect_priv.h"
#include "doc/yaml/time_priv.h"

/* clang-format off */
static const struct dialect dialects[DOC_DIALECT_COUNT] = {
    /*                       name             words  times  binary last   merge  keys */
    [DOC_MANIFEST]      = { "manifest",       true,  false, true,  false, true,  KEYS_AS_JSON },
    [DOC_KUSTOMIZATION] = { "kustomization",  true,  false, true,  true,  true,  KEYS_AS_JSON },
    [DOC_RESOURCE]      = { "resource",       false, true,  true,  false, false, KEYS_STRINGS },
    [DOC_SPEC]          = { "spec",           false, false, true,  false, false, KEYS_AS_WRITTEN },
    [DOC_VALUES]        = { "values",         true,  false, true,  true,  true,  KEYS_AS_JSON },
    [DOC_PATCH]         = { "patch",         false, true,  true,  false, false, KEYS_AS_WRITTEN },
    [DOC_KYAML]         = { "kyaml",          false, false, false, false, false, KEYS_AS_WRITTEN },
};
/* clang-format on */

const struct dialect *dialect_row(enum doc_dialect dialect) { return &dialects[dialect]; }

/* ---- words */

enum word {
    WORD_NONE,
    WORD_NULL,
    WORD_TRUE,
    WORD_FALSE,
    WORD_OLD_TRUE,
    WORD_OLD_FALSE,
    WORD_FLOAT
};

static const struct {
    str text; /* lower case; "Text" and "TEXT" mean the same */
    enum word word;
} words[] = {
    {STR_INIT("null"), WORD_NULL},     {STR_INIT("true"), WORD_TRUE},
    {STR_INIT("false"), WORD_FALSE},   {STR_INIT("y"), WORD_OLD_TRUE},
    {STR_INIT("yes"), WORD_OLD_TRUE},  {STR_INIT("on"), WORD_OLD_TRUE},
    {STR_INIT("n"), WORD_OLD_FALSE},   {STR_INIT("no"), WORD_OLD_FALSE},
    {STR_INIT("off"), WORD_OLD_FALSE},
};

/* "text", "Text" or "TEXT". */
static bool is_word_case(str s)
{
    bool rest_upper = s.len > 1 && ascii_is_upper(s.p[1]);

    if (rest_upper && !ascii_is_upper(s.p[0]))
        return false;
    for (size_t i = 1; i < s.len; i++)
        if (ascii_is_upper(s.p[i]) != rest_upper)
            return false;
    return true;
}

static bool is_special_float(str s)
{
    bool is_signed = s.len && (s.p[0] == '-' || s.p[0] == '+');

    if (!is_signed && (str_eq(s, STR(".nan")) || str_eq(s, STR(".NaN")) || str_eq(s, STR(".NAN"))))
        return true;
    s = str_from(s, is_signed);
    return str_eq(s, STR(".inf")) || str_eq(s, STR(".Inf")) || str_eq(s, STR(".INF"));
}

static enum word find_word(str s)
{
    if (s.len == 0 || (s.len == 1 && s.p[0] == '~'))
        return WORD_NULL;
    if (s.len > 5)
        return WORD_NONE;
    if (s.p[0] < 'A')
        return is_special_float(s) ? WORD_FLOAT : WORD_NONE;
    for (size_t i = 0; i < ARRAY_LEN(words); i++) { /* length and first letter tell them apart */
        if (s.len != words[i].text.len || (s.p[0] | 0x20) != words[i].text.p[0])
            continue;
        return str_eq_nocase(s, words[i].text) && is_word_case(s) ? words[i].word : WORD_NONE;
    }
    return WORD_NONE;
}

/* ---- numbers */

enum {
    NUMBER_TEXT_MAX = 400
}; /* longer ones are beyond every double, or have digits that do not count */

/* The text without '_', or STR_NONE when it does not fit. */
static str strip_underscores(str s, char *room)
{
    size_t len = 0;

    for (size_t i = 0; i < s.len; i++) {
        if (s.p[i] == '_')
            continue;
        if (len == NUMBER_TEXT_MAX)
            return STR_NONE;
        room[len++] = s.p[i];
    }
    room[len] = '\0';
    return (str){room, len};
}

/* Go's ParseInt and ParseUint with base 0: a whole number of 64 bits. */
static bool is_integer(str s)
{
    bool is_signed = s.p[0] == '-' || s.p[0] == '+';
    str digits = str_from(s, is_signed);
    unsigned base = 10;
    uint64_t value = 0;

    if (digits.len > 1 && digits.p[0] == '0') {
        char c = (char)(digits.p[1] | 0x20);

        base = c == 'x' ? 16 : c == 'b' ? 2 : 8;
        digits = str_from(digits, c == 'x' || c == 'b' || c == 'o' ? 2 : 1);
    }
    for (size_t i = 0; i < digits.len; i++) {
        unsigned digit = (unsigned)ascii_hex_value(digits.p[i]);

        if (digit >= base || __builtin_mul_overflow(value, base, &value) ||
            __builtin_add_overflow(value, digit, &value))
            return false;
    }
    return digits.len > 0 && (!is_signed || value <= (uint64_t)INT64_MAX + (s.p[0] == '-'));
}

static size_t skip_digits(str s, size_t i)
{
    while (i < s.len && s.p[i] >= '0' && s.p[i] <= '9')
        i++;
    return i;
}

/* [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)? that is no infinity as a double. */
static bool is_float(str s)
{
    size_t i = s.p[0] == '-' || s.p[0] == '+', whole = skip_digits(s, i), end = whole;

    if (end < s.len && s.p[end] == '.')
        end = skip_digits(s, end + 1);
    if (end == whole ? whole == i : whole == i && end == whole + 1)
        return false;
    if (end < s.len && (s.p[end] | 0x20) == 'e') {
        size_t exponent = end + 1;

        exponent += exponent < s.len && (s.p[exponent] == '-' || s.p[exponent] == '+');
        end = skip_digits(s, exponent);
        if (end == exponent)
            return false;
    }
    return end == s.len && !isinf(strtod(s.p, NULL));
}

/* As Go's ParseFloat wants it: every '_' stands between digits. */
static bool divides_digits(str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.p[i] == '_' && (i == 0 || i + 1 == s.len || !ascii_is_digit(s.p[i - 1]) ||
                              !ascii_is_digit(s.p[i + 1])))
            return false;
    return true;
}

static bool resolve_number(str s, struct arena *arena, struct doc_node *n)
{
    char room[NUMBER_TEXT_MAX + 1];
    str plain = strip_underscores(s, room);
    bool is_fraction = s.p[0] == '.';

    if (plain.len == 0 || (is_fraction && !divides_digits(s)))
        return false;
    n->is_int = !is_fraction && is_integer(plain);
    if (!n->is_int && !is_float(plain))
        return false;
    n->type = DOC_NUMBER;
    if (n->is_int && plain.len != s.len && plain.p[plain.p[0] == '-' || plain.p[0] == '+'] == '0')
        s = arena_dup(arena, plain); /* "0_x1f": its readers expect the prefix in one piece */
    n->text = s.p;
    n->len = (uint32_t)s.len;
    return true;
}

/* ---- plain scalars */

const bool dialect_may_resolve[256] = {
    ['0' ... '9'] = true, ['+'] = true, ['-'] = true, ['.'] = true, ['~'] = true,
    ['y'] = true,         ['Y'] = true, ['n'] = true, ['N'] = true, ['t'] = true,
    ['T'] = true,         ['f'] = true, ['F'] = true, ['o'] = true, ['O'] = true,
};

static void set_string(struct doc_node *n, str s)
{
    n->type = DOC_STRING;
    n->text = s.p;
    n->len = (uint32_t)s.len;
}

static void resolve_special(const struct dialect *d, str s, struct arena *arena, struct doc_node *n)
{
    enum word word = find_word(s);

    if (!d->has_old_words && (word == WORD_OLD_TRUE || word == WORD_OLD_FALSE))
        word = WORD_NONE;
    if (word == WORD_NULL) {
        n->type = DOC_NULL;
    } else if (word == WORD_FLOAT) {
        n->type = DOC_NUMBER;
    } else if (word != WORD_NONE) {
        n->type = DOC_BOOL;
        n->bool_val = word == WORD_TRUE || word == WORD_OLD_TRUE;
    } else if ((s.p[0] <= '9' && resolve_number(s, arena, n)) ||
               (d->has_timestamps && yaml_time(s, arena, n))) {
        return;
    }
}

/* The common case: short decimal digits. */
static bool is_short_integer(str s)
{
    if (s.len > 18 || s.p[0] < '1')
        return s.len == 1 && s.p[0] == '0';
    for (size_t i = 0; i < s.len; i++)
        if (s.p[i] < '0' || s.p[i] > '9')
            return false;
    return true;
}

void dialect_plain(const struct dialect *d, str s, struct arena *arena, struct doc_node *n)
{
    set_string(n, s);
    if (s.len && !dialect_needs_look(s))
        return;
    if (s.len && is_short_integer(s)) {
        n->type = DOC_NUMBER;
        n->is_int = true;
        return;
    }
    resolve_special(d, s, arena, n);
}

/* ---- tags */

static bool decode_base64(str s, struct arena *arena, struct doc_node *n)
{
    AUTO(buf_done) struct buf out = {0};

    if (!unescape_base64(s, &out))
        return false;
    set_string(n, arena_dup(arena, buf_view(&out)));
    return true;
}

static const char *resolve_tagged(const struct dialect *d, const struct doc_yaml_event *ev,
                                  struct arena *arena, struct doc_node *n)
{
    str name = ev->tag;

    set_string(n, ev->value);
    if (!str_drop_prefix(&name, STR("tag:yaml.org,2002:")) || str_eq(name, STR("str")))
        return NULL;
    if (str_eq(name, STR("binary")) && !d->decodes_binary)
        return NULL;
    if (str_eq(name, STR("binary")))
        return decode_base64(ev->value, arena, n) ? NULL
                                                  : "!!binary value contains invalid base64 data";
    if (str_eq(name, STR("timestamp"))) {
        bool is_time = yaml_time(ev->value, arena, n);

        if (!d->has_timestamps)
            set_string(n, ev->value);
        return is_time ? NULL : "this is no !!timestamp";
    }
    dialect_plain(d, ev->value, arena, n);
    if (str_eq(name, STR("int")))
        return n->type == DOC_NUMBER && n->is_int ? NULL : "this is no !!int";
    if (str_eq(name, STR("float"))) {
        n->is_int = false;
        return n->type == DOC_NUMBER ? NULL : "this is no !!float";
    }
    if (str_eq(name, STR("bool")))
        return n->type == DOC_BOOL ? NULL : "this is no !!bool";
    if (str_eq(name, STR("null")))
        return n->type == DOC_NULL ? NULL : "this is no !!null";
    n->is_int = n->bool_val = false;
    set_string(n, ev->value);
    return NULL;
}

const char *dialect_scalar(const struct dialect *d, const struct doc_yaml_event *ev,
                           struct arena *arena, struct doc_node *n)
{
    if (LIKELY(ev->tag.len == 0)) {
        if (ev->style == DOC_PLAIN)
            dialect_plain(d, ev->value, arena, n);
        else
            set_string(n, ev->value);
        return NULL;
    }
    if (str_eq(ev->tag, STR("!"))) {
        if (d->has_old_words)
            set_string(n, ev->value);
        else
            dialect_plain(d, ev->value, arena, n);
        return NULL;
    }
    return resolve_tagged(d, ev, arena, n);
}

/* ---- keys */

/* A key of another type as sigs.k8s.io/yaml writes it. */
static str key_text(const struct doc_node *n, struct arena *arena)
{
    AUTO(buf_done) struct buf text = {0};
    int64_t value;
    uint64_t large;
    double number;

    if (n->type == DOC_BOOL)
        return n->bool_val ? STR("true") : STR("false");
    if (doc_to_int64(n, &value))
        return arena_printf(arena, "%lld", (long long)value);
    if (doc_to_uint64(n, &large))
        return arena_printf(arena, "%llu", (unsigned long long)large);
    if (!doc_to_double(n, &number))
        return (str){n->text, n->len};
    if (isnan(number) || isinf(number))
        return isnan(number) ? STR(".nan") : number > 0 ? STR(".inf") : STR("-.inf");
    num_add_double(&text, number, NUM_G);
    return arena_dup(arena, buf_view(&text));
}

const char *dialect_key_of(const struct dialect *d, const struct doc_node *n, struct arena *arena,
                           str *ret)
{
    *ret = (str){n->text, n->len};
    if (n->type == DOC_LIST || n->type == DOC_MAP)
        return "a list or map cannot be a key";
    if (n->type == DOC_STRING || d->keys == KEYS_AS_WRITTEN)
        return NULL;
    if (d->keys == KEYS_STRINGS)
        return "the key is not a string; put it in quotes";
    if (n->type == DOC_NULL)
        return "null cannot be a key";
    *ret = key_text(n, arena);
    return NULL;
}

const char *dialect_key(const struct dialect *d, const struct doc_yaml_event *ev,
                        struct arena *arena, str *ret)
{
    struct doc_node n = {0};
    const char *why;

    *ret = ev->value;
    if (LIKELY(ev->tag.len == 0 &&
               (ev->style != DOC_PLAIN || (ev->value.len && !dialect_needs_look(ev->value)))))
        return NULL;
    if (d->keys == KEYS_AS_WRITTEN && ev->tag.len == 0)
        return NULL;
    why = dialect_scalar(d, ev, arena, &n);
    return why ? why : dialect_key_of(d, &n, arena, ret);
}
