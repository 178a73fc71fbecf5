#include "fn/comments.h"

#include "base/map.h"
#include "base/vec.h"
#include "doc/parse.h"

/* Recursion follows trees whose depth their readers have bounded. */

/* Comments that are looked at: beside, above and below. */
enum { LINE, HEAD, FOOT, KINDS };

static str comment_of(const struct doc_node *n, int kind)
{
    const struct doc_extra *x = n->extra;

    if (!x)
        return STR_NONE;
    if (kind == LINE)
        return x->line.len ? x->line : x->key_line;
    if (kind == FOOT)
        return x->key_foot.len ? x->key_foot : x->foot;
    return x->key_head.len ? x->key_head : x->head;
}

/* How often the texts of comments stand in a tree; for both trees, by how much more in the new. */
static void count(const struct doc_node *n, intptr_t weight, struct map *counts)
{
    struct doc_iter it = doc_children(n);

    if (n && n->extra) {
        const str all[] = {n->extra->head,     n->extra->line,     n->extra->foot,
                           n->extra->key_head, n->extra->key_line, n->extra->key_foot};

        for (size_t i = 0; i < ARRAY_LEN(all); i++) {
            str rest = all[i], line;

            while (str_next_line(&rest, &line)) {
                str text = str_trim(line);

                map_put(counts, text, (void *)((intptr_t)map_get(counts, text) + weight));
            }
        }
    }
    while (doc_next(&it))
        count(it.value, weight, counts);
}

/* A comment that stands elsewhere already is new only where there are more of it than before:
 * functions move comments as they read and write. */
static bool is_new(const struct map *counts, str comment)
{
    str line;

    while (str_next_line(&comment, &line))
        if (str_trim(line).len && (intptr_t)map_get(counts, str_trim(line)) > 0)
            return true;
    return false;
}

static bool has_new(const struct map *counts)
{
    struct map_iter it = {0};

    while (map_next(counts, &it))
        if (it.key.len && (intptr_t)it.value > 0)
            return true;
    return false;
}

/* The usual case, told without a table: a copy whose comments are where they were. */
static bool has_same(const struct doc_node *old, const struct doc_node *now)
{
    struct doc_iter it = doc_children(now);
    struct doc_node *next = doc_first(old);

    for (int kind = 0; kind < KINDS && now; kind++)
        if (comment_of(now, kind).len &&
            (!old || !str_eq(comment_of(old, kind), comment_of(now, kind))))
            return false;
    while (doc_next(&it)) {
        const struct doc_node *was = doc_is_map(old) ? doc_get(old, it.key) : next;

        if (!has_same(was, it.value))
            return false;
        if (next)
            next = next->next == doc_first(old) ? NULL : next->next;
    }
    return true;
}

bool fn_has_new_comments(const struct doc_node *old, const struct doc_node *now)
{
    AUTO(map_done) struct map counts = {0};

    if (has_same(old, now))
        return false;
    count(now, 1, &counts);
    count(old, -1, &counts);
    return has_new(&counts);
}

/* ---- into the text */

struct splice {
    size_t begin, end; /* of the text that goes */
    str comment;
    size_t indent; /* of comments on lines of their own, and of what is behind a break */
    int kind;
    bool is_apart; /* an empty line goes before */
    bool breaks;   /* what follows goes to a line of its own */
};
struct splicer {
    str text;
    struct doc_set *set;
    const struct map *counts;
    VEC(struct splice) splices;
};

static size_t line_begin(str text, size_t at)
{
    while (at > 0 && text.p[at - 1] != '\n')
        at--;
    return at;
}

static size_t line_end(str text, size_t at)
{
    while (at < text.len && text.p[at] != '\n' && text.p[at] != '\r')
        at++;
    return at;
}

static size_t count_blanks(str text, size_t at)
{
    size_t count = 0;

    while (at + count < text.len && strchr(" \t", text.p[at + count]))
        count++;
    return count;
}

/* Inside flow text: behind the value and its comma. At the end of the line it would be another's.
 */
