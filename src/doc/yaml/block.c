/* Documents, nodes and block collections, a step for each event (libyaml 0.2.5, parser). */
#include "doc/yaml/comments_priv.h"

/* ---- documents */

static bool tag_add(struct scanner *s, str handle, str prefix, uint32_t where)
{
    for (size_t i = 0; i < s->tags.len; i++)
        if (str_eq(s->tags.v[i].handle, handle))
            return parse_fail(s, NULL, 0, "found duplicate %TAG directive", where);
    vec_push(&s->tags, {handle, prefix});
    return true;
}

static bool parse_directives(struct scanner *s)
{
    bool has_version = false;
    const struct token *t;

    while ((t = token_peek(s)) && (t->type == TOKEN_VERSION || t->type == TOKEN_TAG_DIRECTIVE)) {
        if (t->type == TOKEN_VERSION) {
            if (has_version)
                return parse_fail(s, NULL, 0, "found duplicate %YAML directive", t->begin);
            if (t->major != 1 || (t->minor != 1 && t->minor != 2))
                return parse_fail(s, NULL, 0, "found incompatible YAML document", t->begin);
            has_version = true;
        } else if (!tag_add(s, t->value, t->suffix, t->begin)) {
            return false;
        }
        token_drop(s);
    }
    return t != NULL;
}

static bool is_document_end(const struct token *t)
{
    switch (t->type) {
    case TOKEN_VERSION:
    case TOKEN_TAG_DIRECTIVE:
    case TOKEN_DOC_START:
    case TOKEN_DOC_END:
    case TOKEN_STREAM_END:
        return true;
    default:
        return false;
    }
}

static bool parse_document_start(struct scanner *s, bool may_be_implicit)
{
    struct doc_yaml_event ev = {.type = DOC_YAML_DOC_START};
    const struct token *t = token_peek(s);

    while (t && !may_be_implicit && t->type == TOKEN_DOC_END) {
        token_drop(s);
        t = token_peek(s);
    }
    if (!t)
        return false;
    ev.begin = ev.content = ev.end = t->begin;
    if (t->type == TOKEN_STREAM_END) {
        s->state = STATE_END;
        ev.type = DOC_YAML_STREAM_END;
        token_drop(s);
        return scan_send(s, &ev);
    }
    if (may_be_implicit && (!is_document_end(t) || t->type == TOKEN_DOC_END)) {
        ev.is_implicit = true;
        s->state = STATE_BLOCK_NODE;
        comments_give_document(s, &ev);
    } else {
        s->state = STATE_DOC_CONTENT;
    }
    if (!parse_directives(s))
        return false;
    t = token_peek(s);
    if (!ev.is_implicit) {
        if (!t || t->type != TOKEN_DOC_START)
            return t && parse_fail(s, NULL, 0, "did not find expected <document start>", t->begin);
        ev.end = t->end;
        token_drop(s);
    }
    state_push(s, STATE_DOC_END);
    return scan_send(s, &ev);
}

static bool parse_document_content(struct scanner *s)
{
    const struct token *t = token_peek(s);

    if (t && is_document_end(t)) {
        state_pop(s);
        return send_empty(s, t->begin);
    }
    return t && parse_node(s, true, false);
}

static bool parse_document_end(struct scanner *s)
{
    struct doc_yaml_event ev = {.type = DOC_YAML_DOC_END, .is_implicit = true};
    const struct token *t = token_peek(s);

    if (!t)
        return false;
    ev.begin = ev.content = ev.end = t->begin;
    if (t->type == TOKEN_DOC_END) {
        ev.end = t->end;
        ev.is_implicit = false;
        token_drop(s);
    }
    s->tags.len = 0;
    s->state = STATE_DOC_START;
    comments_give(s, &ev);
    return scan_send(s, &ev);
}

/* ---- nodes */

/* What the handle of a tag stands for, STR_NONE when it is not declared. */
static str tag_prefix(const struct scanner *s, str handle)
{
    for (size_t i = 0; i < s->tags.len; i++)
        if (str_eq(s->tags.v[i].handle, handle))
            return s->tags.v[i].prefix;
    if (str_eq(handle, STR("!")))
        return handle;
    return str_eq(handle, STR("!!")) ? STR("tag:yaml.org,2002:") : STR_NONE;
}

static bool resolve_tag(struct scanner *s, const struct token *t, uint32_t node, str *ret)
{
    str prefix = tag_prefix(s, t->value);

    if (t->value.len == 0) {
        *ret = t->suffix;
        return true;
    }
    if (!prefix.p)
        return parse_fail(s, "while parsing a node", node, "found undefined tag handle", t->begin);
    *ret = arena_printf(s->arena, "%.*s%.*s", STR_ARG(prefix), STR_ARG(t->suffix));
    return true;
}

/* Tag and anchor in either order; the tag is resolved once both are read, as its error comes then.
 */
