/* x-kubernetes-validations: CEL rules of a CRD's schema. They are compiled when an object of the
 * kind is judged first, and kept with the definition. */
#include "sandbox/types/rules.h"

#include "re/re.h"

void sb_compiled_done(struct sb_compiled *c)
{
    struct map_iter it = {0};

    while (map_next(&c->patterns, &it))
        re_free(it.value);
    it = (struct map_iter){0};
    while (map_next(&c->rules, &it)) {
        struct sb_rules *rules = it.value;

        for (size_t i = 0; i < rules->len; i++) {
            cel_program_free(rules->v[i].program);
            cel_program_free(rules->v[i].message);
        }
    }
    map_done(&c->patterns);
    map_done(&c->rules);
    cel_env_free(c->env);
    arena_done(&c->arena);
    *c = (struct sb_compiled){0};
}

/* ---- compiling */

int sb_rule_declare(struct sb_compiled *c, const struct doc_node *schema, bool is_root,
                    bool is_optional, struct err *e)
{
    AUTO(buf_done) struct buf type = {0}, old = {0};

    if (!c->env)
        c->env = cel_env_new(CEL_STRICT | CEL_KUBERNETES, STR_NONE);
    if (!sb_rule_type(schema, is_root, &type))
        buf_add_cstr(&type, "dyn");
    buf_addf(&old, is_optional ? "optional_type(%s)" : "%s", buf_cstr(&type));
    if (cel_env_declare(c->env, STR("self"), buf_view(&type), e) < 0)
        return -1;
    return cel_env_declare(c->env, STR("oldSelf"), buf_view(&old), e);
}

bool sb_rule_uses_old(const struct doc_node *rule)
{
    return str_contains(doc_text(doc_get_lit(rule, "rule"), STR_NONE), STR("oldSelf"));
}

static struct sb_rule compile(struct sb_compiled *c, const struct doc_node *schema, bool is_root,
                              const struct doc_node *node)
{
    struct sb_rule rule = {.node = node, .uses_old = sb_rule_uses_old(node)};
    str message = doc_text(doc_get_lit(node, "messageExpression"), STR_NONE);
    AUTO(err_done) struct err e = {0};
    AUTO(err_done) struct err ignored = {0};

    rule.is_optional = doc_bool(doc_get_lit(node, "optionalOldSelf"), false);
    if (sb_rule_declare(c, schema, is_root, rule.is_optional, &e) < 0)
        return rule;
    rule.program = cel_compile(c->env, doc_text(doc_get_lit(node, "rule"), STR_NONE), NULL, &e);
    if (message.len)
        rule.message = cel_compile(c->env, message, NULL, &ignored);
    return rule;
}

static struct sb_rules *rules_of(struct sb_compiled *c, const struct doc_node *schema, bool is_root,
                                 const struct doc_node *list)
{
    str key = {(const char *)&schema, sizeof(schema)};
    struct sb_rules *rules = map_get(&c->rules, key);
    struct doc_iter it = doc_children(list);

    if (rules)
        return rules;
    rules = ARENA_NEW(&c->arena, struct sb_rules);
    rules->v = ARENA_ARRAY(&c->arena, struct sb_rule, doc_len(list));
    while (doc_next(&it))
        rules->v[rules->len++] = compile(c, schema, is_root, it.value);
    map_put(&c->rules, arena_dup(&c->arena, key), rules);
    return rules;
}

/* ---- running */

struct names {
    struct cel_value self, old;
    bool has_old;
};

static bool look_up(void *ctx, str name, struct cel_value *ret)
{
    const struct names *names = ctx;
    bool is_self = str_eq(name, STR("self"));

    if (!is_self && (!names->has_old || !str_eq(name, STR("oldSelf"))))
        return false;
    *ret = is_self ? names->self : names->old;
    return true;
}

struct run {
    struct sb_compiled *compiled;
    struct sb_causes *c;
    struct arena arena;
    struct buf path;
};

/* What a failed rule says: its messageExpression when that is a line, else its message. */
static str message_of(struct run *r, const struct sb_rule *rule, struct names *names)
{
    str text = doc_text(doc_get_lit(rule->node, "message"), STR_NONE);

    if (rule->message) {
        struct cel_value v = cel_eval(rule->message, look_up, names, &r->arena);

        if (v.kind == CEL_STRING && str_trim(v.s).len && str_find_char(v.s, '\n') < 0)
            return str_trim(v.s);
    }
    if (text.len)
        return text;
    return arena_printf(&r->arena, "failed rule: %.*s",
                        STR_ARG(str_trim(doc_text(doc_get_lit(rule->node, "rule"), STR_NONE))));
}

static void tell(struct run *r, const struct sb_rule *rule, const struct doc_node *schema,
                 struct names *names)
{
    str reason = doc_text(doc_get_lit(rule->node, "reason"), STR_NONE);
    str type = doc_text(doc_get_lit(schema, "type"), STR_NONE), message, at;
    size_t before = r->path.len;

