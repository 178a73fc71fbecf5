/* The metaschemas of the five drafts, with what helm's validator asks for (draft 7: an enum names
 * no value twice). */
#include "expr/schema/schema_priv.h"

static const char draft_04_schema[] =
    "{\"id\":\"http://json-schema.org/draft-04/schema#\",\"$schema\":\"http://json-schema"
    ".org/draft-04/schema#\",\"definitions\":{\"schemaArray\":{\"type\":\"array\",\"minIt"
    "ems\":1,\"items\":{\"$ref\":\"#\"}},\"positiveInteger\":{\"type\":\"integer\",\"mini"
    "mum\":0},\"positiveIntegerDefault0\":{\"allOf\":[{\"$ref\":\"#/definitions/positiveI"
    "nteger\"},{\"default\":0}]},\"simpleTypes\":{\"enum\":[\"array\",\"boolean\",\"integ"
    "er\",\"null\",\"number\",\"object\",\"string\"]},\"stringArray\":{\"type\":\"array\""
    ",\"items\":{\"type\":\"string\"},\"minItems\":1,\"uniqueItems\":true}},\"type\":\"ob"
    "ject\",\"properties\":{\"id\":{\"type\":\"string\"},\"$schema\":{\"type\":\"string\""
    "},\"title\":{\"type\":\"string\"},\"description\":{\"type\":\"string\"},\"default\":"
    "{},\"multipleOf\":{\"type\":\"number\",\"minimum\":0,\"exclusiveMinimum\":true},\"ma"
    "ximum\":{\"type\":\"number\"},\"exclusiveMaximum\":{\"type\":\"boolean\"},\"minimum"
    "\":{\"type\":\"number\"},\"exclusiveMinimum\":{\"type\":\"boolean\"},\"maxLength\":{"
    "\"$ref\":\"#/definitions/positiveInteger\"},\"minLength\":{\"$ref\":\"#/definitions/"
    "positiveIntegerDefault0\"},\"pattern\":{\"type\":\"string\",\"format\":\"regex\"},\""
    "additionalItems\":{\"anyOf\":[{\"type\":\"boolean\"},{\"$ref\":\"#\"}],\"default\":{"
    "}},\"items\":{\"anyOf\":[{\"$ref\":\"#\"},{\"$ref\":\"#/definitions/schemaArray\"}],"
    "\"default\":{}},\"maxItems\":{\"$ref\":\"#/definitions/positiveInteger\"},\"minItems"
    "\":{\"$ref\":\"#/definitions/positiveIntegerDefault0\"},\"uniqueItems\":{\"type\":\""
    "boolean\",\"default\":false},\"maxProperties\":{\"$ref\":\"#/definitions/positiveInt"
    "eger\"},\"minProperties\":{\"$ref\":\"#/definitions/positiveIntegerDefault0\"},\"req"
    "uired\":{\"$ref\":\"#/definitions/stringArray\"},\"additionalProperties\":{\"anyOf\""
    ":[{\"type\":\"boolean\"},{\"$ref\":\"#\"}],\"default\":{}},\"definitions\":{\"type\""
    ":\"object\",\"additionalProperties\":{\"$ref\":\"#\"},\"default\":{}},\"properties\""
    ":{\"type\":\"object\",\"additionalProperties\":{\"$ref\":\"#\"},\"default\":{}},\"pa"
    "tternProperties\":{\"type\":\"object\",\"additionalProperties\":{\"$ref\":\"#\"},\"d"
    "efault\":{}},\"dependencies\":{\"type\":\"object\",\"additionalProperties\":{\"anyOf"
    "\":[{\"$ref\":\"#\"},{\"$ref\":\"#/definitions/stringArray\"}]}},\"enum\":{\"type\":"
    "\"array\",\"minItems\":1,\"uniqueItems\":true},\"type\":{\"anyOf\":[{\"$ref\":\"#/de"
    "finitions/simpleTypes\"},{\"type\":\"array\",\"items\":{\"$ref\":\"#/definitions/sim"
    "pleTypes\"},\"minItems\":1,\"uniqueItems\":true}]},\"format\":{\"type\":\"string\"},"
    "\"allOf\":{\"$ref\":\"#/definitions/schemaArray\"},\"anyOf\":{\"$ref\":\"#/definitio"
    "ns/schemaArray\"},\"oneOf\":{\"$ref\":\"#/definitions/schemaArray\"},\"not\":{\"$ref"
    "\":\"#\"},\"$ref\":{\"type\":\"string\"}},\"dependencies\":{\"exclusiveMaximum\":[\""
    "maximum\"],\"exclusiveMinimum\":[\"minimum\"]},\"default\":{}}";

