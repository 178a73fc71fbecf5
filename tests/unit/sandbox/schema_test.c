/* Schemas of custom resources: what kube-apiserver 1.34 said to the same objects and definitions.
 */
#include "unit/sandbox/api.h"

#define DEFINITIONS "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
#define THINGS "/apis/ex.com/v1/namespaces/default/things"
#define THING \
    "{\"apiVersion\":\"ex.com/v1\",\"kind\":\"Thing\",\"metadata\":{\"name\":\"x\"},\"spec\":{"
#define HEAD                                                    \
    "apiVersion: apiextensions.k8s.io/v1\n"                     \
    "kind: CustomResourceDefinition\n"                          \
    "metadata: {name: things.ex.com}\n"                         \
    "spec:\n"                                                   \
    "  group: ex.com\n"                                         \
    "  scope: Namespaced\n"                                     \
    "  names: {plural: things, singular: thing, kind: Thing}\n" \
    "  versions:\n"                                             \
    "  - name: v1\n"                                            \
    "    served: true\n"                                        \
    "    storage: true\n"                                       \
    "    subresources: {status: {}}\n"                          \
    "    schema:\n"                                             \
    "      openAPIV3Schema:\n"                                  \
    "        type: object\n"                                    \
    "        properties:\n"                                     \
    "          spec:\n"                                         \
    "            type: object\n"

static const char values[] = HEAD
    "            maxProperties: 3\n"
    "            properties:\n"
    "              pat: {type: string, pattern: '^[a-z]+$'}\n"
    "              least: {type: string, minLength: 3}\n"
    "              most: {type: string, maxLength: 3}\n"
    "              above: {type: number, minimum: 1, exclusiveMinimum: true}\n"
    "              below: {type: number, maximum: 10.5, exclusiveMaximum: true}\n"
    "              mult: {type: number, multipleOf: 2.5}\n"
    "              items: {type: array, minItems: 2, maxItems: 3, items: {type: integer}}\n"
    "              uniq: {type: array, x-kubernetes-list-type: set, items: {type: string}}\n"
    "              props: {type: object, minProperties: 1, maxProperties: 2,\n"
    "                additionalProperties: {type: string}}\n"
    "              few: {type: integer, enum: [1, 2]}\n"
    "              when: {type: string, format: date-time}\n"
    "              v4: {type: string, format: ipv4}\n"
    "              cidr: {type: string, format: cidr}\n"
    "              dur: {type: string, format: duration}\n"
    "              byte: {type: string, format: byte}\n"
    "              uuid: {type: string, format: uuid}\n"
    "              big: {type: integer}\n"
    "              one: {type: object, properties: {a: {type: integer}, b: {type: integer}},\n"
    "                oneOf: [{required: [a]}, {required: [b]}]}\n"
    "              any: {type: object, properties: {a: {type: integer}, b: {type: integer}},\n"
    "                anyOf: [{required: [a]}, {required: [b]}]}\n"
    "              all: {type: object, properties: {a: {type: integer}, b: {type: integer}},\n"
    "                allOf: [{required: [a]}, {properties: {b: {minimum: 3}}}]}\n"
    "              none: {type: object, properties: {a: {type: integer}}, not: {required: [a]}}\n"
    "              emb: {type: object, x-kubernetes-embedded-resource: true,\n"
    "                x-kubernetes-preserve-unknown-fields: true}\n";

