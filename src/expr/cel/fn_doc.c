/* What the functions are for, with an example each, for the manual. Every name of the tables has a
 * row here: a test compares them and runs the examples. */
#include "expr/cel/cel_priv.h"

static const struct cel_doc_row docs[] = {
    {"Operators", "_+_", "sum; texts, bytes and lists one behind the other", "[1] + [2]", "[1,2]"},
    {"Operators", "_-_", "difference",
     "timestamp('2026-01-02T00:00:00Z') - timestamp('2026-01-01T00:00:00Z')", "86400s"},
    {"Operators", "-_", "the number with the other sign", "-(2 - 5)", "3"},
    {"Operators", "_*_", "product", "2.5 * 2.0", "5"},
    {"Operators", "_/_", "quotient, of integers towards 0", "7 / 2", "3"},
    {"Operators", "_%_", "what a division leaves, with the sign of the first", "-7 % 3", "-1"},
    {"Operators", "_<_", "less", "'a' < 'b'", "true"},
    {"Operators", "_<=_", "less or equal; numbers of different types too", "1 <= 1.5", "true"},
    {"Operators", "_>_", "greater", "2u > 1", "true"},
    {"Operators", "_>=_", "greater or equal", "duration('1m') >= duration('60s')", "true"},
    {"Operators", "!_", "not", "!(1 > 2)", "true"},
    {"Operators", "@in", "is an item of the list, or a key of the map", "'a' in {'a': 1}", "true"},
    {"Operators", "_[_]", "an item by its place from 0, a value by its key", "['a', 'b'][1]", "b"},
    {"Conversions", "bool", "of the texts true and false and their like", "bool('true')", "true"},
    {"Conversions", "bytes", "the bytes of a text", "bytes('hi')", "aGk="},
    {"Conversions", "double", "a number, or the number that a text is", "double('1.5')", "1.5"},
    {"Conversions", "duration", "of a text, 1h30m", "duration('1h30m')", "5400s"},
    {"Conversions", "dyn", "the value, of a type that is judged when it runs", "dyn(1) == 1.0",
     "true"},
    {"Conversions", "int", "a whole number; doubles are cut off, times become seconds", "int(3.9)",
     "3"},
    {"Conversions", "string", "the value as a text", "string(1.5)", "1.5"},
    {"Conversions", "timestamp", "of a text (RFC 3339) or seconds since 1970", "timestamp(0)",
     "1970-01-01T00:00:00Z"},
    {"Conversions", "type", "the type of a value", "type(1u)", "uint"},
    {"Conversions", "uint", "a number that is not negative", "uint('7')", "7"},
    {"Texts", "size", "code points of a text; bytes; items", "size('h\\u00e9')", "2"},
    {"Texts", "contains", "whether one text is in the other", "'chart'.contains('art')", "true"},
    {"Texts", "startsWith", "whether it begins so", "'chart'.startsWith('ch')", "true"},
    {"Texts", "endsWith", "whether it ends so", "'chart'.endsWith('rt')", "true"},
    {"Texts", "matches", "whether a regular expression (RE2) matches somewhere",
     "'v1.2'.matches('^v[0-9.]+$')", "true"},
    {"Texts", "charAt", "the character at a place", "'chart'.charAt(1)", "h"},
    {"Texts", "indexOf", "where something begins first; -1: nowhere", "'banana'.indexOf('an')",
     "1"},
    {"Texts", "lastIndexOf", "where it begins last", "'banana'.lastIndexOf('an')", "3"},
    {"Texts", "join", "texts one behind the other, with another between", "['a', 'b'].join('-')",
     "a-b"},
    {"Texts", "lowerAscii", "ASCII letters as small ones", "'ABC'.lowerAscii()", "abc"},
    {"Texts", "upperAscii", "ASCII letters as large ones", "'abc'.upperAscii()", "ABC"},
    {"Texts", "replace", "each occurrence replaced, or the first so many",
     "'a.b.c'.replace('.', '-', 1)", "a-b.c"},
    {"Texts", "split", "the parts between separators, at most so many", "'a,b,c'.split(',')",
     "[\"a\",\"b\",\"c\"]"},
    {"Texts", "substring", "from a place on, up to another", "'chart'.substring(1, 3)", "ha"},
    {"Texts", "trim", "without blanks at both ends", "' a '.trim()", "a"},
    {"Texts", "reverse", "the characters from the end", "'abc'.reverse()", "cba"},
    {"Texts", "strings.quote", "in quotes, with escapes", "strings.quote('a\\\"b')", "\"a\\\"b\""},
    {"Texts", "format", "a text with the values of a list in it: %s %d %f %e %b %x %o",
     "'%s has %d'.format(['a', 2])", "a has 2"},
    {"Texts", "find", "the first part that a regular expression matches", "'a12b3'.find('[0-9]+')",
     "12"},
    {"Texts", "findAll", "all of them, or the first so many", "'a12b3'.findAll('[0-9]+')",
     "[\"12\",\"3\"]"},
    {"Texts", "base64.encode", "bytes as base64", "base64.encode(b'hi')", "aGk="},
    {"Texts", "base64.decode", "base64 as bytes", "string(base64.decode('aGk='))", "hi"},
    {"Lists", "lists.range", "0, 1, ... below a number", "lists.range(3)", "[0,1,2]"},
    {"Lists", "first", "the first item, an optional", "[4, 5].first().value()", "4"},
    {"Lists", "last", "the last item, an optional", "[4, 5].last().value()", "5"},
    {"Lists", "slice", "the items from a place up to another", "[1, 2, 3, 4].slice(1, 3)", "[2,3]"},
    {"Lists", "distinct", "each item once", "[1, 2, 1].distinct()", "[1,2]"},
    {"Lists", "flatten", "lists in it as their items, one or so many levels",
     "[[1], [2, [3]]].flatten()", "[1,2,[3]]"},
    {"Lists", "sort", "in order", "[3, 1, 2].sort()", "[1,2,3]"},
    {"Lists", "isSorted", "whether it is in order", "[1, 2, 2].isSorted()", "true"},
    {"Lists", "min", "the smallest", "[3, 1, 2].min()", "1"},
    {"Lists", "max", "the largest", "[3, 1, 2].max()", "3"},
    {"Lists", "sum", "all added", "[1, 2, 3].sum()", "6"},
    {"Lists", "sets.contains", "whether all of the second are in the first",
     "sets.contains([1, 2, 3], [2, 3])", "true"},
    {"Lists", "sets.equivalent", "whether both have the same items",
     "sets.equivalent([1, 1, 2], [2, 1])", "true"},
    {"Lists", "sets.intersects", "whether they share an item", "sets.intersects([1, 2], [2, 3])",
     "true"},
    {"Numbers", "math.greatest", "the largest of its arguments, or of a list",
     "math.greatest(1, 3.5, 2)", "3.5"},
    {"Numbers", "math.least", "the smallest", "math.least([3, 1, 2])", "1"},
    {"Numbers", "math.abs", "without its sign", "math.abs(-2)", "2"},
    {"Numbers", "math.sign", "-1, 0 or 1", "math.sign(-2.5)", "-1"},
    {"Numbers", "math.sqrt", "the square root", "math.sqrt(16)", "4"},
    {"Numbers", "math.ceil", "up to a whole number", "math.ceil(1.2)", "2"},
    {"Numbers", "math.floor", "down to a whole number", "math.floor(1.8)", "1"},
    {"Numbers", "math.round", "to the nearest, halves away from 0", "math.round(1.5)", "2"},
    {"Numbers", "math.trunc", "cut off", "math.trunc(-1.8)", "-1"},
    {"Numbers", "math.isNaN", "whether it is no number", "math.isNaN(0.0 / 0.0)", "true"},
    {"Numbers", "math.isInf", "whether it is infinite", "math.isInf(1.0 / 0.0)", "true"},
    {"Numbers", "math.isFinite", "whether it is neither", "math.isFinite(1.0)", "true"},
    {"Numbers", "math.bitAnd", "bits that both have", "math.bitAnd(6, 3)", "2"},
    {"Numbers", "math.bitOr", "bits that one has", "math.bitOr(4, 1)", "5"},
    {"Numbers", "math.bitXor", "bits that only one has", "math.bitXor(6, 3)", "5"},
    {"Numbers", "math.bitNot", "all bits turned", "math.bitNot(0)", "-1"},
    {"Numbers", "math.bitShiftLeft", "bits moved up", "math.bitShiftLeft(1, 4)", "16"},
    {"Numbers", "math.bitShiftRight", "bits moved down", "math.bitShiftRight(16, 2)", "4"},
    {"Optional values", "optional.of", "a value that is there", "optional.of(1)", "1"},
    {"Optional values", "optional.none", "none", "optional.none()", "null"},
    {"Optional values", "optional.ofNonZeroValue", "none for what is empty or 0",
     "optional.ofNonZeroValue('').hasValue()", "false"},
    {"Optional values", "hasValue", "whether it is there", "{'a': 1}[?'b'].hasValue()", "false"},
    {"Optional values", "value", "what is there; an error when nothing is",
     "optional.of(1).value()", "1"},
    {"Optional values", "or", "it, or another when nothing is there",
     "optional.none().or(optional.of(2))", "2"},
    {"Optional values", "orValue", "what is there, or another value", "{'a': 1}[?'b'].orValue(0)",
     "0"},
    {"Optional values", "optional.unwrap", "the values of those that are there",
     "optional.unwrap([optional.of(1), optional.none()])", "[1]"},
    {"Optional values", "unwrapOpt", "the same", "[optional.of(1), optional.none()].unwrapOpt()",
     "[1]"},
    {"Times", "getFullYear", "the year", "timestamp('2026-03-04T05:06:07Z').getFullYear()", "2026"},
    {"Times", "getMonth", "the month, from 0", "timestamp('2026-03-04T05:06:07Z').getMonth()", "2"},
    {"Times", "getDayOfMonth", "the day of the month, from 0",
     "timestamp('2026-03-04T05:06:07Z').getDayOfMonth()", "3"},
    {"Times", "getDate", "the day of the month, from 1",
     "timestamp('2026-03-04T05:06:07Z').getDate()", "4"},
    {"Times", "getDayOfYear", "the day of the year, from 0",
     "timestamp('2026-03-04T05:06:07Z').getDayOfYear()", "62"},
    {"Times", "getDayOfWeek", "the day of the week, Sunday is 0",
     "timestamp('2026-03-04T05:06:07Z').getDayOfWeek()", "3"},
    {"Times", "getHours", "the hour, in a zone if one is named; whole hours of a duration",
     "timestamp('2026-03-04T05:06:07Z').getHours('+02:00')", "7"},
    {"Times", "getMinutes", "the minute; whole minutes of a duration",
     "duration('90s').getMinutes()", "1"},
    {"Times", "getSeconds", "the second; whole seconds of a duration",
     "timestamp('2026-03-04T05:06:07Z').getSeconds()", "7"},
    {"Times", "getMilliseconds", "milliseconds of the second",
     "timestamp('2026-03-04T05:06:07.089Z').getMilliseconds()", "89"},
    {"Addresses and URLs", "url", "a URL; an error for what is none",
     "url('https://example.org:8443/a?b=c').getPort()", "8443"},
    {"Addresses and URLs", "isURL", "whether it is one", "isURL('https://example.org')", "true"},
    {"Addresses and URLs", "getScheme", "its scheme", "url('https://example.org/a').getScheme()",
     "https"},
    {"Addresses and URLs", "getHost", "its host with the port",
     "url('https://example.org:8443/a').getHost()", "example.org:8443"},
    {"Addresses and URLs", "getHostname", "its host",
     "url('https://example.org:8443/a').getHostname()", "example.org"},
    {"Addresses and URLs", "getPort", "its port as a text",
     "url('https://example.org:8443/a').getPort()", "8443"},
    {"Addresses and URLs", "getEscapedPath", "its path",
     "url('https://example.org/a b').getEscapedPath()", "/a%20b"},
    {"Addresses and URLs", "getQuery", "its query as lists by name",
     "url('https://example.org/?a=1&a=2').getQuery()", "{\"a\":[\"1\",\"2\"]}"},
    {"Addresses and URLs", "ip", "an address; of a range its address", "ip('192.168.0.1').family()",
     "4"},
    {"Addresses and URLs", "isIP", "whether it is one", "isIP('::1')", "true"},
    {"Addresses and URLs", "ip.isCanonical", "whether it is written as it is printed",
     "ip.isCanonical('::0001')", "false"},
    {"Addresses and URLs", "family", "4 or 6", "ip('::1').family()", "6"},
    {"Addresses and URLs", "isUnspecified", "0.0.0.0 or ::", "ip('0.0.0.0').isUnspecified()",
     "true"},
    {"Addresses and URLs", "isLoopback", "of this machine", "ip('127.0.0.1').isLoopback()", "true"},
    {"Addresses and URLs", "isGlobalUnicast", "of one machine anywhere",
     "ip('192.0.2.1').isGlobalUnicast()", "true"},
    {"Addresses and URLs", "isLinkLocalUnicast", "of one machine on this link",
     "ip('fe80::1').isLinkLocalUnicast()", "true"},
    {"Addresses and URLs", "isLinkLocalMulticast", "of a group on this link",
     "ip('224.0.0.1').isLinkLocalMulticast()", "true"},
    {"Addresses and URLs", "cidr", "a range of addresses", "cidr('10.0.0.0/8').prefixLength()",
     "8"},
    {"Addresses and URLs", "isCIDR", "whether it is one", "isCIDR('10.0.0.0/33')", "false"},
    {"Addresses and URLs", "containsIP", "whether the address is in the range",
     "cidr('10.0.0.0/8').containsIP('10.1.2.3')", "true"},
    {"Addresses and URLs", "containsCIDR", "whether the range is in the range",
     "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')", "true"},
    {"Addresses and URLs", "prefixLength", "bits of its prefix", "cidr('::1/128').prefixLength()",
     "128"},
    {"Addresses and URLs", "masked", "the range with the rest of its address 0",
     "cidr('10.1.2.3/8').masked() == cidr('10.0.0.0/8')", "true"},
    {"Kubernetes", "quantity", "a quantity: 1.5Gi, 100m", "quantity('2Ki').asInteger()", "2048"},
    {"Kubernetes", "isQuantity", "whether it is one", "isQuantity('1.5Gi')", "true"},
    {"Kubernetes", "isInteger", "whether it is a whole number", "quantity('100m').isInteger()",
     "false"},
    {"Kubernetes", "asInteger", "as a whole number", "quantity('2k').asInteger()", "2000"},
    {"Kubernetes", "asApproximateFloat", "as a double, near enough",
     "quantity('1500m').asApproximateFloat()", "1.5"},
    {"Kubernetes", "sign", "-1, 0 or 1", "sign(quantity('-1'))", "-1"},
    {"Kubernetes", "add", "sum with a quantity or an int", "quantity('1k').add(24).asInteger()",
     "1024"},
    {"Kubernetes", "sub", "difference", "quantity('1k').sub(quantity('1')).asInteger()", "999"},
    {"Kubernetes", "compareTo", "-1, 0 or 1", "quantity('1Gi').compareTo(quantity('1G'))", "1"},
    {"Kubernetes", "isGreaterThan", "whether it is more",
     "quantity('1Gi').isGreaterThan(quantity('1G'))", "true"},
    {"Kubernetes", "isLessThan", "whether it is less",
     "semver('1.2.3').isLessThan(semver('1.10.0'))", "true"},
    {"Kubernetes", "semver", "a version; with true, one that is written loosely",
     "semver('v1.2', true).minor()", "2"},
    {"Kubernetes", "isSemver", "whether it is one", "isSemver('1.2')", "false"},
    {"Kubernetes", "major", "its first number", "semver('1.2.3').major()", "1"},
    {"Kubernetes", "minor", "its second number", "semver('1.2.3').minor()", "2"},
    {"Kubernetes", "patch", "its third number", "semver('1.2.3').patch()", "3"},
    {"Kubernetes", "format.named", "the rule of that name, an optional",
     "format.named('dns1123Label').hasValue()", "true"},
    {"Kubernetes", "validate", "what is wrong with a text by a rule; none: nothing",
     "format.dns1123Label().validate('a-b').hasValue()", "false"},
    {"Kubernetes", "format.dns1123Label", "rule: name of a label",
     "format.dns1123Label().validate('a.b').hasValue()", "true"},
    {"Kubernetes", "format.dns1123Subdomain", "rule: name of a subdomain",
     "format.dns1123Subdomain().validate('a.b').hasValue()", "false"},
    {"Kubernetes", "format.dns1035Label", "rule: label that begins with a letter",
     "format.dns1035Label().validate('1a').hasValue()", "true"},
    {"Kubernetes", "format.dns1123LabelPrefix", "rule: what a label may begin with",
     "format.dns1123LabelPrefix().validate('a-').hasValue()", "false"},
    {"Kubernetes", "format.dns1123SubdomainPrefix", "rule: what a subdomain may begin with",
     "format.dns1123SubdomainPrefix().validate('a.').hasValue()", "true"},
    {"Kubernetes", "format.dns1035LabelPrefix", "rule: what such a label may begin with",
     "format.dns1035LabelPrefix().validate('a-').hasValue()", "false"},
    {"Kubernetes", "format.qualifiedName", "rule: key of a label, example.org/name",
     "format.qualifiedName().validate('example.org/a').hasValue()", "false"},
    {"Kubernetes", "format.labelValue", "rule: value of a label",
     "format.labelValue().validate('a b').hasValue()", "true"},
    {"Kubernetes", "format.uri", "rule: URI",
     "format.uri().validate('https://example.org').hasValue()", "false"},
    {"Kubernetes", "format.uuid", "rule: UUID", "format.uuid().validate('x').hasValue()", "true"},
    {"Kubernetes", "format.byte", "rule: base64", "format.byte().validate('aGk=').hasValue()",
     "false"},
    {"Kubernetes", "format.date", "rule: date", "format.date().validate('2026-02-30').hasValue()",
     "true"},
    {"Kubernetes", "format.datetime", "rule: date and time",
     "format.datetime().validate('2026-01-02T03:04:05Z').hasValue()", "false"},
};

