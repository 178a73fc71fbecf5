#include "doc/node.h"
#include "support/test.h"

TEST(map_keeps_order_through_changes_and_growth)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *map = doc_new_map(set);

    for (int i = 0; i < 1000; i++) {
        char key[16];

        snprintf(key, sizeof(key), "k%d", i);
        doc_set_int(set, map, str_of(key), i);
    }
    for (int i = 0; i < 1000; i += 2) {
        char key[16];

        snprintf(key, sizeof(key), "k%d", i);
        CHECK(doc_remove(map, str_of(key)));
        CHECK(!doc_get(map, str_of(key)));
    }
    CHECK_INT((long long)doc_len(map), 500, "half is gone");
    for (int i = 1; i < 1000; i += 2) {
        char key[16];

        snprintf(key, sizeof(key), "k%d", i);
        CHECK_INT(doc_int(doc_get(map, str_of(key)), -1), i, key);
    }
    CHECK_STR(doc_key(doc_first(map)), STR("k1"), "first");
    doc_rename(set, map, doc_get_lit(map, "k3"), STR("renamed"));
    CHECK_INT(doc_int(doc_get_lit(map, "renamed"), -1), 3, "renamed");
    CHECK(!doc_get_lit(map, "k3"));
}

TEST(equal_ignores_key_order_and_number_spelling)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *a = doc_new_map(set), *b = doc_new_map(set);

    doc_set_int(set, a, STR("x"), 1);
    doc_set_string(set, a, STR("y"), STR("t"));
    doc_set_string(set, b, STR("y"), STR("t"));
    doc_set_field(set, b, STR("x"), doc_new_number(set, STR("1.0")));
    CHECK(doc_equal(a, b));
    doc_set_string(set, b, STR("y"), STR("u"));
    CHECK(!doc_equal(a, b));
}

TEST(insert_and_remove_keep_lists_linked)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *list = doc_new_list(set);

    doc_append(list, doc_new_int(set, 2));
    doc_insert(list, 0, doc_new_int(set, 1));
    doc_insert(list, 9, doc_new_int(set, 3));
    CHECK_INT(doc_int(doc_item(list, 0), 0), 1, "first");
    CHECK_INT(doc_int(doc_item(list, 2), 0), 3, "last");
    doc_remove_item(list, doc_item(list, 1));
    CHECK_INT(doc_int(doc_item(list, 1), 0), 3, "after removal");
    doc_remove_item(list, doc_item(list, 1));
    doc_remove_item(list, doc_item(list, 0));
    CHECK_INT((long long)doc_len(list), 0, "empty");
}
