/* Two JSON texts divided by an empty line: a schema and a value. Judging with and without messages
 * agrees, and a verdict of "invalid" names a problem. */
#include "doc/parse.h"
#include "expr/schema/schema.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(schema_free) struct schema *schema = NULL;
    AUTO(schema_problems_done) struct schema_problems problems = {0};
    struct schema_options options = {.draft = size ? data[0] % 5 : SCHEMA_DRAFT_2020,
                                     .formats = SCHEMA_FORMATS_ALL};
    str text = {(const char *)data, size};
    ssize_t half = str_find(text, STR("\n\n"));
    const struct doc_node *root, *value;
    bool is_valid, is_quietly_valid;

    if (half < 0)
        return 0;
    root = doc_parse_json(set, str_sub(text, 0, (size_t)half), "schema", &e);
    value = root ? doc_parse_json(set, str_from(text, (size_t)half + 2), "value", &e) : NULL;
    schema = value ? schema_compile(root, &options, &e) : NULL;
    if (!schema || schema_check(schema, value, &problems, &is_valid, &e) < 0)
        return 0;
    assert(is_valid == (problems.all.len == 0));
    if (schema_check(schema, value, NULL, &is_quietly_valid, &e) == 0)
        assert(is_valid == is_quietly_valid);
    return 0;
}
