#include "sandbox/apply/fieldset.h"

/* ---- items of lists */

str sb_item_name(struct doc_set *set, enum sb_merge how, const struct sb_keys *keys,
                 const struct doc_node *item)
{
    AUTO(buf_done) struct buf out = {0};

    if (how == SB_SET) {
        buf_add_cstr(&out, "v:");
        doc_emit_json(item, 0, &out);
        return arena_dup(&set->arena, buf_view(&out));
    }
    buf_add_cstr(&out, "k:{");
    for (size_t i = 0; i < keys->count; i++) {
        const struct doc_node *n = doc_get(item, keys->v[i].name);

        if (!n)
            n = keys->v[i].fallback;
        if (!n)
            return STR_NONE;
        if (i)
            buf_add_char(&out, ',');
        doc_json_quote(keys->v[i].name, 0, &out);
        buf_add_char(&out, ':');
        doc_emit_json(n, 0, &out);
    }
    buf_add_char(&out, '}');
    return arena_dup(&set->arena, buf_view(&out));
}

/* The item of that name, or NULL. */
static struct doc_node *find_item(struct doc_set *set, enum sb_merge how,
                                  const struct sb_keys *keys, const struct doc_node *list, str name)
{
    struct doc_iter it = doc_children(list);

    while (doc_next(&it))
        if (str_eq(sb_item_name(set, how, keys, it.value), name))
            return it.value;
    return NULL;
}

/* ---- sets */

static bool is_leaf(const struct doc_node *n) { return doc_len(n) == 0; }

static struct doc_node *member(struct doc_set *set, struct doc_node *in, str name)
{
    struct doc_node *n = doc_get(in, name);

    return n ? n : doc_set_field(set, in, name, doc_new_map(set));
}

static str field_name(struct doc_set *set, str key)
{
    return arena_printf(&set->arena, "f:%.*s", STR_ARG(key));
}

static void set_self(struct doc_set *set, struct doc_node *n)
{
    if (!is_leaf(n))
        member(set, n, STR("."));
}

/* Fills `out` with what is below value; value itself is out's place. What names no field of its
 * type, items, and maps without members are members themselves; lists without items are not there.
 */
static void fill(struct doc_set *set, const struct sb_type *t, const struct doc_node *value,
                 struct doc_node *out)
{
    struct sb_keys keys;
    enum sb_merge how = sb_type_merge(t, value, &keys);
    bool is_struct = how == SB_GRANULAR && sb_type_is_struct(t);
    struct doc_iter it = doc_children(value);

    if (how == SB_ATOMIC)
        return;
    while (doc_next(&it)) {
        struct sb_type below = how == SB_GRANULAR ? sb_type_field(t, it.key) : sb_type_item(t);
        str name =
            how == SB_GRANULAR ? field_name(set, it.key) : sb_item_name(set, how, &keys, it.value);
        struct sb_keys ignored;
        struct doc_node *n;

        if (!name.len || (doc_is_list(it.value) && doc_len(it.value) == 0 &&
                          sb_type_merge(&below, it.value, &ignored) != SB_ATOMIC))
            continue;
        n = member(set, out, name);
        fill(set, &below, it.value, n);
        if (!is_struct)
            set_self(set, n);
    }
}

struct doc_node *sb_fieldset_of(struct doc_set *set, const struct sb_type *t,
                                const struct doc_node *value)
{
    struct doc_node *out = doc_new_map(set);

    fill(set, t, value, out);
    return out;
}

void sb_fieldset_add(struct doc_set *set, struct doc_node *to, const struct doc_node *from)
{
    struct doc_iter it = doc_children(from);

    while (doc_next(&it)) {
        struct doc_node *n = doc_get(to, it.key);

        if (!n) {
            doc_set_field(set, to, it.key, doc_copy(set, it.value));
            continue;
        }
        if (is_leaf(n) != is_leaf(it.value) && !str_eq(it.key, STR(".")))
            member(set, n, STR(".")); /* one has the thing itself, the other what is below */
        sb_fieldset_add(set, n, it.value);
    }
}