static const char draft_06_schema[] =
    "{\"$schema\":\"http://json-schema.org/draft-06/schema#\",\"$id\":\"http://json-schem"
    "a.org/draft-06/schema#\",\"title\":\"Core schema meta-schema\",\"definitions\":{\"sc"
    "hemaArray\":{\"type\":\"array\",\"minItems\":1,\"items\":{\"$ref\":\"#\"}},\"nonNega"
    "tiveInteger\":{\"type\":\"integer\",\"minimum\":0},\"nonNegativeIntegerDefault0\":{"
    "\"allOf\":[{\"$ref\":\"#/definitions/nonNegativeInteger\"},{\"default\":0}]},\"simpl"
    "eTypes\":{\"enum\":[\"array\",\"boolean\",\"integer\",\"null\",\"number\",\"object\""
    ",\"string\"]},\"stringArray\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\""
    "uniqueItems\":true,\"default\":[]}},\"type\":[\"object\",\"boolean\"],\"properties\""
    ":{\"$id\":{\"type\":\"string\",\"format\":\"uri-reference\"},\"$schema\":{\"type\":"
    "\"string\",\"format\":\"uri\"},\"$ref\":{\"type\":\"string\",\"format\":\"uri-refere"
    "nce\"},\"title\":{\"type\":\"string\"},\"description\":{\"type\":\"string\"},\"defau"
    "lt\":{},\"examples\":{\"type\":\"array\",\"items\":{}},\"multipleOf\":{\"type\":\"nu"
    "mber\",\"exclusiveMinimum\":0},\"maximum\":{\"type\":\"number\"},\"exclusiveMaximum"
    "\":{\"type\":\"number\"},\"minimum\":{\"type\":\"number\"},\"exclusiveMinimum\":{\"t"
    "ype\":\"number\"},\"maxLength\":{\"$ref\":\"#/definitions/nonNegativeInteger\"},\"mi"
    "nLength\":{\"$ref\":\"#/definitions/nonNegativeIntegerDefault0\"},\"pattern\":{\"typ"
    "e\":\"string\",\"format\":\"regex\"},\"additionalItems\":{\"$ref\":\"#\"},\"items\":"
    "{\"anyOf\":[{\"$ref\":\"#\"},{\"$ref\":\"#/definitions/schemaArray\"}],\"default\":{"
    "}},\"maxItems\":{\"$ref\":\"#/definitions/nonNegativeInteger\"},\"minItems\":{\"$ref"
    "\":\"#/definitions/nonNegativeIntegerDefault0\"},\"uniqueItems\":{\"type\":\"boolean"
    "\",\"default\":false},\"contains\":{\"$ref\":\"#\"},\"maxProperties\":{\"$ref\":\"#/"
    "definitions/nonNegativeInteger\"},\"minProperties\":{\"$ref\":\"#/definitions/nonNeg"
    "ativeIntegerDefault0\"},\"required\":{\"$ref\":\"#/definitions/stringArray\"},\"addi"
    "tionalProperties\":{\"$ref\":\"#\"},\"definitions\":{\"type\":\"object\",\"additiona"
    "lProperties\":{\"$ref\":\"#\"},\"default\":{}},\"properties\":{\"type\":\"object\","
    "\"additionalProperties\":{\"$ref\":\"#\"},\"default\":{}},\"patternProperties\":{\"t"
    "ype\":\"object\",\"additionalProperties\":{\"$ref\":\"#\"},\"default\":{}},\"depende"
    "ncies\":{\"type\":\"object\",\"additionalProperties\":{\"anyOf\":[{\"$ref\":\"#\"},{"
    "\"$ref\":\"#/definitions/stringArray\"}]}},\"propertyNames\":{\"$ref\":\"#\"},\"cons"
    "t\":{},\"enum\":{\"type\":\"array\",\"minItems\":1,\"uniqueItems\":true},\"type\":{"
    "\"anyOf\":[{\"$ref\":\"#/definitions/simpleTypes\"},{\"type\":\"array\",\"items\":{"
    "\"$ref\":\"#/definitions/simpleTypes\"},\"minItems\":1,\"uniqueItems\":true}]},\"for"
    "mat\":{\"type\":\"string\"},\"allOf\":{\"$ref\":\"#/definitions/schemaArray\"},\"any"
    "Of\":{\"$ref\":\"#/definitions/schemaArray\"},\"oneOf\":{\"$ref\":\"#/definitions/sc"
    "hemaArray\"},\"not\":{\"$ref\":\"#\"}},\"default\":{}}";

