"""Random templates over random values: every hermetic function with fitting and unfitting arguments, pipelines, blocks, variables."""
import json

# Function: kinds of its arguments, the piped one last; "*" repeats the one before it. See Maker.argument for the kinds.
FUNCTIONS = {
    "trim": "s", "trimAll": "s s", "trimall": "s s", "trimPrefix": "s s", "trimSuffix": "s s", "upper": "s", "lower": "s", "title": "s", "untitle": "s",
    "repeat": "i s", "substr": "i i s", "nospace": "s", "trunc": "i s", "abbrev": "i s", "abbrevboth": "i i s", "initials": "s", "wrap": "i s",
    "wrapWith": "i s s", "contains": "s s", "hasPrefix": "s s", "hasSuffix": "s s", "quote": "a *", "squote": "a *", "cat": "a *", "indent": "i s",
    "nindent": "i s", "replace": "s s s", "plural": "s s i", "snakecase": "s", "kebabcase": "s", "camelcase": "s", "swapcase": "s", "toString": "a",
    "hello": "", "join": "s l", "splitList": "s s", "split": "s s", "splitn": "s i s", "sortAlpha": "l", "toStrings": "l", "toDecimal": "n",
    "int": "n", "int64": "n", "float64": "n", "atoi": "s", "add": "n *", "mul": "n n *", "sub": "n n", "div": "n n", "mod": "n n", "add1": "n",
    "max": "n *", "biggest": "n *", "min": "n *", "maxf": "n *", "minf": "n *", "addf": "n *", "add1f": "n", "subf": "n n *", "mulf": "n n *",
    "divf": "n n *", "floor": "n", "ceil": "n", "round": "n i", "until": "i", "untilStep": "i i i", "seq": "i *", "default": "a a", "empty": "a",
    "coalesce": "a *", "all": "a *", "any": "a *", "ternary": "a a b", "fail": "s", "b64enc": "s", "b64dec": "e", "b32enc": "s", "b32dec": "e",
    "sha1sum": "s", "sha256sum": "s", "sha512sum": "s", "adler32sum": "s", "toJson": "a", "mustToJson": "a", "toPrettyJson": "a",
    "mustToPrettyJson": "a", "toRawJson": "a", "mustToRawJson": "a", "fromJson": "j", "mustFromJson": "j", "date": "t T", "dateInZone": "t T z",
    "date_in_zone": "t T z", "htmlDate": "T", "htmlDateInZone": "T z", "dateModify": "u T", "date_modify": "u T", "mustDateModify": "u T",
    "must_date_modify": "u T", "toDate": "t m", "mustToDate": "t m", "unixEpoch": "T", "duration": "n", "durationRound": "u", "list": "a *",
    "tuple": "a *", "first": "l", "last": "l", "rest": "l", "initial": "l", "append": "l a", "push": "l a", "prepend": "l a", "concat": "l *",
    "reverse": "l", "uniq": "l", "without": "l a *", "compact": "l", "has": "a l", "slice": "l i i", "chunk": "i l", "mustFirst": "l",
    "mustLast": "l", "mustRest": "l", "mustInitial": "l", "mustAppend": "l a", "mustPush": "l a", "mustPrepend": "l a", "mustReverse": "l",
    "mustUniq": "l", "mustWithout": "l a *", "mustHas": "a l", "mustCompact": "l", "mustSlice": "l i i", "mustChunk": "i l", "dict": "s a",
    "get": "d s", "set": "d s a", "unset": "d s", "hasKey": "d s", "pluck": "s d *", "pick": "d s *", "omit": "d s *",
    "merge": "d d *", "mustMerge": "d d *", "mergeOverwrite": "d d *", "mustMergeOverwrite": "d d *", "deepCopy": "a", "mustDeepCopy": "a",
    "deepEqual": "a a", "dig": "s a d", "typeOf": "a", "typeIs": "k a", "typeIsLike": "k a", "kindOf": "a", "kindIs": "k a", "regexMatch": "r s",
    "mustRegexMatch": "r s", "regexFind": "r s", "mustRegexFind": "r s", "regexFindAll": "r s i", "mustRegexFindAll": "r s i",
    "regexReplaceAll": "r s x", "mustRegexReplaceAll": "r s x", "regexReplaceAllLiteral": "r s x", "mustRegexReplaceAllLiteral": "r s x",
    "regexSplit": "r s i", "mustRegexSplit": "r s i", "regexQuoteMeta": "s", "semver": "v", "semverCompare": "c v", "base": "p",
    "dir": "p", "clean": "p", "ext": "p", "isAbs": "p", "osBase": "p", "osDir": "p", "osClean": "p", "osExt": "p", "osIsAbs": "p", "urlParse": "w",
    "urlJoin": "d", "toYaml": "a", "mustToYaml": "a", "toYamlPretty": "a", "fromYaml": "y", "fromYamlArray": "y", "fromJsonArray": "j",
    "toToml": "a", "mustToToml": "a", "fromToml": "o", "mustToDuration": "u", "durationSeconds": "u", "durationMinutes": "u", "durationHours": "u",
    "durationDays": "u", "durationWeeks": "u", "durationMilliseconds": "u", "durationMicroseconds": "u", "durationNanoseconds": "u",
    "durationRoundTo": "u u", "durationTruncateTo": "u u", "required": "s a", "and": "a *", "or": "a *", "not": "a", "len": "l", "index": "l i",
    "print": "a *", "println": "a *", "printf": "q a *", "html": "a *", "js": "a *", "urlquery": "a *", "eq": "a a *", "ne": "a a", "lt": "a a",
    "le": "a a", "gt": "a a", "ge": "a a", "tpl": "g a", "include": "h a", "keys": "d", "values": "d", "derivePassword": "i s s s s", "lookup": "s s s s",
    "buildCustomCert": "e e", "decryptAES": "s e", "call": "a",
}
NAMES = list(FUNCTIONS)
WORDS = ["", "a", "b", "abc", "Hello World", "foo_bar-baz", "  padded\t", "héllo wörld", "日本語", "ß", "x.y.z", "12", "-7", "3.5", "1e3", "true", "null", "0x1F",
         "010", "a,b,c", "line one\nline two\n", "\"quoted\" 'text'", "<b>&amp;</b>", "HTTPServerABC2Foo", "someCamelCase", "_complex__case_", "%d%s", "😀 smile", "a\\b",
         "tab\there", "$1", "k", "1.2.3", "v", "$", "{{ .a }}", "- x", "a: b", "#c", "~", "yes", "0", "Ǆ ǆ", "ŉ", "İ", "a b  c", "/a/b/../c.txt", "the quick brown fox jumps over the lazy dog " * 3]