static const char rules[] = HEAD
    "            x-kubernetes-validations:\n"
    "            - {rule: '!has(self.min) || self.min <= self.max', message: min above max}\n"
    "            - rule: \"!has(self.a) || self.a != 'bad'\"\n"
    "              messageExpression: \"'a is ' + self.a\"\n"
    "              fieldPath: .a\n"
    "              reason: FieldValueForbidden\n"
    "            - {rule: '!has(self.at) || self.lst[self.at] == 1', message: index}\n"
    "            properties:\n"
    "              min: {type: integer}\n"
    "              max: {type: integer, default: 5}\n"
    "              a: {type: string}\n"
    "              at: {type: integer}\n"
    "              imm: {type: string, x-kubernetes-validations:\n"
    "                [{rule: self == oldSelf, message: imm is immutable}]}\n"
    "              first: {type: string, x-kubernetes-validations: [{optionalOldSelf: true,\n"
    "                rule: \"oldSelf.hasValue() || self == 'first'\", message: starts as first}]}\n"
    "              lst: {type: array, items: {type: integer,\n"
    "                x-kubernetes-validations: [{rule: self < 100}]}}\n"
    "              m: {type: object, additionalProperties: {type: string,\n"
    "                x-kubernetes-validations: [{rule: \"self != 'x'\", message: no x}]}}\n"
    "              t: {type: string, format: date-time, x-kubernetes-validations:\n"
    "                [{rule: \"self > timestamp('2020-01-01T00:00:00Z')\", message: too old}]}\n"
    "              esc: {type: object, properties: {dot.ted: {type: integer}},\n"
    "                x-kubernetes-validations: [{rule: self.dot__dot__ted > 0, message: dotted,\n"
    "                fieldPath: \"['dot.ted']\"}]}\n"
    "              set: {type: array, x-kubernetes-list-type: set, items: {type: string},\n"
    "                x-kubernetes-validations: [{rule: self == oldSelf, message: set changed}]}\n"
    "              map: {type: array, x-kubernetes-list-type: map,\n"
    "                x-kubernetes-list-map-keys: [k], items: {type: object, required: [k],\n"
    "                properties: {k: {type: string}, v: {type: integer,\n"
    "                x-kubernetes-validations: [{rule: self >= oldSelf, message: v fell}]}}}}\n"
    "              says: {type: string, x-kubernetes-validations:\n"
    "                [{rule: \"self == 'ok'\", messageExpression: string(1/0), message: "
    "fallback}]}\n";

static void define(struct api *a, const char *definition)
{
    struct doc_node *n;

    api_start(a, &(struct sandbox_options){.no_controllers = true});
    CHECK_INT(api_call(a, "POST", DEFINITIONS, "application/yaml", definition, &n), 201,
              "definition");
}

static str said(const struct doc_node *n, struct buf *out)
{
    struct doc_iter it = doc_children(doc_at(n, "details/causes"));

    buf_clear(out);
    while (doc_next(&it)) {
        str field = api_text(it.value, "field"), message = api_text(it.value, "message");

        buf_addf(out, "%s%.*s: %.*s", out->len ? "; " : "", STR_ARG(field), STR_ARG(message));
    }
    return buf_view(out);
}

struct row {
    const char *spec, *want; /* empty: it is taken */
};

static void check_rows(struct api *a, const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        AUTO(buf_done) struct buf body = {0}, out = {0};
        struct doc_node *n;
        int status;

        buf_addf(&body, THING "%s}}", rows[i].spec);
        status = api_post(a, THINGS, buf_cstr(&body), &n);
        CHECK_INT(status, *rows[i].want ? 422 : 201, rows[i].spec);
        CHECK_STR(said(n, &out), str_of(rows[i].want), rows[i].spec);
        if (status == 201)
            api_delete(a, THINGS "/x", NULL);
    }
}

