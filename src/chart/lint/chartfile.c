/* Chart.yaml. */
#include "chart/lint/lint_priv.h"
#include "chart/read_priv.h"
#include "chart/yaml.h"
#include "doc/go_type.h"
#include "expr/semver/semver.h"

#define FILE_NAME "Chart.yaml"

struct chartfile {
    struct lint *l;
    const struct doc_node *root;
    str api_version;
};

static str text_of(const struct chartfile *f, const char *member)
{
    AUTO(buf_done) struct buf number = {0};
    const struct doc_node *n = doc_get(f->root, str_of(member));

    return doc_is_scalar(n) ? arena_dup(&f->l->set->arena, chart_scalar_text(n, &number)) : STR("");
}

static void add(struct chartfile *f, enum chart_severity severity, const char *fmt, ...)
    PRINTF(3, 4);
static void add(struct chartfile *f, enum chart_severity severity, const char *fmt, ...)
{
    AUTO(buf_done) struct buf text = {0};
    va_list args;

    va_start(args, fmt);
    buf_addv(&text, fmt, args);
    va_end(args);
    lint_add(f->l, severity, FILE_NAME, "%s", buf_cstr(&text));
}

static bool is_member(str name)
{
    static const char members[][13] = {
        "name",        "home",        "sources",     "version",      "description", "keywords",
        "maintainers", "icon",        "apiVersion",  "condition",    "tags",        "appVersion",
        "deprecated",  "annotations", "kubeVersion", "dependencies", "type"};

    for (size_t i = 0; i < ARRAY_LEN(members); i++)
        if (str_eq_nocase(name, str_of(members[i])))
            return true;
    return false;
}

/* The first one, as a strict reader stops there. */
static void check_unknown(struct chartfile *f)
{
    struct doc_iter it = doc_children(f->root);

    while (doc_is_map(f->root) && doc_next(&it)) {
        if (is_member(it.key))
            continue;
        add(f, CHART_LINT_WARNING,
            "failed to strictly parse chart metadata file\n\terror unmarshaling JSON: while "
            "decoding JSON: json: unknown field \"%.*s\"",
            STR_ARG(it.key));
        return;
    }
}

static void check_name(struct chartfile *f)
{
    str name = text_of(f, "name");

    if (!name.len)
        add(f, CHART_LINT_ERROR, "name is required");
    else if (str_contains(name, STR("/")))
        add(f, CHART_LINT_ERROR, "chart name \"%.*s\" is invalid", STR_ARG(name));
}

static void check_api_version(struct chartfile *f)
{
    if (!f->api_version.len)
        add(f, CHART_LINT_ERROR,
            "apiVersion is required. The value must be either \"v1\" or \"v2\"");
    else if (!str_eq(f->api_version, STR("v1")) && !str_eq(f->api_version, STR("v2")))
        add(f, CHART_LINT_ERROR,
            "apiVersion '%.*s' is not valid. The value must be either \"v1\" or \"v2\"",
            STR_ARG(f->api_version));
}

static void check_is_text(struct chartfile *f, const char *member)
{
    const struct doc_node *n = doc_get(f->root, str_of(member));

    if (!doc_is_null(n) && doc_type(n) != DOC_STRING)
        add(f, CHART_LINT_ERROR, "%s should be of type string but it's of type %s", member,
            doc_go_type(n));
}

static void check_version(struct chartfile *f)
{
    AUTO(err_done) struct err bad = {0};
    str version = text_of(f, "version");
    struct semver parsed;

    if (!version.len)
        add(f, CHART_LINT_ERROR, "version is required");
    else if (semver_parse(version, SEMVER_LENIENT, &parsed, &bad) < 0)
        add(f, CHART_LINT_ERROR, "version '%.*s' is not a valid SemVer", STR_ARG(version));
}

/* A URI with a scheme. */
static bool is_url(str text)
{
    ssize_t colon = str_find_char(text, ':');

    if (colon <= 0)
        return false;
    for (size_t i = 0; i < (size_t)colon; i++) {
        char c = (char)(text.p[i] | 0x20);
        bool is_letter = c >= 'a' && c <= 'z';

        if (!is_letter && (i == 0 || !strchr("0123456789+-.", text.p[i])))
            return false;
    }
    return true;
}

