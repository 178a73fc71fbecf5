/* Macros over ranges, and bindings (cel spec 6, 10): what a fold node means. */
#include "expr/cel/cel_priv.h"

static bool is_error(const struct cel_value *v) { return v->kind == CEL_ERROR; }

/* A range as elements: keys and values, or indexes and items. */
struct range {
    const struct cel_entry *entries;
    const struct cel_list *list;
    size_t len;
};

static bool open_range(struct cel_run *r, const struct cel_value *of, struct range *ret)
{
    *ret = (struct range){0};
    if (of->kind == CEL_LIST) {
        ret->list = of->list;
        ret->len = of->list->len;
    } else if (of->kind == CEL_MAP) {
        ret->entries = cel_map_entries(r->arena, of->map);
        ret->len = cel_map_len(of->map);
    } else {
        return false;
    }
    return true;
}

static void set_vars(struct cel_run *r, const struct cel_node *n, const struct range *range,
                     size_t i)
{
    struct cel_value first = range->list ? range->list->v[i] : range->entries[i].key;

    if (!n->var2.len) {
        r->locals[n->slot] = first;
        return;
    }
    r->locals[n->slot] = range->list ? cel_make_int((int64_t)i) : first;
    r->locals[n->slot2] = range->list ? first : range->entries[i].value;
}

static struct cel_value fold_logic(struct cel_run *r, const struct cel_node *n,
                                   const struct range *range)
{
    bool decides = n->fold == F_EXISTS;
    struct cel_value failed = cel_make_bool(!decides);

    for (size_t i = 0; i < range->len; i++) {
        struct cel_value v;

        if (++r->work > CEL_MAX_WORK)
            return cel_work_exceeded(r);
        set_vars(r, n, range, i);
        v = cel_eval_node(r, n->args[1]);
        if (v.kind == CEL_BOOL && v.b == decides)
            return v;
        if (v.kind != CEL_BOOL && !is_error(&failed))
            failed = is_error(&v) ? v : cel_no_overload(r->arena, NULL);
    }
    return failed;
}

static struct cel_value fold_one(struct cel_run *r, const struct cel_node *n,
                                 const struct range *range)
{
    size_t count = 0;

    for (size_t i = 0; i < range->len; i++) {
        struct cel_value v;

        if (++r->work > CEL_MAX_WORK)
            return cel_work_exceeded(r);
        set_vars(r, n, range, i);
        v = cel_eval_node(r, n->args[1]);
        if (v.kind != CEL_BOOL)
            return is_error(&v) ? v : cel_no_overload(r->arena, NULL);
        count += v.b;
    }
    return cel_make_bool(count == 1);
}

/* What the last expression makes of an element, or an error; false when the predicate before it, if
 * there is one, leaves the element out. */
static bool chosen(struct cel_run *r, const struct cel_node *n, const struct range *range, size_t i,
                   struct cel_value *ret)
{
    bool has_predicate = n->count >= 3;

    if (++r->work > CEL_MAX_WORK) {
        *ret = cel_work_exceeded(r);
        return true;
    }
    set_vars(r, n, range, i);
    if (has_predicate) {
        *ret = cel_eval_node(r, n->args[1]);
        if (ret->kind == CEL_BOOL && !ret->b)
            return false;
        if (ret->kind != CEL_BOOL) {
            if (!is_error(ret))
                *ret = cel_no_overload(r->arena, NULL);
            return true;
        }
    }
    *ret = cel_eval_node(r, n->args[n->count - 1]);
    return true;
}

static struct cel_value fold_list(struct cel_run *r, const struct cel_node *n,
                                  const struct range *range)
{
    struct cel_value *v = ARENA_ARRAY(r->arena, struct cel_value, range->len);
    size_t len = 0;

    for (size_t i = 0; i < range->len; i++) {
        struct cel_value item;

        if (!chosen(r, n, range, i, &item))
            continue;
        if (is_error(&item))
            return item;
        if (n->fold == F_FILTER && item.kind != CEL_BOOL)
            return cel_no_overload(r->arena, NULL);
        if (n->fold != F_FILTER)
            v[len++] = item;
        else if (item.b)
            v[len++] = range->list ? range->list->v[i] : range->entries[i].key;
    }
    return cel_make_list(r->arena, v, len);
}

