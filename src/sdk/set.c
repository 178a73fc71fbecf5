#include "doc/parse.h"
#include "sdk/sdk_priv.h"

/* Changing nodes: by path, in place. */

/* ---- making nodes */

gfn_node gfn_new_map(gfn_ctx *ctx) { return sdk_handle(ctx, doc_new_map(ctx->set)); }
gfn_node gfn_new_list(gfn_ctx *ctx) { return sdk_handle(ctx, doc_new_list(ctx->set)); }
gfn_node gfn_new_int(gfn_ctx *ctx, int64_t value)
{
    return sdk_handle(ctx, doc_new_int(ctx->set, value));
}
gfn_node gfn_new_bool(gfn_ctx *ctx, bool value)
{
    return sdk_handle(ctx, doc_new_bool(ctx->set, value));
}

/* A string that stays one for readers of YAML 1.1, as kubectl is: "yes" is quoted. */
static struct doc_node *new_string(gfn_ctx *ctx, const char *text)
{
    struct doc_node *n = doc_new_plain(ctx->set, str_of(text), DOC_MANIFEST);

    if (n->type == DOC_STRING)
        return n;
    n = doc_new_string(ctx->set, str_of(text));
    n->style = DOC_DOUBLE;
    return n;
}

gfn_node gfn_new_str(gfn_ctx *ctx, const char *text)
{
    return sdk_handle(ctx, new_string(ctx, text));
}

static struct doc_node *new_plain(gfn_ctx *ctx, const char *text)
{
    struct doc_node *n;

    if (*text)
        return doc_new_plain(ctx->set, str_of(text), DOC_KYAML);
    n = doc_new_string(ctx->set, STR_NONE);
    n->style = DOC_DOUBLE;
    return n;
}

gfn_node gfn_new_plain(gfn_ctx *ctx, const char *text)
{
    return sdk_handle(ctx, new_plain(ctx, text));
}

gfn_node gfn_copy(gfn_ctx *ctx, gfn_node n)
{
    const struct doc_node *at = sdk_node(n);

    return sdk_handle(ctx, at ? doc_copy(ctx->set, at) : NULL);
}

gfn_node gfn_parse(gfn_ctx *ctx, const char *yaml)
{
    static const struct doc_parse_options options = {.dialect = DOC_KYAML, .flags = DOC_COMMENTS};
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(doc_list_done) struct doc_list roots = {0};

    if (doc_parse_all(set, str_of(yaml), &options, "text", &roots, &e) < 0 || roots.len != 1)
        return gfn_nothing(ctx);
    return sdk_handle(ctx, doc_copy(ctx->set, roots.v[0]));
}

/* ---- the way to a field */

struct slot {
    struct doc_node *parent; /* NULL: the node itself */
    struct doc_node *at;     /* what is there, or NULL */
    struct sdk_step step;
};

static struct doc_node *put(gfn_ctx *ctx, struct slot *s, struct doc_node *value)
{
    if (s->at)
        doc_replace(s->at, value);
    else if (s->step.kind == STEP_KEY)
        s->at = doc_set_field(ctx->set, s->parent, s->step.key, value);
    else
        s->at = doc_append(s->parent, value);
    return s->at;
}

/* Whether what is missing for a step can be made. */
static bool can_make(const struct slot *s)
{
    return s->step.kind == STEP_KEY ? doc_is_map(s->parent)
           : s->step.kind == STEP_INDEX
               ? doc_is_list(s->parent) && s->step.index == doc_len(s->parent)
               : doc_is_list(s->parent);
}

/* Makes a step's missing or null collection. */
static void make_collection(gfn_ctx *ctx, struct slot *s, bool is_list)
{
    struct doc_node *made = is_list ? doc_new_list(ctx->set) : doc_new_map(ctx->set);

    if (s->step.kind == STEP_MATCH && !s->at)
        doc_set_string(ctx->set, made, s->step.key, s->step.value);
    put(ctx, s, made);
}

static int no_place(gfn_node n, const char *path, const struct slot *s)
{
    if (s->parent && s->step.kind == STEP_INDEX && doc_is_list(s->parent))
        return sdk_fail_at(n, path, "the list has %zu items", doc_len(s->parent));
    return sdk_fail_at(n, path, "expected a %s on the way",
                       s->step.kind == STEP_KEY ? "mapping" : "list");
}

