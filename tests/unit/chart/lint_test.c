/* Lint (helm spec 19). */
#include "chart/lint/lint.h"
#include "chart/lint/lint_priv.h"
#include "support/test.h"
#include "sys/file.h"

static void put(const char *name, const char *text)
{
    AUTO(buf_done) struct buf path = {0}, parent = {0};
    AUTO(err_done) struct err e = {0};

    buf_addf(&path, "%s/c/%s", test_tmp(), name);
    buf_add_str(&parent, str_sub(buf_view(&path), 0, (size_t)str_rfind_char(buf_view(&path), '/')));
    CHECK_INT(file_mkdirs(buf_cstr(&parent), 0755, &e), 0, err_text(&e));
    CHECK_INT(file_replace(buf_cstr(&path), str_of(text), NULL, &e), 0, err_text(&e));
}

static void drop(const char *name)
{
    AUTO(buf_done) struct buf path = {0};
    AUTO(err_done) struct err e = {0};

    buf_addf(&path, "%s/c/%s", test_tmp(), name);
    CHECK_INT(file_remove_tree(buf_cstr(&path), &e), 0, err_text(&e));
}

static int notes;
static void count_note(void *ctx, str place, str message)
{
    (void)ctx;
    notes += place.len > 0 && message.len > 0;
}

static void lint(struct buf *out)
{
    static const char *const names[] = {"I", "W", "E"};
    AUTO(chart_findings_done) struct chart_findings findings = {0};
    AUTO(buf_done) struct buf folder = {0};
    AUTO(err_done) struct err e = {0};
    struct chart_lint_options options = {.ns = STR("default"), .note = count_note};

    buf_addf(&folder, "%s/c", test_tmp());
    buf_clear(out);
    CHECK_INT(chart_lint(buf_cstr(&folder), &options, &findings, &e), 0, err_text(&e));
    for (size_t i = 0; i < findings.list.len; i++)
        buf_addf(out, "%s %.*s: %.*s\n", names[findings.list.v[i].severity],
                 STR_ARG(findings.list.v[i].path), STR_ARG(findings.list.v[i].text));
}

static const char good[] = "apiVersion: v2\nname: c\nversion: 1.0.0\nicon: http://x/y.png\n";

TEST(lint_judges_chart_yaml)
{
    static const struct {
        const char *yaml, *want;
    } rows[] = {
        {good, ""},
        {"apiVersion: v2\nname: c\nversion: 1.0.0\n", "I Chart.yaml: icon is recommended\n"},
        {"apiVersion: v2\nname: c\nversion: 1.0.0\nicon: http://x\nfoo: 1\n",
         "W Chart.yaml: failed to strictly parse chart metadata file\n\terror unmarshaling JSON: "
         "while decoding JSON: json: unknown field \"foo\"\n"},
        {"apiVersion: v2\nname: c\nversion: 1.10\nicon: http://x\nappVersion: 2\n",
         "E Chart.yaml: version should be of type string but it's of type float64\n"
         "E Chart.yaml: appVersion should be of type string but it's of type float64\n"
         "W Chart.yaml: version '1.1' is not a valid SemVerV2\n"},
        {"apiVersion: v1\nname: c\nversion: v1.0.0\nicon: nope\ntype: library\nsources: [a, b]\n",
         "E Chart.yaml: invalid source URL 'a'\nE Chart.yaml: invalid icon URL 'nope'\n"
         "E Chart.yaml: chart type is not valid in apiVersion 'v1'. It is valid in apiVersion "
         "'v2'\nW Chart.yaml: version 'v1.0.0' is not a valid SemVerV2\n"},
        {"apiVersion: v2\nname: c\nversion: 1.0.0\nicon: x:y\nmaintainers: [{name: a, email: b}]\n",
         "E Chart.yaml: invalid email 'b' for maintainer 'a'\n"},
        {"apiVersion: v2\nname: c\nversion: 1.0.0\nicon: x:y\nmaintainers: [{email: a@b.c}]\n",
         "E Chart.yaml: each maintainer requires a name\n"},
        {"apiVersion: v2\nname: c\nversion: 1.0.0\nicon: x:y\nmaintainers: [{name: a, email: "
         "a@b.c, url: nope}, {name: ''}]\n",
         "E Chart.yaml: invalid url 'nope' for maintainer 'a'\n"},
        {"apiVersion: v2\nname: c\nversion: 1.0.0\nicon: x:y\nkubeVersion: '>=99'\n", ""},
        {"apiVersion: v2\nname: c\nversion: 1.0.0\nicon: x:y\nmaintainers: a\n",
         "E Chart.yaml: unable to parse YAML\n\terror unmarshaling JSON: while decoding JSON: "
         "json: cannot unmarshal string into Go struct field Metadata.maintainers of type "
         "[]*v2.Maintainer\n"
         "E templates/: cannot load Chart.yaml: error unmarshaling JSON: while decoding JSON: "
         "json: cannot unmarshal string into Go struct field Metadata.maintainers of type "
         "[]*v2.Maintainer\n"
         "E : unable to load chart\n\tcannot load Chart.yaml: error unmarshaling JSON: while "
         "decoding JSON: json: cannot unmarshal string into Go struct field Metadata.maintainers "
         "of type []*v2.Maintainer\n"},
    };
    AUTO(buf_done) struct buf got = {0};

    put("values.yaml", "a: 1\n");
    put("templates/_x.tpl", "");
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        put("Chart.yaml", rows[i].yaml);
        lint(&got);
        CHECK_STR(buf_view(&got), str_of(rows[i].want), rows[i].yaml);
    }
}

