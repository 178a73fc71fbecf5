#include "res/selector.h"

#include "base/ascii.h"
#include "res/name.h"

#define NAME_RULE                                                                                \
    " must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an " \
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "       \
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
#define KEY_RULE                                                                                  \
    "a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start "  \
    "and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex " \
    "used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS "    \
    "subdomain prefix and '/' (e.g. 'example.com/MyName')"
#define PREFIX_RULE                                                                        \
    "prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric "  \
    "characters, '-' or '.', and must start and end with an alphanumeric character (e.g. " \
    "'example.com', regex used for validation is "                                         \
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
#define VALUE_RULE                                                                                 \
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "    \
    "'.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value', " \
    " or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"

enum { MAX_NAME = 63, MAX_PREFIX = 253 };

/* Letters and digits at both ends, these and some more between them. */
static bool is_name(str s)
{
    if (s.len == 0 || !ascii_is_alnum(s.p[0]) || !ascii_is_alnum(s.p[s.len - 1]))
        return false;
    for (size_t i = 0; i < s.len; i++)
        if (!ascii_is_alnum(s.p[i]) && s.p[i] != '-' && s.p[i] != '_' && s.p[i] != '.')
            return false;
    return true;
}

str res_label_key_problem(str key)
{
    str name, prefix = str_cut(key, '/', &name);

    if (!name.p) {
        name = prefix;
    } else if (str_find_char(name, '/') >= 0) {
        return STR(KEY_RULE);
    } else if (prefix.len == 0) {
        return STR("prefix part must be non-empty");
    } else if (prefix.len > MAX_PREFIX) {
        return STR("prefix part must be no more than 253 characters");
    } else if (!res_is_subdomain(prefix)) {
        return STR(PREFIX_RULE);
    }
    if (name.len == 0)
        return STR("name part must be non-empty");
    if (name.len > MAX_NAME)
        return STR("name part must be no more than 63 characters");
    return is_name(name) ? STR_NONE : STR("name part" NAME_RULE);
}

str res_label_value_problem(str value)
{
    if (value.len > MAX_NAME)
        return STR("must be no more than 63 characters");
    return value.len == 0 || is_name(value) ? STR_NONE : STR(VALUE_RULE);
}
