/* The khook suite: cases.yaml, an area a function. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/log.h"
#include "conformance/khook_case.h"
#include "doc/emit.h"
#include "doc/parse.h"
#include "khook/spec/when.h"
#include "khook/vars/pipeline.h"
#include "sys/file.h"

static const struct {
    const char *name;
    khook_area_fn *run; /* NULL: needs what is not built yet */
} areas[] = {
    {"substitution", khook_area_substitution},
    {"variables", khook_area_variables},
    {"validation", khook_area_validation},
    {"chart", khook_area_chart},
    {"waitfor", khook_area_waitfor},
    {"duration", khook_area_duration},
    {"when", khook_area_when},
    {"levels", khook_area_levels},
    {"run", khook_area_run},
    {"resume", khook_area_resume},
    {"hash", khook_area_hash},
    {"redaction", khook_area_redaction},
    {"graph", khook_area_graph},
    {"waitcheck", khook_area_waitcheck},
    {"rollout", khook_area_rollout},
    {"values", khook_area_values},
    {"manifests", khook_area_manifests},
    {"output", khook_area_output},
    {"cli", khook_area_cli},
    {"exec", khook_area_exec},
    {"plan", khook_area_plan},
    {"record", khook_area_record},
};

bool khook_wrong(struct khook_case *c, const char *fmt, ...)
{
    va_list args;

    if (c->why.len)
        buf_add_cstr(&c->why, "; ");
    va_start(args, fmt);
    buf_addv(&c->why, fmt, args);
    va_end(args);
    return false;
}

bool khook_lacks_engine(str text) { return str_contains(text, STR("this build has no")); }

bool khook_mentions(struct khook_case *c, const struct doc_node *want, str text)
{
    struct doc_iter it = doc_children(doc_get_lit(want, "mentions"));

    while (doc_next(&it))
        if (!str_contains_nocase(text, doc_text(it.value, STR_NONE)))
            return khook_wrong(c, "no \"%.*s\" in: %.*s", STR_ARG(doc_text(it.value, STR_NONE)),
                               STR_ARG(text));
    it = doc_children(doc_get_lit(want, "absent"));
    while (doc_next(&it))
        if (str_contains_nocase(text, doc_text(it.value, STR_NONE)))
            return khook_wrong(c, "\"%.*s\" is in: %.*s", STR_ARG(doc_text(it.value, STR_NONE)),
                               STR_ARG(text));
    return true;
}

bool khook_same(struct khook_case *c, const char *what, str got, str want)
{
    if (str_eq(got, want))
        return true;
    return khook_wrong(c, "%s: got \"%.*s\", want \"%.*s\"", what, STR_ARG(got), STR_ARG(want));
}

static bool is_subset(const struct doc_node *want, const struct doc_node *got)
{
    struct doc_iter it = doc_children(want);

    if (!doc_is_map(want))
        return doc_equal(want, got);
    while (doc_next(&it))
        if (!doc_is_map(got) || !is_subset(it.value, doc_get(got, it.key)))
            return false;
    return true;
}

bool khook_json_is(struct khook_case *c, str json, const struct doc_node *want, bool subset)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf wanted = {0};
    const struct doc_node *got = doc_parse_json(set, json, "output", &e);

    if (!got)
        return khook_wrong(c, "no JSON: %s: %.*s", err_text(&e), STR_ARG(json));
    if (subset ? is_subset(want, got) : doc_equal(want, got))
        return true;
    doc_emit_json(want, 0, &wanted);
    return khook_wrong(c, "got %.*s, want %s", STR_ARG(json), buf_cstr(&wanted));
}

str khook_member(const struct doc_node *map, const char *key)
{
    return doc_text(doc_get(map, str_of(key)), STR_NONE);
}

