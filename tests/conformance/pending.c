#include "conformance/suite_priv.h"

/* How the cases of a folder lie in its files. A new engine brings its own suite, and its row here
 * goes. */
struct layout {
    const char *suite, *folder, *suffix;
    enum {
        ONE_A_FILE,   /* the file is a case */
        ONE_A_FOLDER, /* a folder that holds the file `suffix` */
        JSON_LIST,    /* a list of cases */
        JSON_CASES,   /* {"cases": [...]} */
        JSON_GROUPS,  /* a list of {"tests": [...]} */
        YAML_LISTS,   /* a map whose lists hold cases */
    } form;
};

static const struct layout layouts[] = {
    {"khook", ".", "cases.yaml", YAML_LISTS},
    {"kudo", "packages", "case.yaml", ONE_A_FOLDER},
    {"kudo", "real", "case.yaml", ONE_A_FOLDER},
    {"kudo", "invalid", ".yaml", ONE_A_FILE},
    {"kudo", "state", ".yaml", ONE_A_FILE},
    {"kudo", "admission", ".yaml", YAML_LISTS},
    {"kudo", "health", ".yaml", YAML_LISTS},
    {"kudo", "values", ".yaml", YAML_LISTS},
    {"kudo", "cli", ".yaml", ONE_A_FILE},
    {"shell-operator", ".", ".json", JSON_CASES},
    {"yaml", ".", "yaml-test-suite.json", JSON_LIST},
};

static void fail_one(struct suite *s, str id)
{
    suite_case(s, id, false, "the engine is not built");
}

/* Cases are named by what their format calls a name, else by their place. */
static void fail_each(struct suite *s, const char *file, const struct doc_node *cases)
{
    struct doc_iter it = doc_children(cases);

    for (unsigned i = 0; doc_next(&it); i++) {
        str id = doc_string(doc_get_lit(it.value, "id"), STR_NONE);

        if (!id.len)
            id = doc_string(doc_get_lit(it.value, "name"), STR_NONE);
        if (!id.len)
            id = arena_printf(&suite_set(s)->arena, "%s#%u", file, i);
        fail_one(s, id);
    }
}

static void fail_groups(struct suite *s, const char *file)
{
    struct doc_node *groups = suite_json(s, file);
    struct doc_iter it = doc_children(groups);

    if (!doc_is_list(groups)) /* remotes.json: schemas, no cases */
        return;
    for (unsigned i = 0; doc_next(&it); i++)
        fail_each(s, arena_printf(&suite_set(s)->arena, "%s/%u", file, i).p,
                  doc_get_lit(it.value, "tests"));
}

static void fail_lists(struct suite *s, const char *file)
{
    struct doc_iter it = doc_children(suite_yaml(s, file));

    while (doc_next(&it))
        if (doc_is_list(it.value))
            fail_each(s, arena_printf(&suite_set(s)->arena, "%s/%.*s", file, STR_ARG(it.key)).p,
                      it.value);
}

static void fail_file(struct suite *s, const struct layout *l, const char *file)
{
    switch (l->form) {
    case ONE_A_FILE:
        fail_one(s, str_of(file));
        break;
    case ONE_A_FOLDER:
        if (suite_has(s, arena_printf(&suite_set(s)->arena, "%s/%s", file, l->suffix).p))
            fail_one(s, str_of(file));
        break;
    case JSON_LIST:
        fail_each(s, file, suite_json(s, file));
        break;
    case JSON_CASES:
        fail_each(s, file, doc_get_lit(suite_json(s, file), "cases"));
        break;
    case JSON_GROUPS:
        fail_groups(s, file);
        break;
    case YAML_LISTS:
        fail_lists(s, file);
        break;
    }
}

static void run_pending(struct suite *s)
{
    for (size_t i = 0; i < ARRAY_LEN(layouts); i++) {
        const struct layout *l = &layouts[i];
        AUTO(str_vec_done) struct str_vec names = {0};

        if (strcmp(l->suite, s->name) != 0 || !suite_has(s, l->folder))
            continue;
        names = suite_list(s, l->folder, l->form == ONE_A_FOLDER ? "" : l->suffix);
        for (size_t k = 0; k < names.len; k++)
            fail_file(s, l, arena_printf(&suite_set(s)->arena, "%s/%s", l->folder, names.v[k].p).p);
    }
}

suite_run_fn *pending_suite(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(layouts); i++)
        if (strcmp(layouts[i].suite, name) == 0)
            return run_pending;
    return NULL;
}
