#include "sdk/sdk_priv.h"

/* Globs over slash-separated paths, as doublestar reads them: ** stands for any number of names, *
 * and ? for what is inside one. */

enum { MAX_STEPS = 100000, MAX_BRACES = 16 };

struct glob {
    size_t steps; /* left: patterns like **a**b**c** would take for ever */
};

/* [abc], [a-z], [!a] or [^a]; *p stands behind '['. */
static bool match_class(const char **p, char c)
{
    const char *at = *p;
    bool is_not = *at == '!' || *at == '^', is_in = false;

    at += is_not;
    for (bool is_first = true; *at && (is_first || *at != ']'); is_first = false) {
        char low = *at == '\\' && at[1] ? *++at : *at, high = low;

        at++;
        if (*at == '-' && at[1] && at[1] != ']') {
            high = at[1];
            at += 2;
        }
        is_in |= c >= low && c <= high;
    }
    if (*at != ']')
        return false;
    *p = at + 1;
    return is_in != is_not && c != '/';
}

static bool match(struct glob *g, const char *p, const char *s);

static bool match_stars(struct glob *g, const char *p, const char *s)
{
    bool is_deep = p[1] == '*';

    p += is_deep ? 2 : 1;
    if (is_deep && *p == '/' && match(g, p + 1, s)) /* for no name at all */
        return true;
    for (;; s++) {
        if (match(g, p, s))
            return true;
        if (!*s || (!is_deep && *s == '/') || g->steps == 0)
            return false;
    }
}

/* {a,b*}: tries each choice with what follows. */
static bool match_braces(struct glob *g, const char *p, const char *s)
{
    const char *choice = p + 1, *end;
    int depth = 1;

    for (end = choice; *end && depth; end++)
        depth += *end == '{' ? 1 : *end == '}' ? -1 : 0;
    if (depth)
        return false;
    for (const char *at = choice; at < end; at++) {
        depth += *at == '{' ? 1 : *at == '}' ? -1 : 0;
        if (!(depth == 0 && *at == ',') && !(depth < 0 && at + 1 == end))
            continue;
        AUTO(mem_free_str)
        char *one = str_printf("%.*s%s", (int)(at - choice), choice, end);

        if (match(g, one, s))
            return true;
        choice = at + 1;
    }
    return false;
}

static bool match(struct glob *g, const char *p, const char *s)
{
    for (; *p; p++, s++) {
        if (g->steps == 0 || g->steps-- == 0)
            return false;
        switch (*p) {
        case '*':
            return match_stars(g, p, s);
        case '{':
            return match_braces(g, p, s);
        case '[':
            p++;
            if (!*s || !match_class(&p, *s))
                return false;
            p--;
            break;
        case '?':
            if (!*s || *s == '/')
                return false;
            break;
        default:
            p += *p == '\\' && p[1];
            if (*p != *s)
                return false;
        }
    }
    return !*s;
}

bool gfn_glob(const char *pattern, const char *path)
{
    struct glob g = {.steps = MAX_STEPS};
    size_t braces = 0;

    for (const char *p = pattern; *p; p++)
        braces += *p == '{';
    return braces <= MAX_BRACES && match(&g, pattern, path);
}
