#include "base/map.h"
#include "conformance/kyaml_case.h"
#include "kustomize/generate/hash.h"
#include "kustomize/generate/sources.h"
#include "kustomize/transform/vars_priv.h"
#include "res/image.h"

/* ---- env-file */

static void end_entries(struct suite *s, const struct doc_node *row, const char *name,
                        const struct kustomize_entries *got)
{
    struct doc_iter it = doc_children(doc_get(row, str_of(name)));
    size_t i = 0;

    for (; doc_next(&it); i++) {
        str key = row_text(it.value, "Key"), value = row_text(it.value, "Value");

        if (i >= got->len || !str_eq(key, got->v[i].key) || !str_eq(value, got->v[i].value)) {
            suite_end(s, false, "pair %zu is not %.*s=%.*s", i, STR_ARG(key), STR_ARG(value));
            return;
        }
    }
    suite_end(s, i == got->len, "%zu pairs instead of %zu", got->len, i);
}

static void judge_files(struct suite *s, const struct doc_node *row)
{
    AUTO(kustomize_entries_done) struct kustomize_entries got = {0};
    AUTO(err_done) struct err e = {0};
    struct doc_iter it = doc_children(doc_get_lit(row, "sources"));

    while (doc_next(&it)) {
        str key, path;

        if (kustomize_source_file(doc_text(it.value, STR_NONE), &key, &path, &e) < 0) {
            suite_end(s, false, "%s", err_text(&e));
            return;
        }
        vec_push(&got, {key, doc_text(doc_get(doc_get_lit(row, "files"), path), STR_NONE)});
    }
    end_entries(s, row, "expected", &got);
}

void judge_env_file(struct suite *s, const struct doc_node *row)
{
    AUTO(kustomize_entries_done) struct kustomize_entries got = {0};
    AUTO(err_done) struct err e = {0};
    unsigned cut;

    if (doc_get_lit(row, "sources"))
        judge_files(s, row);
    else if (kustomize_source_env(row_text(row, "content"), &got, &cut, &e) < 0)
        suite_end(s, false, "%s", err_text(&e));
    else
        end_entries(s, row, "expectedPairs", &got);
}

/* ---- hasher */

void judge_hasher(struct suite *s, const struct doc_node *row)
{
    static const char *const names[] = {"cmYaml", "secretYaml", "res"};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf got = {0};
    bool is_text = doc_get_lit(row, "expect") != NULL;
    const char *name = names[0];
    struct doc_node *object;

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (doc_get(row, str_of(names[i])))
            name = names[i];
    object = row_yaml(s, set, row, name);
    if (!object)
        return;
    (is_text ? kustomize_hash_text : kustomize_hash_of)(set, object, false, &got);
    end_text(s, row, is_text ? "expect" : "hash", buf_view(&got));
}

/* ---- var-expansion */

struct counter {
    unsigned counts[5];
};
static const struct {
    str name, value;
} known[] = {{STR_INIT("VAR_A"), STR_INIT("A")},
             {STR_INIT("VAR_B"), STR_INIT("B")},
             {STR_INIT("VAR_C"), STR_INIT("C")},
             {STR_INIT("VAR_REF"), STR_INIT("$(VAR_A)")},
             {STR_INIT("VAR_EMPTY"), STR_INIT("")}};
static_assert(ARRAY_LEN(known) == 5, "a count for each");

static bool look_up(void *ctx, str name, str *ret)
{
    struct counter *c = ctx;

    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (str_eq(name, known[i].name)) {
            c->counts[i]++;
            *ret = known[i].value;
            return true;
        }
    return false;
}

static void judge_mapping(struct suite *s, const struct doc_node *row)
{
    AUTO(buf_done) struct buf got = {0};
    struct counter c = {0};

    kustomize_expand(row_text(row, "input"), look_up, &c, &got);
    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (doc_int(doc_get(doc_get_lit(row, "counts"), known[i].name), 0) != c.counts[i]) {
            suite_end(s, false, "%s was used %u times", known[i].name.p, c.counts[i]);
            return;
        }
    suite_end(s, str_eq(buf_view(&got), row_text(row, "expected")), "got %s", buf_cstr(&got));
}

static int expand_field(void *ctx, struct doc_set *set, struct doc_node *field, struct err *e)
{
    struct kustomize_var_pass *pass = ctx;

    pass->set = set;
    return kustomize_var_field(pass, field, e);
}

static void judge_filter(struct suite *s, const struct doc_node *row)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(map_done) struct map by_name = {0};
    AUTO(err_done) struct err e = {0};
    struct doc_node *input = row_yaml(s, set, row, "input");
    struct doc_iter it = doc_children(doc_get_lit(row, "mapping"));
    struct kustomize_var_pass pass = {.by_name = &by_name};
    struct res_field_spec spec = {.path = doc_text(doc_at(row, "filter/FieldSpec/Path"), STR_NONE)};

    if (!input)
        return;
    while (doc_next(&it)) {
        struct kustomize_var_value *value = ARENA_NEW(&set->arena, struct kustomize_var_value);

        if (kustomize_var_read(suite_set(s), it.value, value))
            map_put(&by_name, it.key, value);
    }
    if (res_field_spec_visit(set, input, &spec, DOC_NULL, expand_field, &pass, &e) < 0)
        end_error(s, row, "expectedError", &e);
    else
        end_text(s, row, "expected", printed(set, input));
}

void judge_expansion(struct suite *s, str id, const struct doc_node *row)
{
    if (str_contains(id, STR("TestMapping")))
        judge_mapping(s, row);
    else
        judge_filter(s, row);
}

/* ---- image */

void judge_image(struct suite *s, const struct doc_node *row)
{
    str value = row_text(row, "value"), name = row_text(row, "name");
    const struct doc_node *want = doc_get_lit(row, "isMatched");
    struct res_image_parts got = res_image_split(value);
    AUTO(re_free) struct re *pattern = want ? res_image_pattern(name) : NULL;

    if (want)
        suite_end(s, (pattern && re_match(pattern, value)) == doc_bool(want, false),
                  "the wrong verdict");
    else
        suite_end(s,
                  str_eq(got.name, name) && str_eq(got.tag, row_text(row, "tag")) &&
                      str_eq(got.digest, row_text(row, "digest")),
                  "%.*s, %.*s, %.*s", STR_ARG(got.name), STR_ARG(got.tag), STR_ARG(got.digest));
}
