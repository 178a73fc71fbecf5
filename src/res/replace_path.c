#include "res/replace.h"

#include "doc/emit.h"
#include "doc/kyaml/node.h"
#include "doc/parse.h"
#include "res/scalar.h"

enum { MOST_STEPS = 1000 };

/* What Go's Atoi takes for a number: a sign may stand in front. */
static bool res_path_is_index(str step, size_t *ret)
{
    uint64_t value;

    if (step.len > 1 && (step.p[0] == '+' || str_starts(step, STR("-0"))))
        step = str_from(step, 1);
    if (!step.len || step.p[0] < '0' || step.p[0] > '9' || !str_to_uint64(step, &value) ||
        value > UINT32_MAX)
        return false;
    *ret = value;
    return true;
}

static int limit_steps(const struct doc_path *path, struct err *e)
{
    return path->len <= MOST_STEPS
               ? 0
               : err_set(e, ERR_LIMIT, "a path of more than %d steps", MOST_STEPS);
}

/* "[name]": brackets without a condition. */
static int check_condition(str step, struct err *e)
{
    str key, wanted;

    if (!str_starts(step, STR("[")) || !str_ends(step, STR("]")) ||
        doc_path_condition(step, &key, &wanted))
        return 0;
    return err_set(e, ERR_INVALID,
                   "list path element must contain fieldName=fieldValue for element "
                   "to match: \"%.*s\"",
                   STR_ARG(step));
}

/* ---- sources */

static struct doc_node *first_equal(const struct doc_set *set, const struct doc_node *list, str key,
                                    str wanted)
{
    struct doc_iter it = doc_children(list);

    while (doc_next(&it)) {
        const struct doc_node *value = key.len ? doc_get(it.value, key) : it.value;

        if (doc_is_scalar(value) && str_eq(res_scalar_text(set, value), wanted))
            return it.value;
    }
    return NULL;
}

static int look_up_step(const struct doc_set *set, str step, struct doc_node **n, struct err *e)
{
    str key, wanted;
    size_t index = 0;
    bool is_index = res_path_is_index(step, &index), is_last = str_eq(step, STR("-"));

    if (str_eq(step, STR("*")))
        return err_set(e, ERR_INVALID,
                       "wildcard is not supported in PathGetter: a source is one "
                       "field");
    if (is_index || is_last) {
        if (doc_expect(*n, DOC_LIST, e) < 0)
            return -1;
        *n = doc_item(*n, is_last && doc_len(*n) ? doc_len(*n) - 1 : index);
        return 0;
    }
    if (doc_path_condition(step, &key, &wanted)) {
        if (doc_expect(*n, DOC_LIST, e) < 0)
            return -1;
        *n = first_equal(set, *n, key, wanted);
        return 0;
    }
    if (check_condition(step, e) < 0 || doc_expect(*n, DOC_MAP, e) < 0)
        return -1;
    *n = doc_get(*n, step);
    return 0;
}

int res_path_lookup(const struct doc_set *set, const struct doc_node *root,
                    const struct doc_path *path, size_t steps, struct doc_node **ret, struct err *e)
{
    struct doc_node *n = (struct doc_node *)root;

    if (limit_steps(path, e) < 0)
        return -1;
    for (size_t i = 0; i < steps && !doc_is_null(n); i++)
        if (str_trim(path->v[i]).len && /* upstream drops steps without a name here */
            look_up_step(set, str_trim(path->v[i]), &n, e) < 0)
            return -1;
    *ret = n;
    return 0;
}

/* ---- targets */

struct finder {
    const struct doc_path *path;
    const struct res_path_options *o;
    struct res_places *found;
    struct err *e;
};

static int find(struct finder *f, struct doc_node *n, size_t at, bool is_new);

static bool is_list_step(str step)
{
    str key, wanted;
    size_t index = 0;

    return res_path_is_index(step, &index) || doc_path_condition(step, &key, &wanted);
}

/* What a missing part before step `at` has to be. */
static struct doc_node *make_for(const struct finder *f, size_t at)
{
    enum doc_type type = f->o->made;

    if (at < f->path->len)
        type = is_list_step(f->path->v[at]) ? DOC_LIST : DOC_MAP;
    return type == DOC_LIST  ? doc_new_list(f->o->set)
           : type == DOC_MAP ? doc_new_map(f->o->set)
                             : doc_new_null(f->o->set);
}

static int find_made(struct finder *f, struct doc_node *made, size_t at)
{
    return find(f, made, at, at == f->path->len && made->type == DOC_NULL);
}

