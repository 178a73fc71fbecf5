/* One value beside the keywords of one structural schema, told as kube-apiserver tells it: bounds,
 * sizes, patterns, formats, enumerations, and the schemas beside it (allOf, anyOf, oneOf, not). */
#include <math.h>

#include "base/utf8.h"
#include "re/re.h"
#include "sandbox/types/crd.h"

static void invalid(struct sb_check *k, const struct doc_node *n, const char *what)
{
    AUTO(buf_done) struct buf value = {0};

    doc_emit_json(n, 0, &value);
    sb_cause(k->c, "FieldValueInvalid", buf_view(&k->path), "Invalid value: %s: %s in body %s",
             buf_cstr(&value), buf_cstr(&k->path), what);
}

static void invalid_size(struct sb_check *k, size_t size, const char *what)
{
    sb_cause(k->c, "FieldValueInvalid", buf_view(&k->path), "Invalid value: %zu: %s in body %s",
             size, buf_cstr(&k->path), what);
}

static bool is_set(const struct doc_node *schema, const char *key)
{
    return doc_bool(doc_get(schema, str_of(key)), false);
}

/* ---- texts */

static void check_text(struct sb_check *k, const struct doc_node *schema, const struct doc_node *n)
{
    str text = doc_string(n, STR_NONE);
    str pattern = doc_text(doc_get_lit(schema, "pattern"), STR_NONE);
    str format = doc_text(doc_get_lit(schema, "format"), STR_NONE);
    const struct re *re = pattern.len ? sb_pattern(k->compiled, pattern) : NULL;
    AUTO(buf_done) struct buf what = {0};
    int64_t bound;

    if (doc_to_int64(doc_get_lit(schema, "maxLength"), &bound) && bound >= 0 &&
        utf8_count(text) > (size_t)bound) {
        sb_cause(k->c, "FieldValueTooLong", buf_view(&k->path),
                 "Too long: may not be more than %lld bytes", (long long)bound);
    } else if (doc_to_int64(doc_get_lit(schema, "minLength"), &bound) && bound >= 0 &&
               utf8_count(text) < (size_t)bound) {
        buf_addf(&what, "should be at least %lld chars long", (long long)bound);
        invalid(k, n, buf_cstr(&what));
    } else if (re && !re_match(re, text)) {
        buf_addf(&what, "should match '%.*s'", STR_ARG(pattern));
        invalid(k, n, buf_cstr(&what));
    }
    if (format.len && !sb_format_fits(k->compiled, format, text)) {
        AUTO(buf_done) struct buf value = {0};

        doc_emit_json(n, 0, &value);
        sb_cause(k->c, "FieldValueTypeInvalid", buf_view(&k->path),
                 "Invalid value: %s: %s in body must be of type %.*s: %s", buf_cstr(&value),
                 buf_cstr(&k->path), STR_ARG(format), buf_cstr(&value));
    }
}

/* ---- numbers */

/* An integer's bounds are cut to integers, as upstream cuts them. */
static void add_number(double d, bool is_integer, struct buf *out)
{
    if (is_integer || d == trunc(d))
        buf_addf(out, "%.0f", trunc(d));
    else
        buf_addf(out, "%g", d);
}

struct number {
    const struct doc_node *node, *schema;
    double value;
    bool is_integer;
};

static bool bound_of(const struct number *n, const char *key, double *ret)
{
    if (!doc_to_double(doc_get(n->schema, str_of(key)), ret))
        return false;
    if (n->is_integer)
        *ret = trunc(*ret);
    return true;
}

static void tell_bound(struct sb_check *k, const struct number *n, const char *should, double bound)
{
    AUTO(buf_done) struct buf what = {0};

    buf_addf(&what, "should be %s", should);
    add_number(bound, n->is_integer, &what);
    invalid(k, n->node, buf_cstr(&what));
}

static bool is_multiple(double value, double of)
{
    double times = of == 0 ? 0 : value / of;

    return fabs(times - trunc(times + copysign(0.5, times))) <= 1e-9; /* round is in libm */
}

