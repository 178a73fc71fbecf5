#include <math.h>

#include "base/buf.h"
#include "conformance/suite.h"
#include "expr/cel/cel.h"
#include "expr/cel/cel_priv.h"

static str text_of(const struct doc_node *n, const char *key)
{
    return doc_string(doc_get(n, str_of(key)), STR_NONE);
}

/* ---- tagged values */

static struct cel_value tagged(struct arena *a, const struct doc_node *n);

static str base64(struct arena *a, str text)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *out = arena_alloc(a, text.len + 1);
    size_t len = 0;
    unsigned bits = 0, count = 0;

    for (size_t i = 0; i < text.len; i++) {
        const char *at = text.p[i] ? strchr(letters, text.p[i]) : NULL;

        if (!at)
            continue;
        bits = bits << 6 | (unsigned)(at - letters);
        count += 6;
        if (count >= 8) {
            count -= 8;
            out[len++] = (char)(bits >> count);
        }
    }
    return (str){out, len};
}

static struct cel_value tagged_list(struct arena *a, const struct doc_node *n)
{
    struct cel_value *v = ARENA_ARRAY(a, struct cel_value, doc_len(n));
    struct doc_iter it = doc_children(n);
    size_t len = 0;

    while (doc_next(&it))
        v[len++] = tagged(a, it.value);
    return cel_make_list(a, v, len);
}

static struct cel_value tagged_map(struct arena *a, const struct doc_node *n)
{
    struct cel_entry *v = ARENA_ARRAY(a, struct cel_entry, doc_len(n));
    struct doc_iter it = doc_children(n);
    size_t len = 0;

    while (doc_next(&it))
        v[len++] =
            (struct cel_entry){tagged(a, doc_item(it.value, 0)), tagged(a, doc_item(it.value, 1))};
    return cel_make_map(a, v, len);
}

static struct cel_value tagged(struct arena *a, const struct doc_node *n)
{
    const struct doc_node *v = doc_first(n);
    str kind = doc_key(v), text = doc_text(v, STR_NONE);
    struct cel_value out = {.kind = CEL_NULL};

    if (str_eq(kind, STR("bool")))
        return cel_make_bool(doc_bool(v, false));
    if (str_eq(kind, STR("int"))) {
        out.kind = CEL_INT;
        str_to_int64(text, &out.i);
    } else if (str_eq(kind, STR("uint"))) {
        out.kind = CEL_UINT;
        str_to_uint64(text, &out.u);
    } else if (str_eq(kind, STR("double"))) {
        return cel_make_double(strtod(arena_cstr(a, text), NULL));
    } else if (str_eq(kind, STR("string"))) {
        return cel_make_string(text);
    } else if (str_eq(kind, STR("bytes"))) {
        return cel_make_bytes(base64(a, text));
    } else if (str_eq(kind, STR("list"))) {
        return tagged_list(a, v);
    } else if (str_eq(kind, STR("map"))) {
        return tagged_map(a, v);
    } else if (str_eq(kind, STR("type"))) {
        AUTO(err_done) struct err e = {0};

        return cel_make_type(cel_type_parse(a, text, &e));
    } else if (str_eq(kind, STR("timestamp"))) {
        out.kind = CEL_TIMESTAMP;
        cel_time_parse(text, &out.time);
    } else if (str_eq(kind, STR("duration"))) {
        out.kind = CEL_DURATION;
        cel_duration_parse(text, &out.i);
    }
    return out;
}

/* Equal, of the same kinds all the way down; NaN is NaN. */
static bool is_same(const struct cel_value *got, const struct cel_value *want)
{
    if (got->kind != want->kind)
        return false;
    if (got->kind == CEL_DOUBLE && isnan(want->d))
        return isnan(got->d);
    if (got->kind == CEL_LIST) {
        if (got->list->len != want->list->len)
            return false;
        for (size_t i = 0; i < got->list->len; i++)
            if (!is_same(&got->list->v[i], &want->list->v[i]))
                return false;
        return true;
    }
    return cel_equal(got, want);
}

static const char *const classes[] = {
    [CEL_OTHER] = "other",
    [CEL_NO_SUCH_OVERLOAD] = "no_such_overload",
    [CEL_DIVIDE_BY_ZERO] = "divide_by_zero",
    [CEL_OVERFLOW] = "overflow",
    [CEL_NO_SUCH_KEY] = "no_such_key",
    [CEL_OUT_OF_RANGE] = "out_of_range",
    [CEL_INVALID_ARGUMENT] = "invalid_argument",
    [CEL_UNDECLARED] = "undeclared_reference",
    [CEL_UNSUPPORTED_KEY] = "unsupported_key",
    [CEL_REPEATED_KEY] = "repeated_key",
};

/* ---- a case */

struct bindings {
    struct arena arena;
    const struct doc_node *node;
};

