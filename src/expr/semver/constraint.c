#include "base/arena.h"
#include "base/escape.h"
#include "base/vec.h"
#include "expr/semver/semver.h"

enum { MAX_CONSTRAINT = 4096 }; /* bytes */

enum operator_kind { EQUAL, NOT_EQUAL, ABOVE, BELOW, FROM, UP_TO, TILDE, CARET };

/* Longer spellings stand before their beginnings. */
static const struct {
    char text[3];
    enum operator_kind kind;
} operators[] = {
    {"!=", NOT_EQUAL}, {">=", FROM}, {"=>", FROM}, {"<=", UP_TO}, {"=<", UP_TO}, {"~>", TILDE},
    {"~", TILDE},      {"^", CARET}, {"=", EQUAL}, {">", ABOVE},  {"<", BELOW},
};

static const char operator_starts[] = "!><=~^";

struct term {
    enum operator_kind kind;
    struct semver version;
    bool is_open;       /* some part is missing or x */
    bool is_minor_open; /* the minor part and what follows it */
    bool is_patch_open;
};
struct group {
    VEC(struct term) terms;
    bool has_pre;
};
struct semver_constraint {
    struct arena arena;
    VEC(struct group) groups; /* one of them must hold */
};

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static bool is_wild(str part)
{
    return part.len == 1 && (part.p[0] == 'x' || part.p[0] == 'X' || part.p[0] == '*');
}

/* What may stand in a part at all; parts after an open one are not read as numbers. */
static bool is_part(str part)
{
    for (size_t i = 0; i < part.len; i++)
        if (!memchr("0123456789xX*|", part.p[i], 14))
            return false;
    return part.len > 0;
}

static void skip_blanks(str *s)
{
    while (s->len && is_blank(s->p[0]))
        *s = str_from(*s, 1);
}

/* The bytes up to a blank, a comma or an operator. */
static str take_version(str *s)
{
    size_t len = 0;
    str text;

    while (len < s->len && !is_blank(s->p[len]) && s->p[len] != ',' &&
           !memchr(operator_starts, s->p[len], sizeof(operator_starts) - 1))
        len++;
    text = str_sub(*s, 0, len);
    *s = str_from(*s, len);
    return text;
}

/* Fills up what is missing or x, and reads the rest by the lenient rules. */
static int read_version(struct semver_constraint *c, str text, struct term *t, struct err *e)
{
    size_t core_len = 0, count = 0;
    str rest, tail, parts[3] = {STR_INIT("0"), STR_INIT("0"), STR_INIT("0")};
    bool is_open[3] = {true, true, true};

    str_drop_prefix(&text, STR("v"));
    while (core_len < text.len && text.p[core_len] != '-' && text.p[core_len] != '+')
        core_len++;
    rest = str_sub(text, 0, core_len);
    tail = str_from(text, core_len);
    while (rest.p) {
        str part = str_cut(rest, '.', &rest);

        if (count == ARRAY_LEN(parts) || !is_part(part))
            return -1;
        is_open[count] = is_wild(part);
        if (!is_open[count])
            parts[count] = part;
        count++;
    }
    t->is_open = is_open[0] || is_open[1] || is_open[2];
    t->is_minor_open = !is_open[0] && is_open[1];
    t->is_patch_open = !is_open[0] && !is_open[1] && is_open[2];
    for (size_t i = 1; i < ARRAY_LEN(parts); i++)
        if (is_open[0] || (i == 2 && is_open[1]))
            parts[i] = STR("0");
    text = arena_printf(&c->arena, "%.*s.%.*s.%.*s%.*s", STR_ARG(parts[0]), STR_ARG(parts[1]),
                        STR_ARG(parts[2]), STR_ARG(tail));
    return semver_parse(text, SEMVER_LENIENT, &t->version, e);
}

static enum operator_kind take_operator(str *s)
{
    for (size_t i = 0; i < ARRAY_LEN(operators); i++)
        if (str_drop_prefix(s, str_of(operators[i].text)))
            return operators[i].kind;
    return EQUAL;
}

static int read_term(struct semver_constraint *c, str *s, struct group *g, struct err *e)
{
    struct term t = {.kind = take_operator(s)};

    skip_blanks(s);
    if (read_version(c, take_version(s), &t, e) < 0)
        return -1;
    if (t.version.pre.len)
        g->has_pre = true;
    vec_push(&g->terms, t);
    return 0;
}

/* "A - B": the term read last was A; neither has an operator. */
static int read_range_end(struct semver_constraint *c, str *s, struct group *g, struct err *e)
{
    size_t before = g->terms.len;

    *s = str_from(*s, 1);
    skip_blanks(s);
    if (!s->len || memchr(operator_starts, s->p[0], sizeof(operator_starts) - 1) ||
        read_term(c, s, g, e) < 0)
        return -1;
    g->terms.v[before - 1].kind = FROM;
    g->terms.v[before].kind = UP_TO;
    return 0;
}

static bool at_range(str s) { return s.len > 1 && s.p[0] == '-' && is_blank(s.p[1]); }

/* What stands between two terms: a comma or blanks. *ret_comma: it was a comma. */
static int read_between(str *s, bool *ret_comma)
{
    size_t before = s->len;

    skip_blanks(s);
    *ret_comma = str_drop_prefix(s, STR(","));
    if (*ret_comma) {
        skip_blanks(s);
        return s->len ? 0 : -1;
    }
    return s->len && s->len == before ? -1 : 0;
}

