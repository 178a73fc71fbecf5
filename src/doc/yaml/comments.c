#include "doc/yaml/comments_priv.h"

enum { LOOK_AHEAD = 512 }; /* bytes of white space that go-yaml looks over */

void comments_done(struct comments *c)
{
    vec_done(&c->v);
    buf_done(&c->text);
}

static void add(struct scanner *s, struct comment comment)
{
    struct comments *c = s->comments;

    if (c->next == c->v.len)
        c->next = c->v.len = 0;
    comment.text = arena_dup(s->arena, buf_view(&c->text));
    buf_clear(&c->text);
    vec_push(&c->v, comment);
}

/* Bytes of the line break that ends before p, 0 when there is none. */
static size_t break_before(const struct scanner *s, const char *p)
{
    size_t len = (size_t)(p - s->text);

    if (len >= 2 && p[-1] == '\n' && p[-2] == '\r')
        return 2;
    if (len >= 1 && ch_is(p - 1, CH_BREAK))
        return 1;
    if (len >= 2 && (uint8_t)p[-1] == 0x85 && break_len(p - 2) == 2)
        return 2;
    return len >= 3 && ((uint8_t)p[-1] & 0xFE) == 0xA8 && break_len(p - 3) == 3 ? 3 : 0;
}

/* Line breaks since the last byte before p that is no white space. */
static uint32_t breaks_before(const struct scanner *s, const char *p)
{
    uint32_t count = 0;
    size_t len;

    for (;;) {
        while (p > s->text && ch_is(p - 1, CH_BLANK))
            p--;
        len = break_before(s, p);
        if (len == 0)
            return count;
        count++;
        p -= len;
    }
}

/* Adds the comment at p and moves the scanner to the end of its line. */
static void read_line(struct scanner *s, const char *p)
{
    const char *end = p;

    while (s->p < p) {
        if (break_len(s->p))
            skip_line(s);
        else
            s->p++;
    }
    while (!is_breakz(end))
        end++;
    buf_add(&s->comments->text, p, (size_t)(end - p));
    s->p = end;
}

struct comment_scan comments_scan_begin(const struct scanner *s)
{
    return (struct comment_scan){at(s, s->p), s->line_number};
}

void comments_behind(struct scanner *s, uint32_t token)
{
    const char *p = s->p;
    bool has_tab = false;

    if (breaks_before(s, s->p) > 0)
        return;
    for (; ch_is(p, CH_BLANK) && p - s->p < LOOK_AHEAD; p++)
        has_tab |= *p == '\t';
    /* Where a tab may not stand, it is for the scanner to say so. */
    if (*p != '#' || p - s->p >= LOOK_AHEAD || (has_tab && !s->flow_level && s->is_key_allowed))
        return;
    struct comment comment = {.token = token, .line = s->line_number, .kind = COMMENT_LINE};

    comment.column = (uint32_t)(p - s->line);
    read_line(s, p);
    add(s, comment);
}

/* ---- comments before a token */

struct gathering {
    struct comment comment; /* the one being put together; its text is in the buffer */
    int32_t next_indent;
    uint32_t line, column; /* column from 1 */
    uint32_t foot_line;    /* a comment that begins here may be the foot of what stood before */
    bool may_be_foot;      /* no empty line so far */
    bool was_empty;        /* the line before */
    bool is_behind_colon;
};

static bool is_dedented(const struct gathering *g)
{
    return (int32_t)g->comment.column - 1 < g->next_indent;
}

static void add_foot(struct scanner *s, struct gathering *g, const char *p)
{
    struct comment next = {.scanned = at(s, p), .token = at(s, p)};

    g->comment.kind = COMMENT_FOOT;
    g->comment.end = at(s, p);
    add(s, g->comment);
    next.start = g->comment.start;
    next.line = g->comment.line;
    next.column = g->comment.column;
    g->comment = next;
}

/* An empty line, or the end of a flow collection or of the text: it may tell a foot from a head. */
static void end_piece(struct scanner *s, struct gathering *g, const char *p, bool closes)
{
    struct buf *text = &s->comments->text;
    bool is_foot = g->may_be_foot &&
                   ((g->comment.line == g->foot_line && !g->is_behind_colon) || is_dedented(g));

    if (text->len == 0)
        return;
    if (closes || is_foot) {
        if (is_dedented(g)) /* it has nothing to do with the token before */
            g->comment.token = g->comment.start;
        add_foot(s, g, p);
    } else if (p < s->end) {
        buf_add_char(text, '\n');
    }
}

static int32_t indent_of(const struct scanner *s) { return MAX(s->indent, 0); }

/* The token that a foot belongs to. */
static const struct token *token_before(const struct scanner *s)
{
    const struct token *t = &vec_last(&s->tokens);

    return t->type == TOKEN_FLOW_ENTRY && s->tokens.len > 1 ? t - 1 : t;
}

static struct gathering gathering_begin(const struct scanner *s, struct comment_scan scan)
{
    uint32_t breaks = breaks_before(s, s->p);
    const struct token *before = token_before(s);
    struct gathering g = {
        .comment = {.token = before->is_moved ? before->moved_to : before->begin,
                    .scanned = scan.at},
        .next_indent = indent_of(s),
        .line = s->line_number,
        .column = (uint32_t)column(s),
        .foot_line = UINT32_MAX,
        .may_be_foot = breaks <= 1,
        .is_behind_colon = before->type == TOKEN_VALUE,
    };

    if (scan.line > 0)
        g.foot_line = s->line_number - breaks + 1 + (breaks == 0 && column(s) > 1);
    return g;
}

