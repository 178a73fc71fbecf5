/* Input: a format. printf ends, prints no more than its limit, and the text of a quoted text reads
 * back as what it was. */
#include "expr/gotmpl/gotmpl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct tmpl_options options = {.limits = {.max_output = 1 << 22}};
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf out = {0};
    AUTO(tmpl_set_free) struct tmpl_set *set = tmpl_set_new(TMPL_CHART);
    AUTO(tmpl_run_free) struct tmpl_run *run = NULL;
    str text = {(const char *)data, size};
    int rc = tmpl_set_parse(
        set, STR("t"),
        STR("{{ $_ := printf . 1 -2.5 \"a\\x00b\" nil true (list 1 \"x\") (dict \"k\" 1.5) 7 }}"
            "{{ tpl (print \"{{\" (printf \"%q\" .) \"}}\") nil }}"),
        &e);

    assert(rc == 0);
    run = tmpl_run_new(set, &options);
    rc = tmpl_run_exec(run, STR("t"), tmpl_string(text), &out, &e);
    if (rc < 0)
        assert(e.kind == ERR_LIMIT);
    else if (str_is_utf8(text, &(size_t){0}) && !str_contains(text, STR("<no value>")))
        assert(str_eq(buf_view(&out), text));
    return 0;
}