static const char draft_07_schema[] =
    "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"$id\":\"http://json-schem"
    "a.org/draft-07/schema#\",\"title\":\"Core schema meta-schema\",\"definitions\":{\"sc"
    "hemaArray\":{\"type\":\"array\",\"minItems\":1,\"items\":{\"$ref\":\"#\"}},\"nonNega"
    "tiveInteger\":{\"type\":\"integer\",\"minimum\":0},\"nonNegativeIntegerDefault0\":{"
    "\"allOf\":[{\"$ref\":\"#/definitions/nonNegativeInteger\"},{\"default\":0}]},\"simpl"
    "eTypes\":{\"enum\":[\"array\",\"boolean\",\"integer\",\"null\",\"number\",\"object\""
    ",\"string\"]},\"stringArray\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\""
    "uniqueItems\":true,\"default\":[]}},\"type\":[\"object\",\"boolean\"],\"properties\""
    ":{\"$id\":{\"type\":\"string\",\"format\":\"uri-reference\"},\"$schema\":{\"type\":"
    "\"string\",\"format\":\"uri\"},\"$ref\":{\"type\":\"string\",\"format\":\"uri-refere"
    "nce\"},\"$comment\":{\"type\":\"string\"},\"title\":{\"type\":\"string\"},\"descript"
    "ion\":{\"type\":\"string\"},\"default\":true,\"readOnly\":{\"type\":\"boolean\",\"de"
    "fault\":false},\"writeOnly\":{\"type\":\"boolean\",\"default\":false},\"examples\":{"
    "\"type\":\"array\",\"items\":true},\"multipleOf\":{\"type\":\"number\",\"exclusiveMi"
    "nimum\":0},\"maximum\":{\"type\":\"number\"},\"exclusiveMaximum\":{\"type\":\"number"
    "\"},\"minimum\":{\"type\":\"number\"},\"exclusiveMinimum\":{\"type\":\"number\"},\"m"
    "axLength\":{\"$ref\":\"#/definitions/nonNegativeInteger\"},\"minLength\":{\"$ref\":"
    "\"#/definitions/nonNegativeIntegerDefault0\"},\"pattern\":{\"type\":\"string\",\"for"
    "mat\":\"regex\"},\"additionalItems\":{\"$ref\":\"#\"},\"items\":{\"anyOf\":[{\"$ref"
    "\":\"#\"},{\"$ref\":\"#/definitions/schemaArray\"}],\"default\":true},\"maxItems\":{"
    "\"$ref\":\"#/definitions/nonNegativeInteger\"},\"minItems\":{\"$ref\":\"#/definition"
    "s/nonNegativeIntegerDefault0\"},\"uniqueItems\":{\"type\":\"boolean\",\"default\":fa"
    "lse},\"contains\":{\"$ref\":\"#\"},\"maxProperties\":{\"$ref\":\"#/definitions/nonNe"
    "gativeInteger\"},\"minProperties\":{\"$ref\":\"#/definitions/nonNegativeIntegerDefau"
    "lt0\"},\"required\":{\"$ref\":\"#/definitions/stringArray\"},\"additionalProperties"
    "\":{\"$ref\":\"#\"},\"definitions\":{\"type\":\"object\",\"additionalProperties\":{"
    "\"$ref\":\"#\"},\"default\":{}},\"properties\":{\"type\":\"object\",\"additionalProp"
    "erties\":{\"$ref\":\"#\"},\"default\":{}},\"patternProperties\":{\"type\":\"object\""
    ",\"additionalProperties\":{\"$ref\":\"#\"},\"default\":{},\"propertyNames\":{\"forma"
    "t\":\"regex\"}},\"dependencies\":{\"type\":\"object\",\"additionalProperties\":{\"an"
    "yOf\":[{\"$ref\":\"#\"},{\"$ref\":\"#/definitions/stringArray\"}]}},\"propertyNames"
    "\":{\"$ref\":\"#\"},\"const\":true,\"enum\":{\"type\":\"array\",\"items\":true,\"min"
    "Items\":1,\"uniqueItems\":true},\"type\":{\"anyOf\":[{\"$ref\":\"#/definitions/simpl"
    "eTypes\"},{\"type\":\"array\",\"items\":{\"$ref\":\"#/definitions/simpleTypes\"},\"m"
    "inItems\":1,\"uniqueItems\":true}]},\"format\":{\"type\":\"string\"},\"contentMediaT"
    "ype\":{\"type\":\"string\"},\"contentEncoding\":{\"type\":\"string\"},\"if\":{\"$ref"
    "\":\"#\"},\"then\":{\"$ref\":\"#\"},\"else\":{\"$ref\":\"#\"},\"allOf\":{\"$ref\":\""
    "#/definitions/schemaArray\"},\"anyOf\":{\"$ref\":\"#/definitions/schemaArray\"},\"on"
    "eOf\":{\"$ref\":\"#/definitions/schemaArray\"},\"not\":{\"$ref\":\"#\"}},\"default\""
    ":true}";