/* Is the thing itself in the set, not only what is below it? */
static bool has_self(const struct doc_node *n) { return is_leaf(n) || doc_get_lit(n, "."); }

void sb_fieldset_subtract(struct doc_node *from, const struct doc_node *what)
{
    struct doc_iter it = doc_children(what);

    while (doc_next(&it)) {
        struct doc_node *n = doc_get(from, it.key);

        if (!n)
            continue;
        if (is_leaf(n)) {
            if (has_self(it.value))
                doc_remove(from, it.key);
            continue;
        }
        if (has_self(it.value))
            doc_remove(n, STR("."));
        sb_fieldset_subtract(n, it.value);
        if (is_leaf(n))
            doc_remove(from, it.key);
    }
}

void sb_fieldset_drop(struct doc_node *from, const struct doc_node *gone)
{
    struct doc_iter it = doc_children(gone);

    while (doc_next(&it)) {
        struct doc_node *n = doc_get(from, it.key);
        bool was_leaf = is_leaf(n);

        if (!n)
            continue;
        if (!is_leaf(it.value))
            sb_fieldset_drop(n, it.value);
        if (is_leaf(it.value) || (is_leaf(n) && !was_leaf))
            doc_remove(from, it.key);
    }
}

struct doc_node *sb_fieldset_common(struct doc_set *set, const struct doc_node *a,
                                    const struct doc_node *b)
{
    struct doc_node *out = doc_new_map(set);
    struct doc_iter it = doc_children(a);

    while (doc_next(&it)) {
        const struct doc_node *n = doc_get(b, it.key);

        if (!n)
            continue;
        if (is_leaf(it.value) || is_leaf(n)) {
            if (has_self(it.value) && has_self(n))
                member(set, out, it.key);
        } else {
            struct doc_node *below = sb_fieldset_common(set, it.value, n);

            if (!is_leaf(below))
                doc_set_field(set, out, it.key, below);
        }
    }
    return out;
}

/* ---- differences */

static bool has_members(const struct doc_node *n)
{
    return (doc_is_map(n) || doc_is_list(n)) && doc_len(n) > 0;
}

/* a or b may be NULL: the member is new, or gone. */
static void compare_below(struct doc_set *set, const struct sb_type *t, str name,
                          const struct doc_node *a, const struct doc_node *b,
                          struct doc_node *changed, struct doc_node *removed)
{
    struct sb_keys keys_a, keys_b;
    enum sb_merge how_a = sb_type_merge(t, a, &keys_a), how_b = sb_type_merge(t, b, &keys_b);
    bool is_same_kind = !doc_is_map(a) == !doc_is_map(b) || !a || doc_is_null(a);

    if (!b) {
        member(set, removed, name);
    } else if (how_b == SB_ATOMIC || !is_same_kind || (how_a == SB_ATOMIC && has_members(a)) ||
               (!has_members(a) && !has_members(b))) {
        if (!a || !doc_equal(a, b))
            member(set, changed, name);
    } else {
        struct doc_node *c = doc_new_map(set), *r = doc_new_map(set);

        sb_fieldset_compare(set, t, a, b, c, r);
        if (!a)
            set_self(set, c);
        if (!is_leaf(c))
            doc_set_field(set, changed, name, c);
        if (!is_leaf(r))
            doc_set_field(set, removed, name, r);
    }
}

void sb_fieldset_compare(struct doc_set *set, const struct sb_type *t, const struct doc_node *a,
                         const struct doc_node *b, struct doc_node *changed,
                         struct doc_node *removed)
{
    struct sb_keys keys;
    enum sb_merge how = sb_type_merge(t, b ? b : a, &keys);
    const struct doc_node *sides[] = {b, a};

    for (int side = 0; side < 2; side++) {
        struct doc_iter it = doc_children(sides[side]);

        while (doc_next(&it)) {
            bool is_map = how == SB_GRANULAR;
            struct sb_type below = is_map ? sb_type_field(t, it.key) : sb_type_item(t);
            str name = is_map ? field_name(set, it.key) : sb_item_name(set, how, &keys, it.value);
            const struct doc_node *other = is_map ? doc_get(sides[!side], it.key)
                                                  : find_item(set, how, &keys, sides[!side], name);

            if (!name.len || (side == 1 && other))
                continue;
            compare_below(set, &below, name, side ? it.value : other, side ? NULL : it.value,
                          changed, removed);
        }
    }
}

