/* The rules of single fields: names, URLs, references, ranges. */
#include "http/url.h"
#include "khook/spec/read_priv.h"
#include "res/name.h"
#include "res/selector.h"

void khook_split_type(str text, str *ret_type, str *ret_name)
{
    *ret_type = str_cut(text, '/', ret_name);
}

static void check_const(struct khook_reader *r, const struct khook_at *at,
                        const struct khook_field *field, str text)
{
    if (!str_eq(text, str_of(field->words)))
        khook_problem(r, at, "value.const", "must be \"%s\", not %s", field->words,
                      khook_shown(r, text));
}

static void check_step_name(struct khook_reader *r, const struct khook_at *at,
                            const struct khook_field *field UNUSED, str text)
{
    if (!res_is_label(text))
        khook_problem(r, at, "value.format",
                      "%s is no step name: lower-case letters, digits and \"-\", beginning and "
                      "ending with a letter or digit",
                      khook_shown(r, text));
    else if (text.len > 63)
        khook_problem(r, at, "value.range", "%s has %zu characters; at most 63 are allowed",
                      khook_shown(r, text), text.len);
}

static void check_label(struct khook_reader *r, const struct khook_at *at,
                        const struct khook_field *field UNUSED, str text)
{
    if (!res_is_label(text))
        khook_problem(r, at, "value.format",
                      "%s is no namespace name: at most 63 lower-case letters, digits and \"-\", "
                      "beginning and ending with a letter or digit",
                      khook_shown(r, text));
    else if (text.len > 63)
        khook_problem(r, at, "value.range",
                      "the name of a namespace, %s, has %zu characters; at most 63 are allowed",
                      khook_shown(r, text), text.len);
}

static void check_subdomain(struct khook_reader *r, const struct khook_at *at,
                            const struct khook_field *field UNUSED, str text)
{
    if (!res_is_subdomain(text))
        khook_problem(r, at, "value.format",
                      "%s is no name of an object: at most 253 lower-case letters, digits, \"-\" "
                      "and \".\", each part beginning and ending with a letter or digit",
                      khook_shown(r, text));
    else if (text.len > 253)
        khook_problem(r, at, "value.range",
                      "the name of an object, %s, has %zu characters; at most 253 are allowed",
                      khook_shown(r, text), text.len);
}

static void check_release(struct khook_reader *r, const struct khook_at *at,
                          const struct khook_field *field UNUSED, str text)
{
    if (text.len > 53)
        khook_problem(r, at, "value.range",
                      "release name %s has %zu characters; at most 53 are allowed",
                      khook_shown(r, text), text.len);
    else if (!res_is_subdomain(text))
        khook_problem(r, at, "value.format",
                      "%s is no release name: lower-case letters, digits, \"-\" and \".\", each "
                      "part beginning and ending with a letter or digit",
                      khook_shown(r, text));
}

static void check_url(struct khook_reader *r, const struct khook_at *at,
                      const struct khook_field *field UNUSED, str text)
{
    AUTO(err_done) struct err e = {0};
    struct http_url url;

    if (http_url_parse(text, &url, &e) < 0)
        khook_problem(r, at, "value.format", "must be an http:// or https:// URL with a host");
    else if (!str_eq_nocase(url.scheme, STR("http")) && !str_eq_nocase(url.scheme, STR("https")))
        khook_problem(r, at, "value.format", "must be an http:// or https:// URL, not %.*s://",
                      STR_ARG(url.scheme));
}

static void check_local(struct khook_reader *r, const struct khook_at *at,
                        const struct khook_field *field UNUSED, str text)
{
    if (!str_starts(text, STR("./")) && !str_starts(text, STR("../")) &&
        !str_starts(text, STR("/")))
        khook_problem(r, at, "value.format",
                      "must be a local directory beginning with ./, ../ or /; remote "
                      "kustomizations are not read");
}

static void check_type(struct khook_reader *r, const struct khook_at *at,
                       const struct khook_field *field UNUSED, str text)
{
    str name, type = str_cut(text, '/', &name);

    if (!type.len || (name.p && !name.len) || str_find_char(name, '/') >= 0)
        khook_problem(r, at, "value.format",
                      "%s must be a type (pods) or an object as kind/name (pod/web)",
                      khook_shown(r, text));
}

static void check_target(struct khook_reader *r, const struct khook_at *at,
                         const struct khook_field *field UNUSED, str text)
{
    str name, type = str_cut(text, '/', &name);

    if (!type.len || !name.len || str_find_char(name, '/') >= 0)
        khook_problem(r, at, "value.format",
                      "%s must be an object as kind/name, both not empty (the namespace has a "
                      "field of its own)",
                      khook_shown(r, text));
}

static void check_rollout(struct khook_reader *r, const struct khook_at *at,
                          const struct khook_field *field UNUSED, str text)
{
    str name, kind = str_cut(text, '/', &name);
    bool is_known = str_eq_nocase(kind, STR("deployment")) ||
                    str_eq_nocase(kind, STR("daemonset")) ||
                    str_eq_nocase(kind, STR("statefulset"));

    if (!is_known || !name.len || str_find_char(name, '/') >= 0)
        khook_problem(r, at, "value.format",
                      "%s must be deployment/NAME, daemonset/NAME or statefulset/NAME (no plurals "
                      "or short names)",
                      khook_shown(r, text));
}

static void check_selector(struct khook_reader *r, const struct khook_at *at,
                           const struct khook_field *field, str text)
{
    AUTO(res_selector_done) struct res_selector selector = {0};
    AUTO(err_done) struct err e = {0};
    bool is_field = field->rule == KHOOK_RULE_FIELDS;
    int rc = is_field ? res_field_selector_parse(text, &selector, &e)
                      : res_label_selector_parse(text, &selector, &e);

    if (rc < 0)
        khook_problem(r, at, "value.format", "%s is no %s selector: %s", khook_shown(r, text),
                      is_field ? "field" : "label", err_text(&e));
}

typedef void text_rule_fn(struct khook_reader *r, const struct khook_at *at,
                          const struct khook_field *field, str text);

void khook_check_text(struct khook_reader *r, const struct khook_at *at,
                      const struct khook_field *field, str text)
{
    static text_rule_fn *const rules[] = {
        [KHOOK_RULE_CONST] = check_const,     [KHOOK_RULE_STEP_NAME] = check_step_name,
        [KHOOK_RULE_LABEL] = check_label,     [KHOOK_RULE_SUBDOMAIN] = check_subdomain,
        [KHOOK_RULE_RELEASE] = check_release, [KHOOK_RULE_URL] = check_url,
        [KHOOK_RULE_LOCAL] = check_local,     [KHOOK_RULE_TYPE] = check_type,
        [KHOOK_RULE_TARGET] = check_target,   [KHOOK_RULE_ROLLOUT] = check_rollout,
        [KHOOK_RULE_LABELS] = check_selector, [KHOOK_RULE_FIELDS] = check_selector,
    };

    if (field->rule < ARRAY_LEN(rules) && rules[field->rule])
        rules[field->rule](r, at, field, text);
}

void khook_check_number(struct khook_reader *r, const struct khook_at *at,
                        const struct khook_field *field, int64_t value)
{
    if (value < 0)
        khook_problem(r, at, "value.range", "must not be negative");
    else if (field->rule == KHOOK_RULE_POSITIVE && value == 0)
        khook_problem(r, at, "value.range", "must be longer than nothing");
    else if (field->kind == KHOOK_INT && value > INT32_MAX - 1)
        khook_problem(r, at, "value.range", "must be below %d", INT32_MAX);
}