static const char draft_2019_09_schema[] =
    "{\"$schema\":\"https://json-schema.org/draft/2019-09/schema\",\"$id\":\"https://json"
    "-schema.org/draft/2019-09/schema\",\"$vocabulary\":{\"https://json-schema.org/draft/"
    "2019-09/vocab/core\":true,\"https://json-schema.org/draft/2019-09/vocab/applicator\""
    ":true,\"https://json-schema.org/draft/2019-09/vocab/validation\":true,\"https://json"
    "-schema.org/draft/2019-09/vocab/meta-data\":true,\"https://json-schema.org/draft/201"
    "9-09/vocab/format\":false,\"https://json-schema.org/draft/2019-09/vocab/content\":tr"
    "ue},\"$recursiveAnchor\":true,\"title\":\"Core and Validation specifications meta-sc"
    "hema\",\"allOf\":[{\"$ref\":\"meta/core\"},{\"$ref\":\"meta/applicator\"},{\"$ref\":"
    "\"meta/validation\"},{\"$ref\":\"meta/meta-data\"},{\"$ref\":\"meta/format\"},{\"$re"
    "f\":\"meta/content\"}],\"type\":[\"object\",\"boolean\"],\"properties\":{\"definitio"
    "ns\":{\"type\":\"object\",\"additionalProperties\":{\"$recursiveRef\":\"#\"},\"defau"
    "lt\":{}},\"dependencies\":{\"type\":\"object\",\"additionalProperties\":{\"anyOf\":["
    "{\"$recursiveRef\":\"#\"},{\"$ref\":\"meta/validation#/$defs/stringArray\"}]}}}}";

static const char draft_2019_09_meta_core[] =
    "{\"$schema\":\"https://json-schema.org/draft/2019-09/schema\",\"$id\":\"https://json"
    "-schema.org/draft/2019-09/meta/core\",\"$vocabulary\":{\"https://json-schema.org/dra"
    "ft/2019-09/vocab/core\":true},\"$recursiveAnchor\":true,\"type\":[\"object\",\"boole"
    "an\"],\"properties\":{\"$id\":{\"type\":\"string\",\"format\":\"uri-reference\",\"$c"
    "omment\":\"Non-empty fragments not allowed.\",\"pattern\":\"^[^#]*#?$\"},\"$schema\""
    ":{\"type\":\"string\",\"format\":\"uri\"},\"$anchor\":{\"type\":\"string\",\"pattern"
    "\":\"^[A-Za-z][-A-Za-z0-9.:_]*$\"},\"$ref\":{\"type\":\"string\",\"format\":\"uri-re"
    "ference\"},\"$recursiveRef\":{\"type\":\"string\",\"format\":\"uri-reference\"},\"$r"
    "ecursiveAnchor\":{\"type\":\"boolean\",\"default\":false},\"$vocabulary\":{\"type\":"
    "\"object\",\"propertyNames\":{\"type\":\"string\",\"format\":\"uri\"},\"additionalPr"
    "operties\":{\"type\":\"boolean\"}},\"$comment\":{\"type\":\"string\"},\"$defs\":{\"t"
    "ype\":\"object\",\"additionalProperties\":{\"$recursiveRef\":\"#\"},\"default\":{}}}"
    "}";

static const char draft_2019_09_meta_applicator[] =
    "{\"$schema\":\"https://json-schema.org/draft/2019-09/schema\",\"$id\":\"https://json"
    "-schema.org/draft/2019-09/meta/applicator\",\"$vocabulary\":{\"https://json-schema.o"
    "rg/draft/2019-09/vocab/applicator\":true},\"$recursiveAnchor\":true,\"type\":[\"obje"
    "ct\",\"boolean\"],\"properties\":{\"additionalItems\":{\"$recursiveRef\":\"#\"},\"un"
    "evaluatedItems\":{\"$recursiveRef\":\"#\"},\"items\":{\"anyOf\":[{\"$recursiveRef\":"
    "\"#\"},{\"$ref\":\"#/$defs/schemaArray\"}]},\"contains\":{\"$recursiveRef\":\"#\"},"
    "\"additionalProperties\":{\"$recursiveRef\":\"#\"},\"unevaluatedProperties\":{\"$rec"
    "ursiveRef\":\"#\"},\"properties\":{\"type\":\"object\",\"additionalProperties\":{\"$"
    "recursiveRef\":\"#\"},\"default\":{}},\"patternProperties\":{\"type\":\"object\",\"a"
    "dditionalProperties\":{\"$recursiveRef\":\"#\"},\"default\":{},\"propertyNames\":{\""
    "format\":\"regex\"}},\"dependentSchemas\":{\"type\":\"object\",\"additionalPropertie"
    "s\":{\"$recursiveRef\":\"#\"}},\"propertyNames\":{\"$recursiveRef\":\"#\"},\"if\":{"
    "\"$recursiveRef\":\"#\"},\"then\":{\"$recursiveRef\":\"#\"},\"else\":{\"$recursiveRe"
    "f\":\"#\"},\"allOf\":{\"$ref\":\"#/$defs/schemaArray\"},\"anyOf\":{\"$ref\":\"#/$def"
    "s/schemaArray\"},\"oneOf\":{\"$ref\":\"#/$defs/schemaArray\"},\"not\":{\"$recursiveR"
    "ef\":\"#\"}},\"$defs\":{\"schemaArray\":{\"type\":\"array\",\"minItems\":1,\"items\""
    ":{\"$recursiveRef\":\"#\"}}}}";

