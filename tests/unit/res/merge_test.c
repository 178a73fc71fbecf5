#include "base/buf.h"
#include "doc/emit.h"
#include "doc/kyaml/merge.h"
#include "doc/kyaml/node.h"
#include "doc/parse.h"
#include "res/fieldspec.h"
#include "res/schema.h"
#include "support/test.h"

static struct doc_node *yaml(struct doc_set *set, const char *text, unsigned flags)
{
    const struct doc_parse_options options = {.dialect = DOC_KYAML, .flags = DOC_COMMENTS | flags};
    AUTO(err_done) struct err e = {0};
    AUTO(doc_list_done) struct doc_list list = {0};

    CHECK(doc_parse_all(set, str_of(text), &options, "test", &list, &e) == 0);
    CHECK_OK(&e);
    return list.len ? list.v[0] : NULL;
}

static void check_yaml(const struct doc_node *got, const char *want)
{
    AUTO(buf_done) struct buf out = {0};

    if (got)
        doc_emit(got, DOC_EMIT_KYAML, &out);
    CHECK_STR(buf_view(&out), str_of(want), "result");
}

#define SERVICE "apiVersion: v1\nkind: Service\n"
#define POD "apiVersion: v1\nkind: Pod\n"

TEST(patches_merge_with_comments_and_directives)
{
    static const struct {
        const char *dest, *patch, *want;
        unsigned flags;
    } rows[] = {
        {SERVICE "spec:\n  ports: # open\n  - port: 80 # web\n    name: a\n  - port: 443\n",
         SERVICE "spec:\n  ports:\n  - port: 443\n    name: tls\n  - port: 9\n",
         SERVICE "spec:\n  ports: # open\n  - port: 443\n    name: tls\n  - port: 9\n  - port: 80 "
                 "# web\n    name: a\n",
         DOC_KYAML_PREPEND},
        {SERVICE "spec:\n  ports:\n  - port: 80\n  - port: 443\n",
         SERVICE "spec:\n  ports:\n  - port: 80\n    $patch: delete\n  - port: 9\n",
         SERVICE "spec:\n  ports:\n  - port: 443\n  - port: 9\n", 0},
        {POD "spec:\n  tolerations:\n  - key: a\n", POD "spec:\n  tolerations:\n  - key: b\n",
         POD "spec:\n  tolerations:\n  - key: b\n", 0},
        {POD "metadata:\n  finalizers:\n  - a\n  - b\n",
         POD "metadata:\n  finalizers:\n  - c\n  - a\n",
         POD "metadata:\n  finalizers:\n  - c\n  - a\n  - b\n", DOC_KYAML_PREPEND},
        {POD "spec:\n  a: 1\n  b:\n    c: 2\n",
         POD "spec:\n  $patch: replace\n  b:\n    d: null\n    e: 3\n",
         POD "spec:\n  b:\n    e: 3\n", 0},
        {POD, POD "$patch: delete\n", "", 0},
        {"list:\n- name: a\n  x: 1\n", "list:\n- name: a\n  y: 2\n",
         "list:\n- name: a\n  x: 1\n  y: 2\n", DOC_KYAML_INFER},
        {"list:\n- name: a\n  x: 1\n", "list:\n- name: a\n  y: 2\n", "list:\n- name: a\n  y: 2\n",
         0},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        struct doc_node *got, *dest = yaml(set, rows[i].dest, 0),
                              *patch = yaml(set, rows[i].patch, 0);

        CHECK(doc_kyaml_merge(set, dest, patch, res_kustomize_schema(), rows[i].flags, &got, &e) ==
              0);
        CHECK_OK(&e);
        check_yaml(got, rows[i].want);
        check_yaml(patch, rows[i].patch);
    }
}