TEST(lint_judges_what_templates_print)
{
    static const struct {
        const char *name, *text, *want;
    } rows[] = {
        {"x.yaml", "kind: ConfigMap\nmetadata: {name: x}\n", ""},
        {"x.yaml", "# nothing\n", ""},
        {"x.yaml", "{{ if }}",
         "E templates/: parse error at (c/templates/x.yaml:1): missing value for if\n"},
        {"x.yaml", "a: [\n",
         "E templates/x.yaml: unable to parse YAML: error converting YAML to JSON: yaml: line 1: "
         "did not find expected node content\n"},
        {"x.yaml", "---a: 1\n",
         "E templates/x.yaml: unable to parse YAML: invalid Yaml document separator: a: 1\n"},
        {"x.json", "",
         "E templates/x.json: file extension '.json' not valid. Valid extensions are "
         ".yaml, .yml, .tpl, or .txt\n"},
        {"x.yaml", "  kind: ConfigMap\n  metadata: {name: x}\n",
         "W templates/x.yaml: document starts with an illegal indent: \"  kind: ConfigMap\", which "
         "may cause parsing problems\n"},
        {"x.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x}\n",
         "E templates/x.yaml: a Deployment must contain matchLabels or matchExpressions, and \"x\" "
         "does not\n"},
        {"x.yaml",
         "kind: List\nmetadata: {name: x}\nitems:\n- metadata: {annotations: "
         "{helm.sh/resource-policy: keep}}\n",
         "E templates/x.yaml: annotation 'helm.sh/resource-policy' within List objects are "
         "ignored\n"},
        {"x.yaml", "apiVersion: batch/v1beta1\nkind: CronJob\nmetadata: {name: x}\n",
         "W templates/x.yaml: batch/v1beta1 CronJob is deprecated in v1.21+, unavailable in "
         "v1.25+; "
         "use batch/v1 CronJob\n"},
    };
    AUTO(buf_done) struct buf got = {0};

    put("Chart.yaml", good);
    put("values.yaml", "");
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf name = {0};

        buf_addf(&name, "templates/%s", rows[i].name);
        put(buf_cstr(&name), rows[i].text);
        lint(&got);
        CHECK_STR(buf_view(&got), str_of(rows[i].want), rows[i].text);
        drop(buf_cstr(&name));
    }
}

TEST(lint_notes_what_required_and_fail_say)
{
    AUTO(buf_done) struct buf got = {0};

    put("Chart.yaml", good);
    put("values.yaml", "");
    put("templates/x.yaml", "a: {{ required \"need\" .Values.a }}{{ fail \"no\" }}\n"
                            "kind: ConfigMap\nmetadata: {name: x}\n");
    notes = 0;
    lint(&got);
    CHECK_INT(notes, 2, "");
    CHECK_STR(buf_view(&got), STR(""), "");
}

TEST(lint_judges_folders_and_dependencies)
{
    AUTO(buf_done) struct buf got = {0};

    put("Chart.yaml", "apiVersion: v2\nname: c\nversion: 1.0.0\nicon: x:y\n"
                      "dependencies: [{name: gone, version: '1'}]\n");
    put("charts/extra/Chart.yaml", "apiVersion: v2\nname: extra\nversion: 1.0.0\n");
    put("crds/a.yaml", "kind: ConfigMap\n");
    put("crds/README.md", "# no manifest\n");
    lint(&got);
    CHECK(str_starts(buf_view(&got), STR("I values.yaml: file does not exist\n"
                                         "W templates/: directory does not exist\nE /")));
    CHECK(str_contains(buf_view(&got), STR("/c: chart metadata is missing these dependencies: "
                                           "extra\nW /")));
    CHECK(str_ends(buf_view(&got),
                   STR("/c: chart directory is missing these dependencies: gone\n"
                       "E crds/a.yaml: apiVersion is not in 'apiextensions.k8s.io'\n"
                       "E crds/a.yaml: object kind is not 'CustomResourceDefinition'\n")));
}

