#include "kube/held.h"

#include "doc/parse.h"
#include "support/test.h"

#define NOW "deletionTimestamp: '2026-01-02T03:04:05Z'"
#define SINCE "being deleted since 2026-01-02T03:04:05Z"
#define LEFT "Some resources are remaining: things.example.com has 1 resource instances"

static const struct kube_type config_map = {
    .version = STR_INIT("v1"), .kind = STR_INIT("ConfigMap"), .plural = STR_INIT("configmaps")};
static const struct kube_type thing = {.group = STR_INIT("example.com"),
                                       .version = STR_INIT("v1"),
                                       .kind = STR_INIT("Thing"),
                                       .plural = STR_INIT("things")};
static const struct kube_type namespace = {
    .version = STR_INIT("v1"), .kind = STR_INIT("Namespace"), .plural = STR_INIT("namespaces")};

TEST(what_keeps_a_deleted_object_is_named_with_the_way_out)
{
    static const struct {
        const struct kube_type *type;
        const char *object, *why, *remedy;
    } rows[] = {
        {&config_map, "metadata: {name: a, finalizers: [x/y]}", "", NULL},
        {&config_map, "metadata: {name: a, " NOW "}", SINCE, NULL},
        {&config_map, "metadata: {name: a, namespace: n, " NOW ", finalizers: [x/y]}",
         SINCE ", held by the finalizer x/y", "kubectl patch configmaps a -n n --type=merge"},
        {&thing, "metadata: {name: a, " NOW ", finalizers: [x/y, foregroundDeletion]}",
         SINCE ", held by the finalizers x/y, foregroundDeletion",
         "kubectl patch things.example.com a --type=merge"},
        {&namespace,
         "metadata: {name: n, " NOW "}\nspec: {finalizers: [kubernetes]}\nstatus: {conditions: "
         "[{type: A, status: 'False', message: all well}, {type: B, status: 'True', message: "
         "'" LEFT "'}]}",
         SINCE "; " LEFT, NULL},
        {&thing,
         "metadata: {name: a, " NOW "}\nstatus: {conditions: [{status: 'True', message: ready}]}",
         SINCE, NULL},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        AUTO(buf_done) struct buf why = {0}, remedy = {0};
        AUTO(err_done) struct err e = {0};
        struct doc_node *object = doc_parse(set, str_of(rows[i].object), DOC_MANIFEST, "test", &e);

        CHECK_OK(&e);
        CHECK(kube_held_why(rows[i].type, object, &why) == (rows[i].why[0] != '\0'));
        CHECK_STR(buf_view(&why), str_of(rows[i].why), rows[i].object);
        kube_held_remedy(rows[i].type, object, &remedy);
        if (rows[i].remedy)
            CHECK(strstr(buf_cstr(&remedy), rows[i].remedy) != NULL);
        else
            CHECK(remedy.len == 0);
    }
}
