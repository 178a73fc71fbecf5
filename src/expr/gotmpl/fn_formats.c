/* YAML, JSON and TOML of charts (template spec 15.3). */
#include "expr/gotmpl/fn_priv.h"
#include "expr/gotmpl/format_priv.h"

static int to_yaml(struct tmpl_call *c, bool pretty, bool must, struct tmpl_value *ret)
{
    struct buf *b = trun_borrow(c->run);
    const char *why;

    if (format_yaml(c->run, c->args[0], pretty, b, &why))
        return ret_text(c, b, ret);
    trun_give(c->run, b);
    *ret = tmpl_string(STR(""));
    return !must ? 0
           : str_starts(str_of(why), STR("json: "))
               ? call_fail(c, "error marshaling into JSON: %s", why)
               : call_fail(c, "%s", why);
}

static int f_to_yaml(struct tmpl_call *c, struct tmpl_value *ret)
{
    return to_yaml(c, false, false, ret);
}

static int f_must_to_yaml(struct tmpl_call *c, struct tmpl_value *ret)
{
    return to_yaml(c, false, true, ret);
}

static int f_to_yaml_pretty(struct tmpl_call *c, struct tmpl_value *ret)
{
    return to_yaml(c, true, false, ret);
}

/* What Go's JSON says of a value where a map or list is wanted; empty when it is one. */
static void check_kind(struct tmpl_value v, enum tmpl_type want, struct buf *why)
{
    static const char names[][7] = {
        [TMPL_BOOL] = "bool",    [TMPL_INT] = "number",    [TMPL_INT64] = "number",
        [TMPL_FLOAT] = "number", [TMPL_STRING] = "string", [TMPL_LIST] = "array",
        [TMPL_MAP] = "object",   [TMPL_OBJECT] = "object"};

    if (v.type != want && !tmpl_is_nil(v))
        buf_addf(why, "json: cannot unmarshal %s into Go value of type %s", names[v.type],
                 want == TMPL_MAP ? "map[string]interface {}" : "[]interface {}");
}

/* The value, or a map {"Error": why} or list [why]. */
static int ret_kind(struct tmpl_call *c, struct tmpl_value v, enum tmpl_type want,
                    const struct buf *why, struct tmpl_value *ret)
{
    struct tmpl_value *items;
    struct tmpl_map *map;

    *ret = v;
    if (!why->len && !tmpl_is_nil(v))
        return 0;
    if (want == TMPL_LIST) {
        items = trun_array(c->run, 1);
        items[0] = trun_string(c->run, why);
        return ret_list(ret, TMPL_ANY, items, why->len ? 1 : 0);
    }
    map = tmpl_map_new(&c->run->arena, TMPL_ANY);
    if (why->len)
        tmpl_map_set(map, STR("Error"), trun_string(c->run, why));
    *ret = tmpl_map_value(map);
    return 0;
}

static int from_yaml(struct tmpl_call *c, enum tmpl_type want, struct tmpl_value *ret)
{
    AUTO(buf_done) struct buf why = {0}, kind = {0};
    struct tmpl_value v;

    if (parse_yaml(c->run, arg_text(c, 0), &v, &why)) {
        check_kind(v, want, &kind);
        if (kind.len)
            buf_addf(&why, "error unmarshaling JSON: while decoding JSON: %s", buf_cstr(&kind));
    }
    return ret_kind(c, v, want, &why, ret);
}

static int f_from_yaml(struct tmpl_call *c, struct tmpl_value *ret)
{
    return from_yaml(c, TMPL_MAP, ret);
}

static int f_from_yaml_array(struct tmpl_call *c, struct tmpl_value *ret)
{
    return from_yaml(c, TMPL_LIST, ret);
}

static int from_json(struct tmpl_call *c, enum tmpl_type want, struct tmpl_value *ret)
{
    AUTO(buf_done) struct buf why = {0};
    const struct doc_node *n = parse_json(c->run, arg_text(c, 0), &why);
    struct tmpl_value v = tmpl_doc(n, false);

    if (n)
        check_kind(v, want, &why);
    return ret_kind(c, v, want, &why, ret);
}