static const char draft_2019_09_meta_validation[] =
    "{\"$schema\":\"https://json-schema.org/draft/2019-09/schema\",\"$id\":\"https://json"
    "-schema.org/draft/2019-09/meta/validation\",\"$vocabulary\":{\"https://json-schema.o"
    "rg/draft/2019-09/vocab/validation\":true},\"$recursiveAnchor\":true,\"type\":[\"obje"
    "ct\",\"boolean\"],\"properties\":{\"type\":{\"anyOf\":[{\"$ref\":\"#/$defs/simpleTyp"
    "es\"},{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/simpleTypes\"},\"minItems\":"
    "1,\"uniqueItems\":true}]},\"const\":true,\"enum\":{\"type\":\"array\",\"items\":true"
    "},\"multipleOf\":{\"type\":\"number\",\"exclusiveMinimum\":0},\"maximum\":{\"type\":"
    "\"number\"},\"exclusiveMaximum\":{\"type\":\"number\"},\"minimum\":{\"type\":\"numbe"
    "r\"},\"exclusiveMinimum\":{\"type\":\"number\"},\"maxLength\":{\"$ref\":\"#/$defs/no"
    "nNegativeInteger\"},\"minLength\":{\"$ref\":\"#/$defs/nonNegativeIntegerDefault0\"},"
    "\"pattern\":{\"type\":\"string\",\"format\":\"regex\"},\"maxItems\":{\"$ref\":\"#/$d"
    "efs/nonNegativeInteger\"},\"minItems\":{\"$ref\":\"#/$defs/nonNegativeIntegerDefault"
    "0\"},\"uniqueItems\":{\"type\":\"boolean\",\"default\":false},\"maxContains\":{\"$re"
    "f\":\"#/$defs/nonNegativeInteger\"},\"minContains\":{\"$ref\":\"#/$defs/nonNegativeI"
    "nteger\",\"default\":1},\"maxProperties\":{\"$ref\":\"#/$defs/nonNegativeInteger\"},"
    "\"minProperties\":{\"$ref\":\"#/$defs/nonNegativeIntegerDefault0\"},\"required\":{\""
    "$ref\":\"#/$defs/stringArray\"},\"dependentRequired\":{\"type\":\"object\",\"additio"
    "nalProperties\":{\"$ref\":\"#/$defs/stringArray\"}}},\"$defs\":{\"nonNegativeInteger"
    "\":{\"type\":\"integer\",\"minimum\":0},\"nonNegativeIntegerDefault0\":{\"$ref\":\"#"
    "/$defs/nonNegativeInteger\",\"default\":0},\"simpleTypes\":{\"enum\":[\"array\",\"bo"
    "olean\",\"integer\",\"null\",\"number\",\"object\",\"string\"]},\"stringArray\":{\"t"
    "ype\":\"array\",\"items\":{\"type\":\"string\"},\"uniqueItems\":true,\"default\":[]}"
    "}}";

static const char draft_2019_09_meta_meta_data[] =
    "{\"$schema\":\"https://json-schema.org/draft/2019-09/schema\",\"$id\":\"https://json"
    "-schema.org/draft/2019-09/meta/meta-data\",\"$vocabulary\":{\"https://json-schema.or"
    "g/draft/2019-09/vocab/meta-data\":true},\"$recursiveAnchor\":true,\"type\":[\"object"
    "\",\"boolean\"],\"properties\":{\"title\":{\"type\":\"string\"},\"description\":{\"t"
    "ype\":\"string\"},\"default\":true,\"deprecated\":{\"type\":\"boolean\",\"default\":"
    "false},\"readOnly\":{\"type\":\"boolean\",\"default\":false},\"writeOnly\":{\"type\""
    ":\"boolean\",\"default\":false},\"examples\":{\"type\":\"array\",\"items\":true}}}";

static const char draft_2019_09_meta_format[] =
    "{\"$schema\":\"https://json-schema.org/draft/2019-09/schema\",\"$id\":\"https://json"
    "-schema.org/draft/2019-09/meta/format\",\"$vocabulary\":{\"https://json-schema.org/d"
    "raft/2019-09/vocab/format\":true},\"$recursiveAnchor\":true,\"type\":[\"object\",\"b"
    "oolean\"],\"properties\":{\"format\":{\"type\":\"string\"}}}";

static const char draft_2019_09_meta_content[] =
    "{\"$schema\":\"https://json-schema.org/draft/2019-09/schema\",\"$id\":\"https://json"
    "-schema.org/draft/2019-09/meta/content\",\"$vocabulary\":{\"https://json-schema.org/"
    "draft/2019-09/vocab/content\":true},\"$recursiveAnchor\":true,\"type\":[\"object\","
    "\"boolean\"],\"properties\":{\"contentMediaType\":{\"type\":\"string\"},\"contentEnc"
    "oding\":{\"type\":\"string\"},\"contentSchema\":{\"$recursiveRef\":\"#\"}}}";

