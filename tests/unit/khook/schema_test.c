#include "khook/spec/schema.h"

#include "base/words.h"
#include "doc/parse.h"
#include "khook/spec/fields.h"
#include "support/test.h"

static void check_block(const struct doc_node *schema, const struct khook_table *table);

static bool lists(const struct doc_node *list, const char *word)
{
    struct doc_iter it = doc_children(list);

    while (doc_next(&it))
        if (str_eq(doc_text(it.value, STR_NONE), str_of(word)))
            return true;
    return false;
}

static long fewest(const struct khook_table *table, const struct khook_field *f)
{
    bool is_form = table->one_of && words_have(str_of(table->one_of), ' ', str_of(f->name));

    if (f->kind == KHOOK_TEXTS)
        return is_form ? 2 : 0;
    return f->kind == KHOOK_BLOCKS && (is_form || f->flags & KHOOK_NOT_EMPTY);
}

static void check_field(const struct doc_node *schema, const struct khook_table *table,
                        const struct khook_field *f)
{
    static const char *const types[] = {
        [KHOOK_TEXT] = "string",  [KHOOK_TIME] = "string",     [KHOOK_TEXTS] = "array",
        [KHOOK_BLOCK] = "object", [KHOOK_TEXT_MAP] = "object", [KHOOK_ANY_MAP] = "object",
        [KHOOK_BLOCKS] = "array", [KHOOK_BOOL] = "boolean",    [KHOOK_INT] = "integer",
        [KHOOK_WORD] = NULL,      [KHOOK_ANY] = NULL,
    };
    const struct doc_node *value = doc_get(doc_get_lit(schema, "properties"), str_of(f->name));
    const struct doc_node *type = doc_get_lit(value, "type");
    const struct doc_node *first = doc_item(doc_get_lit(value, "anyOf"), 0);
    bool is_required = lists(doc_get_lit(schema, "required"), f->name);

    if (!value)
        test_fail(__FILE__, __LINE__, "%s.%s is not in the schema", table->name, f->name);
    if (!type)
        type = doc_get_lit(first, "type");
    if (types[f->kind] && f->rule != KHOOK_RULE_CONST)
        CHECK_STR(doc_text(type, STR_NONE), str_of(types[f->kind]), f->name);
    if (f->kind == KHOOK_WORD)
        CHECK(lists(doc_get_lit(first, "enum"), f->words) || strchr(f->words, ' '));
    if (f->rule == KHOOK_RULE_CONST)
        CHECK_STR(doc_text(doc_get_lit(value, "const"), STR_NONE), str_of(f->words), f->name);
    CHECK_INT(is_required, (f->flags & (KHOOK_REQUIRED | KHOOK_CHECKED)) != 0, f->name);
    CHECK_INT(doc_int(doc_get_lit(value, "minItems"), 0), fewest(table, f), f->name);
    if (f->kind == KHOOK_BLOCK)
        check_block(value, khook_field_table(f));
    if (f->kind == KHOOK_BLOCKS)
        check_block(doc_get_lit(value, "items"), khook_field_table(f));
}

static void check_block(const struct doc_node *schema, const struct khook_table *table)
{
    size_t count = 0, choices = 0;

    for (; *table->fields[count].name; count++)
        check_field(schema, table, &table->fields[count]);
    CHECK_INT((long)doc_len(doc_get_lit(schema, "properties")), (long)count, table->name);
    CHECK(!doc_bool(doc_get_lit(schema, "additionalProperties"), true));
    for (const char *p = table->one_of; p; p = strchr(p + 1, ' '))
        choices++;
    CHECK_INT((long)doc_len(doc_get_lit(schema, "oneOf")), (long)choices, table->name);
}

TEST(the_schema_says_what_the_field_tables_say)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf out = {0};
    const struct doc_node *schema;

    khook_schema(&out);
    schema = doc_parse_json(set, buf_view(&out), "schema", &e);
    CHECK_OK(&e);
    CHECK_STR(doc_text(doc_get_lit(schema, "$id"), STR_NONE), STR(KHOOK_SCHEMA_ID), "$id");
    check_block(schema, &khook_table_root);
}