/* Goes to a field, making mappings (and lists) on the way unless find_only. 1: there, also when the
 * last step leads to nothing; 0: with find_only, nothing there; -1: an error was reported. */
static int go_to(gfn_node n, const char *path, bool find_only, struct slot *ret)
{
    str rest = str_of(path);
    bool is_bad = false;

    *ret = (struct slot){.at = sdk_node(n)};
    if (!ret->at)
        return find_only ? 0 : sdk_fail_at(n, path, "cannot set a field of nothing");
    for (bool is_first = true; rest.len; is_first = false) {
        struct sdk_step next;

        if (!sdk_next_step(n.ctx, &rest, &next, &is_bad))
            return sdk_fail_at(n, path, "the path makes no sense");
        if (!is_first && !find_only && doc_is_null(ret->at)) {
            if (!ret->at && !can_make(ret))
                return no_place(n, path, ret);
            make_collection(n.ctx, ret, next.kind != STEP_KEY);
        }
        if (!ret->at)
            return 0;
        ret->parent = ret->at->type == DOC_ALIAS ? ret->at->extra->target : ret->at;
        ret->step = next;
        ret->at = sdk_step_to(ret->parent, &next);
    }
    if (!ret->at && !find_only && !can_make(ret))
        return no_place(n, path, ret);
    return 1;
}

/* ---- scalars */

static bool is_quoted(const struct doc_node *n)
{
    return n->style == DOC_SINGLE || n->style == DOC_DOUBLE;
}

static void keep_style(const struct doc_node *old, struct doc_node *value)
{
    bool is_block = old->style == DOC_LITERAL || old->style == DOC_FOLDED;
    str text = doc_text(value, STR_NONE);

    if (value->type != DOC_STRING || old->type != DOC_STRING)
        return;
    if (is_quoted(old) || (is_block && str_find_char(text, '\n') >= 0))
        value->style = old->style;
}

static int set_scalar(gfn_node n, const char *path, struct doc_node *value)
{
    str comment = STR_NONE;
    struct slot s;

    if (go_to(n, path, false, &s) < 0)
        return -1;
    if (s.at && s.at->extra && s.at->type == DOC_NULL)
        comment = s.at->extra->key_line; /* of a value that is not written */
    if (s.at && doc_is_scalar(s.at)) {
        if (s.at->type == value->type && doc_equal(s.at, value))
            return 0;
        doc_keep_comments(n.ctx->set, s.at, value);
        keep_style(s.at, value);
    }
    put(n.ctx, &s, value);
    if (comment.len)
        doc_set_line_comment(n.ctx->set, s.at, comment);
    return 0;
}

int gfn_set_str(gfn_node n, const char *path, const char *text)
{
    gfn_node at = gfn_get(n, path);

    if (gfn_type(at) == GFN_STRING && gfn_text_is(at, text)) /* the usual case, without a copy */
        return 0;
    return set_scalar(n, path, new_string(n.ctx, text));
}

int gfn_set_int(gfn_node n, const char *path, int64_t value)
{
    return set_scalar(n, path, doc_new_int(n.ctx->set, value));
}

int gfn_set_bool(gfn_node n, const char *path, bool value)
{
    return set_scalar(n, path, doc_new_bool(n.ctx->set, value));
}

int gfn_set_plain(gfn_node n, const char *path, const char *text)
{
    const struct doc_node *old = sdk_node(gfn_get(n, path));

    if (doc_is_scalar(old) && str_eq(doc_text(old, STR_NONE), str_of(text)) &&
        (old->type != DOC_NULL || *text))
        return 0;
    if (doc_is_string(old) && is_quoted(old))
        return set_scalar(n, path, doc_new_string(n.ctx->set, str_of(text)));
    return set_scalar(n, path, new_plain(n.ctx, text));
}

/* ---- anything */

int gfn_set_node(gfn_node n, const char *path, gfn_node value)
{
    struct doc_node *with = sdk_free_node(n.ctx, value);
    struct slot s;

    if (!with)
        return sdk_fail_at(n, path, "cannot set a field to nothing");
    if (go_to(n, path, false, &s) < 0)
        return -1;
    if (!s.at || s.at->type != with->type || !doc_equal(s.at, with))
        put(n.ctx, &s, with);
    return 0;
}

