/* Regular expressions (template spec 14.10). */
#include "expr/gotmpl/fn_priv.h"
#include "re/re.h"

/* Where sprig has Go compile a pattern that must be good, Go quotes it in front. */
static void refuse(struct tmpl_call *c, str pattern, const struct err *bad)
{
    AUTO(buf_done) struct buf quoted = {0};

    if (str_starts(str_of(c->function->name), STR("must"))) {
        call_fail(c, "%s", err_text(bad));
        return;
    }
    if (text_can_backquote(pattern))
        buf_addf(&quoted, "`%.*s`", STR_ARG(pattern));
    else
        text_quote(pattern, false, &quoted);
    call_fail(c, "regexp: Compile(%s): %s", buf_cstr(&quoted), err_text(bad));
}

/* The pattern compiled, once a run; NULL with r->e set. */
static const struct re *pattern(struct tmpl_call *c, bool *ret_bad)
{
    AUTO(err_done) struct err e = {0};
    str text = arg_text(c, 0);
    struct re *re = map_get(&c->run->patterns, text);

    *ret_bad = false;
    if (re)
        return re;
    re = re_compile(text, 0, &e);
    if (!re) {
        *ret_bad = true;
        refuse(c, text, &e);
        return NULL;
    }
    map_put(&c->run->patterns, re_pattern(re), re);
    return re;
}

static int match(struct tmpl_call *c, bool must, struct tmpl_value *ret)
{
    bool is_bad;
    const struct re *re = pattern(c, &is_bad);

    if (!re && !must)
        err_done(c->run->e);
    if (!re)
        return must ? -1 : ret_bool(ret, false);
    return ret_bool(ret, re_match(re, arg_text(c, 1)));
}

static int f_match(struct tmpl_call *c, struct tmpl_value *ret) { return match(c, false, ret); }
static int f_must_match(struct tmpl_call *c, struct tmpl_value *ret) { return match(c, true, ret); }

static int f_find(struct tmpl_call *c, struct tmpl_value *ret)
{
    bool is_bad;
    const struct re *re = pattern(c, &is_bad);
    str s = arg_text(c, 1);
    struct re_span span;

    if (!re)
        return -1;
    if (!re_find(re, s, 0, &span, 1))
        return ret_view(ret, STR(""));
    return ret_view(ret, str_sub(s, (size_t)span.from, (size_t)(span.to - span.from)));
}

static int f_find_all(struct tmpl_call *c, struct tmpl_value *ret)
{
    AUTO(str_vec_done) struct str_vec found = {0};
    bool is_bad;
    const struct re *re = pattern(c, &is_bad);
    int64_t limit = c->args[2].i;
    str s = arg_text(c, 1);
    struct re_span span;
    struct re_iter it;

    if (!re)
        return -1;
    it = re_find_all(re, s, &span, 1);
    while ((limit < 0 || (int64_t)found.len < limit) && re_next(&it))
        vec_push(&found, str_sub(s, (size_t)span.from, (size_t)(span.to - span.from)));
    *ret = trun_string_list(c->run, found.v, found.len);
    if (!found.len)
        ret->items = NULL;
    return 0;
}

static int replace(struct tmpl_call *c, bool literal, struct tmpl_value *ret)
{
    bool is_bad;
    const struct re *re = pattern(c, &is_bad);
    struct buf *b;

    if (!re)
        return -1;
    b = trun_borrow(c->run);
    if (literal)
        re_replace_all_literal(re, arg_text(c, 1), arg_text(c, 2), b);
    else
        re_replace_all(re, arg_text(c, 1), arg_text(c, 2), b);
    return ret_text(c, b, ret);
}

static int f_replace(struct tmpl_call *c, struct tmpl_value *ret) { return replace(c, false, ret); }
static int f_literal(struct tmpl_call *c, struct tmpl_value *ret) { return replace(c, true, ret); }

static int f_split(struct tmpl_call *c, struct tmpl_value *ret)
{
    AUTO(str_vec_done) struct str_vec parts = {0};
    bool is_bad;
    const struct re *re = pattern(c, &is_bad);
    int64_t limit = c->args[2].i;

    if (!re)
        return -1;
    re_split(re, arg_text(c, 1), (int)MAX(MIN(limit, (int64_t)INT32_MAX), (int64_t)-1), &parts);
    *ret = trun_string_list(c->run, parts.v, parts.len);
    return 0;
}

static int f_quote_meta(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct buf *b = trun_borrow(c->run);

    re_quote_meta(arg_text(c, 0), b);
    return ret_text(c, b, ret);
}

static void add_rows(struct func_rows *to)
{
    func_add(to, "regexMatch", "SS", f_match, 0,
             "True when the pattern matches somewhere; false for a bad pattern",
             "{{ regexMatch \"^a+$\" \"aaa\" }}", "true");
    func_add(to, "mustRegexMatch", "SS", f_must_match, 0, "True when the pattern matches somewhere",
             "{{ mustRegexMatch \"b\" \"abc\" }}", "true");
    func_add(to, "regexFind", "SS", f_find, 0, "The first match, or the empty text",
             "{{ regexFind \"[0-9]+\" \"a12b3\" }}", "12");
    func_add(to, "mustRegexFind", "SS", f_find, 0, "The first match, or the empty text",
             "{{ mustRegexFind \"[0-9]+\" \"a12b3\" }}", "12");
    func_add(to, "regexFindAll", "SSI", f_find_all, 0, "The matches, at most so many; -1 for all",
             "{{ regexFindAll \"[0-9]+\" \"a12b3\" -1 }}", "[12 3]");
    func_add(to, "mustRegexFindAll", "SSI", f_find_all, 0,
             "The matches, at most so many; -1 for all",
             "{{ mustRegexFindAll \"[0-9]+\" \"a12b3\" 1 }}", "[12]");
    func_add(to, "regexReplaceAll", "SSS", f_replace, 0,
             "Every match replaced; $1 and ${1} are groups",
             "{{ regexReplaceAll \"a(x*)b\" \"-ab-axxb-\" \"${1}W\" }}", "-W-xxW-");
    func_add(to, "mustRegexReplaceAll", "SSS", f_replace, 0,
             "Every match replaced; $1 and ${1} are groups",
             "{{ mustRegexReplaceAll \"a\" \"abab\" \"c\" }}", "cbcb");
    func_add(to, "regexReplaceAllLiteral", "SSS", f_literal, 0,
             "Every match replaced by a text as it is",
             "{{ regexReplaceAllLiteral \"a\" \"aba\" \"$1\" }}", "$1b$1");
    func_add(to, "mustRegexReplaceAllLiteral", "SSS", f_literal, 0,
             "Every match replaced by a text as it is",
             "{{ mustRegexReplaceAllLiteral \"a\" \"aba\" \"x\" }}", "xbx");
    func_add(to, "regexSplit", "SSI", f_split, 0,
             "The parts between matches, at most so many; -1 for all",
             "{{ regexSplit \"z+\" \"pizza\" -1 }}", "[pi a]");
    func_add(to, "mustRegexSplit", "SSI", f_split, 0,
             "The parts between matches, at most so many; -1 for all",
             "{{ mustRegexSplit \",\" \"a,b\" -1 }}", "[a b]");
    func_add(to, "regexQuoteMeta", "S", f_quote_meta, 0, "A pattern that matches exactly the text",
             "{{ regexQuoteMeta \"a.b\" }}", "a\\.b");
}
FUNC_GROUP(func_regex, "Regular expressions", add_rows, IN_SPRIG);
