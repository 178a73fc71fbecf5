#include "doc/emit.h"
#include "doc/parse.h"
#include "support/test.h"

/* in is JSON: it says what a value is without a YAML reader in between. */
static void check(const char *in, enum doc_emit_style style, const char *want)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf out = {0};

    doc_emit(doc_parse_json(set, str_of(in), "t", &e), style, &out);
    CHECK_OK(&e);
    CHECK_STR(buf_view(&out), str_of(want), in);
}

TEST(sorted_keys_follow_the_natural_order)
{
    check("{\"x10\":1,\"x9\":2,\"B\":3,\"b\":4,\"b-a\":5,\"b.a\":6,\"_a\":7,\"1\":8,\"\":9,\"é\":"
          "10,\"b01\":11,\"b1\":12}",
          DOC_EMIT_SORTED,
          "\"\": 9\n_a: 7\n\"1\": 8\nB: 3\nb: 4\nb-a: 5\nb.a: 6\nb1: 12\nb01: 11\nx9: 2\nx10: "
          "1\né: 10\n");
    check("{\"z\":1,\"a\":{\"y\":2,\"x\":3}}", DOC_EMIT_ORDERED, "z: 1\na:\n  \"y\": 2\n  x: 3\n");
}

TEST(lists_stand_below_their_key_without_indent)
{
    check("{\"a\":[1,[2,[3]],{\"b\":[],\"c\":{}},{\"d\":[4]}],\"e\":{\"f\":{\"g\":null}}}",
          DOC_EMIT_SORTED,
          "a:\n- 1\n- - 2\n  - - 3\n- b: []\n  c: {}\n- d:\n  - 4\ne:\n  f:\n    g: null\n");
    check("[]", DOC_EMIT_SORTED, "[]\n");
    check("[[],{}]", DOC_EMIT_SORTED, "- []\n- {}\n");
    check("\"text\"", DOC_EMIT_SORTED, "text\n");
}

TEST(strings_are_quoted_when_they_would_read_as_something_else)
{
    static const struct {
        const char *in, *out;
    } rows[] = {
        {"plain words", "plain words"},
        {"a:b#c", "a:b#c"},
        {"it's", "it's"},
        {"<<", "<<"},
        {"http://h/p?q=1&r#f", "http://h/p?q=1&r#f"},
        {"1.2.3", "1.2.3"},
        {"10.0.0.1", "10.0.0.1"},
        {"12e", "12e"},
        {"tRue", "tRue"},
        {"", "\"\""},
        {"~", "\"~\""},
        {"No", "\"No\""},
        {"y", "\"y\""},
        {"0777", "\"0777\""},
        {"0x1f", "\"0x1f\""},
        {"1_000", "\"1_000\""},
        {".5", "\".5\""},
        {"12:30", "\"12:30\""},
        {"2024-02-29", "\"2024-02-29\""},
        {"2023-02-29", "2023-02-29"},
        {"2024-02-29T10:00:00Z", "\"2024-02-29T10:00:00Z\""},
        {" lead", "' lead'"},
        {"trail ", "'trail '"},
        {"key: value", "'key: value'"},
        {"end:", "'end:'"},
        {"a #b", "'a #b'"},
        {"*all", "'*all'"},
        {"'q'", "'''q'''"},
        {"---", "'---'"},
        {"{{ .x }}", "'{{ .x }}'"},
        {"- a", "'- a'"},
        {"-a", "-a"},
        {"?", "'?'"},
        {"\t", "\"\\t\""},
        {"a\x1b[0m", "\"a\\e[0m\""},
        {"\xf0\x9f\x98\x80", "\"\\U0001F600\""},
        {"\xc2\x85", "\"\\N\""},
        {"日本", "日本"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        AUTO(buf_done) struct buf out = {0};

        doc_emit(doc_new_string(set, str_of(rows[i].in)), DOC_EMIT_SORTED, &out);
        buf_trunc(&out, out.len - 1);
        CHECK_STR(buf_view(&out), str_of(rows[i].out), rows[i].in);
    }
}

/* The look at texts takes sixteen bytes at a time and the last ones twice. */
TEST(what_quotes_a_string_is_seen_at_every_place)
{
    static const struct {
        const char *part;
        bool is_quoted, is_quoted_last;
    } rows[] = {{":", false, true},        {": ", true, true}, {" #", true, true},
                {"#", false, false},       {" ", false, true}, {":a", false, false},
                {"a:#", false, false},     {"\t", true, true}, {"\x7f", true, true},
                {"\xc3\xa9", false, false}};
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        for (size_t len = 1; len < 36; len++) {
            for (size_t at = 1; at <= len; at++) {
                AUTO(doc_set_free) struct doc_set *set = doc_set_new();
                AUTO(buf_done) struct buf text = {0}, out = {0};
                bool is_quoted = at == len ? rows[i].is_quoted_last : rows[i].is_quoted;

                buf_add(&text, letters, at);
                buf_add_cstr(&text, rows[i].part);
                buf_add(&text, letters + at, len - at);
                doc_emit(doc_new_string(set, buf_view(&text)), DOC_EMIT_SORTED, &out);
                CHECK_INT(out.p[0] == '\'' || out.p[0] == '"', is_quoted, text.p);
            }
        }
    }
}