TEST(values_are_judged_by_their_schema)
{
    static const struct row rows[] = {
        {"\"pat\":\"A1\"",
         "spec.pat: Invalid value: \"A1\": spec.pat in body should match '^[a-z]+$'"},
        {"\"pat\":\"abc\"", ""},
        {"\"pat\":null", ""},
        {"\"least\":\"äö\"",
         "spec.least: Invalid value: \"äö\": spec.least in body should be at least 3 chars long"},
        {"\"most\":\"abcd\"", "spec.most: Too long: may not be more than 3 bytes"},
        {"\"above\":1",
         "spec.above: Invalid value: 1: spec.above in body should be greater than 1"},
        {"\"below\":10.5",
         "spec.below: Invalid value: 10.5: spec.below in body should be less than 10.5"},
        {"\"below\":11",
         "spec.below: Invalid value: 11: spec.below in body should be less than 10"},
        {"\"mult\":5", "spec.mult: Invalid value: 5: spec.mult in body should be a multiple of 2"},
        {"\"items\":[1]",
         "spec.items: Invalid value: 1: spec.items in body should have at least 2 items"},
        {"\"items\":[1,2,3,4]", "spec.items: Too many: 4: must have at most 3 items"},
        {"\"uniq\":[\"a\",\"a\",\"b\",\"b\",\"a\"]",
         "spec.uniq[1]: Duplicate value: \"a\"; spec.uniq[3]: Duplicate value: \"b\""},
        {"\"props\":{}",
         "spec.props: Invalid value: 0: spec.props in body should have at least 1 properties"},
        {"\"few\":3", "spec.few: Unsupported value: 3: supported values: \"1\", \"2\""},
        {"\"when\":\"2020\"", "spec.when: Invalid value: \"2020\": spec.when in body must be of "
                              "type date-time: \"2020\""},
        {"\"when\":\"2020-01-01T00:00:00Z\"", ""},
        {"\"v4\":\"::1\"",
         "spec.v4: Invalid value: \"::1\": spec.v4 in body must be of type ipv4: \"::1\""},
        {"\"cidr\":\"1.2.3.0/24\"", ""},
        {"\"cidr\":\"1.2.3.0/33\"", "spec.cidr: Invalid value: \"1.2.3.0/33\": spec.cidr in body "
                                    "must be of type cidr: \"1.2.3.0/33\""},
        {"\"dur\":\"5 days\"", ""},
        {"\"byte\":\"x!\"",
         "spec.byte: Invalid value: \"x!\": spec.byte in body must be of type byte: \"x!\""},
        {"\"uuid\":\"x\"",
         "spec.uuid: Invalid value: \"x\": spec.uuid in body must be of type uuid: \"x\""},
        {"\"big\":9223372036854775808", "spec.big: Invalid value: \"number\": spec.big in body "
                                        "must be of type integer: \"number\""},
        {"\"one\":{}", "<nil>: Invalid value: \"\": \"spec.one\" must validate one and only one "
                       "schema (oneOf). Found none valid; spec.one.a: Required value"},
        {"\"one\":{\"a\":1,\"b\":1}", "<nil>: Invalid value: \"\": \"spec.one\" must validate one "
                                      "and only one schema (oneOf). Found 2 valid alternatives"},
        {"\"any\":{}", "<nil>: Invalid value: \"\": \"spec.any\" must validate at least one schema "
                       "(anyOf); spec.any.a: Required value"},
        {"\"all\":{\"a\":1,\"b\":1}",
         "spec.all.b: Invalid value: 1: spec.all.b in body should be greater than or equal to 3; "
         "<nil>: Invalid value: \"\": \"spec.all\" must validate all the schemas (allOf)"},
        {"\"none\":{\"a\":1}",
         "<nil>: Invalid value: \"\": \"spec.none\" must not validate the schema (not)"},
        {"\"emb\":{}", "spec.emb.apiVersion: Required value; spec.emb.kind: Required value"},
        {"\"pat\":\"a\",\"least\":\"abc\",\"few\":1,\"big\":1",
         "spec: Too many: 4: must have at most 3 items"},
    };
    AUTO(api_stop) struct api a = {0};

    define(&a, values);
    check_rows(&a, rows, ARRAY_LEN(rows));
}

