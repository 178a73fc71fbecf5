/* Starting a chart, and where its values come from (helm spec 18). */
#include "chart/create.h"
#include "chart/explain_values.h"
#include "chart/lint/lint.h"
#include "support/test.h"
#include "sys/file.h"

TEST(a_chart_that_was_created_passes_lint)
{
    static const char *const bad[] = {"..", ".x", "a b", "a:b"};
    AUTO(chart_findings_done) struct chart_findings findings = {0};
    AUTO(buf_done) struct buf path = {0};
    AUTO(err_done) struct err e = {0};
    struct chart_lint_options options = {.ns = STR("default")};

    buf_addf(&path, "%s/web", test_tmp());
    CHECK_INT(chart_create(buf_cstr(&path), &e), 0, err_text(&e));
    CHECK_INT(chart_lint(buf_cstr(&path), &options, &findings, &e), 0, err_text(&e));
    CHECK_INT(findings.worst, CHART_LINT_INFO, "");
    CHECK_INT(chart_create(buf_cstr(&path), &e), -1, "a second time");
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        AUTO(err_done) struct err why = {0};

        buf_clear(&path);
        buf_addf(&path, "%s/x/%s", test_tmp(), bad[i]);
        CHECK_INT(chart_create(buf_cstr(&path), &why), -1, bad[i]);
        CHECK_INT(why.kind, ERR_INVALID, bad[i]);
    }
}

static void put(const char *folder, const char *name, const char *text)
{
    AUTO(buf_done) struct buf path = {0};
    AUTO(err_done) struct err e = {0};

    buf_addf(&path, "%s/%s", folder, name);
    CHECK_INT(file_replace(buf_cstr(&path), str_of(text), NULL, &e), 0, err_text(&e));
}

TEST(a_starter_gives_its_files_with_the_name_filled_in)
{
    static const struct {
        const char *name, *text, *want;
    } files[] = {
        {"values.yaml", "a: <CHARTNAME>-<CHARTNAME> # keep\n", "a: web-web # keep\n"},
        {"templates/a.yaml", "n: {{ include \"<CHARTNAME>.x\" . }}\n",
         "n: {{ include \"web.x\" . }}\n"},
        {"README.md", "<CHARTNAME> stays\n", "<CHARTNAME> stays\n"},
    };
    AUTO(buf_done) struct buf starter = {0}, path = {0}, templates = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(err_done) struct err e = {0}, missing = {0};
    const struct chart *c;

    buf_addf(&starter, "%s/starter", test_tmp());
    buf_addf(&templates, "%s/templates", buf_cstr(&starter));
    buf_addf(&path, "%s/web", test_tmp());
    CHECK_INT(chart_create_from(buf_cstr(&path), buf_cstr(&starter), &missing), -1, "no starter");
    CHECK_INT(missing.kind, ERR_NOT_FOUND, err_text(&missing));
    CHECK_INT(file_mkdirs(buf_cstr(&templates), 0755, &e), 0, err_text(&e));
    put(buf_cstr(&starter), "Chart.yaml", "apiVersion: v2\nname: starter\nversion: 9.9.9\n");
    for (size_t i = 0; i < ARRAY_LEN(files); i++)
        put(buf_cstr(&starter), files[i].name, files[i].text);
    CHECK_INT(chart_create_from(buf_cstr(&path), buf_cstr(&starter), &e), 0, err_text(&e));
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        AUTO(buf_done) struct buf at = {0}, text = {0};

        buf_addf(&at, "%s/%s", buf_cstr(&path), files[i].name);
        CHECK_INT(file_read(buf_cstr(&at), 4096, &text, &e), 0, err_text(&e));
        CHECK_STR(buf_view(&text), str_of(files[i].want), files[i].name);
    }
    c = chart_load(set, buf_cstr(&path), &e);
    CHECK_OK(&e);
    CHECK_STR(c->name, STR("web"), "name");
    CHECK_STR(c->version, STR("0.1.0"), "version");
    CHECK_INT(chart_create_from(buf_cstr(&path), buf_cstr(&starter), &e), -1, "a second time");
    CHECK_INT(e.kind, ERR_EXISTS, err_text(&e));
}

static struct chart *load(struct doc_set *set)
{
    AUTO(chart_files_done) struct chart_files files = {0};
    AUTO(err_done) struct err e = {0};
    struct chart *c;

    vec_push(&files, {.name = STR("Chart.yaml"), .text = STR("name: web\nversion: 1.0.0\n")});
    vec_push(&files, {.name = STR("values.yaml"), .text = STR("a: 1\nsub: {b: 2}\n")});
    vec_push(&files,
             {.name = STR("charts/sub/Chart.yaml"), .text = STR("name: sub\nversion: 1.0.0\n")});
    vec_push(&files, {.name = STR("charts/sub/values.yaml"), .text = STR("b: 3\nc: {d: 4}\n")});
    c = chart_from_files(set, &files, &e);
    CHECK_OK(&e);
    return c;
}

TEST(values_are_explained_by_their_sources)
{
    static const struct {
        const char *path, *want;
    } rows[] = {
        {"a", "values.yaml of web|file|--set-json a=4|--set a=2|"},
        {"sub.b", "values.yaml of web/charts/sub|values.yaml of web|file|"},
        {"sub.c.d", "values.yaml of web/charts/sub|"},
        {"zz", ""},
        {"a.b", ""},
    };
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(chart_user_values_done) struct chart_user_values given = {0};
    AUTO(buf_done) struct buf file = {0};
    AUTO(err_done) struct err e = {0};
    struct chart *c = load(set);

    buf_addf(&file, "%s/v.yaml", test_tmp());
    CHECK_INT(file_replace(buf_cstr(&file), STR("a: 9\nsub: {b: 9}\n"), NULL, &e), 0, "");
    vec_push(&given.files, buf_view(&file));
    vec_push(&given.sets[CHART_SET_TYPED], STR("a=2"));
    vec_push(&given.sets[CHART_SET_JSON], STR("a=4"));
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(chart_origins_done) struct chart_origins origins = {0};
        AUTO(buf_done) struct buf got = {0};

        CHECK_INT(chart_explain_value(set, c, &given, str_of(rows[i].path), &origins, &e), 0,
                  err_text(&e));
        for (size_t k = 0; k < origins.len; k++)
            buf_addf(&got, "%.*s|",
                     STR_ARG(str_eq(origins.v[k].source, buf_view(&file)) ? STR("file")
                                                                          : origins.v[k].source));
        CHECK_STR(buf_view(&got), str_of(rows[i].want), rows[i].path);
    }
}
