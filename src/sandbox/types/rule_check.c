/* Mistakes in the rules themselves, told when the definition is written. What rules may cost is not
 * estimated. */
#include "sandbox/types/rules.h"

/* The rule as upstream prints it in front of what is wrong with it: Go's JSON, which writes <, >
 * and & as escapes. */
static str printed(const struct doc_node *rule, struct arena *arena)
{
    static const struct {
        const char *name, *key;
        bool is_pointer;
    } fields[] = {{"Rule", "rule", false},
                  {"Message", "message", false},
                  {"MessageExpression", "messageExpression", false},
                  {"Reason", "reason", true},
                  {"FieldPath", "fieldPath", false},
                  {"OptionalOldSelf", "optionalOldSelf", true}};
    AUTO(buf_done) struct buf out = {0};

    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        const struct doc_node *value = doc_get(rule, str_of(fields[i].key));

        buf_addf(&out, "%s\"%s\":", i ? "," : "{", fields[i].name);
        if (value)
            doc_emit_json(value, DOC_JSON_HTML, &out);
        else
            buf_add_cstr(&out, fields[i].is_pointer ? "null" : "\"\"");
    }
    buf_add_char(&out, '}');
    return arena_dup(arena, buf_view(&out));
}

struct place { /* of one rule */
    struct sb_causes *c;
    str path; /* with [index] */
    const struct doc_node *rule;
};

static void tell(const struct place *p, const char *reason, const char *field, const char *fmt, ...)
    PRINTF(4, 5);
static void tell(const struct place *p, const char *reason, const char *field, const char *fmt, ...)
{
    AUTO(buf_done) struct buf text = {0}, at = {0};
    va_list args;

    va_start(args, fmt);
    buf_addv(&text, fmt, args);
    va_end(args);
    buf_addf(&at, "%.*s.%s", STR_ARG(p->path), field);
    sb_cause(p->c, reason, buf_view(&at), "%s", buf_cstr(&text));
}

static bool is_blank(str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!strchr(" \t\n\r", s.p[i]))
            return false;
    return true;
}

static void check_texts(const struct place *p, const struct doc_node *schema)
{
    static const char reasons[] = "\"FieldValueDuplicate\", \"FieldValueForbidden\", "
                                  "\"FieldValueInvalid\", \"FieldValueRequired\"";
    const struct doc_node *message = doc_get_lit(p->rule, "message");
    str rule = doc_text(doc_get_lit(p->rule, "rule"), STR_NONE);
    str path = doc_text(doc_get_lit(p->rule, "fieldPath"), STR_NONE);
    str reason = doc_text(doc_get_lit(p->rule, "reason"), STR_NONE);
    AUTO(buf_done) struct buf quoted = {0}, ignored = {0};

    doc_json_quote(reason, 0, &quoted);
    if (reason.len && !str_contains(str_of(reasons), buf_view(&quoted)))
        tell(p, "FieldValueNotSupported", "reason", "Unsupported value: %s: supported values: %s",
             buf_cstr(&quoted), reasons);
    buf_clear(&quoted);
    doc_json_quote(doc_text(message, STR_NONE), 0, &quoted);
    if (message && doc_text(message, STR_NONE).len && is_blank(doc_text(message, STR_NONE)))
        tell(p, "FieldValueInvalid", "message", "Invalid value: %s: must be non-empty if specified",
             buf_cstr(&quoted));
    else if (str_find_char(doc_text(message, STR_NONE), '\n') >= 0)
        tell(p, "FieldValueInvalid", "message", "Invalid value: %s: must not contain line breaks",
             buf_cstr(&quoted));
    else if (!doc_text(message, STR_NONE).len && str_find_char(rule, '\n') >= 0 && !is_blank(rule))
        tell(p, "FieldValueRequired", "message",
             "Required value: message must be specified if rule contains line breaks");
    buf_clear(&quoted);
    doc_json_quote(path, 0, &quoted);
    if (path.len && !sb_rule_path(schema, path, &ignored))
        tell(p, "FieldValueInvalid", "fieldPath", "Invalid value: %s: must be a valid path",
             buf_cstr(&quoted));
}