TEST(names_of_objects_are_judged_by_kind)
{
    static const struct {
        const char *kind, *name;
        bool is_bad;
        const char *part;
    } rows[] = {
        {"Pod", "a.b-c", false, NULL},
        {"Pod", "A", true, "subdomain"},
        {"Pod", "a..b", true, "subdomain"},
        {"Service", "a-b", false, NULL},
        {"Service", "1a", true, "DNS-1035"},
        {"Namespace", "1a", false, NULL},
        {"Namespace", "a.b", true, "dots"},
        {"ClusterRole", "system:x", false, NULL},
        {"Role", "a/b", true, "contain '/'"},
        {"RoleBinding", "..", true, "not be '..'"},
        {"CertificateSigningRequest", "A_/%", false, NULL},
        {"Service", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
         true, "no more than 63"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf why = {0};

        CHECK_INT(lint_name(str_of(rows[i].kind), str_of(rows[i].name), &why), rows[i].is_bad,
                  rows[i].name);
        CHECK(str_contains(buf_view(&why), str_of(rows[i].part)));
    }
}

TEST(schemas_refer_to_files_of_their_chart)
{
    static const struct {
        const char *schema, *want;
    } rows[] = {
        {"{\"properties\": {\"a\": {\"$ref\": \"defs/n.json#/$defs/n\"}}}",
         "E values.yaml: - at '/a': got string, want integer\n\n"},
        {"{\"properties\": {\"a\": {\"$ref\": \"file:///defs/n.json#/$defs/n\"}}}",
         "E values.yaml: - at '/a': got string, want integer\n\n"},
    };
    AUTO(buf_done) struct buf got = {0};

    put("Chart.yaml", good);
    put("values.yaml", "a: x\n");
    put("defs/n.json", "{\"$defs\": {\"n\": {\"type\": \"integer\"}}}");
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        put("values.schema.json", rows[i].schema);
        lint(&got);
        CHECK(str_starts(buf_view(&got), str_of(rows[i].want)));
    }
}

/* What ends loading a chart is told by each rule that loads it: here only what the first one says.
 */
TEST(lint_of_chart_yaml_tells_what_is_missing)
{
    static const struct {
        const char *yaml, *starts;
    } rows[] = {
        {"{}\n", "E Chart.yaml: name is required\n"
                 "E Chart.yaml: apiVersion is required. The value must be either \"v1\" or \"v2\"\n"
                 "E Chart.yaml: version is required\nI Chart.yaml: icon is recommended\n"},
        {"apiVersion: v9\nname: a/b\nversion: x.y\nicon: x:y\ndependencies: [{name: z}]\n",
         "E Chart.yaml: chart name \"a/b\" is invalid\n"
         "E Chart.yaml: apiVersion 'v9' is not valid. The value must be either \"v1\" or \"v2\"\n"
         "E Chart.yaml: version 'x.y' is not a valid SemVer\n"
         "E Chart.yaml: dependencies are not valid in the Chart file with apiVersion 'v9'. They "
         "are valid in apiVersion 'v2'\n"},
        {"a: b: c\n", "E Chart.yaml: unable to parse YAML\n"},
    };
    AUTO(buf_done) struct buf got = {0};

    put("values.yaml", "a: 1\n");
    put("templates/_x.tpl", "");
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        put("Chart.yaml", rows[i].yaml);
        lint(&got);
        if (!str_starts(buf_view(&got), str_of(rows[i].starts)))
            CHECK_STR(buf_view(&got), str_of(rows[i].starts), rows[i].yaml);
        CHECK(str_contains(buf_view(&got), STR("unable to load chart")));
    }
}

TEST(lint_finds_files_where_folders_belong)
{
    static const struct {
        const char *name, *text, *want;
    } rows[] = {
        {"templates", "a file\n", "E templates/: not a directory\n"},
        {"crds", "a file\n", "E crds/: not a directory\n"},
        {"crds/a.yaml", "a: b: c\n", "E crds/a.yaml: unable to parse YAML"},
        {"crds/a.yaml", "# nothing\n---\nkind: X\napiVersion: v1\n",
         "E crds/a.yaml: apiVersion is not in 'apiextensions.k8s.io'\nE crds/a.yaml: object kind "
         "is not 'CustomResourceDefinition'\n"},
        {"values.yaml", "a: b: c\n", "E values.yaml: unable to parse YAML: "},
        {"charts/sub/Chart.yaml", "apiVersion: v2\nname: sub\nversion: 1.0.0\n",
         ": chart metadata is missing these dependencies: sub\n"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf got = {0};

        drop("");
        put("Chart.yaml", good);
        put("values.yaml", "a: 1\n");
        if (i > 0)
            put("templates/_x.tpl", "");
        put(rows[i].name, rows[i].text);
        lint(&got);
        if (!str_contains(buf_view(&got), str_of(rows[i].want)))
            CHECK_STR(buf_view(&got), str_of(rows[i].want), rows[i].name);
    }
}

TEST(lint_needs_a_chart_yaml_that_is_a_file)
{
    static const char *const says[] = {"unable to check Chart.yaml file in chart",
                                       "should be a file, not a directory"};

    for (size_t i = 0; i < ARRAY_LEN(says); i++) {
        AUTO(chart_findings_done) struct chart_findings findings = {0};
        AUTO(buf_done) struct buf folder = {0};
        AUTO(err_done) struct err e = {0};
        struct chart_lint_options options = {.ns = STR("default")};

        if (i)
            put("Chart.yaml/x", "");
        buf_addf(&folder, "%s/c", test_tmp());
        CHECK_INT(chart_lint(buf_cstr(&folder), &options, &findings, &e), -1, says[i]);
        CHECK(str_contains(str_of(err_text(&e)), str_of(says[i])));
    }
}
