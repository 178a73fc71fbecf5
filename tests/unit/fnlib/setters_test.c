#include "unit/fnlib/case.h"

#define FOO "apiVersion: e/v1\nkind: Foo\nmetadata:\n  name: f\n"

TEST(apply_setters_keeps_quotes_and_parts)
{
    static const struct fn_case cases[] = {
        {&fnlib_apply_setters, "a: \"5\"\n", FOO "x: 'one' # kpt-set: ${a}\ny: 3 # kpt-set: ${a}\n",
         FOO "x: '5' # kpt-set: ${a}\ny: 5 # kpt-set: ${a}\n", "set field value to \"5\"", false},
        {&fnlib_apply_setters, "tag: v2\n", FOO "x: h/a-b:v1@z # kpt-set: ${img}:${tag}@${dig}\n",
         FOO "x: h/a-b:v2@z # kpt-set: ${img}:${tag}@${dig}\n", NULL, false},
        {&fnlib_apply_setters, "l: \"[a, 5]\"\n", FOO "x: [b] # kpt-set: ${l}\n",
         FOO "x: # kpt-set: ${l}\n- a\n- 5\n", NULL, false},
        {&fnlib_apply_setters, "l: \"[b]\"\n", FOO "x: [b] # kpt-set: ${l}\n", NULL, NULL, false},
        {&fnlib_apply_setters, "l: text\n", FOO "x: [b] # kpt-set: ${l}\n", NULL,
         "input to array setter must be an array of values", true},
        {&fnlib_apply_setters, "a: z\n", FOO "x: # kpt-set: ${a}\ny: 1\n",
         FOO "x: z # kpt-set: ${a}\ny: 1\n", NULL, false},
        {&fnlib_apply_setters, "a: z\n", FOO "x:\n- one # kpt-set: ${a}\n- two\n",
         FOO "x:\n- z # kpt-set: ${a}\n- two\n", NULL, false},
        {&fnlib_apply_setters, "a: z\n", FOO "x: 1 # kpt-set: ${b}\n", NULL,
         "no matches for input setter(s)", false},
        {&fnlib_apply_setters, "a: z\n", FOO "x: q # kpt-set: ${a}-${b}-${c}\n", NULL,
         "values for setters [${b} ${c}] must be provided", true},
    };

    fn_cases_run(cases, ARRAY_LEN(cases));
}

TEST(create_setters_takes_the_longest_value_first)
{
    static const struct fn_case cases[] = {
        {&fnlib_create_setters, "a: web\nb: web-app\n", FOO "x: my-web-app-web\ny: other\n",
         FOO "x: my-web-app-web # kpt-set: my-${b}-${a}\ny: other\n", NULL, false},
        {&fnlib_create_setters, "l: \"[b, a]\"\n", FOO "x: [a, b]\ny: [a]\n",
         FOO "x: # kpt-set: ${l}\n- a\n- b\ny: [a]\n", NULL, false},
        {&fnlib_create_setters, "a: set\n", FOO "x: set # old\n", FOO "x: set # kpt-set: ${a}\n",
         NULL, false},
        {&fnlib_create_setters, "a: \"0\"\n",
         "apiVersion: e/v1\nkind: Foo\nmetadata:\n  name: f\n  annotations:\n"
         "    internal.config.kubernetes.io/index: '0'\n",
         NULL, "no matches", false},
        {&fnlib_create_setters, "{}\n", FOO, NULL, "config map cannot be empty", true},
    };

    fn_cases_run(cases, ARRAY_LEN(cases));
}

TEST(list_setters_tells_types_and_those_of_the_kptfile)
{
    static const struct fn_case cases[] = {
        {&fnlib_list_setters, "", FOO "x: 1.5 # kpt-set: ${f}\ny: true # kpt-set: ${b}\n", NULL,
         "Name: b, Value: true, Type: bool, Count: 1", false},
        {&fnlib_list_setters, "",
         "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: k\npipeline:\n  mutators:\n"
         "  - image: apply-setters:v0.2\n    configMap:\n      lonely: x\n",
         NULL, "Name: lonely, Value: x, Type: str, Count: 0", false},
        {&fnlib_list_setters, "", FOO, NULL, "there is no Kptfile", false},
    };

    fn_cases_run(cases, ARRAY_LEN(cases));
}

