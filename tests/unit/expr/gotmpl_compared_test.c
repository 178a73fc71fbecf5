/* What random templates showed of helm v4.3.1 (tests/differential/helm): results, and the ends of
 * messages. */
#include "doc/parse.h"
#include "expr/gotmpl/gotmpl.h"
#include "support/test.h"

static const struct {
    const char *text, *want;
} results[] = {
    {"{{ $v := semver \"1.2.3-a.1+b\" }}{{ $w := semver \"1.10\" }}{{ $v.Major }} {{ $v.Minor }} "
     "{{ $v.Patch }} {{ $v.Prerelease }} {{ $v.Metadata }} {{ $v.Original }} {{ $w }} {{ "
     "$w.Original }}",
     "1 2 3 a.1 b 1.2.3-a.1+b 1.10.0 1.10"},
    {"{{ $v := semver \"1.2.3-a.1+b\" }}{{ $w := semver \"1.10\" }}{{ $v.Compare $w }} {{ "
     "$w.Compare $v }} {{ $v.Equal $v }} {{ $v.LessThan $w }} {{ $v.GreaterThan $w }}",
     "-1 1 true true false"},
    {"{{ $v := semver \"1.2.3-a.1+b\" }}{{ $w := semver \"1.10\" }}{{ $v.IncMajor }} {{ "
     "$v.IncMinor }} {{ $v.IncPatch }} {{ $w.IncPatch }}",
     "2.0.0 1.3.0 1.2.3 1.10.1"},
    {"{{ $t := toDate \"2006-01-02T15:04:05Z07:00\" \"2001-02-03T04:05:06Z\" }}{{ $t.Year }} {{ "
     "$t.Month }} {{ $t.Day }} {{ $t.Hour }} {{ $t.Minute }} {{ $t.Second }} {{ $t.Nanosecond }} "
     "{{ $t.Weekday }} {{ $t.YearDay }} {{ $t.Unix }} {{ $t.UnixNano }} {{ $t.IsZero }} {{ "
     "$t.UTC.Format \"15:04\" }}",
     "2001 February 3 4 5 6 0 Saturday 34 981173106 981173106000000000 false 04:05"},
    {"{{ $d := mustToDuration \"90m1.5s\" }}{{ $d.Hours }} {{ $d.Minutes }} {{ $d.Seconds }} {{ "
     "$d.Milliseconds }} {{ $d.Microseconds }} {{ $d.Nanoseconds }} {{ $d.String }}",
     "1.5004166666666667 90.025 5401.5 5401500 5401500000 5401500000000 1h30m1.5s"},
    {"{{ $d := mustToDuration \"90m1.5s\" }}{{ $d.Round (mustToDuration \"1h\") }} {{ $d.Truncate "
     "(mustToDuration \"1h\") }}",
     "2h0m0s 1h0m0s"},
    {"{{ fromToml \"a = [1, 0x1F, 0o17, 0b11, 1_000]\\nb = [1.5, 1e3, inf]\\nc = "
     "\\\"\\\"\\\"x\\ny\\\"\\\"\\\"\\nd = 'lit'\\n[t.u]\\n\\\"k v\\\" = true\\n[[l]]\\nx = {y = "
     "1}\\n[[l]]\\n\" | toJson }}",
     ""},
    {"{{ fromToml \"a.b.c = 1\\na.d = \\\"\\\\u00e9\\\\t\\\"\\ne = 1979-05-27T07:32:00Z\\nf = "
     "-0\\ng = [[1], [\\\"x\\\"]]\" | toJson }}",
     "{\"a\":{\"b\":{\"c\":1},\"d\":\"é\\t\"},\"e\":\"1979-05-27T07:32:00Z\",\"f\":0,\"g\":[[1],["
     "\"x\"]]}"},
    {"{{ dict \"k10\" 1 \"k2\" 2 \"B\" 3 \"a\" 4 \"-c\" 5 \"_b\" 6 \"a1b\" 7 \"a1-\" 8 | "
     "toYamlPretty }}",
     "-c: 5\n_b: 6\nB: 3\na: 4\na1b: 7\na1-: 8\nk2: 2\nk10: 1"},
    {"{{ toYamlPretty (dict \"\\x7f\" \"\\u0080\") }}|{{ toYaml \"\\x7f\" }}",
     "\"\\x7F\": \"\\x80\"|"},
    {"{{ toYamlPretty (list \"1:2.5\" \"1:2.5-\") }}", "- \"1:2.5\"\n- 1:2.5-"},
    {"{{ dict \"v\" (list (dict \"a\" (dict \"x\" 1) \"b\" 2) 3) | toToml }}",
     "v = [{b = 2, a = {x = 1}}, 3]\n"},
    {"{{ (fromYaml \"a: 1\\nb: *x\").Error }}",
     "error converting YAML to JSON: yaml: unknown anchor 'x' referenced"},
    {"{{ range mustToDuration \"3ns\" }}{{ . }},{{ end }}", "0s,1ns,2ns,"},
    {"{{ $u := urlParse \"x://[::1%25a]:2/p\" }}{{ $u.host }} {{ $u.hostname }}",
     "[::1%a]:2 ::1%a"},
    {"{{ (urlParse \"x://1:2:3\").hostname }}", "1:2"},
    {"{{ define \"ab\" }}[{{ .a.b }}{{ $.c.d }}]{{ end }}{{ include \"ab\" .Values.no }}{{ include "
     "\"ab\" nil }}{{ template \"ab\" .Values.no }}{{ tpl \"{{ .a.b }}|\" .Values.no }}",
     "[<no value><no value>][<no value><no value>][<no value><no value>]|"},
    {"{{ urlJoin (dict \"userinfo\" \"a/b\" \"host\" \"h\" \"scheme\" \"s\") }}", "s://h"},
    {"{{ range mustToDuration \"0s\" }}x{{ else }}none{{ end }}", "none"},
    {"{{ $d := mustToDuration \"90s\" }}{{ printf \"%d %#v %t %s\" $d $d $d $d }}",
     "90000000000 90000000000 %!t(time.Duration=90000000000) 1m30s"},
    {"{{ $d := mustToDuration \"90s\" }}{{ add $d 1 }} {{ float64 $d }} {{ toYamlPretty $d }}",
     "1 0 1m30s"},
    {"{{ $d := mustToDuration \"0s\" }}{{ if $d }}T{{ end }}{{ empty $d }} {{ default 3 $d }}",
     "true 3"},
    {"{{ index (list 1 2 3) (mustToDuration \"1ns\") }}", "2"},
    {"{{ printf \"%U %U %U\" 65 90000000000 -1 }}", "U+0041 U+14F46B0400 U+FFFFFFFFFFFFFFFF"},
    {"{{ divf 2.4999999 99999.5 -1 1e300 }} {{ divf 1e300 3 }} {{ divf 6 1e17 }}",
     "0 3.3333333333333335e+299 1e-16"},
    {"{{ round 11 64 }} {{ round 1.5 64 }} {{ round 55.5 -1 }} {{ round 7 308 }}",
     "11 1.4999999999999998 60 +Inf"},
    {"{{ maxf -0.0 0 }} {{ maxf 0 -0.0 }} {{ minf 0 -0.0 }} {{ minf -0.0 0 }}", "0 0 -0 -0"},
    {"{{ duration \"9223372036854775808\" }} {{ duration \"-\" }}", "-1s 0s"},
    {"{{ durationRound \"-25h\" }}", "1d"},
    {"{{ toYamlPretty (list (mulf 1e308 10) (mulf -1e308 10)) }}", "- .inf\n- -.inf"},
    {"{{ eq (semver \"1.2.3\") (semver \"1.2.3\") }}{{ $v := semver \"1\" }}{{ eq $v $v }}",
     "falsetrue"},
    {"{{ initials \"é b\" }}", "Ãb"},
    {"{{ durationDays \"3.7\" }} {{ durationWeeks \"3.7\" }}",
     "4.282407407407408e-05 6.117724867724868e-06"},
    {"{{ chunk -3 (list 1 2 3) }} {{ chunk -3 (list 1) }}", "[] [[1]]"},
    {"{{ b32dec \"YW\\nJj\" }}", "illegal base32 data at input byte 3"},
    {"{{ b32dec \"MFRGG\" }}", "illegal base32 data at input byte 0"},
    {"{{ b32dec \"MFRGG===x\" }}", "abc"},
    {"{{ b32dec \"MF=A====\" }}", "illegal base32 data at input byte 2"},
    {"{{ printf \"%.2f %.2t\" true true }}", "%!f(bool=true) true"},
    {"{{ printf \"%#g|%#g|%#g|%#g|%#g\" 2.5 -3.0 12345678901.0 0.0 (list 1.5) }}",
     "2.50000|-3.00000|1.2345678901e+10|0.00000|[1.50000]"},
    {"{{ printf \"%#.0f|%#.0e|%#.3g|%#G|%#x|%#X|%#08g|%#-9g|\" 3.0 4.0 5.0 1e20 2.0 0.5 1.5 1.5 }}",
     "3.|4.e+00|5.00|1.00000E+20|0x1.0000p+01|0X1.P-01|01.50000|1.50000  |"},
    {"{{ camelcase \"tab\\there\" }}", "TabHere"},
    {"{{ typeOf .Values }} {{ typeOf (deepCopy .Values) }} {{ typeOf .Values.AsMap }} {{ kindOf "
     ".Values }}",
     "common.Values common.Values map[string]interface {} map"},
    {"{{ dig \"m\" \"k\" 1 .Values.AsMap }} {{ get .Values \"s\" }}", "v x"},
    {"{{ (.Values.Table \"m\").k }} {{ .Values.PathValue \"m.k\" }} {{ .Values.YAML | len }}",
     "v v 21"},
    {"{{ toYamlPretty (dict \"true\" 1 \"12\" 2 \"y\" 3 \"a\" 4) }}",
     "\"12\": 2\na: 4\n\"true\": 1\n\"y\": 3"},
    {"{{ $w := 1 }}{{ if $w := add $w 1 }}{{ $w }}{{ end }}{{ $w }}", "21"},
    {"{{ toToml (list 1 2) }}", "[1, 2]"},
    {"{{ kebabcase \"fooBar<BazQux>\" }} {{ kebabcase \"<b>&amp;</b>\" }}",
     "foo-bar-<-baz-qux-> <-b->&amp;</b->"},
    {"{{ kebabcase \"1<2\" }} {{ kebabcase \"1<2a\" }} {{ kebabcase \"a|b\" }}",
     "1-<2 1-<-2a a-|-b"},
    {"{{ snakecase \"日本A\" }} {{ snakecase \"a日<b\" }}", "日本_a a_日<_b"},
    {"{{ kebabcase \"a._b\" }} {{ snakecase \".--a_-b\" }} {{ kebabcase \"a. b\" }}",
     "a._b .--a__b a.-b"},
    {"{{ camelcase \"-\" }} {{ camelcase \"_-\" }}", "-- _--"},
    {"{{ nospace \"é b\" }} {{ nospace \"é\" }} {{ nospace \"x à\" }}", "Ã©b é xÃ"},
};

