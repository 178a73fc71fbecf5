#include "base/buf.h"
#include "conformance/suite.h"
#include "doc/emit.h"
#include "doc/patch/json.h"

static void judge(struct suite *s, const struct doc_node *c)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf got = {0}, was = {0}, is = {0};
    const struct doc_node *expected = doc_get_lit(c, "expected");
    struct doc_node *doc = doc_copy(set, doc_get_lit(c, "doc"));
    int rc;

    doc_emit_json(doc, 0, &was);
    rc = doc_json_patch(set, doc, suite_set(s), doc_get_lit(c, "patch"), &e);
    doc_emit_json(doc, 0, rc < 0 ? &is : &got);
    if (rc < 0 && !str_eq(buf_view(&was), buf_view(&is)))
        suite_end(s, false, "it failed and left %s", buf_cstr(&is));
    else if (doc_get_lit(c, "error"))
        suite_end(s, rc < 0, "no error: %s", buf_cstr(&got));
    else if (rc < 0)
        suite_end(s, false, "%s", err_text(&e));
    else
        suite_end(s, !expected || doc_equal(doc, expected), "got %s", buf_cstr(&got));
}

static void run_file(struct suite *s, const char *file)
{
    struct doc_iter it = doc_children(suite_json(s, file));

    for (int i = 0; doc_next(&it); i++) {
        AUTO(buf_done) struct buf id = {0};

        if (doc_bool(doc_get_lit(it.value, "disabled"), false))
            continue;
        buf_addf(&id, "%s/%d", file, i);
        if (suite_begin(s, buf_view(&id)))
            judge(s, it.value);
    }
}

SUITE(jsonpatch)
{
    run_file(s, "tests.json");
    run_file(s, "spec_tests.json");
}