TEST(rules_of_a_schema_are_run)
{
    static const struct row rows[] = {
        {"\"min\":9", "spec: Invalid value: \"object\": min above max"},
        {"\"min\":1", ""},
        {"\"a\":\"bad\"", "spec.a: Forbidden: a is bad"},
        {"\"at\":3,\"lst\":[1]", "spec: Invalid value: \"object\": index out of bounds: 3 "
                                 "evaluating rule: index"},
        {"\"lst\":[1,200]", "spec.lst[1]: Invalid value: \"integer\": failed rule: self < 100"},
        {"\"m\":{\"k\":\"x\"}", "spec.m[k]: Invalid value: \"string\": no x"},
        {"\"t\":\"2019-01-01T00:00:00Z\"", "spec.t: Invalid value: \"string\": too old"},
        {"\"t\":\"2021-01-01T00:00:00Z\"", ""},
        {"\"esc\":{\"dot.ted\":0}", "spec.esc.dot.ted: Invalid value: \"object\": dotted"},
        {"\"says\":\"z\"", "spec.says: Invalid value: \"string\": fallback"},
        {"\"first\":\"a\"", "spec.first: Invalid value: \"string\": starts as first"},
        {"\"first\":\"first\"", ""},
        {"\"imm\":\"any\"", ""},
        {"\"lst\":[\"x\",200]",
         "spec.lst[0]: Invalid value: \"string\": spec.lst[0] in body must be of type integer: "
         "\"string\"; <nil>: Invalid value: null: some validation rules were not checked because "
         "the object was invalid; correct the existing errors to complete validation"},
    };
    AUTO(api_stop) struct api a = {0};

    define(&a, rules);
    check_rows(&a, rows, ARRAY_LEN(rows));
}

TEST(rules_compare_with_the_state_before)
{
    static const struct {
        const char *patch, *want;
    } rows[] = {
        {"\"imm\":\"b\"", "spec.imm: Invalid value: \"string\": imm is immutable"},
        {"\"imm\":null", ""},
        {"\"first\":\"b\"", ""},
        {"\"set\":[\"b\",\"a\"]", ""},
        {"\"set\":[\"b\"]", "spec.set: Invalid value: \"array\": set changed"},
        {"\"map\":[{\"k\":\"b\",\"v\":2},{\"k\":\"a\",\"v\":3}]",
         "spec.map[1].v: Invalid value: \"integer\": v fell"},
        {"\"map\":[{\"k\":\"b\",\"v\":2},{\"k\":\"c\",\"v\":0}]", ""},
    };
    AUTO(api_stop) struct api a = {0};

    define(&a, rules);
    CHECK_INT(api_post(&a, THINGS,
                       THING "\"imm\":\"a\",\"first\":\"first\",\"set\":[\"a\",\"b\"],\"map\":"
                             "[{\"k\":\"a\",\"v\":5},{\"k\":\"b\",\"v\":1}]}}",
                       NULL),
              201, "created");
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf body = {0}, out = {0};
        struct doc_node *n;

        buf_addf(&body, "{\"spec\":{%s}}", rows[i].patch);
        CHECK_INT(api_merge(&a, THINGS "/x", buf_cstr(&body), &n), *rows[i].want ? 422 : 200,
                  rows[i].patch);
        CHECK_STR(said(n, &out), str_of(rows[i].want), rows[i].patch);
    }
}

/* A value that was there before its schema became narrower stays. */
TEST(what_did_not_change_is_not_judged_again)
{
    AUTO(api_stop) struct api a = {0};
    struct doc_node *n;

    define(&a, HEAD "            properties: {a: {type: string}, b: {type: string}}\n");
    CHECK_INT(api_post(&a, THINGS, THING "\"a\":\"long\"}}", NULL), 201, "created");
    CHECK_INT(api_merge(&a, DEFINITIONS "/things.ex.com",
                        "{\"spec\":{\"versions\":[{\"name\":\"v1\",\"served\":true,\"storage\":"
                        "true,\"schema\":{\"openAPIV3Schema\":{\"type\":\"object\",\"properties\":"
                        "{\"spec\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\","
                        "\"maxLength\":2},\"b\":{\"type\":\"string\"}}}}}}}]}}",
                        NULL),
              200, "narrower");
    CHECK_INT(api_merge(&a, THINGS "/x", "{\"spec\":{\"b\":\"x\"}}", NULL), 200, "another field");
    CHECK_INT(api_merge(&a, THINGS "/x", "{\"spec\":{\"a\":\"longer\"}}", &n), 422, "that field");
}

