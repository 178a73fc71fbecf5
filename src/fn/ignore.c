#include "fn/ignore.h"

void fn_ignore_done(struct fn_ignore *ignore)
{
    vec_done(&ignore->rules);
    arena_done(&ignore->arena);
    *ignore = (struct fn_ignore){0};
}

/* Blanks at the end do not count unless a backslash stands before them. */
static str trim_end(str line)
{
    while (line.len && (line.p[line.len - 1] == ' ' || line.p[line.len - 1] == '\t')) {
        if (line.len > 1 && line.p[line.len - 2] == '\\')
            break;
        line.len--;
    }
    return line;
}

static void add_line(struct fn_ignore *ignore, str folder, str line)
{
    struct fn_ignore_rule rule = {.folder = folder};

    line = trim_end(line);
    if (!line.len || line.p[0] == '#')
        return;
    if (line.p[0] == '!') {
        rule.is_negated = true;
        line = str_from(line, 1);
    }
    if (line.len && line.p[line.len - 1] == '/') {
        rule.is_for_folders = true;
        line.len--;
    }
    rule.is_anchored = str_find_char(line, '/') >= 0;
    if (line.len && line.p[0] == '/')
        line = str_from(line, 1);
    if (!line.len)
        return;
    rule.pattern = line;
    vec_push(&ignore->rules, rule);
}

void fn_ignore_add(struct fn_ignore *ignore, str folder, str text)
{
    str rest = arena_dup(&ignore->arena, text), line;

    folder = arena_dup(&ignore->arena, folder);
    while (str_next_line(&rest, &line))
        add_line(ignore, folder, line);
}

/* ---- one part of a path: * ? [a-z] \x */

/* The set at p[0] == '[' against c: its length, 0 when it has no end. */
static size_t match_set(str p, char c, bool *ret)
{
    size_t i = 1;
    bool is_negated = p.len > 1 && (p.p[1] == '!' || p.p[1] == '^'), found = false;

    i += is_negated;
    for (size_t first = i; i < p.len && (p.p[i] != ']' || i == first); i++) {
        unsigned char low, high;

        if (p.p[i] == '\\' && i + 1 < p.len)
            i++;
        low = high = (unsigned char)p.p[i];
        if (i + 2 < p.len && p.p[i + 1] == '-' && p.p[i + 2] != ']') {
            i += 2;
            if (p.p[i] == '\\' && i + 1 < p.len)
                i++;
            high = (unsigned char)p.p[i];
        }
        found = found || ((unsigned char)c >= low && (unsigned char)c <= high);
    }
    if (i >= p.len)
        return 0;
    *ret = found != is_negated;
    return i + 1;
}

/* Matches one element, which is no '*', with c: its length, 0 when it does not fit. */
static size_t match_one(str p, char c)
{
    bool fits;
    size_t len;

    if (p.p[0] == '?')
        return 1;
    if (p.p[0] == '[') {
        len = match_set(p, c, &fits);
        if (len)
            return fits ? len : 0;
    }
    if (p.p[0] == '\\' && p.len > 1)
        return p.p[1] == c ? 2 : 0;
    return p.p[0] == c ? 1 : 0;
}

/* Going back to the last star is enough: what an earlier one could take, it can. */
static bool match_part(str pattern, str text)
{
    size_t p = 0, t = 0, star = SIZE_MAX, star_text = 0;

    while (t < text.len) {
        size_t step =
            p < pattern.len && pattern.p[p] != '*' ? match_one(str_from(pattern, p), text.p[t]) : 0;

        if (step) {
            p += step;
            t++;
        } else if (p < pattern.len && pattern.p[p] == '*') {
            star = p++;
            star_text = t;
        } else if (star != SIZE_MAX) {
            p = star + 1;
            t = ++star_text;
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.p[p] == '*')
        p++;
    return p == pattern.len;
}

/* ---- paths: the same, one level up; "**" is any number of parts */

static void split(str path, struct str_vec *ret)
{
    do
        vec_push(ret, str_cut(path, '/', &path));
    while (path.p);
}

static bool match_parts(const struct str_vec *pattern, const struct str_vec *path)
{
    size_t p = 0, t = 0, star = SIZE_MAX, star_path = 0;

    while (t < path->len) {
        bool is_star = p < pattern->len && str_eq(pattern->v[p], STR("**"));

        if (is_star) {
            star = p++;
            star_path = t;
            if (p == pattern->len) /* everything inside, at least one part */
                return true;
        } else if (p < pattern->len && match_part(pattern->v[p], path->v[t])) {
            p++;
            t++;
        } else if (star != SIZE_MAX) {
            p = star + 1;
            t = ++star_path;
        } else {
            return false;
        }
    }
    return p == pattern->len;
}

static bool fits(const struct fn_ignore_rule *rule, str path, bool is_folder)
{
    AUTO(str_vec_done) struct str_vec pattern = {0}, parts = {0};
    ssize_t slash;

    if (rule->is_for_folders && !is_folder)
        return false;
    if (rule->folder.len) {
        if (!str_drop_prefix(&path, rule->folder) || !str_drop_prefix(&path, STR("/")))
            return false;
    }
    slash = str_rfind_char(path, '/');
    if (!rule->is_anchored)
        return match_part(rule->pattern, str_from(path, (size_t)(slash + 1)));
    split(rule->pattern, &pattern);
    split(path, &parts);
    return match_parts(&pattern, &parts);
}

bool fn_ignore_has(const struct fn_ignore *ignore, str path, bool is_folder)
{
    for (size_t i = ignore->rules.len; i-- > 0;)
        if (fits(&ignore->rules.v[i], path, is_folder))
            return !ignore->rules.v[i].is_negated;
    return false;
}
