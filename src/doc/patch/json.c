#include "doc/patch/json.h"

#include "base/diag.h"
#include "base/mem.h"
#include "base/vec.h"
#include "doc/emit.h"

enum { MAX_DEPTH = 10000, MAX_COPIED = 1000000 };

/* What a step did, for the way back. */
struct change {
    enum { LINKED, UNLINKED, REPLACED } kind;
    struct doc_node *parent, *before, *node;
    struct doc_node was; /* REPLACED */
    bool had_removed;    /* UNLINKED: the parent's mark */
};

struct patcher {
    struct doc_set *set;
    const struct doc_set *patch_set;
    struct doc_node *root;
    VEC(struct change) log;
    size_t copied;
    struct buf why;
    bool is_test; /* a test failed, as opposed to a patch that makes no sense */
    bool is_lenient;
};

static bool fail(struct patcher *p, const char *fmt, ...) PRINTF(2, 3);
static bool fail(struct patcher *p, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    buf_addv(&p->why, fmt, args);
    va_end(args);
    return false;
}

/* ---- pointers */

/* The token behind the '/' that *rest begins with; false at the end and for what is no pointer. */
static bool next_token(str *rest, bool is_lenient, struct buf *token)
{
    buf_clear(token);
    if (!str_drop_prefix(rest, STR("/")))
        return false;
    while (rest->len && rest->p[0] != '/') {
        char c = rest->p[0];
        bool is_escape = c == '~' && rest->len > 1 && (rest->p[1] == '0' || rest->p[1] == '1');

        if (c == '~' && !is_escape && !is_lenient)
            return false;
        if (is_escape) {
            c = rest->p[1] == '0' ? '~' : '/';
            *rest = str_from(*rest, 1);
        }
        buf_add_char(token, c);
        *rest = str_from(*rest, 1);
    }
    return true;
}

static bool is_index(str token, size_t *ret)
{
    uint64_t value;

    if (token.len == 0 || token.p[0] < '0' || token.p[0] > '9' ||
        (token.len > 1 && token.p[0] == '0') || !str_to_uint64(token, &value))
        return false;
    *ret = value;
    return true;
}

/* Go's Atoi, and counted from the end when negative: len is -1. */
static bool is_lenient_index(str token, size_t len, size_t *ret)
{
    int64_t value;

    if (token.len > 1 && token.p[0] == '+' && token.p[1] != '-')
        token = str_from(token, 1);
    if (!str_to_int64(token, &value) || value < -(int64_t)len)
        return false;
    *ret = (size_t)(value < 0 ? value + (int64_t)len : value);
    return true;
}

static bool find_index(bool is_lenient, str token, size_t len, size_t *ret)
{
    return is_lenient ? is_lenient_index(token, len, ret) : is_index(token, ret);
}

static struct doc_node *child_of(const struct doc_node *n, str token, bool is_lenient)
{
    size_t index;

    if (doc_is_list(n))
        return find_index(is_lenient, token, n->len, &index) ? doc_item(n, index) : NULL;
    return doc_get(n, token);
}

/* Where an operation works: parent and last token; parent is NULL for the root. */
struct target {
    struct doc_node *parent;
    struct buf token;
    size_t depth;
};

static bool find_target(struct patcher *p, str pointer, struct target *ret)
{
    str rest = pointer;
    struct doc_node *n = p->root;

    ret->parent = NULL;
    ret->depth = 0;
    if (p->is_lenient && rest.len && rest.p[0] != '/') { /* what stands before is not looked at */
        (void)str_cut(rest, '/', &rest);
        if (!rest.p)
            return fail(p, "there is nothing at \"%.*s\"", STR_ARG(pointer));
        rest = str_range(rest.p - 1, rest.p + rest.len);
    }
    while (rest.len) {
        str done = {pointer.p, pointer.len - rest.len};

        if (ret->depth++) {
            n = child_of(n, buf_view(&ret->token), p->is_lenient);
            if (!n)
                return fail(p, "there is nothing at \"%.*s\"", STR_ARG(done));
        }
        if (!doc_is_map(n) && !doc_is_list(n))
            return fail(p, "what is at \"%.*s\" is neither a map nor a list", STR_ARG(done));
        ret->parent = n;
        if (!next_token(&rest, p->is_lenient, &ret->token))
            return fail(p, "\"%.*s\" is no JSON pointer: '/' and ~0 or ~1 are expected",
                        STR_ARG(pointer));
    }
    return true;
}

