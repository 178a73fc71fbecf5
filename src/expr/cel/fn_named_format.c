/* Named formats of Kubernetes (cel spec 11): texts are judged as its API server judges names. */
#include "expr/cel/fn_priv.h"
#include "expr/net/url.h"

struct verdict {
    struct cel_run *r;
    struct cel_value *messages; /* MOST_MESSAGES */
    size_t len;
};
enum { MOST_MESSAGES = 6, LABEL_LENGTH = 63, SUBDOMAIN_LENGTH = 253 };

static void say(struct verdict *v, const char *fmt, ...) PRINTF(2, 3);
static void say(struct verdict *v, const char *fmt, ...)
{
    AUTO(buf_done) struct buf text = {0};
    va_list args;

    va_start(args, fmt);
    buf_addv(&text, fmt, args);
    va_end(args);
    assert(v->len < MOST_MESSAGES);
    v->messages[v->len++] = cel_keep_string(v->r, &text);
}

static bool fits(str s, const char *pattern)
{
    AUTO(err_done) struct err e = {0};
    AUTO(re_free) struct re *re = re_compile(str_of(pattern), 0, &e);

    return re && re_match_full(re, s);
}

/* ---- names */

struct rule {
    size_t most;
    const char *pattern, *message, *examples;
};

#define LABEL "[a-z0-9]([-a-z0-9]*[a-z0-9])?"

static const struct rule label = {
    LABEL_LENGTH, LABEL,
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
    "must start and end with an alphanumeric character",
    "'my-name',  or '123-abc'"};
static const struct rule subdomain = {
    SUBDOMAIN_LENGTH, LABEL "(\\." LABEL ")*",
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character",
    "'example.com'"};
static const struct rule old_label = {
    LABEL_LENGTH, "[a-z]([-a-z0-9]*[a-z0-9])?",
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
    "alphabetic character, and end with an alphanumeric character",
    "'my-name',  or 'abc-123'"};
static const struct rule label_value = {
    LABEL_LENGTH, "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?",
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
    "and must start and end with an alphanumeric character",
    "'MyValue',  or 'my_value',  or '12345'"};
static const struct rule name_part = {
    LABEL_LENGTH, "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]",
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character",
    "'MyName',  or 'my.name',  or '123-abc'"};

static void check_rule(struct verdict *v, const struct rule *rule, str s, const char *what)
{
    if (s.len > rule->most)
        say(v, "%smust be no more than %zu characters", what, rule->most);
    if (!fits(s, rule->pattern))
        say(v, "%s%s (e.g. %s, regex used for validation is '%s')", what, rule->message,
            rule->examples, rule->pattern);
}

/* A prefix may end in a dash, as what follows it is not known. */
static void check_prefix(struct verdict *v, const struct rule *rule, str s)
{
    AUTO(buf_done) struct buf text = {0};

    if (s.len > 1 && s.p[s.len - 1] == '-') {
        buf_add_str(&text, str_sub(s, 0, s.len - 2));
        buf_add_char(&text, 'a');
        s = buf_view(&text);
    }
    check_rule(v, rule, s, "");
}

static void check_label(struct verdict *v, str s) { check_rule(v, &label, s, ""); }
static void check_subdomain(struct verdict *v, str s) { check_rule(v, &subdomain, s, ""); }
static void check_old_label(struct verdict *v, str s) { check_rule(v, &old_label, s, ""); }
static void check_label_prefix(struct verdict *v, str s) { check_prefix(v, &label, s); }
static void check_subdomain_prefix(struct verdict *v, str s) { check_prefix(v, &subdomain, s); }
static void check_old_label_prefix(struct verdict *v, str s) { check_prefix(v, &old_label, s); }
static void check_label_value(struct verdict *v, str s) { check_rule(v, &label_value, s, ""); }

static void check_qualified_name(struct verdict *v, str s)
{
    str rest, prefix = str_cut(s, '/', &rest);

    if (rest.p && str_find_char(rest, '/') >= 0) {
        say(v,
            "a qualified name %s (e.g. %s, regex used for validation is '%s') with an optional DNS "
            "subdomain prefix and '/' (e.g. 'example.com/MyName')",
            name_part.message, name_part.examples, name_part.pattern);
        return;
    }
    if (rest.p && !prefix.len)
        say(v, "prefix part must be non-empty");
    else if (rest.p)
        check_rule(v, &subdomain, prefix, "prefix part ");
    s = rest.p ? rest : s;
    if (!s.len)
        say(v, "name part must be non-empty");
    check_rule(v, &name_part, s, "name part ");
}

/* ---- other texts */

static void check_uri(struct verdict *v, str s)
{
    AUTO(buf_done) struct buf why = {0};

    if (!net_url_check_request(s, &why))
        say(v, "%s", buf_cstr(&why));
}

static void check_uuid(struct verdict *v, str s)
{
    if (!fits(s, "(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}"))
        say(v, "does not match the UUID format");
}

