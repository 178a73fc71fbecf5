#include "chart/ignore.h"

#include "base/str.h"

void chart_ignore_done(struct chart_ignore *ignore) { vec_done(&ignore->rules); }

/* ---- patterns of one part */

/* One code point of a class, '\' taken off; -1 at a wrong place. */
static int64_t class_end(str *p)
{
    size_t width;
    uint32_t c;

    if (!p->len || p->p[0] == '-' || p->p[0] == ']')
        return -1;
    if (p->p[0] == '\\') {
        *p = str_from(*p, 1);
        if (!p->len)
            return -1;
    }
    c = str_utf8_at(*p, 0, &width);
    *p = str_from(*p, width);
    return c;
}

/* The class behind '[': 1 when it has c, 0 when not, -1 when it is none. */
static int match_class(str *p, uint32_t c)
{
    bool is_negated = str_drop_prefix(p, STR("^")), has = false;
    size_t ranges = 0;

    for (; p->len && (p->p[0] != ']' || !ranges); ranges++) {
        int64_t low = class_end(p), high = low;

        if (low >= 0 && str_drop_prefix(p, STR("-")))
            high = class_end(p);
        if (low < 0 || high < 0)
            return -1;
        has = has || (low <= c && c <= high);
    }
    return str_drop_prefix(p, STR("]")) ? has != is_negated : -1;
}

/* One element of the pattern against the beginning of the name: both move on. -1: no pattern. */
static int match_one(str *p, str *name)
{
    size_t width = 1;
    uint32_t c = name->len ? str_utf8_at(*name, 0, &width) : 0;
    char op = p->p[0];
    int is_match = 1;

    *p = str_from(*p, 1);
    if (op == '[') {
        is_match = match_class(p, c);
    } else if (op == '?') {
        is_match = c != '/';
    } else {
        if (op == '\\') {
            if (!p->len)
                return -1;
            op = p->p[0];
            *p = str_from(*p, 1);
        }
        width = 1;
        is_match = name->len && name->p[0] == op;
    }
    if (is_match < 0)
        return -1;
    is_match = is_match && name->len;
    *name = str_from(*name, width);
    return is_match;
}

static bool is_valid(str pattern)
{
    while (pattern.len) {
        str name = STR("x");

        if (pattern.p[0] == '*')
            pattern = str_from(pattern, 1);
        else if (match_one(&pattern, &name) < 0)
            return false;
    }
    return true;
}

static bool match_glob(str pattern, str name)
{
    str star = STR_NONE, held = STR_NONE; /* where to go on when the last '*' takes one more */

    while (pattern.len || name.len) {
        if (pattern.len && pattern.p[0] == '*') {
            star = pattern = str_from(pattern, 1);
            held = name;
            continue;
        }
        if (pattern.len && name.len && match_one(&pattern, &name) > 0)
            continue;
        if (!star.p || !held.len || held.p[0] == '/')
            return false;
        name = held = str_from(held, 1);
        pattern = star;
    }
    return true;
}

bool chart_glob(str pattern, str name, bool *ret_valid)
{
    *ret_valid = is_valid(pattern);
    return *ret_valid && match_glob(pattern, name);
}

/* ---- rules */

/* Nearly every rule in the wild is a name or an ending, and each is asked about every file. */
static enum chart_ignore_shape shape_of(str pattern)
{
    bool has_star = str_starts(pattern, STR("*"));

    for (size_t i = has_star; i < pattern.len; i++)
        if (memchr("*?[\\", pattern.p[i], 4))
            return CHART_IGNORE_GLOB;
    return has_star ? CHART_IGNORE_ENDING : CHART_IGNORE_LITERAL;
}

static int add_rule(struct chart_ignore *ignore, str line, struct err *e)
{
    struct chart_ignore_rule r = {0};

    line = str_trim(line);
    if (!line.len || line.p[0] == '#')
        return 0;
    if (str_contains(line, STR("**")))
        return err_set(e, ERR_INVALID, "double-star (**) syntax is not supported");
    if (!is_valid(line))
        return err_set(e, ERR_INVALID, "syntax error in pattern");
    r.is_negated = str_drop_prefix(&line, STR("!"));
    r.only_folders = str_ends(line, STR("/"));
    if (r.only_folders)
        line.len--;
    r.is_rooted = str_starts(line, STR("/"));
    r.is_path = str_contains(line, STR("/"));
    r.pattern = r.is_rooted ? str_from(line, 1) : line;
    r.shape = shape_of(r.pattern);
    if (r.shape == CHART_IGNORE_ENDING)
        r.pattern = str_from(r.pattern, 1);
    vec_push(&ignore->rules, r);
    return 0;
}

int chart_ignore_read(struct chart_ignore *ignore, str text, struct err *e)
{
    str line;

    str_drop_prefix(&text, STR("\xef\xbb\xbf"));
    while (str_next_line(&text, &line))
        if (add_rule(ignore, line, e) < 0)
            return -1;
    return 0;
}

/* name is the last part of the path. */
static bool matches(const struct chart_ignore_rule *r, str path, str name)
{
    str subject = r->is_path ? path : name;

    switch (r->shape) {
    case CHART_IGNORE_LITERAL:
        return str_eq(subject, r->pattern);
    case CHART_IGNORE_ENDING: /* the '*' stands for a part of one name */
        return str_ends(subject, r->pattern) &&
               str_find_char(str_sub(subject, 0, subject.len - r->pattern.len), '/') < 0;
    case CHART_IGNORE_GLOB:
        break;
    }
    return match_glob(r->pattern, subject);
}

/* Helm's own rule, "templates/.?*": hidden files among the templates. */
static bool is_hidden_template(str path)
{
    return str_drop_prefix(&path, STR("templates/.")) && path.len && str_find_char(path, '/') < 0;
}

bool chart_ignore_has(const struct chart_ignore *ignore, str path, bool is_folder)
{
    str name = str_from(path, (size_t)(str_rfind_char(path, '/') + 1));

    if (is_hidden_template(path))
        return true;
    for (size_t i = 0; i < ignore->rules.len; i++) {
        const struct chart_ignore_rule *r = &ignore->rules.v[i];

        if (r->is_negated) {
            if (r->only_folders && !is_folder)
                return true;
            if (!matches(r, path, name))
                return true;
        } else if ((!r->only_folders || is_folder) && matches(r, path, name)) {
            return true;
        }
    }
    return false;
}
