#include "chart/download.h"

#include "base/sha256.h"
#include "chart/chart.h"
#include "chart/oci.h"
#include "chart/provenance.h"
#include "chart/repo/cache.h"
#include "chart/repo/get.h"
#include "http/url.h"

enum { MAX_PROV = 1 << 20 };

void chart_download_done(struct chart_download *d)
{
    buf_done(&d->archive);
    buf_done(&d->file_name);
    buf_done(&d->url);
    buf_done(&d->sha256);
    buf_done(&d->prov);
    buf_done(&d->report);
    buf_done(&d->oci_digest);
    err_done(&d->no_prov);
}

/* Where a chart is, and how it is asked for there. */
struct place {
    struct doc_set *set;
    struct chart_repos repos;
    struct buf url;
    str owner, digest; /* owner: URL of the repository; digest: empty when unknown */
    struct chart_access access;
};
static void place_done(struct place *p)
{
    doc_set_free(p->set);
    chart_repos_done(&p->repos);
    buf_done(&p->url);
}
AUTO_VALUE(struct place, place_done)

static str wanted_version(const struct chart_source *source)
{
    str version = str_trim(source->version);

    return !version.len && source->is_devel ? STR(">0.0.0-0") : version;
}

/* ---- where it is */

static int take_version(struct place *p, str base, const struct chart_index_version *version,
                        str reference, struct err *e)
{
    str url = chart_index_url(version);

    if (!url.len)
        return err_set(e, ERR_NOT_FOUND, "chart \"%.*s\" has no downloadable URLs",
                       STR_ARG(reference));
    p->digest = version->digest;
    str_drop_prefix(&p->digest, STR("sha256:"));
    return chart_url_resolve(base, url, &p->url, e);
}

/* NAME in the repository at a URL. */
static int find_at_url(struct place *p, str name, const struct chart_source *source, struct err *e)
{
    AUTO(err_done) struct err bad = {0};
    struct chart_index index = {0};
    const struct chart_index_version *version;
    str wanted = wanted_version(source);

    if (chart_index_fetch(source->repo, &p->access, p->set, &index, NULL, e) < 0)
        return err_wrap(e,
                        "looks like \"%.*s\" is not a valid chart repository or cannot be reached",
                        STR_ARG(source->repo));
    version = chart_index_choose(&index, name, wanted, &bad);
    if (!version) {
        str before = wanted.len ? STR(" version \"") : STR(""),
            after = wanted.len ? STR("\"") : STR("");
        return err_set(e, ERR_NOT_FOUND, "chart \"%.*s\"%.*s%.*s%.*s not found in %.*s repository",
                       STR_ARG(name), STR_ARG(before), STR_ARG(wanted), STR_ARG(after),
                       STR_ARG(source->repo));
    }
    p->owner = source->repo;
    return take_version(p, source->repo, version, name, e);
}

static bool index_has_url(const struct chart_index *index, str base, str url)
{
    for (size_t i = 0; i < index->count; i++) {
        for (size_t k = 0; k < index->entries[i].count; k++) {
            AUTO(err_done) struct err ignored = {0};
            AUTO(buf_done) struct buf own = {0};
            str ref = chart_index_url(&index->entries[i].versions[k]);

            if (ref.len && chart_url_resolve(base, ref, &own, &ignored) == 0 &&
                str_eq(buf_view(&own), url))
                return true;
        }
    }
    return false;
}

/* The URL of an archive; a repository whose index has it lends its credentials. */
static int find_url(struct place *p, str url, const struct chart_source *source)
{
    buf_add_str(&p->url, url);
    p->owner = url;
    for (size_t i = 0; i < p->repos.list.len; i++) {
        AUTO(err_done) struct err ignored = {0};
        const struct chart_repo *repo = &p->repos.list.v[i];
        struct chart_index index = {0};

        if (!repo->password.len && !repo->cert_file.len && !repo->ca_file.len && !repo->is_insecure)
            continue;
        if (chart_index_load(source->dirs, repo->name, p->set, &index, &ignored) < 0 ||
            !index_has_url(&index, repo->url, url))
            continue;
        p->owner = repo->url;
        p->access = chart_repo_access(repo, &source->access);
        break;
    }
    return 0;
}