INTS = ["0", "1", "2", "3", "5", "-1", "-3", "10", "64", "100", "0x10", "1000000", "9223372036854775807", "-9223372036854775808", "'a'", "0b11", "0o17", "1_000"]
FLOATS = ["0.0", "1.5", "-2.5", "2.4999999", "1e6", "1e21", "1e-7", "0.1", "123456789.125", "-0.0", "3.0", "1e100", "0x1p4", "99999.5", "1e308"]
LAYOUTS = ["2006-01-02", "2006-01-02T15:04:05Z07:00", "Mon Jan _2 15:04:05 MST 2006", "02 Jan 06 15:04 MST", "3:04PM", ".000", "2006-01-02 15:04:05.999999999 -0700 MST", "Monday", "002 __2", "x", ""]
MOMENTS = ["2024-02-29", "2023-12-31T23:59:59Z", "2001-02-03T04:05:06+02:00", "Tue Jan  2 15:04:05 UTC 2024", "nonsense", "", "2024-13-01", "1:05AM"]
ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Nowhere/City", "", "Local"]
SPANS = ["1h", "90s", "1h30m", "-5m", "1.5h", "100", "0", "2us", "36h", "8760h", "x", "", "1d", "3.7", "1000000000"]
PATTERNS = ["a", "[a-z]+", "(a)(b)?", "^x", "\\d+", "(?i)HELLO", "[", "(", "\\s", "b*", "", ".", "(?P<n>o)", "[[:alpha:]]+", "o|l", "\\bw", "a{2,1}", "(?:x", "\\p{Greek}", "$"]
REPLACEMENTS = ["X", "$1", "${1}y", "$1y", "${n}", "$$", "", "\\1", "$0", "${", "$n"]
VERSIONS = ["1.2.3", "v1.2.3", "1.2", "1", "1.2.3-alpha.1", "1.2.3+build.5", "1.2.3-rc.1+b", "0.0.0", "x", "", "1.2.3.4", "01.2.3", "1.2.3-01", "v2.0.0-beta", "10.20.30", "99999999999999999999.0.0"]
CONSTRAINTS = ["^1.2.0", "~1.2", ">=1.0.0", ">1, <2", "1.x", "*", "1.2 - 2.0", "^0.0.3", "!=1.2.3", "<1 || >=1.2.3-0", "=1.2.3", "=> 1", "1.2.3", ">= 1.0 < 2", "^", "x", "", ">", "~> 2.0", "^1.2.3-alpha",
               "1.2.3 || ", "> 1.2.3-beta", "~0", "1.2.x - 3", "<=1.2"]
