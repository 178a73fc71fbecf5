#include "kustomize/resmap.h"

#include "doc/parse.h"
#include "support/test.h"

static struct kustomize_resource *read_one(struct doc_set *set, const char *text)
{
    AUTO(err_done) struct err e = {0};
    struct doc_node *root = doc_parse(set, str_of(text), DOC_RESOURCE, "r.yaml", &e);

    CHECK_OK(&e);
    return kustomize_resource_new(set, root);
}

static struct kustomize_resource *config_map(struct doc_set *set, const char *name, const char *ns)
{
    char text[200];

    (void)snprintf(text, sizeof(text),
                   "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: %s\n  namespace: %s\n",
                   name, ns);
    return read_one(set, text);
}

static void append(struct kustomize_resmap *m, struct kustomize_resource *r)
{
    AUTO(err_done) struct err e = {0};

    CHECK(kustomize_resmap_append(m, r, &e) == 0);
    CHECK_OK(&e);
}

TEST(a_second_resource_with_one_id_is_refused_and_both_places_are_told)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(kustomize_resmap_done) struct kustomize_resmap m = {0};
    AUTO(err_done) struct err e = {0};

    append(&m, config_map(set, "a", "default"));
    append(&m, config_map(set, "a", "other"));
    CHECK(kustomize_resmap_append(
              &m, read_one(set, "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"), &e) <
          0);
    CHECK(e.kind == ERR_EXISTS);
    CHECK(str_contains(str_of(err_text(&e)), STR("may not add resource with an already registered "
                                                 "id: ConfigMap.v1.[noGrp]/a.[noNs]")));
    CHECK(str_contains(str_of(err_text(&e)), STR("r.yaml:1")));
    CHECK_INT((long long)kustomize_resmap_len(&m), 2, "refused ones stay out");
}

TEST(cluster_scoped_resources_are_one_whatever_their_namespace)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(kustomize_resmap_done) struct kustomize_resmap m = {0};
    AUTO(err_done) struct err e = {0};

    append(&m, read_one(set, "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n"));
    CHECK(kustomize_resmap_append(
              &m,
              read_one(set, "apiVersion: v1\nkind: Namespace\nmetadata: {name: a, namespace: b}\n"),
              &e) < 0);
}

TEST(a_renamed_resource_is_found_by_every_id_it_had)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(kustomize_resmap_done) struct kustomize_resmap m = {0};
    AUTO(kustomize_found_done) struct kustomize_found found = {0};
    AUTO(err_done) struct err e = {0};
    struct kustomize_resource *r = config_map(set, "a", "x");
    struct res_id first = r->id, second;

    append(&m, r);
    append(&m, config_map(set, "b", "x"));
    kustomize_resmap_rename(&m, r, STR("p-a"));
    second = r->id;
    kustomize_resource_remember(r);
    doc_set_string(set, doc_get_lit(r->root, "metadata"), STR("namespace"), STR("y"));
    kustomize_resmap_refresh(&m, r);

    kustomize_resmap_by_current_id(&m, &first, &found);
    CHECK_INT((long long)found.len, 0, "no longer current");
    kustomize_resmap_by_any_id(&m, &first, &found);
    CHECK_INT((long long)found.len, 1, "first id");
    kustomize_resmap_by_any_id(&m, &second, &found);
    CHECK_INT((long long)found.len, 1, "second id");
    kustomize_resmap_by_current_id(&m, &r->id, &found);
    CHECK_INT((long long)found.len, 1, "current id");
    CHECK(kustomize_resmap_get(&m, &first, &e) == r);
    kustomize_resmap_by_name(&m, STR("a"), &found);
    CHECK_INT((long long)found.len, 1, "former name");
    kustomize_resmap_by_name_in(&m, STR("a"), STR("y"), &found);
    CHECK_INT((long long)found.len, 1, "former name in the namespace of today");
    kustomize_resmap_by_name_in(&m, STR("a"), STR("x"), &found);
    CHECK_INT((long long)found.len, 0, "it moved away");
    CHECK(kustomize_resource_was_named(r, STR("a")));
    CHECK_STR(doc_text(doc_at(r->root, "metadata/name"), STR_NONE), STR("p-a"), "tree");
    CHECK_STR(doc_text(doc_at(r->root, "metadata/namespace"), STR_NONE), STR("y"), "tree");
}