static const struct token *parse_properties(struct scanner *s, struct doc_yaml_event *ev)
{
    const struct token *t = token_peek(s);
    struct token tag = {0};
    bool has_tag = false, has_anchor = false;

    ev->begin = ev->content = ev->end = t ? t->begin : 0;
    while (t && ((t->type == TOKEN_ANCHOR && !has_anchor) || (t->type == TOKEN_TAG && !has_tag))) {
        if (t->type == TOKEN_ANCHOR) {
            has_anchor = true;
            ev->anchor = t->value;
        } else {
            has_tag = true;
            tag = *t;
        }
        ev->end = t->end;
        token_drop(s);
        t = token_peek(s);
    }
    if (t && has_tag && !resolve_tag(s, &tag, ev->begin, &ev->tag))
        return NULL;
    if (t && (has_tag || has_anchor))
        ev->content = t->begin;
    return t;
}

static bool send_scalar(struct scanner *s, const struct token *t, struct doc_yaml_event *ev)
{
    ev->type = DOC_YAML_SCALAR;
    ev->style = t->style;
    ev->value = t->value;
    ev->end = t->end;
    state_pop(s);
    comments_give(s, ev);
    token_drop(s);
    return scan_send(s, ev);
}

static bool send_start(struct scanner *s, struct doc_yaml_event *ev, const struct token *t)
{
    bool is_list = false;

    switch (t->type) {
    case TOKEN_FLOW_LIST:
        s->state = STATE_FLOW_LIST_FIRST;
        is_list = true;
        break;
    case TOKEN_FLOW_MAP:
        s->state = STATE_FLOW_MAP_FIRST;
        break;
    case TOKEN_BLOCK_LIST:
        s->state = STATE_BLOCK_LIST_FIRST;
        is_list = true;
        break;
    case TOKEN_BLOCK_ENTRY:
        s->state = STATE_INDENTLESS_ENTRY;
        is_list = true;
        break;
    default:
        s->state = STATE_BLOCK_MAP_FIRST;
    }
    ev->type = is_list ? DOC_YAML_LIST_START : DOC_YAML_MAP_START;
    ev->style = s->state == STATE_FLOW_LIST_FIRST || s->state == STATE_FLOW_MAP_FIRST ? DOC_FLOW
                                                                                      : DOC_PLAIN;
    ev->end = t->end;
    if (ev->style == DOC_FLOW)
        comments_give(s, ev);
    else if (t->type != TOKEN_BLOCK_ENTRY)
        comments_give_stem(s, ev);
    return scan_send(s, ev);
}

bool parse_node(struct scanner *s, bool is_block, bool may_be_indentless)
{
    struct doc_yaml_event ev = {0};
    const struct token *t = token_peek(s);

    if (t && t->type == TOKEN_ALIAS) {
        ev = (struct doc_yaml_event){DOC_YAML_ALIAS, .begin = t->begin, .end = t->end,
                                     .content = t->begin, .anchor = t->value};
        state_pop(s);
        comments_give(s, &ev);
        token_drop(s);
        return scan_send(s, &ev);
    }
    t = parse_properties(s, &ev);
    if (!t)
        return false;
    if (t->type == TOKEN_SCALAR)
        return send_scalar(s, t, &ev);
    if (t->type == TOKEN_FLOW_LIST || t->type == TOKEN_FLOW_MAP ||
        (is_block && (t->type == TOKEN_BLOCK_LIST || t->type == TOKEN_BLOCK_MAP)) ||
        (may_be_indentless && t->type == TOKEN_BLOCK_ENTRY))
        return send_start(s, &ev, t);
    if (ev.anchor.len || ev.tag.len) { /* a null with a tag or an anchor */
        ev.type = DOC_YAML_SCALAR;
        ev.content = ev.end;
        state_pop(s);
        return scan_send(s, &ev);
    }
    return parse_fail(s, is_block ? "while parsing a block node" : "while parsing a flow node",
                      ev.begin, "did not find expected node content", t->begin);
}

/* ---- block collections */

static bool close_block(struct scanner *s, const struct token *t, enum doc_yaml_event_type type)
{
    state_pop(s);
    s->marks.len--;
    return send_end(s, type, t, t->end, type == DOC_YAML_MAP_END) && (token_drop(s), true);
}

/* The node behind an indicator, which may be missing: then the next token is one of the
 * collection's. */
static bool parse_behind(struct scanner *s, enum parse_state next, uint32_t indicator_end,
                         bool may_be_indentless, unsigned own_tokens)
{
    const struct token *t = token_peek(s);

    if (!t)
        return false;
    if (own_tokens >> t->type & 1) {
        s->state = next;
        return send_empty(s, indicator_end);
    }
    state_push(s, next);
    return parse_node(s, true, may_be_indentless);
}

enum {
    OWN_LIST = 1 << TOKEN_BLOCK_ENTRY | 1 << TOKEN_BLOCK_END,
    OWN_MAP = 1 << TOKEN_KEY | 1 << TOKEN_VALUE | 1 << TOKEN_BLOCK_END,
};

/* Steps over a '-'. */
static bool drop_entry(struct scanner *s)
{
    size_t head_len = s->comments ? s->comments->now.head.len : 0;

    token_drop(s);
    return comments_split_stem(s, head_len);
}