YAMLS = ["a: 1\nb: [x, y]", "- 1\n- a: b\n", "a: 1\na: 2", "x", "", "a: [", "{a: {b: null}}", "a: yes\nb: 0x10\nc: 1e3\nd: 2001-01-01", "1: a\ntrue: b", "---\na: 1\n---\nb: 2", "a: &x 1\nb: *x", "\ta: 1",
         "a: |\n  text\n  more\nb: >-\n  folded\n  text\n", "a: 'it''s'", "null", "- - 1\n  - 2", "a:\n- b", "a: b: c", "? a\n: b", "a: !!str 1", "a: 12345678901234567890", "<<: {a: 1}\nb: 2"]
JSONS = ['{"a": 1, "b": [true, null, "x"]}', "[1, 2.5, \"a\"]", "{", "", "null", "3", '"s"', '{"a": {"b": {"c": 1e400}}}', "[1,]", '{"a":1}x', "tru", '{"u": "\\u00e9\\ud83d\\ude00"}', '{"a" 1}', "[", '{"n": 12345678901234567890}', "\"a\nb\""]
TOMLS = ["a = 1", "a = [1, 2]\n[t]\nb = \"x\"", "a =", "[t", "a = 1.5\nb = true", "d = 1979-05-27T07:32:00Z", "a = 'lit'", "[[x]]\na=1\n[[x]]\na=2", "a.b = 1", "a = 1\na = 2", "x"]
PATHS = ["/a/b/c.txt", "a/../b", "", ".", "..", "/", "a//b/", "./x.tar.gz", "/../a", "a/b/.hidden", "a\\b"]
URLS = ["http://user:pw@host.com:8080/p/a?q=1&r=2#frag", "https://example.com", "/rel/path?x", "mailto:a@b.c", "://", "http://[::1]:80/", "%zz", "http://a b/", "", "ftp://h/%41%2f", "HTTP://H/;x", "http://h:x/", "?q#f"]
ENCODED = ["YWJj", "YWJj=", "YWI=", "!!!!", "", "MFRGG===", "MFRGG", "aGVsbG8gd29ybGQ=", "/+==", "YW\nJj", "mfrgg==="]
TYPES = ["string", "int", "int64", "float64", "bool", "map", "slice", "map[string]interface {}", "[]interface {}", "invalid", "*semver.Version", "nil", "<nil>", "struct", "ptr", "time.Time"]
VERBS = list("vTtbcdoOqxXUeEfFgGsp%zw") + ["+v", "#v", "+d", "05d", "-5d|", "5d", "x", "#x", " x", "08.3f", ".2f", ".0f", "+.3e", "6.2f|", ".3s", "-10s|", "10s", "#q", "+q", "[1]d", "[2]v", "[9]v", "*d", ".*f", " d",
                                           "#o", "#b", "#U", "010v", "-010d|", "q", "#g", ".3g", ".3v", "#.3v", "+s", "x", "% X", "# x", "!", "[x]d", "3", "06s", "+#v", "t", "5t|", "-8q|", ".10d", "+.3d", "8.5x", "c"]