TEST(search_replace_matches_paths_and_values)
{
    static const struct fn_case cases[] = {
        {&fnlib_search_replace, "by-path: '**.name'\nput-value: n\n",
         FOO "spec:\n  l:\n  - name: a\n  - {name: b, x: name}\n",
         "apiVersion: e/v1\nkind: Foo\nmetadata:\n  name: n\nspec:\n  l:\n  - name: n\n"
         "  - {name: n, x: name}\n",
         "Mutated field value to \"n\"", false},
        {&fnlib_search_replace, "by-path: metadata.annotations.a.b/c\nput-value: n\n",
         FOO "  annotations:\n    a.b/c: x # keep\n", FOO "  annotations:\n    a.b/c: n # keep\n",
         NULL, false},
        {&fnlib_search_replace, "by-path: spec.*.v\nby-value-regex: ^(a)(b)?$\nput-value: ${1}1\n",
         FOO "spec:\n  l:\n  - v: a\n  - v: b\n", FOO "spec:\n  l:\n  - v: a1\n  - v: b\n", NULL,
         false},
        {&fnlib_search_replace, "by-value-regex: ^(x)(y)?$\nput-value: ${2}\n", FOO "v: x\n", NULL,
         "the group ${2} of \"${2}\" has no value in \"x\"", true},
        {&fnlib_search_replace, "by-path: x.y\nput-value: v\nput-comment: c\n", FOO,
         FOO "x:\n  y: v # c\n", NULL, false},
        {&fnlib_search_replace, "by-path: x\nput-value: v\n", FOO "x: # c\n", FOO "x: v # c\n",
         NULL, false},
        {&fnlib_search_replace, "by-path: l\nput-comment: 'kpt-set: ${l}'\n",
         FOO "l:\n- a\n- b: c\n", FOO "l: # kpt-set: ${l}\n- a\n- b: c\n",
         "Mutated field value to \"[a, {...}]\"", false},
        {&fnlib_search_replace, "by-path: a.b[0].c\nput-value: x\n", FOO, NULL, "no matches",
         false},
        {&fnlib_search_replace, "by-path: kind.x\nput-value: x\n", FOO, NULL,
         "expected a mapping on the way", true},
        {&fnlib_search_replace, "by-path: 'a['\n", FOO, NULL, "makes no sense", true},
        {&fnlib_search_replace, "put-value: x\n", FOO, NULL, "is required", true},
        {&fnlib_search_replace, "by-value: x\nby-name: y\n", FOO, NULL, "unknown field \"by-name\"",
         true},
    };

    fn_cases_run(cases, ARRAY_LEN(cases));
}

/* Texts that grow by copying would need gigabytes here. */
TEST(create_setters_takes_long_values)
{
    enum { TIMES = 100000 };
    AUTO(buf_done) struct buf in = {0};
    gfn_ctx *ctx;

    buf_add_cstr(&in, "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"
                      "- apiVersion: v1\n  kind: Foo\n  x: ");
    for (size_t i = 0; i < TIMES; i++)
        buf_add_cstr(&in, "ab");
    buf_add_cstr(&in, "\nfunctionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n"
                      "  data: {one: a, two: b, three: c}\n");
    ctx = gfn_read(in.p, in.len);
    CHECK(gfn_run(ctx, &fnlib_create_setters) == 0);
    CHECK_INT((long long)strlen(gfn_line_comment(gfn_get(gfn_item(ctx, 0), "x"))),
              (long long)strlen("kpt-set: ") + 12LL * TIMES, "length");
    gfn_free(ctx);
}
