/* Functions of charts against what helm v4.3.1 printed of the same: dates, printf, JSON and TOML.
 */
#include "expr/gotmpl/gotmpl.h"
#include "expr/gotmpl/text_priv.h"
#include "support/test.h"

/* What `quote` makes of each. */
static const struct {
    const char *text, *want;
} rows[] = {
    {"{{ dateInZone \"Mon Monday Jan January 1 01 2 02 _2 06 2006 15 03 3 04 4 05 5 PM pm MST "
     "-0700 -07:00 Z0700 Z07:00 002 __2\" (toDate \"2006-01-02 15:04:05\" \"2026-03-04 05:06:07\") "
     "\"UTC\" }}",
     "\"Wed Wednesday Mar March 3 03 4 04  4 26 2026 05 05 5 06 6 07 7 AM am UTC +0000 +00:00 Z Z "
     "063  63\""},
    {"{{ dateInZone \"15:04:05.000 .999 ,000 .000000\" (toDate \"2006-01-02T15:04:05.000\" "
     "\"2026-03-04T05:06:07.089\") \"UTC\" }}",
     "\"05:06:07.089 .089 ,089 .089000\""},
    {"{{ dateInZone \"Mon, 02 Jan 2006 15:04:05 -0700\" (toDate \"Jan 2, 2006 at 3:04pm (MST)\" "
     "\"Feb 3, 2026 at 7:54pm (UTC)\") \"America/New_York\" }}",
     "\"Tue, 03 Feb 2026 14:54:00 -0500\""},
    {"{{ dateInZone \"2006-01-02 -07 -0700 -07:00 -07:00:00 MST\" (toDate \"2006-01-02\" "
     "\"2026-07-01\") \"Asia/Kolkata\" }}",
     "\"2026-07-01 +05 +0530 +05:30 +05:30:00 IST\""},
    {"{{ dateInZone \"2006-01-02T15:04:05Z07:00\" (toDate \"Monday, 02-Jan-06 15:04:05 MST\" "
     "\"Tuesday, 03-Mar-26 04:05:06 UTC\") \"Asia/Kolkata\" }}",
     "\"2026-03-03T09:35:06+05:30\""},
    {"{{ dateInZone \"2006-01-02\" (toDate \"2006 002\" \"2026 045\") \"UTC\" }}",
     "\"2026-02-14\""},
    {"{{ dateInZone \"2006-01-02 15:04:05\" (toDate \"2006-01-02T15:04:05Z07:00\" "
     "\"2026-03-04T05:06:07+02:30\") \"UTC\" }}",
     "\"2026-03-04 02:36:07\""},
    {"{{ dateInZone \"2006-01-02 15:04:05\" (toDate \"02 Jan 06 15:04 -0700\" \"04 Mar 26 05:06 "
     "-0330\") \"UTC\" }}",
     "\"2026-03-04 08:36:00\""},
    {"{{ toDate \"2006-01-02\" \"nope\" | unixEpoch }}", "\"-62135596800\""},
    {"{{ toDate \"2006-01-02 3:04PM\" \"2026-02-30 1:02AM\" | unixEpoch }}", "\"-62135596800\""},
    {"{{ toDate \"_2 January 2006 15\" \" 3 February 2026 22\" | unixEpoch }}", "\"1770156000\""},
    {"{{ fromJson \"{\\\"a\\\": tru}\" }}",
     "\"map[Error:invalid character '}' in literal true (expecting 'e')]\""},
    {"{{ fromJson \"{\\\"a\\\" 1}\" }}", "\"map[Error:invalid character '1' after object key]\""},
    {"{{ fromJson \"{a: 1}\" }}",
     "\"map[Error:invalid character 'a' looking for beginning of object key string]\""},
    {"{{ fromJson \"{\\\"a\\\": 1,\" }}", "\"map[Error:unexpected end of JSON input]\""},
    {"{{ fromJson \"\" }}", "\"map[Error:unexpected end of JSON input]\""},
    {"{{ fromJson \"[1]\" }}",
     "\"map[Error:json: cannot unmarshal array into Go value of type map[string]interface {}]\""},
    {"{{ fromJson \"{\\\"a\\\": 01}\" }}",
     "\"map[Error:invalid character '1' after object key:value pair]\""},
    {"{{ fromJson \"{\\\"a\\\": \\\"x\\ty\\\"}\" }}",
     "\"map[Error:invalid character '\\\\t' in string literal]\""},
    {"{{ fromJson \"{\\\"a\\\": \\\"\\\\q\\\"}\" }}",
     "\"map[Error:invalid character 'q' in string escape code]\""},
    {"{{ fromJson \"{\\\"a\\\": \\\"\\\\u12g4\\\"}\" }}",
     "\"map[Error:invalid character 'g' in \\\\u hexadecimal character escape]\""},
    {"{{ fromJson \"{\\\"a\\\": 1} x\" }}",
     "\"map[Error:invalid character 'x' after top-level value]\""},
    {"{{ fromJson \"{\\\"a\\\": -}\" }}",
     "\"map[Error:invalid character '}' in numeric literal]\""},
    {"{{ fromJson \"{\\\"a\\\": 1.}\" }}",
     "\"map[Error:invalid character '}' after decimal point in numeric literal]\""},
    {"{{ fromJson \"{\\\"a\\\": 1e}\" }}",
     "\"map[Error:invalid character '}' in exponent of numeric literal]\""},
    {"{{ fromJson \"{\\\"a\\\": nul}\" }}",
     "\"map[Error:invalid character '}' in literal null (expecting 'l')]\""},
    {"{{ fromJson \"{\\\"a\\\": fals3}\" }}",
     "\"map[Error:invalid character '3' in literal false (expecting 'e')]\""},
    {"{{ fromJsonArray \"[1, ]\" }}", "\"[invalid character ']' looking for beginning of value]\""},
    {"{{ fromJsonArray \"[1 2]\" }}", "\"[invalid character '2' after array element]\""},
    {"{{ fromJsonArray \"{}\" }}",
     "\"[json: cannot unmarshal object into Go value of type []interface {}]\""},
    {"{{ printf \"%5d|%-5d|%05d|%+d|%x|%X|%#x|%o|%#o|%b|%c|%q|%U|%#U\" 42 42 42 42 42 42 42 42 42 "
     "42 65 65 8364 8364 }}",
     "\"   42|42   |00042|+42|2a|2A|0x2a|52|052|101010|A|'A'|U+20AC|U+20AC '€'\""},
    {"{{ printf \"%6.2f|%-8.3f|%e|%E|%g|%G|%+.1f|%08.3f\" 3.14159 3.14159 12345.678 12345.678 1e21 "
     "1e-7 2.55 3.14159 }}",
     "\"  3.14|3.142   |1.234568e+04|1.234568E+04|1e+21|1E-07|+2.5|0003.142\""},
    {"{{ printf \"%s|%10s|%-10s|%.2s|%q|%x|%X|% x|%#q\" \"héllo\" \"ab\" \"ab\" \"abcdef\" "
     "\"a\\\"b\" \"hi\" \"hi\" \"hi\" \"a`b\" }}",
     "\"héllo|        ab|ab        |ab|\\\"a\\\\\\\"b\\\"|6869|6869|68 69|\\\"a`b\\\"\""},
    {"{{ printf \"%t|%v|%T|%d|%s\" true nil 1.5 \"x\" 7 }}",
     "\"true|<nil>|float64|%!d(string=x)|%!s(int=7)\""},
    {"{{ printf \"%v %+v %#v\" (list 1 \"a\" true) (dict \"k\" 1.5) (list \"x\" nil) }}",
     "\"[1 a true] map[k:1.5] []interface {}{\\\"x\\\", interface {}(nil)}\""},
    {"{{ printf \"%d %d\" 1 }} {{ printf \"%d\" 1 2 }} {{ printf \"%!\" }} {{ printf \"%z\" 3 }}",
     "\"1 %!d(MISSING) 1%!(EXTRA int=2) %!!(MISSING) %!z(int=3)\""},
    {"{{ printf \"%[2]d %[1]d %[3]*.[2]*[1]f\" 1 2 8 }}", "\"2 1 %!f(int=      01)\""},
    {"{{ printf \"%*d|%-*d|%.*f\" 5 42 5 42 2 3.14159 }}", "\"   42|42   |3.14\""},
    {"{{ printf \"%x %X %08b %o\" -255 -255 5 -8 }}", "\"-ff -FF 00000101 -10\""},
    {"{{ printf \"%v %d %s\" (list 1 2) (list 1 2) (list \"a\" \"b\") }}", "\"[1 2] [1 2] [a b]\""},
    {"{{ printf \"%6t|%-7t|%q\" true false (list \"a\" \"b\") }}",
     "\"  true|false  |[\\\"a\\\" \\\"b\\\"]\""},
    {"{{ fromToml \"a = 1\\nb = [1, 2]\\n[c]\\nd = 'x'\\n[[e]]\\nf = 1.5\\n[[e]]\\nf = "
     "2026-01-02T03:04:05Z\" | toJson }}",
     "\"{\\\"a\\\":1,\\\"b\\\":[1,2],\\\"c\\\":{\\\"d\\\":\\\"x\\\"},\\\"e\\\":[{\\\"f\\\":1.5},{"
     "\\\"f\\\":\\\"2026-01-02T03:04:05Z\\\"}]}\""},
    {"{{ fromToml \"a = \\\"\\\"\\\"\\nx\\ny\\\"\\\"\\\"\\nb.c = true\\nd = { e = 0x1F, f = 1_000 "
     "}\" | toJson }}",
     "\"{\\\"a\\\":\\\"x\\\\ny\\\",\\\"b\\\":{\\\"c\\\":true},\\\"d\\\":{\\\"e\\\":31,\\\"f\\\":"
     "1000}}\""},
    {"{{ toToml (dict \"a\" 1 \"b\" (list 1 2) \"c\" (dict \"d\" \"x\\ny\" \"e\" (list (dict \"f\" "
     "1.5)))) }}",
     "\"a = 1\\nb = [1, 2]\\n\\n[c]\\n  d = \\\"x\\\\ny\\\"\\n\\n  [[c.e]]\\n    f = 1.5\\n\""},
    {"{{ semver \"1.2.3-rc.1+b\" | toJson }} {{ (semver \"1.2.3\").Major }} {{ semverCompare "
     "\"^1.2\" \"1.3.0\" }} {{ (semver \"1.2.3\" | (semver \"1.3.0\").Compare) }}",
     "\"\\\"1.2.3-rc.1+b\\\" 1 true 1\""},
    {"{{ randInt 5 6 }} {{ len (randAlphaNum 7) }} {{ len (randAscii 4) }} {{ regexMatch "
     "\"^[a-z]+$\" (randAlpha 5 | lower) }} {{ regexMatch \"^[0-9]+$\" (randNumeric 5) }}",
     "\"5 7 4 true true\""},
    {"{{ lt \"a\" \"b\" }} {{ gt 2 1 }} {{ le 1.5 1.5 }} {{ ge \"b\" \"a\" }} {{ ne \"a\" \"b\" }} "
     "{{ eq \"a\" \"b\" \"a\" }}",
     "\"true true true true true true\""},
    {"{{ osBase \"/a/b\" }} {{ osDir \"/a/b\" }} {{ osExt \"a.b\" }} {{ osClean \"/a/../b\" }} {{ "
     "osIsAbs \"a\" }} {{ base \"a/b\" }} {{ dir \"a/b\" }} {{ ext \"a.b\" }} {{ clean \"a/./b\" "
     "}} {{ isAbs \"/a\" }}",
     "\"b /a .b /b false b a .b a/b true\""},
};