static void check_number(struct sb_check *k, const struct doc_node *schema,
                         const struct doc_node *node)
{
    bool below = is_set(schema, "exclusiveMinimum"), above = is_set(schema, "exclusiveMaximum");
    struct number n = {.node = node, .schema = schema};
    int64_t integer;
    double bound;

    if (!doc_to_double(node, &n.value))
        return;
    n.is_integer = doc_to_int64(node, &integer);
    if (bound_of(&n, "multipleOf", &bound) && !is_multiple(n.value, bound))
        tell_bound(k, &n, "a multiple of ", bound);
    if (bound_of(&n, "maximum", &bound) && (above ? n.value >= bound : n.value > bound))
        tell_bound(k, &n, above ? "less than " : "less than or equal to ", bound);
    if (bound_of(&n, "minimum", &bound) && (below ? n.value <= bound : n.value < bound))
        tell_bound(k, &n, below ? "greater than " : "greater than or equal to ", bound);
}

/* ---- lists and maps */

/* How many there may be. */
static bool check_count(struct sb_check *k, const struct doc_node *schema, const struct doc_node *n,
                        const char *least, const char *most, const char *unit)
{
    AUTO(buf_done) struct buf what = {0};
    size_t have = doc_len(n);
    int64_t bound;

    if (doc_to_int64(doc_get(schema, str_of(least)), &bound) && bound >= 0 &&
        have < (size_t)bound) {
        buf_addf(&what, "should have at least %lld %s", (long long)bound, unit);
        invalid_size(k, have, buf_cstr(&what));
        return false;
    }
    if (!doc_to_int64(doc_get(schema, str_of(most)), &bound) || bound < 0 || have <= (size_t)bound)
        return true;
    sb_cause(k->c, "FieldValueTooMany", buf_view(&k->path),
             "Too many: %zu: must have at most %lld items", have, (long long)bound);
    return false;
}

/* Two items of one name in a set or in a list with keys; told once for each. */
static void check_twice(struct sb_check *k, const struct doc_node *schema,
                        const struct doc_node *list)
{
    str type = doc_text(doc_get_lit(schema, "x-kubernetes-list-type"), STR_NONE);
    bool is_map = str_eq(type, STR("map"));
    const struct doc_node *keys = doc_get_lit(schema, "x-kubernetes-list-map-keys");
    AUTO(map_done) struct map seen = {0};
    struct doc_iter it = doc_children(list);
    char once, told;

    if (!is_map && !str_eq(type, STR("set")))
        return;
    for (size_t i = 0; doc_next(&it); i++) {
        AUTO(buf_done) struct buf id = {0}, at = {0};
        void *before;

        sb_schema_identity(is_map ? keys : NULL, it.value, &id);
        before = map_get(&seen, buf_view(&id));
        buf_addf(&at, "%s[%zu]", buf_cstr(&k->path), i);
        if (before == &once)
            sb_cause(k->c, "FieldValueDuplicate", buf_view(&at), "Duplicate value: %s",
                     buf_cstr(&id));
        map_put(&seen, arena_dup(&k->c->arena, buf_view(&id)), before ? &told : &once);
    }
}

static void check_embedded(struct sb_check *k, const struct doc_node *n)
{
    static const char *const fields[] = {"apiVersion", "kind"};

    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        AUTO(buf_done) struct buf at = {0};

        buf_addf(&at, "%s.%s", buf_cstr(&k->path), fields[i]);
        if (!doc_text(doc_get(n, str_of(fields[i])), STR_NONE).len)
            sb_cause(k->c, "FieldValueRequired", buf_view(&at), "Required value");
    }
}

/* ---- any value */

static void check_enum(struct sb_check *k, const struct doc_node *schema, const struct doc_node *n)
{
    AUTO(buf_done) struct buf allowed = {0}, value = {0};
    struct doc_iter it = doc_children(doc_get_lit(schema, "enum"));

    if (it.left == 0)
        return;
    while (doc_next(&it)) {
        AUTO(buf_done) struct buf one = {0};

        if (doc_equal(it.value, n))
            return;
        buf_add_cstr(&allowed, allowed.len ? ", " : "");
        doc_emit_json(it.value, 0, &one);
        if (doc_is_string(it.value))
            buf_add_str(&allowed, buf_view(&one));
        else
            doc_json_quote(buf_view(&one), 0, &allowed);
    }
    doc_emit_json(n, 0, &value);
    sb_cause(k->c, "FieldValueNotSupported", buf_view(&k->path),
             "Unsupported value: %s: supported values: %s", buf_cstr(&value), buf_cstr(&allowed));
}

