#include "re/parse_priv.h"

enum { MAX_PATTERN = 256 * 1024, MAX_TREE_BYTES = 32 * 1024 * 1024 };

/* An open parenthesis, or the whole pattern. */
struct frame {
    struct re_node *alternate; /* branches that ended */
    struct re_node *concat;    /* the branch that is being read */
    unsigned outer_flags;
    size_t group; /* 0: does not capture */
};
struct frames {
    struct frame *v;
    size_t len, cap;
};

struct state {
    struct re_parser p;
    struct frames frames;
    struct re_tree *tree;
    size_t last_repeat; /* where the repetition that was read last begins; SIZE_MAX: none just
                           before */
};

int re_parse_fail(struct re_parser *p, const char *what, size_t from, size_t to)
{
    str part = str_sub(p->in, from, to - from);

    if (part.len == 0)
        return err_set(p->e, ERR_INVALID, "error parsing regexp: %s: ``", what);
    return err_set(p->e, ERR_INVALID, "error parsing regexp: %s: `%.*s`", what, STR_ARG(part));
}

uint32_t re_parse_next(struct re_parser *p)
{
    size_t width;
    uint32_t c = str_utf8_at(p->in, p->pos, &width);

    p->pos += width;
    return c;
}

static struct re_node *node_new(struct state *s, enum re_kind kind)
{
    struct re_node *n = ARENA_NEW(s->p.arena, struct re_node);

    n->kind = kind;
    n->copies = 1;
    return n;
}

static void child_add(struct re_node *parent, struct re_node *child)
{
    if (parent->last)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
    parent->copies = MAX(parent->copies, child->copies);
}

static struct re_node *add(struct state *s, enum re_kind kind)
{
    struct re_node *n = node_new(s, kind);

    child_add(vec_last(&s->frames).concat, n);
    return n;
}

static void add_set(struct state *s, const struct re_set *set)
{
    struct re_node *n = add(s, RE_CLASS);
    struct re_range *ranges = ARENA_ARRAY(s->p.arena, struct re_range, set->len);

    for (size_t i = 0; i < set->len; i++)
        ranges[i] = set->v[i];
    n->ranges = ranges;
    n->range_count = set->len;
}

static void add_char(struct state *s, uint32_t c)
{
    AUTO(re_set_done) struct re_set set = {0};

    if (s->p.flags & RE_NOCASE)
        re_set_add_fold(&set, c, c);
    else
        re_set_add(&set, c, c);
    re_set_normalize(&set);
    add_set(s, &set);
}

static void add_assert(struct state *s, enum re_assert assertion)
{
    add(s, RE_ASSERT)->assertion = assertion;
}

static void add_any(struct state *s)
{
    AUTO(re_set_done) struct re_set set = {0};

    if (s->p.flags & RE_DOTALL) {
        re_set_add(&set, 0, RE_MAX_RUNE);
    } else {
        re_set_add(&set, 0, '\n' - 1);
        re_set_add(&set, '\n' + 1, RE_MAX_RUNE);
    }
    add_set(s, &set);
}

/* ---- groups */

static int open_group(struct state *s, size_t group, unsigned outer_flags)
{
    struct frame f = {node_new(s, RE_ALTERNATE), node_new(s, RE_CONCAT), outer_flags, group};

    if (s->frames.len > RE_MAX_NESTING)
        return re_parse_fail(&s->p, "expression nests too deeply", 0, s->p.in.len);
    vec_push(&s->frames, f);
    return 0;
}

static size_t new_group(struct state *s, str name)
{
    vec_push(&s->tree->names, name);
    return s->tree->names.len;
}

/* A list of one is its member. */
static struct re_node *only_child(struct re_node *n)
{
    return n->first && n->first == n->last ? n->first : n;
}

static void end_branch(struct frame *f) { child_add(f->alternate, only_child(f->concat)); }

static struct re_node *close_frame(struct state *s)
{
    struct frame f = vec_last(&s->frames);
    struct re_node *n;

    s->frames.len--;
    end_branch(&f);
    s->p.flags = f.outer_flags;
    n = only_child(f.alternate);
    n->next = NULL;
    if (f.group) {
        struct re_node *group = node_new(s, RE_GROUP);

        group->group = f.group;
        child_add(group, n);
        n = group;
    }
    return n;
}

static bool is_name(str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!re_is_word(name.p[i]))
            return false;
    return name.len > 0;
}

/* (?P<name> or (?<name>; name_at is where the name begins. */
static int open_named(struct state *s, size_t name_at)
{
    struct re_parser *p = &s->p;
    size_t begin = p->pos;
    ssize_t close = str_find_char(str_from(p->in, name_at), '>');
    str name;

    if (close < 0)
        return re_parse_fail(p, "invalid named capture", begin, p->in.len);
    name = str_sub(p->in, name_at, (size_t)close);
    p->pos = name_at + (size_t)close + 1;
    if (!is_name(name))
        return re_parse_fail(p, "invalid named capture", begin, p->pos);
    return open_group(s, new_group(s, name), p->flags);
}

