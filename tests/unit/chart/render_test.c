/* Charts of a few files: loading, values, rendering, order (helm spec 2 to 7). */
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "chart/merge.h"
#include "chart/render.h"
#include "chart/yaml.h"
#include "support/test.h"
#include "sys/file.h"

struct fixture {
    struct doc_set *set;
    struct chart_files files;
    struct buf out;
    struct err e;
};
static void fixture_done(struct fixture *f)
{
    doc_set_free(f->set);
    chart_files_done(&f->files);
    buf_done(&f->out);
    err_done(&f->e);
}
AUTO_VALUE(struct fixture, fixture_done)

static void add(struct fixture *f, const char *name, const char *text)
{
    if (!f->set)
        f->set = doc_set_new();
    vec_push(&f->files, {.name = str_of(name), .text = str_of(text)});
}

/* What `template` prints with these values, or the message. */
static str rendered(struct fixture *f, const char *values)
{
    AUTO(chart_release_done) struct chart_release release = {0};
    struct chart_render_options options = {.release = STR("r"), .ns = STR("ns")};
    struct chart *c = chart_from_files(f->set, &f->files, &f->e);
    struct doc_node *given = c ? chart_read_values(f->set, str_of(values), &f->e) : NULL;

    if (given && chart_render(f->set, c, given, &options, &release, &f->e) == 0)
        chart_release_print(&release, 0, &f->out);
    else
        buf_add_cstr(&f->out, err_text(&f->e));
    return buf_view(&f->out);
}

#define CHART_YAML "apiVersion: v2\nname: top\nversion: 1.0.0\n"

TEST(documents_are_split_and_sorted_by_kind)
{
    AUTO(fixture_done) struct fixture f = {0};

    add(&f, "Chart.yaml", CHART_YAML);
    add(&f, "templates/a.yaml", "kind: Service\n---\n# note\n---\nkind: Secret\n");
    add(&f, "templates/b.yaml",
        "kind: Job\nmetadata:\n  annotations:\n    helm.sh/hook: pre-install\n");
    CHECK_STR(rendered(&f, ""),
              STR("---\n# Source: top/templates/a.yaml\nkind: Secret\n\n---\n# Source: "
                  "top/templates/a.yaml\nkind: Service\n\n---\n# Source: "
                  "top/templates/a.yaml\n# note\n---\n# Source: top/templates/b.yaml\nkind: "
                  "Job\nmetadata:\n  annotations:\n    helm.sh/hook: pre-install\n\n"),
              "order");
}

TEST(annotations_may_be_numbers)
{
    AUTO(fixture_done) struct fixture f = {0};

    add(&f, "Chart.yaml", CHART_YAML);
    add(&f, "templates/a.yaml",
        "kind: Job\nmetadata: {annotations: {helm.sh/hook: test, helm.sh/hook-weight: 5}}\n---\n"
        "kind: Dropped\nmetadata: {annotations: {helm.sh/hook: true}}\n---\n"
        "kind: Dropped\nmetadata: {annotations: {helm.sh/hook: null}}\n---\n"
        "kind: Pod\nmetadata: {name: 1, annotations: {port: 80, scrape: true, x: 1.5}}\n");
    CHECK_STR(
        rendered(&f, ""),
        STR("---\n# Source: top/templates/a.yaml\nkind: Pod\nmetadata: {name: 1, annotations: "
            "{port: 80, scrape: true, x: 1.5}}\n---\n# Source: top/templates/a.yaml\nkind: "
            "Job\nmetadata: {annotations: {helm.sh/hook: test, helm.sh/hook-weight: 5}}\n\n"),
        "");
}

TEST(values_of_subcharts_and_globals_reach_them)
{
    AUTO(fixture_done) struct fixture f = {0};

    add(&f, "Chart.yaml", CHART_YAML);
    add(&f, "values.yaml", "global: {env: test}\nsub: {a: 2}\n");
    add(&f, "charts/sub/Chart.yaml", "name: sub\nversion: 1.0.0\n");
    add(&f, "charts/sub/values.yaml", "a: 1\nb: 1\n");
    add(&f, "charts/sub/templates/x.yaml",
        "x: {{ .Values.a }}{{ .Values.b }}{{ .Values.global.env }}");
    CHECK_STR(rendered(&f, "sub: {b: 3}"),
              STR("---\n# Source: top/charts/sub/templates/x.yaml\nx: 23test\n"), "values");
}

