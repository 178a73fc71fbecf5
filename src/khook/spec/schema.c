#include "khook/spec/schema.h"

#include "base/words.h"
#include "doc/emit.h"
#include "khook/spec/fields.h"

/* Where the author leaves the value to a variable, only the text "${…" is known. */
#define OR_REFERENCE "|\\$\\{"
#define REFERENCE "\\$\\{"
#define DURATION "^(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+$"

struct schema {
    struct doc_set *set;
};

static struct doc_node *put_map(struct schema *s, struct doc_node *map, const char *key)
{
    return doc_set_field(s->set, map, str_of(key), doc_new_map(s->set));
}

static struct doc_node *put_list(struct schema *s, struct doc_node *map, const char *key)
{
    return doc_set_field(s->set, map, str_of(key), doc_new_list(s->set));
}

static void put(struct schema *s, struct doc_node *map, const char *key, const char *text)
{
    doc_set_string(s->set, map, str_of(key), str_of(text));
}

static struct doc_node *add_map(struct schema *s, struct doc_node *list)
{
    return doc_append(list, doc_new_map(s->set));
}

static void add_words(struct schema *s, struct doc_node *list, const char *words)
{
    str rest = str_of(words);

    while (rest.len)
        doc_append(list, doc_new_string(s->set, str_cut(rest, ' ', &rest)));
}

/* ---- values */

static const char *pattern_of(enum khook_rule rule)
{
    switch (rule) {
    case KHOOK_RULE_STEP_NAME:
    case KHOOK_RULE_LABEL:
        return "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$" OR_REFERENCE;
    case KHOOK_RULE_SUBDOMAIN:
    case KHOOK_RULE_RELEASE:
        return "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$" OR_REFERENCE;
    case KHOOK_RULE_URL:
        return "^[Hh][Tt][Tt][Pp][Ss]?://[^/]" OR_REFERENCE;
    case KHOOK_RULE_LOCAL:
        return "^(\\./|\\.\\./|/)" OR_REFERENCE;
    case KHOOK_RULE_TYPE:
        return "^[^/]+(/[^/]+)?$" OR_REFERENCE;
    case KHOOK_RULE_TARGET:
        return "^[^/]+/[^/]+$" OR_REFERENCE;
    case KHOOK_RULE_ROLLOUT:
        return "^([Dd][Ee][Pp][Ll][Oo][Yy][Mm][Ee][Nn][Tt]|[Dd][Aa][Ee][Mm][Oo][Nn][Ss][Ee][Tt]|"
               "[Ss][Tt][Aa][Tt][Ee][Ff][Uu][Ll][Ss][Ee][Tt])/[^/]+$" OR_REFERENCE;
    case KHOOK_RULE_NONE:
    case KHOOK_RULE_CONST:
    case KHOOK_RULE_NOT_NEGATIVE:
    case KHOOK_RULE_POSITIVE:
    case KHOOK_RULE_LABELS:
    case KHOOK_RULE_FIELDS:
        break;
    }
    return NULL;
}

static void put_text(struct schema *s, struct doc_node *to, const struct khook_field *field)
{
    const char *pattern = pattern_of(field->rule);

    put(s, to, "type", "string");
    if (field->flags & KHOOK_REQUIRED)
        doc_set_int(s->set, to, STR("minLength"), 1);
    if (pattern)
        put(s, to, "pattern", pattern);
}

/* A type, or the text of a reference that will become one. */
static struct doc_node *put_or_reference(struct schema *s, struct doc_node *to)
{
    struct doc_node *any = put_list(s, to, "anyOf"), *first = add_map(s, any);
    struct doc_node *reference = add_map(s, any);

    put(s, reference, "type", "string");
    put(s, reference, "pattern", REFERENCE);
    return first;
}

static void put_block(struct schema *s, struct doc_node *to, const struct khook_table *table);

