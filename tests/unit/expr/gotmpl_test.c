#include "expr/gotmpl/gotmpl.h"
#include "support/test.h"

static int64_t fixed_now(void *ctx UNUSED) { return 1700000000000000000; }

static void count_up(void *ctx UNUSED, void *p, size_t len)
{
    for (size_t i = 0; i < len; i++)
        ((unsigned char *)p)[i] = (unsigned char)(i * 37);
}

static int print(enum tmpl_profile profile, const char *text, struct tmpl_value dot,
                 struct buf *out, struct err *e)
{
    AUTO(tmpl_set_free) struct tmpl_set *set = tmpl_set_new(profile);
    struct tmpl_options options = {.host = {.now_ns = fixed_now, .random = count_up}};
    AUTO(tmpl_run_free) struct tmpl_run *run = NULL;

    if (tmpl_set_parse(set, STR("t"), str_of(text), e) < 0)
        return -1;
    run = tmpl_run_new(set, &options);
    return tmpl_run_exec(run, STR("t"), dot, out, e);
}

static void check(enum tmpl_profile profile, const char *text, const char *want)
{
    AUTO(buf_done) struct buf out = {0};
    AUTO(err_done) struct err e = {0};

    if (print(profile, text, TMPL_NOTHING, &out, &e) < 0)
        CHECK_STR(str_of(err_text(&e)), str_of(want), text);
    else
        CHECK_STR(buf_view(&out), str_of(want), text);
}

/* The manual shows these: each must be true. */
TEST(examples_of_template_functions_print_what_they_say)
{
    static const enum tmpl_profile profiles[] = {TMPL_SPRIG, TMPL_CHART};

    for (size_t p = 0; p < ARRAY_LEN(profiles); p++) {
        struct tmpl_doc_row row;

        for (size_t i = 0; tmpl_function_row(profiles[p], i, &row); i++) {
            CHECK(row.summary && row.summary[0]);
            if (row.example)
                check(profiles[p], row.example, row.result);
        }
    }
}

TEST(templates_define_include_and_change_maps)
{
    check(TMPL_CHART, "{{define \"a\"}}<{{.}}>{{end}}{{include \"a\" 1 | upper}}", "<1>");
    check(
        TMPL_CHART,
        "{{$d := dict \"a\" 1}}{{$_ := set $d \"b\" 2}}{{range $k, $v := $d}}{{$k}}{{$v}} {{end}}",
        "a1 b2 ");
    check(TMPL_CHART, "{{range 3}}{{if eq . 1}}{{continue}}{{end}}{{.}}{{end}}", "02");
    check(TMPL_CHART, "{{tpl \"{{define \\\"x\\\"}}X{{end}}{{include \\\"x\\\" .}}\" .}}", "X");
}

TEST(a_document_stays_as_it_is_when_a_template_changes_it)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf out = {0};
    AUTO(err_done) struct err e = {0};
    struct doc_node *map = doc_new_map(set);

    doc_set_int(set, map, STR("a"), 1);
    CHECK(print(TMPL_CHART, "{{$_ := set . \"a\" 2}}{{$_ := set . \"b\" 3}}{{.a}}{{.b}}{{len .}}",
                tmpl_doc(map, true), &out, &e) == 0);
    CHECK_STR(buf_view(&out), STR("232"), "changed");
    CHECK_INT(doc_int(doc_get_lit(map, "a"), 0), 1, "the document");
}

TEST(template_errors_name_their_place)
{
    check(TMPL_STD, "{{if}}", "template: t:1: missing value for if");
    check(TMPL_STD, "a\n{{ .x.y.z", "template: t:2: unclosed action");
    check(TMPL_STD, "{{ .x\n( -}}", "template: t:2: unclosed left paren in action started at t:1");
    check(TMPL_STD, "{{ print\x01 }}", "template: t:1: bad character U+0001");
    check(TMPL_STD, "{{ \"a\"\"b\" }}", "template: t:1: unexpected \"\\\"b\\\"\" in operand");
    check(TMPL_STD, "{{- /* a */ -}} x {{- $y := 1 -}} {{ $y -}} z", "x1z");
    check(
        TMPL_CHART, "{{define \"a\"}}{{fail \"no\"}}{{end}}{{include \"a\" .}}",
        "template: t:1:36: executing \"t\" at <include \"a\" .>: error calling include: template: "
        "t:1:16: executing \"a\" at <fail \"no\">: error calling fail: "
        "HELM_ERR_STARTnoHELM_ERR_END");
}