static const struct {
    const char *text, *why;
} refusals[] = {
    {"{{ range $i, $d := mustToDuration \"3ns\" }}{{ end }}",
     "can't use 3ns to iterate over more than one variable"},
    {"{{ range $i, $x := 3 }}{{ end }}", "can't use 3 to iterate over more than one variable"},
    {"{{ eq (list 1) (dict \"a\" 1) }}", "error calling eq: non-comparable types [%!s(int=1)]: "
                                         "[]interface {}, map[string]interface {}: map[a:1]"},
    {"{{ toToml nil }}", "error calling toToml: reflect: call of reflect.Value.Type on zero Value"},
    {"{{ semverCompare \"\u00e9\\n\" \"1\" }}", "improper constraint: \"\u00e9\\n\""},
    {"{{ mustToDuration \"9223372036854775807\" }}",
     "duration seconds overflow: 9.223372036854776e+18"},
    {"{{ mustToDuration \"nan\" }}", "invalid duration seconds: NaN"},
    {"{{ call .Values.s }}", "error calling call: non-function .Values.s of type string"},
    {"{{ dict | call }}",
     "non-function <map[string]interface {} Value> of type map[string]interface {}"},
    {"{{ upper .Values }}", "expected string; got common.Values"},
    {"{{ dig \"a\" 1 .Values }}", "interface {} is common.Values, not map[string]interface {}"},
    {"{{ .Values.Table \"s\" }}", "error calling Table: \"s\" is not a table"},
    {"{{ .Values.PathValue \"m\" }}", "error calling PathValue: \"m\" is not a value"},
    {"{{ .Values.PathValue \"\" }}", "YAML path cannot be empty"},
    {"{{ substr -1 5 \"0\" }}", "slice bounds out of range [:5] with length 1"},
    {"{{ substr -1 -2 \"0\" }}", "slice bounds out of range [:-2]"},
    {"{{ chunk 0 (list 1) }}", "runtime error: makeslice: len out of range"},
    {"{{ chunk -1 (list 1) }}", "runtime error: makeslice: len out of range"},
    {"{{ semver \"\" }}", "error calling semver: invalid semantic version"},
    {"{{ decryptAES \"k\" \"!!!!\" }}", "illegal base64 data at input byte 0"},
    {"{{ decryptAES \"k\" \"aGVsbG8gd29ybGQ=\" }}",
     "slice bounds out of range [:16] with capacity 12"},
    {"{{ mustToDate \"x\" \"tab\\there\" }}",
     "parsing time \"tab\\x09here\" as \"x\": cannot parse \"tab\\x09here\" as \"x\""},
    {"{{ mustDateModify \"1d\" (toDate \"2006\" \"2020\") }}",
     "time: unknown unit \"d\" in duration \"1d\""},
    {"{{ mustDateModify \"10\" (toDate \"2006\" \"2020\") }}",
     "time: missing unit in duration \"10\""},
    {"{{ mustDateModify \"-x\" (toDate \"2006\" \"2020\") }}", "time: invalid duration \"-x\""},
    {"{{ mustToDuration nil }}", "error calling mustToDuration: invalid duration"},
    {"{{ mustToDuration 1e11 }}", "duration seconds overflow: 1e+11"},
    {"{{ mustToDuration \" \" }}", "empty duration"},
    {"{{ regexFind \"[\" \"x\" }}",
     "regexp: Compile(`[`): error parsing regexp: missing closing ]: `[`"},
    {"{{ mustRegexFind \"[\" \"x\" }}",
     "error calling mustRegexFind: error parsing regexp: missing closing ]: `[`"},
    {"{{ mustRegexQuoteMeta \"x\" }}", "function \"mustRegexQuoteMeta\" not defined"},
    {"{{ mustDeepCopy nil }}", "reflect: call of reflect.Value.Type on zero Value"},
    {"{{ mustToYaml 2i }}", "error marshaling into JSON: json: unsupported type: complex128"},
    {"{{ mustToToml (list (dict \"a\" 1)) }}", "toml: top-level values must be Go maps or structs"},
    {"{{ mulf 2 (maxf (float64 \"NaN\") 1) }}", "Cannot create a Decimal from NaN"},
    {"{{ mustFromJson \"[1e400]\" }}",
     "json: cannot unmarshal number 1e400 into Go value of type float64"},
    {"{{ eq (list 1) (semver \"1.2.3\") }}",
     "non-comparable types [%!s(int=1)]: []interface {}, *semver.Version: 1.2.3"},
    {"{{ eq (list 1) (splitList \",\" \"a\") }}", "non-comparable type [a]: []string"},
    {"{{ urlParse \"http://a b/\" }}", "invalid character \" \" in host name"},
    {"{{ urlParse \"http://h:x/\" }}", "invalid port \":x\" after host"},
    {"{{ dig .Values.no \"x\" (dict \"a\" 1) }}", "interface {} is nil, not string"},
    {"{{ urlParse \"http://1:2:3\" }}", "invalid port \":2:3\" after host"},
    {"{{ urlParse \"http://[a]\" }}", "invalid host: ParseAddr(\"a\"): unable to parse IP"},
    {"{{ urlParse \"http://u p@h/\" }}", "parse \"http://u p@h/\": net/url: invalid userinfo"},
    {"{{ urlParse \"http://h%41/#x\" }}", "parse \"http://h%41/\": invalid URL escape \"%41\""},
    {"{{ urlParse \"a b:c\" }}", "first path segment in URL cannot contain colon"},
    {"{{ urlJoin (dict \"userinfo\" \"a b\") }}",
     "unable to parse userinfo in dict: parse \"proto://a b@host\": net/url: invalid userinfo"},
    {"{{ semverCompare \"1.2.3 || \" \"1.0.0\" }}", "improper constraint: \" \""},
    {"{{ if $w := list $w }}{{ end }}", "undefined variable: $w"},
    {"{{ tpl \"{{ .x }}\" .Values.l }}", "can't evaluate field x in type []interface {}"},
};