static struct doc_node *target_node(struct patcher *p, const struct target *t)
{
    return t->parent ? child_of(t->parent, buf_view(&t->token), p->is_lenient) : p->root;
}

/* ---- steps, each with its way back */

static void replace(struct patcher *p, struct doc_node *node, struct doc_node *value)
{
    vec_push(&p->log, {.kind = REPLACED, .node = node, .was = *node});
    if (node->extra) { /* doc_replace changes it */
        struct doc_extra *copy = ARENA_NEW(&p->set->arena, struct doc_extra);

        *copy = *node->extra;
        copy->twin = NULL;
        node->extra = copy;
    }
    doc_replace(node, value);
}

static void unlink_node(struct patcher *p, struct doc_node *parent, struct doc_node *node)
{
    bool had_removed = parent->has_removed;
    struct doc_node *before = doc_unlink(parent, node);

    vec_push(&p->log, {.kind = UNLINKED,
                       .parent = parent,
                       .before = before,
                       .node = node,
                       .had_removed = had_removed});
}

static void link_node(struct patcher *p, struct doc_node *parent, struct doc_node *before,
                      struct doc_node *node)
{
    doc_link(p->set, parent, before, node);
    vec_push(&p->log, {.kind = LINKED, .parent = parent, .node = node});
}

static void undo(struct patcher *p)
{
    while (p->log.len) {
        struct change *c = &p->log.v[--p->log.len];

        switch (c->kind) {
        case LINKED:
            doc_unlink(c->parent, c->node);
            break;
        case UNLINKED:
            doc_link(p->set, c->parent, c->before, c->node);
            c->parent->has_removed = c->had_removed;
            break;
        case REPLACED:
            c->was.next = c->node->next;
            *c->node = c->was;
            break;
        }
    }
}

/* Counts the nodes of a tree and how deep it is. */
static void measure(const struct doc_node *n, size_t depth, size_t *nodes, size_t *deepest)
{
    struct doc_iter it = doc_children(n);

    ++*nodes;
    *deepest = MAX(*deepest, depth);
    while (doc_next(&it))
        measure(it.value, depth + 1, nodes, deepest);
}

static bool may_add(struct patcher *p, const struct doc_node *value, const struct target *t)
{
    size_t deepest = 0;

    measure(value, t->depth, &p->copied, &deepest);
    if (deepest >= MAX_DEPTH)
        return fail(p, "the document would be nested more than %d deep", MAX_DEPTH);
    if (p->copied > MAX_COPIED)
        return fail(p, "the patch copies more than %d values", MAX_COPIED);
    return true;
}

/* ---- operations */

static bool add_item(struct patcher *p, const struct target *t, struct doc_node *value)
{
    str token = buf_view(&t->token);
    size_t index = t->parent->len;

    if (!str_eq(token, STR("-")) && !find_index(p->is_lenient, token, index + 1, &index))
        return fail(p, "\"%.*s\" is no index of a list", STR_ARG(token));
    if (index > t->parent->len)
        return fail(p, "the list has %u items only", t->parent->len);
    link_node(p, t->parent, index ? doc_item(t->parent, index - 1) : NULL, value);
    return true;
}

/* value has no parent. */
static bool add_value(struct patcher *p, const struct target *t, struct doc_node *value)
{
    struct doc_node *old;

    if (t->parent && doc_is_list(t->parent))
        return add_item(p, t, value);
    old = target_node(p, t);
    if (old) {
        replace(p, old, value);
        return true;
    }
    doc_key_set(value, arena_dup(&p->set->arena, buf_view(&t->token)));
    value->key_style = DOC_PLAIN;
    link_node(p, t->parent, t->parent->last, value);
    return true;
}

static bool need_node(struct patcher *p, const struct target *t, str pointer, struct doc_node **ret)
{
    *ret = target_node(p, t);
    return *ret || fail(p, "there is nothing at \"%.*s\"", STR_ARG(pointer));
}

static const struct doc_node null_value = {.type = DOC_NULL, .text = "null", .len = 4};

struct operation {
    struct target path, from;
    str path_text, from_text;
    const struct doc_node *value;
};

static bool op_add(struct patcher *p, struct operation *o)
{
    if (p->is_lenient && !o->path.parent)
        return fail(p, "the whole document cannot be added");
    return may_add(p, o->value, &o->path) && add_value(p, &o->path, doc_copy(p->set, o->value));
}