TEST(conditions_switch_subcharts_and_aliases_rename_them)
{
    AUTO(fixture_done) struct fixture f = {0};

    add(&f, "Chart.yaml",
        CHART_YAML "dependencies:\n- {name: sub, version: 1.x, alias: one, condition: one.active}\n"
                   "- {name: sub, version: 1.x, alias: two, condition: two.active}\n");
    add(&f, "values.yaml", "one: {active: false}\n");
    add(&f, "charts/sub/Chart.yaml", "name: sub\nversion: 1.0.0\n");
    add(&f, "charts/sub/templates/x.yaml", "x: {{ .Chart.Name }}");
    CHECK_STR(rendered(&f, ""), STR("---\n# Source: top/charts/two/templates/x.yaml\nx: two\n"),
              "switch");
}

TEST(of_two_subcharts_under_one_name_the_last_is_rendered)
{
    AUTO(fixture_done) struct fixture f = {0};

    add(&f, "Chart.yaml", CHART_YAML "dependencies:\n- {name: other, version: 1.x, alias: sub}\n");
    add(&f, "charts/other/Chart.yaml", "name: other\nversion: 1.0.0\n");
    add(&f, "charts/other/templates/x.yaml", "x: other");
    add(&f, "charts/sub/templates/z.yaml", "z: sub");
    add(&f, "charts/sub/Chart.yaml", "name: sub\nversion: 1.0.0\n");
    add(&f, "charts/sub/templates/x.yaml", "x: sub");
    CHECK_STR(rendered(&f, ""),
              STR("---\n# Source: top/charts/sub/templates/x.yaml\nx: other\n---\n# Source: "
                  "top/charts/sub/templates/z.yaml\nz: sub\n"),
              "once");
}

TEST(a_null_of_the_user_removes_a_default)
{
    AUTO(fixture_done) struct fixture f = {0};

    add(&f, "Chart.yaml", CHART_YAML);
    add(&f, "values.yaml", "a: {b: 1, c: 2}\nd: 3\n");
    add(&f, "templates/x.yaml", "x: {{ toJson .Values }}");
    CHECK_STR(rendered(&f, "a: {b: null}\nd: null\ne: null\n"),
              STR("---\n# Source: top/templates/x.yaml\nx: {\"a\":{\"c\":2},\"e\":null}\n"),
              "nulls");
}

TEST(a_variable_reads_the_one_it_hides_in_its_own_declaration)
{
    AUTO(fixture_done) struct fixture f = {0};

    add(&f, "Chart.yaml", CHART_YAML);
    add(&f, "templates/x.yaml", "{{- $l := list -}}{{- $l := append $l 1 -}}x: {{ $l }}");
    CHECK_STR(rendered(&f, ""), STR("---\n# Source: top/templates/x.yaml\nx: [1]\n"), "variable");
}

static const struct {
    const char *name, *text, *want;
} refusals[] = {
    {"Chart.yaml", "name: a/b\nversion: 1.0.0\n",
     "validation: chart.metadata.name \"a/b\" is invalid"},
    {"Chart.yaml", "name: a\nversion: x\n", "validation: chart.metadata.version \"x\" is invalid"},
    {"Chart.yaml", "apiVersion: v9\nname: a\nversion: 1.0.0\n", "unsupported chart version"},
    {"Chart.yaml", "apiVersion: 2\nname: a\nversion: 1.0.0\n", "unsupported chart version"},
    {"Chart.yaml", "- a\n",
     "cannot load Chart.yaml: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal "
     "array into Go value of type loader.chartBase"},
    {"values.yaml", "[1]", "cannot load values.yaml: "},
    {"values.yaml", "a: [",
     "cannot load values.yaml: cannot unmarshal yaml document: error converting YAML to JSON: "
     "yaml: "},
    {"charts/x/y.txt", "", "error unpacking subchart x in top: Chart.yaml file is missing"},
    {"charts/x.tgz", "no gzip", "error unpacking subchart x.tgz in top: "},
    {"templates/x.yaml", "{{ fail \"no\" }}", "execution error at (top/templates/x.yaml:1:3): no"},
    {"templates/x.yaml", "{{ if }}",
     "parse error at (top/templates/x.yaml:1): missing value for if"},
    {"templates/x.yaml", "a: b: c", "YAML parse error on top/templates/x.yaml: "},
    {"templates/x.yaml", "- 1", "json: cannot unmarshal array into Go value of type"},
    {"templates/x.yaml", "metadata: 5",
     "cannot unmarshal number into Go struct field SimpleHead.metadata of type struct { Name "
     "string \"json:\\\"name\\\"\"; Annotations map[string]string "
     "\"json:\\\"annotations\\\"\" }"},
    {"templates/x.yaml", "metadata: {annotations: [a]}",
     "cannot unmarshal array into Go struct field .metadata.annotations of type map[string]string"},
    {"templates/x.yaml", "metadata: {annotations: {a: {}}}",
     "cannot unmarshal object into Go struct field .metadata.annotations of type string"},
    {"templates/x.yaml", "metadata: {name: [a]}",
     "cannot unmarshal array into Go struct field .metadata.name of type string"},
    {"templates/x.yaml", "kind: {}",
     "cannot unmarshal object into Go struct field SimpleHead.kind of type string"},
    {"values.schema.json", "{\"required\":[\"a\"]}", "top:\n- at '': missing property 'a'"},
};

