/* Builds by parts: whatever is done to the files, the output is that of a fresh build. */
#include "kustomize/incremental/incremental.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "support/test.h"
#include "sys/file.h"

/* ---- a folder of files, and the session that watches it */

struct bench {
    struct kustomize_options options;
    struct kustomize_session *session;
    struct buf top;
};

static void bench_done(struct bench *b)
{
    kustomize_session_free(b->session);
    buf_done(&b->top);
}
AUTO_VALUE(struct bench, bench_done)

static void bench_init(struct bench *b, const char *top)
{
    buf_addf(&b->top, "%s/%s", test_tmp(), top);
    b->session = kustomize_session_new(buf_cstr(&b->top), &b->options);
}

static void whole_path(const char *path, struct buf *out)
{
    buf_addf(out, "%s/%s", test_tmp(), path);
}

static void tell(struct bench *b, const char *path)
{
    AUTO(buf_done) struct buf whole = {0};
    ssize_t slash;

    whole_path(path, &whole);
    slash = str_rfind_char(buf_view(&whole), '/');
    if (b->session)
        kustomize_session_touch(b->session, str_sub(buf_view(&whole), 0, (size_t)slash),
                                str_from(buf_view(&whole), (size_t)slash + 1));
}

static void put(struct bench *b, const char *path, const char *text)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf whole = {0};
    ssize_t slash;

    whole_path(path, &whole);
    slash = str_rfind_char(buf_view(&whole), '/');
    whole.p[slash] = '\0';
    CHECK(file_mkdirs(whole.p, 0777, &e) == 0);
    whole.p[slash] = '/';
    CHECK(file_replace(whole.p, str_of(text), NULL, &e) == 0);
    CHECK_OK(&e);
    tell(b, path);
}

static void drop(struct bench *b, const char *path)
{
    AUTO(buf_done) struct buf whole = {0};

    whole_path(path, &whole);
    (void)unlink(buf_cstr(&whole));
    tell(b, path);
}

static void move(struct bench *b, const char *from, const char *to)
{
    AUTO(buf_done) struct buf a = {0}, z = {0};

    whole_path(from, &a);
    whole_path(to, &z);
    (void)rename(buf_cstr(&a), buf_cstr(&z));
    tell(b, from);
    tell(b, to);
}

static bool fresh(struct bench *b, struct buf *out)
{
    AUTO(kustomize_result_done) struct kustomize_result result = {0};
    AUTO(err_done) struct err e = {0};

    if (kustomize_build_run(buf_cstr(&b->top), &b->options, &result, &e) == 0 &&
        kustomize_result_print(&result, out, &e) == 0)
        return true;
    buf_clear(out);
    buf_addf(out, "error: %s", err_text(&e));
    return false;
}

static void by_session(struct bench *b, struct buf *out)
{
    AUTO(diag_list_done) struct diag_list warnings = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(str_vec_done) struct str_vec pieces = {0}, folders = {0};
    bool has_failed = kustomize_session_build(b->session, &warnings, &e) < 0;

    if (has_failed)
        buf_addf(out, "error: %s", err_text(&e));
    else
        kustomize_session_text(b->session, &pieces);
    for (size_t i = 0; i < pieces.len; i++)
        buf_add_str(out, pieces.v[i]);
    (void)kustomize_session_folders(b->session, &folders);
    for (size_t i = 0; i < folders.len; i++)
        mem_free((char *)folders.v[i].p);
    kustomize_session_watched(b->session, false);
}

/* Both ways give the same; *ret_parts tells whether only parts were made. */
static bool compare(struct bench *b, const char *what)
{
    AUTO(buf_done) struct buf want = {0}, got = {0};
    size_t parts = kustomize_session_stats(b->session).parts;

    (void)fresh(b, &want);
    by_session(b, &got);
    CHECK_STR(buf_view(&got), buf_view(&want), what);
    return kustomize_session_stats(b->session).parts > parts;
}

/* ---- one thing after another */

#define CM(name, value) \
    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " name "\ndata:\n  k: " value "\n"
#define POD(name, config)                                                         \
    "apiVersion: v1\nkind: Pod\nmetadata:\n  name: " name "\nspec:\n  volumes:\n" \
    "  - name: c\n    configMap:\n      name: " config "\n"

