#include "khook/vars/pipeline.h"

#include "expr/gotmpl/gotmpl.h"

#define NAME "pipeline"

/* The message without the place, which says nothing where all is one line. */
static int reword(struct err *e)
{
    AUTO(buf_done) struct buf text = {0};
    const char *message = err_text(e), *at = strstr(message, "executing \"" NAME "\" at <");
    enum err_kind kind = e->kind;

    if (at) {
        at += sizeof("executing \"" NAME "\" ") - 1;
    } else {
        at = strstr(message, "template: " NAME ":");
        at = at ? strstr(at + sizeof("template: " NAME ":"), ": ") : NULL;
        at = at ? at + 2 : message;
    }
    buf_add_cstr(&text, at);
    err_done(e);
    return err_set(e, kind, "%s", buf_cstr(&text));
}

int khook_pipeline_run(void *ctx UNUSED, str pipeline, str value, struct buf *out, struct err *e)
{
    static const struct tmpl_options options = {.limits = {.max_steps = 10000000,
                                                           .max_output = (size_t)16 << 20,
                                                           .max_memory = (size_t)256 << 20}};
    AUTO(tmpl_set_free) struct tmpl_set *set = tmpl_set_new(TMPL_PIPELINE);
    AUTO(tmpl_run_free) struct tmpl_run *run = NULL;
    const char *function;

    if (tmpl_set_parse_pipeline(set, STR(NAME), pipeline, e) < 0)
        return reword(e);
    run = tmpl_run_new(set, &options);
    if (tmpl_run_exec(run, STR(NAME), tmpl_string(value), out, e) == 0)
        return 0;
    function = tmpl_run_failed(run);
    if (!function || e->kind != ERR_INVALID)
        return reword(e);
    err_done(e);
    return err_set(e, ERR_INVALID, "the function \"%s\" refuses its arguments", function);
}
