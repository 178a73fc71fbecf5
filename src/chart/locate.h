/* Where charts come from (helm spec 14, 15): a path, REPO/NAME of a configured repository, a name
 * in the repository at a URL, an archive at a URL, an OCI registry. `chart template`, `install`,
 * `upgrade`, `show`, `pull` and `lint` all ask here.
 *
 * Everything in the options is borrowed. Blocking; any thread, and safe beside other processes that
 * use the same folders. Passwords are registered as secrets by whoever reads them in. */
#pragma once
#include "base/buf.h"
#include "base/err.h"
#include "sys/cancel.h"

/* Helm's files, by its variables: HELM_REPOSITORY_CONFIG, HELM_REPOSITORY_CACHE,
 * HELM_CONTENT_CACHE, HELM_REGISTRY_CONFIG; below HELM_CONFIG_HOME and HELM_CACHE_HOME, or XDG's
 * folders, or ~. Starters of charts are below HELM_DATA_HOME. */
struct chart_dirs {
    struct buf config_home, cache_home, data_home;
    struct buf repository_config; /* repositories.yaml */
    struct buf repository_cache;  /* folder of NAME-index.yaml */
    struct buf content_cache;     /* folder of archives by SHA-256 */
    struct buf registry_config;   /* registry/config.json */
};
void chart_dirs_read(struct chart_dirs *ret); /* of the environment */
void chart_dirs_done(struct chart_dirs *dirs);
AUTO_VALUE(struct chart_dirs, chart_dirs_done)

struct chart_access { /* how a server is asked */
    str username, password;
    str ca_file, cert_file, key_file; /* paths of PEM files */
    bool passes_credentials;          /* to other hosts than the repository's too */
    bool is_insecure;                 /* its certificate is not judged */
    bool is_plain_http;               /* of registries */
    struct cancel *cancel;            /* may be NULL */
};

struct chart_source { /* what --repo, --version and the like say */
    str repo;         /* URL, or empty */
    str version;      /* a constraint; empty: the newest that is no pre-release */
    bool is_devel;    /* pre-releases too, when no version is given */
    bool verifies;    /* the provenance file beside the archive must hold */
    str keyring;      /* for that */
    struct chart_access access;
    const struct chart_dirs *dirs;
};

/* What longer work tells as it goes on: one line, borrowed for the call, on the thread that called.
 */
typedef void chart_line_fn(void *ctx, str line);

/* Appends the path of a chart's folder or archive; what came over the network lies in the content
 * cache. ERR_NOT_FOUND: `path "x" not found`, no such repository, chart or version; ERR_INVALID:
 * the digest is another than the index says; ERR_DENIED: provenance. */
int chart_locate(str reference, const struct chart_source *source, struct buf *ret_path,
                 struct err *e) MUST_CHECK;
