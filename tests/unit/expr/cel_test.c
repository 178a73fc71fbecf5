#include "expr/cel/cel_priv.h"

#include "doc/parse.h"
#include "support/test.h"

struct input {
    struct arena arena;
    const struct doc_node *root;
};

static bool lookup(void *ctx, str name, struct cel_value *ret)
{
    struct input *in = ctx;

    if (!str_eq(name, STR("object")))
        return false;
    *ret = cel_of_node(&in->arena, in->root);
    return true;
}

/* The result as text, or the message. */
static void check_rows(const char *const (*rows)[2], size_t count)
{
    AUTO(err_done) struct err bad = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(cel_env_free) struct cel_env *env = cel_env_new(0, STR_NONE);
    struct input in = {
        .root = doc_parse_json(set, STR("{\"spec\":{\"replicas\":3},\"tags\":[\"a\",\"b\"]}"), "o",
                               &bad)};

    CHECK(cel_env_declare(env, STR("object"), STR("dyn"), &bad) == 0);
    for (size_t i = 0; i < count; i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(cel_program_free)
        struct cel_program *p = cel_compile(env, str_of(rows[i][0]), NULL, &e);
        struct cel_value v = {.kind = CEL_NULL};

        if (!p) {
            CHECK_STR(str_of(err_text(&e)), str_of(rows[i][1]), rows[i][0]);
            continue;
        }
        v = cel_eval(p, lookup, &in, &in.arena);
        if (v.kind != CEL_ERROR)
            v = cel_to_string(&in.arena, &v);
        CHECK_STR(v.kind == CEL_ERROR ? v.error->text : v.s, str_of(rows[i][1]), rows[i][0]);
    }
    arena_done(&in.arena);
}

TEST(cel_runs_expressions_on_documents)
{
    static const char *const rows[][2] = {
        {"object.spec.replicas + 1", "4"},
        {"object.tags.map(t, t + '!').join(',')", "a!,b!"},
        {"has(object.spec.paused)", "false"},
        {"object.?spec.?paused.orValue('no')", "no"},
        {"object.tags.exists(t, t == 'b') && size(object.tags) == 2", "true"},
        {"object.nothing == 1 || true", "true"},
        {"object.nothing == 1", "no such key: nothing"},
        {"1 / 0", "division by zero"},
        {"cel.bind(x, 20, x * 2 + 2)", "42"},
        {"quantity('1Gi').compareTo(quantity('1G'))", "1"},
        {"string(duration('90m'))", "5400s"},
        {"{1: 'a'}[1]", "a"},
    };

    check_rows(rows, ARRAY_LEN(rows));
}

TEST(cel_says_where_an_expression_is_wrong)
{
    static const char *const rows[][2] = {
        {"if + 1", "ERROR: <input>:1:1: reserved identifier: if\n | if + 1\n | ^"},
        {"kubernetes.URL == int", "ERROR: <input>:1:1: undeclared reference to 'kubernetes' (in "
                                  "container '')\n | kubernetes.URL == int\n | ^"},
        {"nope + 1", "ERROR: <input>:1:1: undeclared reference to 'nope' (in container '')\n"
                     " | nope + 1\n | ^"},
        {"1 +\n 'a'", "ERROR: <input>:1:3: found no matching overload for '_+_' applied to '(int, "
                      "string)'\n | 1 +\n | ..^"},
        {"1.a", "ERROR: <input>:1:2: type 'int' does not support field selection\n | 1.a\n | .^"},
        {"[1].all(x.y, true)", "ERROR: <input>:1:10: argument must be a simple name\n | "
                               "[1].all(x.y, true)\n | .........^"},
    };

    check_rows(rows, ARRAY_LEN(rows));
}

