#include "doc/path.h"

#include "base/vec.h"
#include "doc/emit.h"
#include "doc/parse.h"
#include "support/test.h"

static void check_split(const char *path, char delimiter, bool is_smart, const char *want)
{
    AUTO(doc_path_done) struct doc_path steps = {0};
    AUTO(arena_done) struct arena a = {0};
    AUTO(buf_done) struct buf got = {0};

    (is_smart ? doc_path_split_smart : doc_path_split)(&a, str_of(path), delimiter, &steps);
    for (size_t i = 0; i < steps.len; i++)
        buf_addf(&got, "%s%.*s", i ? "|" : "", STR_ARG(steps.v[i]));
    CHECK_STR(buf_view(&got), str_of(want), path);
}

TEST(paths_split_at_delimiters_that_are_not_escaped)
{
    check_split("a/b", '/', false, "a|b");
    check_split("/a/b[]/c", '/', false, "a|b[]|c");
    check_split("a\\/b/c\\.d", '/', false, "a/b|c\\.d");
    check_split("a//b/", '/', false, "a||b|");
    check_split("", '/', false, "");
    check_split("a\\", '.', false, "a\\");
    check_split("a.[x.y=1.2].b", '.', true, "a|[x.y=1.2]|b");
    check_split("a.[k8s.io/x].[y]", '.', true, "a|k8s.io/x|[y]");
    check_split("a.[x=1.b", '.', true, "a|[x=1.b");
}

static const char document[] =
    "{\"spec\":{\"c\":[{\"name\":\"x\",\"p\":[80,81]},{\"name\":\"y\"},{\"name\":7}],"
    "\"args\":[\"-v\",\"-q\"],\"n\":null,\"s\":\"t\"}}";

static void check_find(const char *path, enum doc_type create, bool does_create, const char *want)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(doc_path_done) struct doc_path steps = {0};
    AUTO(doc_list_done) struct doc_list found = {0};
    AUTO(buf_done) struct buf got = {0};
    struct doc_node *root = doc_parse_json(set, str_of(document), "t", &e);
    struct doc_path_options options = {.set = does_create ? set : NULL, .create = create};

    doc_path_split_smart(&set->arena, str_of(path), '/', &steps);
    if (doc_path_find(root, &steps, &options, &found, &e) < 0)
        buf_add_cstr(&got, err_text(&e));
    else if (does_create)
        doc_emit_json(doc_get_lit(root, "spec"), 0, &got);
    else
        for (size_t i = 0; i < found.len; i++) {
            if (i)
                buf_add_char(&got, ' ');
            doc_emit_json(found.v[i], 0, &got);
        }
    CHECK_STR(buf_view(&got), str_of(want), path);
}

TEST(paths_find_fields_items_and_conditions)
{
    check_find("spec/c/0/p/1", DOC_MAP, false, "81");
    check_find("spec/c/*/name", DOC_MAP, false, "\"x\" \"y\" 7");
    check_find("spec/c/[name=y]", DOC_MAP, false, "{\"name\":\"y\"}");
    check_find("spec/c/[name=7]/name", DOC_MAP, false, "7");
    check_find("spec/args/[=-q]", DOC_MAP, false, "\"-q\"");
    check_find("spec/args/-", DOC_MAP, false, "\"-q\"");
    check_find("spec/c/*/p/*", DOC_MAP, false, "80 81");
    check_find("spec/none/x", DOC_MAP, false, "");
    check_find("spec/n/x", DOC_MAP, false, "");
    check_find("spec/c/name", DOC_MAP, false, "step \"name\" does not fit a list");
    check_find("spec/s/x", DOC_MAP, false, "step \"x\" does not fit a text");
    check_find("spec/c/5", DOC_MAP, false, "index 5 specified but only 3 elements found");
}

TEST(paths_make_what_is_missing)
{
#define BEFORE "{\"c\":[{\"name\":\"x\",\"p\":[80,81]},{\"name\":\"y\"},{\"name\":7}"
    check_find("spec/c/[name=z]/env/[k=1]/v", DOC_STRING, true,
               BEFORE ",{\"name\":\"z\",\"env\":[{\"k\":\"1\",\"v\":null}]}],\"args\":[\"-v\",\"-"
                      "q\"],\"n\":null,\"s\":\"t\"}");
    check_find("spec/args/2", DOC_MAP, true,
               BEFORE "],\"args\":[\"-v\",\"-q\",{}],\"n\":null,\"s\":\"t\"}");
    check_find("spec/n/x/0", DOC_LIST, true,
               BEFORE "],\"args\":[\"-v\",\"-q\"],\"n\":{\"x\":[[]]},\"s\":\"t\"}");
    check_find("spec/args/4", DOC_MAP, true, "index 4 specified but only 2 elements found");
}

TEST(paths_are_bounded_and_read_as_text)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(doc_path_done) struct doc_path steps = {0};
    AUTO(doc_list_done) struct doc_list found = {0};
    struct doc_node *root = doc_parse_json(set, str_of(document), "t", &e);

    for (int i = 0; i < 1001; i++)
        vec_push(&steps, STR("a"));
    CHECK(doc_path_find(root, &steps, &(struct doc_path_options){.set = set}, &found, &e) < 0);
    CHECK_INT(doc_int(doc_path_get(root, STR("spec.c.[name=x].p.0"), '.'), 0), 80, "text");
    CHECK(!doc_path_get(root, STR("spec.c.x"), '.'));
}