static void two_bases(struct bench *b)
{
    put(b, "a/kustomization.yaml", "resources: [x.yaml, y.yaml]\nnamePrefix: a-\n");
    put(b, "a/x.yaml", CM("x", "one"));
    put(b, "a/y.yaml", POD("y", "x"));
    put(b, "c/kustomization.yaml",
        "resources: [z.yaml]\nconfigMapGenerator: [{name: g, files: [f.txt]}]\n");
    put(b, "c/z.yaml", POD("z", "g"));
    put(b, "c/f.txt", "text");
    put(b, "top/kustomization.yaml",
        "resources: [../a, ../c]\nnamespace: ns\n"
        "patches: [{path: p.yaml}]\n");
    put(b, "top/p.yaml", CM("a-x", "one") "  patched: yes it is\n");
    bench_init(b, "top");
}

TEST(only_the_file_that_changed_is_built_again)
{
    AUTO(bench_done) struct bench b = {0};

    two_bases(&b);
    CHECK(!compare(&b, "all"));
    put(&b, "a/y.yaml", POD("y", "x") "  hostname: h\n");
    CHECK(compare(&b, "a Pod"));
    put(&b, "a/x.yaml", CM("x", "two"));
    CHECK(compare(&b, "what the patch of the top is for"));
    put(&b, "c/f.txt", "text of others");
    CHECK(compare(&b, "what the patch is not for"));
    put(&b, "top/p.yaml", CM("a-x", "three"));
    CHECK(!compare(&b, "the patch"));
    put(&b, "a/x.yaml", CM("x", "four"));
    CHECK(compare(&b, "with another patch"));
    put(&b, "unknown.yaml", "nothing");
    CHECK(!kustomize_session_is_touched(b.session));
}

TEST(who_refers_to_a_new_name_is_built_again_too)
{
    AUTO(bench_done) struct bench b = {0};

    two_bases(&b);
    (void)compare(&b, "all");
    put(&b, "c/f.txt", "other text");
    CHECK(compare(&b, "another suffix of the name"));
    put(&b, "a/x.yaml", CM("w", "one"));
    CHECK(!compare(&b, "the patch finds nothing"));
    put(&b, "a/x.yaml", CM("x", "back"));
    CHECK(compare(&b, "mended"));
    put(&b, "c/z.yaml", POD("z", "g") "---\n" CM("more", "1"));
    CHECK(compare(&b, "one more"));
    put(&b, "c/z.yaml", POD("z", "x"));
    CHECK(compare(&b, "one less"));
}

TEST(names_mean_what_they_mean_unquoted_in_parts_too)
{
    AUTO(bench_done) struct bench b = {0};

    put(&b, "top/kustomization.yaml", "resources: [x.yaml, y.yaml]\nnamePrefix: \"0\"\n");
    put(&b, "top/x.yaml", CM("x1F", "one"));
    put(&b, "top/y.yaml", CM("y", "one"));
    bench_init(&b, "top");
    CHECK(!compare(&b, "all"));
    put(&b, "top/x.yaml", CM("x1F", "two"));
    CHECK(compare(&b, "the name is 31"));
}

TEST(a_broken_file_is_told_and_its_mend_is_built_by_parts)
{
    AUTO(bench_done) struct bench b = {0};

    two_bases(&b);
    (void)compare(&b, "all");
    put(&b, "a/y.yaml", "a: b: c");
    CHECK(!compare(&b, "broken"));
    put(&b, "c/z.yaml", POD("z", "g") "  hostname: h\n");
    CHECK(!compare(&b, "still broken"));
    put(&b, "a/y.yaml", POD("y", "x"));
    CHECK(compare(&b, "mended, with what changed meanwhile"));
    drop(&b, "a/kustomization.yaml");
    CHECK(!compare(&b, "a base is gone"));
    put(&b, "a/kustomization.yml", "resources: [y.yaml, x.yaml]\nnamePrefix: a-\n");
    (void)compare(&b, "back under another name");
    put(&b, "a/Kustomization", "resources: []\n");
    CHECK(!compare(&b, "two of them"));
}

