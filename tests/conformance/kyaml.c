#include "base/buf.h"
#include "conformance/kyaml_case.h"
#include "doc/emit.h"
#include "doc/kyaml/merge.h"
#include "doc/parse.h"
#include "res/schema.h"

str row_text(const struct doc_node *row, const char *name)
{
    return doc_text(doc_get(row, str_of(name)), STR_NONE);
}

struct doc_node *row_yaml(struct suite *s, struct doc_set *set, const struct doc_node *row,
                          const char *name)
{
    static const struct doc_parse_options options = {.dialect = DOC_KYAML, .flags = DOC_COMMENTS};
    AUTO(err_done) struct err e = {0};
    AUTO(doc_list_done) struct doc_list list = {0};

    if (doc_parse_all(set, row_text(row, name), &options, name, &list, &e) < 0) {
        suite_end(s, false, "%s cannot be read: %s", name, err_text(&e));
        return NULL;
    }
    return list.len ? list.v[0] : doc_new_null(set);
}

str printed(struct doc_set *set, const struct doc_node *n)
{
    AUTO(buf_done) struct buf out = {0};

    if (n)
        doc_emit(n, DOC_EMIT_KYAML, &out);
    return arena_dup(&set->arena, str_trim(buf_view(&out)));
}

void end_text(struct suite *s, const struct doc_node *row, const char *name, str got)
{
    str want = str_trim(row_text(row, name));

    suite_end(s, str_eq(str_trim(got), want), "got:\n%.*s\nwanted:\n%.*s", STR_ARG(got),
              STR_ARG(want));
}

void end_error(struct suite *s, const struct doc_node *row, const char *name, const struct err *e)
{
    str want = row_text(row, name);

    suite_end(s, want.len && str_contains(str_of(err_text(e)), want), "failed: %s", err_text(e));
}

static int by_name(const void *a, const void *b)
{
    return str_cmp(doc_text(doc_get_lit(*(struct doc_node *const *)a, "name"), STR_NONE),
                   doc_text(doc_get_lit(*(struct doc_node *const *)b, "name"), STR_NONE));
}

/* What kyaml's formatter does to order, as far as these rows go: keys, and containers by name. */
static void format(struct doc_node *n)
{
    struct doc_iter it = doc_children(n);

    while (doc_next(&it)) {
        VEC(struct doc_node *) items = {0};
        struct doc_iter list = doc_children(doc_is_list(it.value) ? it.value : NULL);

        format(it.value);
        while (str_eq(it.key, STR("containers")) && doc_next(&list))
            vec_push(&items, list.value);
        vec_sort(&items, by_name);
        for (size_t i = 0; i < items.len; i++) {
            items.v[i]->next = items.v[(i + 1) % items.len];
            it.value->last = items.v[items.len - 1];
        }
        vec_done(&items);
    }
    if (n && n->type == DOC_MAP)
        doc_sort_keys(n);
}

static void judge_directive(struct suite *s, const struct doc_node *row)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(err_done) struct err e = {0};
    struct doc_node *patch = row_yaml(s, set, row, "patch");
    enum doc_directive directive;

    if (!patch)
        return;
    if (doc_directive_take(patch, &directive, &e) < 0)
        end_error(s, row, "errExpected", &e);
    else if (doc_int(doc_get_lit(row, "expected"), 0) != directive)
        suite_end(s, false, "found %d", directive);
    else
        end_text(s, row, "elided", printed(set, patch));
}

static void judge_merge2(struct suite *s, str id, const struct doc_node *row)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(err_done) struct err e = {0};
    struct doc_node *dest, *source, *want, *got;
    unsigned flags = doc_bool(doc_get_lit(row, "infer"), false) ? DOC_KYAML_INFER : 0;

    if (str_contains(id, STR("determineSmpDirective"))) {
        judge_directive(s, row);
        return;
    }
    if (str_eq(doc_text(doc_at(row, "mergeOptions/ListIncreaseDirection"), STR_NONE),
               STR("prepend")))
        flags |= DOC_KYAML_PREPEND;
    dest = row_yaml(s, set, row, "dest");
    source = dest ? row_yaml(s, set, row, "source") : NULL;
    want = source ? row_yaml(s, set, row, "expected") : NULL;
    if (!want)
        return;
    if (doc_kyaml_merge(set, dest, source, res_kustomize_schema(), flags, &got, &e) < 0) {
        suite_end(s, false, "failed: %s", err_text(&e));
        return;
    }
    format(got);
    format(want);
    suite_end(
        s, str_eq(printed(set, got), row_text(row, "expected").len ? printed(set, want) : STR("")),
        "got:\n%.*s\nwanted:\n%.*s", STR_ARG(printed(set, got)), STR_ARG(printed(set, want)));
}

