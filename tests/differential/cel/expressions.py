"""Random CEL expressions: a type is asked for, mostly given, sometimes another; literals in all their spellings; broken text."""
import json

DOCUMENT = {
    "b": True, "i": 3, "u": 7, "d": 2.5, "s": "héllo wörld", "l": [3, 1, 2], "ls": ["b", "a", "c"], "m": {"a": 1, "b": 2}, "vars": {"NAME": "web", "N": "1", "get": "g"},
    "spec": {"replicas": 3, "template": {"labels": {"app": "x", "k8s.io/name": "y"}}, "ports": [{"name": "http", "port": 80}, {"name": "dns", "port": 53.5}]},
    "empty": {}, "none": [], "nil": None, "big": 4611686018427387904, "f": -0.25, "text": "2024-02-29T12:00:00Z", "mixed": [1, "a", None, True, 1.5, [1], {"k": "v"}],
}

INTS = ["0", "1", "2", "3", "5", "-1", "-3", "7", "10", "64", "100", "0x1F", "-0x10", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "4611686018427387904", "1000000007", "00", "007", "0X1f", "0xG", "-0", "2147483648"]
UINTS = ["0u", "1u", "2U", "7u", "0xFFu", "18446744073709551615u", "18446744073709551616u", "9223372036854775808u", "-1u", "3u"]
DOUBLES = ["0.0", "1.5", "-2.5", "1e3", ".5", "1e-7", "1E+2", "3.0", "1e308", "1e309", "-0.0", "0.1", "123456789.125", "9007199254740993.0", "1e100", "2.5", "-.5", "5.", "1.e3", "9.2233720368547758e18", "1e21", "0.000001", "4.9e-324"]
STRINGS = ["''", "'a'", "\"b\"", "'abc'", "'Hello World'", "'héllo'", "'日本語'", "'😀'", "'a,b,c'", "r'\\d+'", "'''x\"y'z'''", "\"\"\"tri\nple\"\"\"", "'\\n\\t\\\\\\''", "'\\x41\\u00e9\\U0001F600\\101'", "R\"raw\\n\"", "'  pad '",
           "'1'", "'-7'", "'3.5'", "'true'", "'NaN'", "'1h'", "'x.y'", "'\\?\\`\\a\\v'", "'\\400'", "'\\ud800'", "'\\q'", "'unterminated", "'\\x4'", "'\\u12'", "'\\U00110000'", "r'''\\'''", "'a\nb'", "'ß'", "'\u00a0x\u2003'", "'key'", "'ab ab'", "'A1b2'", "\"it's\""]
BYTES = ["b''", "b'abc'", "B\"\\xff\\377\"", "b'é'", "br'\\n'", "b'\\u0041'", "rb'x'", "b'''tri'''", "bR'\\x'", "b'\\101'"]
PATTERNS = ["'a'", "'[a-z]+'", "'(a)(b)?'", "'^x'", "r'\\d+'", "'(?i)HELLO'", "'['", "'('", "'b*'", "''", "'.'", "'(?P<n>o)'", "'[[:alpha:]]+'", "'o|l'", "r'\\bw'", "'a{2,1}'", "'$'", "r'\\p{Greek}'", "r'(?<x>l)'", "'a{1001}'", "'*'"]
MOMENTS = ["2024-02-29T12:00:00Z", "1970-01-01T00:00:00Z", "2023-12-31T23:59:59.999999999Z", "2001-02-03T04:05:06+02:00", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2024-13-01T00:00:00Z", "x", "", "2024-02-30T00:00:00Z", "2024-01-01", "2024-01-01t00:00:00z",
           "2024-01-01T00:00:00.5-07:30", "2024-01-01T24:00:00Z", "2024-01-01T00:00:60Z", "10000-01-01T00:00:00Z", "2024-01-01T00:00:00,25Z", "2024-06-15T10:20:30.123456Z", "1969-12-31T23:59:59.5Z"]