static void check_readable(void *ctx UNUSED, const struct cel_row *row)
{
    AUTO(err_done) struct err e = {0};
    AUTO(cel_env_free) struct cel_env *env = cel_env_new(CEL_KUBERNETES, STR_NONE);

    if (strcmp(row->params, "...") != 0)
        CHECK(cel_env_declare_function(env, STR("f"), row->is_member, str_of(row->params),
                                       str_of(row->result), &e) == 0);
    CHECK_OK(&e);
}

/* A row that cannot be read would be left out silently. */
/* Each row was a difference from cel-go (tests/differential/cel). */
TEST(cel_follows_cel_go_where_values_are_dynamic)
{
    static const char *const rows[][2] = {
        {"string(bytes(dyn({'a': 'y'})['a']))", "y"},
        {"double(dyn(['1.5'])[0]) * 2.0", "3"},
        {"timestamp(dyn(['2020-01-01T00:00:00Z'])[0]).getFullYear()", "2020"},
        {"int(object.tags[0] == 'a' ? '7' : object.tags[0])", "7"},
        {"[dyn(1)].map(x, bytes(x))", "no such overload: bytes(int)"},
        {"dyn(1).size()", "no such overload: size"},
        {"dyn(1).startsWith('a')", "no such overload"},
        {"[dyn(1), 2].max()", "2"},
        {"optional.of(1) == null", "false"},
        {"ip('x')",
         "IP Address \"x\" parse error during conversion from string: ParseAddr(\"x\"): unable to "
         "parse IP"},
        {"semver('a')", "No Major.Minor.Patch elements found"},
        {"'%d'.format(['a'])",
         "ERROR: <input>:1:14: error during formatting: decimal clause can only be used on "
         "integers, was given string\n | '%d'.format(['a'])\n | .............^"},
        {"[?1]", "ERROR: <input>:1:3: expected type 'optional_type(int)' but found 'int'\n"
                 " | [?1]\n | ..^"},
    };

    check_rows(rows, ARRAY_LEN(rows));
}

TEST(cel_optional_values_leave_what_they_do_not_need)
{
    static const char *const rows[][2] = {
        {"optional.of(1).orValue(1 / 0)", "1"},
        {"optional.none().orValue(1 / 0)", "division by zero"},
        {"optional.of(1).or(optional.of(1 / 0)).value()", "1"},
        {"optional.none()[1 / 0].hasValue()", "false"},
        {"object.?none[?1 / 0].hasValue()", "false"},
        {"optional.of([1])[dyn('a')]", "unsupported index type 'string' in list"},
        {"object.spec[?[1]]", "invalid qualifier type: *types.baseList"},
        {"type([1].first()) == optional_type", "true"},
        {"object.?tags[5].orValue(1) + 1", "2"},
    };

    check_rows(rows, ARRAY_LEN(rows));
}

TEST(cel_tells_constant_patterns_before_anything_runs)
{
    static const char *const rows[][2] = {
        {"false && 'a'.find('(') == ''", "error parsing regexp: missing closing ): `(`"},
        {"object.none.findAll('[', 1)", "error parsing regexp: missing closing ]: `[`"},
        {"['('].map(x, 'a'.find(x))",
         "Illegal regex: error parsing regexp: missing closing ): `(`"},
        {"false && 'a'.matches('(')", "false"},
        {"string([[1], [2]].reverse()[0][0])", "2"},
    };

    check_rows(rows, ARRAY_LEN(rows));
}

TEST(cel_orders_what_can_be_ordered)
{
    static const char *const rows[][2] = {
        {"[1.5, int].max()", "no such overload"},
        {"[dyn('a'), [1]].min()", "no such overload"},
        {"[dyn(1), {}].isSorted()", "no such overload"},
        {"[1.5, dyn('a')].max()", "1.5"},
        {"[dyn({}), 1].sort()", "list elements must be comparable"},
        {"1.sortBy(x, x)", "ERROR: <input>:1:1: sortBy can only be applied to a list, identifier, "
                           "comprehension, call or select expression\n | 1.sortBy(x, x)\n | ^"},
        {"timestamp('2024-01-01T00:00:00Z').getHours('Local') >= 0", "true"},
    };

    check_rows(rows, ARRAY_LEN(rows));
}

