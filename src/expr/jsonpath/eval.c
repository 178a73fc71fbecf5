#include "base/vec.h"
#include "expr/jsonpath/compare_priv.h"
#include "expr/jsonpath/jsonpath_priv.h"

enum { MAX_STEPS = 10 * 1000 * 1000, MAX_RANGES = 64 };

struct values {
    const struct doc_node **v;
    size_t len, cap;
};
static void values_done(struct values *values) { vec_done(values); }
AUTO_VALUE(struct values, values_done)

/* The state of ranges follows upstream's: it belongs to the run, not to the part a word stands in.
 */
struct run {
    const struct jp_node *last_end; /* the newest `end` reached */
    struct arena *arena;
    VEC(struct jsonpath_list) lists;
    int steps;
    int begun, ended, inside; /* ranges asked for, ends asked for, ranges being run */
    int depth;
    bool allow_missing;
    struct err *e;
};

static int walk(struct run *r, const struct values *in, const struct jp_node *n,
                struct values *out);

static const struct doc_node *resolve(const struct doc_node *n)
{
    while (doc_type(n) == DOC_ALIAS)
        n = n->extra->target;
    return n;
}

static int count_steps(struct run *r, size_t steps)
{
    if (steps > (size_t)(MAX_STEPS - r->steps)) {
        r->steps = MAX_STEPS;
        return err_set(r->e, ERR_LIMIT, "the JSONPath template takes more than %d steps",
                       MAX_STEPS);
    }
    r->steps += (int)steps;
    return 0;
}

static int eval_field(struct run *r, const struct values *in, str name, struct values *out)
{
    for (size_t i = 0; i < in->len; i++) {
        const struct doc_node *value = doc_get(resolve(in->v[i]), name);

        if (value)
            vec_push(out, resolve(value));
    }
    if (in->len && out->len == 0 && !r->allow_missing)
        return err_set(r->e, ERR_NOT_FOUND, "%.*s is not found", STR_ARG(name));
    return 0;
}

/* The bounds of a slice for a list of `len` items: 1 when it is empty by its bounds, -1 when they
 * are out of range. */
static int slice_bounds(struct run *r, const struct jp_bound *b, int64_t len, int64_t *ret_from,
                        int64_t *ret_to)
{
    int64_t from = b[0].is_known ? b[0].value : 0, to = b[1].is_known ? b[1].value : len;

    if (from < 0)
        from += len;
    if (to < 0 || (to == 0 && b[1].is_derived))
        to += len;
    if (from == to)
        return 1;
    if (from >= len || from < 0)
        return err_set(r->e, ERR_INVALID, "array index out of bounds: index %lld, length %lld",
                       (long long)from, (long long)len);
    if (to > len || to < 0)
        return err_set(r->e, ERR_INVALID, "array index out of bounds: index %lld, length %lld",
                       (long long)to - 1, (long long)len);
    if (from > to)
        return err_set(r->e, ERR_INVALID, "starting index %lld is greater than ending index %lld",
                       (long long)from, (long long)to);
    if (b[2].is_known && b[2].value <= 0)
        return err_set(r->e, ERR_INVALID, "step must be > 0");
    *ret_from = from;
    *ret_to = to;
    return 0;
}

static int add_slice(struct run *r, const struct doc_node *list, int64_t from, int64_t to,
                     int64_t step, struct values *out)
{
    const struct doc_node *item = doc_first(list);

    if (count_steps(r, (size_t)to) < 0)
        return -1;
    for (int64_t i = 0; i < to; i++, item = item->next)
        if (i >= from && (i - from) % step == 0)
            vec_push(out, resolve(item));
    return 0;
}

/* Upstream hands the input on when bounds are wrong: [?(@[9])] holds for every list. */
static int keep_input(const struct values *in, struct values *out)
{
    out->len = 0;
    for (size_t i = 0; i < in->len; i++)
        vec_push(out, in->v[i]);
    return -1;
}

static int eval_array(struct run *r, const struct values *in, const struct jp_node *n,
                      struct values *out)
{
    for (size_t i = 0; i < in->len; i++) {
        const struct doc_node *list = resolve(in->v[i]);
        int64_t from = 0, to = 0;
        int rc;

        if (doc_is_null(list))
            continue;
        if (!doc_is_list(list))
            return err_set(r->e, ERR_INVALID, "%s is not array or slice", jp_type_name(list));
        rc = slice_bounds(r, n->bounds, (int64_t)doc_len(list), &from, &to);
        if (rc < 0)
            return keep_input(in, out);
        if (rc > 0)
            return 0; /* upstream leaves the other lists out, too */
        if (add_slice(r, list, from, to, n->bounds[2].is_known ? n->bounds[2].value : 1, out) < 0)
            return -1;
    }
    return 0;
}

