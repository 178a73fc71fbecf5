#include "base/mem.h"
#include "base/vec.h"
#include "doc/diff.h"

/* Beyond this many differences in one stretch the search settles for the furthest point it has
 * reached, so that the work stays linear in the texts, times this. */
enum { MOST_STEPS = 1024 };

struct line {
    str text; /* with its line end */
    uint32_t hash;
    bool is_changed;
};

struct side {
    struct line *v;
    size_t len, cap;
};

/* A stretch of both sides. */
struct box {
    struct line *from, *to;
    long from_len, to_len;
};

struct point {
    long x, y;
};

/* The furthest point on each diagonal x - y, searched from the beginning and from the end. */
struct search {
    long *forward, *backward;
};

static void split(str text, struct side *side)
{
    while (text.len) {
        const char *end = memchr(text.p, '\n', text.len);
        size_t len = end ? (size_t)(end - text.p) + 1 : text.len;

        vec_push(side, {.text = {text.p, len}, .hash = str_hash((str){text.p, len})});
        text = str_from(text, len);
    }
}

static inline bool is_same(const struct line *a, const struct line *b)
{
    return a->hash == b->hash && str_eq(a->text, b->text);
}

/* ---- the middle of a shortest edit script (Myers 1986, in linear space) */

/* One step further on diagonal k, then along equal lines. */
static struct point reach(const struct box *b, long *v, long k, long step, bool is_backward)
{
    struct point p = {.x = k == -step || (k != step && v[k - 1] < v[k + 1]) ? v[k + 1]
                                                                            : v[k - 1] + 1};

    p.y = p.x - k;
    while (p.x < b->from_len && p.y < b->to_len &&
           (is_backward ? is_same(&b->from[b->from_len - 1 - p.x], &b->to[b->to_len - 1 - p.y])
                        : is_same(&b->from[p.x], &b->to[p.y]))) {
        p.x++;
        p.y++;
    }
    v[k] = p.x;
    return p;
}

static bool is_inside(const struct box *b, struct point p)
{
    return p.x <= b->from_len && p.y >= 0 && p.y <= b->to_len;
}

/* Takes a step from one end; true when it meets what the other end has reached, which lies up to
 * `met` steps away. */
static bool step_meets(const struct box *b, long *own, const long *other, long step, long met,
                       bool is_backward, struct point *ret)
{
    long delta = b->from_len - b->to_len;
    bool may_meet = ((delta & 1) != 0) != is_backward;

    for (long k = -step; k <= step; k += 2) {
        struct point p = reach(b, own, k, step, is_backward);

        if (!may_meet || delta - k < -met || delta - k > met || !is_inside(b, p) ||
            p.x + other[delta - k] < b->from_len)
            continue;
        *ret = is_backward ? (struct point){b->from_len - p.x, b->to_len - p.y} : p;
        return true;
    }
    return false;
}

static struct point furthest(const struct box *b, const long *forward, long step)
{
    struct point best = {0, 0};

    for (long k = -step; k <= step; k += 2) {
        struct point p = {forward[k], forward[k] - k};

        if (is_inside(b, p) && p.x + p.y > best.x + best.y)
            best = p;
    }
    return best;
}

/* Both sides have lines, and differ at both ends: the point is neither the first nor the last
 * corner. */
static struct point find_middle(const struct box *b, struct search *s)
{
    struct point p;

    s->forward[1] = s->backward[1] = 0;
    for (long step = 0; step <= MOST_STEPS; step++) {
        if (step_meets(b, s->forward, s->backward, step, step - 1, false, &p) ||
            step_meets(b, s->backward, s->forward, step, step, true, &p))
            return p;
    }
    return furthest(b, s->forward, MOST_STEPS);
}

static void mark(struct line *lines, long count)
{
    for (long i = 0; i < count; i++)
        lines[i].is_changed = true;
}

/* Marks what is not common. Recursion halves the differences. */
static void compare(struct box b, struct search *s)
{
    for (;;) {
        struct point p;

        while (b.from_len && b.to_len && is_same(b.from, b.to)) {
            b.from++;
            b.to++;
            b.from_len--;
            b.to_len--;
        }
        while (b.from_len && b.to_len && is_same(&b.from[b.from_len - 1], &b.to[b.to_len - 1])) {
            b.from_len--;
            b.to_len--;
        }
        if (b.from_len == 0 || b.to_len == 0)
            break;
        p = find_middle(&b, s);
        compare((struct box){b.from, b.to, p.x, p.y}, s);
        b = (struct box){b.from + p.x, b.to + p.y, b.from_len - p.x, b.to_len - p.y};
    }
    mark(b.from, b.from_len);
    mark(b.to, b.to_len);
}