static bool lookup(void *ctx, str name, struct cel_value *ret)
{
    struct bindings *b = ctx;
    const struct doc_node *v = doc_get(b->node, name);

    if (v)
        *ret = tagged(&b->arena, v);
    return v != NULL;
}

static void declare_overloads(struct suite *s, struct arena *a, struct cel_env *env,
                              const struct doc_node *type)
{
    struct doc_iter it = doc_children(doc_get_lit(type, "overloads"));

    while (doc_next(&it)) {
        AUTO(err_done) struct err e = {0};
        AUTO(buf_done) struct buf params = {0};
        struct doc_iter param = doc_children(doc_get_lit(it.value, "params"));

        while (doc_next(&param))
            buf_addf(&params, "%s%.*s", params.len ? "," : "",
                     STR_ARG(doc_string(param.value, STR_NONE)));
        if (cel_env_declare_function(
                env, text_of(type, "name"), doc_bool(doc_get_lit(it.value, "receiver"), false),
                arena_dup(a, buf_view(&params)), text_of(it.value, "result"), &e) < 0)
            suite_abort(s, "%s", err_text(&e));
    }
}

static struct cel_env *environment(struct suite *s, struct arena *a, const struct doc_node *c)
{
    unsigned flags = (doc_get_lit(c, "strict") ? CEL_STRICT | CEL_KUBERNETES : 0) |
                     (doc_bool(doc_get_lit(c, "disable_check"), false) ? CEL_NO_CHECK : 0) |
                     (doc_bool(doc_get_lit(c, "disable_macros"), false) ? CEL_NO_MACROS : 0);
    struct cel_env *env = cel_env_new(flags, text_of(c, "container"));
    struct doc_iter it = doc_children(doc_get_lit(c, "types"));

    while (doc_next(&it)) {
        AUTO(err_done) struct err e = {0};

        if (doc_get_lit(it.value, "overloads"))
            declare_overloads(s, a, env, it.value);
        else if (cel_env_declare(env, text_of(it.value, "name"), text_of(it.value, "type"), &e) < 0)
            suite_abort(s, "%s", err_text(&e));
    }
    it = doc_children(doc_get_lit(c, "bindings"));
    while (doc_next(&it)) {
        AUTO(err_done) struct err e = {0};

        if (!doc_get_lit(c, "types"))
            if (cel_env_declare(env, it.key, STR("dyn"), &e) < 0)
                suite_abort(s, "%s", err_text(&e));
    }
    return env;
}

static void judge_failure(struct suite *s, const struct doc_node *c, enum cel_failure failure,
                          const char *text)
{
    str want = text_of(c, "error");

    suite_end(s, want.len && str_eq(want, str_of(classes[failure])), "%s: %s", classes[failure],
              text);
}

static void judge_value(struct suite *s, const struct doc_node *c, const struct cel_program *p,
                        struct bindings *b)
{
    struct cel_value got = cel_eval(p, lookup, b, &b->arena);
    struct cel_value want = tagged(&b->arena, doc_get_lit(c, "value"));
    struct cel_value shown = got.kind == CEL_ERROR ? got : cel_to_string(&b->arena, &got);

    if (got.kind == CEL_ERROR)
        judge_failure(s, c, got.error->failure, arena_cstr(&b->arena, got.error->text));
    else if (doc_get_lit(c, "error"))
        suite_end(s, false, "no error");
    else
        suite_end(s, is_same(&got, &want), "got kind %d: %.*s", (int)got.kind,
                  STR_ARG(shown.kind == CEL_STRING ? shown.s : STR("?")));
}

static void judge(struct suite *s, const struct doc_node *c)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf type = {0};
    struct bindings b = {.node = doc_get_lit(c, "bindings")};
    AUTO(cel_env_free) struct cel_env *env = environment(s, &b.arena, c);
    enum cel_failure failure = CEL_OTHER;
    AUTO(cel_program_free)
    struct cel_program *p = cel_compile(env, text_of(c, "expr"), &failure, &e);
    str want_type = text_of(c, "checked_type");

    if (!p) {
        judge_failure(s, c, failure, err_text(&e));
    } else {
        cel_program_type(p, &type);
        if (want_type.len && !str_eq(want_type, buf_view(&type)))
            suite_end(s, false, "the type is %s", buf_cstr(&type));
        else if (doc_bool(doc_get_lit(c, "check_only"), false))
            suite_end(s, !doc_get_lit(c, "error"), "no error");
        else
            judge_value(s, c, p, &b);
    }
    arena_done(&b.arena);
}

SUITE(cel)
{
    static const char *const files[] = {"core.json", "ext.json", "network.json", "k8s.json"};

    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        struct doc_iter it = doc_children(suite_json(s, files[i]));

        while (doc_next(&it))
            if (suite_begin(s, text_of(it.value, "id")))
                judge(s, it.value);
    }
}
