#include "doc/parse.h"
#include "res/defaults.h"
#include "res/id.h"
#include "res/schema.h"
#include "res/selector.h"
#include "support/test.h"

static struct doc_node *json(struct doc_set *set, const char *text)
{
    AUTO(err_done) struct err e = {0};
    struct doc_node *n = doc_parse_json(set, str_of(text), "test", &e);

    CHECK_OK(&e);
    return n;
}

TEST(label_selectors_select)
{
    static const char labels[] = "{\"app\":\"web\",\"tier\":\"front\",\"n\":\"5\",\"in\":\"x\"}";
    static const struct {
        const char *selector, *printed;
        bool selects;
    } rows[] = {
        {"", "", true},
        {"app=web", "app=web", true},
        {"tier == back , app", "app,tier=back", false},
        {"app!=web", "app!=web", false},
        {"none!=web", "none!=web", true},
        {"app!=api", "app!=api", true},
        {"app in (web, api)", "app in (api,web)", true},
        {"app notin (web)", "app!=web", false},
        {"none notin (a,b)", "none notin (a,b)", true},
        {"!none,app", "app,!none", true},
        {"!app", "!app", false},
        {"n>4,n<6", "n>4,n<6", true},
        {"n>5", "n>5", false},
        {"app in (,web)", "app in (,web)", true},
        {"app=", "app=", false},
        {"in in (in, x)", "in in (in,x)", true},
        {"example.com/a.b", "example.com/a.b", false},
    };
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *map = json(set, labels);

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(buf_done) struct buf out = {0};
        AUTO(res_selector_done) struct res_selector s = {0};

        CHECK(res_label_selector_parse(str_of(rows[i].selector), &s, &e) == 0);
        CHECK_OK(&e);
        CHECK_INT(res_selector_matches(&s, map), rows[i].selects, rows[i].selector);
        res_selector_print(&s, &out);
        CHECK_STR(buf_view(&out), str_of(rows[i].printed), rows[i].selector);
    }
}

TEST(bad_label_selectors_are_refused_in_the_apis_words)
{
    static const struct {
        const char *selector, *want; /* the message begins so */
    } rows[] = {
        {"a=b,", "found '', expected: identifier after ','"},
        {"a b", "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"},
        {"a=b c", "found 'c', expected: ',' or 'end of string'"},
        {"!a=b", "found '=', expected: ',' or 'end of string'"},
        {",a", "found ',', expected: !, identifier, or 'end of string'"},
        {"a in", "unable to parse requirement: found '' expected: '('"},
        {"a in (b", "unable to parse requirement: found '', expected: ',' or ')'"},
        {"a in (b c)", "unable to parse requirement: found 'c', expected: ',' or ')'"},
        {"a in ()",
         "unable to parse requirement: values: Invalid value: []: for 'in', 'notin' operators"},
        {"a==(", "unable to parse requirement: found '(', expected: identifier"},
        {"!", "unable to parse requirement: found '', expected: identifier"},
        {"-a",
         "unable to parse requirement: key: Invalid value: \"-a\": name part must consist of"},
        {"a/b/c",
         "unable to parse requirement: key: Invalid value: \"a/b/c\": a qualified name must"},
        {"/b",
         "unable to parse requirement: key: Invalid value: \"/b\": prefix part must be non-empty"},
        {"A.b/c",
         "unable to parse requirement: key: Invalid value: \"A.b/c\": prefix part a lowercase RFC"},
        {"a=b_",
         "unable to parse requirement: values[0][a]: Invalid value: \"b_\": a valid label must be"},
        {"a>x",
         "unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(res_selector_done) struct res_selector s = {0};

        CHECK(res_label_selector_parse(str_of(rows[i].selector), &s, &e) < 0);
        CHECK_STR(str_sub(str_of(err_text(&e)), 0, strlen(rows[i].want)), str_of(rows[i].want),
                  rows[i].selector);
    }
}

TEST(selectors_of_objects_select)
{
    static const struct {
        const char *selector;
        int want; /* -1: refused, 2: selects nothing at all */
    } rows[] = {
        {"null", 2},
        {"{}", 1},
        {"{\"matchLabels\":{\"a\":\"1\"}}", 1},
        {"{\"matchLabels\":{\"a\":\"2\"}}", 0},
        {"{\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"In\",\"values\":[\"2\",\"1\"]}]}",
         1},
        {"{\"matchExpressions\":[{\"key\":\"b\",\"operator\":\"DoesNotExist\"}]}", 1},
        {"{\"matchExpressions\":[{\"key\":\"b\",\"operator\":\"Is\"}]}", -1},
        {"{\"matchExpressions\":[{\"key\":\"b\",\"operator\":\"Exists\",\"values\":[\"x\"]}]}", -1},
    };
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *labels = json(set, "{\"a\":\"1\"}");

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(res_selector_done) struct res_selector s = {0};
        bool any = false;
        int got = res_label_selector_read(json(set, rows[i].selector), &s, &any, &e);

        if (got == 0)
            got = any ? res_selector_matches(&s, labels) : 2;
        CHECK_INT(got, rows[i].want, rows[i].selector);
    }
}