/* Runs a text over the dot {Values: …} as charts have it. */
static int run_text(const char *text, struct buf *out, struct err *e)
{
    AUTO(tmpl_set_free) struct tmpl_set *set = tmpl_set_new(TMPL_CHART);
    AUTO(tmpl_run_free) struct tmpl_run *run = NULL;
    AUTO(doc_set_free) struct doc_set *docs = doc_set_new();
    struct tmpl_options options = {.missing = TMPL_MISSING_ZERO};
    struct doc_node *values =
        doc_parse_json(docs, STR("{\"l\":[],\"m\":{\"k\":\"v\"},\"s\":\"x\"}"), "values", e);
    struct tmpl_map *dot;

    if (!values || tmpl_set_parse(set, STR("t"), str_of(text), e) < 0)
        return -1;
    run = tmpl_run_new(set, &options);
    dot = tmpl_map_new(tmpl_run_arena(run), TMPL_ANY);
    tmpl_map_set(dot, STR("Values"), tmpl_doc_values(values));
    return tmpl_run_exec(run, STR("t"), tmpl_map_value(dot), out, e);
}

TEST(templates_give_what_helm_gives)
{
    for (size_t i = 0; i < ARRAY_LEN(results); i++) {
        AUTO(buf_done) struct buf out = {0};
        AUTO(err_done) struct err e = {0};

        CHECK(run_text(results[i].text, &out, &e) == 0);
        CHECK_OK(&e);
        CHECK_STR(buf_view(&out), str_of(results[i].want), results[i].text);
    }
}

TEST(templates_are_refused_in_helms_words)
{
    for (size_t i = 0; i < ARRAY_LEN(refusals); i++) {
        AUTO(buf_done) struct buf out = {0};
        AUTO(err_done) struct err e = {0};
        str said, want = str_of(refusals[i].why);

        CHECK(run_text(refusals[i].text, &out, &e) < 0);
        said = str_of(err_text(&e));
        if (!str_ends(said, want))
            CHECK_STR(said, want, refusals[i].text);
    }
}
