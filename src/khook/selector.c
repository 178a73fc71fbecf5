/* The syntax of label and field selectors, judged before a server sees them (khook spec 17). */
#include "khook/read_priv.h"

static bool is_key_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.' || c == '/';
}

/* Takes a label's key or value off the front of s. */
static str take_word(str *s)
{
    size_t len = 0;
    str word;

    *s = str_trim(*s);
    while (len < s->len && is_key_char(s->p[len]))
        len++;
    word = str_sub(*s, 0, len);
    *s = str_trim(str_from(*s, len));
    return word;
}

/* "(a, b)" */
static bool take_set(str *s)
{
    bool any = false;

    if (!str_drop_prefix(s, STR("(")))
        return false;
    do {
        any |= take_word(s).len > 0 || (s->len && s->p[0] == ',');
    } while (str_drop_prefix(s, STR(",")));
    return any && str_drop_prefix(s, STR(")"));
}

/* What follows a key: "=value", "in (a)" and the like, or nothing. */
static const char *take_requirement(str *s)
{
    static const str words[] = {STR_INIT("in"), STR_INIT("notin")};
    static const str signs[] = {STR_INIT("=="), STR_INIT("!="), STR_INIT("="), STR_INIT(">"),
                                STR_INIT("<")};
    str word;

    if (!s->len || s->p[0] == ',')
        return NULL;
    for (size_t i = 0; i < ARRAY_LEN(signs); i++)
        if (str_drop_prefix(s, signs[i])) {
            word = take_word(s);
            return word.len > 63 ? "a value is longer than 63 characters" : NULL;
        }
    word = take_word(s);
    if (!str_eq(word, words[0]) && !str_eq(word, words[1]))
        return "expected =, ==, !=, in, notin, <, > or a comma behind a key";
    return take_set(s) ? NULL : "expected a list of values as (a, b)";
}

static const char *check_labels(str s)
{
    do {
        bool is_not = str_drop_prefix(&s, STR("!"));
        str key = take_word(&s);
        const char *problem = key.len ? NULL : "a key is missing";

        if (!problem && !is_not)
            problem = take_requirement(&s);
        s = str_trim(s);
        if (problem)
            return problem;
        if (s.len && s.p[0] != ',')
            return "requirements must be divided by commas";
        if (s.len == 1)
            return "ends with a comma";
        s = str_trim(str_from(s, 1));
    } while (s.len);
    return NULL;
}

/* Parts "path=value", "path==value" or "path!=value", divided by commas; '\' escapes. */
static const char *check_fields(str s)
{
    while (s.len) {
        size_t end = 0, sign = SIZE_MAX;

        for (; end < s.len && s.p[end] != ','; end++) {
            if (s.p[end] == '\\')
                end++;
            else if (s.p[end] == '=' && sign == SIZE_MAX)
                sign = end;
        }
        if (sign == SIZE_MAX || sign == 0 || (sign == 1 && s.p[0] == '!'))
            return "each part must be FIELD=VALUE or FIELD!=VALUE";
        s = str_from(s, end + 1);
    }
    return NULL;
}

int khook_selector_check(str text, bool is_field, struct err *e)
{
    const char *problem = is_field ? check_fields(text) : check_labels(str_trim(text));

    if (!problem)
        return 0;
    return err_set(e, ERR_INVALID, "is no %s selector: %s", is_field ? "field" : "label", problem);
}
