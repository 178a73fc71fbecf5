/* The language of --set (helm spec 4.2). */
#include "chart/set.h"
#include "doc/emit.h"
#include "support/test.h"

struct row {
    enum chart_set_kind kind;
    const char *text, *want; /* the values as JSON, or the message */
};
static const struct row rows[] = {
    {CHART_SET_TYPED, "a=1,b=x", "{\"a\":1,\"b\":\"x\"}"},
    {CHART_SET_TYPED, "a.b.c=true", "{\"a\":{\"b\":{\"c\":true}}}"},
    {CHART_SET_TYPED, "a={x,2,null}", "{\"a\":[\"x\",2,null]}"},
    {CHART_SET_TYPED, "a={}", "{\"a\":[\"\"]}"},
    {CHART_SET_TYPED, "a[1]=x", "{\"a\":[null,\"x\"]}"},
    {CHART_SET_TYPED, "a[0].b=1,a[0].c=2", "{\"a\":[{\"b\":1,\"c\":2}]}"},
    {CHART_SET_TYPED, "a[0][1]=x", "{\"a\":[[null,\"x\"]]}"},
    {CHART_SET_TYPED, "a\\.b=c\\,d", "{\"a.b\":\"c,d\"}"},
    {CHART_SET_TYPED, "a=007,b=1.5,c=-3,d=+4", "{\"a\":\"007\",\"b\":\"1.5\",\"c\":-3,\"d\":4}"},
    {CHART_SET_TYPED, "a=TRUE,b=Null", "{\"a\":true,\"b\":null}"},
    {CHART_SET_TYPED, "a=99999999999999999999", "{\"a\":\"99999999999999999999\"}"},
    {CHART_SET_TYPED, "a=", "{\"a\":\"\"}"},
    {CHART_SET_TYPED, "=v", "{}"},
    {CHART_SET_TYPED, "a=1,b[=2", "{\"a\":1}"},
    {CHART_SET_TYPED, "b[", "{}"},
    {CHART_SET_TYPED, "a=null,a[0]=1",
     "unable to parse key: interface conversion: interface {} is nil, not []interface {}"},
    {CHART_SET_TYPED, "a=null,a.b=1",
     "unable to parse key: interface conversion: interface {} is nil, not map[string]interface {}"},
    {CHART_SET_TYPED, "a[0]=1,a[0].b=2", "{\"a\":[{\"b\":2}]}"},
    {CHART_SET_TYPED, "a[1].=c", "{\"a\":[null,{}]}"},
    {CHART_SET_TYPED, "a", "key \"a\" has no value"},
    {CHART_SET_TYPED, "a,", "key \"a\" has no value (cannot end with ,)"},
    {CHART_SET_TYPED, "a={x", "list must terminate with '}'"},
    {CHART_SET_TYPED, "a[-1]=x", "negative -1 index not allowed"},
    {CHART_SET_TYPED, "a[65537]=x",
     "index of 65537 is greater than maximum supported index of 65536"},
    {CHART_SET_TYPED, "a[x]=1", "error parsing index: strconv.Atoi: parsing \"x\": invalid syntax"},
    {CHART_SET_TYPED, "a[0]x=1", "unexpected data at end of array index: ['x']"},
    {CHART_SET_TYPED, "a[0],b=1", "unexpected data at end of array index: [',' 'b']"},
    {CHART_SET_TYPED, "a[0].", "{\"a\":[]}"},
    {CHART_SET_TYPED, "a.b[0=1", "{}"},
    {CHART_SET_TYPED, "a..b=1", "key map \"a\" has no value"},
    {CHART_SET_TYPED, "a=x,a.b=1",
     "unable to parse key: interface conversion: interface {} is string, not "
     "map[string]interface {}"},
    {CHART_SET_TYPED, "a=x\xffy\xc3(", "{\"a\":\"x\xef\xbf\xbdy\xef\xbf\xbd(\"}"},
    {CHART_SET_LITERAL, "a=\xff", "{\"a\":\"\xef\xbf\xbd\"}"},
    {CHART_SET_JSON, "a=\"\xff\"", "{\"a\":\"\xef\xbf\xbd\"}"},
    {CHART_SET_FILE, "a={/dev/null,/dev/null},b=/dev/null", "{\"a\":[\"\",\"\"],\"b\":\"\"}"},
    {CHART_SET_FILE, "a={/dev/null", "list must terminate with '}'"},
    {CHART_SET_STRING, "a=1,b=null", "{\"a\":\"1\",\"b\":\"null\"}"},
    {CHART_SET_JSON, "a={\"x\":[1,2]},b=\"q,r\"", "{\"a\":{\"x\":[1,2]},\"b\":\"q,r\"}"},
    {CHART_SET_JSON, "{\"a\":{\"b\":1}}", "{\"a\":{\"b\":1}}"},
    {CHART_SET_LITERAL, "a.b=1,2={x}", "{\"a\":{\"b\":\"1,2={x}\"}}"},
};

TEST(assignments_make_values_or_say_why_not)
{
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        AUTO(buf_done) struct buf out = {0};
        AUTO(err_done) struct err e = {0};
        struct doc_node *values = doc_new_map(set);

        if (chart_set(set, values, rows[i].kind, str_of(rows[i].text), &e) < 0)
            buf_add_cstr(&out, err_text(&e));
        else
            doc_emit_json(values, 0, &out);
        CHECK_STR(buf_view(&out), str_of(rows[i].want), rows[i].text);
    }
}

TEST(names_nest_thirty_levels_deep)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf text = {0};
    AUTO(err_done) struct err e = {0};

    for (int i = 0; i < 31; i++)
        buf_add_cstr(&text, "a.");
    buf_add_cstr(&text, "a=1");
    CHECK(chart_set(set, doc_new_map(set), CHART_SET_TYPED, buf_view(&text), &e) < 0);
    CHECK(str_contains(str_of(err_text(&e)), STR("nested level of 30")));
    err_done(&e);
    buf_clear(&text);
    buf_add_char(&text, 'a');
    for (int i = 0; i < 100000; i++)
        buf_add_cstr(&text, "[0]");
    CHECK(chart_set(set, doc_new_map(set), CHART_SET_TYPED, buf_view(&text), &e) < 0);
}