static int find_index(struct finder *f, struct doc_node *n, size_t at, size_t index)
{
    if (doc_expect(n, DOC_LIST, f->e) < 0)
        return -1;
    if (index == n->len && f->o->create)
        return find_made(f, doc_append(n, make_for(f, at + 1)), at + 1);
    if (index >= n->len)
        return err_set(f->e, ERR_INVALID, "index %zu specified but only %zu elements found", index,
                       doc_len(n));
    return find(f, doc_item(n, index), at + 1, false);
}

static int find_every(struct finder *f, struct doc_node *n, size_t at)
{
    struct doc_iter it = doc_children(n);

    if (doc_expect(n, DOC_LIST, f->e) < 0)
        return -1;
    while (doc_next(&it))
        if (find(f, it.value, at + 1, false) < 0)
            return -1;
    return 0;
}

/* What upstream searches with its pattern: the value as it would be written, quotes included. */
static bool is_found_in(const struct finder *f, const struct re *re, const struct doc_node *value)
{
    AUTO(buf_done) struct buf text = {0};

    if (doc_is_scalar(value) && value->style == DOC_PLAIN)
        return re_match(re, res_scalar_text(f->o->set, value));
    doc_emit(value, DOC_EMIT_KYAML, &text);
    return re_match(re, str_trim(buf_view(&text)));
}

static bool is_wanted(const struct finder *f, const struct re *re, const struct doc_node *value,
                      str wanted)
{
    bool is_equal = doc_is_scalar(value) && str_eq(res_scalar_text(f->o->set, value), wanted);

    if (!re)
        return is_equal;
    if (!is_found_in(f, re, value))
        return false;
    if (!is_equal && f->o->ret_searched)
        *f->o->ret_searched = true;
    return true;
}

static int find_matching(struct finder *f, struct doc_node *n, size_t at, str key, str wanted)
{
    AUTO(re_free) struct re *re = NULL;
    struct doc_iter it = doc_children(n);
    size_t before = f->found->len;
    struct doc_node *item, *made;

    if (doc_expect(n, DOC_LIST, f->e) < 0)
        return -1;
    if (!f->o->is_fixed) {
        re = re_compile(wanted, 0, f->e);
        if (!re)
            return -1;
    }
    while (doc_next(&it)) {
        const struct doc_node *value = key.len ? doc_get(it.value, key) : it.value;

        if (value && is_wanted(f, re, value, wanted) && find(f, it.value, at + 1, false) < 0)
            return -1;
    }
    if (f->found->len > before || !f->o->create)
        return 0;
    made = res_scalar_new_loose(f->o->set, wanted, DOC_PLAIN);
    if (!key.len)
        return find(f, doc_append(n, made), at + 1, false);
    item = doc_append(n, doc_new_map(f->o->set));
    doc_set_field(f->o->set, item, key, made);
    return find(f, item, at + 1, false);
}

static int find_field(struct finder *f, struct doc_node *n, size_t at)
{
    str key = f->path->v[at];
    struct doc_node *field;

    if (doc_expect(n, DOC_MAP, f->e) < 0)
        return -1;
    if (!key.len)
        return doc_expect(n, DOC_STRING, f->e);
    field = doc_get(n, key);
    if (field)
        return find(f, field, at + 1, false);
    if (!f->o->create)
        return 0;
    return find_made(f, doc_set_field(f->o->set, n, key, make_for(f, at + 1)), at + 1);
}

static int find(struct finder *f, struct doc_node *n, size_t at, bool is_new)
{
    str step, key, wanted;
    size_t index = 0;

    if (at == f->path->len) {
        vec_push(f->found, {n, is_new});
        return 0;
    }
    step = f->path->v[at];
    if (check_condition(step, f->e) < 0)
        return -1;
    if (doc_type(n) == DOC_ALIAS)
        return find(f, n->extra->target, at, is_new);
    if (doc_is_null(n)) {
        /* upstream makes what is below a null, in the air */
        if (f->o->create && !str_eq(step, STR("*")))
            vec_push(f->found, {doc_new_null(f->o->set), true});
        return 0;
    }
    if (res_path_is_index(step, &index))
        return find_index(f, n, at, index);
    if (str_eq(step, STR("*")))
        return find_every(f, n, at);
    if (doc_path_condition(step, &key, &wanted))
        return find_matching(f, n, at, key, wanted);
    return find_field(f, n, at);
}

int res_path_find(struct doc_node *root, const struct doc_path *path, size_t from,
                  const struct res_path_options *options, struct res_places *ret, struct err *e)
{
    struct finder f = {path, options, ret, e};

    return limit_steps(path, e) < 0 ? -1 : find(&f, root, from, false);
}
