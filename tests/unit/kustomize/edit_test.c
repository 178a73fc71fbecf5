#include "kustomize/edit/edit.h"

#include <unistd.h>

#include "kustomize/edit/image.h"
#include "support/test.h"
#include "sys/file.h"

TEST(edit_image_arguments_are_split_as_upstream_splits_them)
{
    static const struct {
        const char *in, *want; /* "name|newName|newTag|digest", NULL: refused */
    } rows[] = {
        {"web=web:1", "web|web|1|"},
        {"web=host:5000/web", "web|host:5000/web||"},
        {"host:5000/a=host:5000/b:1", "host:5000/a|host:5000/b|1|"},
        {"web:1", "web||1|"},
        {"web@sha256:ab", "web|||sha256:ab"},
        {"web:1@sha256:ab", "web||1|sha256:ab"},
        {"web=b:1@sha256:ab", "web|b|1|sha256:ab"},
        {"web=:2", "web||2|"},
        {"web=@sha256:ab", "web|||sha256:ab"},
        {"web=*:*", "web|*|*|"},
        {"web=z@*", "web|z||*"},
        {"web=a:b:c", "web|a|b:c|"},
        {"web=", "web|||"},
        {"web", NULL},
        {"", NULL},
        {"=web:1", NULL},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct kustomize_edit_image image;
        AUTO(err_done) struct err e = {0};
        AUTO(buf_done) struct buf got = {0};
        int rc = kustomize_edit_image_parse(str_of(rows[i].in), &image, &e);

        CHECK_INT(rc, rows[i].want ? 0 : -1, rows[i].in);
        if (rc < 0) {
            CHECK_INT(e.kind, ERR_USAGE, rows[i].in);
            continue;
        }
        buf_addf(&got, "%.*s|%.*s|%.*s|%.*s", STR_ARG(image.name), STR_ARG(image.new_name),
                 STR_ARG(image.new_tag), STR_ARG(image.digest));
        CHECK_STR(buf_view(&got), str_of(rows[i].want), rows[i].in);
    }
}

static const struct kustomize_edit_row *find(const char *verb, const char *what)
{
    static const struct kustomize_edit_row *const tables[] = {
        kustomize_edit_set, kustomize_edit_add, kustomize_edit_remove};

    for (size_t t = 0; t < ARRAY_LEN(tables); t++)
        for (const struct kustomize_edit_row *row = tables[t]; row->verb; row++)
            if (!strcmp(row->verb, verb) && !strcmp(row->what, what))
                return row;
    return NULL;
}

static void put(const char *name, const char *text)
{
    AUTO(err_done) struct err e = {0};

    CHECK_INT(file_replace(name, str_of(text), NULL, &e), 0, name);
}

/* Runs "verb what word ..." in the current folder; words that start with '=' are literals. */
static void run(const char *command, struct kustomize_edit_args *args, struct buf *notes,
                struct err *e)
{
    AUTO(kustomize_edit_done) struct kustomize_edit edit = {0};
    char verb[16], what[32];
    str rest, word = str_cut(str_of(command), ' ', &rest);
    const struct kustomize_edit_row *row;

    (void)snprintf(verb, sizeof(verb), "%.*s", STR_ARG(word));
    word = str_cut(rest, ' ', &rest);
    (void)snprintf(what, sizeof(what), "%.*s", STR_ARG(word));
    row = find(verb, what);
    while (rest.len) {
        word = str_cut(rest, ' ', &rest);
        if (str_starts(word, STR("=")))
            vec_push(&args->literals, str_from(word, 1));
        else
            vec_push(&args->names, word);
    }
    if (!row)
        test_fail(__FILE__, __LINE__, "no row for %s", command);
    else if (kustomize_edit_open(&edit, e) == 0 && row->run(&edit, args, e) == 0 &&
             kustomize_edit_save(&edit, e) == 0)
        buf_add_str(notes, buf_view(&edit.notes));
    vec_done(&args->names);
    vec_done(&args->literals);
}