/* Where the field or item called name of object is; NULL when it is not there. */
static struct doc_node *find_member(struct doc_set *set, const struct sb_type *t,
                                    const struct doc_node *object, str name)
{
    struct sb_keys keys;
    enum sb_merge how = sb_type_merge(t, object, &keys);

    if (str_starts(name, STR("f:")))
        return doc_get(object, str_from(name, 2));
    return how == SB_MAP || how == SB_SET ? find_item(set, how, &keys, object, name) : NULL;
}

void sb_fieldset_delete(struct doc_set *set, const struct sb_type *t, struct doc_node *object,
                        const struct doc_node *what, const struct doc_node *kept)
{
    struct sb_keys keys;
    struct doc_iter it = doc_children(what);

    while (doc_next(&it)) {
        bool is_map = str_starts(it.key, STR("f:"));
        struct sb_type below = is_map ? sb_type_field(t, str_from(it.key, 2)) : sb_type_item(t);
        struct doc_node *n = find_member(set, t, object, it.key);
        const struct doc_node *still = doc_get(kept, it.key);

        if (!n || (is_leaf(it.value) && doc_len(n) && sb_type_merge(&below, n, &keys)))
            continue; /* a map that was applied empty: what others put in stays */
        if (!is_leaf(it.value) && (still || !doc_get_lit(it.value, "."))) {
            sb_fieldset_delete(set, &below, n, it.value, still);
            if (still || !is_map || doc_len(n) || !(doc_is_map(n) || doc_is_list(n)))
                continue; /* an emptied map or list goes too */
        }
        if (is_map)
            doc_remove(object, str_from(it.key, 2));
        else
            doc_remove_item(object, n);
    }
}

/* ---- paths for people */

/* k:{"a":1,"b":"x"} as [a=1,b="x"]. */
static void add_keys(str json, struct buf *path)
{
    size_t i = 0;

    buf_add_char(path, '[');
    while (i < json.len && json.p[i] == '"') {
        bool is_quoted;

        for (i++; json.p[i] != '"'; i++) /* names of fields have nothing to escape */
            buf_add_char(path, json.p[i]);
        buf_add_char(path, '=');
        i += 2;
        is_quoted = json.p[i] == '"';
        do {
            if (json.p[i] == '\\')
                buf_add_char(path, json.p[i++]);
            buf_add_char(path, json.p[i++]);
        } while (i < json.len && (is_quoted ? json.p[i] != '"' : json.p[i] != ','));
        if (is_quoted)
            buf_add_char(path, json.p[i++]);
        if (i < json.len)
            buf_add_char(path, json.p[i++]);
    }
    buf_add_char(path, ']');
}

void sb_fieldset_step(str name, struct buf *path)
{
    if (str_starts(name, STR("f:")))
        buf_addf(path, ".%.*s", STR_ARG(str_from(name, 2)));
    else if (str_starts(name, STR("k:{")))
        add_keys(str_sub(name, 3, name.len - 4), path);
    else
        buf_addf(path, "[=%.*s]", STR_ARG(str_from(name, 2)));
}

void sb_fieldset_paths(const struct doc_node *fields, struct buf *path, sb_path_fn *fn, void *ctx)
{
    AUTO(str_vec_done) struct str_vec names = {0};
    size_t before = path->len;

    sb_sorted_keys(fields, &names);
    for (size_t i = 0; i < names.len; i++) {
        const struct doc_node *n = doc_get(fields, names.v[i]);

        if (str_eq(names.v[i], STR(".")))
            continue;
        sb_fieldset_step(names.v[i], path);
        if (has_self(n))
            fn(ctx, buf_view(path));
        sb_fieldset_paths(n, path, fn, ctx);
        buf_trunc(path, before);
    }
}