static int find_in(struct place *p, const struct chart_repo *repo, str name, str wanted,
                   const struct chart_source *source, struct err *e)
{
    const struct chart_index_version *version;
    struct chart_index index = {0};

    if (chart_index_load(source->dirs, repo->name, p->set, &index, e) < 0)
        return err_wrap(e, "no cached repo found. (try 'helm repo update')");
    version = chart_index_choose(&index, name, wanted, e);
    if (!version)
        return err_wrap(
            e, "chart \"%.*s\" matching %.*s not found in %.*s index. (try 'helm repo update')",
            STR_ARG(name), STR_ARG(wanted), STR_ARG(repo->name));
    p->owner = repo->url;
    p->access = chart_repo_access(repo, &source->access);
    return take_version(p, repo->url, version, name, e);
}

/* REPO/NAME of a repository that has a name. */
static int find_named(struct place *p, str reference, const struct chart_source *source,
                      struct err *e)
{
    str name, repo_name = str_cut(reference, '/', &name);
    const struct chart_repo *repo = chart_repos_find(&p->repos, repo_name);

    if (!name.p)
        return err_set(e, ERR_INVALID,
                       "non-absolute URLs should be in form of repo_name/path_to_chart, got: %.*s",
                       STR_ARG(reference));
    if (!repo)
        return err_set(e, ERR_NOT_FOUND, "repo %.*s not found", STR_ARG(repo_name));
    return find_in(p, repo, name, wanted_version(source), source, e);
}

static int find(struct place *p, str reference, const struct chart_source *source, struct err *e)
{
    p->set = doc_set_new();
    p->access = source->access;
    if (source->repo.len)
        return find_at_url(p, reference, source, e);
    if (chart_repos_load(buf_cstr(&source->dirs->repository_config), &p->repos, e) < 0)
        return -1;
    return str_contains(reference, STR("://")) ? find_url(p, reference, source)
                                               : find_named(p, reference, source, e);
}

/* ---- fetching it */

static int check_digest(const struct chart_download *d, str wanted, struct err *e)
{
    if (!wanted.len || str_eq_nocase(wanted, buf_view(&d->sha256)))
        return 0;
    return err_set(e, ERR_CONFLICT, "%s: the digest is %s, the index says %.*s", buf_cstr(&d->url),
                   buf_cstr(&d->sha256), STR_ARG(wanted));
}

/* "URL.prov", the query behind. */
static void add_prov_url(str url, struct buf *out)
{
    str query, path = str_cut(url, '?', &query);

    buf_addf(out, "%.*s.prov", STR_ARG(path));
    if (query.p)
        buf_addf(out, "?%.*s", STR_ARG(query));
}

static int fetch_prov(const struct place *p, struct chart_download *ret)
{
    AUTO(buf_done) struct buf url = {0};

    add_prov_url(buf_view(&p->url), &url);
    return chart_get(buf_view(&url), p->owner, &p->access, MAX_PROV, &ret->prov, &ret->no_prov);
}

static int fetch_place(const struct place *p, const struct chart_source *source, bool wants_prov,
                       struct chart_download *ret, struct err *e)
{
    str path;

    http_url_redact(buf_view(&p->url), &ret->url);
    path = str_cut(str_cut(buf_view(&ret->url), '?', NULL), '#', NULL);
    buf_add_str(&ret->file_name, str_from(path, (size_t)(str_rfind_char(path, '/') + 1)));
    ret->is_recalled = chart_cache_get(source->dirs, p->digest, "chart", &ret->archive);
    if (ret->is_recalled) {
        buf_add_str(&ret->sha256, p->digest);
    } else {
        if (chart_get(buf_view(&p->url), p->owner, &p->access, CHART_MAX_BYTES, &ret->archive, e) <
            0)
            return -1;
        sha256_hex(buf_view(&ret->archive), &ret->sha256);
        if (check_digest(ret, p->digest, e) < 0)
            return -1;
    }
    if (wants_prov && fetch_prov(p, ret) < 0 && source->verifies)
        return err_set(e, ret->no_prov.kind, "failed to fetch provenance \"%s.prov\"",
                       buf_cstr(&ret->url));
    return 0;
}