static bool parse_block_list_entry(struct scanner *s, bool is_first)
{
    const struct token *t;
    uint32_t end;

    if (is_first && !open_mark(s))
        return false;
    t = token_peek(s);
    if (!t)
        return false;
    if (t->type == TOKEN_BLOCK_ENTRY) {
        end = t->end;
        return drop_entry(s) && parse_behind(s, STATE_BLOCK_LIST_ENTRY, end, false, OWN_LIST);
    }
    if (t->type == TOKEN_BLOCK_END)
        return close_block(s, t, DOC_YAML_LIST_END);
    return parse_fail(s, "while parsing a block collection", vec_last(&s->marks),
                      "did not find expected '-' indicator", t->begin);
}

/* A list at the indentation of the map it is a value of. */
static bool parse_indentless_entry(struct scanner *s)
{
    const struct token *t = token_peek(s);
    uint32_t end;

    if (!t)
        return false;
    if (t->type == TOKEN_BLOCK_ENTRY) {
        end = t->end;
        return drop_entry(s) &&
               parse_behind(s, STATE_INDENTLESS_ENTRY, end, false, OWN_LIST | OWN_MAP);
    }
    state_pop(s);
    return send_end(s, DOC_YAML_LIST_END, t, t->begin, false);
}

static bool parse_block_map_key(struct scanner *s, bool is_first)
{
    const struct token *t;
    uint32_t end;

    if (is_first && !open_mark(s))
        return false;
    t = token_peek(s);
    if (!t)
        return false;
    if (t->type == TOKEN_KEY) {
        end = t->end;
        token_drop(s);
        return parse_behind(s, STATE_BLOCK_MAP_VALUE, end, true, OWN_MAP);
    }
    if (t->type == TOKEN_BLOCK_END)
        return close_block(s, t, DOC_YAML_MAP_END);
    return parse_fail(s, "while parsing a block mapping", vec_last(&s->marks),
                      "did not find expected key", t->begin);
}

static bool parse_block_map_value(struct scanner *s)
{
    const struct token *t = token_peek(s);
    uint32_t end;

    if (!t)
        return false;
    if (t->type == TOKEN_VALUE) {
        end = t->end;
        token_drop(s);
        return parse_behind(s, STATE_BLOCK_MAP_KEY, end, true, OWN_MAP);
    }
    s->state = STATE_BLOCK_MAP_KEY;
    return send_empty(s, t->begin);
}

/* ---- the machine */

static bool parse_stream_start(struct scanner *s)
{
    struct doc_yaml_event ev = {.type = DOC_YAML_STREAM_START};

    if (!token_peek(s))
        return false;
    token_drop(s);
    s->state = STATE_IMPLICIT_DOC_START;
    return scan_send(s, &ev);
}

bool parse_step(struct scanner *s)
{
    switch (s->state) {
    case STATE_STREAM_START:
        return parse_stream_start(s);
    case STATE_IMPLICIT_DOC_START:
        return parse_document_start(s, true);
    case STATE_DOC_START:
        return parse_document_start(s, false);
    case STATE_DOC_CONTENT:
        return parse_document_content(s);
    case STATE_DOC_END:
        return parse_document_end(s);
    case STATE_BLOCK_NODE:
        return parse_node(s, true, false);
    case STATE_BLOCK_LIST_FIRST:
    case STATE_BLOCK_LIST_ENTRY:
        return parse_block_list_entry(s, s->state == STATE_BLOCK_LIST_FIRST);
    case STATE_INDENTLESS_ENTRY:
        return parse_indentless_entry(s);
    case STATE_BLOCK_MAP_FIRST:
    case STATE_BLOCK_MAP_KEY:
        return parse_block_map_key(s, s->state == STATE_BLOCK_MAP_FIRST);
    case STATE_BLOCK_MAP_VALUE:
        return parse_block_map_value(s);
    case STATE_BLOCK_MAP_AFTER_COLON:
        return parse_behind(s, STATE_BLOCK_MAP_KEY, s->after_colon, true, OWN_MAP);
    case STATE_FLOW_LIST_FIRST:
    case STATE_FLOW_LIST_ENTRY:
        return parse_flow_list_entry(s, s->state == STATE_FLOW_LIST_FIRST);
    case STATE_FLOW_PAIR_KEY:
        return parse_flow_pair_key(s);
    case STATE_FLOW_PAIR_VALUE:
        return parse_flow_pair_value(s);
    case STATE_FLOW_PAIR_END:
        return parse_flow_pair_end(s);
    case STATE_FLOW_MAP_FIRST:
    case STATE_FLOW_MAP_KEY:
        return parse_flow_map_key(s, s->state == STATE_FLOW_MAP_FIRST);
    case STATE_FLOW_MAP_VALUE:
    case STATE_FLOW_MAP_EMPTY_VALUE:
        return parse_flow_map_value(s, s->state == STATE_FLOW_MAP_EMPTY_VALUE);
    case STATE_END:
        break;
    }
    return true;
}
