#include "fn/comments.h"

#include "base/map.h"
#include "base/vec.h"
#include "doc/parse.h"

/* Recursion follows trees whose depth their readers have bounded. */

/* Comments that are looked at: beside and above. */
enum { LINE, HEAD, KINDS };

static str comment_of(const struct doc_node *n, int kind)
{
    const struct doc_extra *x = n->extra;

    if (!x)
        return STR_NONE;
    if (kind == LINE)
        return x->line.len ? x->line : x->key_line;
    return x->key_head.len ? x->key_head : x->head;
}

static void collect(const struct doc_node *n, struct map *known)
{
    struct doc_iter it = doc_children(n);

    if (n && n->extra) {
        const str all[] = {n->extra->head,     n->extra->line,     n->extra->foot,
                           n->extra->key_head, n->extra->key_line, n->extra->key_foot};

        for (size_t i = 0; i < ARRAY_LEN(all); i++) {
            str rest = all[i], line;

            while (str_next_line(&rest, &line))
                map_put(known, str_trim(line), known);
        }
    }
    while (doc_next(&it))
        collect(it.value, known);
}

static bool is_new(const struct map *known, str comment)
{
    str line;

    while (str_next_line(&comment, &line))
        if (str_trim(line).len && !map_has(known, str_trim(line)))
            return true;
    return false;
}

static bool has_new(const struct doc_node *n, const struct map *known)
{
    struct doc_iter it = doc_children(n);

    for (int kind = 0; kind < KINDS && n; kind++)
        if (is_new(known, comment_of(n, kind)))
            return true;
    while (doc_next(&it))
        if (has_new(it.value, known))
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
    AUTO(map_done) struct map known = {0};

    if (has_same(old, now))
        return false;
    collect(old, &known);
    return has_new(now, &known);
}

/* ---- into the text */

struct splice {
    size_t begin, end; /* of the text that goes */
    str comment;
    size_t indent; /* of comments above */
    bool is_above;
};
struct splicer {
    str text;
    struct doc_set *set;
    const struct map *known;
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
    vec_push(&s->splices, {at, end, comment, 0, false});
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
    vec_push(&s->splices, {begin, line, comment, indent, true});
}

static void compare(struct splicer *s, const struct doc_node *there, const struct doc_node *now)
{
    struct doc_iter it = doc_children(now);
    struct doc_node *next = doc_first(there);

    for (int kind = 0; kind < KINDS; kind++) {
        str want = comment_of(now, kind);

        if (!is_new(s->known, want) || str_eq(want, comment_of(there, kind)))
            continue;
        if (kind == LINE)
            add_line(s, there, want);
        else
            add_head(s, there, want);
    }
    while (doc_next(&it)) {
        const struct doc_node *child = doc_is_map(there) ? doc_get(there, it.key) : next;

        if (child)
            compare(s, child, it.value);
        if (next)
            next = next->next == doc_first(there) ? NULL : next->next;
    }
}

static int by_place(const void *a, const void *b)
{
    const struct splice *x = a, *y = b;

    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

static void put(const struct splice *s, struct buf *out)
{
    str rest = s->comment, line;

    if (!s->is_above) {
        buf_addf(out, " %.*s", STR_ARG(str_cut(s->comment, '\n', NULL)));
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
    }
    buf_add_str(out, str_from(s->text, at));
}

void fn_put_comments(const struct doc_node *old, const struct doc_node *now, struct buf *text)
{
    static const struct doc_parse_options options = {.dialect = DOC_KYAML, .flags = DOC_COMMENTS};
    AUTO(map_done) struct map known = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(doc_list_done) struct doc_list roots = {0};
    AUTO(err_done) struct err ignored = {0};
    AUTO(buf_done) struct buf out = {0};
    struct splicer s = {.set = set, .known = &known};

    if (doc_parse_all(set, buf_view(text), &options, "document", &roots, &ignored) < 0 ||
        !roots.len)
        return;
    collect(old, &known);
    s.text = set->sources[roots.v[0]->source].text;
    compare(&s, roots.v[0], now);
    splice_all(&s, &out);
    vec_done(&s.splices);
    buf_clear(text);
    buf_add_str(text, buf_view(&out));
}