static void put_value(struct schema *s, struct doc_node *to, const struct khook_field *field)
{
    struct doc_node *inner;

    switch (field->kind) {
    case KHOOK_TEXT:
        if (field->rule == KHOOK_RULE_CONST)
            put(s, to, "const", field->words);
        else
            put_text(s, to, field);
        break;
    case KHOOK_WORD:
        add_words(s, put_list(s, put_or_reference(s, to), "enum"), field->words);
        break;
    case KHOOK_BOOL:
        put(s, put_or_reference(s, to), "type", "boolean");
        break;
    case KHOOK_INT:
        inner = put_or_reference(s, to);
        put(s, inner, "type", "integer");
        doc_set_int(s->set, inner, STR("minimum"), 0);
        break;
    case KHOOK_TIME:
        put(s, to, "type", "string");
        put(s, to, "pattern", DURATION OR_REFERENCE);
        break;
    case KHOOK_TEXTS:
        put(s, to, "type", "array");
        put(s, put_map(s, to, "items"), "type", "string");
        break;
    case KHOOK_TEXT_MAP:
        put(s, to, "type", "object");
        put(s, put_map(s, to, "additionalProperties"), "type", "string");
        break;
    case KHOOK_ANY_MAP:
        put(s, to, "type", "object");
        break;
    case KHOOK_ANY:
        add_words(s, put_list(s, to, "type"), "object array");
        break;
    case KHOOK_BLOCK:
        put_block(s, to, khook_field_table(field));
        break;
    case KHOOK_BLOCKS:
        put(s, to, "type", "array");
        put_block(s, put_map(s, to, "items"), khook_field_table(field));
        break;
    }
}

/* ---- blocks */

static void put_one_of(struct schema *s, struct doc_node *to, const char *names)
{
    struct doc_node *list = put_list(s, to, "oneOf");
    str rest = str_of(names);

    while (rest.len) {
        struct doc_node *choice = add_map(s, list);
        str name = str_cut(rest, ' ', &rest);

        doc_append(put_list(s, choice, "required"), doc_new_string(s->set, name));
    }
}

static void put_default(struct schema *s, struct doc_node *to, const struct khook_field *field)
{
    struct doc_node *value;
    int64_t number;

    if (!*field->fallback || field->flags & KHOOK_DERIVED)
        return;
    if (field->kind == KHOOK_BOOL)
        value = doc_new_bool(s->set, words_have(str_of(field->fallback), ' ', STR("true")));
    else if (field->kind == KHOOK_INT && str_to_int64(str_of(field->fallback), &number))
        value = doc_new_int(s->set, number);
    else
        value = doc_new_string(s->set, str_of(field->fallback));
    doc_set_field(s->set, to, STR("default"), value);
}

/* A list that is one of a block's forms is never empty: that form would then not be given. */
static void put_lengths(struct schema *s, struct doc_node *to, const struct khook_table *table,
                        const struct khook_field *f)
{
    bool is_form = table->one_of && words_have(str_of(table->one_of), ' ', str_of(f->name));

    if (f->kind == KHOOK_BLOCKS && (is_form || f->flags & KHOOK_NOT_EMPTY))
        doc_set_int(s->set, to, STR("minItems"), 1);
    if (f->kind == KHOOK_TEXTS && is_form) {
        doc_set_int(s->set, to, STR("minItems"), KHOOK_MIN_CONDITIONS);
        doc_set_int(s->set, to, STR("maxItems"), KHOOK_MAX_CONDITIONS);
    }
}

static void put_block(struct schema *s, struct doc_node *to, const struct khook_table *table)
{
    struct doc_node *properties, *required;

    put(s, to, "type", "object");
    properties = put_map(s, to, "properties");
    required = doc_new_list(s->set);
    for (const struct khook_field *f = table->fields; *f->name; f++) {
        struct doc_node *value = put_map(s, properties, f->name);

        put(s, value, "description", f->help);
        put_value(s, value, f);
        put_lengths(s, value, table, f);
        put_default(s, value, f);
        if (f->flags & (KHOOK_REQUIRED | KHOOK_CHECKED))
            doc_append(required, doc_new_string(s->set, str_of(f->name)));
    }
    if (doc_len(required))
        doc_set_field(s->set, to, STR("required"), required);
    if (table->one_of)
        put_one_of(s, to, table->one_of);
    doc_set_bool(s->set, to, STR("additionalProperties"), false);
}

void khook_schema(struct buf *out)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct schema s = {.set = set};
    struct doc_node *root = doc_new_map(set);

    put(&s, root, "$schema", "https://json-schema.org/draft/2020-12/schema");
    put(&s, root, "$id", KHOOK_SCHEMA_ID);
    put(&s, root, "title", "khook spec");
    put_block(&s, root, &khook_table_root);
    doc_emit_json(root, DOC_JSON_PRETTY, out);
    buf_add_char(out, '\n');
}