static const char draft_2020_12_schema[] =
    "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$id\":\"https://json"
    "-schema.org/draft/2020-12/schema\",\"$vocabulary\":{\"https://json-schema.org/draft/"
    "2020-12/vocab/core\":true,\"https://json-schema.org/draft/2020-12/vocab/applicator\""
    ":true,\"https://json-schema.org/draft/2020-12/vocab/unevaluated\":true,\"https://jso"
    "n-schema.org/draft/2020-12/vocab/validation\":true,\"https://json-schema.org/draft/2"
    "020-12/vocab/meta-data\":true,\"https://json-schema.org/draft/2020-12/vocab/format-a"
    "nnotation\":true,\"https://json-schema.org/draft/2020-12/vocab/content\":true},\"$dy"
    "namicAnchor\":\"meta\",\"title\":\"Core and Validation specifications meta-schema\","
    "\"allOf\":[{\"$ref\":\"meta/core\"},{\"$ref\":\"meta/applicator\"},{\"$ref\":\"meta/"
    "unevaluated\"},{\"$ref\":\"meta/validation\"},{\"$ref\":\"meta/meta-data\"},{\"$ref"
    "\":\"meta/format-annotation\"},{\"$ref\":\"meta/content\"}],\"type\":[\"object\",\"b"
    "oolean\"],\"properties\":{\"definitions\":{\"type\":\"object\",\"additionalPropertie"
    "s\":{\"$dynamicRef\":\"#meta\"},\"default\":{}},\"dependencies\":{\"type\":\"object"
    "\",\"additionalProperties\":{\"anyOf\":[{\"$dynamicRef\":\"#meta\"},{\"$ref\":\"meta"
    "/validation#/$defs/stringArray\"}]}},\"$recursiveAnchor\":{\"type\":\"boolean\"},\"$"
    "recursiveRef\":{\"type\":\"string\",\"format\":\"uri-reference\"}}}";

static const char draft_2020_12_meta_core[] =
    "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$id\":\"https://json"
    "-schema.org/draft/2020-12/meta/core\",\"$vocabulary\":{\"https://json-schema.org/dra"
    "ft/2020-12/vocab/core\":true},\"$dynamicAnchor\":\"meta\",\"type\":[\"object\",\"boo"
    "lean\"],\"properties\":{\"$id\":{\"type\":\"string\",\"format\":\"uri-reference\",\""
    "$comment\":\"Non-empty fragments not allowed.\",\"pattern\":\"^[^#]*#?$\"},\"$schema"
    "\":{\"type\":\"string\",\"format\":\"uri\"},\"$anchor\":{\"type\":\"string\",\"patte"
    "rn\":\"^[A-Za-z_][-A-Za-z0-9._]*$\"},\"$ref\":{\"type\":\"string\",\"format\":\"uri-"
    "reference\"},\"$dynamicRef\":{\"type\":\"string\",\"format\":\"uri-reference\"},\"$d"
    "ynamicAnchor\":{\"type\":\"string\",\"pattern\":\"^[A-Za-z_][-A-Za-z0-9._]*$\"},\"$v"
    "ocabulary\":{\"type\":\"object\",\"propertyNames\":{\"type\":\"string\",\"format\":"
    "\"uri\"},\"additionalProperties\":{\"type\":\"boolean\"}},\"$comment\":{\"type\":\"s"
    "tring\"},\"$defs\":{\"type\":\"object\",\"additionalProperties\":{\"$dynamicRef\":\""
    "#meta\"},\"default\":{}}}}";

static const char draft_2020_12_meta_applicator[] =
    "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$id\":\"https://json"
    "-schema.org/draft/2020-12/meta/applicator\",\"$vocabulary\":{\"https://json-schema.o"
    "rg/draft/2020-12/vocab/applicator\":true},\"$dynamicAnchor\":\"meta\",\"type\":[\"ob"
    "ject\",\"boolean\"],\"properties\":{\"prefixItems\":{\"$ref\":\"#/$defs/schemaArray"
    "\"},\"items\":{\"$dynamicRef\":\"#meta\"},\"contains\":{\"$dynamicRef\":\"#meta\"},"
    "\"additionalProperties\":{\"$dynamicRef\":\"#meta\"},\"properties\":{\"type\":\"obje"
    "ct\",\"additionalProperties\":{\"$dynamicRef\":\"#meta\"},\"default\":{}},\"patternP"
    "roperties\":{\"type\":\"object\",\"additionalProperties\":{\"$dynamicRef\":\"#meta\""
    "},\"default\":{},\"propertyNames\":{\"format\":\"regex\"}},\"dependentSchemas\":{\"t"
    "ype\":\"object\",\"additionalProperties\":{\"$dynamicRef\":\"#meta\"}},\"propertyNam"
    "es\":{\"$dynamicRef\":\"#meta\"},\"if\":{\"$dynamicRef\":\"#meta\"},\"then\":{\"$dyn"
    "amicRef\":\"#meta\"},\"else\":{\"$dynamicRef\":\"#meta\"},\"allOf\":{\"$ref\":\"#/$d"
    "efs/schemaArray\"},\"anyOf\":{\"$ref\":\"#/$defs/schemaArray\"},\"oneOf\":{\"$ref\":"
    "\"#/$defs/schemaArray\"},\"not\":{\"$dynamicRef\":\"#meta\"}},\"$defs\":{\"schemaArr"
    "ay\":{\"type\":\"array\",\"minItems\":1,\"items\":{\"$dynamicRef\":\"#meta\"}}}}";

