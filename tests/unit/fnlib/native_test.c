#include <stdio.h>
#include <sys/stat.h>

#include "doc/emit.h"
#include "doc/parse.h"
#include "fnlib/fnlib.h"
#include "fnlib/table.h"
#include "support/test.h"
#include "sys/file.h"

static const char list_head[] = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"
                                "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: c\n"
                                "functionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n"
                                "  metadata:\n    name: x\n  data:\n    ";

/* Runs a function as the orchestrator does; what comes out goes to *out. */
static int run(const char *name, const char *data, const char *dir, struct buf *out, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(fn_list_done) struct fn_list list = {0};
    AUTO(buf_done) struct buf text = {0};
    const struct fn_native *native = fn_native_by_image(fnlib_all, str_of(name));
    int rc;

    buf_addf(&text, "%s%s\n", list_head, data);
    CHECK(native != NULL);
    CHECK(fn_list_read(set, buf_view(&text), "t", &list, e) == 0);
    if (!native || e->kind != ERR_NONE)
        return -1;
    list.dir = dir;
    rc = native->run(&list, e);
    fn_list_emit(&list, out);
    return rc;
}

TEST(native_functions_work_on_trees)
{
    AUTO(buf_done) struct buf out = {0};
    AUTO(err_done) struct err e = {0};

    CHECK(run("gcr.io/kpt-fn/set-labels:v0.2", "a: b", NULL, &out, &e) == 0);
    CHECK_OK(&e);
    CHECK(str_contains(buf_view(&out), STR("    labels:\n      a: b\n")));
    buf_clear(&out);
    CHECK(run("set-namespace", "a: b", NULL, &out, &e) == -1);
    CHECK(str_starts(str_of(err_text(&e)), STR("set-namespace: functionConfig: field")));
    CHECK(str_contains(buf_view(&out), STR("severity: error")));
}

TEST(native_functions_are_documented_and_found_by_their_kinds)
{
    size_t count = 0;

    for (const struct fn_native *const *n = fnlib_all; *n; n++, count++) {
        CHECK(str_of((*n)->name).len && str_of((*n)->short_doc).len);
        CHECK(str_contains(str_of((*n)->doc), STR("functionConfig:")));
        CHECK(fn_native_by_image(fnlib_all, str_of((*n)->name)) == *n);
        for (str kinds = str_of((*n)->kinds); kinds.len;) {
            AUTO(err_done) struct err e = {0};
            AUTO(doc_set_free) struct doc_set *set = doc_set_new();
            AUTO(buf_done) struct buf text = {0};
            str kind = str_cut(kinds, ' ', &kinds);

            buf_addf(&text, "{\"apiVersion\":\"fn.kpt.dev/v1alpha1\",\"kind\":\"%.*s\"}",
                     STR_ARG(kind));
            CHECK(fn_native_by_config(fnlib_all, doc_parse_json(set, buf_view(&text), "t", &e)) ==
                  *n);
        }
    }
    CHECK(count >= 17);
}

static void put_file(const char *dir, const char *name, const char *text)
{
    AUTO(buf_done) struct buf path = {0};
    FILE *f;

    buf_addf(&path, "%s/%s", dir, name);
    f = fopen(buf_cstr(&path), "we");
    CHECK(f != NULL);
    if (!f)
        return;
    fputs(text, f);
    fclose(f);
}