SPANS = ["1h", "90s", "1h30m", "-5m", "1.5h", "0", "2us", "36h", "8760h", "x", "", "1d", "100", "-1.5s", "1ns", "9223372036s", "9223372037s", "2562047h", "2562048h", ".5s", "5.s", "1h-1m", "+3s", "1µs", "0.1ns", "1ms", "-0s"]
ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Nowhere/City", "", "Local", "+05:30", "-07:00", "02:00", "+2:00", "Z", "+0200", "europe/berlin", "-00:30", "+99:99", "a:b"]
QUANTITIES = ["1", "1.5", "100m", "1k", "1Ki", "1.5Gi", "2000m", "-1", "0", "1e3", "1E", "1E3", "12e-3", "5n", ".5", "5.", "x", "", "1.5Ki", "9223372036854775807", "9223372036854775808", "10Ei", "1Pi", "0.5n", "+3M", "1u", "0.1", "1e", "1 ", "1.2.3", "1i", "1kk", "-1.5k", "999999999999999999999"]
URLS = ["https://user:pw@host.com:8080/p/a?q=1&r=2#frag", "http://example.com", "/rel/path?x", "mailto:a@b.c", "://", "http://[::1]:80/", "%zz", "http://a b/", "", "ftp://h/%41%2f", "HTTP://H/;x", "http://h:x/", "?q#f", "http://h/?a=1&a=2&b=%zz&c", "/a?b=c;d", "https://h?", "http://a/b c",
        "https://é.com/ü", "http://[fe80::1%25en0]/", "http://h/p?k=v%20w+x", "x"]
ADDRESSES = ["127.0.0.1", "::1", "10.0.0.1", "192.168.0.1", "fe80::1", "224.0.0.1", "ff02::1", "0.0.0.0", "::", "2001:db8::1", "2001:DB8::1", "256.1.1.1", "1.2.3", "01.2.3.4", "::ffff:1.2.3.4", "fe80::1%en0", "", "x", "2001:db8:0:0:0:0:0:1", "255.255.255.255", "169.254.1.1", "1::2::3", "::1.2.3.4"]
NETWORKS = ["10.0.0.0/8", "10.1.2.3/8", "::/0", "fe80::/10", "192.168.0.0/16", "10.0.0.0/33", "x", "", "10.0.0.0", "2001:db8::/32", "2001:db8::1/128", "10.0.0.0/08", "::ffff:1.2.3.4/96", "10.0.0.0/-1", "1.2.3.4/32", "10.0.0.0/0"]
VERSIONS = ["1.2.3", "v1.2.3", "1.2", "1", "1.2.3-alpha.1", "1.2.3+build.5", "1.2.3-rc.1+b", "0.0.0", "x", "", "1.2.3.4", "01.2.3", "1.2.3-01", "v2.0.0-beta", "10.20.30", "99999999999999999999.0.0", "1.2.3-", "V1", "1.02.3", "1.2.3-alpha", "1.2.3-alpha.beta", "1.2.3-alpha.2"]
NAMED = ["dns1123Label", "dns1123Subdomain", "dns1035Label", "qualifiedName", "dns1123LabelPrefix", "dns1123SubdomainPrefix", "dns1035LabelPrefix", "labelValue", "uri", "uuid", "byte", "date", "datetime"]
CHECKED = ["my-name", "My-Name", "a.b.c", "-x", "x-", "a/b", "", "1a", "2024-01-01", "2024-02-30", "2024-01-01T00:00:00Z", "YWJj", "!!", "123e4567-e89b-12d3-a456-426614174000", "http://x", "x" * 64, "a" * 254, "a_b", "a.b/c.d", "a..b", "YW=j", "/p", "a b"]
ENCODED = ["YWJj", "YWJj=", "YWI=", "YWI", "!!!!", "", "aGVsbG8gd29ybGQ=", "/+==", "YW\\nJj", "-_8="]
FORMATS = ["%s", "%d", "%f", "%e", "%b", "%o", "%x", "%X", "%%", "%.2f", "%.3e", "%.0f", "%a", "%", "x", "é", "%.20f", "%s %s", "%.f", "%5d", "%.10e", "%.1d"]

