/* Flow collections, a step for each event (libyaml 0.2.5, parser). */
#include "doc/yaml/comments_priv.h"

static bool is_one_of(const struct token *t, enum token_type a, enum token_type b)
{
    return t->type == a || t->type == b;
}

static bool fail_in(struct scanner *s, const char *context, const char *problem,
                    const struct token *t)
{
    return parse_fail(s, context, vec_last(&s->marks), problem, t->begin);
}

static bool close_collection(struct scanner *s, const struct token *t,
                             enum doc_yaml_event_type type)
{
    state_pop(s);
    s->marks.len--;
    return send_end(s, type, t, t->end, true) && (token_drop(s), true);
}

bool parse_flow_list_entry(struct scanner *s, bool is_first)
{
    const struct token *t;

    if (is_first && !open_mark(s))
        return false;
    t = token_peek(s);
    if (t && t->type != TOKEN_FLOW_LIST_END) {
        if (!is_first) {
            if (t->type != TOKEN_FLOW_ENTRY)
                return fail_in(s, "while parsing a flow sequence",
                               "did not find expected ',' or ']'", t);
            token_drop(s);
            t = token_peek(s);
        }
        if (t && t->type == TOKEN_KEY) {
            struct doc_yaml_event ev = {.type = DOC_YAML_MAP_START, .style = DOC_FLOW};

            ev.begin = ev.content = t->begin;
            ev.end = t->end;
            s->state = STATE_FLOW_PAIR_KEY;
            token_drop(s);
            return scan_send(s, &ev);
        }
        if (t && t->type != TOKEN_FLOW_LIST_END) {
            state_push(s, STATE_FLOW_LIST_ENTRY);
            return parse_node(s, false, false);
        }
    }
    return t && close_collection(s, t, DOC_YAML_LIST_END);
}

bool parse_flow_pair_key(struct scanner *s)
{
    const struct token *t = token_peek(s);
    uint32_t end;

    if (!t)
        return false;
    if (t->type != TOKEN_VALUE && !is_one_of(t, TOKEN_FLOW_ENTRY, TOKEN_FLOW_LIST_END)) {
        state_push(s, STATE_FLOW_PAIR_VALUE);
        return parse_node(s, false, false);
    }
    end = t->end;
    token_drop(s); /* libyaml loses this token, whichever it is */
    s->state = STATE_FLOW_PAIR_VALUE;
    return send_empty(s, end);
}

bool parse_flow_pair_value(struct scanner *s)
{
    const struct token *t = token_peek(s);

    if (t && t->type == TOKEN_VALUE) {
        token_drop(s);
        t = token_peek(s);
        if (t && !is_one_of(t, TOKEN_FLOW_ENTRY, TOKEN_FLOW_LIST_END)) {
            state_push(s, STATE_FLOW_PAIR_END);
            return parse_node(s, false, false);
        }
    }
    s->state = STATE_FLOW_PAIR_END;
    return t && send_empty(s, t->begin);
}

bool parse_flow_pair_end(struct scanner *s)
{
    const struct token *t = token_peek(s);

    s->state = STATE_FLOW_LIST_ENTRY;
    return t && send_end(s, DOC_YAML_MAP_END, t, t->begin, false);
}

bool parse_flow_map_key(struct scanner *s, bool is_first)
{
    const struct token *t;

    if (is_first && !open_mark(s))
        return false;
    t = token_peek(s);
    if (t && t->type != TOKEN_FLOW_MAP_END) {
        if (!is_first) {
            if (t->type != TOKEN_FLOW_ENTRY)
                return fail_in(s, "while parsing a flow mapping",
                               "did not find expected ',' or '}'", t);
            token_drop(s);
            t = token_peek(s);
        }
        if (t && t->type == TOKEN_KEY) {
            token_drop(s);
            t = token_peek(s);
            if (t && t->type != TOKEN_VALUE &&
                !is_one_of(t, TOKEN_FLOW_ENTRY, TOKEN_FLOW_MAP_END)) {
                state_push(s, STATE_FLOW_MAP_VALUE);
                return parse_node(s, false, false);
            }
            s->state = STATE_FLOW_MAP_VALUE;
            return t && send_empty(s, t->begin);
        }
        if (t && t->type != TOKEN_FLOW_MAP_END) {
            state_push(s, STATE_FLOW_MAP_EMPTY_VALUE);
            return parse_node(s, false, false);
        }
    }
    return t && close_collection(s, t, DOC_YAML_MAP_END);
}

bool parse_flow_map_value(struct scanner *s, bool is_empty)
{
    const struct token *t = token_peek(s);

    if (t && !is_empty && t->type == TOKEN_VALUE) {
        token_drop(s);
        t = token_peek(s);
        if (t && !is_one_of(t, TOKEN_FLOW_ENTRY, TOKEN_FLOW_MAP_END)) {
            state_push(s, STATE_FLOW_MAP_KEY);
            return parse_node(s, false, false);
        }
    }
    s->state = STATE_FLOW_MAP_KEY;
    return t && send_empty(s, t->begin);
}