TEST(edits_change_what_they_name_and_leave_every_other_byte)
{
    static const struct {
        const char *command, *before, *after;
        struct kustomize_edit_args args;
    } rows[] = {
        {"set namespace prod",
         "# top\nnamespace: dev   # where\nresources: [a]\n",
         "# top\nnamespace: prod   # where\nresources: [a]\n",
         {.is_forced = false}},
        {"set nameprefix p-",
         "resources:\n    - a # first\n",
         "resources:\n    - a # first\nnamePrefix: p-\n",
         {.is_forced = false}},
        {"set namesuffix -x", "NAMESUFFIX: -y\n", "NAMESUFFIX: -x\n", {.is_forced = false}},
        {"set namespace ",
         "namespace: a\nnamePrefix: b\n",
         "namespace: a\nnamePrefix: b\n",
         {.is_forced = false}},
        {"set image web=:2",
         "images:\n- {name: web, newTag: \"1\"} # old\n- name: z\n",
         "images:\n- {name: web, newTag: \"2\"} # old\n- name: z\n",
         {.is_forced = false}},
        {"set image b=c:v1",
         "images:\n- name: a\n- name: z\n",
         "images:\n- name: a\n- name: b\n  newName: c\n  newTag: v1\n- name: z\n",
         {.is_forced = false}},
        {"set image a=*:v2",
         "images:\n- name: a\n  newName: q # keep\n  newTag: v1\n",
         "images:\n- name: a\n  newName: q # keep\n  newTag: v2\n",
         {.is_forced = false}},
        {"set replicas web=3",
         "replicas:\n- count: 1 # one\n  name: web\n",
         "replicas:\n- count: 3 # one\n  name: web\n",
         {.is_forced = false}},
        {"set label a:1 b:x",
         "commonLabels:\n  a: old # c\n",
         "commonLabels:\n  a: \"1\" # c\n  b: x\n",
         {.is_forced = false}},
        {"set buildmetadata managedByLabel,originAnnotations",
         "resources: [a]\n",
         "resources: [a]\nbuildMetadata:\n- managedByLabel\n- originAnnotations\n",
         {.is_forced = false}},
        {"set label yes:1 9:x",
         "commonLabels:\n  a: b\n",
         "commonLabels:\n  a: b\n  \"yes\": \"1\"\n  \"9\": x\n",
         {.is_forced = false}},
        {"set annotation Example.com/a:1",
         "resources: [a]\r\nnamespace: x # c\r\n",
         "resources: [a]\r\nnamespace: x # c\r\ncommonAnnotations:\r\n  Example.com/a: \"1\"\r\n",
         {.is_forced = false}},
        {"set image b=:2",
         "imageTags: # old\n- name: a\n  newTag: v1\n",
         "images: # old\n- name: a\n  newTag: v1\n- name: b\n  newTag: \"2\"\n",
         {.is_forced = false}},
        {"set configmap c =k=2",
         "configMapGenerator:\n- name: c\n  literals:\n  - k=1 # n\n",
         "configMapGenerator:\n- name: c\n  literals:\n  - k=2 # n\n",
         {.is_forced = false}},
        {"add resource a.yaml b.yaml",
         "resources:\n- a.yaml # a\n",
         "resources:\n- a.yaml # a\n- b.yaml\n",
         {.is_forced = false}},
        {"add resource missing",
         "kind: Kustomization\n",
         "kind: Kustomization\nresources:\n- missing\n",
         {.no_verify = true}},
        {"add label a:b",
         "resources: [a]\n",
         "resources: [a]\nlabels:\n- pairs:\n    a: b\n",
         {.without_selector = true}},
        {"add label a:b",
         "labels:\n- pairs: {c: d}\n",
         "labels:\n- pairs: {c: d, a: b}\n",
         {.without_selector = true}},
        {"add label a:b", "commonLabels: {a: c}\n", "commonLabels: {a: b}\n", {.is_forced = true}},
        {"add patch",
         "patches: []\n",
         "patches:\n- path: p.yaml\n  target:\n    kind: Deployment\n    name: web\n",
         {.path = STR_INIT("p.yaml"), .kind = STR_INIT("Deployment"), .name = STR_INIT("web")}},
        {"add configmap c =a=1 =b=2",
         "resources: [x]\n",
         "resources: [x]\nconfigMapGenerator:\n- name: c\n  literals:\n  - a=1\n  - b=2\n",
         {.is_forced = false}},
        {"add secret s =a=1",
         "resources: [x]\n",
         "resources: [x]\nsecretGenerator:\n- name: s\n  type: Opaque\n  literals:\n  - a=1\n",
         {.is_forced = false}},
        {"remove resource *.yaml",
         "# head\nresources:\n- base\n# about a\n- a.yaml\n- b.yaml\n",
         "# head\nresources:\n- base\n",
         {.is_forced = false}},
        {"remove resource a",
         "resources: [a]\nnamespace: x\n",
         "namespace: x\n",
         {.is_forced = false}},
        {"remove label a,b",
         "commonLabels:\n  a: 1\n  b: 2\n  c: 3 # c\n",
         "commonLabels:\n  c: 3 # c\n",
         {.is_forced = false}},
        {"remove patch",
         "patches:\n- path: p\n  target: {kind: A}\n- path: p\n",
         "patches:\n- path: p\n  target: {kind: A}\n",
         {.path = STR_INIT("p")}},
        {"remove configmap c",
         "configMapGenerator:\n- name: c\n- name: d\n",
         "configMapGenerator:\n- name: d\n",
         {.is_forced = false}},
    };

    CHECK_INT(chdir(test_tmp()), 0, "folder");
    put("a.yaml", "");
    put("b.yaml", "");
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct kustomize_edit_args args = rows[i].args;
        AUTO(buf_done) struct buf notes = {0}, got = {0};
        AUTO(err_done) struct err e = {0};

        put("kustomization.yaml", rows[i].before);
        run(rows[i].command, &args, &notes, &e);
        if (!str_ends(str_of(rows[i].command), STR(" ")))
            CHECK_OK(&e);
        CHECK_INT(file_read("kustomization.yaml", 10000, &got, &e), 0, "read");
        CHECK_STR(buf_view(&got), str_of(rows[i].after), rows[i].command);
    }
    CHECK_INT(chdir("/"), 0, "back");
}

