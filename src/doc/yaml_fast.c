/* The short cut for what most files consist of: block maps and lists of scalars, a line each. It
 * takes whole lines while they have shapes it knows and leaves the scanner as the parser would be
 * at the first thing it does not know; what it takes is right in itself, so refusals come from the
 * parser alone. */
#include "doc/yaml_priv.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { KEY_MAX = 1024 }; /* bytes; libyaml counts characters, and here one is one */

enum taken { TAKEN, STOPPED, FAILED };

/* ---- finding ends */

/* Bytes a plain scalar may begin with here; '-' needs a look at what follows. */
static const bool begins[256] = {
    ['0' ... '9'] = true, ['a' ... 'z'] = true, ['A' ... 'Z'] = true, ['_'] = true,  ['/'] = true,
    ['.'] = true,         ['<'] = true,         ['='] = true,         ['~'] = true,  ['('] = true,
    ['+'] = true,         ['$'] = true,         ['^'] = true,         ['\\'] = true,
};

static inline bool begins_value(const char *p)
{
    return begins[(uint8_t)*p] || (*p == '-' && p[1] > ' ');
}

static inline bool is_entry(const char *p) { return *p == '-' && (p[1] == ' ' || p[1] == '\n'); }

/* Whether a line that begins so may be one of ours. */
static inline bool begins_line(const char *p)
{
    return begins[(uint8_t)*p] || is_entry(p) || *p == '"' || *p == '\'';
}

static inline const char *skip_spaces(const char *p, const char *end)
{
#ifdef __SSE2__
    if (LIKELY(end - p >= 16)) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
        unsigned mask = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(' '))) ^ 0xFFFF;

        if (LIKELY(mask))
            return p + __builtin_ctz(mask);
        p += 16;
    }
#endif
    while (*p == ' ')
        p++;
    return p;
}

/* The first byte that is ':', a blank, a control character or no ASCII. */
static inline const char *find_stop(const char *p, const char *end)
{
#ifdef __SSE2__
    const __m128i low = _mm_set1_epi8('!'), colon = _mm_set1_epi8(':');

    for (; end - p >= 16; p += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
        unsigned mask = (unsigned)_mm_movemask_epi8(
            _mm_or_si128(_mm_cmplt_epi8(v, low), _mm_cmpeq_epi8(v, colon)));

        if (mask)
            return p + __builtin_ctz(mask);
    }
#endif
    while ((signed char)*p > ' ' && *p != ':')
        p++;
    return p;
}

static inline bool is_colon(const char *p) { return *p == ':' && (p[1] == ' ' || p[1] == '\n'); }

/* The first byte from p on that is the quote, a backslash, a control character or no ASCII. */
static inline const char *find_in_quotes(const char *p, const char *end, char quote)
{
#ifdef __SSE2__
    const __m128i low = _mm_set1_epi8(' '), close = _mm_set1_epi8(quote),
                  slash = _mm_set1_epi8('\\');

    for (; end - p >= 16; p += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
        unsigned mask = (unsigned)_mm_movemask_epi8(
            _mm_or_si128(_mm_or_si128(_mm_cmplt_epi8(v, low), _mm_cmpeq_epi8(v, close)),
                         _mm_cmpeq_epi8(v, slash)));

        if (mask)
            return p + __builtin_ctz(mask);
    }
#endif
    while ((signed char)*p >= ' ' && *p != quote && *p != '\\')
        p++;
    return p;
}

/* The ':' behind the key in quotes at p, which may have escapes in it. */
static const char *quoted_key_end(const char *p, const char *end)
{
    char quote = *p;

    for (p = find_in_quotes(p + 1, end, quote); (signed char)*p >= ' ';
         p = find_in_quotes(p + 1, end, quote)) {
        bool is_escape = *p == '\\' && quote == '"' && (signed char)p[1] >= ' ';

        if (is_escape || (*p == quote && quote == '\'' && p[1] == quote))
            p++;
        else if (*p == quote)
            return is_colon(p + 1) ? p + 1 : NULL;
    }
    return NULL;
}