def text(s):
    """A string of a template: quoted as Go does, or raw."""
    return json.dumps(s, ensure_ascii=False) if "`" in s or len(s) % 2 else "`" + s + "`"


class Maker:
    def __init__(self, r):
        self.r = r
        self.variables = ["$.Values"]

    def pick(self, of):
        return self.r.choice(of)

    def field(self):
        return self.pick([".Values." + n for n in ("s", "n", "f", "b", "nil", "l", "m", "deep.x.y", "missing", "m.k", "m.missing", "l2", "big", "neg", "mixed", "e", "em", "sl", "u", "m.nil", "deep.x", "missing.x", "s.x", "n.x", "l.x", "nums")]
                         + [".Release.Name", ".Chart.Name", ".Values", ".Release.Revision", ".Chart.Version", ".Chart.Annotations", ".Template.Name", ".Chart.Keywords", ".Release.IsInstall", ".Chart.Nope"])

    def argument(self, kind, depth):
        r = self.r
        if r.random() < 0.07:
            kind = self.pick("sinlda")
        if depth > 0 and r.random() < 0.3:
            return "(" + self.pipeline(depth - 1) + ")"
        if r.random() < 0.1:
            return self.field()
        if r.random() < 0.06:
            return self.pick(self.variables)
        table = {"s": WORDS, "i": None, "n": None, "r": PATTERNS, "u": SPANS, "t": LAYOUTS, "m": MOMENTS, "z": ZONES, "v": VERSIONS, "c": CONSTRAINTS, "y": YAMLS, "j": JSONS, "o": TOMLS,
                 "p": PATHS, "w": URLS, "e": ENCODED, "k": TYPES, "x": REPLACEMENTS}
        if table.get(kind):
            return text(self.pick(table[kind]))
        return getattr(self, "make_" + kind)(depth)

    def make_i(self, depth):
        return self.pick(INTS) if self.r.random() < 0.4 else str(self.r.randint(-2, 12))

    def make_n(self, depth):
        return self.pick([self.make_i(depth), self.pick(FLOATS), text(self.pick(["12", "3.5", "0x1F", "010", "x", "1e3", " 7", "08", "1_000", "-3", "", "5.000", "+4"])), self.field()])

    def make_b(self, depth):
        return self.pick(["true", "false", ".Values.b", "(eq 1 1)"])

    def make_l(self, depth):
        return self.pick([".Values.l", ".Values.l2", ".Values.mixed", ".Values.e", "(list %s)" % " ".join(self.argument("a", 0) for _ in range(self.r.randint(0, 4))), "(splitList \",\" \"c,a,b,a\")", "(until 4)", ".Values.nil",
                          ".Values.sl", "(list)", ".Values.nums", "(list 1 2 3 2)", "(list (dict \"a\" 1) (dict \"a\" 2))"])

    def make_d(self, depth):
        return self.pick([".Values.m", ".Values.em", ".Values.deep", "(dict %s)" % " ".join(text(self.pick(["a", "b", "k", "x y", "1"])) + " " + self.argument("a", 0) for _ in range(self.r.randint(0, 3))),
                          "(dict \"a\" (dict \"b\" 1 \"c\" \"\"))", ".Values.nil", "(split \",\" \"x,y\")", "(urlParse \"http://h/p?q\")", "(dict \"scheme\" \"http\" \"host\" \"h\" \"path\" \"/p q\" \"query\" \"a=b\")"])

    def make_a(self, depth):
        kind = self.pick("ssinnbldfffvT0")
        if kind == "f":
            return self.field()
        if kind == "0":
            return self.pick(["nil", "(list)", "(dict)", "(semver \"1.2.3-a+b\")", "(mustToDuration \"90s\")", "2i", "(int64 7)", "(float64 7)", "(int 7)", "(b64dec \"/w==\")", "(until 3)", "(list nil)", "(chunk 2 (list 1 2 3))"])
        return self.argument(kind, depth)

    def make_T(self, depth):
        return self.pick(["(toDate \"2006-01-02\" \"2024-02-29\")", "(toDate \"2006-01-02T15:04:05Z07:00\" \"2001-02-03T04:05:06+02:00\")", "0", "1700000000", "(int64 1234567890)", "-1", "(mustDateModify \"-1.5h\" (toDate \"2006-01-02\" \"2023-01-01\"))"])

    def make_g(self, depth):
        return text(self.pick(["{{ . }}", "{{ .s | quote }}", "{{", "x{{ include \"helper\" . }}", "{{ nope }}", "{{ define \"q\" }}Q{{ end }}{{ template \"q\" }}", "plain", "{{ .a.b }}", "{{ range . }}<{{ . }}>{{ end }}", "", "{{ fail \"f\" }}", "{{ .Values.s }}"]))

    def make_h(self, depth):
        return text(self.pick(["helper", "helper", "twice", "absent", "nothing"]))

    def make_q(self, depth):
        parts = []
        for _ in range(self.r.randint(1, 3)):
            parts.append(self.pick(["", "x", " é"]) + "%" + self.pick(VERBS))
        return json.dumps("|".join(parts), ensure_ascii=False)

    def call(self, depth, piped=False):
        name = self.pick(NAMES)
        kinds, arguments = FUNCTIONS[name].split(), []
        for i, kind in enumerate(kinds):
            if kind == "*":
                arguments += [self.argument(kinds[i - 1], depth) for _ in range(self.r.randint(0, 2))]
            else:
                arguments.append(self.argument(kind, depth))
        if self.r.random() < 0.03:
            arguments.append(self.argument("a", 0))
        if arguments and (piped or self.r.random() < 0.03):
            arguments.pop()
        if name in ("keys", "values") and not piped:
            return "%s %s | %s" % (name, " ".join(arguments), "sortAlpha" if name == "keys" else "len")
        return " ".join([name] + arguments)

    def pipeline(self, depth):
        out = self.call(depth) if self.r.random() < 0.85 else self.argument("a", depth)
        while self.r.random() < 0.3:
            out += " | " + self.call(depth, piped=True)
        return out

    def delimiters(self, inside):
        left, right = self.pick(["{{ ", "{{ ", "{{", "{{- ", "{{-\n"]), self.pick([" }}", " }}", "}}", " -}}", "\n-}}"])
        return left + inside + right

    def words(self):
        return self.pick(["", " ", "\n", "text", " a b ", "\n\t ", "é", "}}", "{ {", "x\n", "\r\n", "%"])

    def body(self, depth):
        return self.words() + "".join(self.node(depth) + self.words() for _ in range(self.r.randint(1, 2)))

    def node(self, depth):
        sort = self.r.random()
        if depth <= 0 or sort < 0.45:
            return self.delimiters(self.pipeline(self.r.randint(0, 2)))
        if sort < 0.55:
            return self.declaration()
        if sort < 0.6:
            return self.pick(["{{/* note */}}", "{{- /* note */ -}}", self.delimiters("template " + text(self.pick(["helper", "twice", "absent"])) + self.pick(["", " .", " $", " .Values.m"])), self.delimiters("break"), self.delimiters("continue"),
                              self.delimiters("end"), self.delimiters("else"), "{{ }}", "{{", self.delimiters("if"), self.delimiters("$x"), self.delimiters("nope 1"), self.delimiters("1 | 2"), self.delimiters(". | .x"), self.delimiters("\"a\" 2"),
                              self.delimiters("define \"x\""), self.delimiters("(.a"), self.delimiters(".a)"), self.delimiters("'ab'"), self.delimiters("\"a"), self.delimiters("1k"), self.delimiters("a-b"), self.delimiters("nil"), self.delimiters("{{ . }}")])
        return self.block(depth)

    def declaration(self):
        known = [v for v in self.variables if v != "$.Values"]
        if known and self.r.random() < 0.4:
            return self.delimiters(self.pick(known) + " = " + self.pipeline(1))
        name = "$" + self.pick(["a", "b", "v"])
        out = self.delimiters(name + " := " + self.pipeline(1))
        self.variables.append(name)
        return out

    def block(self, depth):
        sort, r = self.pick(["if", "with", "range", "range", "block"]), self.r
        kept = list(self.variables)
        if sort == "block":
            out = self.delimiters('block "blk%d" .' % r.randint(0, 9)) + self.body(depth - 1) + self.delimiters("end")
        elif sort == "range":
            over = self.pick([self.argument("l", 0), self.argument("d", 0), self.argument("i", 0), self.pipeline(1), str(r.randint(0, 4)), "(keys .Values.m | sortAlpha)"])
            if over.startswith(("9223", "1000000", "1_000", "(int64")):
                over = "3"
            head = self.pick(["", "$e := ", "$i, $e := ", "$i, $e := "])
            if head:
                self.variables += ["$e"] + (["$i"] if "$i" in head else [])
            inside = self.body(depth - 1)
            if r.random() < 0.3:
                inside += "{{ if %s }}{{ %s }}{{ end }}" % (self.pipeline(0), self.pick(["break", "continue"])) + self.words()
            out = self.delimiters("range " + head + over) + inside + (self.delimiters("else") + self.body(depth - 1) if r.random() < 0.3 else "") + self.delimiters("end")
        else:
            head = self.pick(["", "", "$w := "])
            if head:
                self.variables.append("$w")
            out = self.delimiters(sort + " " + head + self.pipeline(1)) + self.body(depth - 1)
            if r.random() < 0.4:
                out += self.delimiters("else " + self.pick(["if", "with", sort]) + " " + self.pipeline(1)) + self.body(depth - 1)
            if r.random() < 0.4:
                out += self.delimiters("else") + self.body(depth - 1)
            out += self.delimiters("end")
        self.variables = kept
        return out