int gfn_delete(gfn_node n, const char *path)
{
    struct slot s;
    int rc = go_to(n, path, true, &s);

    if (rc <= 0 || !s.at)
        return rc < 0 ? -1 : 0;
    if (!s.parent)
        return sdk_fail_at(n, path, "cannot delete the node itself");
    if (doc_is_map(s.parent))
        doc_remove(s.parent, doc_key(s.at));
    else
        doc_remove_item(s.parent, s.at);
    return 0;
}

gfn_node gfn_ensure_map(gfn_node n, const char *path)
{
    struct slot s;

    if (go_to(n, path, false, &s) < 0)
        return gfn_nothing(n.ctx);
    if (doc_is_null(s.at))
        make_collection(n.ctx, &s, false);
    if (!doc_is_map(s.at)) {
        sdk_fail_at(n, path, "expected a mapping");
        return gfn_nothing(n.ctx);
    }
    return sdk_handle(n.ctx, s.at);
}

gfn_node gfn_set_child(gfn_node map, const char *key, gfn_node value)
{
    struct doc_node *at = sdk_node(map), *with = sdk_free_node(map.ctx, value), *old;

    if (!doc_is_map(at) || !with) {
        sdk_fail_at(map, key, "cannot set this field");
        return gfn_nothing(map.ctx);
    }
    old = doc_get(at, str_of(key));
    if (old && old->type == with->type && doc_equal(old, with))
        return sdk_handle(map.ctx, old);
    with = doc_set_field(map.ctx->set, at, str_of(key), with);
    if (!old && doc_new_plain(map.ctx->set, str_of(key), DOC_MANIFEST)->type != DOC_STRING)
        with->key_style = DOC_DOUBLE;
    return sdk_handle(map.ctx, with);
}

gfn_node gfn_append(gfn_node list, gfn_node value)
{
    struct doc_node *at = sdk_node(list), *with = sdk_free_node(list.ctx, value);

    if (!doc_is_list(at) || !with) {
        sdk_fail_at(list, "", "cannot append to what is no list");
        return gfn_nothing(list.ctx);
    }
    return sdk_handle(list.ctx, doc_append(at, with));
}

void gfn_clear(gfn_node collection)
{
    struct doc_node *at = sdk_node(collection);

    while (doc_len(at))
        doc_unlink(at, at->last->next);
}

void gfn_set_style(gfn_node n, enum gfn_style style)
{
    static const enum doc_style styles[] = {
        [GFN_PLAIN] = DOC_PLAIN,     [GFN_SINGLE] = DOC_SINGLE, [GFN_DOUBLE] = DOC_DOUBLE,
        [GFN_LITERAL] = DOC_LITERAL, [GFN_FOLDED] = DOC_FOLDED, [GFN_FLOW] = DOC_FLOW,
    };
    struct doc_node *at = sdk_node(n);

    if (!at || at->style == styles[style])
        return;
    at->style = styles[style] & 7;
    at->is_changed |= at->source != 0;
}

void gfn_touch(gfn_node n)
{
    struct doc_node *at = sdk_node(n);

    if (at)
        at->is_changed = true;
}

struct field_order {
    struct doc_node *field;
    const char *key;
    size_t index; /* equal ones stay in order */
    int (*compare)(const char *a, const char *b);
};

static int compare_fields(const void *a, const void *b)
{
    const struct field_order *x = a, *y = b;
    int by_key = x->compare(x->key, y->key);

    return by_key ? by_key : x->index < y->index ? -1 : 1;
}

void gfn_sort(gfn_node map, int (*compare)(const char *a, const char *b))
{
    struct doc_node *at = sdk_node(map), *before = NULL;
    VEC(struct field_order) order = {0};
    struct doc_iter it = doc_children(at);
    size_t count = 0;
    bool is_sorted = true;

    if (!doc_is_map(at))
        return;
    while (doc_next(&it)) {
        const char *key = sdk_text(map.ctx, it.key);

        is_sorted = is_sorted && (!order.len || compare(vec_last(&order).key, key) <= 0);
        vec_push(&order, {it.value, key, count++, compare});
    }
    if (!is_sorted) {
        vec_sort(&order, compare_fields);
        gfn_clear(map);
        for (size_t i = 0; i < order.len; i++) {
            doc_link(map.ctx->set, at, before, order.v[i].field);
            before = order.v[i].field;
        }
    }
    vec_done(&order);
}