static const char draft_2020_12_meta_unevaluated[] =
    "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$id\":\"https://json"
    "-schema.org/draft/2020-12/meta/unevaluated\",\"$vocabulary\":{\"https://json-schema."
    "org/draft/2020-12/vocab/unevaluated\":true},\"$dynamicAnchor\":\"meta\",\"type\":[\""
    "object\",\"boolean\"],\"properties\":{\"unevaluatedItems\":{\"$dynamicRef\":\"#meta"
    "\"},\"unevaluatedProperties\":{\"$dynamicRef\":\"#meta\"}}}";

static const char draft_2020_12_meta_validation[] =
    "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$id\":\"https://json"
    "-schema.org/draft/2020-12/meta/validation\",\"$vocabulary\":{\"https://json-schema.o"
    "rg/draft/2020-12/vocab/validation\":true},\"$dynamicAnchor\":\"meta\",\"type\":[\"ob"
    "ject\",\"boolean\"],\"properties\":{\"type\":{\"anyOf\":[{\"$ref\":\"#/$defs/simpleT"
    "ypes\"},{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/simpleTypes\"},\"minItems"
    "\":1,\"uniqueItems\":true}]},\"const\":true,\"enum\":{\"type\":\"array\",\"items\":t"
    "rue},\"multipleOf\":{\"type\":\"number\",\"exclusiveMinimum\":0},\"maximum\":{\"type"
    "\":\"number\"},\"exclusiveMaximum\":{\"type\":\"number\"},\"minimum\":{\"type\":\"nu"
    "mber\"},\"exclusiveMinimum\":{\"type\":\"number\"},\"maxLength\":{\"$ref\":\"#/$defs"
    "/nonNegativeInteger\"},\"minLength\":{\"$ref\":\"#/$defs/nonNegativeIntegerDefault0"
    "\"},\"pattern\":{\"type\":\"string\",\"format\":\"regex\"},\"maxItems\":{\"$ref\":\""
    "#/$defs/nonNegativeInteger\"},\"minItems\":{\"$ref\":\"#/$defs/nonNegativeIntegerDef"
    "ault0\"},\"uniqueItems\":{\"type\":\"boolean\",\"default\":false},\"maxContains\":{"
    "\"$ref\":\"#/$defs/nonNegativeInteger\"},\"minContains\":{\"$ref\":\"#/$defs/nonNega"
    "tiveInteger\",\"default\":1},\"maxProperties\":{\"$ref\":\"#/$defs/nonNegativeIntege"
    "r\"},\"minProperties\":{\"$ref\":\"#/$defs/nonNegativeIntegerDefault0\"},\"required"
    "\":{\"$ref\":\"#/$defs/stringArray\"},\"dependentRequired\":{\"type\":\"object\",\"a"
    "dditionalProperties\":{\"$ref\":\"#/$defs/stringArray\"}}},\"$defs\":{\"nonNegativeI"
    "nteger\":{\"type\":\"integer\",\"minimum\":0},\"nonNegativeIntegerDefault0\":{\"$ref"
    "\":\"#/$defs/nonNegativeInteger\",\"default\":0},\"simpleTypes\":{\"enum\":[\"array"
    "\",\"boolean\",\"integer\",\"null\",\"number\",\"object\",\"string\"]},\"stringArray"
    "\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"uniqueItems\":true,\"defaul"
    "t\":[]}}}";

static const char draft_2020_12_meta_meta_data[] =
    "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$id\":\"https://json"
    "-schema.org/draft/2020-12/meta/meta-data\",\"$vocabulary\":{\"https://json-schema.or"
    "g/draft/2020-12/vocab/meta-data\":true},\"$dynamicAnchor\":\"meta\",\"type\":[\"obje"
    "ct\",\"boolean\"],\"properties\":{\"title\":{\"type\":\"string\"},\"description\":{"
    "\"type\":\"string\"},\"default\":true,\"deprecated\":{\"type\":\"boolean\",\"default"
    "\":false},\"readOnly\":{\"type\":\"boolean\",\"default\":false},\"writeOnly\":{\"typ"
    "e\":\"boolean\",\"default\":false},\"examples\":{\"type\":\"array\",\"items\":true}}"
    "}";

static const char draft_2020_12_meta_format_annotation[] =
    "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$id\":\"https://json"
    "-schema.org/draft/2020-12/meta/format-annotation\",\"$vocabulary\":{\"https://json-s"
    "chema.org/draft/2020-12/vocab/format-annotation\":true},\"$dynamicAnchor\":\"meta\","
    "\"type\":[\"object\",\"boolean\"],\"properties\":{\"format\":{\"type\":\"string\"}}}";