static unsigned flag_of(char c)
{
    return c == 'i'   ? RE_NOCASE
           : c == 'm' ? RE_MULTILINE
           : c == 's' ? RE_DOTALL
           : c == 'U' ? RE_UNGREEDY
                      : 0;
}

/* (?flags) and (?flags: */
static int parse_flags(struct state *s)
{
    struct re_parser *p = &s->p;
    size_t begin = p->pos;
    unsigned flags = p->flags;
    bool is_minus = false, has_any = true;

    p->pos += 2;
    while (p->pos < p->in.len) {
        uint32_t c = re_parse_next(p);
        unsigned flag = c < 0x80 ? flag_of((char)c) : 0;

        if (flag) {
            flags = is_minus ? flags & ~flag : flags | flag;
            has_any = true;
        } else if (c == '-' && !is_minus) {
            is_minus = true;
            has_any = false;
        } else if ((c == ':' || c == ')') && has_any) {
            unsigned outer = p->flags;

            p->flags = flags;
            return c == ':' ? open_group(s, 0, outer) : 0;
        } else {
            return re_parse_fail(p, "invalid or unsupported Perl syntax", begin, p->pos);
        }
    }
    return re_parse_fail(p, "invalid or unsupported Perl syntax", begin, p->in.len);
}

static int parse_open(struct state *s)
{
    size_t left = s->p.in.len - s->p.pos;

    if (re_parse_at(&s->p, "(?P<") && left > 4)
        return open_named(s, s->p.pos + 4);
    if (re_parse_at(&s->p, "(?<") && left > 3)
        return open_named(s, s->p.pos + 3);
    if (re_parse_at(&s->p, "(?"))
        return parse_flags(s);
    s->p.pos++;
    return open_group(s, new_group(s, STR_NONE), s->p.flags);
}

static int parse_close(struct state *s)
{
    struct re_node *n;

    if (s->frames.len == 1)
        return re_parse_fail(&s->p, "unexpected )", 0, s->p.in.len);
    s->p.pos++;
    n = close_frame(s);
    child_add(vec_last(&s->frames).concat, n);
    return 0;
}

static void parse_bar(struct state *s)
{
    struct frame *f = &vec_last(&s->frames);

    s->p.pos++;
    end_branch(f);
    f->concat = node_new(s, RE_CONCAT);
}

/* ---- repetition */

/* Decimal digits without leading zeros; -1: none. */
static int parse_count(struct re_parser *p)
{
    size_t begin = p->pos;
    int value = 0;

    while (p->pos < p->in.len && p->in.p[p->pos] >= '0' && p->in.p[p->pos] <= '9') {
        value = MIN(value * 10 + (p->in.p[p->pos] - '0'), RE_MAX_REPEAT + 1);
        p->pos++;
    }
    if (p->pos == begin || (p->pos - begin > 1 && p->in.p[begin] == '0'))
        return -1;
    return value;
}

/* {n}, {n,}, {n,m}: false, pos as before, when it is none and the brace is a character. */
static bool parse_braces(struct re_parser *p, int *ret_min, int *ret_max)
{
    size_t begin = p->pos++;
    bool is_fine;

    *ret_min = *ret_max = parse_count(p);
    is_fine = *ret_min >= 0;
    if (is_fine && re_parse_at(p, ",")) {
        p->pos++;
        *ret_max = -1;
        if (!re_parse_at(p, "}")) {
            *ret_max = parse_count(p);
            is_fine = *ret_max >= 0;
        }
    }
    if (is_fine && re_parse_at(p, "}")) {
        p->pos++;
        return true;
    }
    p->pos = begin;
    return false;
}

static int apply_repeat(struct state *s, size_t begin, int min, int max, bool is_counted)
{
    struct re_parser *p = &s->p;
    struct re_node *last = vec_last(&s->frames).concat->last, *inner;
    bool is_lazy = re_parse_at(p, "?");
    int copies;

    p->pos += is_lazy;
    if (s->last_repeat != SIZE_MAX)
        return re_parse_fail(p, "invalid nested repetition operator", s->last_repeat, p->pos);
    if (!last)
        return re_parse_fail(p, "missing argument to repetition operator", begin, p->pos);
    inner = node_new(s, RE_EMPTY);
    *inner = *last;
    inner->next = NULL;
    copies = !is_counted ? 1 : max == 0 ? 0 : MAX(max < 0 ? min : max, 1);
    *last = (struct re_node){.kind = RE_REPEAT,
                             .first = inner,
                             .last = inner,
                             .min = min,
                             .max = max,
                             .is_greedy = is_lazy == ((p->flags & RE_UNGREEDY) != 0),
                             .copies = MAX(1, copies * inner->copies)};
    vec_last(&s->frames).concat->copies = MAX(vec_last(&s->frames).concat->copies, last->copies);
    if (last->copies > RE_MAX_REPEAT)
        return re_parse_fail(p, "invalid repeat count", begin, p->pos);
    s->last_repeat = begin;
    return 1;
}

