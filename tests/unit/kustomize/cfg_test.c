#include "kustomize/cfg/cfg.h"

#include "doc/parse.h"
#include "fn/annotate.h"
#include "support/test.h"

static const char object[] = "kind: Deployment\n"
                             "metadata:\n"
                             "  name: web\n"
                             "  annotations: {a.b/c: x, empty: ''}\n"
                             "spec:\n"
                             "  replicas: 3\n"
                             "  cpu: 500m\n"
                             "  memory: 1Gi\n"
                             "  args: [one, two]\n"
                             "  ports:\n"
                             "  - {port: 80, name: http}\n"
                             "  - {port: 443, name: 'a=b.c'}\n";

static struct doc_node *parse(struct doc_set *set, const char *text)
{
    AUTO(err_done) struct err e = {0};
    struct doc_node *root = doc_parse(set, str_of(text), DOC_KYAML, "test", &e);

    CHECK_OK(&e);
    return root;
}

TEST(query_matches_what_the_path_leads_to)
{
    static const struct {
        const char *query;
        bool want;
    } rows[] = {
        {"kind", true},
        {"kind=Deployment", true},
        {"kind=^Deploy", true},
        {"kind=^ploy", false},
        {"kind=", true},
        {"kind=Pod|Deployment", true},
        {"metadata.name=web", true},
        {"metadata.none", false},
        {"metadata.none=", false},
        {"metadata.annotations.a\\.b/c=x", true},
        {"metadata.annotations.empty", true},
        {"spec.replicas=3", true},
        {"spec.replicas>2", true},
        {"spec.replicas>3", false},
        {"spec.replicas>=3", true},
        {"spec.replicas<3", false},
        {"spec.replicas<=3", true},
        {"spec.cpu>400m", true},
        {"spec.cpu<0.4", false},
        {"spec.memory>1000Mi", true},
        {"spec.memory>=1.1G", false},
        {"spec.memory<1.1G", true},
        {"kind>2", false},
        {"spec.args=^two$", true},
        {"spec.args=three", false},
        {"spec.args[=two]", true},
        {"spec.args[=six]", false},
        {"spec.ports[port=443].name=a=b\\.c", true},
        {"spec.ports[name=http].port=80", true},
        {"spec.ports[name=a=b.c].port=443", true},
        {"spec.ports[port=81].name", false},
        {"spec.ports.port", false},
        {"spec", true},
        {"spec=x", false},
    };
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *root = parse(set, object);

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(kustomize_query_free)
        struct kustomize_query *query = kustomize_query_parse(str_of(rows[i].query), &e);

        CHECK_OK(&e);
        CHECK_INT(query && kustomize_query_matches(query, root), rows[i].want, rows[i].query);
    }
}

TEST(query_refuses_what_it_cannot_read)
{
    static const char *const rows[] = {"",       "=x",         ".",         "spec.ports[",
                                       "kind=[", "replicas>x", "replicas<", "replicas>=1KiB"};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(kustomize_query_free)
        struct kustomize_query *query = kustomize_query_parse(str_of(rows[i]), &e);

        if (query || e.kind == ERR_NONE)
            test_fail(__FILE__, __LINE__, "accepted: %s", rows[i]);
    }
}

static void draw(const char *const *objects, size_t count, bool by_owner, const char *want)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(doc_list_done) struct doc_list items = {0};
    AUTO(buf_done) struct buf out = {0};
    AUTO(err_done) struct err e = {0};
    struct kustomize_tree_options options = {.root = STR("."), .by_owner = by_owner};

    for (size_t i = 0; i < count; i++)
        vec_push(&items, parse(set, objects[i]));
    CHECK_INT(kustomize_tree_has_owners(&items), by_owner, want);
    CHECK_INT(kustomize_tree_print(set, &items, &options, &out, &e), 0, want);
    CHECK_STR(buf_view(&out), str_of(want), "tree");
}

#define AT(path, name) "kind: A\nmetadata: {name: " name ", annotations: {" FN_PATH ": " path "}}\n"

TEST(tree_keeps_what_is_in_a_folder_together)
{
    static const char *const objects[] = {AT("a-b/x.yaml", "n1"),   AT("a/b/x.yaml", "n2"),
                                          AT("a/x.yaml", "n3"),     AT("x.yaml", "n4"),
                                          AT("c/d/e/x.yaml", "n5"), "metadata: {name: no-kind}\n"};

    draw(objects, ARRAY_LEN(objects), false,
         ".\n"
         "├── [x.yaml]  A n4\n"
         "├── a\n"
         "│   ├── [x.yaml]  A n3\n"
         "│   └── b\n"
         "│       └── [x.yaml]  A n2\n"
         "├── a-b\n"
         "│   └── [x.yaml]  A n1\n"
         "└── c/d/e\n"
         "    └── [x.yaml]  A n5\n");
}

#define OWNED(name, owner) \
    "kind: A\nmetadata: {name: " name ", ownerReferences: [{kind: A, name: " owner "}]}\n"

TEST(tree_shows_each_once_also_when_owners_go_in_circles)
{
    static const char *const objects[] = {OWNED("p", "q"), OWNED("q", "p"), OWNED("self", "self"),
                                          OWNED("child", "root"),
                                          "kind: A\nmetadata: {name: root}\n"};

    draw(objects, ARRAY_LEN(objects), true,
         ".\n"
         "├── [Resource]  A p\n"
         "│   └── [Resource]  A q\n"
         "├── [Resource]  A root\n"
         "│   └── [Resource]  A child\n"
         "└── [Resource]  A self\n");
}
