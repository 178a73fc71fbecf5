/* Names of objects, as the API server judges them. */
#include "chart/lint/lint_priv.h"
#include "res/name.h"

enum rule { SUBDOMAIN, LABEL, SERVICE_LABEL, PATH_SEGMENT, ANYTHING };

static enum rule rule_of(str kind)
{
    static const struct {
        char kind[26];
        enum rule rule;
    } rows[] = {{"service", SERVICE_LABEL},
                {"namespace", LABEL},
                {"certificatesigningrequest", ANYTHING},
                {"role", PATH_SEGMENT},
                {"clusterrole", PATH_SEGMENT},
                {"rolebinding", PATH_SEGMENT},
                {"clusterrolebinding", PATH_SEGMENT}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (str_eq_nocase(kind, str_of(rows[i].kind)))
            return rows[i].rule;
    return SUBDOMAIN;
}

/* What is wrong with the letters; NULL: nothing. */
static const char *bad_letters(enum rule rule, str name)
{
    switch (rule) {
    case SUBDOMAIN:
        return res_is_subdomain(name)
                   ? NULL
                   : "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric "
                     "characters, '-' or '.', and must start and end with an alphanumeric "
                     "character (e.g. 'example.com', regex used for validation is "
                     "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
    case LABEL:
        if (res_is_label(name))
            return NULL;
        return res_is_subdomain(name)
                   ? "must not contain dots"
                   : "a lowercase RFC 1123 label must consist of lower case alphanumeric "
                     "characters or '-', and must start and end with an alphanumeric character "
                     "(e.g. 'my-name',  or '123-abc', regex used for validation is "
                     "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
    case SERVICE_LABEL:
        return res_is_label(name) && name.p[0] >= 'a'
                   ? NULL
                   : "a DNS-1035 label must consist of lower case alphanumeric characters or '-', "
                     "start with an alphabetic character, and end with an alphanumeric character "
                     "(e.g. 'my-name',  or 'abc-123', regex used for validation is "
                     "'[a-z]([-a-z0-9]*[a-z0-9])?')";
    case PATH_SEGMENT:
        if (str_eq(name, STR(".")))
            return "may not be '.'";
        if (str_eq(name, STR("..")))
            return "may not be '..'";
        if (str_contains(name, STR("/")))
            return "may not contain '/'";
        return str_contains(name, STR("%")) ? "may not contain '%'" : NULL;
    case ANYTHING:
        break;
    }
    return NULL;
}

bool lint_name(str kind, str name, struct buf *out)
{
    enum rule rule = rule_of(kind);
    size_t max = rule == SUBDOMAIN ? 253 : rule == LABEL || rule == SERVICE_LABEL ? 63 : SIZE_MAX;
    const char *why = bad_letters(rule, name);
    bool is_long = name.len > max, is_both = why && is_long;

    if (!why && !is_long)
        return false;
    buf_addf(out, "object name does not conform to Kubernetes naming requirements: \"%.*s\": %s",
             STR_ARG(name), is_both ? "[" : "");
    if (is_long)
        buf_addf(out, "metadata.name: Invalid value: \"%.*s\": must be no more than %zu characters",
                 STR_ARG(name), max);
    if (why)
        buf_addf(out, "%smetadata.name: Invalid value: \"%.*s\": %s", is_both ? ", " : "",
                 STR_ARG(name), why);
    buf_add_cstr(out, is_both ? "]" : "");
    return true;
}