static void check_program(const struct place *p, struct sb_compiled *compiled, const char *field,
                          const char *prefix)
{
    AUTO(buf_done) struct buf type = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(cel_program_free)
    struct cel_program *program =
        cel_compile(compiled->env, doc_text(doc_get(p->rule, str_of(field)), STR_NONE), NULL, &e);
    bool is_rule = strcmp(field, "rule") == 0;
    str text = printed(p->rule, &p->c->arena);

    if (!program) {
        tell(p, "FieldValueInvalid", field, "Invalid value: %.*s: %scompilation failed: %s",
             STR_ARG(text), prefix, err_text(&e));
        return;
    }
    cel_program_type(program, &type);
    if (str_eq(buf_view(&type), is_rule ? STR("bool") : STR("string")))
        return;
    tell(p, "FieldValueInvalid", field, "Invalid value: %.*s: %s", STR_ARG(text),
         is_rule ? "cel expression must evaluate to a bool"
                 : "messageExpression must evaluate to a string");
}

static void check_expressions(const struct place *p, struct sb_compiled *compiled,
                              const struct doc_node *schema, bool is_root)
{
    const struct doc_node *message = doc_get_lit(p->rule, "messageExpression");
    bool is_optional = doc_bool(doc_get_lit(p->rule, "optionalOldSelf"), false);
    AUTO(err_done) struct err e = {0};

    if (is_blank(doc_text(doc_get_lit(p->rule, "rule"), STR_NONE))) {
        tell(p, "FieldValueRequired", "rule", "Required value: rule is not specified");
        return;
    }
    if (sb_rule_declare(compiled, schema, is_root, is_optional, &e) < 0)
        return;
    check_program(p, compiled, "rule", "");
    if (message && doc_text(message, STR_NONE).len && is_blank(doc_text(message, STR_NONE)))
        tell(p, "FieldValueRequired", "messageExpression",
             "Required value: messageExpression must be non-empty if specified");
    else if (doc_text(message, STR_NONE).len)
        check_program(p, compiled, "messageExpression", "messageExpression ");
    if (is_optional && !sb_rule_uses_old(p->rule))
        tell(p, "FieldValueInvalid", "optionalOldSelf",
             "Invalid value: true: may not be set if oldSelf is not used in rule");
}

/* The list above a schema that has no past, by its path. */
static void check_past(const struct place *p, str uncorrelated)
{
    AUTO(buf_done) struct buf quoted = {0};

    if (!uncorrelated.len || !sb_rule_uses_old(p->rule))
        return;
    doc_json_quote(doc_text(doc_get_lit(p->rule, "rule"), STR_NONE), 0, &quoted);
    tell(p, "FieldValueInvalid", "rule",
         "Invalid value: %s: oldSelf cannot be used on the uncorrelatable portion of the schema "
         "within %.*s",
         buf_cstr(&quoted), STR_ARG(uncorrelated));
}

void sb_rules_validate(struct sb_compiled *compiled, const struct doc_node *schema, str path,
                       bool is_root, str uncorrelated, struct sb_causes *c)
{
    struct doc_iter it = doc_children(doc_get_lit(schema, "x-kubernetes-validations"));

    for (size_t i = 0; doc_next(&it); i++) {
        AUTO(buf_done) struct buf at = {0};
        struct place p = {.c = c, .rule = it.value};

        buf_addf(&at, "%.*s.x-kubernetes-validations[%zu]", STR_ARG(path), i);
        p.path = buf_view(&at);
        check_texts(&p, schema);
        check_expressions(&p, compiled, schema, is_root);
        check_past(&p, uncorrelated);
    }
}