VALUES = """s: some text
n: 3
f: 2.5
b: true
nil: null
l: [a, b, c]
l2: [[1, 2], [3]]
m: {k: v, z: 1, a: true, nil: null, "key 2": [1]}
deep: {x: {y: z, w: {v: 1}}}
big: 12345678901
neg: -42
mixed: [1, a, null, true, {k: v}, [x], 1.5]
e: []
em: {}
sl: ["10", "9", b, A]
u: "héllo\\twörld 日本"
nums: [3, 1, 2, 2]
"""
HELPERS = """{{- define "helper" -}}[{{ . }}]{{- end -}}
{{- define "twice" }}{{ include "helper" . }}{{ include "helper" . }}{{ end -}}
{{- define "nothing" }}{{ end }}"""
CHART = """apiVersion: v2
name: c
version: 0.1.0
appVersion: "1.16"
keywords: [one, two]
annotations: {note: text}
"""


def make(r):
    """The files of a chart of one template, and the arguments behind `template NAME FOLDER`."""
    m = Maker(r)
    sort = r.random()
    if sort < 0.6:
        body = "{{ " + m.pipeline(r.randint(0, 2)) + " }}"
    else:
        body = m.body(3)
    if r.random() < 0.8:
        main = '{{- define "t" -}}\n' + body + '\n{{- end -}}\nx: {{ include "t" . | b64enc }}\n'
    else:
        main = "x: " + body + "\n"
    return {"Chart.yaml": CHART, "values.yaml": VALUES, "templates/_helpers.tpl": HELPERS, "templates/x.yaml": main}, []