/* The first overload that fits binds what an empty list is of. */
TEST(cel_tries_overloads_in_the_order_of_upstream)
{
    static const char *const rows[][2] = {
        {"([].filter(x, x.size() > 1) + [b'a']).size()", "1"},
        {"([].filter(x, size(x) > 1) + [b'a']).size()", "1"},
        {"([].filter(x, math.abs(x) > 1.0) + [1.5]).size()", "1"},
        {"([].filter(x, math.greatest(x, x) > 1.0) + [1.5]).size()", "1"},
    };

    check_rows(rows, ARRAY_LEN(rows));
}

static void check_type(const char *expression, const char *want)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf type = {0};
    AUTO(cel_env_free) struct cel_env *env = cel_env_new(0, STR_NONE);
    AUTO(cel_program_free) struct cel_program *p = NULL;

    CHECK(cel_env_declare(env, STR("object"), STR("dyn"), &e) == 0);
    p = cel_compile(env, str_of(expression), NULL, &e);
    CHECK_OK(&e);
    if (p)
        cel_program_type(p, &type);
    CHECK_STR(buf_view(&type), str_of(want), expression);
}

TEST(cel_deduces_types_of_indexes_of_what_is_unknown)
{
    check_type("object.?a[3]", "dyn");
    check_type("object.?a['b']", "optional_type(dyn)");
    check_type("object.?a[?'b'][?1].c", "optional_type(dyn)");
    check_type("optional.none()[1]", "optional_type(dyn)");
    check_type("[dyn(1)].first()[?0]", "dyn");
}

TEST(cel_tables_of_functions_can_be_read)
{
    for (size_t i = 0; i < cel_table_count; i++)
        cel_tables[i].rows(&(struct cel_rows){check_readable, NULL});
}

TEST(cel_ends_within_its_limits)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf deep = {0};
    AUTO(cel_env_free) struct cel_env *env = cel_env_new(0, STR_NONE);
    AUTO(cel_program_free)
    struct cel_program *p = cel_compile(
        env,
        STR("lists.range(4000).all(a, lists.range(4000).all(b, lists.range(4000).all(c, true)))"),
        NULL, &e);
    AUTO(arena_done) struct arena arena = {0};
    struct cel_value v = {.kind = CEL_NULL};

    CHECK_OK(&e);
    if (p)
        v = cel_eval(p, NULL, NULL, &arena);
    CHECK_INT(v.kind, CEL_ERROR, "work");
    buf_add_repeat(&deep, '(', 100000);
    CHECK(!cel_compile(env, buf_view(&deep), NULL, &e));
}

/* What a comparison with cel-go showed. */
TEST(cel_takes_what_is_dyn_as_it_comes)
{
    static const char *const rows[][2] = {
        {"string(-dyn(duration('1s')))", "-1s"},
        {"-dyn(true)", "no such overload"},
        {"dyn(2).orValue(1)", "2"},
        {"dyn(2).orValue(1 / 0)", "2"},
        {"optional.none().or(dyn(1))", "1"},
        {"dyn(1).optMap(x, x)", "no such overload: hasValue(int)"},
        {"null[1]", "no such key: 1"},
        {"null[?'a'].hasValue()", "false"},
        {"dyn(5).all(x, y, true)", "unsupported comprehension range type: types.Int"},
        {"dyn(5).all(x, true)", "got 'types.Int', expected iterable type"},
        {"dyn(1).find('a')", "no such overload"},
        {"dyn(1).sort()", "no such overload: sort"},
        {"dyn('a').sort()", "no such overload"},
        {"dyn(1).matches('a')", "no such overload: matches"},
        {"dyn({}).flatten(1)", "no such overload: map(dyn, dyn).flatten(int)"},
        {"[optional.of(1), [2.5, 'a', [null]]].unwrapOpt()", "value [2.5, a, [0]] is not optional"},
        {"[?dyn({'a': b'x'})]",
         "cannot initialize optional list element from non-optional value {a: [120]}"},
        {"ip('\\u00a0x')", "IP Address \"\\u00a0x\" parse error during conversion from string: "
                           "ParseAddr(\"\\u00a0x\"): unable to parse IP"},
        {"quantity('12345678901234567890').asApproximateFloat() == 12345678901234569216.0", "true"},
        {"quantity('99999999999999999999Ki').asApproximateFloat() == 9223372036854775807.0",
         "true"},
    };

    check_rows(rows, ARRAY_LEN(rows));
}