static int f_from_json(struct tmpl_call *c, struct tmpl_value *ret)
{
    return from_json(c, TMPL_MAP, ret);
}

static int f_from_json_array(struct tmpl_call *c, struct tmpl_value *ret)
{
    return from_json(c, TMPL_LIST, ret);
}

static int to_toml(struct tmpl_call *c, bool must, struct tmpl_value *ret)
{
    AUTO(buf_done) struct buf why = {0};
    struct buf *b;

    if (tmpl_is_nil(c->args[0])) /* upstream panics */
        return call_fail(c, "reflect: call of reflect.Value.Type on zero Value");
    b = trun_borrow(c->run);
    if (format_toml(c->run, c->args[0], b, &why))
        return ret_text(c, b, ret);
    trun_give(c->run, b);
    *ret = trun_string(c->run, &why); /* the message is the result */
    return must ? call_fail(c, "%s", buf_cstr(&why)) : 0;
}

static int f_to_toml(struct tmpl_call *c, struct tmpl_value *ret) { return to_toml(c, false, ret); }
static int f_must_to_toml(struct tmpl_call *c, struct tmpl_value *ret)
{
    return to_toml(c, true, ret);
}

static int f_from_toml(struct tmpl_call *c, struct tmpl_value *ret)
{
    AUTO(buf_done) struct buf why = {0};
    struct tmpl_value v = TMPL_NOTHING;

    parse_toml(c->run, arg_text(c, 0), &v, &why);
    return ret_kind(c, v, TMPL_MAP, &why, ret);
}

static void add_rows(struct func_rows *to)
{
    func_add(to, "toYaml", "A", f_to_yaml, 0, "As YAML without a line end; empty when that fails",
             "{{ dict \"a\" (list 1) | toYaml }}", "a:\n- 1");
    func_add(to, "mustToYaml", "A", f_must_to_yaml, 0, "As YAML without a line end",
             "{{ dict \"a\" 1 | mustToYaml }}", "a: 1");
    func_add(to, "toYamlPretty", "A", f_to_yaml_pretty, 0,
             "As YAML with lists indented under their keys",
             "{{ dict \"a\" (list 1) | toYamlPretty }}", "a:\n  - 1");
    func_add(to, "fromYaml", "S", f_from_yaml, 0,
             "The map of a YAML text; its member Error tells what is wrong",
             "{{ (fromYaml \"a: 1\").a }}", "1");
    func_add(to, "fromYamlArray", "S", f_from_yaml_array, 0,
             "The list of a YAML text; its only item tells what is wrong",
             "{{ fromYamlArray \"- 1\" }}", "[1]");
    func_add(to, "fromJson", "S", f_from_json, 0,
             "The map of a JSON text; its member Error tells what is wrong",
             "{{ (fromJson \"{\\\"a\\\":1}\").a }}", "1");
    func_add(to, "fromJsonArray", "S", f_from_json_array, 0,
             "The list of a JSON text; its only item tells what is wrong",
             "{{ fromJsonArray \"[1]\" }}", "[1]");
    func_add(to, "toToml", "A", f_to_toml, 0, "As TOML; what is wrong, as the text",
             "{{ dict \"a\" 1 | toToml }}", "a = 1\n");
    func_add(to, "mustToToml", "A", f_must_to_toml, 0, "As TOML",
             "{{ dict \"a\" \"x\" | mustToToml }}", "a = \"x\"\n");
    func_add(to, "fromToml", "S", f_from_toml, 0,
             "The map of a TOML text; its member Error tells what is wrong",
             "{{ (fromToml \"a = 1\").a }}", "1");
}
FUNC_GROUP(func_formats, "YAML, JSON, TOML", add_rows, IN_CHART);

static void add_operator_rows(struct func_rows *to)
{
    func_add(to, "toYaml", "A", f_to_yaml, 0, "As YAML without a line end; empty when that fails",
             "{{ dict \"a\" (list 1) | toYaml }}", "a:\n- 1");
}
FUNC_GROUP(func_operator_formats, "YAML", add_operator_rows, IN_OPERATOR);
