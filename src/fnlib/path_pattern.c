#include "fnlib/path_pattern.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 256 };
enum step_kind { KEY, INDEX, ANY_KEY, ANY_INDEX, DEEP };

struct step {
    enum step_kind kind;
    const char *text; /* KEY, INDEX */
    size_t len;
};

struct fnlib_path {
    char *text;
    struct step steps[MAX_STEPS];
    size_t count;
};

/* ---- dividing paths: in place, as escapes are taken out */

static bool add_step(struct step *steps, size_t *count, enum step_kind kind, const char *text,
                     size_t len)
{
    if (*count == MAX_STEPS)
        return false;
    steps[(*count)++] = (struct step){kind, text, len};
    return true;
}

/* A key up to '.' or '['; *at behind it. */
static bool read_key(char **at, struct step *steps, size_t *count)
{
    char *from = *at, *to = *at, *in = *at;
    bool has_escape = false;

    while (*in && *in != '.' && *in != '[') {
        has_escape |= *in == '\\' && in[1];
        in += *in == '\\' && in[1];
        *to++ = *in++;
    }
    *at = in;
    if (to == from)
        return false;
    if (!has_escape && to - from == 1 && *from == '*')
        return add_step(steps, count, ANY_KEY, from, 1);
    if (!has_escape && to - from == 2 && from[0] == '*' && from[1] == '*')
        return add_step(steps, count, DEEP, from, 2);
    return add_step(steps, count, KEY, from, (size_t)(to - from));
}

/* "[3]", "[*]", "["a.b"]". */
static bool read_bracket(char **at, struct step *steps, size_t *count)
{
    char *from = *at + 1, *end;
    char quote = *from;

    if (quote == '"' || quote == '\'') {
        end = strchr(++from, quote);
        if (!end || end[1] != ']')
            return false;
        *at = end + 2;
        return add_step(steps, count, KEY, from, (size_t)(end - from));
    }
    end = strchr(from, ']');
    if (!end || end == from)
        return false;
    *at = end + 1;
    if (end - from == 1 && *from == '*')
        return add_step(steps, count, ANY_INDEX, from, 1);
    return add_step(steps, count, INDEX, from, (size_t)(end - from));
}

static bool divide(char *text, struct step *steps, size_t *count)
{
    *count = 0;
    for (char *at = text; *at;) {
        if (!(*at == '[' ? read_bracket(&at, steps, count) : read_key(&at, steps, count)))
            return false;
        if (*at == '.' && (!at[1] || at[1] == '.' || at[1] == '['))
            return false;
        if (*at == '.')
            at++;
        else if (*at && *at != '[')
            return false;
    }
    return *count > 0;
}

fnlib_path *fnlib_path_new(const char *text)
{
    fnlib_path *p = calloc(1, sizeof(*p));

    if (p && (p->text = strdup(text)) && divide(p->text, p->steps, &p->count))
        return p;
    fnlib_path_free(p);
    return NULL;
}

void fnlib_path_free(fnlib_path *p)
{
    if (p)
        free(p->text);
    free(p);
}

bool fnlib_path_is_plain(const fnlib_path *p)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->steps[i].kind != KEY)
            return false;
    return true;
}

/* ---- matching */

static bool same_text(const struct step *a, const struct step *b)
{
    return a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

/* How many steps of the pattern, joined by dots, are this key; 0 for none. */
static size_t joined_steps(const struct step *pattern, size_t count, const struct step *key)
{
    size_t at = 0;

    for (size_t i = 0; i < count && pattern[i].kind == KEY; i++) {
        if (at + pattern[i].len > key->len ||
            memcmp(key->text + at, pattern[i].text, pattern[i].len) != 0)
            return 0;
        at += pattern[i].len;
        if (at == key->len)
            return i + 1;
        if (key->text[at++] != '.')
            return 0;
    }
    return 0;
}

/* One row a step of the path: which steps of the pattern may come next. */
static void advance(const fnlib_path *p, const struct step *step, const bool *from, bool *to)
{
    memset(to, 0, p->count + 1);
    for (size_t i = 0; i < p->count; i++) {
        const struct step *s = &p->steps[i];

        if (!from[i])
            continue;
        if (s->kind == DEEP)
            to[i] = true;
        if (step->kind == INDEX) {
            to[i + 1] |= s->kind == ANY_INDEX || (s->kind == INDEX && same_text(s, step));
            continue;
        }
        to[i + 1] |= s->kind == ANY_KEY;
        if (s->kind == KEY) {
            size_t joined = joined_steps(s, p->count - i, step);

            to[i + joined] |= joined > 0;
        }
    }
    for (size_t i = 1; step->kind == INDEX && i <= p->count; i++)
        to[i] |= from[i] && p->steps[i - 1].kind == ANY_KEY; /* `*` takes the index behind a key */
}

/* ** stands for no step, too. */
static void skip_deep(const fnlib_path *p, bool *at)
{
    for (size_t i = 0; i < p->count; i++)
        at[i + 1] |= at[i] && p->steps[i].kind == DEEP;
}

bool fnlib_path_matches(const fnlib_path *p, const char *path)
{
    bool rows[2][MAX_STEPS + 1] = {{true}};
    struct step *steps = calloc(MAX_STEPS, sizeof(*steps));
    char *text = strdup(path);
    size_t count = 0, now = 0;
    bool is_match = false;

    skip_deep(p, rows[0]);
    if (steps && text && divide(text, steps, &count)) {
        for (size_t i = 0; i < count; i++, now = !now) {
            advance(p, &steps[i], rows[now], rows[!now]);
            skip_deep(p, rows[!now]);
        }
        is_match = rows[now][p->count];
    }
    free(text);
    free(steps);
    return is_match;
}
