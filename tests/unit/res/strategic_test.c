#include "base/buf.h"
#include "doc/emit.h"
#include "doc/parse.h"
#include "doc/patch/strategic.h"
#include "res/schema.h"
#include "support/test.h"

static struct doc_node *json(struct doc_set *set, const char *text)
{
    AUTO(err_done) struct err e = {0};
    struct doc_node *n = doc_parse_json(set, str_of(text), "test", &e);

    CHECK_OK(&e);
    return n;
}

static void check_json(const struct doc_node *got, const char *want, const char *what)
{
    AUTO(buf_done) struct buf out = {0};

    doc_emit_json(got, 0, &out);
    CHECK_STR(buf_view(&out), str_of(want), what);
}

static doc_shape shape_of(const char *kind)
{
    const struct doc_schema *s = res_kubernetes_schema();

    return s->root(s, str_of(strcmp(kind, "Deployment") == 0 ? "apps" : ""), STR("v1"),
                   str_of(kind));
}

TEST(strategic_patches_apply)
{
    static const struct {
        const char *kind, *original, *patch, *want; /* want: the result, or the message */
    } rows[] = {
        {"Pod", "{\"spec\":{\"containers\":[{\"name\":\"a\",\"image\":\"1\"},{\"name\":\"b\"}]}}",
         "{\"spec\":{\"containers\":[{\"name\":\"c\"},{\"name\":\"a\",\"image\":\"2\"}]}}",
         "{\"spec\":{\"containers\":[{\"name\":\"c\"},{\"name\":\"a\",\"image\":\"2\"},{\"name\":"
         "\"b\"}]}}"},
        {"Pod", "{\"spec\":{\"containers\":[{\"name\":\"a\"},{\"name\":\"b\"}]}}",
         "{\"spec\":{\"containers\":[{\"name\":\"a\",\"$patch\":\"delete\"}]}}",
         "{\"spec\":{\"containers\":[{\"name\":\"b\"}]}}"},
        {"Pod", "{\"spec\":{\"containers\":[{\"name\":\"a\"},{\"name\":\"b\"}]}}",
         "{\"spec\":{\"containers\":[{\"name\":\"c\"},{\"$patch\":\"replace\"}]}}",
         "{\"spec\":{\"containers\":[{\"name\":\"c\"}]}}"},
        {"Pod", "{\"spec\":{\"containers\":[{\"name\":\"a\"},{\"name\":\"b\"},{\"name\":\"c\"}]}}",
         "{\"spec\":{\"$setElementOrder/containers\":[{\"name\":\"c\"},{\"name\":\"a\"}]}}",
         "{\"spec\":{\"containers\":[{\"name\":\"b\"},{\"name\":\"c\"},{\"name\":\"a\"}]}}"},
        {"Pod", "{\"metadata\":{\"finalizers\":[\"x\",\"y\"]}}",
         "{\"metadata\":{\"$deleteFromPrimitiveList/finalizers\":[\"x\"],\"finalizers\":[\"z\"]}}",
         "{\"metadata\":{\"finalizers\":[\"z\",\"y\"]}}"},
        {"Pod", "{\"metadata\":{\"labels\":{\"a\":\"1\",\"b\":\"2\"}}}",
         "{\"metadata\":{\"labels\":{\"a\":null,\"c\":null,\"d\":\"4\"}}}",
         "{\"metadata\":{\"labels\":{\"b\":\"2\",\"d\":\"4\"}}}"},
        {"Pod", "{\"metadata\":{\"labels\":{\"a\":\"1\"}}}",
         "{\"metadata\":{\"labels\":{\"$patch\":\"replace\",\"b\":\"2\"}}}",
         "{\"metadata\":{\"labels\":{\"b\":\"2\"}}}"},
        {"Deployment",
         "{\"spec\":{\"strategy\":{\"type\":\"RollingUpdate\",\"rollingUpdate\":{\"maxSurge\":1}}}"
         "}",
         "{\"spec\":{\"strategy\":{\"$retainKeys\":[\"type\"],\"type\":\"Recreate\"}}}",
         "{\"spec\":{\"strategy\":{\"type\":\"Recreate\"}}}"},
        {"Pod", "{\"spec\":{\"tolerations\":[{\"key\":\"a\"}]}}",
         "{\"spec\":{\"tolerations\":[{\"key\":\"b\"}]}}",
         "{\"spec\":{\"tolerations\":[{\"key\":\"b\"}]}}"},
        {"Custom", "{\"list\":[{\"name\":\"a\"}]}", "{\"list\":[{\"name\":\"b\"}]}",
         "{\"list\":[{\"name\":\"b\"}]}"},
        {"Pod", "{}",
         "{\"spec\":{\"containers\":[{\"name\":\"a\",\"x\":null},{\"$patch\":\"replace\"}]}}",
         "{\"spec\":{\"containers\":[{\"name\":\"a\"}]}}"},
        {"Pod", "{\"spec\":{\"containers\":[{\"name\":\"a\"}]}}",
         "{\"spec\":{\"containers\":[{\"image\":\"x\"}]}}",
         "map does not contain declared merge key: name"},
        {"Pod", "{\"spec\":{}}", "{\"spec\":{\"$patch\":\"add\"}}", "unknown patch type: add"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        struct doc_node *patch = json(set, rows[i].patch), *got;

        if (doc_strategic_apply(set, json(set, rows[i].original), patch, res_kubernetes_schema(),
                                shape_of(rows[i].kind), &got, &e) < 0)
            CHECK_STR(str_of(err_text(&e)), str_of(rows[i].want), rows[i].patch);
        else
            check_json(got, rows[i].want, rows[i].patch);
        check_json(patch, rows[i].patch, "the patch stays as it is");
    }
}

/* original (applied last), modified (wanted), current (live); applying the patch gives the result.
 */
TEST(three_way_patches_reach_what_is_wanted)
{
    static const struct {
        const char *kind, *original, *modified, *current, *patch, *result;
    } rows[] = {
        {"Pod", "{\"a\":1,\"b\":2}", "{\"a\":1}", "{\"a\":1,\"b\":2,\"c\":3}", "{\"b\":null}",
         "{\"a\":1,\"c\":3}"},
        {"Pod", "{\"a\":1}", "{\"a\":1}", "{\"a\":1,\"c\":3}", "{}", "{\"a\":1,\"c\":3}"},
        {"Pod", "{\"spec\":{\"containers\":[{\"name\":\"a\"},{\"name\":\"b\"}]}}",
         "{\"spec\":{\"containers\":[{\"name\":\"b\",\"image\":\"2\"}]}}",
         "{\"spec\":{\"containers\":[{\"name\":\"a\"},{\"name\":\"b\",\"x\":1},{\"name\":\"side\"}]"
         "}}",
         "{\"spec\":{\"$setElementOrder/"
         "containers\":[{\"name\":\"b\"}],\"containers\":[{\"image\":\"2\",\"name\":\"b\"},"
         "{\"$patch\":\"delete\",\"name\":\"a\"}]}}",
         "{\"spec\":{\"containers\":[{\"name\":\"b\",\"x\":1,\"image\":\"2\"},{\"name\":\"side\"}]}"
         "}"},
        {"Pod", "{\"metadata\":{\"finalizers\":[\"x\"]}}",
         "{\"metadata\":{\"finalizers\":[\"y\"]}}", "{\"metadata\":{\"finalizers\":[\"x\",\"z\"]}}",
         "{\"metadata\":{\"$setElementOrder/finalizers\":[\"y\"],\"$deleteFromPrimitiveList/"
         "finalizers\":[\"x\"],"
         "\"finalizers\":[\"y\"]}}",
         "{\"metadata\":{\"finalizers\":[\"y\",\"z\"]}}"},
        {"Deployment", "{}", "{\"spec\":{\"strategy\":{\"type\":\"Recreate\"}}}",
         "{\"spec\":{\"strategy\":{\"type\":\"RollingUpdate\",\"rollingUpdate\":{\"maxSurge\":1}}}"
         "}",
         "{\"spec\":{\"strategy\":{\"type\":\"Recreate\",\"$retainKeys\":[\"type\"]}}}",
         "{\"spec\":{\"strategy\":{\"type\":\"Recreate\"}}}"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        struct doc_node *current = json(set, rows[i].current), *got;
        struct doc_node *patch =
            doc_strategic_three_way(set, json(set, rows[i].original), json(set, rows[i].modified),
                                    current, res_kubernetes_schema(), shape_of(rows[i].kind), &e);

        CHECK_OK(&e);
        check_json(patch, rows[i].patch, "patch");
        CHECK(doc_strategic_apply(set, current, patch, res_kubernetes_schema(),
                                  shape_of(rows[i].kind), &got, &e) == 0);
        check_json(got, rows[i].result, "result");
    }
}