static void add_flow_line(struct splicer *s, const struct doc_node *there, str comment)
{
    size_t at = there->end, line = line_begin(s->text, at), end = line_end(s->text, at), rest;
    size_t indent = 0;

    while (line + indent < at && s->text.p[line + indent] == ' ')
        indent++;
    rest = at + count_blanks(s->text, at);
    if (rest < end && s->text.p[rest] == ',')
        at = rest + 1;
    rest = at + count_blanks(s->text, at);
    if (rest < end && s->text.p[rest] == '#')
        rest = end;
    vec_push(&s->splices, {at, rest, comment, indent + 2, LINE, false, rest < end});
}

/* Beside the value, or beside the key of what stands on lines of its own. */
static void add_line(struct splicer *s, const struct doc_node *there, str comment)
{
    size_t begin = doc_offset(s->set, there, false), at = MAX((size_t)there->end, begin), end;
    bool is_block = doc_len(there) && there->style != DOC_FLOW;

    if (is_block && !there->key)
        return; /* an item without a line of its own */
    if (is_block)
        at = doc_offset(s->set, there, true) + there->key_len;
    else if (there->style == DOC_LITERAL || there->style == DOC_FOLDED)
        at = begin;
    end = line_end(s->text, at);
    while (at < end && (s->text.p[at] != '#' || (at && !strchr(" \t", s->text.p[at - 1]))))
        at++;
    while (at > 0 && strchr(" \t", s->text.p[at - 1]))
        at--;
    vec_push(&s->splices, {at, end, comment, 0, LINE, false, false});
}

/* On lines of its own above the line where the key or the dash stands. */
static void add_head(struct splicer *s, const struct doc_node *there, str comment)
{
    size_t at = doc_offset(s->set, there, there->key != NULL), line = line_begin(s->text, at);
    size_t begin = line, indent = 0;
    bool had = comment_of(there, HEAD).len > 0;

    while (line + indent < at && s->text.p[line + indent] == ' ')
        indent++;
    while (had && begin > 0) {
        size_t above = line_begin(s->text, begin - 1);
        str text = str_trim(str_sub(s->text, above, begin - above));

        if (!text.len || text.p[0] != '#')
            break;
        begin = above;
    }
    vec_push(&s->splices, {begin, line, comment, indent, HEAD, false, false});
}

static bool is_blank(str line) { return str_trim(line).len == 0; }

/* Where the line below the last one of a node begins. */
static size_t below(const struct splicer *s, const struct doc_node *there)
{
    size_t at = MAX((size_t)there->end, doc_offset(s->set, there, false));

    if (there->key)
        at = MAX(at, doc_offset(s->set, there, true) + there->key_len);
    if (doc_len(there) && there->style != DOC_FLOW)
        return below(s, there->last);
    if (at == 0 || at > s->text.len || s->text.p[at - 1] != '\n')
        at = line_end(s->text, at);
    while (at < s->text.len && s->text.p[at] == '\r')
        at++;
    return at < s->text.len && s->text.p[at] == '\n' ? at + 1 : at;
}

/* The lines of a comment that is there already, behind empty ones. */
static void find_foot(const struct splicer *s, str comment, size_t *begin, size_t *end)
{
    size_t at = *begin;
    str rest = str_from(s->text, at), line, want;

    while (str_next_line(&rest, &line) && is_blank(line))
        at = s->text.len - rest.len;
    rest = str_from(s->text, at);
    for (*end = at; str_next_line(&comment, &want); *end = s->text.len - rest.len)
        if (!str_next_line(&rest, &line) || !str_eq(str_trim(line), str_trim(want))) {
            *end = *begin;
            return;
        }
    *begin = at;
}

/* On lines of its own below the last one, at the column of the key or the dash. That of a document
 * stands apart. */
static void add_foot(struct splicer *s, const struct doc_node *there, str comment, bool is_root)
{
    size_t begin = below(s, there), end = begin, indent = 0;
    size_t at = doc_offset(s->set, there, there->key != NULL), line = line_begin(s->text, at);

    if (there->key)
        indent = at - line;
    while (!there->key && !is_root && line + indent < at && s->text.p[line + indent] == ' ')
        indent++;
    if (comment_of(there, FOOT).len)
        find_foot(s, comment_of(there, FOOT), &begin, &end);
    vec_push(&s->splices, {begin, end, comment, indent, FOOT, is_root && begin == end, false});
}

