/* From characters to tokens: indentation, simple keys, indicators (libyaml 0.2.5, scanner). */
#include "doc/yaml/comments_priv.h"

enum { TOKENS_KEPT = 256 };
enum { SIMPLE_KEY_MAX = 1024 }; /* characters from the begin of a simple key to its ':' */

static const char *const in_simple_key = "while scanning a simple key";
static const char *const no_colon = "could not find expected ':'";

static struct token *token_add(struct scanner *s, enum token_type type, const char *begin,
                               const char *end)
{
    struct token *t = vec_add(&s->tokens);

    t->type = type;
    t->begin = at(s, begin);
    t->end = at(s, end);
    return t;
}

/* Puts a token of no width where an earlier one stands, which moves up. */
static void token_insert(struct scanner *s, size_t number, enum token_type type, const char *where)
{
    size_t index = s->head + (number - s->tokens_taken);
    struct token t = {.type = type, .begin = at(s, where), .end = at(s, where)};

    vec_add(&s->tokens);
    memmove(&s->tokens.v[index + 1], &s->tokens.v[index], (s->tokens.len - 1 - index) * sizeof(t));
    s->tokens.v[index] = t;
}

/* ---- simple keys */

static struct simple_key *current_key(struct scanner *s) { return &vec_last(&s->keys); }

static bool is_too_long(const struct scanner *s, const struct simple_key *k)
{
    size_t chars = 0;

    if (s->p - k->at <= SIMPLE_KEY_MAX)
        return false;
    if (s->p - k->at > 4L * SIMPLE_KEY_MAX)
        return true;
    for (const char *p = k->at; p < s->p; p++)
        chars += (*p & 0xC0) != 0x80;
    return chars > SIMPLE_KEY_MAX;
}

/* Forgets the keys that began too far back. Outer ones began earlier, so the walk ends at the first
 * that may live. */
static bool keys_expire(struct scanner *s)
{
    for (; s->first_key < s->keys.len; s->first_key++) {
        struct simple_key *k = &s->keys.v[s->first_key];

        if (!k->is_possible)
            continue;
        if (k->line == s->line && !is_too_long(s, k))
            return true;
        if (k->is_required)
            return scan_fail(s, in_simple_key, k->at, no_colon);
        k->is_possible = false;
    }
    return true;
}

static bool key_remove(struct scanner *s)
{
    struct simple_key *k = current_key(s);

    if (k->is_possible && k->is_required)
        return scan_fail(s, in_simple_key, k->at, no_colon);
    k->is_possible = false;
    return true;
}

static bool key_save(struct scanner *s)
{
    bool is_required = s->flow_level == 0 && s->indent == column(s);

    if (!s->is_key_allowed)
        return true;
    if (!key_remove(s))
        return false;
    *current_key(s) = (struct simple_key){
        true, is_required, s->tokens_taken + (s->tokens.len - s->head), s->p, s->line};
    s->first_key = MIN(s->first_key, s->keys.len - 1);
    return true;
}

/* ---- indentation */

static void indent_push(struct scanner *s, int32_t to)
{
    vec_push(&s->indents, s->indent);
    s->indent = to;
}

/* A token at a column right of the current indentation opens a block collection. number says before
 * which token it begins, SIZE_MAX: here. */
static void indent_roll(struct scanner *s, int32_t to, size_t number, enum token_type type,
                        const char *where)
{
    if (s->flow_level || s->indent >= to)
        return;
    indent_push(s, to);
    if (number == SIZE_MAX)
        token_add(s, type, where, where);
    else
        token_insert(s, number, type, where);
}

/* before: where the scan for the token began that ends the blocks. */
static void indent_unroll(struct scanner *s, int32_t to, int64_t before)
{
    int64_t end = before - 1;

    if (s->flow_level)
        return;
    while (s->indent > to) {
        struct token *t = token_add(s, TOKEN_BLOCK_END, s->p, s->p);

        if (s->comments) {
            comments_block_end(s, &end);
            t->is_moved = true;
            t->moved_to = end;
        }
        s->indent = s->indents.v[--s->indents.len];
    }
}

/* ---- fetching */

static void skip_to_token(struct scanner *s)
{
    struct comment_scan scan = comments_scan_begin(s);

    for (;;) {
        if (s->p == s->line && strncmp(s->p, "\xEF\xBB\xBF", 3) == 0) { /* a byte-order mark */
            s->p += 3;
            s->line = s->p - 1; /* it counts as one column */
        }
        while (*s->p == ' ' || (*s->p == '\t' && (s->flow_level || !s->is_key_allowed)))
            s->p++;
        if (s->comments)
            comments_adjust(s);
        if (*s->p == '#' && s->comments)
            comments_ahead(s, scan);
        if (*s->p == '#')
            while (!is_breakz(s->p))
                s->p++;
        if (!break_len(s->p))
            return;
        skip_line(s);
        if (!s->flow_level)
            s->is_key_allowed = true;
    }
}