TEST(definitions_with_mistakes_are_refused)
{
#define A "spec.validation.openAPIV3Schema.properties[spec].properties[a]."
#define RULE "x-kubernetes-validations[0]."
    static const struct row rows[] = {
        {"{}", A "type: Required value: must not be empty for specified object fields"},
        {"{type: array}", A "items: Required value: must be specified"},
        {"{type: strin}", A "type: Unsupported value: \"strin\": supported values: \"array\", "
                            "\"boolean\", \"integer\", \"number\", \"object\", \"string\""},
        {"{type: string, pattern: '['}",
         A "pattern: Invalid value: \"[\": must be a valid regular expression, but isn't: error "
           "parsing regexp: missing closing ]: `[`"},
        {"{type: string, default: 5}",
         A "default: Invalid value: \"integer\":  in body must be of type string: \"integer\""},
        {"{type: object, anyOf: [{type: object}]}",
         A "anyOf[0].type: Forbidden: must be empty to be structural"},
        {"{type: array, x-kubernetes-list-type: map, items: {type: object}}",
         A "x-kubernetes-list-map-keys: Required value: must not be empty if "
           "x-kubernetes-list-type is map"},
        {"{type: array, x-kubernetes-list-type: set, items: {type: object}}",
         A "items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list "
           "with x-kubernetes-list-type=set"},
        {"{type: string, x-kubernetes-validations: [{rule: self}]}",
         A RULE "rule: Invalid value: {\"Rule\":\"self\",\"Message\":\"\",\"MessageExpression\":"
                "\"\",\"Reason\":null,\"FieldPath\":\"\",\"OptionalOldSelf\":null}: cel expression "
                "must evaluate to a bool"},
        {"{type: object, properties: {b: {type: integer}}, x-kubernetes-validations: "
         "[{rule: self.c > 1}]}",
         A RULE "rule: Invalid value: {\"Rule\":\"self.c \\u003e 1\",\"Message\":\"\","
                "\"MessageExpression\":\"\",\"Reason\":null,\"FieldPath\":\"\",\"OptionalOldSelf\":"
                "null}: compilation failed: ERROR: <input>:1:5: undefined field 'c'\n"
                " | self.c > 1\n | ....^"},
        {"{type: object, properties: {b: {type: integer}}, x-kubernetes-validations: "
         "[{rule: self.b > 1, fieldPath: .c}]}",
         A RULE "fieldPath: Invalid value: \".c\": must be a valid path"},
        {"{type: array, items: {type: integer, x-kubernetes-validations: "
         "[{rule: self > oldSelf}]}}",
         A "items." RULE
           "rule: Invalid value: \"self > oldSelf\": oldSelf cannot be used on the uncorrelatable "
           "portion of the schema within "
           "spec.validation.openAPIV3Schema.properties[spec].properties[a]"},
        {"{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}", ""},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf body = {0}, out = {0};
        AUTO(api_stop) struct api a = {0};
        struct doc_node *n;

        api_start(&a, &(struct sandbox_options){.no_controllers = true});
        buf_addf(&body, HEAD "            properties:\n              a: %s\n", rows[i].spec);
        CHECK_INT(api_call(&a, "POST", DEFINITIONS, "application/yaml", buf_cstr(&body), &n),
                  *rows[i].want ? 422 : 201, rows[i].spec);
        CHECK_STR(said(n, &out), str_of(rows[i].want), rows[i].spec);
    }
}