static struct cel_value add_entries(struct cel_run *r, struct cel_entry **v, size_t *len,
                                    size_t *cap, const struct cel_value *more)
{
    const struct cel_entry *entries = cel_map_entries(r->arena, more->map);
    struct cel_map have = {.v = *v, .len = *len};
    struct cel_value found;

    for (size_t i = 0; i < cel_map_len(more->map); i++) {
        if (cel_map_get(r->arena, &have, &entries[i].key, &found)) {
            struct cel_value text = cel_to_string(r->arena, &entries[i].key);

            return cel_fail(r->arena, CEL_OTHER, "insert failed: key %.*s already exists",
                            STR_ARG(text.s));
        }
        if (*len == *cap) {
            struct cel_entry *wider = ARENA_ARRAY(r->arena, struct cel_entry, *cap * 2 + 8);

            if (*len)
                memcpy(wider, *v, *len * sizeof(*wider));
            *v = wider;
            *cap = *cap * 2 + 8;
        }
        (*v)[(*len)++] = entries[i];
        have = (struct cel_map){.v = *v, .len = *len};
    }
    return cel_make_null();
}

static struct cel_value fold_map(struct cel_run *r, const struct cel_node *n,
                                 const struct range *range)
{
    struct cel_entry *v = ARENA_ARRAY(r->arena, struct cel_entry, range->len);
    size_t len = 0, cap = range->len;

    for (size_t i = 0; i < range->len; i++) {
        struct cel_value item;

        if (!chosen(r, n, range, i, &item))
            continue;
        if (is_error(&item))
            return item;
        if (n->fold == F_MAP_VALUE) {
            v[len++] = (struct cel_entry){r->locals[n->slot], item};
            continue;
        }
        if (item.kind != CEL_MAP)
            return cel_no_overload(r->arena, NULL);
        item = add_entries(r, &v, &len, &cap, &item);
        if (is_error(&item))
            return item;
    }
    return cel_make_map(r->arena, v, len);
}

static struct cel_value fold_sort(struct cel_run *r, const struct cel_node *n,
                                  const struct range *range)
{
    struct cel_list keys = {ARENA_ARRAY(r->arena, struct cel_value, range->len), range->len};
    struct cel_list items = {ARENA_ARRAY(r->arena, struct cel_value, range->len), range->len};

    for (size_t i = 0; i < range->len; i++) {
        set_vars(r, n, range, i);
        items.v[i] = r->locals[n->slot];
        keys.v[i] = cel_eval_node(r, n->args[1]);
        if (is_error(&keys.v[i]))
            return keys.v[i];
    }
    return cel_sort(r, &items, &keys);
}

static struct cel_value fold_optional(struct cel_run *r, const struct cel_node *n,
                                      const struct cel_value *of)
{
    struct cel_value v;

    if (of->kind != CEL_OPTIONAL)
        return cel_fail(r->arena, CEL_NO_SUCH_OVERLOAD, "no such overload: hasValue(%.*s)",
                        STR_ARG(cel_type_runtime_name(cel_type_of_value(r->arena, of))));
    if (!of->inner)
        return *of;
    r->locals[n->slot] = *of->inner;
    v = cel_eval_node(r, n->args[1]);
    if (is_error(&v) || n->fold == F_OPT_FLAT_MAP)
        return v;
    return cel_make_optional(r->arena, &v);
}

static struct cel_value no_range(struct cel_run *r, const struct cel_node *n,
                                 const struct cel_value *of)
{
    str name = cel_go_name(r->arena, of);

    if (n->var2.len)
        return cel_fail(r->arena, CEL_NO_SUCH_OVERLOAD,
                        "unsupported comprehension range type: %.*s", STR_ARG(name));
    return cel_fail(r->arena, CEL_NO_SUCH_OVERLOAD, "got '%.*s', expected iterable type",
                    STR_ARG(name));
}

struct cel_value cel_eval_fold(struct cel_run *r, const struct cel_node *n)
{
    struct cel_value of = cel_eval_node(r, n->args[0]);
    struct range range;

    if (n->fold == F_BIND) {
        r->locals[n->slot] = of;
        return cel_eval_node(r, n->args[1]);
    }
    if (is_error(&of))
        return of;
    if (n->fold == F_OPT_MAP || n->fold == F_OPT_FLAT_MAP)
        return fold_optional(r, n, &of);
    if (!open_range(r, &of, &range))
        return no_range(r, n, &of);
    switch (n->fold) {
    case F_ALL:
    case F_EXISTS:
        return fold_logic(r, n, &range);
    case F_EXISTS_ONE:
        return fold_one(r, n, &range);
    case F_MAP_VALUE:
    case F_MAP_ENTRY:
        return fold_map(r, n, &range);
    case F_SORT_BY:
        return fold_sort(r, n, &range);
    default:
        return fold_list(r, n, &range);
    }
}