static bool fetch_stream_end(struct scanner *s)
{
    if (s->p != s->line)
        s->at_new_line = true;
    s->line = s->p;
    indent_unroll(s, -1, at(s, s->p));
    if (!key_remove(s))
        return false;
    s->is_key_allowed = false;
    token_add(s, TOKEN_STREAM_END, s->p, s->p);
    return true;
}

static bool fetch_directive(struct scanner *s)
{
    struct token t = {0};

    indent_unroll(s, -1, at(s, s->p));
    if (!key_remove(s))
        return false;
    s->is_key_allowed = false;
    if (!scan_directive(s, &t))
        return false;
    vec_push(&s->tokens, t);
    return true;
}

static bool fetch_document_marker(struct scanner *s)
{
    indent_unroll(s, -1, at(s, s->p));
    if (!key_remove(s))
        return false;
    s->is_key_allowed = false;
    token_add(s, *s->p == '-' ? TOKEN_DOC_START : TOKEN_DOC_END, s->p, s->p + 3);
    s->p += 3;
    return true;
}

static bool fetch_flow_start(struct scanner *s, enum token_type type)
{
    if (!key_save(s))
        return false;
    vec_push(&s->keys, {0});
    s->flow_level++;
    s->is_key_allowed = true;
    token_add(s, type, s->p, s->p + 1);
    s->p++;
    return true;
}

static bool fetch_flow_end(struct scanner *s, enum token_type type)
{
    if (!key_remove(s))
        return false;
    if (s->flow_level) {
        s->flow_level--;
        s->keys.len--;
        s->first_key = MIN(s->first_key, s->keys.len - 1);
    }
    s->is_key_allowed = false;
    token_add(s, type, s->p, s->p + 1);
    s->p++;
    return true;
}

static bool fetch_flow_entry(struct scanner *s)
{
    if (!key_remove(s))
        return false;
    s->is_key_allowed = true;
    token_add(s, TOKEN_FLOW_ENTRY, s->p, s->p + 1);
    s->p++;
    return true;
}

static bool fetch_block_entry(struct scanner *s)
{
    if (!s->flow_level) {
        if (!s->is_key_allowed)
            return scan_fail(s, NULL, s->p,
                             "block sequence entries are not allowed in this context");
        indent_roll(s, column(s), SIZE_MAX, TOKEN_BLOCK_LIST, s->p);
    }
    if (!key_remove(s))
        return false;
    s->is_key_allowed = true;
    token_add(s, TOKEN_BLOCK_ENTRY, s->p, s->p + 1);
    s->p++;
    return true;
}

static bool fetch_key(struct scanner *s)
{
    if (!s->flow_level) {
        if (!s->is_key_allowed)
            return scan_fail(s, NULL, s->p, "mapping keys are not allowed in this context");
        indent_roll(s, column(s), SIZE_MAX, TOKEN_BLOCK_MAP, s->p);
    }
    if (!key_remove(s))
        return false;
    s->is_key_allowed = !s->flow_level;
    token_add(s, TOKEN_KEY, s->p, s->p + 1);
    s->p++;
    return true;
}

static bool fetch_value(struct scanner *s)
{
    struct simple_key *k = current_key(s);

    if (k->is_possible) {
        token_insert(s, k->token, TOKEN_KEY, k->at);
        indent_roll(s, (int32_t)(k->at - k->line), k->token, TOKEN_BLOCK_MAP, k->at);
        k->is_possible = false;
        s->is_key_allowed = false;
    } else {
        if (!s->flow_level) {
            if (!s->is_key_allowed)
                return scan_fail(s, NULL, s->p, "mapping values are not allowed in this context");
            indent_roll(s, column(s), SIZE_MAX, TOKEN_BLOCK_MAP, s->p);
        }
        s->is_key_allowed = !s->flow_level;
    }
    token_add(s, TOKEN_VALUE, s->p, s->p + 1);
    s->p++;
    return true;
}

/* A token that may be, or begin, a simple key. */
static bool fetch_scanned(struct scanner *s, bool (*scan)(struct scanner *s, struct token *t))
{
    struct token t = {0};

    if (!key_save(s))
        return false;
    s->is_key_allowed = false;
    if (!scan(s, &t))
        return false;
    vec_push(&s->tokens, t);
    return true;
}