static void beside(struct sb_check *k, const char *what)
{
    sb_cause(k->c, "FieldValueInvalid", STR("<nil>"), "Invalid value: \"\": \"%s\" %s",
             buf_cstr(&k->path), what);
}

/* What one schema of several finds wrong: none is 0. */
static size_t try_one(struct sb_check *k, const struct doc_node *schema, const struct doc_node *n,
                      struct sb_causes *found)
{
    sb_schema_check(schema, k->compiled, n, buf_view(&k->path), found);
    return found->len;
}

static void take_causes(struct sb_check *k, const struct sb_causes *from)
{
    for (size_t i = 0; i < from->len; i++)
        sb_cause(k->c, from->v[i].reason, from->v[i].field, "%.*s", STR_ARG(from->v[i].message));
}

/* anyOf and oneOf: when none fits, what the first finds is told, too. */
static void check_some(struct sb_check *k, const struct doc_node *list, const struct doc_node *n,
                       bool is_one)
{
    AUTO(sb_causes_done) struct sb_causes first = {0};
    AUTO(buf_done) struct buf what = {0};
    struct doc_iter it = doc_children(list);
    size_t fitting = 0;

    for (size_t i = 0; doc_next(&it); i++) {
        AUTO(sb_causes_done) struct sb_causes found = {0};

        fitting += try_one(k, it.value, n, i ? &found : &first) == 0;
    }
    if (!doc_len(list) || fitting == 1 || (fitting && !is_one))
        return;
    buf_addf(&what, "must validate %s",
             is_one ? "one and only one schema (oneOf). Found " : "at least one schema (anyOf)");
    if (fitting)
        buf_addf(&what, "%zu valid alternatives", fitting);
    else if (is_one)
        buf_add_cstr(&what, "none valid");
    beside(k, buf_cstr(&what));
    if (!fitting)
        take_causes(k, &first);
}

static void check_all(struct sb_check *k, const struct doc_node *list, const struct doc_node *n)
{
    struct doc_iter it = doc_children(list);
    size_t fitting = 0;

    while (doc_next(&it)) {
        AUTO(sb_causes_done) struct sb_causes found = {0};

        fitting += try_one(k, it.value, n, &found) == 0;
        take_causes(k, &found);
    }
    if (fitting < doc_len(list))
        beside(k, fitting ? "must validate all the schemas (allOf)"
                          : "must validate all the schemas (allOf). None validated");
}

static void check_beside(struct sb_check *k, const struct doc_node *schema,
                         const struct doc_node *n)
{
    const struct doc_node *not = doc_get_lit(schema, "not");
    AUTO(sb_causes_done) struct sb_causes found = {0};

    check_some(k, doc_get_lit(schema, "anyOf"), n, false);
    check_some(k, doc_get_lit(schema, "oneOf"), n, true);
    check_all(k, doc_get_lit(schema, "allOf"), n);
    if (not &&try_one(k, not, n, &found) == 0)
        beside(k, "must not validate the schema (not)");
}

bool sb_schema_value(struct sb_check *k, const struct doc_node *schema, const struct doc_node *n)
{
    check_beside(k, schema, n);
    check_enum(k, schema, n);
    switch (doc_type(n)) {
    case DOC_STRING:
        check_text(k, schema, n);
        return false;
    case DOC_NUMBER:
        check_number(k, schema, n);
        return false;
    case DOC_LIST:
        check_twice(k, schema, n);
        return check_count(k, schema, n, "minItems", "maxItems", "items");
    case DOC_MAP:
        if (is_set(schema, "x-kubernetes-embedded-resource"))
            check_embedded(k, n);
        return check_count(k, schema, n, "minProperties", "maxProperties", "properties");
    case DOC_NULL:
    case DOC_BOOL:
    case DOC_ALIAS:
        return false;
    }
    return false;
}