TEST(a_name_taken_back_is_found_once)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(kustomize_resmap_done) struct kustomize_resmap m = {0};
    AUTO(kustomize_found_done) struct kustomize_found found = {0};
    struct kustomize_resource *r = config_map(set, "a", "x");

    append(&m, r);
    kustomize_resmap_rename(&m, r, STR("b"));
    kustomize_resmap_rename(&m, r, STR("a"));
    kustomize_resmap_by_any_id(&m, &r->id, &found);
    CHECK_INT((long long)found.len, 1, "id");
    kustomize_resmap_by_name(&m, STR("a"), &found);
    CHECK_INT((long long)found.len, 1, "name");
}

TEST(found_resources_come_in_the_order_of_the_list)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(kustomize_resmap_done) struct kustomize_resmap m = {0};
    AUTO(kustomize_found_done) struct kustomize_found found = {0};
    char ns[20];

    for (int i = 0; i < 500; i++) {
        (void)snprintf(ns, sizeof(ns), "ns-%d", i);
        append(&m, config_map(set, "same", ns));
    }
    kustomize_resmap_by_kind(&m, STR("ConfigMap"), &found);
    CHECK_INT((long long)found.len, 500, "kind");
    for (size_t i = 1; i < found.len; i++)
        CHECK(found.v[i - 1]->at < found.v[i]->at);
    kustomize_resmap_by_name_in(&m, STR("same"), STR("ns-77"), &found);
    CHECK_INT((long long)found.len, 1, "one namespace");
}

TEST(removed_and_empty_resources_are_neither_met_nor_found)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(kustomize_resmap_done) struct kustomize_resmap m = {0};
    AUTO(kustomize_found_done) struct kustomize_found found = {0};
    struct kustomize_resource *a = config_map(set, "a", "x"), *b = config_map(set, "b", "x"),
                              *c = config_map(set, "c", "x"), *r;
    size_t met = 0;

    append(&m, a);
    append(&m, b);
    append(&m, c);
    kustomize_resmap_remove(&m, b);
    kustomize_resmap_by_name(&m, STR("b"), &found);
    CHECK_INT((long long)found.len, 0, "removed");
    c->root = doc_new_map(set);
    kustomize_resmap_refresh(&m, c);
    kustomize_resmap_drop_empty(&m);
    for (size_t at = 0; (r = kustomize_resmap_next(&m, &at)); met++)
        CHECK(r == a);
    CHECK_INT((long long)met, 1, "left");
    CHECK_INT((long long)kustomize_resmap_len(&m), 1, "counted");
    append(&m, b); /* its id is free again */
}

TEST(maps_of_bases_are_joined_and_twins_between_them_refused)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(doc_set_free) struct doc_set *other_set = doc_set_new();
    AUTO(kustomize_resmap_done) struct kustomize_resmap m = {0}, one = {0}, two = {0};
    AUTO(err_done) struct err e = {0};

    append(&one, config_map(set, "a", "x"));
    append(&two, config_map(other_set, "b", "x"));
    append(&two, config_map(other_set, "a", "x"));
    CHECK(kustomize_resmap_append_all(&m, &one, &e) == 0);
    CHECK(kustomize_resmap_append_all(&m, &two, &e) < 0);
    CHECK_INT((long long)kustomize_resmap_len(&two), 0, "emptied");
}

static int by_name(const void *ctx UNUSED, const struct kustomize_resource *a,
                   const struct kustomize_resource *b)
{
    return str_cmp(a->id.name, b->id.name);
}

TEST(sorting_is_stable)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(kustomize_resmap_done) struct kustomize_resmap m = {0};
    struct kustomize_resource *first = config_map(set, "b", "x"),
                              *second = config_map(set, "b", "y");

    append(&m, first);
    append(&m, second);
    append(&m, config_map(set, "a", "x"));
    kustomize_resmap_sort(&m, by_name, NULL);
    CHECK(first->at == 1 && second->at == 2);
}