static bool fetch_block_scalar(struct scanner *s)
{
    struct token t = {0};

    if (!key_remove(s))
        return false;
    s->is_key_allowed = true;
    if (!scan_block_scalar(s, &t))
        return false;
    vec_push(&s->tokens, t);
    return true;
}

static bool begins_plain(const struct scanner *s)
{
    if (is_blankz(s->p))
        return false;
    if (!ch_is(s->p, CH_INDICATOR))
        return true;
    if (*s->p == '-')
        return !ch_is(s->p + 1, CH_BLANK);
    return (*s->p == '?' || *s->p == ':') && !s->flow_level && !is_blankz(s->p + 1);
}

static bool fetch_indicator(struct scanner *s)
{
    switch (*s->p) {
    case '[':
        return fetch_flow_start(s, TOKEN_FLOW_LIST);
    case '{':
        return fetch_flow_start(s, TOKEN_FLOW_MAP);
    case ']':
        return fetch_flow_end(s, TOKEN_FLOW_LIST_END);
    case '}':
        return fetch_flow_end(s, TOKEN_FLOW_MAP_END);
    case ',':
        return fetch_flow_entry(s);
    case '*':
    case '&':
        return fetch_scanned(s, scan_anchor);
    case '!':
        return fetch_scanned(s, scan_tag);
    case '\'':
    case '"':
        return fetch_scanned(s, scan_flow_scalar);
    }
    if (*s->p == '-' && is_blankz(s->p + 1))
        return fetch_block_entry(s);
    if (*s->p == '?' && (s->flow_level || is_blankz(s->p + 1)))
        return fetch_key(s);
    if (*s->p == ':' && (s->flow_level || is_blankz(s->p + 1)))
        return fetch_value(s);
    if ((*s->p == '|' || *s->p == '>') && !s->flow_level)
        return fetch_block_scalar(s);
    if (begins_plain(s))
        return fetch_scanned(s, scan_plain_scalar);
    return scan_fail(s, "while scanning for the next token", s->p,
                     "found character that cannot start any token");
}

/* The token at p, with the comment that follows on its line. */
static bool fetch_with_comment(struct scanner *s)
{
    uint32_t mark = at(s, s->p);

    if (s->flow_level ? *s->p == ','
                      : *s->p == ':') /* the comment belongs to what stands before it */
        mark = vec_last(&s->tokens).begin;
    if (!fetch_indicator(s))
        return false;
    if (vec_last(&s->tokens).type != TOKEN_BLOCK_ENTRY)
        comments_behind(s, mark);
    return true;
}

static bool fetch_next(struct scanner *s)
{
    int64_t before = at(s, s->p);

    if (!s->is_started) {
        s->is_started = true;
        s->is_key_allowed = true;
        vec_push(&s->keys, {0});
        token_add(s, TOKEN_STREAM_START, s->p, s->p);
        return true;
    }
    skip_to_token(s);
    if (!keys_expire(s))
        return false;
    indent_unroll(s, column(s), before);
    if (*s->p == '\0')
        return fetch_stream_end(s);
    if (s->p == s->line && *s->p == '%')
        return fetch_directive(s);
    if (is_document_marker(s))
        return fetch_document_marker(s);
    return s->comments ? fetch_with_comment(s) : fetch_indicator(s);
}

/* The token at the head cannot be handed out while it may turn out to be a simple key. */
static bool head_is_open(const struct scanner *s)
{
    const struct simple_key *k;

    for (size_t i = s->first_key; i < s->keys.len; i++) {
        k = &s->keys.v[i];
        if (k->is_possible) /* the first possible one has the lowest number */
            return k->token == s->tokens_taken;
    }
    return false;
}

static void tokens_compact(struct scanner *s)
{
    s->tokens.len -= s->head;
    if (s->tokens.len)
        memmove(s->tokens.v, s->tokens.v + s->head, s->tokens.len * sizeof(*s->tokens.v));
    s->head = 0;
}

struct token *token_peek(struct scanner *s)
{
    /* Comments need two tokens more: a foot may become known only behind the next one. */
    size_t ahead = s->comments ? 2 : 0;

    while (!s->is_peeked) {
        if (s->head + ahead < s->tokens.len) {
            if (!keys_expire(s))
                return NULL;
            if (!head_is_open(s)) {
                s->is_peeked = true;
                break;
            }
        } else if (s->head >= TOKENS_KEPT || s->head == s->tokens.len) {
            tokens_compact(s);
        }
        if (!fetch_next(s))
            return NULL;
    }
    if (s->comments)
        comments_take(s, &s->tokens.v[s->head]);
    return &s->tokens.v[s->head];
}

void token_drop(struct scanner *s)
{
    s->is_peeked = false;
    s->tokens_taken++;
    s->head++;
}
