/* What charts add: templates as texts, checks, the cluster (template spec 15.1, 15.2, 15.6). */
#include "expr/gotmpl/fn_priv.h"

static int f_include(struct tmpl_call *c, struct tmpl_value *ret)
{
    return trun_include(c->run, arg_text(c, 0), c->args[1], ret);
}

static int f_tpl(struct tmpl_call *c, struct tmpl_value *ret)
{
    return trun_tpl(c->run, arg_text(c, 0), c->args[1], ret);
}

/* A message for the user: the marks let the caller cut it out of the chain. */
static int complain(struct tmpl_call *c, str message, struct tmpl_value *ret)
{
    const struct tmpl_host *host = &c->run->options.host;
    AUTO(buf_done) struct buf place = {0};

    if (!host->lint)
        return call_fail(c, "HELM_ERR_START%.*sHELM_ERR_END", STR_ARG(message));
    trun_place(c->run, &place);
    host->lint(host->ctx, buf_view(&place), message);
    return ret_view(ret, STR(""));
}

static int f_required(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct tmpl_value v = c->args[1];

    if (tmpl_is_nil(v) || (v.type == TMPL_STRING && !v.len))
        return complain(c, arg_text(c, 0), ret);
    *ret = v;
    return 0;
}

static int f_fail(struct tmpl_call *c, struct tmpl_value *ret)
{
    return complain(c, arg_text(c, 0), ret);
}

static int f_lookup(struct tmpl_call *c, struct tmpl_value *ret)
{
    const struct tmpl_host *host = &c->run->options.host;
    const struct doc_node *found = NULL;

    if (host->lookup && host->lookup(host->ctx, arg_text(c, 0), arg_text(c, 1), arg_text(c, 2),
                                     arg_text(c, 3), &found, c->run->e) < 0)
        return -1;
    *ret = found ? tmpl_doc(found, false) : tmpl_map_value(tmpl_map_new(&c->run->arena, TMPL_ANY));
    return 0;
}

static void add_rows(struct func_rows *to)
{
    func_add(to, "include", "SA", f_include, 0, "The output of a named template", NULL, NULL);
    func_add(to, "tpl", "SA", f_tpl, 0, "The output of a text that is itself a template",
             "{{ tpl \"{{ .a }}\" (dict \"a\" 5) }}", "5");
    func_add(to, "required", "SA", f_required, 0,
             "The value; fails with the message when it is nil or an empty text",
             "{{ required \"a name is needed\" \"web\" }}", "web");
    func_add(to, "fail", "S", f_fail, 0, "Ends the rendering with a message", NULL, NULL);
    func_add(to, "lookup", "SSSS", f_lookup, FUNC_HOST,
             "An object of the cluster by API version, kind, namespace and name; an empty map when "
             "it is "
             "not there",
             NULL, NULL);
}
FUNC_GROUP(func_chart, "Charts", add_rows, IN_CHART);
