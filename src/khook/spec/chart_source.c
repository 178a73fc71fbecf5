#include "khook/spec/chart_source.h"

#include "http/url.h"

#define USERINFO_FORM "<username>:<password>@"

const char *khook_chart_form_name(enum khook_chart_form form)
{
    static const char names[][5] = {
        [KHOOK_CHART_REPO] = "repo", [KHOOK_CHART_OCI] = "oci", [KHOOK_CHART_PATH] = "path"};

    return names[form];
}

static bool is_local(str chart)
{
    return str_starts(chart, STR("./")) || str_starts(chart, STR("../")) ||
           str_starts(chart, STR("/"));
}

static int decode(str part, struct arena *arena, str *ret, const char *field, struct err *e)
{
    AUTO(buf_done) struct buf out = {0};

    if (!http_url_decode(part, &out))
        return err_set(e, ERR_INVALID, "%s: the credentials in the URL hold a bad percent-escape",
                       field);
    *ret = arena_dup(arena, buf_view(&out));
    return 0;
}

/* Takes the credentials out of a URL: *url is then the text without userinfo. */
static int take_userinfo(const struct http_url *parts, const struct khook_chart_fields *fields,
                         const char *field, struct arena *arena, str *url,
                         struct khook_chart_source *ret, struct err *e)
{
    str password, username = str_cut(parts->userinfo, ':', &password);

    if (!parts->userinfo.p)
        return 0;
    if (!username.len || !password.len)
        return err_set(e, ERR_INVALID,
                       "%s: credentials in the URL must be " USERINFO_FORM ", both not empty",
                       field);
    if (fields->has_auth)
        return err_set(e, ERR_INVALID,
                       "%s: credentials are given in the URL and in auth; use one of them", field);
    if (decode(username, arena, &ret->username, field, e) < 0 ||
        decode(password, arena, &ret->password, field, e) < 0)
        return -1;
    *url = arena_printf(arena, "%.*s://%.*s", STR_ARG(parts->scheme),
                        STR_ARG(str_from(*url, (size_t)(password.p + password.len + 1 - url->p))));
    return 0;
}

static int resolve_path(const struct khook_chart_fields *fields, struct khook_chart_source *ret,
                        struct err *e)
{
    const char *field = fields->repo.len      ? "repo"
                        : fields->version.len ? "version"
                        : fields->has_auth    ? "auth"
                                              : NULL;

    if (field)
        return err_set(e, ERR_INVALID,
                       "%s does not go with a local chart path (\"%.*s\"): the path says it all",
                       field, STR_ARG(fields->chart));
    ret->form = KHOOK_CHART_PATH;
    ret->ref = fields->chart;
    return 0;
}

static int bad_oci(const struct khook_chart_fields *fields UNUSED, struct err *e)
{
    return err_set(
        e, ERR_INVALID,
        "chart: an OCI reference needs a host and a path: oci://HOST/PATH[:TAG][@DIGEST]");
}

/* Nothing behind a ':' or '@' of the last part. */
static bool has_empty_version(str last)
{
    str digest, tag, name = str_cut(str_cut(last, '@', &digest), ':', &tag);

    return !name.len || (tag.p && !tag.len) || (digest.p && !digest.len);
}

static int resolve_oci(const struct khook_chart_fields *fields, struct arena *arena,
                       struct khook_chart_source *ret, struct err *e)
{
    struct http_url parts;
    ssize_t slash;
    str last;