TEST(texts_of_several_lines_become_literal_blocks)
{
    check("{\"a\":\"x\\ny\"}", DOC_EMIT_SORTED, "a: |-\n  x\n  y\n");
    check("{\"a\":\"x\\n\"}", DOC_EMIT_SORTED, "a: |\n  x\n");
    check("{\"a\":\"x\\n\\n\",\"b\":1}", DOC_EMIT_SORTED, "a: |+\n  x\n\nb: 1\n");
    check("{\"a\":\"\\n x\"}", DOC_EMIT_SORTED, "a: |2-\n\n   x\n");
    check("{\"a\":\"x \\ny\"}", DOC_EMIT_SORTED, "a: \"x \\ny\"\n");
    check("[\"x\\ny\"]", DOC_EMIT_SORTED, "- |-\n  x\n  y\n");
    check("{\"a\\nb\":1}", DOC_EMIT_SORTED, "? |-\n  a\n  b\n: 1\n");
}

TEST(long_lines_break_at_single_blanks)
{
    check("{\"a\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa "
          "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb cc dd  ee\"}",
          DOC_EMIT_SORTED,
          "a: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\n  "
          "cc dd  ee\n");
    check("[\"'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb "
          "ccc\"]",
          DOC_EMIT_SORTED,
          "- '''aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa "
          "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\n  ccc'\n");
}

TEST(long_keys_take_the_explicit_form)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf out = {0}, key = {0}, want = {0};
    struct doc_node *map = doc_new_map(set);

    buf_add_repeat(&key, 'k', 129);
    doc_append(doc_ensure_list(set, map, buf_view(&key)), doc_new_int(set, 1));
    buf_addf(&want, "? %s\n: - 1\n", buf_cstr(&key));
    doc_emit(map, DOC_EMIT_SORTED, &out);
    CHECK_STR(buf_view(&out), buf_view(&want), "129 bytes");
}

TEST(numbers_print_in_one_form)
{
    check("[1,-5,0,1.0,1e3,0.1,1234567.5,1e-5,1.5E-10,18446744073709551615,1e20]", DOC_EMIT_SORTED,
          "- 1\n- -5\n- 0\n- 1\n- 1000\n- 0.1\n- 1.2345675e+06\n- 1e-05\n- 1.5e-10\n- "
          "18446744073709551615\n- 1e+20\n");
}

static struct doc_node *with_comments(struct doc_set *set)
{
    struct doc_node *map = doc_new_map(set), *list = doc_new_list(set), *n;
    struct doc_extra *x;

    x = doc_extra(set, map);
    x->key_head = STR("# of the document");
    x->key_foot = STR("# the end");
    n = doc_set_string(set, map, STR("name"), STR("1"));
    x = doc_extra(set, n);
    x->key_head = STR("# head\n# of two lines");
    x->line = STR("# line");
    x->key_foot = STR("# foot");
    doc_set_field(set, map, STR("list"), list);
    doc_extra(set, list)->key_line = STR("# of the key");
    n = doc_append(list, doc_new_string(set, STR("quoted")));
    n->style = DOC_SINGLE;
    doc_extra(set, n)->head = STR("# of the item");
    n = doc_append(list, doc_new_map(set));
    n->style = DOC_FLOW;
    doc_set_bool(set, n, STR("a"), true);
    doc_set_field(set, n, STR("b"), doc_new_list(set));
    n = doc_append(list, doc_new_string(set, STR("folded\n")));
    n->style = DOC_FOLDED;
    doc_extra(set, n)->anchor = STR("x");
    doc_extra(set, n)->line = STR("# fold");
    return map;
}

TEST(nodes_print_with_comments_and_styles)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf out = {0};
    struct doc_node *n = with_comments(set);

    doc_emit(n, DOC_EMIT_KYAML, &out);
    CHECK_STR(buf_view(&out),
              STR("# of the document\n\n# head\n# of two lines\nname: \"1\" # line\n# foot\n\n"
                  "list: # of the key\n# of the item\n- 'quoted'\n- {a: true, b: []}\n- &x > # "
                  "fold\n  folded\n\n\n# the end\n"),
              "compact");
    buf_clear(&out);
    doc_emit(n, DOC_EMIT_KYAML_WIDE, &out);
    CHECK_STR(buf_view(&out),
              STR("# of the document\n\n# head\n# of two lines\nname: \"1\" # line\n# foot\n\n"
                  "list: # of the key\n  # of the item\n  - 'quoted'\n  - {a: true, b: []}\n  - &x "
                  "> # fold\n    folded\n\n\n# the end\n"),
              "wide");
}

TEST(documents_are_divided_by_a_line)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf out = {0};
    struct doc_node *roots[] = {doc_new_int(set, 1), doc_new_string(set, STR("a\n\n")),
                                doc_new_map(set)};

    doc_emit_all(roots, 3, DOC_EMIT_SORTED, &out);
    CHECK_STR(buf_view(&out), STR("1\n---\n|+\n  a\n\n---\n{}\n"), "three");
}