static void check_byte(struct verdict *v, str s)
{
    if (!fits(s, "([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})"))
        say(v, "invalid base64");
}

static bool is_date(str s)
{
    char text[32];
    struct cel_time t;

    if (s.len != 10)
        return false;
    snprintf(text, sizeof(text), "%.*sT00:00:00Z", STR_ARG(s));
    return cel_time_parse(str_of(text), &t);
}

static void check_date(struct verdict *v, str s)
{
    if (!is_date(s))
        say(v, "invalid date");
}

static void check_datetime(struct verdict *v, str s)
{
    static const char clock[] = "(?i)t([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](.[0-9]+)?"
                                "(z|[+-][0-9]{2}:[0-9]{2})";

    if (!is_date(str_sub(s, 0, 10)) || !fits(str_from(s, 10), clock))
        say(v, "invalid datetime");
}

/* ---- the formats */

static const struct named {
    const char *name;
    void (*check)(struct verdict *v, str s);
} formats[] = {
    {"dns1123Label", check_label},
    {"dns1123Subdomain", check_subdomain},
    {"dns1035Label", check_old_label},
    {"dns1123LabelPrefix", check_label_prefix},
    {"dns1123SubdomainPrefix", check_subdomain_prefix},
    {"dns1035LabelPrefix", check_old_label_prefix},
    {"qualifiedName", check_qualified_name},
    {"labelValue", check_label_value},
    {"uri", check_uri},
    {"uuid", check_uuid},
    {"byte", check_byte},
    {"date", check_date},
    {"datetime", check_datetime},
};

static bool is_equal(const struct cel_object *a, const struct cel_object *b)
{
    return a->flags == b->flags;
}

static const struct cel_object_class class = {"kubernetes.NamedFormat", is_equal};

static struct cel_value make(struct cel_run *r, size_t at)
{
    struct cel_object *o = cel_new_object(r, &class);

    o->text = str_of(formats[at].name);
    o->flags = (int32_t)at;
    return cel_make_object(o);
}

FN(named)
{
    struct cel_value found;

    for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
        if (!str_eq(a[0].s, str_of(formats[i].name)))
            continue;
        found = make(r, i);
        return cel_make_optional(r->arena, &found);
    }
    return cel_make_optional(r->arena, NULL);
}

FN(validate)
{
    struct verdict v = {r, ARENA_ARRAY(r->arena, struct cel_value, MOST_MESSAGES), 0};
    struct cel_value list;

    formats[a[0].object->flags].check(&v, a[1].s);
    if (!v.len)
        return cel_make_optional(r->arena, NULL);
    list = cel_make_list(r->arena, v.messages, v.len);
    return cel_make_optional(r->arena, &list);
}

FN(get_0) { return make(r, 0); }
FN(get_1) { return make(r, 1); }
FN(get_2) { return make(r, 2); }
FN(get_3) { return make(r, 3); }
FN(get_4) { return make(r, 4); }
FN(get_5) { return make(r, 5); }
FN(get_6) { return make(r, 6); }
FN(get_7) { return make(r, 7); }
FN(get_8) { return make(r, 8); }
FN(get_9) { return make(r, 9); }
FN(get_10) { return make(r, 10); }
FN(get_11) { return make(r, 11); }
FN(get_12) { return make(r, 12); }

#define FORMAT "kubernetes.NamedFormat"

/* In the order of `formats`. */
void cel_rows_named_format(const struct cel_rows *to)
{
    cel_add_row(to, "format.dns1123Label", false, "", FORMAT, get_0);
    cel_add_row(to, "format.dns1123Subdomain", false, "", FORMAT, get_1);
    cel_add_row(to, "format.dns1035Label", false, "", FORMAT, get_2);
    cel_add_row(to, "format.dns1123LabelPrefix", false, "", FORMAT, get_3);
    cel_add_row(to, "format.dns1123SubdomainPrefix", false, "", FORMAT, get_4);
    cel_add_row(to, "format.dns1035LabelPrefix", false, "", FORMAT, get_5);
    cel_add_row(to, "format.qualifiedName", false, "", FORMAT, get_6);
    cel_add_row(to, "format.labelValue", false, "", FORMAT, get_7);
    cel_add_row(to, "format.uri", false, "", FORMAT, get_8);
    cel_add_row(to, "format.uuid", false, "", FORMAT, get_9);
    cel_add_row(to, "format.byte", false, "", FORMAT, get_10);
    cel_add_row(to, "format.date", false, "", FORMAT, get_11);
    cel_add_row(to, "format.datetime", false, "", FORMAT, get_12);
    cel_add_row(to, "format.named", false, "string", "optional_type(kubernetes.NamedFormat)",
                named);
    cel_add_row(to, "validate", true, "kubernetes.NamedFormat,string",
                "optional_type(list(string))", validate);
}