/* ---- forms */

static str parameter(str *rest)
{
    size_t depth = 0, i = 0;
    str all = *rest;

    while (i < all.len && (depth || all.p[i] != ',')) {
        depth += all.p[i] == '(';
        depth -= all.p[i] == ')';
        i++;
    }
    *rest = i < all.len ? str_from(all, i + 1) : STR_NONE;
    return str_sub(all, 0, i);
}

/* "_+_" and "int,int" are "int + int". */
static bool add_operator(const struct cel_row *row, struct buf *out)
{
    str name = str_of(row->name), rest = str_of(row->params), first, second;

    if (str_find_char(name, '_') < 0 && name.p[0] != '@')
        return false;
    first = parameter(&rest);
    second = parameter(&rest);
    if (str_eq(name, STR("_[_]")))
        buf_addf(out, "%.*s[%.*s]", STR_ARG(first), STR_ARG(second));
    else if (name.p[0] == '@')
        buf_addf(out, "%.*s %s %.*s", STR_ARG(first), row->name + 1, STR_ARG(second));
    else if (name.p[0] == '_')
        buf_addf(out, "%.*s %.*s %.*s", STR_ARG(first), (int)name.len - 2, name.p + 1,
                 STR_ARG(second));
    else
        buf_addf(out, "%.*s%.*s", (int)name.len - 1, name.p, STR_ARG(first));
    return true;
}