static int fetch_http(str reference, const struct chart_source *source, bool wants_prov,
                      struct chart_download *ret, struct err *e)
{
    AUTO(place_done) struct place p = {0};

    return find(&p, reference, source, e) < 0 ? -1 : fetch_place(&p, source, wants_prov, ret, e);
}

/* ---- from a registry */

/* "web-1.2.0.tgz"; of a digest "web@sha256-….tgz", as helm calls it. */
static void add_file_name(const struct chart_oci_pulled *pulled, struct buf *out)
{
    str digest;

    if (pulled->version.len) {
        buf_addf(out, "%s-%s.tgz", buf_cstr(&pulled->name), buf_cstr(&pulled->version));
        return;
    }
    str_cut(buf_view(&pulled->digest), ':', &digest);
    buf_addf(out, "%s@sha256-%.*s.tgz", buf_cstr(&pulled->name), STR_ARG(digest));
}

static int fetch_oci(str reference, const struct chart_source *source, bool wants_prov,
                     struct chart_download *ret, struct err *e)
{
    AUTO(chart_oci_pulled_done) struct chart_oci_pulled pulled = {0};
    AUTO(chart_oci_free)
    struct chart_oci *oci =
        chart_oci_new(&source->access, buf_cstr(&source->dirs->registry_config), e);
    str digest;

    if (oci)
        chart_oci_use_cache(oci, source->dirs);
    if (!oci || chart_oci_pull(oci, reference, wanted_version(source), wants_prov, &pulled, e) < 0)
        return -1;
    add_file_name(&pulled, &ret->file_name);
    str_cut(buf_view(&pulled.archive_digest), ':', &digest);
    buf_add_str(&ret->sha256, digest);
    buf_add_str(&ret->url, buf_view(&pulled.reference));
    buf_add_str(&ret->oci_digest, buf_view(&pulled.digest));
    buf_add_str(&ret->archive, buf_view(&pulled.archive));
    buf_add_str(&ret->prov, buf_view(&pulled.prov));
    ret->is_recalled = pulled.is_recalled;
    if (!wants_prov || ret->prov.len)
        return 0;
    err_set(&ret->no_prov, ERR_NOT_FOUND, "the registry has no provenance file beside it");
    if (!source->verifies)
        return 0;
    return err_set(e, ERR_NOT_FOUND, "failed to fetch provenance \"%s.prov\"", buf_cstr(&ret->url));
}

static int verify(const struct chart_source *source, struct chart_download *d, struct err *e)
{
    AUTO(buf_done) struct buf keyring = {0};

    if (!source->verifies)
        return 0;
    buf_add_str(&keyring, source->keyring);
    return chart_verify(buf_view(&d->archive), buf_view(&d->file_name), buf_view(&d->prov),
                        buf_cstr(&keyring), &d->report, e);
}

int chart_download(str reference, const struct chart_source *source, enum chart_prov prov,
                   struct chart_download *ret, struct err *e)
{
    bool wants_prov = prov == CHART_PROV_IF_THERE || source->verifies;

    if (chart_is_oci(reference) ? fetch_oci(reference, source, wants_prov, ret, e) < 0
                                : fetch_http(reference, source, wants_prov, ret, e) < 0)
        return -1;
    return verify(source, ret, e);
}

int chart_download_version(const struct chart_repo *repo, str name, str version,
                           const struct chart_source *source, struct chart_download *ret,
                           struct err *e)
{
    AUTO(place_done) struct place p = {.set = doc_set_new()};

    if (find_in(&p, repo, name, version, source, e) < 0 ||
        fetch_place(&p, source, source->verifies, ret, e) < 0)
        return -1;
    return verify(source, ret, e);
}