/* A range begins the group or follows a comma: upstream writes it out as two terms, blanks before
 * it included, and what stands directly before them is then no term any more. */
static int read_group(struct semver_constraint *c, str s, struct group *g, struct err *e)
{
    bool may_be_range = true;

    skip_blanks(&s);
    do {
        bool has_operator = s.len && memchr(operator_starts, s.p[0], sizeof(operator_starts) - 1);
        str rest;

        if (read_term(c, &s, g, e) < 0)
            return -1;
        rest = s;
        skip_blanks(&rest);
        if (rest.len < s.len && at_range(rest)) {
            s = rest;
            if (has_operator || !may_be_range || read_range_end(c, &s, g, e) < 0)
                return -1;
        }
        if (read_between(&s, &may_be_range) < 0)
            return -1;
    } while (s.len);
    return 0;
}

static int read_groups(struct semver_constraint *c, str text, str *ret_bad, struct err *e)
{
    for (;;) {
        struct group g = {0};
        ssize_t end = str_find(text, STR("||"));
        int rc = read_group(c, end < 0 ? text : str_sub(text, 0, (size_t)end), &g, e);

        vec_push(&c->groups, g);
        if (rc < 0) {
            *ret_bad = end < 0 ? text : str_sub(text, 0, (size_t)end);
            return -1;
        }
        if (end < 0)
            return 0;
        text = str_from(text, (size_t)end + 2);
    }
}

struct semver_constraint *semver_constraint_parse(str text, struct err *e)
{
    AUTO(semver_constraint_free) struct semver_constraint *c = NEW(struct semver_constraint);
    AUTO(err_done) struct err why = {0};
    AUTO(buf_done) struct buf quoted = {0};
    str bad = text;

    if (text.len > MAX_CONSTRAINT || read_groups(c, text, &bad, &why) < 0) {
        escape_quoted(str_sub(bad, 0, MIN(bad.len, 200u)), &quoted);
        err_set(e, ERR_INVALID, "improper constraint: %s", buf_cstr(&quoted));
        return NULL;
    }
    return TAKE(c);
}

void semver_constraint_free(struct semver_constraint *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->groups.len; i++)
        vec_done(&c->groups.v[i].terms);
    vec_done(&c->groups);
    arena_done(&c->arena);
    mem_free(c);
}

static bool holds_not_equal(const struct term *t, const struct semver *v)
{
    const struct semver *is = &t->version;

    if (!t->is_open)
        return semver_compare(v, is) != 0;
    if (is->major != v->major)
        return true;
    if (t->is_minor_open)
        return false;
    if (is->minor != v->minor)
        return true;
    if (!t->is_patch_open)
        return is->patch != v->patch || semver_compare(v, is) != 0;
    /* a pre-release differs from the range's own, whatever the patch */
    return (v->pre.len || is->pre.len) && !str_eq(v->pre, is->pre);
}

static bool holds_above(const struct term *t, const struct semver *v)
{
    if (!t->is_open)
        return semver_compare(v, &t->version) > 0;
    if (v->major != t->version.major)
        return v->major > t->version.major;
    if (t->is_minor_open)
        return false;
    if (t->is_patch_open)
        return v->minor > t->version.minor;
    return semver_compare(v, &t->version) > 0;
}

static bool holds_up_to(const struct term *t, const struct semver *v)
{
    if (!t->is_open)
        return semver_compare(v, &t->version) <= 0;
    if (v->major != t->version.major)
        return v->major < t->version.major;
    return v->minor <= t->version.minor || t->is_minor_open;
}

static bool holds_tilde(const struct term *t, const struct semver *v)
{
    const struct semver *from = &t->version;

    if (semver_compare(v, from) < 0)
        return false;
    if (!from->major && !from->minor && !from->patch && !t->is_minor_open && !t->is_patch_open)
        return true; /* "*", and "~0.0.0" with it */
    return v->major == from->major && (v->minor == from->minor || t->is_minor_open);
}

static bool holds_caret(const struct term *t, const struct semver *v)
{
    const struct semver *from = &t->version;

    if (semver_compare(v, from) < 0 || v->major != from->major)
        return false;
    if (from->major > 0 || t->is_minor_open)
        return true;
    if (v->minor != from->minor)
        return false;
    return from->minor > 0 || t->is_patch_open || v->patch == from->patch;
}

static bool holds(const struct term *t, const struct semver *v)
{
    switch (t->kind) {
    case EQUAL:
        return t->is_open ? holds_tilde(t, v) : semver_compare(v, &t->version) == 0;
    case NOT_EQUAL:
        return holds_not_equal(t, v);
    case ABOVE:
        return holds_above(t, v);
    case BELOW:
        return semver_compare(v, &t->version) < 0;
    case FROM:
        return semver_compare(v, &t->version) >= 0;
    case UP_TO:
        return holds_up_to(t, v);
    case TILDE:
        return holds_tilde(t, v);
    case CARET:
        return holds_caret(t, v);
    }
    return false;
}

bool semver_matches(const struct semver_constraint *c, const struct semver *v, bool include_pre)
{
    for (size_t i = 0; i < c->groups.len; i++) {
        const struct group *g = &c->groups.v[i];
        bool all = !v->pre.len || g->has_pre || include_pre;

        for (size_t k = 0; all && k < g->terms.len; k++)
            all = holds(&g->terms.v[k], v);
        if (all)
            return true;
    }
    return false;
}