/* 1 when a repetition was read, 0 when a brace is only a character. */
static int parse_repeat(struct state *s, char c)
{
    struct re_parser *p = &s->p;
    size_t begin = p->pos;
    int min = c == '+', max = c == '?' ? 1 : -1;

    if (c != '{') {
        p->pos++;
        return apply_repeat(s, begin, min, max, false);
    }
    if (!parse_braces(p, &min, &max))
        return 0;
    if (min > RE_MAX_REPEAT || max > RE_MAX_REPEAT || (max >= 0 && min > max))
        return re_parse_fail(p, "invalid repeat count", begin, p->pos);
    return apply_repeat(s, begin, min, max, true);
}

/* ---- everything else */

/* \Q…\E */
static void parse_quoted(struct state *s)
{
    ssize_t len;
    size_t end;

    s->p.pos += 2;
    len = str_find(str_from(s->p.in, s->p.pos), STR("\\E"));
    end = len < 0 ? s->p.in.len : s->p.pos + (size_t)len;
    while (s->p.pos < end)
        add_char(s, re_parse_next(&s->p));
    if (len >= 0)
        s->p.pos += 2;
}

static int parse_backslash(struct state *s)
{
    static const struct {
        char text[3];
        enum re_assert assertion;
    } asserts[] = {
        {"\\A", RE_BEGIN_TEXT}, {"\\z", RE_END_TEXT}, {"\\b", RE_WORD}, {"\\B", RE_NOT_WORD}};
    AUTO(re_set_done) struct re_set set = {0};
    uint32_t c;
    int rc;

    for (size_t i = 0; i < ARRAY_LEN(asserts); i++) {
        if (re_parse_at(&s->p, asserts[i].text)) {
            s->p.pos += 2;
            add_assert(s, asserts[i].assertion);
            return 0;
        }
    }
    if (re_parse_at(&s->p, "\\Q")) {
        parse_quoted(s);
        return 0;
    }
    rc = re_parse_escaped_class(&s->p, &set);
    if (rc > 0) {
        re_set_normalize(&set);
        add_set(s, &set);
        return 0;
    }
    if (rc < 0 || re_parse_escape(&s->p, &c) < 0)
        return -1;
    add_char(s, c);
    return 0;
}

static int parse_bracket(struct state *s)
{
    AUTO(re_set_done) struct re_set set = {0};

    if (re_parse_bracket(&s->p, &set) < 0)
        return -1;
    add_set(s, &set);
    return 0;
}

static int parse_atom(struct state *s, char c)
{
    bool is_lines = (s->p.flags & RE_MULTILINE) != 0;

    switch (c) {
    case '\\':
        return parse_backslash(s);
    case '[':
        return parse_bracket(s);
    case '.':
        add_any(s);
        break;
    case '^':
        add_assert(s, is_lines ? RE_BEGIN_LINE : RE_BEGIN_TEXT);
        break;
    case '$':
        add_assert(s, is_lines ? RE_END_LINE : RE_END_TEXT);
        break;
    default:
        add_char(s, re_parse_next(&s->p));
        return 0;
    }
    s->p.pos++;
    return 0;
}

static int parse_one(struct state *s)
{
    char c = s->p.in.p[s->p.pos];

    if (c == '*' || c == '+' || c == '?' || c == '{') {
        int rc = parse_repeat(s, c);

        if (rc != 0)
            return rc < 0 ? -1 : 0;
    }
    s->last_repeat = SIZE_MAX;
    switch (c) {
    case '(':
        return parse_open(s);
    case ')':
        return parse_close(s);
    case '|':
        parse_bar(s);
        return 0;
    default:
        return parse_atom(s, c);
    }
}

static int parse_all(struct state *s)
{
    while (s->p.pos < s->p.in.len) {
        if (s->p.arena->used > MAX_TREE_BYTES)
            return err_set(s->p.e, ERR_LIMIT, "error parsing regexp: expression too large");
        if (s->p.flags & RE_LITERAL)
            add_char(s, re_parse_next(&s->p));
        else if (parse_one(s) < 0)
            return -1;
    }
    if (s->frames.len > 1)
        return re_parse_fail(&s->p, "missing closing )", 0, s->p.in.len);
    s->tree->root = close_frame(s);
    return 0;
}

int re_parse(struct arena *arena, str pattern, unsigned flags, struct re_tree *ret, struct err *e)
{
    struct state s = {{arena, pattern, 0, flags, e}, {0}, ret, SIZE_MAX};
    int rc;

    if (pattern.len > MAX_PATTERN)
        return err_set(e, ERR_LIMIT, "error parsing regexp: expression too large");
    if (!str_is_utf8(pattern, NULL))
        return re_parse_fail(&s.p, "invalid UTF-8", 0, pattern.len);
    open_group(&s, 0, flags);
    rc = parse_all(&s);
    vec_done(&s.frames);
    return rc;
}