TEST(what_is_wrong_is_told_in_the_words_of_helm)
{
    for (size_t i = 0; i < ARRAY_LEN(refusals); i++) {
        AUTO(fixture_done) struct fixture f = {0};
        str got;

        add(&f, refusals[i].name, refusals[i].text);
        if (strcmp(refusals[i].name, "Chart.yaml") != 0)
            add(&f, "Chart.yaml", CHART_YAML);
        got = rendered(&f, "");
        if (!str_contains(got, str_of(refusals[i].want)))
            CHECK_STR(got, str_of(refusals[i].want), refusals[i].text);
    }
}

/* Enough output for several threads: the message is about the first that is no YAML. */
TEST(large_outputs_are_read_side_by_side)
{
    static const char good[] = "kind: Z\nx: {{ repeat 30000 \"xyz \" }}\n---\nkind: Namespace\n";
    static const char bad[] = "kind: Z\nx: {{ repeat 30000 \"xyz \" }}\n---\na: b: c\n";
    AUTO(fixture_done) struct fixture f = {.set = doc_set_new()}, g = {0};
    str printed;

    for (int i = 0; i < 8; i++) {
        char name[32];

        snprintf(name, sizeof(name), "templates/%d.yaml", i);
        add(&f, arena_cstr(&f.set->arena, str_of(name)), good);
        add(&g, f.files.v[i].name.p, i == 3 || i == 6 ? bad : good);
    }
    add(&f, "Chart.yaml", CHART_YAML);
    add(&g, "Chart.yaml", CHART_YAML);
    printed = rendered(&f, "");
    CHECK(str_starts(printed, STR("---\n# Source: top/templates/0.yaml\nkind: Namespace\n")));
    CHECK(str_find(printed, STR("3.yaml\nkind: Namespace")) <
          str_find(printed, STR("4.yaml\nkind: Namespace")));
    CHECK(str_find(printed, STR("7.yaml\nkind: Namespace")) <
          str_find(printed, STR("0.yaml\nkind: Z")));
    CHECK(str_starts(rendered(&g, ""), STR("YAML parse error on top/templates/3.yaml: ")));
}

static int lines;
static void count_line(void *ctx UNUSED, enum log_level level UNUSED, str line UNUSED) { lines++; }

TEST(links_out_of_the_folder_are_told_or_refused)
{
    AUTO(fixture_done) struct fixture f = {.set = doc_set_new()};
    AUTO(buf_done) struct buf path = {0};
    size_t base;

    buf_addf(&path, "%s/c", test_tmp());
    base = path.len;
    CHECK(mkdir(buf_cstr(&path), 0755) == 0);
    buf_add_cstr(&path, "/Chart.yaml");
    CHECK(file_replace(buf_cstr(&path), STR(CHART_YAML), NULL, &f.e) == 0);
    buf_trunc(&path, base);
    CHECK(chart_load(f.set, buf_cstr(&path), &f.e) != NULL);
    buf_add_cstr(&path, "/stolen");
    CHECK(symlink("/etc/hostname", buf_cstr(&path)) == 0);
    buf_trunc(&path, base);
    log_set_sink(count_line, NULL);
    CHECK(chart_load(f.set, buf_cstr(&path), &f.e) != NULL);
    log_set_sink(NULL, NULL);
    CHECK_INT(lines, 1, "a warning");
    CHECK(!chart_load_strict(f.set, buf_cstr(&path), &f.e));
    CHECK_INT(f.e.kind, ERR_DENIED, "link");
}