/* Members of a map or list; the bytes of a text, as numbers. */
static int add_children(struct run *r, const struct doc_node *n, struct values *out)
{
    struct doc_iter it = doc_children(n);

    if (count_steps(r, doc_is_string(n) ? n->len : doc_len(n)) < 0)
        return -1;
    while (doc_next(&it))
        vec_push(out, resolve(it.value));
    if (!doc_is_string(n))
        return 0;
    for (uint32_t i = 0; i < n->len; i++) {
        struct doc_node *byte = ARENA_NEW(r->arena, struct doc_node);
        str text = arena_printf(r->arena, "%u", (unsigned char)n->text[i]);

        byte->type = DOC_NUMBER;
        byte->is_int = true;
        byte->text = text.p;
        byte->len = (uint32_t)text.len;
        vec_push(out, byte);
    }
    return 0;
}

static int eval_wildcard(struct run *r, const struct values *in, struct values *out)
{
    for (size_t i = 0; i < in->len; i++)
        if (add_children(r, resolve(in->v[i]), out) < 0)
            return -1;
    return 0;
}

/* Everything that has something inside, itself before its members; a text has its bytes inside. */
static int eval_recursive(struct run *r, const struct values *in, struct values *out)
{
    AUTO(values_done) struct values stack = {0};

    for (size_t i = in->len; i > 0; i--)
        vec_push(&stack, resolve(in->v[i - 1]));
    while (stack.len) {
        const struct doc_node *n = vec_last(&stack);
        size_t base = --stack.len;

        if (count_steps(r, 1) < 0)
            return -1;
        if (doc_len(n) == 0 && (!doc_is_string(n) || n->len == 0))
            continue;
        vec_push(out, n);
        if (doc_is_string(n))
            continue;
        if (add_children(r, n, &stack) < 0)
            return -1;
        for (size_t a = base, b = stack.len - 1; a < b; a++, b--) {
            const struct doc_node *swap = stack.v[a];

            stack.v[a] = stack.v[b];
            stack.v[b] = swap;
        }
    }
    return 0;
}

/* One side of a filter: 1 with its value, 0 when it gave none. */
static int filter_side(struct run *r, const struct values *item, const struct jp_node *side,
                       const struct doc_node **ret)
{
    AUTO(values_done) struct values found = {0};

    if (walk(r, item, side, &found) < 0)
        return -1;
    if (found.len > 1)
        return err_set(r->e, ERR_INVALID, "can only compare one element at a time");
    *ret = found.len ? found.v[0] : NULL;
    return (int)found.len;
}

static int filter_exists(struct run *r, const struct values *item, const struct jp_node *side)
{
    AUTO(err_done) struct err ignored = {0};
    AUTO(values_done) struct values found = {0};
    struct err *e = r->e;
    int rc;

    r->e = &ignored;
    rc = walk(r, item, side, &found);
    r->e = e;
    if (rc < 0 && ignored.kind == ERR_LIMIT) {
        err_move(e, &ignored);
        return -1;
    }
    return found.len > 0;
}

static int filter_passes(struct run *r, const struct doc_node *value, const struct jp_node *n)
{
    const struct doc_node *left, *right;
    struct values item = {&value, 1, 1};
    int rc;

    if (n->op == JP_EXISTS)
        return filter_exists(r, &item, n->first);
    rc = filter_side(r, &item, n->first, &left);
    if (rc > 0)
        rc = filter_side(r, &item, n->right, &right);
    if (rc <= 0)
        return rc;
    if (n->op == JP_BAD_OP)
        return err_set(r->e, ERR_INVALID, "unrecognized filter operator %.*s", STR_ARG(n->text));
    return jp_compare(left, right, n->op, r->e);
}

static int eval_filter(struct run *r, const struct values *in, const struct jp_node *n,
                       struct values *out)
{
    for (size_t i = 0; i < in->len; i++) {
        const struct doc_node *list = resolve(in->v[i]);
        struct doc_iter it = doc_children(list);

        if (!doc_is_list(list)) {
            AUTO(buf_done) struct buf text = {0};

            if (list)
                jp_add_go_value(&text, list, 0);
            else /* a range without values runs dry on nothing */
                buf_add_cstr(&text, "<invalid reflect.Value>");
            return err_set(r->e, ERR_INVALID, "%s is not array or slice and cannot be filtered",
                           buf_cstr(&text));
        }
        while (doc_next(&it)) {
            int rc = filter_passes(r, resolve(it.value), n);

            if (rc < 0)
                return -1;
            if (rc > 0)
                vec_push(out, resolve(it.value));
        }
    }
    return 0;
}

static int eval_union(struct run *r, const struct values *in, const struct jp_node *n,
                      struct values *out)
{
    for (const struct jp_node *list = n->first; list; list = list->next) {
        AUTO(values_done) struct values found = {0};

        if (walk(r, in, list, &found) < 0)
            return keep_input(in, out);
        for (size_t i = 0; i < found.len; i++)
            vec_push(out, found.v[i]);
    }
    return 0;
}