# The result's type: forms; in a form, a word in braces asks for an expression of that type, {'NAME} picks of a table.
# i int, u uint, d double, b bool, s string, y bytes, L list(int), S list(string), M map, T timestamp, D duration, a anything, n number, O optional, t type, v a list,
# Q quantity, U url, I ip, C cidr, V semver, x a local name.
TABLES = {"INTS": INTS, "UINTS": UINTS, "DOUBLES": DOUBLES, "STRINGS": STRINGS, "BYTES": BYTES, "PATTERNS": PATTERNS, "NAMED": NAMED, "ARITH": ["+", "-", "*", "/", "%"], "REL": ["<", "<=", ">", ">="], "EQ": ["==", "!="],
          "HALF": ["getHours", "getMinutes", "getSeconds", "getMilliseconds"], "PART": ["getFullYear", "getMonth", "getDayOfMonth", "getDate", "getDayOfYear", "getDayOfWeek", "getHours", "getMinutes", "getSeconds", "getMilliseconds"],
          "FIELD": ["spec", "spec.replicas", "spec.template.labels", "spec.ports", "spec.ports[0]", "empty", "none", "nil", "big", "f", "text", "mixed", "missing", "spec.missing", "spec.replicas.x", "b", "mixed[1]", "mixed[9]", "mixed.x", "spec.template.labels.app", "vars", "u", "nil.x"],
          "TYPES": ["int", "uint", "double", "bool", "string", "bytes", "list", "map", "type", "null_type", "google.protobuf.Timestamp", "google.protobuf.Duration", "dyn", "timestamp", "optional_type", "net.IP", "kubernetes.Quantity"],
          "CONVERT": ["int", "uint", "double", "string", "bytes", "bool", "dyn", "type", "timestamp", "duration", "size"], "MOMENTS": MOMENTS}