TEST(kustomize_build_puts_a_build_in_the_place_of_the_items)
{
    AUTO(buf_done) struct buf out = {0};
    AUTO(err_done) struct err e = {0};
    const char *dir = test_tmp();

    put_file(dir, "kustomization.yaml", "resources: [s.yaml]\nnamePrefix: x-\n");
    put_file(dir, "s.yaml", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n");
    CHECK(run("kustomize-build", "path: .", dir, &out, &e) == 0);
    CHECK_OK(&e);
    CHECK(str_contains(buf_view(&out), STR("kind: Secret\n  metadata:\n    name: x-s\n")));
    CHECK(!str_contains(buf_view(&out), STR("name: c\n")));
    CHECK(run("kustomize-build", "path: ../x", dir, &out, &e) == -1);
    CHECK(str_contains(str_of(err_text(&e)), STR("outside the package")));
    err_done(&e);
    CHECK(run("kustomize-build", "path: none", dir, &out, &e) == -1);
    err_done(&e);
    CHECK(run("kustomize-build", "path: .", NULL, &out, &e) == -1);
}

/* Like run, with a functionConfig of its own. */
static int render(const char *config, const char *dir, struct buf *out, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct fn_list io = {.set = set, .dir = dir};
    AUTO(err_done) struct err bad = {0};
    int rc;

    io.function_config = doc_parse(set, str_of(config), DOC_KYAML, "config", &bad);
    CHECK_OK(&bad);
    rc = fn_native_by_image(fnlib_all, STR("gcr.io/kpt-fn/render-helm-chart:v0.2"))->run(&io, e);
    buf_clear(out);
    doc_emit_all(io.items.v, io.items.len, DOC_EMIT_KYAML, out);
    doc_list_done(&io.items);
    return rc;
}

#define RENDER "apiVersion: fn.kpt.dev/v1alpha1\nkind: RenderHelmChart\n"

TEST(render_helm_chart_puts_what_charts_render_behind_the_items)
{
    AUTO(buf_done) struct buf out = {0}, path = {0};
    const char *dir = test_tmp();
    static const struct {
        const char *config, *want; /* in the output, or in the message */
        bool fails;
    } rows[] = {
        {RENDER "helmCharts: [{name: web, releaseName: r}]\n", "color: red", false},
        {RENDER "helmCharts: [{name: web, releaseName: r, valuesFile: v.yaml}]\n", "color: blue",
         false},
        {RENDER "helmCharts: [{name: web, releaseName: r, valuesFile: v.yaml, valuesInline: "
                "{color: green}}]\n",
         "color: green", false},
        {RENDER "helmCharts:\n- chartArgs: {name: web}\n  templateOptions: {releaseName: r, "
                "values: {valuesFiles: [v.yaml]}}\n",
         "color: blue", false},
        {RENDER "helmCharts: [{name: none, releaseName: r}]\n", "so none is fetched", true},
        {RENDER "helmCharts: [{name: web, valuesFile: ../v.yaml}]\n", "values file", true},
        {RENDER "helmGlobals: {chartHome: ../x}\nhelmCharts: [{name: web}]\n",
         "must be in the package", true},
        {RENDER, "must have helmCharts", true},
        {"apiVersion: v1\nkind: ConfigMap\n", "found ConfigMap", true},
    };

    buf_addf(&path, "%s/charts/web/templates", dir);
    CHECK(file_mkdirs(buf_cstr(&path), 0700, &(struct err){0}) == 0);
    put_file(dir, "charts/web/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n");
    put_file(dir, "charts/web/values.yaml", "color: red\n");
    put_file(dir, "charts/web/templates/c.yaml",
             "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: '{{ .Release.Name }}'}\ndata: "
             "{color: '{{ .Values.color }}'}\n");
    put_file(dir, "v.yaml", "color: blue\n");
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        int rc = render(rows[i].config, dir, &out, &e);

        CHECK_INT(rc, rows[i].fails ? -1 : 0, rows[i].config);
        if (rows[i].fails)
            buf_add_cstr(&out, err_text(&e));
        if (!str_contains(buf_view(&out), str_of(rows[i].want)))
            CHECK_STR(buf_view(&out), str_of(rows[i].want), rows[i].config);
    }
}

TEST(kubeval_reads_schemas_of_a_directory)
{
    AUTO(buf_done) struct buf out = {0}, data = {0};
    AUTO(err_done) struct err e = {0};
    const char *dir = test_tmp();

    put_file(dir, "configmap-v1.json",
             "{\"type\":\"object\",\"required\":[\"data\"],\"properties\":{\"data\":"
             "{\"$ref\":\"#/definitions/pairs\"}},\"definitions\":{\"pairs\":{\"type\":"
             "\"object\",\"additionalProperties\":{\"type\":[\"string\",\"null\"]}}}}");
    buf_addf(&data, "schema_location: file://%s", dir);
    CHECK(run("kubeval", buf_cstr(&data), NULL, &out, &e) == -1);
    CHECK_STR(str_of(err_text(&e)), STR("kubeval: data is required"), "required");
    err_done(&e);
    buf_clear(&data);
    buf_addf(&data, "additional_schema_locations: %s/none, %s", dir, dir);
    CHECK(run("kubeval", buf_cstr(&data), NULL, &out, &e) == 0); /* the built-in one comes first */
    CHECK_OK(&e);
    err_done(&e);
    buf_clear(&data);
    buf_addf(&data, "schema_location: %s/none", dir);
    CHECK(run("kubeval", buf_cstr(&data), NULL, &out, &e) == -1);
    CHECK_STR(str_of(err_text(&e)), STR("kubeval: no schema found for v1 ConfigMap"), "none");
}