static int eval_list(struct run *r, const struct values *in, const struct jp_node *list,
                     struct values *out)
{
    AUTO(values_done) struct values from = {0};
    int rc = 0;

    for (size_t i = 0; i < in->len; i++)
        vec_push(out, in->v[i]);
    for (const struct jp_node *n = list->first; n && rc == 0; n = n->next) {
        struct values swap = from;

        from = *out;
        *out = swap;
        out->len = 0;
        rc = walk(r, &from, n, out);
    }
    return rc;
}

static int copy_input(struct run *r, const struct values *in, struct values *out)
{
    keep_input(in, out);
    return count_steps(r, in->len);
}

/* What a node makes of its input. On failure out holds what upstream would hand on, which filters
 * ask for. */
static int walk(struct run *r, const struct values *in, const struct jp_node *n, struct values *out)
{
    if (count_steps(r, in->len + 1) < 0)
        return -1;
    switch (n->kind) {
    case JP_LIST:
        return eval_list(r, in, n, out);
    case JP_VALUE:
        for (size_t i = 0; i < (n->value.type == DOC_STRING ? 1 : in->len); i++)
            vec_push(out, &n->value);
        return 0;
    case JP_FIELD:
        return eval_field(r, in, n->text, out);
    case JP_ARRAY:
        return eval_array(r, in, n, out);
    case JP_FILTER:
        return eval_filter(r, in, n, out);
    case JP_WILDCARD:
        return eval_wildcard(r, in, out);
    case JP_RECURSIVE:
        return eval_recursive(r, in, out);
    case JP_UNION:
        return eval_union(r, in, n, out);
    case JP_RANGE:
        r->begun++;
        return copy_input(r, in, out);
    case JP_END:
        if (r->inside == 0)
            return err_set(r->e, ERR_INVALID, "not in range, nothing to end");
        r->ended++;
        return 0;
    case JP_IDENTIFIER:
        copy_input(r, in, out);
        return err_set(r->e, ERR_INVALID, "unrecognized identifier %.*s", STR_ARG(n->text));
    }
    return 0;
}

static int run_nodes(struct run *r, const struct doc_node *root, const struct jp_node *first);

/* Runs what follows a range once for each value; without one it runs dry, to learn where the range
 * ends. */
static int run_range(struct run *r, const struct values *values, const struct jp_node *rest)
{
    size_t had = r->lists.len;

    r->inside++;
    if (++r->depth > MAX_RANGES)
        return err_set(r->e, ERR_LIMIT, "ranges are nested too deeply");
    for (size_t i = 0; i < values->len; i++)
        if (run_nodes(r, values->v[i], rest) < 0)
            return -1;
    if (values->len == 0) {
        if (run_nodes(r, NULL, rest) < 0)
            return -1;
        r->lists.len = had;
    }
    r->depth--;
    r->inside--;
    return 0;
}

static void keep_results(struct run *r, const struct values *found)
{
    struct jsonpath_list *list = vec_add(&r->lists);

    list->len = found->len;
    list->v = ARENA_ARRAY(r->arena, const struct doc_node *, found->len);
    for (size_t i = 0; i < found->len; i++)
        list->v[i] = found->v[i];
}

static int run_nodes(struct run *r, const struct doc_node *root, const struct jp_node *first)
{
    struct values in = {&root, 1, 1};

    for (const struct jp_node *n = first; n; n = n->next) {
        AUTO(values_done) struct values found = {0};

        if (walk(r, &in, n, &found) < 0)
            return -1;
        if (r->ended > 0 && r->ended <= r->inside) {
            r->ended--;
            r->last_end = n;
            break;
        }
        if (r->begun == 0) {
            keep_results(r, &found);
            continue;
        }
        r->begun--;
        if (run_range(r, &found, n->next) < 0)
            return -1;
        for (const struct jp_node *after = n->next; after; after = after->next) {
            if (after == r->last_end) {
                n = after;
                break;
            }
        }
    }
    return 0;
}

int jsonpath_find(const struct jsonpath *path, const struct doc_node *root, unsigned flags,
                  struct arena *arena, struct jsonpath_results *ret, struct err *e)
{
    struct run r = {.arena = arena, .allow_missing = (flags & JSONPATH_ALLOW_MISSING) != 0, .e = e};
    int rc = run_nodes(&r, resolve(root), path->root->first);

    ret->len = r.lists.len;
    ret->v = ARENA_ARRAY(arena, struct jsonpath_list, r.lists.len);
    for (size_t i = 0; i < r.lists.len; i++)
        ret->v[i] = r.lists.v[i];
    vec_done(&r.lists);
    return rc;
}