QUOTED = {"SPANS": SPANS, "ZONES": ZONES, "QUANTITIES": QUANTITIES, "URLS": URLS, "ADDRESSES": ADDRESSES, "NETWORKS": NETWORKS, "VERSIONS": VERSIONS, "CHECKED": CHECKED, "MOMENTS": MOMENTS}
FORMS = {
    "i": ["{'INTS}"] * 6 + ["i", "big", "{i} {'ARITH} {i}", "({i} {'ARITH} {i})", "-{i}", "-({i})", "size({s})", "{s}.size()", "size({v})", "{M}.size()", "int({n})", "int({s})", "int({T})", "int({D})", "{b} ? {i} : {i}", "{L}[{i}]", "{T}.{'PART}()", "{T}.{'PART}({\"ZONES})",
          "{D}.{'HALF}()", "{s}.indexOf({s})", "{s}.indexOf({s}, {i})", "{s}.lastIndexOf({s})", "{s}.lastIndexOf({s}, {i})", "{v}.indexOf({a})", "{v}.lastIndexOf({a})", "{L}.min()", "{L}.max()", "{L}.sum()", "{Q}.asInteger()", "sign({Q})", "{Q}.compareTo({Q})",
          "{V}.major()", "{V}.minor()", "{V}.patch()", "{V}.compareTo({V})", "{I}.family()", "{C}.prefixLength()", "math.abs({i})", "math.sign({i})", "math.bitAnd({i}, {i})", "math.bitOr({i}, {i})", "math.bitXor({i}, {i})", "math.bitNot({i})",
          "math.bitShiftLeft({i}, {i})", "math.bitShiftRight({i}, {i})", "math.greatest({i}, {i})", "math.least({i}, {n}, {n})", "cel.bind(x, {i}, {x} + {i})", "m.a", "m['{'KEY}']", "l[0]", "{M}[{s}]", "b\"é\".size()", "{S}.size()"],
    "u": ["{'UINTS}"] * 4 + ["u", "{u} {'ARITH} {u}", "uint({n})", "uint({s})", "math.abs({u})", "math.bitAnd({u}, {u})", "math.bitNot({u})", "math.bitShiftRight({u}, {i})", "math.bitShiftLeft({u}, {i})", "math.greatest({u}, {u})", "-{u}", "[1u, 2u].sum()"],
    "d": ["{'DOUBLES}"] * 5 + ["d", "f", "{d} {'ARITH} {d}", "-{d}", "double({n})", "double({s})", "{Q}.asApproximateFloat()", "math.ceil({d})", "math.floor({d})", "math.round({d})", "math.trunc({d})", "math.abs({d})", "math.sign({d})", "math.sqrt({n})", "[{d}, {d}].sum()", "[{d}, {d}].max()"],
    "n": ["{i}", "{i}", "{u}", "{d}", "dyn({i})", "dyn({d})", "dyn({u})", "math.greatest({n}, {n})", "math.least([{n}, {n}])", "self.f", "self.spec.replicas"],
    "b": ["true", "false", "b", "{i} {'REL} {i}", "{n} {'REL} {n}", "{a} {'EQ} {a}", "{i} {'EQ} {i}", "{s} {'EQ} {s}", "{s} {'REL} {s}", "{y} {'REL} {y}", "{v} {'EQ} {v}", "{M} {'EQ} {M}", "{T} {'REL} {T}", "{D} {'REL} {D}", "{T} {'EQ} {T}", "{b} {'REL} {b}", "dyn({a}) {'REL} dyn({a})", "dyn({a}) {'EQ} {a}",
          "{b} && {b}", "{b} || {b}", "!{b}", "!!{b}", "({b} && {b}) || {b}", "{b} || 1/0 > 0", "1/0 > 0 && {b}", "{b} ? {b} : {b}", "{i} in {L}", "{s} in {S}", "{a} in {v}", "{s} in m", "{a} in {M}", "has(self.{'FIELD})", "has(m.a)", "has(vars.NAME)", "has({M}.a)",
          "{s}.contains({s})", "{s}.startsWith({s})", "{s}.endsWith({s})", "{s}.matches({'PATTERNS})", "matches({s}, {'PATTERNS})", "{v}.all(x, {b})", "{v}.exists(x, {b})", "{v}.exists_one(x, {b})", "{L}.all(x, {x} > {i})", "{L}.exists(x, {x} == {n})", "{L}.all(x, y, {x} < y)", "{v}.exists(x, y, {b})", "{M}.all(x, y, {b})",
          "{L}.existsOne(x, y, {x} == y)", "{v}.isSorted()", "isQuantity({\"QUANTITIES})", "{Q}.isInteger()", "{Q}.isGreaterThan({Q})", "{Q}.isLessThan({Q})", "{Q} {'EQ} {Q}", "isURL({\"URLS})", "{U} {'EQ} {U}", "isIP({\"ADDRESSES})", "ip.isCanonical({\"ADDRESSES})", "{I}.isLoopback()", "{I}.isUnspecified()", "{I}.isGlobalUnicast()",
          "{I}.isLinkLocalUnicast()", "{I}.isLinkLocalMulticast()", "{I} {'EQ} {I}", "isCIDR({\"NETWORKS})", "{C}.containsIP({I})", "{C}.containsIP({\"ADDRESSES})", "{C}.containsCIDR({C})", "{C}.containsCIDR({\"NETWORKS})", "{C} {'EQ} {C}", "isSemver({\"VERSIONS})", "isSemver({\"VERSIONS}, {b})", "{V}.isGreaterThan({V})", "{V}.isLessThan({V})",
          "{V} {'EQ} {V}", "{O}.hasValue()", "sets.contains({v}, {v})", "sets.equivalent({v}, {v})", "sets.intersects({v}, {v})", "math.isNaN({d})", "math.isInf({d})", "math.isFinite({d})", "bool({s})", "type({a}) {'EQ} {t}", "{t} {'EQ} {t}", "{O} {'EQ} {O}", "self.b", "{a} {'EQ} null", "unset > 1 || {b}", "[true, false].max()"],
    "s": ["{'STRINGS}"] * 6 + ["s", "self.text", "vars.NAME", "vars['N']", "vars.{'KEY}", "{s} + {s}", "string({n})", "string({T})", "string({D})", "string({y})", "string({b})", "string({I})", "string({C})", "string({a})", "{s}.charAt({i})", "{s}.lowerAscii()", "{s}.upperAscii()", "{s}.replace({s}, {s})", "{s}.replace({s}, {s}, {i})",
          "{s}.substring({i})", "{s}.substring({i}, {i})", "{s}.trim()", "{s}.reverse()", "strings.quote({s})", "{S}.join()", "{S}.join({s})", "{format}", "{format}", "{s}.find({'PATTERNS})", "{U}.getScheme()", "{U}.getHost()", "{U}.getHostname()", "{U}.getPort()", "{U}.getEscapedPath()", "base64.encode({y})", "{b} ? {s} : {s}", "{S}.min()", "{S}[{i}]",
          "{O}.orValue({s})", "m.map(x, {x})[0]", "self.spec.template.labels.app", "self.spec.template.labels['k8s.io/name']", "self.spec.template.labels.`k8s.io/name`"],
    "y": ["{'BYTES}"] * 3 + ["bytes({s})", "{y} + {y}", "base64.decode({\"ENCODED})", "base64.decode({s})"],
    "L": ["[{i}, {i}]", "[{i}]", "[]", "l", "[3, 1, 2]", "[{i}, {i}, {i},]", "{L} + {L}", "{L}.map(x, {x} * {i})", "{L}.map(x, {b}, {x})", "{L}.filter(x, {b})", "{L}.filter(x, {x} > 1)", "{L}.slice({i}, {i})", "{L}.sort()", "{L}.reverse()", "{L}.distinct()", "lists.range(3)", "lists.range({smalls})", "[[{i}], {L}].flatten()", "{L}.sortBy(x, -{x})", "[?{O}, {i}]",
          "{L}.transformList(i, x, {x} + i)", "{L}.transformList(i, x, {b}, i)", "[{i}, [{i}, [{i}]]].flatten({smalls})"],
    "S": ["[{s}, {s}]", "ls", "[]", "['b', 'a', 'c']", "{s}.split({s})", "{s}.split({s}, {i})", "{s}.findAll({'PATTERNS})", "{s}.findAll({'PATTERNS}, {i})", "{S}.map(x, {x} + {s})", "{S}.sort()", "{S}.distinct()", "{S} + {S}", "{S}.filter(x, {x}.size() > 1)", "{S}.sortBy(x, {x}.size())"],
    "v": ["{L}", "{L}", "{S}", "[{a}, {a}]", "[{a}]", "[{n}, {n}, {n}]", "[dyn({a}), {a}]", "[{s}, dyn({i})]", "[{d}, {d}, {d}]", "[{u}, {u}]", "[{y}, {y}]", "[{T}, {T}]", "[{D}, {D}]", "[{b}, {b}]", "self.mixed", "self.none", "self.spec.ports", "[{M}]", "[[{a}], [{a}]]", "self.spec.ports.map(x, {x}.port)", "{v}.map(x, {a})", "{v} + {v}", "{v}.first()", "optional.unwrap([{O}, {O}])",
          "[{O}].unwrapOpt()", "{v}.sort()", "{v}.distinct()", "{v}.reverse()", "[{n}, {n}].sort()", "{v}.flatten()", "[null, {a}]", "[[1, 'a'], [2]]"],
    "M": ["m", "{{}}", "{{'a': {i}}}", "{{'a': {a}, 'b': {a}}}", "{{{s}: {i}}}", "{{{n}: {s}}}", "{{{i}: {a}, {u}: {a}}}", "{{1: 'a', 1u: 'b', 1.0: 'c'}}", "{{'k': {M}}}", "self", "self.spec", "self.empty", "vars", "{{{b}: {i}}}", "{{?{s}: {O}, 'z': {i}}}", "{L}.transformMap(i, x, {x})", "[{s}].transformMapEntry(i, x, {{{x}: i}})", "{{'a': {i}}}.transformMap(k, x, {x})", "{U}.getQuery()",
          "{L}.transformMap(i, x, {b}, {a})", "{{{a}: {a}}}", "{{'a': 1, 'a': 2}}", "{{'a': {i},}}", "{{1.5: 2}}", "{S}.transformMapEntry(i, x, {{'q': {x}}})"],
    "T": ["timestamp({\"MOMENTS})"] * 4 + ["timestamp({i})", "{T} + {D}", "{T} - {D}", "{D} + {T}", "timestamp(self.text)", "timestamp({T})", "timestamp({s})", "[{T}, {T}].max()"],
    "D": ["duration({\"SPANS})"] * 4 + ["{T} - {T}", "{D} + {D}", "{D} - {D}", "duration({D})", "duration({s})", "[{D}, {D}].sum()", "[{D}].min()", "-{D}"],
    "t": ["{'TYPES}", "{'TYPES}", "type({a})", "type({t})"],
    "O": ["optional.of({a})", "optional.none()", "optional.ofNonZeroValue({a})", "self.?{'KEY}", "self.spec.?replicas", "self.?missing.x.y", "{v}[?{i}]", "{M}[?{s}]", "{O}.or({O})", "{O}.optMap(x, {a})", "{O}.optFlatMap(x, optional.of({x}))", "{O}.x", "{v}.first()", "{v}.last()", "format.named({s})", "format.named('dns1123Label')", "format.{'NAMED}().validate({\"CHECKED})", "self.?spec.ports[0].?name", "m[?'a']",
          "self.?spec[?'ports'][?1].name", "optional.of({O})", "{O}[{s}]"],
    "a": ["{i}", "{s}", "{n}", "{b}", "{d}", "{u}", "{y}", "{v}", "{M}", "{T}", "{D}", "{t}", "null", "self.{'FIELD}", "{O}", "{O}.value()", "{O}.orValue({a})", "{Q}", "{U}", "{I}", "{C}", "{V}", "dyn({a})", "{b} ? {a} : {a}", "{v}[{i}]", "{M}[{a}]", "{M}.{'KEY}", "{'CONVERT}({a})", "{a}.size()", "x", "cel.bind(x, {a}, {a})", "{a}[{a}]",
          "{a} {'ARITH} {a}", "dyn({a}) {'ARITH} dyn({a})", "{v}.min()", "{v}.max()", "{v}.sum()", "math.greatest({v})", "math.least({a}, {a})", "-dyn({a})", "!dyn({a})", "dyn({a}) ? 1 : 2", "dyn({a}).size()", "dyn({a}).contains({a})", "dyn({a}).map(x, {x})", "dyn({a}) in dyn({a})", "{v}.map(x, {x}).map(y, [y])", "{Q}.add({Q})", "[{a}].map(x, [{a}].map(y, {x} == y))"],
    "Q": ["quantity({\"QUANTITIES})"] * 3 + ["{Q}.add({Q})", "{Q}.sub({Q})", "{Q}.add({i})", "{Q}.sub({i})", "quantity({s})"],
    "U": ["url({\"URLS})", "url({\"URLS})", "url({s})"], "I": ["ip({\"ADDRESSES})", "ip({\"ADDRESSES})", "{C}.ip()", "ip({s})"], "C": ["cidr({\"NETWORKS})", "cidr({\"NETWORKS})", "{C}.masked()"],
    "V": ["semver({\"VERSIONS})", "semver({\"VERSIONS})", "semver({\"VERSIONS}, true)", "semver({\"VERSIONS}, false)"],
}
TABLES["KEY"] = ["a", "b", "spec", "NAME", "missing", "k", "x", "get", "N"]
QUOTED["ENCODED"] = ENCODED
LEAVES = {"i": "1", "u": "1u", "d": "1.5", "n": "2", "b": "true", "s": "'a'", "y": "b'a'", "L": "[2, 1]", "S": "['a']", "v": "[1]", "M": "{'a': 1}", "T": "timestamp('2024-02-29T12:00:00Z')", "D": "duration('1h')", "t": "int", "O": "optional.of(1)", "a": "1", "Q": "quantity('1k')", "U": "url('http://h/p')",
          "I": "ip('::1')", "C": "cidr('10.0.0.0/8')", "V": "semver('1.2.3')"}
