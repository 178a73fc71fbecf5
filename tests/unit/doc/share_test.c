#include "doc/emit.h"
#include "doc/parse.h"
#include "support/test.h"

static struct doc_node *read(struct doc_set *set)
{
    AUTO(err_done) struct err e = {0};

    return doc_parse(set, STR("a: 1\nb: x\nc: 'y'\nd: z\n"), DOC_RESOURCE, "t", &e);
}

static void check(const struct doc_node *root, const char *want)
{
    AUTO(buf_done) struct buf out = {0};

    doc_emit(root, DOC_EMIT_ORDERED, &out);
    CHECK_STR(buf_view(&out), str_of(want), want);
}

TEST(shared_scalars_change_together)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *root = read(set), *a = doc_get_lit(root, "a"), *b = doc_get_lit(root, "b");

    doc_share(set, a, b);
    doc_share(set, b, doc_get_lit(root, "c"));
    doc_set_string(set, root, STR("b"), STR("new"));
    check(root, "a: new\nb: new\nc: new\nd: z\n");
    doc_replace(a, doc_new_int(set, 5));
    check(root, "a: 5\nb: 5\nc: 5\nd: z\n");
}

TEST(what_is_unshared_or_no_scalar_goes_its_own_way)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *root = read(set), *a = doc_get_lit(root, "a"), *b = doc_get_lit(root, "b");

    doc_share(set, a, b);
    doc_share(set, b, doc_get_lit(root, "c"));
    doc_unshare(b);
    doc_set_string(set, root, STR("b"), STR("new"));
    check(root, "a: 1\nb: new\nc: \"y\"\nd: z\n");
    doc_set_field(set, root, STR("c"), doc_new_list(set));
    doc_set_string(set, root, STR("a"), STR("own"));
    check(root, "a: own\nb: new\nc: []\nd: z\n");
    doc_share(set, a, b);
    doc_unshare(root);
    doc_set_string(set, root, STR("a"), STR("last"));
    check(root, "a: last\nb: new\nc: []\nd: z\n");
}