TEST(edits_of_what_is_not_there_or_there_already_change_nothing)
{
    static const struct {
        const char *command, *before, *error, *note;
    } rows[] = {
        {"add resource a.yaml", "resources: [a.yaml]\n", NULL,
         "resource a.yaml already in kustomization file\n"},
        {"add resource base", "bases: [base]\n", "base has no match", ""},
        {"add resource gone", "namespace: x\n", "gone has no match", ""},
        {"add generator gone", "namespace: x\n", NULL, "gone has no match\n"},
        {"add base a.yaml", "resources: [a.yaml]\n", "base a.yaml already in", ""},
        {"add label a:b", "commonLabels: {a: c}\n", "label a already in kustomization file", ""},
        {"add annotation a:b", "commonAnnotations: {a: c}\n", "annotation a already in", ""},
        {"add buildmetadata x", "namespace: x\n", "invalid buildMetadata option: x", ""},
        {"add configmap c =a=1", "configMapGenerator: [{name: c, literals: [a=2]}]\n",
         "c has the key 'a' twice", ""},
        {"add configmap c =a", "namespace: x\n", "expected key=value", ""},
        {"add configmap c", "namespace: x\n", "give --from-literal", ""},
        {"add patch", "namespace: x\n", "must provide either patch or path", ""},
        {"add resource a.yaml", "resources: {}\n", "resources is no list", ""},
        {"set image web", "namespace: x\n", "'web' is no image", ""},
        {"set replicas a=x", "namespace: x\n", "write NAME=COUNT", ""},
        {"set label :b", "namespace: x\n", "invalid label: ':b'", ""},
        {"set annotation a=b", "namespace: x\n", "invalid annotation key 'a=b'", ""},
        {"set annotation a/b/c:d", "namespace: x\n", "invalid annotation key 'a/b/c'", ""},
        {"set namespace a b", "namespace: x\n", "exactly one value", ""},
        {"set configmap c =k=1", "namespace: x\n", "has no 'c' in namespace default", ""},
        {"set configmap c =z=1", "configMapGenerator: [{name: c, literals: [a=2]}]\n",
         "key 'z' not found", ""},
        {"remove label z", "commonLabels: {a: b}\n", "label z is not defined", ""},
        {"remove label z", "namespace: x\n", "commonLabels is not defined", ""},
        {"remove configmap c", "namespace: x\n", "no specified configmap was found", ""},
        {"remove patch", "namespace: x\n", NULL, "no such patch in kustomization file\n"},
        {"remove resource z", "resources: [a]\n", NULL, ""},
        {"set namespace x", "- a list\n", "a kustomization is a map", ""},
    };

    CHECK_INT(chdir(test_tmp()), 0, "folder");
    put("a.yaml", "");
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct kustomize_edit_args args = {0};
        AUTO(buf_done) struct buf notes = {0}, got = {0};
        AUTO(err_done) struct err e = {0}, none = {0};

        put("kustomization.yaml", rows[i].before);
        run(rows[i].command, &args, &notes, &e);
        if (rows[i].error ? !str_contains(str_of(err_text(&e)), str_of(rows[i].error))
                          : e.kind != ERR_NONE)
            test_fail(__FILE__, __LINE__, "%s: got %s", rows[i].command, err_text(&e));
        CHECK_STR(buf_view(&notes), str_of(rows[i].note), rows[i].command);
        CHECK_INT(file_read("kustomization.yaml", 10000, &got, &none), 0, "read");
        CHECK_STR(buf_view(&got), str_of(rows[i].before), rows[i].command);
    }
    CHECK_INT(chdir("/"), 0, "back");
}

