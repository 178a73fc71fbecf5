/* Input: a template, a NUL, a JSON document. Nothing crashes or hangs, every failure says why, and
 * a run prints the same twice. */
#include "doc/parse.h"
#include "expr/gotmpl/gotmpl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int64_t fixed_now(void *ctx UNUSED) { return 1700000000000000000; }
static void fill(void *ctx UNUSED, void *p, size_t len) { memset(p, 42, len); }

static int render(const struct tmpl_set *set, str name, const struct doc_node *root,
                  struct buf *out, struct err *e)
{
    struct tmpl_options options = {
        .missing = TMPL_MISSING_ZERO,
        .drops_no_value = true,
        .host = {.now_ns = fixed_now, .random = fill},
        .limits = {.max_steps = 20000, .max_output = 1 << 16, .max_memory = 1 << 24}};
    AUTO(tmpl_run_free) struct tmpl_run *run = tmpl_run_new(set, &options);

    return tmpl_run_exec(run, name, tmpl_doc(root, false), out, e);
}

static void check(enum tmpl_profile profile, str text, const struct doc_node *root)
{
    AUTO(err_done) struct err e = {0}, again = {0};
    AUTO(buf_done) struct buf out = {0}, same = {0};
    AUTO(tmpl_set_free) struct tmpl_set *set = tmpl_set_new(profile);
    int rc = profile == TMPL_PIPELINE ? tmpl_set_parse_pipeline(set, STR("t"), text, &e)
                                      : tmpl_set_parse(set, STR("t"), text, &e);

    if (rc == 0)
        rc = render(set, STR("t"), root, &out, &e);
    if (rc < 0) {
        assert(e.text && e.text[0] && out.len == 0);
        return;
    }
    assert(render(set, STR("t"), root, &same, &again) == 0);
    assert(str_eq(buf_view(&out), buf_view(&same)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    str json, text = str_cut((str){(const char *)data, size}, '\0', &json);
    struct doc_node *root = doc_parse_json(set, json, "fuzz", &e);

    check(TMPL_CHART, text, root);
    check(TMPL_PIPELINE, text, root);
    return 0;
}