void khook_case_vars(const struct khook_case *c, const char *field, struct khook_vars *vars)
{
    const struct doc_node *secrets = doc_get_lit(c->node, "secrets");
    struct doc_iter it = doc_children(doc_get(c->node, str_of(field)));

    while (doc_next(&it))
        khook_vars_put(vars, it.key, doc_text(it.value, STR_NONE), false);
    it = doc_children(secrets);
    while (doc_next(&it)) {
        str name = doc_is_map(secrets) ? it.key : doc_text(it.value, STR_NONE);
        const struct khook_var *var = khook_vars_get(vars, name);

        if (doc_is_map(secrets))
            khook_vars_put(vars, name, doc_text(it.value, STR_NONE), true);
        else if (var)
            khook_vars_put(vars, name, var->value, true);
    }
    khook_vars_register(vars);
}

struct khook_engines khook_case_engines(void)
{
    return (struct khook_engines){.pipeline = khook_pipeline_run, .condition = khook_when_run};
}

/* ---- files */

const char *khook_temp_dir(struct khook_case *c)
{
    const char *root = getenv("TMPDIR");
    char *path = arena_zalloc(&c->arena, 256);

    snprintf(path, 256, "%.200s/khook-case-XXXXXX", root ? root : "/tmp");
    if (!mkdtemp(path))
        suite_abort(c->suite, "cannot make %s", path);
    vec_push(&c->folders, str_of(path));
    return path;
}

static void write_file(struct khook_case *c, const char *path, str text)
{
    FILE *f = fopen(path, "we");

    if (!f || fwrite(text.p, 1, text.len, f) != text.len)
        suite_abort(c->suite, "cannot write %s", path);
    fclose(f);
}

void khook_write_text(struct khook_case *c, const char *folder, const char *name, str text)
{
    write_file(c, arena_printf(&c->arena, "%s/%s", folder, name).p, text);
}

void khook_write_files(struct khook_case *c, const char *folder, const struct doc_node *files)
{
    struct doc_iter it = doc_children(files);

    while (doc_next(&it)) {
        char *path = (char *)arena_printf(&c->arena, "%s/%.*s", folder, STR_ARG(it.key)).p;

        for (char *slash = strchr(path + strlen(folder) + 1, '/'); slash;
             slash = strchr(slash + 1, '/')) {
            *slash = '\0';
            mkdir(path, 0777);
            *slash = '/';
        }
        write_file(c, path, doc_text(it.value, STR_NONE));
    }
}

/* ---- running */

static khook_area_fn *area_of(str name)
{
    for (size_t i = 0; i < ARRAY_LEN(areas); i++)
        if (str_eq(name, str_of(areas[i].name)))
            return areas[i].run;
    return NULL;
}

static void run_case(struct suite *s, const struct doc_node *node)
{
    struct khook_case c = {.suite = s, .node = node, .expect = doc_get_lit(node, "expect")};
    khook_area_fn *run = area_of(khook_member(node, "area"));
    AUTO(err_done) struct err e = {0};
    bool passed;

    secret_forget_all();
    passed = run ? run(&c) : khook_wrong(&c, "the area is not built");
    suite_end(s, passed, "%s", buf_cstr(&c.why));
    for (size_t i = 0; i < c.folders.len; i++)
        if (file_remove_tree(c.folders.v[i].p, &e) < 0)
            err_done(&e);
    vec_done(&c.folders);
    buf_done(&c.why);
    arena_done(&c.arena);
}

SUITE(khook)
{
    AUTO(doc_list_done) struct doc_list roots = {0};
    AUTO(err_done) struct err e = {0};
    struct doc_parse_options options = {.dialect = DOC_SPEC};
    struct doc_iter it;

    if (doc_parse_all(suite_set(s), suite_text(s, "cases.yaml"), &options, "cases.yaml", &roots,
                      &e) < 0 ||
        roots.len != 1)
        suite_abort(s, "cases.yaml: %s", err_text(&e));
    log_set_level(LOG_ERROR);
    it = doc_children(doc_get_lit(roots.v[0], "cases"));
    while (doc_next(&it))
        if (suite_begin(s, khook_member(it.value, "id")))
            run_case(s, it.value);
}
