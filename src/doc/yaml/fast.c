/* The short cut for what most files consist of: block maps and lists of scalars, a line each. It
 * takes whole lines while they have shapes it knows and leaves the scanner as the parser would be
 * at the first thing it does not know; what it takes is right in itself, so refusals come from the
 * parser alone. */
#include "doc/yaml/find_priv.h"

enum taken { TAKEN, STOPPED, FAILED };

/* key_end where it is not asked for each line. */
static __attribute__((noinline)) const char *find_colon(const char *p, const char *end)
{
    return key_end(p, end);
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

static bool send_start(struct scanner *s, enum doc_yaml_event_type type, uint32_t where)
{
    struct doc_yaml_event ev = {.type = type, .begin = where, .end = where, .content = where};

    return scan_send(s, &ev);
}

static bool open_block(struct scanner *s, enum doc_type type, const char *where)
{
    if (!send_start(s, type == DOC_LIST ? DOC_YAML_LIST_START : DOC_YAML_MAP_START, at(s, where)))
        return false;
    enter_block(s, type, where);
    return true;
}

static __attribute__((noinline)) bool send_end_event(struct scanner *s, enum doc_type type,
                                                     uint32_t where)
{
    struct doc_yaml_event ev = {.type = type == DOC_LIST ? DOC_YAML_LIST_END : DOC_YAML_MAP_END};

    ev.begin = ev.end = ev.content = where;
    return scan_send(s, &ev);
}

static inline bool send_close(struct scanner *s, enum doc_type type)
{
    if (LIKELY(s->sink->close != NULL))
        return s->sink->close(s->sink->ctx, type, at(s, s->p)) == 0;
    return send_end_event(s, type, at(s, s->p));
}

/* Closes what ends before a line that begins at column col. */
static inline bool close_blocks(struct scanner *s, int32_t col)
{
    for (;;) {
        enum doc_type type = DOC_LIST;

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
            type = DOC_MAP;
        state_pop(s);
        if (!send_close(s, type))
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

static bool send_item(struct scanner *s, const struct doc_yaml_entry *e)
{
    if (LIKELY(s->sink->item != NULL))
        return s->sink->item(s->sink->ctx, e) == 0;
    if (e->type == DOC_MAP)
        return send_start(s, DOC_YAML_MAP_START, e->begin);
    return send_text(s, e->value, e->style, e->begin, e->end);
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
    ev.end = e->style == DOC_FLOW ? e->begin + 1 : e->end;
    if (!send_key(s, e) || !scan_send(s, &ev))
        return false;
    if (e->style != DOC_FLOW || e->is_open)
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

/* Takes the backslashes out of a key between double quotes, where they only stand before quotes and
 * backslashes; false when there are others. */
static bool drop_backslashes(struct scanner *s, str *key)
{
    char *out = arena_alloc(s->arena, key->len + 1), *to = out;

    for (const char *p = key->p, *end = p + key->len; p < end;) {
        const char *next = find_in_quotes(p, end, '"');

        memcpy(to, p, (size_t)(next - p));
        to += next - p;
        p = next;
        if (p == end)
            break;
        if (*p != '\\' || (p[1] != '"' && p[1] != '\\'))
            return false;
        *to++ = p[1];
        p += 2;
    }
    *to = '\0';
    *key = str_range(out, to);
    return true;
}

/* The key in quotes at begin, with escapes; false when one is wrong. */
static bool read_escaped_key(struct scanner *s, const char *begin, struct doc_yaml_entry *e)
{
    struct token t;

    if (e->key_style == DOC_DOUBLE && drop_backslashes(s, &e->key))
        return true;
    s->p = begin;
    if (!scan_flow_scalar(s, &t))
        return false;
    e->key = t.value;
    return true;
}

/* The key from begin to the ':'; false when it has a wrong escape. */
static inline bool read_key(struct scanner *s, const char *begin, const char *colon,
                            struct doc_yaml_entry *e)
{
    e->key_begin = at(s, begin);
    e->key_end = at(s, colon);
    e->key = str_range(begin, colon);
    e->key_style = DOC_PLAIN;
    if (LIKELY(!begins_quoted(begin)))
        return true;
    e->key_style = *begin == '"' ? DOC_DOUBLE : DOC_SINGLE;
    e->key = str_range(begin + 1, colon - 1);
    if (LIKELY(find_in_quotes(begin + 1, s->end, *begin) == colon - 1))
        return true;
    return read_escaped_key(s, begin, e);
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
    const char *colon;

    if (!is_right)
        return stop_behind(s, e);
    if (col < s->indent || (col == s->indent && type == DOC_MAP))
        return send_key(s, e) && send_empty(s, e->key_end + 1) ? TAKEN : FAILED;
    colon = type == DOC_MAP ? find_colon(s->p, s->end) : NULL;
    if (type == DOC_MAP && !colon)
        return stop_behind(s, e);
    state_push(s, STATE_BLOCK_MAP_KEY);
    if (col == s->indent) {
        s->state = STATE_INDENTLESS_ENTRY;
        return send_open(s, e, type) ? TAKEN : FAILED;
    }
    if (!send_open(s, e, type))
        return FAILED;
    enter_block(s, type, s->p);
    s->colon = colon;
    return TAKEN;
}

/* What stands at p as a scalar that ends with the line; false when it has another shape. If nothing
 * follows but the line's end the scanner is at the next content already, which had to be looked at
 * behind a plain one. */
static inline __attribute__((always_inline)) bool find_scalar(struct scanner *s, const char *p,
                                                              struct doc_yaml_entry *e)
{
    const char *end, *behind, *next, *line;

    e->type = DOC_STRING;
    e->begin = at(s, p);
    if (begins_value(p)) {
        end = plain_end(p, s->end);
        if (!end)
            return false;
        next = next_content(end, s->end, &line);
        if (UNLIKELY(may_continue(next, line, s->indent)))
            return false;
        e->value = str_range(p, end);
        e->style = DOC_PLAIN;
        e->end = at(s, end);
    } else {
        if (!begins_quoted(p) || !(end = quoted_end(p, s->end)))
            return false;
        e->value = str_range(p + 1, end);
        e->style = *p == '"' ? DOC_DOUBLE : DOC_SINGLE;
        e->end = at(s, end + 1);
        if (UNLIKELY(end[1] != '\n')) {
            behind = skip_spaces(end + 1, s->end);
            if (*behind != '\n' && *behind != '#')
                return false;
            s->p = end + 1;
            s->is_key_allowed = false;
            return true;
        }
        next = next_content(end + 1, s->end, &line);
    }
    s->p = next;
    s->line = line;
    s->is_key_allowed = true;
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
    e->is_open = false;
    s->p = p + 2;
    return !scan_is_too_deep(s, e->begin) && send_entry(s, e) ? TAKEN : FAILED;
}

/* ---- collections in flow style that stand on a line */

/* The levels that are not seen by the parser are not counted: none may be one too many. */
static inline bool has_room_for_flow(const struct scanner *s)
{
    return !s->max_depth || s->marks.len + MAX_FLOW < s->max_depth;
}

/* The scalar from p to end, the value of an entry or an item. */
static struct doc_yaml_entry flow_scalar(const struct scanner *s, const char *p, const char *end)
{
    bool is_plain = *p != '"' && *p != '\'';

    return (struct doc_yaml_entry){.type = DOC_STRING,
                                   .value = str_range(p + !is_plain, end - !is_plain),
                                   .style = is_plain    ? DOC_PLAIN
                                            : *p == '"' ? DOC_DOUBLE
                                                        : DOC_SINGLE,
                                   .begin = at(s, p),
                                   .end = at(s, end)};
}

static bool send_flow(struct scanner *s, enum doc_yaml_event_type type, const char *p)
{
    bool opens = type == DOC_YAML_MAP_START || type == DOC_YAML_LIST_START;
    struct doc_yaml_event ev = {.type = type, .style = opens ? DOC_FLOW : DOC_PLAIN};

    ev.begin = ev.content = at(s, p);
    ev.end = ev.begin + 1;
    return scan_send(s, &ev);
}

/* The key at p, and its value if that is a scalar. Returns what is behind; NULL: it failed. */
static const char *take_flow_key(struct scanner *s, const char *p)
{
    const char *end = flow_item_end(s, p), *value = skip_spaces(end + 1, s->end), *behind = value;
    struct doc_yaml_entry key = flow_scalar(s, p, end), e = key;

    if (!begins_flow(value)) {
        behind = flow_item_end(s, value);
        e = flow_scalar(s, value, behind);
    }
    e.key = key.value;
    e.key_style = key.style;
    e.key_begin = key.begin;
    e.key_end = key.end;
    return (begins_flow(value) ? send_key(s, &e) : send_entry(s, &e)) ? behind : NULL;
}

static const char *take_flow_item(struct scanner *s, const char *p)
{
    const char *end = flow_item_end(s, p);
    struct doc_yaml_entry e = flow_scalar(s, p, end);

    return send_item(s, &e) ? end : NULL;
}

/* The bracket at p; *maps has a bit a level, the innermost first. */
static bool take_bracket(struct scanner *s, const char *p, uint32_t *maps)
{
    bool opens = begins_flow(p), is_map = *p == '{' || *p == '}';

    *maps = opens ? *maps << 1 | is_map : *maps >> 1;
    if (is_map)
        return send_flow(s, opens ? DOC_YAML_MAP_START : DOC_YAML_MAP_END, p);
    return send_flow(s, opens ? DOC_YAML_LIST_START : DOC_YAML_LIST_END, p);
}

/* The parts of a collection from p to end, as flow_end has seen them. */
static bool send_flow_parts(struct scanner *s, const char *p, const char *end, bool is_map)
{
    uint32_t maps = is_map;

    while (p && p < end) {
        if (*p == ' ' || *p == ',')
            p++;
        else if (begins_flow(p) || *p == ']' || *p == '}')
            p = take_bracket(s, p, &maps) ? p + 1 : NULL;
        else
            p = maps & 1 ? take_flow_key(s, p) : take_flow_item(s, p);
    }
    return p != NULL;
}

/* The collection from p to end, as flow_end has seen it. */
static enum taken take_flow(struct scanner *s, const char *p, const char *end,
                            struct doc_yaml_entry *e)
{
    const char *last = end - 1;

    e->type = *p == '{' ? DOC_MAP : DOC_LIST;
    e->style = DOC_FLOW;
    e->value = STR_NONE;
    e->begin = at(s, p);
    e->end = at(s, end);
    e->is_open = true;
    s->p = end;
    if (!send_entry(s, e) || !send_flow_parts(s, p + 1, last, e->type == DOC_MAP))
        return FAILED;
    if (s->sink->close)
        return s->sink->close(s->sink->ctx, e->type, e->end) == 0 ? TAKEN : FAILED;
    return send_flow(s, e->type == DOC_MAP ? DOC_YAML_MAP_END : DOC_YAML_LIST_END, last) ? TAKEN
                                                                                         : FAILED;
}

static enum taken take_unusual(struct scanner *s, const char *p, struct doc_yaml_entry *e)
{
    const char *end;

    s->is_key_allowed = false;
    if (*p == '\n') {
        s->p = p;
        return take_below(s, e);
    }
    if (is_empty_flow(p))
        return take_empty_flow(s, p, e);
    end = begins_flow(p) && has_room_for_flow(s) ? flow_end(s, p, 0) : NULL;
    if (end && *end == '\n')
        return take_flow(s, p, end, e);
    s->p = s->text + e->key_end + 1;
    return stop_behind(s, e);
}

/* A key and what follows it. */
static inline __attribute__((always_inline)) enum taken
take_entry(struct scanner *s, const char *begin, const char *colon)
{
    const char *p = colon[1] == ' ' && colon[2] > ' ' ? colon + 2 : skip_spaces(colon + 1, s->end);
    struct doc_yaml_entry e;

    if (UNLIKELY(!read_key(s, begin, colon, &e)))
        return FAILED;
    if (LIKELY(find_scalar(s, p, &e)))
        return send_entry(s, &e) ? TAKEN : FAILED;
    return take_unusual(s, p, &e);
}

/* "- ": a scalar, or a map whose first key is on the line and comes next. */
static enum taken take_item(struct scanner *s)
{
    const char *p = skip_spaces(s->p + 1, s->end);
    enum parse_state state = s->state;
    struct doc_yaml_entry e;

    s->colon = find_colon(p, s->end);
    if (s->colon) {
        s->p = p;
        e = (struct doc_yaml_entry){.type = DOC_MAP, .begin = at(s, p), .end = at(s, p)};
        if (scan_is_too_deep(s, e.begin) || !send_item(s, &e))
            return FAILED;
        state_push(s, state);
        enter_block(s, DOC_MAP, p);
        return TAKEN;
    }
    if (!find_scalar(s, p, &e))
        return STOPPED;
    return send_item(s, &e) ? TAKEN : FAILED;
}

static enum taken take_root(struct scanner *s)
{
    enum doc_type type = is_entry(s->p) ? DOC_LIST : DOC_MAP;

    if (type == DOC_MAP && !find_colon(s->p, s->end))
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

/* A line that does not go on with the map of the one before. */
static enum taken take_other_line(struct scanner *s)
{
    int32_t col;

    if (!(s->is_key_allowed && begins_line(s->p)) && !to_line(s))
        return STOPPED;
    if (!begins_line(s->p))
        return s->p == s->line && strncmp(s->p, "---", 3) == 0 ? take_marker(s) : STOPPED;
    col = column(s);
    if (!close_blocks(s, col))
        return FAILED;
    if (s->state == STATE_DOC_CONTENT)
        return take_root(s);
    if (col != s->indent)
        return STOPPED;
    if (s->state == STATE_BLOCK_MAP_KEY) {
        s->colon = find_colon(s->p, s->end);
        return s->colon ? TAKEN : STOPPED;
    }
    if (!is_entry(s->p) || s->p[1] != ' ' ||
        (s->state != STATE_BLOCK_LIST_ENTRY && s->state != STATE_INDENTLESS_ENTRY))
        return STOPPED;
    return take_item(s);
}

static inline enum taken take_line(struct scanner *s)
{
    const char *colon = s->colon;

    if (colon) {
        s->colon = NULL;
        return take_entry(s, s->p, colon);
    }
    return take_other_line(s);
}

bool fast_lines(struct scanner *s)
{
    enum taken taken = TAKEN;

    if (s->head < s->tokens.len || s->flow_level || vec_last(&s->keys).is_possible)
        return true;
    while (taken == TAKEN) {
        if (!s->colon && s->is_key_allowed && s->state == STATE_BLOCK_MAP_KEY &&
            column(s) == s->indent)
            s->colon = key_end(s->p, s->end);
        taken = take_line(s);
    }
    return taken != FAILED;
}
