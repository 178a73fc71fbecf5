#include "doc/yaml/scan.h"

#include "doc/yaml/comments_priv.h"

#define W CH_WORD | CH_URI
#define H CH_WORD | CH_URI | CH_HEX
#define I CH_INDICATOR
const uint8_t doc_yaml_class[256] = {
    ['\t'] = CH_BLANK,   [' '] = CH_BLANK,    ['\n'] = CH_BREAK,   ['\r'] = CH_BREAK,
    [0xC2] = CH_LEAD,    [0xE2] = CH_LEAD,    ['0' ... '9'] = H,   ['a' ... 'f'] = H,
    ['A' ... 'F'] = H,   ['g' ... 'z'] = W,   ['G' ... 'Z'] = W,   ['_'] = W,
    ['-'] = W | I,       ['?'] = CH_URI | I,  [':'] = CH_URI | I,  ['&'] = CH_URI | I,
    ['*'] = CH_URI | I,  ['!'] = CH_URI | I,  ['\''] = CH_URI | I, ['%'] = CH_URI | I,
    ['@'] = CH_URI | I,  [';'] = CH_URI,      ['/'] = CH_URI,      ['='] = CH_URI,
    ['+'] = CH_URI,      ['$'] = CH_URI,      ['.'] = CH_URI,      ['~'] = CH_URI,
    ['('] = CH_URI,      [')'] = CH_URI,      [','] = CH_FLOW | I, ['['] = CH_FLOW | I,
    [']'] = CH_FLOW | I, ['{'] = CH_FLOW | I, ['}'] = CH_FLOW | I, ['#'] = I,
    ['|'] = I,           ['>'] = I,           ['"'] = I,           ['`'] = I,
};
#undef W
#undef H
#undef I

/* ---- refusals */

/* Line and column are counted only now: nothing pays for them while all is well. */
static struct doc_yaml_mark mark_at(const struct scanner *s, uint32_t offset)
{
    struct doc_yaml_mark mark = {.offset = offset};
    const char *p = s->text, *end = s->text + offset;

    while (p < end) {
        size_t len = break_len(p);

        if (len) {
            p += len;
            mark.line++;
            mark.column = 0;
        } else {
            mark.column += (*p++ & 0xC0) != 0x80;
        }
    }
    if (s->at_new_line && end == s->end && mark.column) {
        mark.line++;
        mark.column = 0;
    }
    return mark;
}

bool parse_fail(struct scanner *s, const char *context, uint32_t context_at, const char *problem,
                uint32_t problem_at)
{
    *s->problem = (struct doc_yaml_problem){
        .problem = problem,
        .context = context,
        .problem_mark = mark_at(s, problem_at),
        .byte = s->text[problem_at],
    };
    if (context)
        s->problem->context_mark = mark_at(s, context_at);
    return false;
}

bool scan_fail(struct scanner *s, const char *context, const char *context_at, const char *problem)
{
    return parse_fail(s, context, at(s, context_at), problem, at(s, s->p));
}

/* ---- events */

bool scan_refuse_depth(struct scanner *s, uint32_t where)
{
    parse_fail(s, NULL, 0, "collections are nested too deeply", where);
    s->problem->is_depth = true;
    return true;
}

bool scan_send(struct scanner *s, const struct doc_yaml_event *ev)
{
    if ((ev->type == DOC_YAML_LIST_START || ev->type == DOC_YAML_MAP_START) &&
        scan_is_too_deep(s, ev->begin))
        return false;
    return s->sink->event(s->sink->ctx, ev) == 0;
}

bool send_empty(struct scanner *s, uint32_t where)
{
    return scan_send(s,
                     &(struct doc_yaml_event){
                         .type = DOC_YAML_SCALAR, .begin = where, .end = where, .content = where});
}

bool send_end(struct scanner *s, enum doc_yaml_event_type type, const struct token *t, uint32_t end,
              bool takes_comments)
{
    struct doc_yaml_event ev = {.type = type};

    ev.begin = ev.content = t->begin;
    ev.end = end;
    if (takes_comments)
        comments_give(s, &ev);
    return scan_send(s, &ev);
}

static void scanner_done(struct scanner *s)
{
    vec_done(&s->tokens);
    vec_done(&s->indents);
    vec_done(&s->keys);
    vec_done(&s->states);
    vec_done(&s->marks);
    vec_done(&s->tags);
    if (s->comments)
        comments_done(s->comments);
    buf_done(&s->scratch);
    buf_done(&s->blanks);
    buf_done(&s->first_break);
    buf_done(&s->breaks);
}
AUTO_VALUE(struct scanner, scanner_done)

/* libyaml decodes its input by blocks, each before anything in it is scanned: of a block with bad
 * bytes that refusal counts, whatever else is wrong in it. That the last character is cut short
 * shows only when the scanner, which looks up to four characters ahead, comes to it. */
static bool reader_wins(const struct scanner *s)
{
    enum { BLOCK = 16384, LOOK_AHEAD = 4 };

    if (!s->bad || !s->bad->problem)
        return false;
    if (strncmp(s->bad->problem, "incomplete", 10) == 0)
        return s->end - s->p < LOOK_AHEAD;
    return at(s, s->p) + LOOK_AHEAD > s->bad->reader_offset / BLOCK * BLOCK;
}

/* Whether the state is one that the short cut goes on from. */
static inline bool fast_begins(const struct scanner *s)
{
    return s->state == STATE_BLOCK_MAP_KEY || s->state == STATE_BLOCK_LIST_ENTRY ||
           s->state == STATE_INDENTLESS_ENTRY || s->state == STATE_DOC_CONTENT;
}

static int ignore_event(void *ctx, const struct doc_yaml_event *ev)
{
    (void)ctx, (void)ev;
    return 0;
}

/* With comments the scanner reads further ahead, and so may come upon another mistake first. */
static void find_first_problem(const struct doc_yaml_input *in, struct doc_yaml_problem *ret)
{
    struct doc_yaml_input again = *in;
    struct doc_yaml_sink nothing = {.event = ignore_event};

    again.has_comments = false;
    (void)doc_yaml_scan(&again, &nothing, ret);
}

int doc_yaml_scan(const struct doc_yaml_input *in, const struct doc_yaml_sink *sink,
                  struct doc_yaml_problem *ret)
{
    struct comments comments = {0};
    AUTO(scanner_done)
    struct scanner s = {
        .text = in->text.p,
        .p = in->text.p,
        .line = in->text.p,
        .end = in->text.p + in->text.len,
        .arena = in->arena,
        .sink = sink,
        .bad = in->bad,
        .problem = ret,
        .indent = -1,
        .max_depth = in->max_depth,
        .is_go = in->is_go,
        .comments = in->has_comments ? &comments : NULL,
    };
    bool is_good = true;

    *ret = (struct doc_yaml_problem){0};
    while (is_good && s.state != STATE_END)
        is_good = (in->is_slow || in->has_comments || !fast_begins(&s) || fast_lines(&s)) &&
                  parse_step(&s);
    if (reader_wins(&s) && (is_good || ret->problem)) {
        *ret = *s.bad;
        return -1;
    }
    if (!is_good && ret->problem && in->has_comments)
        find_first_problem(in, ret);
    return is_good ? 0 : -1;
}
