#include "conformance/suite.h"
#include "expr/jsonpath/waitfor.h"

static str field(const struct doc_node *c, const char *name)
{
    return doc_string(doc_get(c, str_of(name)), STR_NONE);
}

/* A failure must be the one that is wanted, by its whole text or a part of it. */
static void end_failed(struct suite *s, const struct doc_node *c, const struct err *e, bool whole)
{
    const struct doc_node *want = doc_get_lit(c, "error");
    str text = doc_string(want, STR_NONE), got = str_of(err_text(e));

    suite_end(s, want && (whole ? str_eq(got, text) : str_contains(got, text)), "failed: %s",
              err_text(e));
}

static void judge_template(struct suite *s, const struct doc_node *c)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf out = {0};
    AUTO(jsonpath_free) struct jsonpath *path = jsonpath_compile(field(c, "template"), &e);
    bool at_parse = str_eq(field(c, "phase"), STR("parse"));
    unsigned flags = doc_bool(doc_get_lit(c, "allow_missing"), false) ? JSONPATH_ALLOW_MISSING : 0;

    if (doc_bool(doc_get_lit(c, "json_output"), false))
        flags |= JSONPATH_JSON;
    if (path && at_parse)
        suite_end(s, false, "parsed");
    else if (!path && !at_parse)
        suite_end(s, false, "not parsed: %s", err_text(&e));
    else if (!path || jsonpath_print(path, doc_get_lit(c, "data"), flags, &out, &e) < 0)
        end_failed(s, c, &e, true);
    else
        suite_end(s, doc_get_lit(c, "expect") && str_eq(buf_view(&out), field(c, "expect")),
                  "printed \"%s\"", buf_cstr(&out));
}

static void judge_relaxed(struct suite *s, const struct doc_node *c)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf out = {0};

    if (jsonpath_relaxed(field(c, "relaxed"), &out, &e) < 0)
        end_failed(s, c, &e, false);
    else
        suite_end(s, doc_get_lit(c, "expect") && str_eq(buf_view(&out), field(c, "expect")),
                  "became \"%s\"", buf_cstr(&out));
}

static void judge_wait(struct suite *s, const struct doc_node *c)
{
    AUTO(err_done) struct err e = {0};
    AUTO(wait_for_done) struct wait_for w = {0};
    const struct doc_node *met = doc_get_lit(c, "met");
    int rc = wait_for_parse(field(c, "wait"), WAIT_KUBECTL, &w, &e);

    if (rc == 0)
        rc = wait_for_met(&w, doc_get_lit(c, "data"), &e);
    if (rc < 0)
        end_failed(s, c, &e, false);
    else
        suite_end(s, met && doc_bool(met, false) == rc, "%s", rc ? "met" : "not met");
}

SUITE(jsonpath)
{
    struct doc_iter it = doc_children(suite_json(s, "jsonpath.json"));

    while (doc_next(&it)) {
        if (!suite_begin(s, field(it.value, "id")))
            continue;
        if (doc_get_lit(it.value, "relaxed"))
            judge_relaxed(s, it.value);
        else if (doc_get_lit(it.value, "wait"))
            judge_wait(s, it.value);
        else
            judge_template(s, it.value);
    }
}
