#include "expr/schema/schema.h"

#include "doc/parse.h"
#include "support/test.h"

static struct schema *compiled(struct doc_set *set, const char *text, struct err *e)
{
    AUTO(err_done) struct err bad = {0};
    struct schema_options options = {.draft = SCHEMA_DRAFT_2020};
    struct doc_node *root = doc_parse_json(set, str_of(text), "schema", &bad);

    CHECK_OK(&bad);
    return schema_compile(root, &options, e);
}

/* The problems of a value, a line each. */
static void check_problems(const char *schema_text, const char *value_text, const char *want)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(schema_free) struct schema *schema = compiled(set, schema_text, &e);
    AUTO(schema_problems_done) struct schema_problems problems = {0};
    AUTO(buf_done) struct buf got = {0};
    bool is_valid = false, is_quietly_valid = false;

    CHECK_OK(&e);
    if (schema) {
        struct doc_node *value = doc_parse_json(set, str_of(value_text), "value", &e);

        CHECK(schema_check(schema, value, &problems, &is_valid, &e) == 0);
        CHECK(schema_check(schema, value, NULL, &is_quietly_valid, &e) == 0);
    }
    CHECK_INT(is_valid, is_quietly_valid, schema_text);
    CHECK_INT(is_valid, problems.all.len == 0, schema_text);
    schema_problems_print(&problems, &got);
    CHECK_STR(buf_view(&got), str_of(want), schema_text);
}

