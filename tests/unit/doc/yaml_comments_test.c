#include "base/base.h"
#include "base/buf.h"
#include "doc/emit.h"
#include "doc/parse.h"
#include "support/test.h"

static void add_comment(struct buf *out, const char *label, str text)
{
    if (text.len == 0)
        return;
    buf_addf(out, " %s(", label);
    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] == '\n')
            buf_add_cstr(out, "\\n");
        else
            buf_add_char(out, text.p[i]);
    }
    buf_add_char(out, ')');
}

/* "name head(…) line(…) foot(…)" for each node that has a comment, keys as "name:", entries of
 * lists as
 * "-"; divided by ';'. */
static void add_node(struct buf *out, const struct doc_node *n, bool is_entry)
{
    static const struct doc_extra none;
    const struct doc_extra *x = n->extra ? n->extra : &none;
    struct doc_iter it = doc_children(n);

    if (is_entry && (x->key_head.len || x->key_line.len || x->key_foot.len)) {
        buf_addf(out, "%.*s:", STR_ARG(doc_key(n)));
        add_comment(out, "head", x->key_head);
        add_comment(out, "line", x->key_line);
        add_comment(out, "foot", x->key_foot);
        buf_add_cstr(out, "; ");
    }
    if (x->head.len || x->line.len || x->foot.len) {
        buf_add_str(out, doc_text(n, doc_is_map(n) ? STR("{}") : STR("[]")));
        add_comment(out, "head", x->head);
        add_comment(out, "line", x->line);
        add_comment(out, "foot", x->foot);
        buf_add_cstr(out, "; ");
    }
    while (doc_next(&it))
        add_node(out, it.value, doc_is_map(n));
}

TEST(yaml_comments_hang_where_go_yaml_hangs_them)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"# one\na: 1 # two\n# three\n", "a: head(# one) foot(# three); 1 line(# two); "},
        {"# doc\n\n# head\na: 1\n\n# end\n", "head(# doc) foot(# end); a: head(# head); "},
        {"a: 1\n# foot\n\n# head\nb: 2\n", "a: foot(# foot); b: head(# head); "},
        {"a:\n  b: 1\n  # in\n# out\nc: 2\n", "b: foot(# in); c: head(# out); "},
        {"a: # why\n  b: 1\n", "a: line(# why); "},
        {"a:\n# x\n- b # y\n# z\n- c\n", "b head(# x) line(# y); c head(# z); "},
        {"# l\n- # m\n  a: 1\n", "{} head(# l); a: head(# m); "},
        {"a: [b, # c\n  d] # e\n", "[] line(# e); b line(# c); "},
        {"a: | # s\n  t\nb: 1\n", "t\n line(# s); "},
        {"a: 1\n---\n# n\nb: 2 # m\n", "b: head(# n); 2 line(# m); "},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf out = {0};
        AUTO(err_done) struct err e = {0};
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        AUTO(doc_list_done) struct doc_list roots = {0};
        struct doc_parse_options options = {.dialect = DOC_KYAML,
                                            .flags = DOC_COMMENTS | DOC_KEEP_ALIASES};

        CHECK(doc_parse_all(set, str_of(rows[i].text), &options, "t", &roots, &e) == 0);
        for (size_t j = 0; j < roots.len; j++) {
            struct doc_extra *x = roots.v[j]->extra;

            if (x && (x->key_head.len || x->key_foot.len)) {
                add_comment(&out, "head", x->key_head);
                add_comment(&out, "foot", x->key_foot);
                buf_add_cstr(&out, "; ");
            }
            add_node(&out, roots.v[j], false);
        }
        CHECK_STR(str_trim(buf_view(&out)), str_trim(str_of(rows[i].want)), rows[i].text);
    }
}

TEST(yaml_refusals_are_the_same_with_comments)
{
    static const char *const texts[] = {"a: b: c\n", "# x\na:\n  - b\n c: d\n", "[a, b # c\n",
                                        "a: 'b\n"};

    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        AUTO(err_done) struct err plain = {0};
        AUTO(err_done) struct err kept = {0};
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        AUTO(doc_list_done) struct doc_list roots = {0};
        struct doc_parse_options options = {.dialect = DOC_KYAML};

        CHECK(doc_parse_all(set, str_of(texts[i]), &options, "t", &roots, &plain) < 0);
        options.flags = DOC_COMMENTS;
        CHECK(doc_parse_all(set, str_of(texts[i]), &options, "t", &roots, &kept) < 0);
        CHECK_STR(str_of(err_text(&kept)), str_of(err_text(&plain)), texts[i]);
    }
}

/* go-yaml breaks the line before {}. */
TEST(yaml_comments_of_a_key_stay_readable_before_an_empty_map)
{
    struct doc_parse_options options = {.dialect = DOC_KYAML, .flags = DOC_COMMENTS};
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(doc_list_done) struct doc_list roots = {0};
    AUTO(buf_done) struct buf out = {0};

    CHECK(doc_parse_all(set, STR("a: # c\n  b: 1\n"), &options, "t", &roots, &e) == 0);
    doc_remove(doc_get_lit(roots.v[0], "a"), STR("b"));
    doc_emit(roots.v[0], DOC_EMIT_KYAML, &out);
    CHECK_STR(buf_view(&out), STR("a: {} # c\n"), "removed");
}