TEST(field_selectors_select)
{
    static const struct {
        const char *selector, *error;
        bool selects;
    } rows[] = {
        {"metadata.name=x", NULL, true},
        {"metadata.name!=x,status.phase=Running", NULL, false},
        {"status.phase==Running", NULL, true},
        {"status.none=", NULL, true},
        {"metadata.name=a\\,b", NULL, false},
        {"metadata.name", "invalid selector: 'metadata.name'; can't understand 'metadata.name'",
         false},
        {"a=b=c", "invalid field selector: unescaped character in value: =", false},
        {"a=b\\x", "invalid field selector: invalid escape sequence: \\x", false},
    };
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *pod =
        json(set, "{\"metadata\":{\"name\":\"x\"},\"status\":{\"phase\":\"Running\"}}");

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(res_selector_done) struct res_selector s = {0};

        if (res_field_selector_parse(str_of(rows[i].selector), &s, &e) < 0)
            CHECK_STR(str_of(err_text(&e)), str_of(rows[i].error), rows[i].selector);
        else
            CHECK_INT(res_selector_matches_fields(&s, pod), rows[i].selects, rows[i].selector);
    }
}

TEST(ids_print_and_read_back)
{
    static const struct {
        struct res_id id;
        const char *text;
    } rows[] = {
        {{{STR_INIT("apps"), STR_INIT("v1"), STR_INIT("Deployment")},
          STR_INIT("web"),
          STR_INIT("prod")},
         "Deployment.v1.apps/web.prod"},
        {{{STR_INIT(""), STR_INIT("v1"), STR_INIT("Pod")}, STR_INIT("a.b"), STR_INIT("")},
         "Pod.v1.[noGrp]/a.b.[noNs]"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf out = {0};
        struct res_id back;

        res_id_print(&rows[i].id, &out);
        CHECK_STR(buf_view(&out), str_of(rows[i].text), rows[i].text);
        back = res_id_parse(buf_view(&out));
        CHECK(res_id_eq(&back, &rows[i].id));
    }
}

static doc_shape walk(const struct doc_schema *s, const char *api_version, const char *kind,
                      const char *path)
{
    struct res_gvk gvk = {.kind = str_of(kind)};
    str rest = str_of(path);
    doc_shape shape;

    res_split_api_version(str_of(api_version), &gvk.group, &gvk.version);
    shape = s->root(s, gvk.group, gvk.version, gvk.kind);
    while (rest.len) {
        str key = str_cut(rest, '/', &rest);

        shape = str_eq(key, STR("[]")) ? s->item(s, shape) : s->field(s, shape, key);
    }
    return shape;
}

TEST(schemas_know_lists_of_built_in_kinds)
{
    static const char pod[] = "spec/template/spec/containers/[]/ports";
    const struct doc_schema *schemas[] = {res_kustomize_schema(), res_kubernetes_schema()};
    struct res_gvk node = {STR(""), STR("v1"), STR("Node")},
                   job = {STR("batch"), STR("v1"), STR("Job")};

    for (size_t i = 0; i < ARRAY_LEN(schemas); i++) {
        const struct doc_schema *s = schemas[i];
        struct doc_shape_info info;

        s->info(s, walk(s, "apps/v1", "Deployment", pod), &info);
        CHECK(info.kind == DOC_SHAPE_LIST && info.is_merge);
        CHECK_STR(info.merge_key, STR("containerPort"), "merge key");
        CHECK_INT((long long)info.key_count, 2, "keys");
        CHECK_STR(info.keys[1], STR("protocol"), "second key");
        s->info(s, walk(s, "apps/v1", "Deployment", "spec/strategy"), &info);
        CHECK(info.kind == DOC_SHAPE_MAP && info.retains_keys);
        s->info(s, walk(s, "apps/v1", "Deployment", "metadata/finalizers"), &info);
        CHECK(info.is_merge && info.merge_key.len == 0);
        s->info(s, walk(s, "v1", "ConfigMap", "data/anything"), &info);
        CHECK_STR(info.type, STR("string"), "values of a map");
        CHECK_INT(walk(s, "v1", "Pod", "spec/nonsense"), 0, "unknown field");
        CHECK_INT(walk(s, "example.com/v1", "Pod", ""), 0, "unknown kind");
        CHECK_INT(res_schema_is_namespaced(s, &node), 0, "nodes");
        CHECK_INT(res_schema_is_namespaced(s, &job), 1, "jobs");
    }
    CHECK(walk(schemas[1], "resource.k8s.io/v1", "ResourceClaim", "spec"));
    CHECK(!walk(schemas[0], "resource.k8s.io/v1", "ResourceClaim", "spec"));
}

/* A text that fills its place to the last byte would lack the NUL, and no compiler says so. */
static void check_row(const struct res_field_row *row)
{
    struct res_field_spec spec = res_field_row_spec(row);

    CHECK_STR(str_of(row->kind), spec.gvk.kind, row->path);
    CHECK_STR(str_of(row->group), spec.gvk.group, row->path);
    CHECK_STR(str_of(row->version), spec.gvk.version, row->path);
    CHECK_STR(str_of(row->path), spec.path, row->kind);
    CHECK(spec.path.len > 0 && !spec.create);
    CHECK(res_field_row_is_of(row, spec.gvk.kind));
    CHECK(!res_field_row_is_of(row, STR("Depl")) || spec.gvk.kind.len == 0);
}

TEST(rows_of_fields_with_vars_fit_their_places)
{
    size_t vars;
    const struct res_field_row *rows = res_default_var_fields(&vars);

    CHECK(vars > 50);
    for (size_t i = 0; i < vars; i++)
        check_row(&rows[i]);
}

TEST(default_references_come_kind_by_kind)
{
    struct res_reference_iter all = res_references();
    size_t targets, count = 0;

    CHECK(res_reference_targets(&targets) && targets == 16);
    while (res_next_reference(&all)) {
        struct res_reference_iter of_kind = res_references_of(all.field.gvk.kind);
        const struct res_gvk *before = NULL;
        bool is_found = false;

        CHECK_STR(str_of(all.field.path.p), all.field.path, all.field.gvk.kind.p);
        CHECK_STR(str_of(all.field.gvk.group.p), all.field.gvk.group, all.field.path.p);
        CHECK_STR(str_of(all.field.gvk.version.p), all.field.gvk.version, all.field.path.p);
        CHECK_STR(str_of(all.field.gvk.kind.p), all.field.gvk.kind, all.field.path.p);
        while (res_next_reference(&of_kind)) {
            CHECK_STR(of_kind.field.gvk.kind, all.field.gvk.kind, all.field.path.p);
            CHECK(!before || before <= of_kind.target);
            before = of_kind.target;
            is_found |= of_kind.target == all.target && str_eq(of_kind.field.path, all.field.path);
        }
        CHECK(is_found);
        count++;
    }
    CHECK_INT((int64_t)count, 166, "rows");
}

TEST(kinds_without_references_have_none)
{
    static const char *const kinds[] = {"", "Secret", "Depl", "ValidatingAdmissionPolicyBindings"};

    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        struct res_reference_iter it = res_references_of(str_of(kinds[i]));

        CHECK(!res_next_reference(&it));
    }
}