TEST(links_lead_to_the_files_that_are_noted)
{
    AUTO(bench_done) struct bench b = {0};
    AUTO(buf_done) struct buf link = {0};

    put(&b, "top/kustomization.yaml", "resources: [x.yaml, y.yaml]\n");
    put(&b, "top/in/real.yaml", CM("x", "one"));
    put(&b, "top/y.yaml", CM("y", "one"));
    whole_path("top/x.yaml", &link);
    CHECK(symlink("in/real.yaml", buf_cstr(&link)) == 0);
    bench_init(&b, "top");
    (void)compare(&b, "all");
    put(&b, "top/in/real.yaml", CM("x", "two"));
    CHECK(kustomize_session_is_touched(b.session));
    CHECK(compare(&b, "through the link"));
}

#define CRD(scope)                                                                     \
    "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n" \
    "  name: things.x.io\nspec:\n  group: x.io\n  names: {kind: Thing}\n  scope: " scope "\n"

TEST(definitions_count_for_files_that_did_not_change)
{
    AUTO(bench_done) struct bench b = {.options = {.is_fixed = true}};

    put(&b, "top/kustomization.yaml",
        "resources: [a.yaml, c.yaml, t.yaml, d.yaml]\nnamespace: ns\n");
    put(&b, "top/a.yaml", CM("a", "one"));
    put(&b, "top/c.yaml", CM("c", "one"));
    put(&b, "top/d.yaml", CM("d", "one"));
    put(&b, "top/t.yaml", "apiVersion: x.io/v1\nkind: Thing\nmetadata: {name: t}\n");
    bench_init(&b, "top");
    CHECK(!compare(&b, "all"));
    put(&b, "top/a.yaml", CM("a", "two"));
    CHECK(compare(&b, "no definition yet"));
    put(&b, "top/a.yaml", CRD("Cluster"));
    CHECK(!compare(&b, "a definition"));
    put(&b, "top/a.yaml", CRD("Namespaced"));
    CHECK(!compare(&b, "another scope"));
    put(&b, "top/t.yaml", "apiVersion: x.io/v1\nkind: Thing\nmetadata: {name: u}\n");
    CHECK(!compare(&b, "an object of it"));
    put(&b, "top/a.yaml", CM("a", "three"));
    CHECK(!compare(&b, "gone"));
    put(&b, "top/a.yaml", CM("a", "four"));
    CHECK(compare(&b, "and parts again"));
}

/* ---- at random */

struct dice {
    uint32_t state;
};

static uint32_t roll(struct dice *d, uint32_t sides)
{
    d->state = d->state * 1664525u + 1013904223u;
    return (d->state >> 8) % sides;
}

static const char *const kinds[] = {"ConfigMap", "Secret", "Service", "ServiceAccount"};

static void add_name(struct dice *d, uint32_t app, char *out)
{
    static const char *const names[] = {"a", "b", "c", "d", "web", "api"};
    const char *name = names[roll(d, ARRAY_LEN(names))];

    if (roll(d, 3))
        (void)snprintf(out, 16, "%s-%u", name, app);
    else
        (void)snprintf(out, 16, "%s", name);
}

static void add_object(struct dice *d, uint32_t app, struct buf *out)
{
    static const char *const spaces[] = {"", "", "", "\n  namespace: ns", "\n  namespace: other"};
    const char *ns = spaces[roll(d, ARRAY_LEN(spaces))];
    char name[16], other[16];

    add_name(d, app, name);
    add_name(d, app, other);
    switch (roll(d, 5)) {
    case 0:
        buf_addf(out, "apiVersion: v1\nkind: %s\nmetadata:\n  name: %s%s\ndata: {k: \"%u\"}\n",
                 kinds[roll(d, ARRAY_LEN(kinds))], name, ns, roll(d, 9));
        return;
    case 1:
        buf_addf(out,
                 "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata:\n"
                 "  name: %s%s\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, "
                 "name: %s}\nsubjects:\n- {kind: ServiceAccount, name: %s, namespace: ns}\n",
                 name, ns, other, other);
        return;
    case 2:
        buf_addf(out,
                 "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: %s%s\n  annotations: "
                 "{config.kubernetes.io/local-config: \"%s\"}\ndata: {k: \"%u\"}\n",
                 name, ns, roll(d, 2) ? "true" : "false", roll(d, 9));
        return;
    default:
        buf_addf(out,
                 "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: %s%s\nspec:\n"
                 "  replicas: %u\n  template:\n    spec:\n      serviceAccountName: %s\n"
                 "      containers:\n      - name: c\n        image: img:%u\n"
                 "        envFrom: [{configMapRef: {name: %s}}, {secretRef: {name: gen}}]\n",
                 name, ns, roll(d, 4), other, roll(d, 3), other);
    }
}