/* ---- printing */

struct printer {
    const struct side *from, *to;
    size_t context;
    struct buf *out;
};

static void put_line(struct buf *out, char sign, str line)
{
    buf_add_char(out, sign);
    buf_add_str(out, line);
    if (!str_ends(line, STR("\n")))
        buf_add_cstr(out, "\n\\ No newline at end of file\n");
}

static void put_range(struct buf *out, char sign, size_t first, size_t count)
{
    buf_addf(out, count == 1 ? "%c%zu" : "%c%zu,%zu", sign, first + (count != 0), count);
}

static bool is_changed_at(const struct printer *p, size_t i, size_t j)
{
    return (i < p->from->len && p->from->v[i].is_changed) ||
           (j < p->to->len && p->to->v[j].is_changed);
}

/* Passes the changed lines at (*i, *j) and what follows them, up to where more equal lines come
 * than join two changes. */
static void pass_hunk(const struct printer *p, size_t *i, size_t *j)
{
    size_t equal = 0;

    while (equal <= 2 * p->context) {
        if (is_changed_at(p, *i, *j)) {
            while (*i < p->from->len && p->from->v[*i].is_changed)
                ++*i;
            while (*j < p->to->len && p->to->v[*j].is_changed)
                ++*j;
            equal = 0;
        } else if (*i < p->from->len) {
            ++*i;
            ++*j;
            equal++;
        } else {
            break;
        }
    }
    *i -= equal - MIN(equal, p->context);
    *j -= equal - MIN(equal, p->context);
}

static void put_hunk(const struct printer *p, size_t i, size_t i_end, size_t j, size_t j_end)
{
    buf_add_cstr(p->out, "@@ ");
    put_range(p->out, '-', i, i_end - i);
    buf_add_char(p->out, ' ');
    put_range(p->out, '+', j, j_end - j);
    buf_add_cstr(p->out, " @@\n");
    while (i < i_end || j < j_end) {
        if (i < i_end && p->from->v[i].is_changed)
            put_line(p->out, '-', p->from->v[i++].text);
        else if (j < j_end && p->to->v[j].is_changed)
            put_line(p->out, '+', p->to->v[j++].text);
        else
            put_line(p->out, ' ', (j++, p->from->v[i++].text));
    }
}

static void put_hunks(const struct printer *p)
{
    size_t i = 0, j = 0;

    while (i < p->from->len || j < p->to->len) {
        if (is_changed_at(p, i, j)) {
            size_t before = MIN(p->context, i), i_from = i - before, j_from = j - before;

            pass_hunk(p, &i, &j);
            put_hunk(p, i_from, i, j_from, j);
        } else {
            i++;
            j++;
        }
    }
}

void doc_diff_unified(str from, str to, const char *label_from, const char *label_to,
                      size_t context, struct buf *out)
{
    struct side a = {0}, b = {0};

    if (str_eq(from, to))
        return;
    split(from, &a);
    split(to, &b);
    {
        size_t width = 2 * MIN(MAX(a.len, b.len) * 2, (size_t)MOST_STEPS) + 5;
        AUTO(mem_free) void *memory = mem_zalloc(2 * width * sizeof(long));
        long *v = memory;
        struct search s = {v + width / 2, v + width + width / 2};

        compare((struct box){a.v, b.v, (long)a.len, (long)b.len}, &s);
    }
    buf_addf(out, "--- %s\n+++ %s\n", label_from, label_to);
    put_hunks(&(struct printer){&a, &b, context, out});
    vec_done(&a);
    vec_done(&b);
}

void doc_diff_tint(str diff, const char *margin, bool color, struct buf *out)
{
    str line;

    while (str_next_line(&diff, &line)) {
        const char *tint = !color || !line.len ? ""
                           : line.p[0] == '+'  ? "\033[32m"
                           : line.p[0] == '-'  ? "\033[31m"
                           : line.p[0] == '@'  ? "\033[36m"
                                               : "";

        buf_addf(out, "%s%s%.*s%s\n", margin, tint, STR_ARG(line), *tint ? "\033[0m" : "");
    }
}