static int64_t fixed_now(void *ctx UNUSED) { return 1700000000000000000; }

static void count_up(void *ctx UNUSED, void *p, size_t len)
{
    for (size_t i = 0; i < len; i++)
        ((unsigned char *)p)[i] = (unsigned char)(i * 37);
}

static int print(const char *text, struct buf *out, struct err *e)
{
    AUTO(buf_done) struct buf whole = {0};
    AUTO(tmpl_set_free) struct tmpl_set *set = tmpl_set_new(TMPL_CHART);
    AUTO(tmpl_run_free) struct tmpl_run *run = NULL;
    struct tmpl_options options = {
        .drops_no_value = true, .host = {.now_ns = fixed_now, .random = count_up, .zone = "UTC"}};

    buf_addf(&whole, "{{define \"x\"}}%s{{end}}{{include \"x\" . | quote}}", text);
    if (tmpl_set_parse(set, STR("t"), buf_view(&whole), e) < 0)
        return -1;
    run = tmpl_run_new(set, &options);
    return tmpl_run_exec(run, STR("t"), TMPL_NOTHING, out, e);
}

TEST(chart_functions_print_what_helm_prints)
{
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf out = {0};
        AUTO(err_done) struct err e = {0};

        CHECK(print(rows[i].text, &out, &e) == 0);
        CHECK_OK(&e);
        CHECK_STR(buf_view(&out), str_of(rows[i].want), rows[i].text);
    }
}

TEST(texts_of_any_length_are_quoted)
{
    static const struct {
        const char *text, *want;
    } parts[] = {
        {"plain ", "plain "}, {"\"\\", "\\\"\\\\"}, {"\n\t", "\\n\\t"},
        {"\x01", "\\x01"},    {"\xff", "\\xff"},    {"\xc3\xa9", "\xc3\xa9"},
    };
    AUTO(buf_done) struct buf text = {0}, want = {0}, out = {0};

    buf_add_char(&want, '"');
    for (size_t i = 0; i < 5000; i++) {
        size_t part = i * i % 37 % ARRAY_LEN(parts);

        buf_add_cstr(&text, parts[part].text);
        buf_add_cstr(&want, parts[part].want);
    }
    buf_add_char(&want, '"');
    text_quote(buf_view(&text), false, &out);
    CHECK_STR(buf_view(&out), buf_view(&want), "pieces");
    buf_clear(&out);
    text_quote(STR(""), false, &out);
    CHECK_STR(buf_view(&out), STR("\"\""), "nothing");
}