TEST(schema_says_what_is_wrong_and_where)
{
    static const char *const rows[][3] = {
        {"{\"type\":[\"integer\",\"null\"]}", "\"x\"",
         "- at '': got string, want null or integer\n"},
        {"{\"enum\":[\"a\",2]}", "true", "- at '': value must be one of 'a', 2\n"},
        {"{\"const\":{\"a\":1}}", "1", "- at '': 'const' failed\n"},
        {"{\"required\":[\"a\",\"b\"]}", "{}", "- at '': missing properties 'a', 'b'\n"},
        {"{\"properties\":{\"a/b\":{\"items\":{\"minimum\":3}}}}", "{\"a/b\":[5,1]}",
         "- at '/a~1b/1': minimum: got 1, want 3\n"},
        {"{\"properties\":{\"a\":true},\"additionalProperties\":false}",
         "{\"x\":1,\"a\":2,\"y\":3}", "- at '': additional properties 'x', 'y' not allowed\n"},
        {"{\"pattern\":\"^[a-z]+$\",\"maxLength\":1}", "\"AB\"",
         "- at '': maxLength: got 2, want 1\n- at '': 'AB' does not match pattern '^[a-z]+$'\n"},
        {"{\"anyOf\":[{\"type\":\"string\"},{\"minimum\":9}]}", "3",
         "- at '': 'anyOf' failed\n  - at '': got number, want string\n"
         "  - at '': minimum: got 3, want 9\n"},
        {"{\"oneOf\":[{},{\"type\":\"integer\"}]}", "3",
         "- at '': 'oneOf' failed, subschemas 0, 1 matched\n"},
        {"{\"uniqueItems\":true}", "[{\"a\":1},2,{\"a\":1.0}]",
         "- at '': items at 0 and 2 are equal\n"},
        {"{\"dependentRequired\":{\"a\":[\"b\"]}}", "{\"a\":1}",
         "- at '': properties 'b' required, if 'a' exists\n"},
        {"{\"multipleOf\":0.0001}", "0.00751", "- at '': multipleOf: got 0.00751, want 0.0001\n"},
        {"{\"multipleOf\":0.0001}", "0.0075", ""},
        {"{\"multipleOf\":1e-200}", "1e200", "- at '': multipleOf: got 1×10²⁰⁰, want 1×10⁻²⁰⁰\n"},
        {"{\"multipleOf\":0.5}", "1e200", ""},
        {"{\"multipleOf\":1e200}", "3e200", ""},
        {"{\"multipleOf\":1e200}", "0.5", "- at '': multipleOf: got 0.5, want 1×10²⁰⁰\n"},
        {"{\"$ref\":\"#/$defs/p\",\"$defs\":{\"p\":{\"maximum\":65535}}}", "65536",
         "- at '': maximum: got 65,536, want 65,535\n"},
        {"{\"enum\":[1,[2]]}", "3", "- at '': 'enum' failed\n"},
        {"{\"enum\":[null,1.50]}", "3", "- at '': value must be one of <nil>, 1.50\n"},
        {"{\"not\":{\"type\":\"integer\"},\"allOf\":[{\"minimum\":4},true]}", "3",
         "- at '': 'not' failed\n- at '': 'allOf' failed\n  - at '': minimum: got 3, want 4\n"},
        {"{\"oneOf\":[false,{\"type\":\"null\"}]}", "3",
         "- at '': 'oneOf' failed, none matched\n  - at '': false schema\n"
         "  - at '': got number, want null\n"},
        {"{\"type\":\"string\",\"const\":1,\"minimum\":9}", "3",
         "- at '': got number, want string\n"},
        {"{\"items\":{\"minimum\":1e6,\"multipleOf\":1234}}", "[-1000]",
         "- at '/0': minimum: got -1,000, want 1×10⁰⁶\n- at '/0': multipleOf: got -1,000, want "
         "1,234\n"},
        {"{\"dependentSchemas\":{\"a\":{\"required\":[\"b\"],\"minProperties\":2}}}", "{\"a\":1}",
         "- at '': minProperties: got 1, want 2\n- at '': missing property 'b'\n"},
        {"{\"$ref\":\"#/$defs/p\",\"$defs\":{\"p\":{\"minLength\":2,\"pattern\":\"'\"}}}",
         "\"\\\"\"",
         "- at '': validation failed\n  - at '': minLength: got 1, want 2\n"
         "  - at '': '\"' does not match pattern '\\''\n"},
        {"{\"items\":{\"minimum\":4,\"multipleOf\":2}}", "[3,1.0]",
         "- at '/0': validation failed\n  - at '/0': minimum: got 3, want 4\n"
         "  - at '/0': multipleOf: got 3, want 2\n- at '/1': validation failed\n"
         "  - at '/1': minimum: got 1, want 4\n  - at '/1': multipleOf: got 1, want 2\n"},
        {"{\"propertyNames\":{\"maxLength\":0}}", "{\"a\":1}",
         "- at '': invalid propertyName 'a'\n  - at '': maxLength: got 1, want 0\n"},
        {"{\"contains\":{\"const\":1},\"minContains\":2}", "[1,2]",
         "- at '': min 2 items required to match contains schema, but matched 1 items at 0\n"
         "  - at '/1': value must be 1\n"},
        {"{\"contains\":{\"const\":1},\"maxContains\":1}", "[1,2,1]",
         "- at '': max 1 items required to match contains schema, but matched 2 items at 0 2\n"},
        {"{\"minItems\":12345,\"uniqueItems\":true,\"prefixItems\":[{\"type\":\"null\"}]}", "[1,1]",
         "- at '': minItems: got 2, want 12,345\n- at '': items at 0 and 1 are equal\n"
         "- at '/0': got number, want null\n"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        check_problems(rows[i][0], rows[i][1], rows[i][2]);
}

TEST(schema_that_cannot_be_compiled_says_why)
{
    static const char *const rows[][2] = {
        {"3", "a schema must be an object or a boolean"},
        {"{\"type\":\"text\"}", "type: \"text\" is no type"},
        {"{\"properties\":{\"a\":{\"pattern\":\"(\"}}}",
         "properties/a: pattern: error parsing regexp: missing closing ): `(`"},
        {"{\"$ref\":\"#/$defs/none\"}", "json-pointer in \"schema:/root#/$defs/none\" not found"},
        {"{\"$ref\":\"#none\"}",
         "anchor in \"schema:/root#none\" not found in schema \"schema:/root\""},
        {"{\"items\":{\"$ref\":\"other.json\"}}", "items: $ref: no schema is known at "
                                                  "\"schema:/other.json\""},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        AUTO(schema_free) struct schema *schema = compiled(set, rows[i][0], &e);

        CHECK(!schema);
        CHECK_STR(str_of(err_text(&e)), str_of(rows[i][1]), rows[i][0]);
    }
}

/* The message of a schema that its metaschema refuses; nothing when it does not. */
static void check_refused(const char *text, const char *want)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct schema_options options = {
        .draft = SCHEMA_DRAFT_2020, .is_checked = true, .base = STR("file:///s")};
    AUTO(schema_free)
    struct schema *schema =
        schema_compile(doc_parse_json(set, str_of(text), "schema", &e), &options, &e);
    str got = str_of(schema ? "" : err_text(&e));

    str_drop_prefix(&got, STR("\"file:///s#\" is not valid against metaschema: jsonschema "
                              "validation failed with "));
    CHECK_STR(got, str_of(want), text);
}

TEST(schema_is_judged_by_the_metaschema_of_its_draft)
{
#define DRAFT(uri) "{\"$schema\":\"" uri "\","
    static const char *const rows[][2] = {
        {DRAFT("http://json-schema.org/draft-04/schema#") "\"not\":true}",
         "'http://json-schema.org/draft-04/schema#'\n- at '/not': got boolean, want object"},
        {DRAFT("http://json-schema.org/draft-04/schema") "\"additionalProperties\":false}", ""},
        {DRAFT("http://json-schema.org/draft-06/schema#") "\"enum\":[1,1.0]}",
         "'http://json-schema.org/draft-06/schema#'\n- at '/enum': items at 0 and 1 are equal"},
        {DRAFT("http://json-schema.org/draft-07/schema#") "\"enum\":[1,1],\"not\":true}",
         "'http://json-schema.org/draft-07/schema#'\n- at '/enum': items at 0 and 1 are equal"},
        {DRAFT("https://json-schema.org/draft/2019-09/schema") "\"enum\":[1,1]}", ""},
        {DRAFT("http://json-schema.org/draft-07/schema#") "\"pattern\":\"(\"}",
         "'http://json-schema.org/draft-07/schema#'\n- at '/pattern': '(' is not valid regex: "
         "error parsing regexp: missing closing ): `(`"},
        {"{\"items\":{\"minItems\":-1}}",
         "'https://json-schema.org/draft/2020-12/schema#'\n- at '': 'allOf' failed\n"
         "  - at '/items': 'allOf' failed\n    - at '/items/minItems': minimum: got -1, want 0"},
        {"3", "'https://json-schema.org/draft/2020-12/schema#'\n"
              "- at '': got number, want boolean or object"},
        {"{\"$schema\":\"http://example.com/own\",\"not\":3}",
         "not: a schema must be an object or a boolean"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        check_refused(rows[i][0], rows[i][1]);
}

TEST(schema_that_refers_to_itself_without_end_is_stopped)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(schema_free)
    struct schema *schema = compiled(
        set, "{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"allOf\":[{\"$ref\":\"#\"}]}}}", &e);
    bool is_valid;

    CHECK_OK(&e);
    CHECK(schema && schema_check(schema, doc_new_int(set, 1), NULL, &is_valid, &e) < 0);
    CHECK_INT(e.kind, ERR_LIMIT, "kind");
}

TEST(schema_chain_of_many_references_is_refused)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf text = {0};
    AUTO(schema_free) struct schema *schema = NULL;

    buf_add_cstr(&text, "{\"$ref\":\"#/$defs/0\",\"$defs\":{");
    for (int i = 0; i < 100000; i++)
        buf_addf(&text, "\"%d\":{\"$ref\":\"#/$defs/%d\"},", i, i + 1);
    buf_add_cstr(&text, "\"100000\":true}}");
    schema = compiled(set, buf_cstr(&text), &e);
    CHECK(!schema);
    CHECK_INT(e.kind, ERR_LIMIT, "kind");
}

TEST(schema_leaves_then_without_if_alone)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(schema_free)
    struct schema *schema =
        compiled(set, "{\"then\":{\"$ref\":\"#/nope\"},\"else\":{\"$ref\":\"#/nope\"}}", &e);

    CHECK_OK(&e);
    CHECK(schema);
}

TEST(schema_knows_integers_of_draft_4_by_text_or_by_value)
{
    for (int i = 0; i < 2; i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        struct schema_options options = {.draft = SCHEMA_DRAFT_4, .takes_doubles = i};
        AUTO(schema_free)
        struct schema *schema = schema_compile(
            doc_parse_json(set, STR("{\"type\":\"integer\"}"), "schema", &e), &options, &e);
        bool is_valid = false;

        CHECK_OK(&e);
        CHECK(schema_check(schema, doc_parse_json(set, STR("3.0"), "value", &e), NULL, &is_valid,
                           &e) == 0);
        CHECK_INT(is_valid, i, "3.0");
    }
}