/* The ':' behind the key at p; NULL when the line has another shape. */
static inline const char *key_end(const char *p, const char *end)
{
    const char *key = p;

    if (!begins[(uint8_t)*p]) {
        if (*p != '"' && *p != '\'')
            return NULL;
        p = quoted_key_end(p, end);
        return p && p - key <= KEY_MAX ? p : NULL;
    }
    for (p = find_stop(p, end); *p == ':'; p = find_stop(p + 1, end))
        if (is_colon(p))
            return p - key <= KEY_MAX ? p : NULL;
    return NULL;
}

/* The next content behind the line feed at p, and the line it is on; NULL when it continues a plain
 * scalar that ended there, or might. */
static inline const char *next_content(const struct scanner *s, const char *p,
                                       const char **ret_line)
{
    const char *line;

    do {
        line = p + 1;
        p = skip_spaces(line, s->end);
    } while (*p == '\n');
    *ret_line = line;
    if (UNLIKELY(*p == '\t' || *p == '\r' || ch_is(p, CH_LEAD) ||
                 (p - line > s->indent && *p != '#' && *p != '\0')))
        return NULL;
    return p;
}

/* The line feed where the plain scalar at p may end; NULL when the line has another shape. */
static inline const char *plain_end(const char *p, const char *end)
{
    for (;;) {
        p = find_stop(p, end);
        if (LIKELY(*p == '\n'))
            return p;
        if (*p == ':') {
            if ((signed char)*++p <= ' ')
                return NULL;
        } else {
            if (*p != ' ')
                return NULL;
            p = skip_spaces(p, end);
            if (*p == '#' || *p == '\n')
                return NULL;
        }
    }
}

/* The quote that ends the quoted scalar at p, if it is on the line, has no escapes and nothing but
 * a comment follows; else NULL. */
static inline const char *quoted_end(const struct scanner *s, const char *p)
{
    char quote = *p;
    const char *behind;

    p = find_in_quotes(p + 1, s->end, quote);
    if (*p != quote || p[1] == quote)
        return NULL;
    behind = skip_spaces(p + 1, s->end);
    return *behind == '\n' || *behind == '#' ? p : NULL;
}

/* ---- moving */

static const char *comment_end(const char *p)
{
    while (*p && !ch_is(p, CH_BREAK | CH_LEAD))
        p++;
    return p;
}

/* To the next content if it is on a line of its own; false when it is not, or something odd comes
 * first. Stops as the scanner would, only sooner. */
static inline bool to_line(struct scanner *s)
{
    const char *p = s->p;

    for (;;) {
        p = skip_spaces(p, s->end);
        if (UNLIKELY(*p == '#')) {
            const char *stop = comment_end(p);

            if (*stop != '\n')
                break;
            p = stop;
        }
        if (*p != '\n')
            break;
        s->line = ++p;
        s->is_key_allowed = true;
    }
    s->p = p;
    return s->is_key_allowed;
}

/* The scanner's part of opening a block collection. */
static void enter_block(struct scanner *s, enum doc_type type, const char *where)
{
    vec_push(&s->marks, at(s, where));
    vec_push(&s->indents, s->indent);
    s->indent = (int32_t)(where - s->line);
    s->state = type == DOC_LIST ? STATE_BLOCK_LIST_ENTRY : STATE_BLOCK_MAP_KEY;
}

static bool open_block(struct scanner *s, enum doc_type type, const char *where)
{
    struct doc_yaml_event ev = {.type =
                                    type == DOC_LIST ? DOC_YAML_LIST_START : DOC_YAML_MAP_START};

    ev.begin = ev.end = ev.content = at(s, where);
    if (!scan_send(s, &ev))
        return false;
    enter_block(s, type, where);
    return true;
}

/* Closes what ends before a line that begins at column col. */
static inline bool close_blocks(struct scanner *s, int32_t col)
{
    for (;;) {
        struct doc_yaml_event ev = {.type = DOC_YAML_LIST_END};

        if (s->state == STATE_INDENTLESS_ENTRY) {
            if (col > s->indent || (col == s->indent && is_entry(s->p)))
                return true;
        } else if (col >= s->indent ||
                   (s->state != STATE_BLOCK_MAP_KEY && s->state != STATE_BLOCK_LIST_ENTRY)) {
            return true;
        } else {
            s->marks.len--;
            s->indent = s->indents.v[--s->indents.len];
        }
        if (s->state == STATE_BLOCK_MAP_KEY)
            ev.type = DOC_YAML_MAP_END;
        ev.begin = ev.end = ev.content = at(s, s->p);
        state_pop(s);
        if (!scan_send(s, &ev))
            return false;
    }
}