static void add_form(const struct cel_row *row, struct buf *out)
{
    str rest = str_of(row->params);

    if (!add_operator(row, out)) {
        bool is_first = true;

        if (row->is_member) {
            str target = parameter(&rest);

            buf_addf(out, "%.*s.", STR_ARG(target));
        }
        buf_addf(out, "%s(", row->name);
        while (rest.len) {
            str next = parameter(&rest);

            buf_addf(out, "%s%.*s", is_first ? "" : ", ", STR_ARG(next));
            is_first = false;
        }
        buf_add_char(out, ')');
    }
    buf_addf(out, " -> %s", row->result);
}

struct forms {
    const char *name;
    struct buf *out;
};

static void take_form(void *ctx, const struct cel_row *row)
{
    const struct forms *f = ctx;

    if (strcmp(row->name, f->name) != 0)
        return;
    if (f->out->len)
        buf_add_cstr(f->out, ", ");
    add_form(row, f->out);
}

bool cel_function_row(size_t i, struct cel_doc_row *ret, struct buf *forms)
{
    if (i >= ARRAY_LEN(docs))
        return false;
    *ret = docs[i];
    for (size_t t = 0; t < cel_table_count; t++)
        cel_tables[t].rows(&(struct cel_rows){take_form, &(struct forms){ret->name, forms}});
    return true;
}