static str type_of(const char *text, unsigned flags, struct buf *out)
{
    AUTO(cel_env_free) struct cel_env *env = cel_env_new(flags, STR_NONE);
    AUTO(err_done) struct err e = {0};
    AUTO(cel_program_free)
    struct cel_program *p = cel_compile(env, str_of(text), NULL, &e);

    if (p)
        cel_program_type(p, out);
    else
        buf_add_cstr(out, err_text(&e));
    return str_cut(buf_view(out), '\n', NULL);
}

TEST(cel_knows_the_types_of_what_may_be_several_things)
{
    static const struct {
        const char *text;
        unsigned flags;
        const char *type;
    } rows[] = {
        {"[dyn({'a': 1})['a'], 'b']", 0, "list(dyn)"},
        {"[dyn({'a': 1})['a'], 'b']", CEL_STRICT | CEL_KUBERNETES,
         "ERROR: <input>:1:22: expected type 'dyn' but found 'string'"},
        {"null[1]", 0, "dyn"},
        {"null['a']", 0, "optional_type(dyn)"},
        {"timestamp(253402300800)", CEL_STRICT, "ERROR: <input>:1:11: invalid timestamp argument"},
        {"timestamp(253402300799)", CEL_STRICT, "timestamp"},
        {"1 - -1e309", 0, "ERROR: <input>:1:5: invalid double literal"},
        {"1e309", 0, "ERROR: <input>:1:1: invalid double literal"},
        {"!-10", 0, "ERROR: <input>:1:1: found no matching overload for '!_' applied to '(int)'"},
        {"!-true", 0,
         "ERROR: <input>:1:3: Syntax error: mismatched input 'true' expecting a number"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf out = {0};

        CHECK_STR(type_of(rows[i].text, rows[i].flags, &out), str_of(rows[i].type), rows[i].text);
    }
}

TEST(cel_knows_the_fields_of_declared_objects)
{
    static const struct {
        const char *text, *type;
    } rows[] = {
        {"o.a", "int"},
        {"o.b.c[0]", "string"},
        {"has(o.b) && o.none == 1", "ERROR: <input>:1:14: undefined field 'none'"},
        {"has(o.x)", "ERROR: <input>:1:4: undefined field 'x'"},
        {"o.a > 'x'",
         "ERROR: <input>:1:5: found no matching overload for '_>_' applied to '(int, string)'"},
        {"o.e.y", "ERROR: <input>:1:4: undefined field 'y'"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(cel_env_free) struct cel_env *env = cel_env_new(CEL_STRICT | CEL_KUBERNETES, STR_NONE);
        AUTO(err_done) struct err e = {0}, why = {0};
        AUTO(buf_done) struct buf out = {0};

        CHECK(cel_env_declare(env, STR("o"), STR("{a: int, b: {c: list(string)}, e: {}}"), &e) ==
              0);
        AUTO(cel_program_free)
        struct cel_program *p = cel_compile(env, str_of(rows[i].text), NULL, &why);

        if (p)
            cel_program_type(p, &out);
        else
            buf_add_cstr(&out, err_text(&why));
        CHECK_STR(str_cut(buf_view(&out), '\n', NULL), str_of(rows[i].type), rows[i].text);
    }
}