KINDS = list(FORMS)
TOKENS = ["(", ")", "[", "]", "{", "}", ",", ".", "?", ":", "+", "-", "*", "/", "%", "!", "&&", "||", "==", "!=", "<", "<=", "in", "1", "x", "'a'", "null", "true", "if", "has(", ".?", "[?", "\"", "'", "`a`", "//c\n", "\\", "@", "$", "#", "=", "&", "|", "é", "1.", "0x", "b'", "r\"", "package", "as", ";", "\n", "\t"]


def quoted(text):
    return "'" + text.replace("'", "\\'") + "'"


class Maker:
    def __init__(self, r):
        self.r, self.left = r, r.choice([2, 4, 8, 16, 30])

    def pick(self, of):
        return self.r.choice(of)

    def format(self):
        clauses = "|".join(self.pick(FORMATS) for _ in range(self.r.randint(0, 3)))
        count = self.r.randint(0, 3)
        return quoted(clauses) + ".format([" + ", ".join(self.make("a") for _ in range(count)) + "])"

    def hole(self, word):
        if word[0] == "'":
            return self.pick(TABLES[word[1:]])
        if word[0] == '"':
            return quoted(self.pick(QUOTED[word[1:]]))
        if word == "x":
            return "x"
        if word == "smalls":
            return str(self.r.randint(-1, 4))
        if word == "format":
            return self.format()
        return self.make(word)

    def make(self, kind):
        if self.r.random() < 0.03:
            kind = self.pick(KINDS)
        if self.left <= 0 and self.r.random() < 0.9:
            return LEAVES[kind] if self.r.random() < 0.3 else self.fill(FORMS[kind][0]) if kind in "iudsyTD" else LEAVES[kind]
        self.left -= 1
        form = self.pick(FORMS[kind])
        return self.fill(form)

    def fill(self, form):
        out, i = [], 0
        while i < len(form):
            if form.startswith("{{", i) or form.startswith("}}", i):
                out.append(form[i])
                i += 2
            elif form[i] == "{":
                end = form.index("}", i)
                out.append(self.hole(form[i + 1:end]))
                i = end + 1
            else:
                out.append(form[i])
                i += 1
        return "".join(out)

    def broken(self, text):
        for _ in range(self.r.randint(1, 2)):
            at = self.r.randint(0, len(text))
            text = text[:at] + self.pick(TOKENS + [""]) + text[at + self.r.randint(0, 2):]
        return text


def make(r):
    m = Maker(r)
    sort = r.random()
    text = m.make(m.pick("abbasiLvMO" + "".join(KINDS)))
    if sort < 0.08:
        text = m.broken(text)
    elif sort < 0.1:
        text = " ".join(m.pick(TOKENS) for _ in range(r.randint(1, 6)))
    return {"expr": text, "kubernetes": r.random() < 0.3}


def first_line():
    return json.dumps(DOCUMENT)