/* ---- taking */

static bool send_text(struct scanner *s, str value, enum doc_style style, uint32_t begin,
                      uint32_t end)
{
    struct doc_yaml_event ev = {.type = DOC_YAML_SCALAR, .style = style, .value = value};

    ev.begin = ev.content = begin;
    ev.end = end;
    return scan_send(s, &ev);
}

static bool send_key(struct scanner *s, const struct doc_yaml_entry *e)
{
    return send_text(s, e->key, e->key_style, e->key_begin, e->key_end);
}

static bool send_both(struct scanner *s, const struct doc_yaml_entry *e)
{
    struct doc_yaml_event ev = {.type = DOC_YAML_SCALAR, .style = e->style, .value = e->value};

    if (e->type != DOC_STRING)
        ev.type = e->type == DOC_LIST ? DOC_YAML_LIST_START : DOC_YAML_MAP_START;
    ev.begin = ev.content = e->begin;
    ev.end = e->end - (e->style == DOC_FLOW);
    if (!send_key(s, e) || !scan_send(s, &ev))
        return false;
    if (e->style != DOC_FLOW)
        return true;
    ev = (struct doc_yaml_event){.type = e->type == DOC_LIST ? DOC_YAML_LIST_END : DOC_YAML_MAP_END,
                                 .end = e->end};
    ev.begin = ev.content = e->end - 1;
    return scan_send(s, &ev);
}

static inline bool send_entry(struct scanner *s, const struct doc_yaml_entry *e)
{
    if (LIKELY(s->sink->entry != NULL))
        return s->sink->entry(s->sink->ctx, e) == 0;
    return send_both(s, e);
}

/* A key with the block collection that opens at p. */
static bool send_open(struct scanner *s, struct doc_yaml_entry *e, enum doc_type type)
{
    e->type = type;
    e->style = DOC_PLAIN;
    e->value = STR_NONE;
    e->begin = e->end = at(s, s->p);
    e->end += s->state == STATE_INDENTLESS_ENTRY; /* libyaml shows the '-' as its begin there */
    return !scan_is_too_deep(s, e->begin) && send_entry(s, e);
}

/* The key from begin to the ':'; false when it has a wrong escape. */
static inline bool read_key(struct scanner *s, const char *begin, const char *colon,
                            struct doc_yaml_entry *e)
{
    struct token t;

    e->key_begin = at(s, begin);
    e->key_end = at(s, colon);
    e->key = str_range(begin, colon);
    e->key_style = DOC_PLAIN;
    if (LIKELY(*begin != '"' && *begin != '\''))
        return true;
    e->key_style = *begin == '"' ? DOC_DOUBLE : DOC_SINGLE;
    e->key = str_range(begin + 1, colon - 1);
    if (LIKELY(find_in_quotes(begin + 1, s->end, *begin) == colon - 1))
        return true;
    s->p = begin;
    if (!scan_flow_scalar(s, &t))
        return false;
    e->key = t.value;
    return true;
}

/* The parser goes on behind the ':'. */
static enum taken stop_behind(struct scanner *s, const struct doc_yaml_entry *e)
{
    if (!send_key(s, e))
        return FAILED;
    s->state = STATE_BLOCK_MAP_AFTER_COLON;
    s->after_colon = e->key_end + 1;
    return STOPPED;
}

/* The value of a key that ends its line, from the lines below. */
static enum taken take_below(struct scanner *s, struct doc_yaml_entry *e)
{
    bool is_right = to_line(s) && begins_line(s->p);
    enum doc_type type = is_right && is_entry(s->p) ? DOC_LIST : DOC_MAP;
    int32_t col = column(s);

    if (!is_right)
        return stop_behind(s, e);
    if (col < s->indent || (col == s->indent && type == DOC_MAP))
        return send_key(s, e) && send_empty(s, e->key_end + 1) ? TAKEN : FAILED;
    if (col > s->indent && type == DOC_MAP && !key_end(s->p, s->end))
        return stop_behind(s, e);
    state_push(s, STATE_BLOCK_MAP_KEY);
    if (col == s->indent) {
        s->state = STATE_INDENTLESS_ENTRY;
        return send_open(s, e, type) ? TAKEN : FAILED;
    }
    if (!send_open(s, e, type))
        return FAILED;
    enter_block(s, type, s->p);
    return TAKEN;
}

