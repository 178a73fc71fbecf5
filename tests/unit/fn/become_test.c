#include "doc/edit.h"
#include "doc/parse.h"
#include "fn/become.h"
#include "fn/comments.h"
#include "support/test.h"

static struct doc_node *parse(struct doc_set *set, const char *text)
{
    static const struct doc_parse_options options = {.dialect = DOC_KYAML, .flags = DOC_COMMENTS};
    AUTO(err_done) struct err e = {0};
    AUTO(doc_list_done) struct doc_list roots = {0};

    CHECK_INT(doc_parse_all(set, str_of(text), &options, "test", &roots, &e), 0, text);
    return roots.len ? roots.v[0] : NULL;
}

/* `old` turned into `now` is written as `want`, and reads back as `now`. */
static void check(const char *old, const char *now, const char *want)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf out = {0};
    struct doc_node *root = parse(set, old), *goal = parse(set, now), *before = doc_copy(set, root);

    fn_become(set, root, goal);
    doc_edit_emit(set, root->source, &root, 1, &out);
    if (fn_has_new_comments(before, goal))
        fn_put_comments(before, goal, &out);
    CHECK_STR(buf_view(&out), str_of(want), old);
    CHECK_INT(fn_has_new_comments(parse(set, buf_cstr(&out)), goal), false, old);
}

TEST(become_changes_only_the_lines_that_differ)
{
    check("a:   1 # one\n\nb: 'x'\nc: {d: e}\n", "c: {d: e}\nb: y\na: 1\n",
          "a:   1 # one\n\nb: 'y'\nc: {d: e}\n");
    check("a: 1\nb: 2\n", "b: 2\n", "b: 2\n");
    check("m:\n  a: 1\n\n# end\n", "m:\n  a: 1\n  b: 2\n", "m:\n  a: 1\n  b: 2\n\n# end\n");
    check("a: \"q\"\nt: 'x'\n", "a: q\nt: x\n", "a: \"q\"\nt: 'x'\n");
    check("a: yes\nb: off\n", "a: true\nb: false\n", "a: yes\nb: off\n");
    check("a: yes\n", "a: false\n", "a: false\n");
}

TEST(become_matches_items_of_lists_by_name)
{
    check("l:\n- name: a # first\n  v: 1\n- name: b # second\n  v: 2\n",
          "l:\n- name: b\n  v: 3\n- name: c\n", "l:\n- name: b # second\n  v: 3\n- name: c\n");
    check("l:\n- name: a\n  v: 1 # a\n- name: b\n  v: 2\n", "l:\n- name: a\n  v: 1\n",
          "l:\n- name: a\n  v: 1 # a\n");
}

TEST(become_matches_other_items_by_value)
{
    check("l:\n- a # 1\n- b # 2\n- c # 3\n", "l: [a, c]\n", "l:\n- a # 1\n- c # 3\n");
    check("l:\n- a # 1\n- c # 3\n", "l: [a, b, c]\n", "l:\n- a # 1\n- b\n- c # 3\n");
    check("l:\n- {k: 1} # x\n- {k: 2} # y\n", "l: [{k: 1}, {k: 3}]\n",
          "l:\n- {k: 1} # x\n- {k: 3} # y\n");
    check("l:\n- a # p\n", "l:\n- b # p\n", "l:\n- b # p\n");
}

TEST(become_keeps_flow_style)
{
    check("m: {a: 1} # x\n", "m: {a: 1, b: {c: [d]}}\n", "m: {a: 1, b: {c: [d]}} # x\n");
    check("m: {}\n", "m: {a: b}\n", "m: {a: b}\n");
    check("l: [a, b]\n", "l: [a, c]\n", "l: [a, c]\n");
}

TEST(comments_that_changed_are_put_into_the_text)
{
    check("a: 1\nb: 2 # old\n", "a: 1 # new\nb: 2 # old\n", "a: 1 # new\nb: 2 # old\n");
    check("a: 1 # old\n", "a: 2 # new\n", "a: 2 # new\n");
    check("l:\n- x\n", "l: # new\n- x\n", "l: # new\n- x\n");
    check("t: |\n  x\n  y\n", "t: | # new\n  x\n  y\n", "t: | # new\n  x\n  y\n");
    check("m:\n  a: 1\n", "m:\n  # above\n  a: 1\n", "m:\n  # above\n  a: 1\n");
    check("a: '#x'\n", "a: '#x' # new\n", "a: '#x' # new\n");
    check("l: [a, b]\n", "l: [a, b] # new\n", "l: [a, b] # new\n");
}

/* At the end of the line they would be the collection's. */
TEST(comments_inside_flow_text_stand_behind_their_values)
{
    check("l: [a, b]\n", "l: [a, # new\n  b]\n", "l: [a, # new\n  b]\n");
    check("l: [a, b]\n", "l: [a, b # new\n  ]\n", "l: [a, b # new\n  ]\n");
    check("m:\n  m: {a: 1, b: {c: 2}}\nz: 1\n", "m:\n  m: {a: 1, b: {c: 2, # new\n}}\nz: 1\n",
          "m:\n  m: {a: 1, b: {c: 2 # new\n    }}\nz: 1\n");
    check("l: [a, # old\n  b]\n", "l: [a, # new\n  b]\n", "l: [a, # new\n  b]\n");
}

TEST(a_comment_that_stands_elsewhere_too_is_new)
{
    check("a: 1 # c\nb: 1\n", "a: 1 # c\nb: 1 # c\n", "a: 1 # c\nb: 1 # c\n");
    check("a: 1 # c\nb: 1\n", "a: 1\nb: 1 # c\n", "a: 1 # c\nb: 1\n");
}

TEST(comments_below_are_put_into_the_text)
{
    check("a: 1\nb: 2\n", "a: 1\n# foot\n\nb: 2\n", "a: 1\n# foot\n\nb: 2\n");
    check("a: 1\n\nb: 2\n", "a: 1\n# foot\n# more\n\nb: 2\n", "a: 1\n# foot\n# more\n\nb: 2\n");
    check("a: 1\n# old\n\nb: 2\n", "a: 1\n# new\n\nb: 2\n", "a: 1\n# new\n\nb: 2\n");
    check("m:\n  a: 1\nb: 2\n", "m:\n  a: 1\n  # foot\n\nb: 2\n", "m:\n  a: 1\n  # foot\n\nb: 2\n");
    check("l:\n- a\n- b # x\nb: 2\n", "l:\n- a\n- b\n# foot\n\nb: 2\n",
          "l:\n- a\n- b # x\n# foot\n\nb: 2\n");
    check("l:\n  - k: v\n    w: |\n      x\n  - z\n",
          "l:\n  - k: v\n    w: |\n      x\n    # foot\n\n  - z\n",
          "l:\n  - k: v\n    w: |\n      x\n    # foot\n\n  - z\n");
    check("a: 1\nb: 2", "a: 1\n# foot\n\nb: 3\n# end\n", "a: 1\n# foot\n\nb: 3\n# end\n");
    check("a: 1\n\n# old\n", "a: 1\n\n# new\n", "a: 1\n\n# new\n");
    check("a: 1\n", "a: 1\n\n# of the document\n", "a: 1\n\n# of the document\n");
    check("a: 1\nb: 2\n", "a: 1\n# foot\n\n# head\nb: 2\n", "a: 1\n# foot\n\n# head\nb: 2\n");
}

TEST(comments_that_are_missing_stay)
{
    check("a: 1 # x\n# y\nb: 2\n", "a: 1\nb: 2\n", "a: 1 # x\n# y\nb: 2\n");
}
