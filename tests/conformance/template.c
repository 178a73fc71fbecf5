/* The template suite: language, sprig, chart functions. */
#include "conformance/suite.h"
#include "expr/gotmpl/gotmpl.h"
#include "sys/clock.h"
#include "sys/random.h"

static str field(const struct doc_node *c, const char *name)
{
    return doc_string(doc_get(c, str_of(name)), STR_NONE);
}

static int64_t now_ns(void *ctx UNUSED) { return clock_wall_us() * 1000; }
static void fill(void *ctx UNUSED, void *p, size_t len) { random_bytes(p, len); }
static const char *env(void *ctx UNUSED, const char *name) { return getenv(name); }

static struct tmpl_set *parse_all(const struct doc_node *c, str name, struct err *e)
{
    str funcs = field(c, "funcs");
    enum tmpl_profile profile = str_eq(funcs, STR("helm"))    ? TMPL_CHART
                                : str_eq(funcs, STR("sprig")) ? TMPL_SPRIG
                                                              : TMPL_STD;
    AUTO(tmpl_set_free) struct tmpl_set *set = tmpl_set_new(profile);
    struct doc_iter it = doc_children(doc_get_lit(c, "templates"));

    while (doc_next(&it))
        if (tmpl_set_parse(set, it.key, doc_string(it.value, STR_NONE), e) < 0)
            return NULL;
    return tmpl_set_parse(set, name, field(c, "template"), e) < 0 ? NULL : TAKE(set);
}

static struct tmpl_options options_of(const struct doc_node *c)
{
    bool is_chart = str_eq(field(c, "funcs"), STR("helm"));
    str missing = field(c, "missingkey");
    struct tmpl_options options = {.missing = is_chart ? TMPL_MISSING_ZERO : TMPL_MISSING_DEFAULT,
                                   .drops_no_value = is_chart,
                                   .host = {.now_ns = now_ns, .random = fill, .env = env}};

    if (str_eq(missing, STR("zero")))
        options.missing = TMPL_MISSING_ZERO;
    else if (str_eq(missing, STR("error")))
        options.missing = TMPL_MISSING_ERROR;
    return options;
}

/* The data, with ".Files" where the case has files. */
static struct tmpl_value dot_of(const struct doc_node *c, struct tmpl_run *run)
{
    const struct doc_node *data = doc_get_lit(c, "data"), *files = doc_get_lit(c, "files");
    bool ints = str_eq(field(c, "numbers"), STR("int"));
    struct doc_iter it = doc_children(data);
    struct tmpl_map *map;

    if (!files)
        return data ? tmpl_doc(data, ints) : TMPL_NOTHING;
    map = tmpl_map_new(tmpl_run_arena(run), TMPL_ANY);
    while (doc_next(&it))
        tmpl_map_set(map, it.key, tmpl_doc(it.value, ints));
    tmpl_map_set(map, STR("Files"), tmpl_files(run, files));
    return tmpl_map_value(map);
}

static int run(const struct doc_node *c, struct buf *out, struct err *e)
{
    str name = doc_get_lit(c, "name") ? field(c, "name") : STR("t");
    AUTO(tmpl_set_free) struct tmpl_set *set = parse_all(c, name, e);
    struct tmpl_options options = options_of(c);
    AUTO(tmpl_run_free) struct tmpl_run *r = set ? tmpl_run_new(set, &options) : NULL;

    return r ? tmpl_run_exec(r, name, dot_of(c, r), out, e) : -1;
}

static void judge(struct suite *s, const struct doc_node *c)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf out = {0};
    const struct doc_node *error = doc_get_lit(c, "error");

    if (run(c, &out, &e) < 0)
        suite_end(s, error && str_contains(str_of(err_text(&e)), field(c, "error")), "failed: %s",
                  err_text(&e));
    else
        suite_end(s, !error && str_eq(buf_view(&out), field(c, "expect")), "printed \"%s\"",
                  buf_cstr(&out));
}

SUITE(template)
{
    static const char *const files[] = {"go.json", "sprig.json", "helm.json"};

    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        struct doc_iter it = doc_children(suite_json(s, files[i]));

        while (doc_next(&it))
            if (suite_begin(s, field(it.value, "id")))
                judge(s, it.value);
    }
}