static void judge_merge3(struct suite *s, const struct doc_node *row)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(err_done) struct err e = {0};
    unsigned flags = doc_bool(doc_get_lit(row, "infer"), false) ? DOC_KYAML_INFER : 0;
    struct doc_node *origin = row_yaml(s, set, row, "origin"), *got;
    struct doc_node *update = origin ? row_yaml(s, set, row, "update") : NULL;
    struct doc_node *local = update ? row_yaml(s, set, row, "local") : NULL;

    if (!local)
        return;
    if (doc_kyaml_merge3(set, local, origin, update, res_kustomize_schema(), flags, &got, &e) < 0)
        suite_end(s, doc_get_lit(row, "err") != NULL, "failed: %s", err_text(&e));
    else
        end_text(s, row, "expected", printed(set, got));
}

static void judge_patch(struct suite *s, const struct doc_node *row)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(err_done) struct err e = {0};
    struct doc_node *input = row_yaml(s, set, row, "input"), *got;
    struct doc_node *patch = input ? row_yaml(s, set, row, "patch") : NULL;

    if (!patch)
        return;
    if (doc_kyaml_merge(set, input, patch, res_kustomize_schema(), DOC_KYAML_PREPEND, &got, &e) < 0)
        suite_end(s, false, "failed: %s", err_text(&e));
    else
        end_text(s, row, "expected", printed(set, got));
}

static void judge_copy(struct suite *s, const struct doc_node *row, bool is_order)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(err_done) struct err e = {0};
    struct doc_node *from = row_yaml(s, set, row, "from"),
                    *to = from ? row_yaml(s, set, row, "to") : NULL;
    str before = printed(set, from);
    int rc;

    if (!to)
        return;
    rc = is_order ? doc_copy_order(set, from, to, &e)
                  : doc_copy_comments(set, from, to, res_kustomize_schema(), &e);
    if (rc < 0)
        suite_end(s, false, "failed: %s", err_text(&e));
    else if (!str_eq(printed(set, from), before))
        suite_end(s, false, "from has changed");
    else
        end_text(s, row, str_eq(row_text(row, "expected"), STR("test.from")) ? "from" : "expected",
                 printed(set, to));
}

static void judge(struct suite *s, const char *table, str id, const struct doc_node *row)
{
    if (strcmp(table, "merge2") == 0)
        judge_merge2(s, id, row);
    else if (strcmp(table, "merge3") == 0)
        judge_merge3(s, row);
    else if (strcmp(table, "patchstrategicmerge") == 0)
        judge_patch(s, row);
    else if (strcmp(table, "comments") == 0 || strcmp(table, "order") == 0)
        judge_copy(s, row, *table == 'o');
    else if (strcmp(table, "resid") == 0)
        judge_resid(s, id, row);
    else if (strcmp(table, "fieldspec") == 0)
        judge_fieldspec(s, row);
    else if (strcmp(table, "pathsplitter") == 0)
        judge_pathsplitter(s, id, row);
    else if (strcmp(table, "yaml") == 0)
        judge_yaml(s, id, row);
    else if (strcmp(table, "env-file") == 0)
        judge_env_file(s, row);
    else if (strcmp(table, "image") == 0)
        judge_image(s, row);
    else if (strcmp(table, "hasher") == 0)
        judge_hasher(s, row);
    else if (strcmp(table, "var-expansion") == 0)
        judge_expansion(s, id, row);
    else if (strcmp(table, "byteio") == 0)
        judge_byteio(s, id, row);
    else if (strcmp(table, "function-filter") == 0)
        judge_function(s, id, row);
    else
        suite_end(s, false, "the engine is not built");
}

SUITE(kyaml)
{
    struct str_vec files = suite_list(s, ".", ".json");

    for (size_t i = 0; i < files.len; i++) {
        struct doc_node *file = suite_json(s, arena_cstr(&suite_set(s)->arena, files.v[i]));
        const char *table =
            arena_cstr(&suite_set(s)->arena, str_sub(files.v[i], 0, files.v[i].len - 5));
        struct doc_iter it = doc_children(doc_get_lit(file, "cases"));

        suite_table(s, table);
        while (doc_next(&it)) {
            str id = doc_text(doc_get_lit(it.value, "name"), STR("?"));

            if (suite_begin(s, id))
                judge(s, table, id, doc_get_lit(it.value, "data"));
        }
    }
}