/* Enough text for several threads. */
static void add_texts(struct tmpl_text *texts, size_t count, const struct buf *filler)
{
    static char names[256][8];

    for (size_t i = 0; i < count; i++) {
        snprintf(names[i], sizeof(names[i]), "t%zu", i);
        texts[i] = (struct tmpl_text){str_of(names[i]), buf_view(filler)};
    }
}

TEST(many_texts_join_in_their_order_and_the_first_failure_is_told)
{
    enum { COUNT = 256 };
    struct tmpl_text texts[COUNT];
    AUTO(tmpl_set_free) struct tmpl_set *set = tmpl_set_new(TMPL_CHART);
    AUTO(tmpl_run_free) struct tmpl_run *run = NULL;
    AUTO(buf_done) struct buf filler = {0}, out = {0};
    AUTO(err_done) struct err e = {0};
    struct tmpl_options options = {0};

    buf_add_cstr(&filler, "{{ define \"own\" }}{{ .x }}{{ end }}");
    buf_add_repeat(&filler, '.', 4096);
    add_texts(texts, COUNT, &filler);
    texts[100].text = STR("{{ nope }}");
    texts[200].text = STR("{{ if }}");
    CHECK(tmpl_set_parse_views(set, texts, COUNT, &e) < 0);
    CHECK_STR(str_of(err_text(&e)), STR("template: t100:1: function \"nope\" not defined"),
              "first");
    CHECK(!tmpl_set_has(set, STR("t0")));
    err_done(&e);
    texts[100].text = STR("{{ define \"own\" }}hundred{{ end }}{{ template \"last\" }}");
    texts[200].text = STR("{{ define \"last\" }}{{ include \"own\" . }}{{ end }}");
    texts[255].text = STR("{{ define \"own\" }}of the last{{ end }}");
    CHECK(tmpl_set_parse_views(set, texts, COUNT, &e) == 0);
    run = tmpl_run_new(set, &options);
    CHECK(tmpl_run_exec(run, STR("t100"), TMPL_NOTHING, &out, &e) == 0);
    CHECK_STR(buf_view(&out), STR("of the last"), "the last definition");
}

TEST(templates_stay_within_their_limits)
{
    static const char *const texts[] = {
        "{{define \"a\"}}{{template \"a\" .}}{{end}}{{template \"a\" .}}",
        "{{define \"a\"}}{{include \"a\" .}}{{end}}{{include \"a\" .}}",
        "{{tpl \"{{tpl .t .}}\" (dict \"t\" \"{{tpl .t .}}\")}}",
        "{{repeat 1000000000 \"abcdefgh\"}}",
        "{{until 1000000000}}",
        "{{randAlphaNum 1000000000}}",
        "{{$x := \"a\"}}{{range until 100}}{{$x = print $x $x}}{{end}}",
        "{{$d := dict}}{{$_ := set $d \"d\" $d}}{{$d}}",
        "{{$d := dict}}{{$_ := set $d \"d\" $d}}{{toJson $d}}{{mustToJson $d}}",
        "{{$d := dict}}{{$_ := set $d \"d\" $d}}{{deepCopy $d}}",
    };

    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        AUTO(buf_done) struct buf out = {0};
        AUTO(err_done) struct err e = {0};

        CHECK_INT(print(TMPL_CHART, texts[i], TMPL_NOTHING, &out, &e), -1, texts[i]);
        CHECK(e.kind != ERR_NONE && out.len == 0);
    }
}

static int refuse(void *ctx UNUSED, const char *function, str place, struct err *e)
{
    return err_set(e, ERR_DENIED, "%s at %.*s", function, STR_ARG(place));
}