    if (http_url_parse(fields->chart, &parts, e) < 0) {
        err_done(e);
        return bad_oci(fields, e);
    }
    slash = str_rfind_char(parts.path, '/');
    last = str_from(parts.path, (size_t)(slash + 1));
    if (!str_trim_right(parts.path, "/").len || has_empty_version(last) || parts.query.len ||
        parts.fragment.len)
        return bad_oci(fields, e);
    if (fields->repo.len)
        return err_set(e, ERR_INVALID,
                       "repo does not go with an oci:// chart: the reference "
                       "already names its registry");
    ret->form = KHOOK_CHART_OCI;
    ret->ref = fields->chart;
    if (take_userinfo(&parts, fields, "chart", arena, &ret->ref, ret, e) < 0)
        return -1;
    if (fields->version.len && (str_find_char(last, ':') >= 0 || str_find_char(last, '@') >= 0))
        return err_set(e, ERR_INVALID,
                       "version: the reference \"%.*s\" already carries a version or digest",
                       STR_ARG(ret->ref));
    ret->version = fields->version;
    return 0;
}

/* "name" or "name:version". */
static int split_name(const struct khook_chart_fields *fields, struct khook_chart_source *ret,
                      struct err *e)
{
    str version, name = str_cut(fields->chart, ':', &version);

    if (str_find_char(fields->chart, '@') >= 0)
        return err_set(e, ERR_INVALID,
                       "chart: the name holds \"@\"; write the version as <name>:<version> or in "
                       "version");
    if (version.p && (!name.len || !version.len || str_find_char(version, ':') >= 0))
        return err_set(e, ERR_INVALID, "chart: \"%.*s\" must be a name or <name>:<version>",
                       STR_ARG(fields->chart));
    if (version.len && fields->version.len)
        return err_set(e, ERR_INVALID, "version: the chart \"%.*s\" already carries a version",
                       STR_ARG(fields->chart));
    ret->ref = name;
    ret->version = version.len ? version : fields->version;
    return 0;
}

static int resolve_repo(const struct khook_chart_fields *fields, struct arena *arena,
                        struct khook_chart_source *ret, struct err *e)
{
    struct http_url parts;

    ret->form = KHOOK_CHART_REPO;
    if (split_name(fields, ret, e) < 0)
        return -1;
    if (!fields->repo.len)
        return err_set(e, ERR_INVALID,
                       "repo is needed: \"%.*s\" is a chart's name in a repository (a local chart "
                       "begins with ./, ../ or /)",
                       STR_ARG(ret->ref));
    if (http_url_parse(fields->repo, &parts, e) < 0) {
        err_done(e);
        return err_set(e, ERR_INVALID, "repo must be an http:// or https:// URL with a host");
    }
    if (!str_eq_nocase(parts.scheme, STR("http")) && !str_eq_nocase(parts.scheme, STR("https")))
        return err_set(e, ERR_INVALID,
                       "repo must be an http:// or https:// URL, not %.*s:// (a registry's chart "
                       "is written chart: oci://…)",
                       STR_ARG(parts.scheme));
    ret->repo = fields->repo;
    return take_userinfo(&parts, fields, "repo", arena, &ret->repo, ret, e);
}

int khook_chart_resolve(const struct khook_chart_fields *fields, struct arena *arena,
                        struct khook_chart_source *ret, struct err *e)
{
    int rc;

    *ret = (struct khook_chart_source){0};
    if (fields->has_auth && (!fields->username.len || !fields->password.len))
        return err_set(e, ERR_INVALID, "auth needs username and password, both not empty");
    if (is_local(fields->chart))
        return resolve_path(fields, ret, e);
    rc = str_starts(fields->chart, STR("oci://")) ? resolve_oci(fields, arena, ret, e)
                                                  : resolve_repo(fields, arena, ret, e);
    if (rc == 0 && fields->has_auth) {
        ret->username = fields->username;
        ret->password = fields->password;
    }
    return rc;
}

void khook_chart_display(const struct khook_chart_source *source, struct buf *out)
{
    str last = str_from(source->ref, (size_t)(str_rfind_char(source->ref, '/') + 1));

    buf_add_str(out, source->ref);
    if (source->form == KHOOK_CHART_PATH)
        return;
    if (source->form == KHOOK_CHART_OCI &&
        (str_find_char(last, ':') >= 0 || str_find_char(last, '@') >= 0))
        return;
    buf_add_char(out, '@');
    buf_add_str(out, source->version.len ? source->version : STR("latest"));
}