static bool op_remove(struct patcher *p, struct operation *o)
{
    struct doc_node *n;

    if (!o->path.parent)
        return fail(p, "the whole document cannot be removed");
    if (!need_node(p, &o->path, o->path_text, &n))
        return false;
    unlink_node(p, o->path.parent, n);
    return true;
}

static bool op_replace(struct patcher *p, struct operation *o)
{
    struct doc_node *n = target_node(p, &o->path);

    if (p->is_lenient && !n && doc_is_map(o->path.parent))
        return op_add(p, o);
    if (p->is_lenient && !o->path.parent && !doc_is_map(o->value) && !doc_is_list(o->value))
        return fail(p, "the whole document must be a map or a list");
    if (!need_node(p, &o->path, o->path_text, &n) || !may_add(p, o->value, &o->path))
        return false;
    replace(p, n, doc_copy(p->set, o->value));
    return true;
}

/* Upstream compares scalars as they are written, and writes its own in one way: numbers in the
 * shortest, texts with <, > and & escaped and nothing that need not be. 1000.0 in a patch in JSON
 * equals nothing. */
static bool is_long_number(str text)
{
    return memchr(text.p, 'e', text.len) || memchr(text.p, 'E', text.len) ||
           (memchr(text.p, '.', text.len) && text.p[text.len - 1] == '0');
}

static bool is_odd_text(const struct patcher *p, const struct doc_node *n)
{
    AUTO(buf_done) struct buf usual = {0};
    str text = p->patch_set->sources[n->source].text;

    doc_json_quote((str){n->text, n->len}, DOC_JSON_HTML, &usual);
    return !str_eq(buf_view(&usual), str_sub(text, n->begin, n->end - n->begin));
}

static bool is_written_otherwise(const struct patcher *p, const struct doc_node *n)
{
    struct doc_iter it = doc_children(n);

    if (n->type == DOC_STRING)
        return is_odd_text(p, n);
    if (n->type == DOC_NUMBER && n->len && is_long_number((str){n->text, n->len}))
        return true;
    while (doc_next(&it))
        if (is_written_otherwise(p, it.value))
            return true;
    return false;
}

static bool is_in_json(const struct patcher *p, const struct doc_node *n)
{
    str text = n->source ? str_trim(p->patch_set->sources[n->source].text) : STR_NONE;

    return text.len && text.p[0] == '[';
}

static bool op_test(struct patcher *p, struct operation *o)
{
    struct doc_node *n = target_node(p, &o->path);

    if (p->is_lenient && !n && doc_is_map(o->path.parent)) /* nothing equals null */
        n = (struct doc_node *)&null_value;
    if (!n && !need_node(p, &o->path, o->path_text, &n))
        return false;
    p->is_test = !doc_equal(n, o->value) ||
                 (p->is_lenient && is_in_json(p, o->value) && is_written_otherwise(p, o->value));
    return !p->is_test || fail(p, "the value is another one");
}

static bool op_copy(struct patcher *p, struct operation *o)
{
    struct doc_node *n = target_node(p, &o->from);

    if (p->is_lenient && (!o->path.parent || !o->from.parent))
        return fail(p, "the whole document can be neither copied nor copied to");
    if (p->is_lenient && !n && doc_is_map(o->from.parent))
        return add_value(p, &o->path, doc_copy(p->set, &null_value));
    return need_node(p, &o->from, o->from_text, &n) && may_add(p, n, &o->path) &&
           add_value(p, &o->path, doc_copy(p->set, n));
}

static bool op_move(struct patcher *p, struct operation *o)
{
    struct doc_node *n;
    size_t deepest = 0, nodes = 0;

    if (!need_node(p, &o->from, o->from_text, &n))
        return false;
    if (str_eq(o->from_text, o->path_text))
        return true;
    if (str_starts(o->path_text, o->from_text) && (o->path_text.p[o->from_text.len] == '/'))
        return fail(p, "a value cannot be moved into itself");
    if (!o->from.parent || (p->is_lenient && !o->path.parent))
        return fail(p, "the whole document cannot be moved");
    unlink_node(p, o->from.parent, n);
    if (!find_target(p, o->path_text, &o->path)) /* anew: indexes have changed */
        return false;
    measure(n, o->path.depth, &nodes, &deepest);
    if (deepest >= MAX_DEPTH)
        return fail(p, "the document would be nested more than %d deep", MAX_DEPTH);
    return add_value(p, &o->path, doc_copy(p->set, n)); /* the node itself stays for the way back */
}

enum { NEEDS_VALUE = 1, NEEDS_FROM = 2 };