TEST(a_host_is_asked_before_functions_that_reach_outside)
{
    AUTO(tmpl_set_free) struct tmpl_set *set = tmpl_set_new(TMPL_CHART);
    struct tmpl_options options = {.host = {.now_ns = fixed_now, .impure = refuse}};
    AUTO(tmpl_run_free) struct tmpl_run *run = NULL;
    AUTO(buf_done) struct buf out = {0};
    AUTO(err_done) struct err e = {0};

    CHECK(tmpl_set_parse(set, STR("t"), STR("{{ now }}"), &e) == 0);
    run = tmpl_run_new(set, &options);
    CHECK(tmpl_run_exec(run, STR("t"), TMPL_NOTHING, &out, &e) < 0);
    CHECK(e.kind == ERR_DENIED);
    CHECK(strstr(err_text(&e), "now at t:1:3"));
    check(TMPL_PIPELINE, "{{ now }}", "template: t:1: function \"now\" not defined");
    check(TMPL_CHART, "{{ env \"HOME\" }}", "template: t:1: function \"env\" not defined");
}

TEST(words_change_case_as_sprig_has_it)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"{{snakecase \"foo1bar2baz\"}}", "foo_1bar2baz"},
        {"{{snakecase \"HTTP2Server\"}}", "http2_server"},
        {"{{camelcase \"FooBARBaz\"}}", "FooBARBaz"},
        {"{{camelcase \"AB1CD\"}}", "Ab1CD"},
        {"{{camelcase \"FOO_bar__\"}}", "FooBar__"},
        {"{{title \"it's\"}}", "It'S"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        check(TMPL_SPRIG, rows[i].text, rows[i].want);
}

TEST(texts_of_other_formats_come_back_as_values)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"{{fromToml \"a = 07:32:00\" | toJson}}", "{\"a\":\"0000-01-01T07:32:00Z\"}"},
        {"{{$t := fromToml \"a = 1979-05-27T07:32:00.5+02:00\\nb = 1979-05-27\\nc = "
         "07:32:00.25\\nd = "
         "1979-05-27 07:32:00\"}}{{typeOf $t.a}} {{$t.a}} {{$t.b.Year}} {{toToml $t}}{{printf "
         "\"%v|%v|%v\" $t.b $t.c $t.d}} {{toJson $t}}",
         "time.Time 1979-05-27 07:32:00.5 +0200 +0200 1979 a = 1979-05-27T07:32:00.5+02:00\nb = "
         "1979-05-27\nc = 07:32:00.25\nd = 1979-05-27T07:32:00\n1979-05-27 00:00:00 +0000 "
         "date-local|0000-01-01 07:32:00.25 +0000 time-local|1979-05-27 07:32:00 +0000 "
         "datetime-local "
         "{\"a\":\"1979-05-27T07:32:00.5+02:00\",\"b\":\"1979-05-27T00:00:00Z\",\"c\":"
         "\"0000-01-01T07:32:00.25Z\",\"d\":\"1979-05-27T07:32:00Z\"}"},
        {"{{fromToml \"[a.b]\\nc=1\\n[[x]]\\ny=2\" | toToml}}",
         "[a]\n  [a.b]\n    c = 1\n\n[[x]]\n  y = 2\n"},
        {"{{fromYaml \"a: 1\\n---\\n[\" | toJson}}", "{\"a\":1}"},
        {"{{fromYaml \".inf: 1\" | toJson}}", "{\".inf\":1}"},
        {"{{fromYaml \"a: .nan\"}}",
         "map[Error:error converting YAML to JSON: json: unsupported value: NaN]"},
        {"{{toYamlPretty (dict \"y\" \"on\" \"t\" \"1:30\" \"n\" 1e6)}}",
         "\"n\": 1e+06\nt: \"1:30\"\n\"y\": \"on\""},
        {"{{fromJson \"nul\"}}",
         "map[Error:invalid character ' ' in literal null (expecting 'l')]"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        check(TMPL_CHART, rows[i].text, rows[i].want);
}