/* Writes files below test_tmp(): the folder, then pairs of name and text, NULL last. */
static void write_files(const char *const *words, struct buf *ret_path, struct err *e)
{
    AUTO(buf_done) struct buf path = {0}, parent = {0};

    buf_addf(ret_path, "%s/%s", test_tmp(), words[0]);
    for (words++; *words; words += 2) {
        buf_clear(&path);
        buf_clear(&parent);
        buf_addf(&path, "%s/%s", buf_cstr(ret_path), words[0]);
        buf_add_str(&parent,
                    str_sub(buf_view(&path), 0, (size_t)str_rfind_char(buf_view(&path), '/')));
        CHECK(file_mkdirs(buf_cstr(&parent), 0755, e) == 0);
        CHECK(file_replace(buf_cstr(&path), str_of(words[1]), NULL, e) == 0);
    }
}

TEST(files_that_are_seldom_read_are_there_when_templates_ask)
{
    static const char *const words[] = {"late",
                                        "Chart.yaml",
                                        CHART_YAML,
                                        "files/a.txt",
                                        "\xef\xbb\xbf.text",
                                        "crds/x.yaml",
                                        "kind: X",
                                        "templates/a.yaml",
                                        "a: {{ .Files.Get \"files/a.txt\" }} {{ len .Files }}",
                                        "charts/s/Chart.yaml",
                                        "apiVersion: v2\nname: s\nversion: 1.0.0\n",
                                        "charts/s/crds/y.yaml",
                                        "kind: Y",
                                        "charts/s/templates/b.yaml",
                                        "b: {{ .Files.Get \"crds/y.yaml\" | quote }}",
                                        NULL};
    struct chart_render_options options = {.release = STR("r"), .leaves_crds = true};
    AUTO(fixture_done) struct fixture f = {.set = doc_set_new()};
    AUTO(chart_release_done) struct chart_release release = {0}, again = {0};
    AUTO(buf_done) struct buf path = {0};
    struct chart *c;

    write_files(words, &path, &f.e);
    c = chart_load_late(f.set, buf_cstr(&path), &f.e);
    CHECK_INT(c->file_count, 2, "files");
    CHECK(c->files[0].late && !c->files[0].text.p);
    CHECK(chart_render(f.set, c, doc_new_map(f.set), &options, &release, &f.e) == 0);
    chart_release_print(&release, CHART_PRINT_CRDS, &f.out);
    CHECK_STR(buf_view(&f.out),
              STR("---\n# Source: top/charts/s/templates/b.yaml\nb: \"kind: Y\"\n---\n"
                  "# Source: top/templates/a.yaml\na: .text 2\n"),
              "printed");
    c = chart_load_late(f.set, buf_cstr(&path), &f.e);
    buf_add_cstr(&path, "/files/a.txt");
    CHECK(unlink(buf_cstr(&path)) == 0);
    CHECK(chart_render(f.set, c, doc_new_map(f.set), &options, &again, &f.e) < 0);
    CHECK_INT(f.e.kind, ERR_NOT_FOUND, "the file is gone");
}

TEST(values_that_do_not_fit_are_told)
{
    static const struct {
        const char *values;
        int want;
    } rows[] = {
        {"{}", 0},          {"{m: 1}", 0},           {"{s: {x: 1}}", 1}, {"{n: {x: 1}}", 0},
        {"{m: {t: 1}}", 1}, {"{m: {u: {v: 1}}}", 1}, {"{global: 1}", 1}, {"{sub: {global: 1}}", 1},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(fixture_done) struct fixture f = {0};
        struct chart *c;

        add(&f, "Chart.yaml", CHART_YAML);
        add(&f, "values.yaml", "m: {t: {x: 1}, u: 1}\ns: text\nn: null\n");
        add(&f, "charts/sub/Chart.yaml", "name: sub\nversion: 1.0.0\n");
        c = chart_from_files(f.set, &f.files, &f.e);
        CHECK_OK(&f.e);
        lines = 0;
        log_set_sink(count_line, NULL);
        CHECK(chart_coalesce_warning(
                  f.set, c, chart_read_values(f.set, str_of(rows[i].values), &f.e), &f.e) != NULL);
        log_set_sink(NULL, NULL);
        CHECK_INT(lines, rows[i].want, rows[i].values);
    }
}