/* What stands at p as a scalar that ends with the line; false when it has another shape. Behind a
 * plain one the scanner is at the next content already, as it had to be looked at. */
static inline bool find_scalar(struct scanner *s, const char *p, struct doc_yaml_entry *e)
{
    const char *end, *line;

    e->type = DOC_STRING;
    e->begin = at(s, p);
    if (begins_value(p)) {
        const char *next;

        end = plain_end(p, s->end);
        if (!end || !(next = next_content(s, end, &line)))
            return false;
        e->value = str_range(p, end);
        e->style = DOC_PLAIN;
        e->end = at(s, end);
        s->p = next;
        s->line = line;
        s->is_key_allowed = true;
        return true;
    }
    if ((*p != '"' && *p != '\'') || !(end = quoted_end(s, p)))
        return false;
    e->value = str_range(p + 1, end);
    e->style = *p == '"' ? DOC_DOUBLE : DOC_SINGLE;
    s->p = end + 1;
    e->end = at(s, s->p);
    s->is_key_allowed = false;
    return true;
}

static bool is_empty_flow(const char *p)
{
    return ((p[0] == '{' && p[1] == '}') || (p[0] == '[' && p[1] == ']')) && p[2] == '\n';
}

static enum taken take_empty_flow(struct scanner *s, const char *p, struct doc_yaml_entry *e)
{
    e->type = *p == '{' ? DOC_MAP : DOC_LIST;
    e->style = DOC_FLOW;
    e->value = STR_NONE;
    e->begin = at(s, p);
    e->end = e->begin + 2;
    s->p = p + 2;
    return !scan_is_too_deep(s, e->begin) && send_entry(s, e) ? TAKEN : FAILED;
}

/* Behind a scalar of a flow list that needs no care: a word, or a text in quotes; else NULL. */
static inline const char *flow_item_end(const struct scanner *s, const char *p)
{
    static const bool words[256] = {
        ['0' ... '9'] = true, ['a' ... 'z'] = true, ['A' ... 'Z'] = true, ['_'] = true,
        ['/'] = true,         ['.'] = true,         ['-'] = true,
    };
    const char *begin = p;

    if (*p == '"' || *p == '\'') {
        p = find_in_quotes(p + 1, s->end, *begin);
        return *p == *begin && p[1] != *begin ? p + 1 : NULL;
    }
    while (words[(uint8_t)*p])
        p++;
    return p > begin && *begin != '-' ? p : NULL;
}

/* The ']' of the flow list at p when it holds such scalars alone and the line ends there; else
 * NULL. */
static const char *flow_list_end(const struct scanner *s, const char *p)
{
    do {
        p = flow_item_end(s, skip_spaces(p + 1, s->end));
        if (!p)
            return NULL;
        p = skip_spaces(p, s->end);
    } while (*p == ',');
    return *p == ']' && p[1] == '\n' ? p : NULL;
}

static enum taken take_flow_list(struct scanner *s, const char *p, const char *close,
                                 const struct doc_yaml_entry *e)
{
    struct doc_yaml_event ev = {.type = DOC_YAML_LIST_START, .style = DOC_FLOW};

    ev.begin = ev.content = at(s, p);
    ev.end = ev.begin + 1;
    if (scan_is_too_deep(s, ev.begin) || !send_key(s, e) || !scan_send(s, &ev))
        return FAILED;
    while (p < close) {
        const char *begin = skip_spaces(p + 1, s->end), *end = flow_item_end(s, begin);
        bool is_plain = *begin != '"' && *begin != '\'';
        enum doc_style style = is_plain ? DOC_PLAIN : *begin == '"' ? DOC_DOUBLE : DOC_SINGLE;

        if (!send_text(s, str_range(begin + !is_plain, end - !is_plain), style, at(s, begin),
                       at(s, end)))
            return FAILED;
        p = skip_spaces(end, s->end);
    }
    ev = (struct doc_yaml_event){.type = DOC_YAML_LIST_END, .end = at(s, close) + 1};
    ev.begin = ev.content = at(s, close);
    s->p = close + 1;
    return scan_send(s, &ev) ? TAKEN : FAILED;
}