static const struct {
    str name;
    unsigned needs;
    bool (*run)(struct patcher *p, struct operation *o);
} operations[] = {
    {STR_INIT("add"), NEEDS_VALUE, op_add},         {STR_INIT("remove"), 0, op_remove},
    {STR_INIT("replace"), NEEDS_VALUE, op_replace}, {STR_INIT("move"), NEEDS_FROM, op_move},
    {STR_INIT("copy"), NEEDS_FROM, op_copy},        {STR_INIT("test"), NEEDS_VALUE, op_test},
};

static bool get_text(struct patcher *p, const struct doc_node *op, str key, str *ret)
{
    const struct doc_node *n = doc_get(op, key);

    *ret = doc_string(n, STR_NONE);
    return doc_is_string(n) || fail(p, "it needs \"%.*s\", a text", STR_ARG(key));
}

static bool run_found(struct patcher *p, const struct doc_node *op, size_t kind,
                      struct operation *o)
{
    unsigned needs = operations[kind].needs;

    o->value = doc_get_lit(op, "value");
    if (p->is_lenient && !o->value)
        o->value = &null_value;
    if (needs & NEEDS_VALUE && !o->value)
        return fail(p, "it needs a \"value\"");
    if (needs & NEEDS_FROM &&
        (!get_text(p, op, STR("from"), &o->from_text) || !find_target(p, o->from_text, &o->from)))
        return false;
    return get_text(p, op, STR("path"), &o->path_text) && find_target(p, o->path_text, &o->path) &&
           operations[kind].run(p, o);
}

static bool run(struct patcher *p, const struct doc_node *op)
{
    struct operation o = {0};
    bool is_ok = false;
    str name;

    if (!doc_is_map(op))
        return fail(p, "an operation is a map");
    if (!get_text(p, op, STR("op"), &name))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(operations); i++) {
        if (!str_eq(operations[i].name, name))
            continue;
        is_ok = run_found(p, op, i, &o);
        buf_done(&o.path.token);
        buf_done(&o.from.token);
        return is_ok;
    }
    return fail(p, "\"%.*s\" is no operation: add, remove, replace, move, copy and test are",
                STR_ARG(name));
}

static void report(const struct patcher *p, const struct doc_set *patch_set,
                   const struct doc_node *op, size_t index, struct err *e)
{
    AUTO(diag_list_done) struct diag_list diags = {0};
    struct doc_place place = doc_place(patch_set, op);
    str name = doc_string(doc_get_lit(op, "op"), STR_NONE),
        path = doc_string(doc_get_lit(op, "path"), STR_NONE);
    struct diag *d;

    if (name.len)
        d = diag_errorf(&diags, STR("patch.json"), place.origin, place.line, place.column,
                        "operation %zu, %.*s \"%.*s\": %s", index, STR_ARG(name), STR_ARG(path),
                        buf_cstr(&p->why));
    else
        d = diag_errorf(&diags, STR("patch.json"), place.origin, place.line, place.column,
                        "operation %zu: %s", index, buf_cstr(&p->why));
    d->excerpt = arena_dup(&diags.arena, place.excerpt);
    err_diags(e, &diags);
    if (p->is_test)
        e->kind = ERR_CONFLICT;
}

static int run_all(struct doc_set *set, struct doc_node *root, const struct doc_set *patch_set,
                   const struct doc_node *patch, bool is_lenient, struct err *e)
{
    struct patcher p = {.set = set, .patch_set = patch_set, .root = root, .is_lenient = is_lenient};
    struct doc_iter it = doc_children(patch);
    size_t index = 0;
    bool is_ok = true;

    if (!doc_is_list(patch))
        return err_set(e, ERR_INVALID, "a JSON patch is a list of operations");
    for (; is_ok && doc_next(&it); index++)
        is_ok = run(&p, it.value);
    if (!is_ok) {
        report(&p, patch_set, it.value, index - 1, e);
        undo(&p);
    }
    vec_done(&p.log);
    buf_done(&p.why);
    return is_ok ? 0 : -1;
}

int doc_json_patch(struct doc_set *set, struct doc_node *root, const struct doc_set *patch_set,
                   const struct doc_node *patch, struct err *e)
{
    return run_all(set, root, patch_set, patch, false, e);
}

int doc_json_patch_lenient(struct doc_set *set, struct doc_node *root,
                           const struct doc_set *patch_set, const struct doc_node *patch,
                           struct err *e)
{
    return run_all(set, root, patch_set, patch, true, e);
}