/* Takes the comment line at p; the scan goes on behind the break that ends it. */
static void take_line(struct scanner *s, struct gathering *g, const char *p)
{
    struct buf *text = &s->comments->text;

    if (text->len == 0) {
        g->comment.start = at(s, p);
        g->comment.line = g->line;
        g->comment.column = g->column;
    } else {
        buf_add_char(text, '\n');
    }
    g->was_empty = false;
    read_line(s, p);
    g->column = 0;
    g->line = s->line_number;
    g->next_indent = indent_of(s);
}

void comments_ahead(struct scanner *s, struct comment_scan scan)
{
    struct gathering g = gathering_begin(s, scan);
    struct buf *text = &s->comments->text;

    for (size_t ahead = 0; ahead < LOOK_AHEAD; ahead++) {
        const char *p = MIN(s->p + ahead, s->end);
        bool closes = s->flow_level > 0 && (*p == ']' || *p == '}');

        g.column++;
        if (ch_is(p, CH_BLANK))
            continue;
        if (closes || is_breakz(p)) {
            if (closes || !g.was_empty)
                end_piece(s, &g, p, closes);
            if (!break_len(p))
                break;
            g.may_be_foot = false;
            g.was_empty = true;
            g.column = 0;
            g.line++;
            continue;
        }
        if (text->len && (int32_t)g.column - 1 < g.next_indent && g.column != g.comment.column)
            add_foot(s, &g, p); /* another indentation: it belongs to what stood before */
        if (*p != '#')
            break;
        take_line(s, &g, p);
        ahead = 0;
    }
    if (text->len) {
        g.comment.token = g.comment.start;
        g.comment.end = at(s, s->p);
        g.comment.kind = COMMENT_HEAD;
        add(s, g.comment);
    }
}

/* ---- placing */

void comments_adjust(struct scanner *s)
{
    struct comments *c = s->comments;
    size_t count = s->tokens.len;
    struct comment *last;

    if (c->next == c->v.len || count < 2 || break_len(s->p) ||
        s->tokens.v[count - 2].type != TOKEN_BLOCK_LIST ||
        s->tokens.v[count - 1].type != TOKEN_BLOCK_ENTRY)
        return;
    last = &vec_last(&c->v);
    if (last->kind != COMMENT_LINE)
        return;
    last->kind = COMMENT_HEAD;
    if (last->line + 1 == s->line_number)
        last->token = at(s, s->p);
}

void comments_block_end(struct scanner *s, int64_t *at)
{
    struct comments *c = s->comments;
    int64_t stop = *at;

    for (size_t i = c->v.len; i > c->next; i--) {
        const struct comment *comment = &c->v.v[i - 1];

        if (comment->end < stop)
            break;
        if ((int32_t)comment->column == s->indent + 1)
            *at = comment->start;
        stop = comment->scanned;
    }
}

static void join(struct scanner *s, str *to, str text)
{
    *to = to->len ? arena_printf(s->arena, "%.*s\n%.*s", STR_ARG(*to), STR_ARG(text)) : text;
}

void comments_take(struct scanner *s, const struct token *t)
{
    struct comments *c = s->comments;
    int64_t begin = t->is_moved ? t->moved_to : t->begin;

    for (; c->next < c->v.len; c->next++) {
        const struct comment *comment = &c->v.v[c->next];

        if (begin < comment->token || (comment->kind == COMMENT_HEAD && t->type == TOKEN_BLOCK_END))
            return;
        join(s,
             comment->kind == COMMENT_HEAD   ? &c->now.head
             : comment->kind == COMMENT_LINE ? &c->now.line
                                             : &c->now.foot,
             comment->text);
    }
}

/* ---- events */

static void give(struct scanner *s, struct doc_yaml_event *ev, struct doc_yaml_comments comments)
{
    struct doc_yaml_comments *copy;

    if (!comments.head.len && !comments.line.len && !comments.foot.len)
        return;
    copy = ARENA_NEW(s->arena, struct doc_yaml_comments);
    *copy = comments;
    ev->comments = copy;
}

void comments_give(struct scanner *s, struct doc_yaml_event *ev)
{
    struct comments *c = s->comments;

    if (!c)
        return;
    if (ev->type == DOC_YAML_DOC_END && c->now.foot.len == 0) {
        c->now.foot = c->now.head;
        c->now.head = STR_NONE;
    }
    give(s, ev, c->now);
    c->now = (struct doc_yaml_comments){0};
    c->stem = STR_NONE;
}

void comments_give_stem(struct scanner *s, struct doc_yaml_event *ev)
{
    if (!s->comments)
        return;
    give(s, ev, (struct doc_yaml_comments){.head = s->comments->stem});
    s->comments->stem = STR_NONE;
}

bool comments_split_stem(struct scanner *s, size_t head_len)
{
    struct comments *c = s->comments;
    const struct token *t;

    if (!c || head_len == 0)
        return true;
    t = token_peek(s);
    if (!t)
        return false;
    if (t->type != TOKEN_BLOCK_LIST && t->type != TOKEN_BLOCK_MAP)
        return true;
    c->stem = str_sub(c->now.head, 0, head_len);
    c->now.head = str_from(c->now.head, MIN(head_len + 1, c->now.head.len));
    return true;
}

void comments_give_document(struct scanner *s, struct doc_yaml_event *ev)
{
    struct comments *c = s->comments;
    str head;

    if (!c)
        return;
    head = c->now.head;
    for (size_t i = head.len; i > 1; i--) {
        if (head.p[i - 1] != '\n' || (i != head.len && head.p[i - 2] != '\n'))
            continue;
        give(s, ev,
             (struct doc_yaml_comments){.head = str_sub(head, 0, i == head.len ? i - 1 : i - 2)});
        c->now.head = str_from(head, i);
        return;
    }
}
