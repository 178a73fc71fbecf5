#include "expr/semver/semver.h"
#include "base/buf.h"
#include "conformance/suite.h"

static str text_of(const struct doc_node *c, const char *key)
{
    return doc_string(doc_get(c, str_of(key)), STR_NONE);
}
static bool flag_of(const struct doc_node *c, const char *key)
{
    return doc_bool(doc_get(c, str_of(key)), false);
}

static bool is_version(const struct doc_node *c, const char *key, struct semver *ret)
{
    AUTO(err_done) struct err e = {0};

    return semver_parse(text_of(c, key), flag_of(c, "strict") ? SEMVER_STRICT : SEMVER_LENIENT, ret,
                        &e) == 0;
}

static void judge_constraint(struct suite *s, const struct doc_node *c)
{
    AUTO(err_done) struct err e = {0};
    AUTO(semver_constraint_free)
    struct semver_constraint *constraint = semver_constraint_parse(text_of(c, "constraint"), &e);
    struct semver v;

    if (!doc_get_lit(c, "version"))
        suite_end(s, (constraint != NULL) == flag_of(c, "valid"), "%s", err_text(&e));
    else if (!constraint || !is_version(c, "version", &v))
        suite_end(s, false, "refused: %s", err_text(&e));
    else
        suite_end(s,
                  semver_matches(constraint, &v, flag_of(c, "include_prerelease")) ==
                      flag_of(c, "match"),
                  "the wrong verdict");
}

static void judge_normal(struct suite *s, const struct doc_node *c)
{
    AUTO(buf_done) struct buf got = {0};
    struct semver v;

    if (is_version(c, "version", &v))
        semver_print(&v, &got);
    suite_end(s, str_eq(buf_view(&got), text_of(c, "normal")), "got %s", buf_cstr(&got));
}

static void judge_order(struct suite *s, const struct doc_node *c)
{
    struct semver a, b;
    int64_t want = doc_int(doc_get_lit(c, "cmp"), 9);

    if (!is_version(c, "a", &a) || !is_version(c, "b", &b))
        suite_end(s, false, "refused");
    else
        suite_end(s, semver_compare(&a, &b) == want, "got %d", semver_compare(&a, &b));
}

SUITE(semver)
{
    struct doc_iter it = doc_children(suite_json(s, "semver.json"));

    while (doc_next(&it)) {
        const struct doc_node *c = it.value;
        struct semver v;

        if (!suite_begin(s, text_of(c, "id")))
            continue;
        if (doc_get_lit(c, "constraint"))
            judge_constraint(s, c);
        else if (doc_get_lit(c, "cmp"))
            judge_order(s, c);
        else if (doc_get_lit(c, "normal"))
            judge_normal(s, c);
        else
            suite_end(s, is_version(c, "version", &v) == flag_of(c, "valid"), "the wrong verdict");
    }
}