static void random_resources(struct bench *b, struct dice *d, uint32_t app, uint32_t file)
{
    AUTO(buf_done) struct buf text = {0}, path = {0};
    uint32_t count = roll(d, 8) ? 1 : roll(d, 3);

    buf_addf(&path, "app%u/r%u.yaml", app, file);
    for (uint32_t i = 0; i < count; i++) {
        buf_add_cstr(&text, i ? "---\n" : "");
        add_object(d, app, &text);
    }
    if (roll(d, 40) == 0)
        buf_add_cstr(&text, "broken: [\n");
    put(b, buf_cstr(&path), buf_cstr(&text));
}

/* The '%' stands for the number. */
static void add_field(const char *field, uint32_t value, struct buf *out)
{
    str rest, head = str_cut(str_of(field), '%', &rest);

    buf_addf(out, "%.*s%u%.*s", STR_ARG(head), value, STR_ARG(rest));
}

static void random_fields(struct dice *d, struct buf *out)
{
    static const char *const fields[] = {
        "namePrefix: p%-\n",
        "nameSuffix: -s%\n",
        "namespace: ns%\n",
        "labels: [{pairs: {l: v%}, includeSelectors: true}]\n",
        "commonAnnotations: {a: v%}\n",
        "images: [{name: img, newTag: t%}]\n",
        "replicas: [{name: web, count: %}]\n",
        "patches: [{target: {kind: Deployment}, patch: '[{op: add, path: /metadata/labels, value: "
        "{x: y%}}]'}]\n",
        "patches: [{patch: '{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: "
        "{replicas: %}}'}]\n",
        "buildMetadata: [originAnnotations, transformerAnnotations] #%\n",
        "sortOptions: {order: fifo} #%\n",
        "replacements: [{source: {kind: Deployment, name: api, fieldPath: spec.replicas}, targets: "
        "[{select: {kind: Deployment}, fieldPaths: [spec.minReadySeconds], options: {create: "
        "true}}]}] #%\n",
        "generatorOptions: {labels: {g: l%}}\n",
    };
    uint32_t used = 0;

    for (uint32_t i = 0, count = roll(d, 4); i < count; i++) {
        uint32_t field = roll(d, ARRAY_LEN(fields));
        uint32_t value = roll(d, 3);

        if (field > 5 && roll(d, 3))
            continue;
        if (used & (1u << field) || (field == 8 && used & (1u << 7)) ||
            (field == 7 && used & (1u << 8)))
            continue;
        used |= 1u << field;
        add_field(fields[field], value, out);
    }
}

enum { APPS = 4, FILES = 4 };

static void random_app(struct bench *b, struct dice *d, uint32_t app)
{
    AUTO(buf_done) struct buf text = {0}, path = {0};

    buf_addf(&path, "app%u/kustomization.yaml", app);
    buf_add_cstr(&text, "resources:\n");
    for (uint32_t i = 0; i < FILES; i++)
        if (roll(d, 4))
            buf_addf(&text, "- r%u.yaml\n", i);
    random_fields(d, &text);
    if (roll(d, 3) == 0)
        buf_add_cstr(&text, "configMapGenerator: [{name: conf, files: [data.txt]}]\n");
    if (roll(d, 3) == 0)
        buf_addf(&text, "secretGenerator: [{name: gen, literals: [k=v%u]}]\n", roll(d, 3));
    if (roll(d, 6) == 0)
        buf_add_cstr(&text, "components: [../part]\n");
    put(b, buf_cstr(&path), buf_cstr(&text));
}

static void random_top(struct bench *b, struct dice *d)
{
    AUTO(buf_done) struct buf text = {0};

    buf_add_cstr(&text, "resources:\n");
    for (uint32_t i = 0; i < APPS; i++)
        if (roll(d, 5))
            buf_addf(&text, "- ../app%u\n", i);
    buf_add_cstr(&text, "- own.yaml\n");
    random_fields(d, &text);
    put(b, "top/kustomization.yaml", buf_cstr(&text));
}

