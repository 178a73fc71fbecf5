/* JSON (template spec 14.5). */
#include "expr/gotmpl/fn_priv.h"
#include "expr/gotmpl/format_priv.h"

static int to_json(struct tmpl_call *c, unsigned flags, bool must, struct tmpl_value *ret)
{
    struct buf *b = trun_borrow(c->run);
    const char *why;

    if (format_json(c->run, c->args[0], flags, b, &why) == 0)
        return ret_text(c, b, ret);
    trun_give(c->run, b);
    *ret = tmpl_string(STR(""));
    return must ? call_fail(c, "%s", why) : 0;
}

static int f_to_json(struct tmpl_call *c, struct tmpl_value *ret)
{
    return to_json(c, JSON_HTML, false, ret);
}

static int f_must_to_json(struct tmpl_call *c, struct tmpl_value *ret)
{
    return to_json(c, JSON_HTML, true, ret);
}

static int f_to_pretty(struct tmpl_call *c, struct tmpl_value *ret)
{
    return to_json(c, JSON_HTML | JSON_PRETTY, false, ret);
}

static int f_must_to_pretty(struct tmpl_call *c, struct tmpl_value *ret)
{
    return to_json(c, JSON_HTML | JSON_PRETTY, true, ret);
}

static int f_to_raw(struct tmpl_call *c, struct tmpl_value *ret)
{
    return to_json(c, 0, true, ret); /* a failure fails, as in sprig */
}

static int from_json(struct tmpl_call *c, bool must, struct tmpl_value *ret)
{
    AUTO(buf_done) struct buf why = {0};
    const struct doc_node *n = parse_json(c->run, arg_text(c, 0), &why);

    if (n)
        *ret = tmpl_doc(n, false);
    else if (must)
        return call_fail(c, "%s", buf_cstr(&why));
    return 0;
}

static int f_from_json(struct tmpl_call *c, struct tmpl_value *ret)
{
    return from_json(c, false, ret);
}

static int f_must_from_json(struct tmpl_call *c, struct tmpl_value *ret)
{
    return from_json(c, true, ret);
}

static void add_rows(struct func_rows *to)
{
    func_add(to, "toJson", "A", f_to_json, 0, "As JSON; empty when that fails",
             "{{ dict \"a\" 1 | toJson }}", "{\"a\":1}");
    func_add(to, "mustToJson", "A", f_must_to_json, 0, "As JSON", "{{ list 1 \"x\" | mustToJson }}",
             "[1,\"x\"]");
    func_add(to, "toPrettyJson", "A", f_to_pretty, 0,
             "As JSON in indented lines; empty when that fails", "{{ list 1 | toPrettyJson }}",
             "[\n  1\n]");
    func_add(to, "mustToPrettyJson", "A", f_must_to_pretty, 0, "As JSON in indented lines",
             "{{ list 1 | mustToPrettyJson }}", "[\n  1\n]");
    func_add(to, "toRawJson", "A", f_to_raw, 0, "As JSON without escapes for HTML",
             "{{ toRawJson \"<\" }}", "\"<\"");
    func_add(to, "mustToRawJson", "A", f_to_raw, 0, "As JSON without escapes for HTML",
             "{{ mustToRawJson \"<\" }}", "\"<\"");
    func_add(to, "fromJson", "S", f_from_json, 0, "The value of a JSON text; nil when it is none",
             "{{ (fromJson \"{\\\"a\\\":1}\").a }}", "1");
    func_add(to, "mustFromJson", "S", f_must_from_json, 0, "The value of a JSON text",
             "{{ mustFromJson \"[1,2]\" | len }}", "2");
}
FUNC_GROUP(func_json, "JSON", add_rows, IN_SPRIG);