TEST(edit_open_wants_one_kustomization_file)
{
    AUTO(err_done) struct err e = {0};
    AUTO(kustomize_edit_done) struct kustomize_edit none = {0}, two = {0}, empty = {0};
    AUTO(buf_done) struct buf got = {0};

    CHECK_INT(chdir(test_tmp()), 0, "folder");
    CHECK_INT(kustomize_edit_open(&none, &e), -1, "none");
    CHECK_INT(e.kind, ERR_NOT_FOUND, "none");
    err_done(&e);
    put("Kustomization", "# nothing yet\n");
    CHECK_INT(kustomize_edit_open(&empty, &e), 0, "empty");
    CHECK_INT(kustomize_edit_save(&empty, &e), 0, "empty");
    CHECK_INT(file_read("Kustomization", 1000, &got, &e), 0, "read");
    CHECK_STR(buf_view(&got),
              STR("# nothing yet\napiVersion: kustomize.config.k8s.io/v1beta1\n"
                  "kind: Kustomization\n"),
              "an empty one is an error in a build");
    put("kustomization.yml", "");
    CHECK_INT(kustomize_edit_open(&two, &e), -1, "two");
    CHECK_INT(e.kind, ERR_INVALID, "two");
    CHECK_INT(chdir("/"), 0, "back");
}

TEST(edit_fix_turns_old_fields_into_new_ones)
{
    static const struct {
        const char *before, *after, *notes;
    } rows[] = {
        {"# head\nbases:\n- ../b # why\n", "# head\nresources:\n- ../b # why\n",
         "bases -> resources\n"},
        {"resources: # r\n- a\nbases: [b]\n", "resources: # r\n- a\n- b\n", "bases -> resources\n"},
        {"images:\n- name: a\nimageTags:\n- name: b\n", "images:\n- name: a\n- name: b\n",
         "imageTags -> images\n"},
        {"commonLabels:\n  a: b # c\n",
         "labels:\n- includeSelectors: true\n  pairs:\n    a: b # c\n", "commonLabels -> labels\n"},
        {"commonLabels: {a: b}\nlabels:\n- pairs: {c: d}\n",
         "labels:\n- pairs: {c: d}\n- includeSelectors: true\n  pairs: {a: b}\n",
         "commonLabels -> labels\n"},
        {"patchesStrategicMerge:\n- p.yaml\n- |-\n  kind: X\npatchesJson6902:\n- path: j\n"
         "patches:\n- path: q\n",
         "patches:\n- path: q\n- path: j\n- path: p.yaml\n- patch: 'kind: X'\n",
         "patchesJson6902 -> patches\npatchesStrategicMerge -> patches\n"},
        {"configMapGenerator:\n- name: c\n  envs: [a]\n  env: b\n",
         "configMapGenerator:\n- name: c\n  envs: [a, b]\n", "env -> envs\n"},
        {"helmChartInflationGenerator:\n- chartName: c\n  chartVersion: 1.2.3\n  chartHome: h\n",
         "helmCharts:\n- name: c\n  version: 1.2.3\nhelmGlobals:\n  chartHome: h\n",
         "helmChartInflationGenerator -> helmCharts\n"},
        {"resources: [a]\n", "resources: [a]\n", ""},
    };
    static const char head[] = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n";

    CHECK_INT(chdir(test_tmp()), 0, "folder");
    put("p.yaml", "");
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(kustomize_edit_done) struct kustomize_edit edit = {0};
        AUTO(buf_done) struct buf got = {0}, want = {0};
        AUTO(err_done) struct err e = {0};

        put("kustomization.yaml", rows[i].before);
        CHECK(kustomize_edit_open(&edit, &e) == 0 && kustomize_edit_fix(&edit, &e) == 0 &&
              kustomize_edit_save(&edit, &e) == 0);
        CHECK_OK(&e);
        CHECK_STR(buf_view(&edit.notes), str_of(rows[i].notes), rows[i].before);
        CHECK_INT(file_read("kustomization.yaml", 10000, &got, &e), 0, "read");
        buf_addf(&want, "%s%s", rows[i].after, head);
        CHECK_STR(buf_view(&got), buf_view(&want), rows[i].before);
    }
    CHECK_INT(chdir("/"), 0, "back");
}

TEST(edit_fix_refuses_a_label_that_stands_in_both_fields)
{
    AUTO(kustomize_edit_done) struct kustomize_edit edit = {0};
    AUTO(err_done) struct err e = {0};

    CHECK_INT(chdir(test_tmp()), 0, "folder");
    put("kustomization.yaml", "commonLabels: {a: b}\nlabels:\n- pairs: {a: c}\n");
    CHECK_INT(kustomize_edit_open(&edit, &e), 0, "open");
    CHECK_INT(kustomize_edit_fix(&edit, &e), -1, "fix");
    CHECK_STR(str_of(err_text(&e)), STR("label name 'a' exists in both commonLabels and labels"),
              "text");
    CHECK_INT(chdir("/"), 0, "back");
}