static void random_component(struct bench *b, struct dice *d)
{
    AUTO(buf_done) struct buf text = {0};

    buf_add_cstr(&text, "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n");
    random_fields(d, &text);
    put(b, "part/kustomization.yaml", buf_cstr(&text));
}

static void write_all(struct bench *b, struct dice *d)
{
    for (uint32_t app = 0; app < APPS; app++) {
        AUTO(buf_done) struct buf path = {0};

        for (uint32_t i = 0; i < FILES; i++)
            random_resources(b, d, app, i);
        buf_addf(&path, "app%u/data.txt", app);
        put(b, buf_cstr(&path), "data");
        random_app(b, d, app);
    }
    put(b, "top/own.yaml", CM("own", "1"));
    random_component(b, d);
    random_top(b, d);
}

static void change(struct bench *b, struct dice *d)
{
    AUTO(buf_done) struct buf path = {0}, other = {0}, text = {0};
    uint32_t app = roll(d, APPS), file = roll(d, FILES);

    buf_addf(&path, "app%u/r%u.yaml", app, file);
    switch (roll(d, 16)) {
    case 0:
        random_app(b, d, app);
        return;
    case 1:
        random_top(b, d);
        return;
    case 2:
        drop(b, buf_cstr(&path));
        return;
    case 3:
        buf_addf(&other, "app%u/r%u.yaml", app, roll(d, FILES));
        move(b, buf_cstr(&path), buf_cstr(&other));
        return;
    case 4:
        random_component(b, d);
        return;
    case 5:
        buf_addf(&other, "app%u/data.txt", app);
        buf_addf(&text, "data %u", roll(d, 4));
        put(b, buf_cstr(&other), buf_cstr(&text));
        return;
    case 6:
        buf_addf(&other, "app%u", app);
        move(b, buf_cstr(&other), "elsewhere");
        (void)compare(b, "a folder is gone");
        move(b, "elsewhere", buf_cstr(&other));
        return;
    default:
        random_resources(b, d, app, file);
    }
}

/* Random files seldom make a build that is good. */
static void mend(struct bench *b, struct dice *d)
{
    uint32_t what = roll(d, 10);

    if (what < 5)
        random_resources(b, d, roll(d, APPS), roll(d, FILES));
    else if (what < 8)
        random_app(b, d, roll(d, APPS));
    else if (what == 8)
        random_top(b, d);
    else
        random_component(b, d);
}

static void random_life(uint32_t seed, int steps, struct kustomize_session_stats *ret)
{
    AUTO(bench_done) struct bench b = {0};
    AUTO(buf_done) struct buf what = {0}, out = {0};
    struct dice d = {seed};

    write_all(&b, &d);
    bench_init(&b, "top");
    for (int i = 0; i < steps; i++) {
        for (uint32_t j = roll(&d, 3); j != UINT32_MAX; j--)
            change(&b, &d);
        buf_clear(&what);
        buf_addf(&what, "seed %u, step %d", seed, i);
        for (int k = 0; k < 200 && roll(&d, 40); k++) {
            buf_clear(&out);
            if (fresh(&b, &out))
                break;
            mend(&b, &d);
        }
        (void)compare(&b, buf_cstr(&what));
    }
    ret->parts += kustomize_session_stats(b.session).parts;
    ret->whole += kustomize_session_stats(b.session).whole;
}

/* GRAPNEL_TEST_SEED: the first of as many other lives. */
TEST(random_edits_give_what_a_fresh_build_gives)
{
    enum { LIVES = 12, STEPS = 25 };
    const char *asked = getenv("GRAPNEL_TEST_SEED");
    uint32_t first = asked ? (uint32_t)strtoul(asked, NULL, 10) : 1;
    struct kustomize_session_stats stats = {0};

    for (uint32_t seed = first; seed < first + LIVES; seed++)
        random_life(seed * 7919, STEPS, &stats);
    if (asked)
        printf("%zu by parts, %zu whole\n", stats.parts, stats.whole);
    CHECK(stats.parts > LIVES);
    CHECK(stats.whole > LIVES);
}