static const char draft_2020_12_meta_content[] =
    "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$id\":\"https://json"
    "-schema.org/draft/2020-12/meta/content\",\"$vocabulary\":{\"https://json-schema.org/"
    "draft/2020-12/vocab/content\":true},\"$dynamicAnchor\":\"meta\",\"type\":[\"object\""
    ",\"boolean\"],\"properties\":{\"contentMediaType\":{\"type\":\"string\"},\"contentEn"
    "coding\":{\"type\":\"string\"},\"contentSchema\":{\"$dynamicRef\":\"#meta\"}}}";

static const struct {
    str uri, text;
} metaschemas[] = {
    {STR_INIT("http://json-schema.org/draft-04/schema"),
     {draft_04_schema, sizeof draft_04_schema - 1}},
    {STR_INIT("http://json-schema.org/draft-06/schema"),
     {draft_06_schema, sizeof draft_06_schema - 1}},
    {STR_INIT("http://json-schema.org/draft-07/schema"),
     {draft_07_schema, sizeof draft_07_schema - 1}},
    {STR_INIT("https://json-schema.org/draft/2019-09/schema"),
     {draft_2019_09_schema, sizeof draft_2019_09_schema - 1}},
    {STR_INIT("https://json-schema.org/draft/2019-09/meta/core"),
     {draft_2019_09_meta_core, sizeof draft_2019_09_meta_core - 1}},
    {STR_INIT("https://json-schema.org/draft/2019-09/meta/applicator"),
     {draft_2019_09_meta_applicator, sizeof draft_2019_09_meta_applicator - 1}},
    {STR_INIT("https://json-schema.org/draft/2019-09/meta/validation"),
     {draft_2019_09_meta_validation, sizeof draft_2019_09_meta_validation - 1}},
    {STR_INIT("https://json-schema.org/draft/2019-09/meta/meta-data"),
     {draft_2019_09_meta_meta_data, sizeof draft_2019_09_meta_meta_data - 1}},
    {STR_INIT("https://json-schema.org/draft/2019-09/meta/format"),
     {draft_2019_09_meta_format, sizeof draft_2019_09_meta_format - 1}},
    {STR_INIT("https://json-schema.org/draft/2019-09/meta/content"),
     {draft_2019_09_meta_content, sizeof draft_2019_09_meta_content - 1}},
    {STR_INIT("https://json-schema.org/draft/2020-12/schema"),
     {draft_2020_12_schema, sizeof draft_2020_12_schema - 1}},
    {STR_INIT("https://json-schema.org/draft/2020-12/meta/core"),
     {draft_2020_12_meta_core, sizeof draft_2020_12_meta_core - 1}},
    {STR_INIT("https://json-schema.org/draft/2020-12/meta/applicator"),
     {draft_2020_12_meta_applicator, sizeof draft_2020_12_meta_applicator - 1}},
    {STR_INIT("https://json-schema.org/draft/2020-12/meta/unevaluated"),
     {draft_2020_12_meta_unevaluated, sizeof draft_2020_12_meta_unevaluated - 1}},
    {STR_INIT("https://json-schema.org/draft/2020-12/meta/validation"),
     {draft_2020_12_meta_validation, sizeof draft_2020_12_meta_validation - 1}},
    {STR_INIT("https://json-schema.org/draft/2020-12/meta/meta-data"),
     {draft_2020_12_meta_meta_data, sizeof draft_2020_12_meta_meta_data - 1}},
    {STR_INIT("https://json-schema.org/draft/2020-12/meta/format-annotation"),
     {draft_2020_12_meta_format_annotation, sizeof draft_2020_12_meta_format_annotation - 1}},
    {STR_INIT("https://json-schema.org/draft/2020-12/meta/content"),
     {draft_2020_12_meta_content, sizeof draft_2020_12_meta_content - 1}},
};

str schema_metaschema(str uri)
{
    for (size_t i = 0; i < ARRAY_LEN(metaschemas); i++)
        if (str_eq(metaschemas[i].uri, uri))
            return metaschemas[i].text;
    return STR_NONE;
}

static const char drafts[][45] = {
    [SCHEMA_DRAFT_4] = "http://json-schema.org/draft-04/schema",
    [SCHEMA_DRAFT_6] = "http://json-schema.org/draft-06/schema",
    [SCHEMA_DRAFT_7] = "http://json-schema.org/draft-07/schema",
    [SCHEMA_DRAFT_2019] = "https://json-schema.org/draft/2019-09/schema",
    [SCHEMA_DRAFT_2020] = "https://json-schema.org/draft/2020-12/schema",
};

bool schema_draft_of(str uri, enum schema_draft *ret)
{
    uri = str_trim_right(uri, "#");
    for (unsigned i = 0; i < ARRAY_LEN(drafts); i++)
        if (str_eq(uri, str_of(drafts[i]))) {
            *ret = (enum schema_draft)i;
            return true;
        }
    return false;
}

str schema_draft_uri(enum schema_draft draft) { return str_of(drafts[draft]); }
