#include "doc/parse.h"
#include "fn/kptfile.h"
#include "support/test.h"

#define HEAD "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: x\n"

#define SHA "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

TEST(kptfiles_are_read_strictly)
{
    static const struct {
        const char *text, *wanted; /* NULL: fine */
    } rows[] = {
        {HEAD, NULL},
        {HEAD "info: {anything: goes}\nupstream: {x: y}\npipeline:\n", NULL},
        {HEAD "pipeline:\n  mutators:\n  - image: a\n    configMap: {a: 1}\n", NULL},
        {HEAD "pipelin: {}\n", "Kptfile is invalid: pipelin: unknown field (Kptfile:5:1)"},
        {HEAD "pipeline: {mutator: []}\n", "pipeline.mutator: unknown field"},
        {HEAD "pipeline: {mutators: [{image: a, exec: b}]}\n",
         "pipeline.mutators[0]: must not specify both"},
        {HEAD "pipeline: {validators: [{image: x}, {name: a}]}\n",
         "pipeline.validators[1]: must specify `image` or `exec`"},
        {HEAD "pipeline: {mutators: [{image: a, configPath: ../x}]}\n",
         "pipeline.mutators[0].configPath: path must not be outside the package"},
        {HEAD "pipeline: {mutators: [{image: a, configPath: x, configMap: {a: b}}]}\n",
         "pipeline.mutators[0].configPath: must not specify both"},
        {HEAD "pipeline: {mutators: [{image: a, selectors: [{kin: b}]}]}\n",
         "pipeline.mutators[0].selectors[0].kin: unknown field"},
        {HEAD "pipeline: {validators: [{image: a, exclude: [{}, {labels: {a: [b]}}]}]}\n",
         "pipeline.validators[0].exclude[1].labels.a: must be a string"},
        {HEAD "pipeline: {mutators: [{image: a, selectors: [{kind: [b]}]}]}\n",
         "pipeline.mutators[0].selectors[0].kind: must be a string"},
        {HEAD "pipeline: {mutators: [{image: a, configMap: {k: [b]}}]}\n",
         "pipeline.mutators[0].configMap.k: must be a string"},
        {HEAD "pipeline: {mutators: [{image: a b}]}\n",
         "pipeline.mutators[0].image: function name \"a b\" is invalid"},
        {HEAD "pipeline: {mutators: [{exec: [b]}]}\n",
         "pipeline.mutators[0].exec: must be a string"},
        {HEAD "pipeline: {mutators: {image: a}}\n", "pipeline.mutators: must be a list"},
        {HEAD "pipeline: {mutators: [{image: a, tag: '>=1 <2'}, {image: a:v1, tag: v2}]}\n", NULL},
        {HEAD "pipeline: {mutators: [{image: a, tag: '--rm'}]}\n",
         "pipeline.mutators[0].tag: must be a tag, or a range of versions"},
        {"apiVersion: kpt.dev/v1alpha2\nkind: Kptfile\n", "an older version"},
        {"apiVersion: v1\nkind: Kptfile\n", "must be kpt.dev/v1"},
        {"apiVersion: kpt.dev/v1\nkind: Foo\n", "must be Kptfile"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        AUTO(fn_kptfile_done) struct fn_kptfile k = {0};
        AUTO(err_done) struct err e = {0};
        struct doc_node *root = doc_parse(set, str_of(rows[i].text), DOC_KYAML, "Kptfile", &e);

        CHECK_INT(fn_kptfile_read(set, root, &k, &e), rows[i].wanted ? -1 : 0, rows[i].text);
        if (rows[i].wanted && !str_contains(str_of(err_text(&e)), str_of(rows[i].wanted)))
            test_fail(__FILE__, __LINE__, "%s\n   got: %s", rows[i].text, err_text(&e));
    }
}

TEST(the_tag_of_a_step_stands_for_that_of_its_image)
{
    static const struct {
        const char *step, *image, *range;
    } rows[] = {
        {"{image: r.io/a:v1, tag: v2}", "r.io/a:v2", ""},
        {"{image: 'r.io:5000/a@sha256:" SHA "', tag: v2}", "r.io:5000/a:v2", ""},
        {"{image: r.io/a:v1, tag: '>=1 <2'}", "r.io/a", ">=1 <2"},
        {"{image: r.io/a:v1}", "r.io/a:v1", ""},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        AUTO(fn_kptfile_done) struct fn_kptfile k = {0};
        AUTO(err_done) struct err e = {0};
        AUTO(buf_done) struct buf text = {0};

        buf_addf(&text, HEAD "pipeline: {mutators: [%s]}\n", rows[i].step);
        CHECK_INT(
            fn_kptfile_read(set, doc_parse(set, buf_view(&text), DOC_KYAML, "Kptfile", &e), &k, &e),
            0, rows[i].step);
        CHECK_STR(k.mutators.v[0].spec.image, str_of(rows[i].image), rows[i].step);
        CHECK_STR(k.mutators.v[0].spec.range, str_of(rows[i].range), rows[i].step);
    }
}

TEST(a_function_is_saved_into_the_kptfile)
{
    static const struct {
        const char *text, *entry, *wanted;
    } rows[] = {
        {HEAD "# the end\n", "{image: a:v1}",
         HEAD "pipeline:\n  mutators:\n  - image: a:v1\n# the end\n"},
        {HEAD "pipeline:\n  mutators:\n    - image: a:v1 # mine\n      name: n\n",
         "{image: a:v2, configMap: {k: v}}",
         HEAD "pipeline:\n  mutators:\n    - image: a:v2 # mine\n      name: n\n      configMap:\n"
              "        k: v\n"},
        {HEAD "pipeline:\n  mutators:\n  - exec: ./x\n    configPath: old.yaml\n",
         "{exec: ./x, configPath: new.yaml}",
         HEAD "pipeline:\n  mutators:\n  - exec: ./x\n    configPath: new.yaml\n"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        AUTO(err_done) struct err e = {0};
        AUTO(buf_done) struct buf out = {0};
        struct doc_node *entry = doc_parse(set, str_of(rows[i].entry), DOC_KYAML, "entry", &e);

        CHECK_INT(fn_kptfile_save(str_of(rows[i].text), "mutators", entry, &out, &e), 0,
                  err_text(&e));
        CHECK_STR(buf_view(&out), str_of(rows[i].wanted), rows[i].text);
    }
}
