#include "khook/act/object.h"

#include "support/test.h"

TEST(manifests_are_listed_by_document_and_lists_expanded)
{
    static const struct {
        const char *text, *want; /* ids, or the end of the error */
        bool fails;
    } rows[] = {
        {"apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: n}\n", "pod/a@n", false},
        {"---\n---\n# nothing\n", "", false},
        {"apiVersion: v1\nkind: List\nitems: []\n", "", false},
        {"apiVersion: v1\nkind: PodList\nitems: [{metadata: {name: a}}, {kind: X, apiVersion: "
         "x/v1, metadata: {name: 1}}]\n",
         "pod/a, x/1", false},
        {"a: b\n", "manifests[3]: f.yaml:1:1: document 1: has no kind", true},
        {"---\n---\nkind: X\n", "manifests[3]: f.yaml:3:1: document 2: X has no apiVersion", true},
        {"- a\n", "document 1: is no object: it must be a map with apiVersion and kind", true},
        {"kind: X\napiVersion: v1\n", "metadata.name", true},
        {"a: [\n", "manifests[3]: f.yaml:", true},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(khook_objects_done) struct khook_objects objects = {0};
        AUTO(khook_ids_done) struct khook_ids ids = {0};
        AUTO(err_done) struct err e = {0};
        int rc;

        khook_objects_init(&objects);
        rc = khook_manifests_parse(&objects, str_of(rows[i].text), 3,
                                   &(struct khook_origin){.name = "f.yaml"}, &e);
        CHECK_INT(rc, rows[i].fails ? -1 : 0, rows[i].text);
        if (rows[i].fails && !str_contains(str_of(err_text(&e)), str_of(rows[i].want)))
            test_fail(__FILE__, __LINE__, "%s: %s", rows[i].text, err_text(&e));
        for (size_t j = 0; j < objects.list.len; j++)
            khook_ids_add(&ids, objects.list.v[j].kind, objects.list.v[j].name,
                          objects.list.v[j].ns);
        if (!rows[i].fails)
            CHECK_STR(buf_view(&ids.text), str_of(rows[i].want), rows[i].text);
        else
            CHECK_INT((long)objects.list.len, 0, "nothing is kept of a bad text");
    }
}

TEST(a_nest_of_lists_has_an_end)
{
    AUTO(khook_objects_done) struct khook_objects objects = {0};
    AUTO(buf_done) struct buf text = {0};
    AUTO(err_done) struct err e = {0};

    khook_objects_init(&objects);
    for (int i = 0; i < 50; i++)
        buf_add_cstr(&text, "{apiVersion: v1, kind: List, items: [");
    for (int i = 0; i < 50; i++)
        buf_add_cstr(&text, "]}");
    CHECK_INT(khook_manifests_parse(&objects, buf_view(&text), 0,
                                    &(struct khook_origin){.name = "f"}, &e),
              -1, "deep");
    CHECK(str_contains(str_of(err_text(&e)), STR("nested deeper")));
}