    if (!sb_rule_path(schema, doc_text(doc_get_lit(rule->node, "fieldPath"), STR_NONE), &r->path))
        buf_trunc(&r->path, before);
    at = r->path.len ? buf_view(&r->path) : STR("<nil>");
    message = message_of(r, rule, names);
    if (str_eq(reason, STR("FieldValueForbidden")))
        sb_cause(r->c, "FieldValueForbidden", at, "Forbidden: %.*s", STR_ARG(message));
    else if (str_eq(reason, STR("FieldValueRequired")))
        sb_cause(r->c, "FieldValueRequired", at, "Required value: %.*s", STR_ARG(message));
    else if (str_eq(reason, STR("FieldValueDuplicate")))
        sb_cause(r->c, "FieldValueDuplicate", at, "Duplicate value: \"%.*s\"", STR_ARG(type));
    else
        sb_cause(r->c, "FieldValueInvalid", at, "Invalid value: \"%.*s\": %.*s", STR_ARG(type),
                 STR_ARG(message));
    buf_trunc(&r->path, before);
}

static void run_rule(struct run *r, const struct sb_rule *rule, const struct doc_node *schema,
                     struct names *names)
{
    struct cel_value v;
    str type = doc_text(doc_get_lit(schema, "type"), STR_NONE);
    str what = doc_text(doc_get_lit(rule->node, "message"),
                        str_trim(doc_text(doc_get_lit(rule->node, "rule"), STR_NONE)));

    v = cel_eval(rule->program, look_up, names, &r->arena);
    if (v.kind == CEL_ERROR)
        sb_cause(r->c, "FieldValueInvalid", r->path.len ? buf_view(&r->path) : STR("<nil>"),
                 "Invalid value: \"%.*s\": %.*s evaluating rule: %.*s", STR_ARG(type),
                 STR_ARG(v.error->text), STR_ARG(what));
    else if (v.kind != CEL_BOOL || !v.b)
        tell(r, rule, schema, names);
}

/* The rules of one schema at one value. What did not change was judged before, but for rules that
 * ask for the change. */
static void run_rules(struct run *r, const struct doc_node *schema, const struct doc_node *n,
                      const struct doc_node *old, const struct doc_node *list)
{
    bool is_root = r->path.len == 0;
    const struct sb_rules *rules = rules_of(r->compiled, schema, is_root, list);
    bool is_same = old && !is_root && doc_equal(old, n);
    struct cel_value was = {.kind = CEL_NULL};
    struct names names = {.self = sb_rule_value(&r->arena, schema, is_root, n, NULL)};

    if (old)
        was = sb_rule_value(&r->arena, schema, is_root, old, n);
    for (size_t i = 0; i < rules->len; i++) {
        const struct sb_rule *rule = &rules->v[i];

        if (!rule->program || (rule->uses_old && !old && !rule->is_optional) ||
            (!rule->uses_old && is_same))
            continue;
        names.has_old = rule->uses_old;
        names.old = rule->is_optional ? cel_optional_of(&r->arena, old ? &was : NULL) : was;
        run_rule(r, rule, schema, &names);
    }
}

static void walk(struct run *r, const struct doc_node *schema, const struct doc_node *n,
                 const struct doc_node *old)
{
    const struct doc_node *list = doc_get_lit(schema, "x-kubernetes-validations");
    bool is_list = doc_is_list(n), is_keyed;
    struct doc_iter it = doc_children(n);
    size_t before = r->path.len;

    if (doc_is_null(n))
        return;
    if (doc_len(list))
        run_rules(r, schema, n, old, list);
    is_keyed =
        str_eq(doc_text(doc_get_lit(schema, "x-kubernetes-list-type"), STR_NONE), STR("map"));
    for (size_t i = 0; doc_next(&it); i++) {
        const struct doc_node *s =
            is_list ? doc_get_lit(schema, "items") : sb_schema_below(schema, it.key);
        const struct doc_node *past = NULL;

        if (!s)
            continue;
        if (!is_list)
            past = doc_is_map(old) ? doc_get(old, it.key) : NULL;
        else if (is_keyed)
            past = sb_schema_same_item(doc_get_lit(schema, "x-kubernetes-list-map-keys"), old,
                                       it.value);
        if (is_list)
            buf_addf(&r->path, "[%zu]", i);
        else if (doc_get(doc_get_lit(schema, "properties"), it.key))
            buf_addf(&r->path, "%s%.*s", before ? "." : "", STR_ARG(it.key));
        else
            buf_addf(&r->path, "[%.*s]", STR_ARG(it.key));
        walk(r, s, it.value, past);
        buf_trunc(&r->path, before);
    }
}

void sb_rules_check(struct sb_compiled *compiled, const struct doc_node *schema,
                    const struct doc_node *object, const struct doc_node *old, struct sb_causes *c)
{
    struct run r = {.compiled = compiled, .c = c};

    walk(&r, schema, object, old);
    buf_done(&r.path);
    arena_done(&r.arena);
}