/* One list in flow style of each side; measured with v5.8.2. */
TEST(patches_merge_into_lists_whose_items_do_not_tell_themselves_apart)
{
    static const struct {
        const char *head, *dest, *patch, *want;
    } rows[] = {
        {SERVICE "spec:\n  ports: ", "[{port: 80, protocol: TCP}]", "[{port: 80, name: x}]",
         "[{port: 80, protocol: TCP}]"},
        {SERVICE "spec:\n  ports: ", "[{port: 80}]", "[{port: 80, protocol: TCP, name: x}]",
         "[{port: 80}]"},
        {SERVICE "spec:\n  ports: ", "[{port: 80, protocol: TCP}, {port: 90, protocol: UDP}]",
         "[{port: 90, protocol: UDP, name: x}, {port: 70}]",
         "[{port: 70}, {port: 80, protocol: TCP}, {port: 90, protocol: UDP, name: x}]"},
        {POD "spec:\n  containers: ", "[{name: a, image: b}]",
         "[{name: a, env: [{name: A, value: x}, {name: A, value: z}]}]",
         "[{name: a, image: b, env: [{name: A, value: z}]}]"},
        {POD "spec:\n  containers: ", "[{name: a, env: [{name: A, v: x}, {name: A, v: z}]}]", "[]",
         "[{name: a, env: [{name: A, v: z}]}]"},
        {POD "spec:\n  containers: ", "[{image: x}, {name: a}]", "[{name: b}]", "[{image: x}]"},
        {POD "metadata:\n  finalizers: ", "[a, a, b]", "[c, c]", "[c, a, b]"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        AUTO(buf_done) struct buf dest = {0}, patch = {0}, want = {0}, out = {0};
        struct doc_node *got;

        buf_addf(&dest, "%s%s\n", rows[i].head, rows[i].dest);
        buf_addf(&patch, "%s%s\n", rows[i].head, rows[i].patch);
        buf_addf(&want, "%s%s\n", rows[i].head, rows[i].want);
        CHECK(doc_kyaml_merge(set, yaml(set, buf_cstr(&dest), 0), yaml(set, buf_cstr(&patch), 0),
                              res_kustomize_schema(), DOC_KYAML_PREPEND, &got, &e) == 0);
        CHECK_OK(&e);
        doc_emit_json(got, 0, &out);
        buf_clear(&dest);
        doc_emit_json(yaml(set, buf_cstr(&want), 0), 0, &dest);
        CHECK_STR(buf_view(&out), buf_view(&dest), rows[i].patch);
    }
}

TEST(patches_that_do_not_fit_are_refused)
{
    static const struct {
        const char *dest, *patch, *want;
    } rows[] = {
        {"a: 1\n", "a:\n  b: 2\n", "wrong node kind: expected ScalarNode but got MappingNode"},
        {"a:\n  b: 1\n", "a:\n  $patch: reset\n", "unknown patch strategy 'reset'"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        struct doc_node *got, *dest = yaml(set, rows[i].dest, 0),
                              *patch = yaml(set, rows[i].patch, 0);

        CHECK(doc_kyaml_merge(set, dest, patch, NULL, 0, &got, &e) < 0);
        CHECK_STR(str_of(err_text(&e)), str_of(rows[i].want), rows[i].patch);
    }
}

TEST(three_way_merging_carries_changes_over)
{
    static const struct {
        const char *dest, *origin, *update, *want;
    } rows[] = {
        {"a: 1 # mine\nb: 2\n", "a: 1\nb: 2\nc: 3\n", "a: 1\nb: 5\n", "a: 1 # mine\nb: 5\n"},
        {SERVICE "spec:\n  ports:\n  - port: 80\n    name: own\n  - port: 81\n",
         SERVICE "spec:\n  ports:\n  - port: 81\n",
         SERVICE "spec:\n  ports:\n  - port: 82\n    name: new\n",
         SERVICE "spec:\n  ports:\n  - port: 80\n    name: own\n  - name: new\n    port: 82\n"},
        {"k: # old\n- 1\n", "k: # old\n- 1\n", "k: # new\n- 2\n", "k: # new\n- 2\n"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        struct doc_node *got;

        CHECK(doc_kyaml_merge3(set, yaml(set, rows[i].dest, 0), yaml(set, rows[i].origin, 0),
                               yaml(set, rows[i].update, 0), res_kustomize_schema(), 0, &got,
                               &e) == 0);
        CHECK_OK(&e);
        check_yaml(got, rows[i].want);
    }
}

TEST(comments_and_order_are_copied)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *from = yaml(set, "b: 1 # one\n# before\na:\n- x # ex\n- y\n", 0),
                    *to = yaml(set, "a:\n- x\nc: 2\nb: 3\n", 0);

    CHECK(doc_copy_comments(set, from, to, NULL, &e) == 0);
    CHECK(doc_copy_order(set, from, to, &e) == 0);
    check_yaml(to, "b: 3 # one\n# before\na:\n- x # ex\nc: 2\n");
}

TEST(anchors_and_merge_keys_resolve)
{
    AUTO(err_done) struct err e = {0}, bomb = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf text = {0};
    struct doc_node *n =
        yaml(set, "a: &x\n  k: 1\n  l: 2\nb:\n  <<: *x\n  l: 3\nc: *x\n", DOC_KEEP_ALIASES);

    CHECK(doc_resolve_anchors(set, n, &e) == 0);
    check_yaml(n, "a:\n  k: 1\n  l: 2\nb:\n  l: 3\n  k: 1\nc:\n  k: 1\n  l: 2\n");
    buf_add_cstr(&text, "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 12; i++)
        buf_addf(&text, "a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n", i, i, i - 1,
                 i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
    n = yaml(set, buf_cstr(&text), DOC_KEEP_ALIASES);
    CHECK(doc_resolve_anchors(set, n, &bomb) < 0 && bomb.kind == ERR_LIMIT);
}

static int set_x(void *ctx UNUSED, struct doc_set *set, struct doc_node *field,
                 struct err *e UNUSED)
{
    doc_replace(field, doc_new_string(set, STR("x")));
    return 0;
}

TEST(field_specs_visit_fields)
{
    static const struct {
        const char *path, *input, *want; /* want: the output, or the message */
        bool create;
    } rows[] = {
        {"spec/items/n", "kind: K\nspec:\n  items:\n  - n: 1\n  - m: 2\n  - n: 3\n",
         "kind: K\nspec:\n  items:\n  - n: x\n  - m: 2\n  - n: x\n", false},
        {"a/b", "kind: K\na: null\n", "kind: K\na:\n  b: x\n", true},
        {"a/b", "kind: K\n", "kind: K\n", false},
        {"a[]/b", "kind: K\n", "kind: K\n", true},
        {"a/b", "kind: K\na: 1\n",
         "considering field 'a/b' of object K.[noVer].[noGrp]/[noName].[noNs]: expected sequence "
         "or mapping node",
         true},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        struct doc_node *n = yaml(set, rows[i].input, 0);
        const struct res_field_spec spec = {.path = str_of(rows[i].path), .create = rows[i].create};

        if (res_field_spec_visit(set, n, &spec, DOC_STRING, set_x, NULL, &e) < 0)
            CHECK_STR(str_of(err_text(&e)), str_of(rows[i].want), rows[i].path);
        else
            check_yaml(n, rows[i].want);
    }
}

TEST(field_plans_visit_the_fields_of_every_spec_that_selects_the_kind)
{
    static const struct res_field_spec specs[] = {
        {.path = STR_INIT("a/b"), .create = true},
        {.gvk = {.kind = STR_INIT("K1")}, .path = STR_INIT("c")},
        {.gvk = {.group = STR_INIT("g"), .kind = STR_INIT("K2")}, .path = STR_INIT("d")},
    };
    static const struct {
        const char *api, *kind, *want;
    } rows[] = {
        {"v1", "K1", "a:\n  b: x\nc: x\nd: 1\n"},
        {"g/v1", "K2", "a:\n  b: x\nc: 1\nd: x\n"},
        {"v1", "K2", "a:\n  b: x\nc: 1\nd: 1\n"},
    };
    AUTO(res_field_plan_free)
    struct res_field_plan *plan = res_field_plan_new(specs, ARRAY_LEN(specs));

    for (size_t i = 0; i < 60; i++) { /* 20 groups: the table grows */
        AUTO(err_done) struct err e = {0};
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        struct doc_node *n = yaml(set, "c: 1\nd: 1\n", 0);
        size_t row = i % ARRAY_LEN(rows);
        struct res_id id = {.gvk.kind = str_of(rows[row].kind)};
        AUTO(buf_done) struct buf version = {0};

        res_split_api_version(str_of(rows[row].api), &id.gvk.group, &id.gvk.version);
        buf_addf(&version, "v%zu", i / ARRAY_LEN(rows));
        id.gvk.version = buf_view(&version);
        if (res_field_plan_visit(plan, set, n, &id, DOC_STRING, set_x, NULL, &e) < 0)
            CHECK_OK(&e);
        doc_sort_keys(n);
        check_yaml(n, rows[row].want);
    }
}

TEST(list_indentation_is_told_by_the_first_block_list)
{
    CHECK(doc_has_wide_lists(STR("a:\n  - 1\n")));
    CHECK(!doc_has_wide_lists(STR("a: |\n  - 1\nb:\n- 2\n")));
    CHECK(!doc_has_wide_lists(STR("- 1\n")));
}