static inline enum taken take_entry(struct scanner *s, const char *begin, const char *colon)
{
    const char *p = colon[1] == ' ' && colon[2] > ' ' ? colon + 2 : skip_spaces(colon + 1, s->end);
    const char *close;
    struct doc_yaml_entry e;

    if (!read_key(s, begin, colon, &e))
        return FAILED;
    if (LIKELY(find_scalar(s, p, &e)))
        return send_entry(s, &e) ? TAKEN : FAILED;
    s->is_key_allowed = false;
    if (*p == '\n') {
        s->p = p;
        return take_below(s, &e);
    }
    if (is_empty_flow(p))
        return take_empty_flow(s, p, &e);
    if (*p == '[' && (close = flow_list_end(s, p)))
        return take_flow_list(s, p, close, &e);
    s->p = colon + 1;
    return stop_behind(s, &e);
}

/* "- ": a scalar, or a map whose first key is on the line. */
static enum taken take_item(struct scanner *s)
{
    const char *p = skip_spaces(s->p + 1, s->end), *colon = key_end(p, s->end);
    enum parse_state state = s->state;
    struct doc_yaml_entry e;

    if (colon) {
        state_push(s, state);
        return open_block(s, DOC_MAP, p) ? take_entry(s, p, colon) : FAILED;
    }
    if (!find_scalar(s, p, &e))
        return STOPPED;
    return send_text(s, e.value, e.style, e.begin, e.end) ? TAKEN : FAILED;
}

static enum taken take_root(struct scanner *s)
{
    enum doc_type type = is_entry(s->p) ? DOC_LIST : DOC_MAP;

    if (type == DOC_MAP && !key_end(s->p, s->end))
        return STOPPED;
    return open_block(s, type, s->p) ? TAKEN : FAILED;
}

/* "---" on a line of its own behind a document that has ended. */
static enum taken take_marker(struct scanner *s)
{
    struct doc_yaml_event ev = {.type = DOC_YAML_DOC_END, .is_implicit = true};

    if (s->p[3] != '\n' || !close_blocks(s, -1))
        return s->p[3] != '\n' ? STOPPED : FAILED;
    if (s->state != STATE_DOC_END)
        return STOPPED;
    ev.begin = ev.content = ev.end = at(s, s->p);
    s->tags.len = 0;
    if (!scan_send(s, &ev))
        return FAILED;
    ev.type = DOC_YAML_DOC_START;
    ev.is_implicit = false;
    ev.end += 3;
    s->p += 3;
    s->is_key_allowed = false;
    s->state = STATE_DOC_CONTENT;
    state_push(s, STATE_DOC_END);
    return scan_send(s, &ev) ? TAKEN : FAILED;
}

static inline enum taken take_line(struct scanner *s)
{
    const char *colon;
    int32_t col;

    if (!(s->is_key_allowed && begins_line(s->p)) && !to_line(s))
        return STOPPED;
    col = column(s);
    if (LIKELY(col == s->indent && s->state == STATE_BLOCK_MAP_KEY)) {
        colon = key_end(s->p, s->end);
        if (LIKELY(colon != NULL))
            return take_entry(s, s->p, colon);
    }
    if (!begins_line(s->p))
        return s->p == s->line && strncmp(s->p, "---", 3) == 0 ? take_marker(s) : STOPPED;
    if (!close_blocks(s, col))
        return FAILED;
    if (s->state == STATE_DOC_CONTENT)
        return take_root(s);
    if (col != s->indent)
        return STOPPED;
    if (s->state == STATE_BLOCK_MAP_KEY) {
        colon = key_end(s->p, s->end);
        return colon ? take_entry(s, s->p, colon) : STOPPED;
    }
    if (!is_entry(s->p) || s->p[1] != ' ' ||
        (s->state != STATE_BLOCK_LIST_ENTRY && s->state != STATE_INDENTLESS_ENTRY))
        return STOPPED;
    return take_item(s);
}

bool fast_lines(struct scanner *s)
{
    enum taken taken;

    if (s->head < s->tokens.len || s->flow_level || vec_last(&s->keys).is_possible)
        return true;
    do
        taken = take_line(s);
    while (taken == TAKEN);
    return taken != FAILED;
}