static void compare(struct splicer *s, const struct doc_node *there, const struct doc_node *now,
                    bool in_flow, bool is_root)
{
    struct doc_iter it = doc_children(now);
    struct doc_node *next = doc_first(there);

    for (int kind = 0; kind < KINDS; kind++) {
        str want = comment_of(now, kind);

        if (!is_new(s->counts, want) || str_eq(want, comment_of(there, kind)))
            continue;
        if (kind == LINE && in_flow)
            add_flow_line(s, there, want);
        else if (kind == LINE)
            add_line(s, there, want);
        else if (kind == HEAD)
            add_head(s, there, want);
        else if (!in_flow)
            add_foot(s, there, want, is_root);
    }
    while (doc_next(&it)) {
        const struct doc_node *child = doc_is_map(there) ? doc_get(there, it.key) : next;

        if (child)
            compare(s, child, it.value, in_flow || there->style == DOC_FLOW, false);
        if (next)
            next = next->next == doc_first(there) ? NULL : next->next;
    }
}

/* At one place: what stands below something deep, below something shallow, above the next. */
static int by_place(const void *a, const void *b)
{
    const struct splice *x = a, *y = b;

    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind == FOOT ? -1 : y->kind == FOOT;
    return x->kind != FOOT || x->indent == y->indent ? 0 : x->indent > y->indent ? -1 : 1;
}

static void put(const struct splice *s, struct buf *out)
{
    str rest = s->comment, line;

    if (s->kind == FOOT && out->len && out->p[out->len - 1] != '\n')
        buf_add_char(out, '\n');
    if (s->is_apart)
        buf_add_char(out, '\n');
    if (s->kind == LINE) {
        buf_addf(out, " %.*s", STR_ARG(str_cut(s->comment, '\n', NULL)));
        if (s->breaks) {
            buf_add_char(out, '\n');
            buf_add_repeat(out, ' ', s->indent);
        }
        return;
    }
    while (str_next_line(&rest, &line)) {
        buf_add_repeat(out, ' ', line.len ? s->indent : 0);
        buf_addf(out, "%.*s\n", STR_ARG(line));
    }
}

static void splice_all(struct splicer *s, struct buf *out)
{
    size_t at = 0;

    vec_sort(&s->splices, by_place);
    for (size_t i = 0; i < s->splices.len; i++) {
        const struct splice *one = &s->splices.v[i];

        if (one->begin < at)
            continue;
        buf_add_str(out, str_sub(s->text, at, one->begin - at));
        put(one, out);
        at = one->end;
        /* an empty line tells what is below something from what is above the next */
        if (one->kind == FOOT && at < s->text.len && s->text.p[at] != '\n' && s->text.p[at] != '\r')
            buf_add_char(out, '\n');
    }
    buf_add_str(out, str_from(s->text, at));
}

void fn_put_comments(const struct doc_node *old, const struct doc_node *now, struct buf *text)
{
    static const struct doc_parse_options options = {.dialect = DOC_KYAML, .flags = DOC_COMMENTS};
    AUTO(map_done) struct map counts = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(doc_list_done) struct doc_list roots = {0};
    AUTO(err_done) struct err ignored = {0};
    AUTO(buf_done) struct buf out = {0};
    struct splicer s = {.set = set, .counts = &counts};

    if (doc_parse_all(set, buf_view(text), &options, "document", &roots, &ignored) < 0 ||
        !roots.len)
        return;
    count(now, 1, &counts);
    count(old, -1, &counts);
    s.text = set->sources[roots.v[0]->source].text;
    compare(&s, roots.v[0], now, false, true);
    splice_all(&s, &out);
    vec_done(&s.splices);
    buf_clear(text);
    buf_add_str(text, buf_view(&out));
}