static bool is_mail(str text)
{
    str domain, local = str_cut(text, '@', &domain);

    return local.len && domain.len && !str_contains(domain, STR("@")) &&
           str_find_char(domain, '.') > 0 && !str_ends(domain, STR("."));
}

/* Nobody is told of a second mistake. */
static void check_maintainers(struct chartfile *f)
{
    struct doc_iter it = doc_children(doc_get_lit(f->root, "maintainers"));

    while (doc_next(&it)) {
        str name = doc_text(doc_get_lit(it.value, "name"), STR("")),
            mail = doc_text(doc_get_lit(it.value, "email"), STR("")),
            url = doc_text(doc_get_lit(it.value, "url"), STR(""));

        if (doc_is_null(it.value))
            add(f, CHART_LINT_ERROR, "a maintainer entry is empty");
        else if (!name.len)
            add(f, CHART_LINT_ERROR, "each maintainer requires a name");
        else if (mail.len && !is_mail(mail))
            add(f, CHART_LINT_ERROR, "invalid email '%.*s' for maintainer '%.*s'", STR_ARG(mail),
                STR_ARG(name));
        else if (url.len && !is_url(url))
            add(f, CHART_LINT_ERROR, "invalid url '%.*s' for maintainer '%.*s'", STR_ARG(url),
                STR_ARG(name));
        else
            continue;
        return;
    }
}

static void check_links(struct chartfile *f)
{
    struct doc_iter it = doc_children(doc_get_lit(f->root, "sources"));
    str icon = text_of(f, "icon");

    while (doc_next(&it)) {
        str source = doc_text(it.value, STR(""));

        if (!source.len || is_url(source))
            continue;
        add(f, CHART_LINT_ERROR, "invalid source URL '%.*s'", STR_ARG(source));
        break;
    }
    if (!icon.len)
        add(f, CHART_LINT_INFO, "icon is recommended");
    else if (!is_url(icon))
        add(f, CHART_LINT_ERROR, "invalid icon URL '%.*s'", STR_ARG(icon));
}

static void check_of_v2(struct chartfile *f)
{
    if (str_eq(f->api_version, STR("v2")))
        return;
    if (text_of(f, "type").len)
        add(f, CHART_LINT_ERROR,
            "chart type is not valid in apiVersion '%.*s'. It is valid in apiVersion 'v2'",
            STR_ARG(f->api_version));
    if (doc_len(doc_get_lit(f->root, "dependencies")))
        add(f, CHART_LINT_ERROR,
            "dependencies are not valid in the Chart file with apiVersion '%.*s'. They are valid "
            "in apiVersion 'v2'",
            STR_ARG(f->api_version));
}

static void check_strict_version(struct chartfile *f)
{
    AUTO(err_done) struct err bad = {0};
    str version = text_of(f, "version");
    struct semver parsed;

    if (semver_parse(version, SEMVER_STRICT, &parsed, &bad) < 0)
        add(f, CHART_LINT_WARNING, "version '%.*s' is not a valid SemVerV2", STR_ARG(version));
}

void lint_chartfile(struct lint *l, str text)
{
    AUTO(err_done) struct err bad = {0};
    struct chartfile f = {.l = l, .root = chart_parse_yaml(l->set, text, &bad)};

    if (bad.kind != ERR_NONE || chart_check_members(l->set, f.root, &bad) < 0) {
        add(&f, CHART_LINT_ERROR, "unable to parse YAML\n\t%s", err_text(&bad));
        return;
    }
    f.api_version = text_of(&f, "apiVersion");
    check_unknown(&f);
    check_name(&f);
    check_api_version(&f);
    check_is_text(&f, "version");
    check_version(&f);
    check_is_text(&f, "appVersion");
    check_maintainers(&f);
    check_links(&f);
    check_of_v2(&f);
    check_strict_version(&f);
}
