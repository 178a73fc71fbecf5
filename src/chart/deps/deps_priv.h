/* What resolving and fetching dependencies share. */
#pragma once
#include "chart/deps/deps.h"
#include "chart/deps/lock.h"
#include "chart/oci.h"
#include "chart/repo/config.h"

enum dep_kind { DEP_LOCAL /* in charts/ */, DEP_FOLDER /* file:// */, DEP_REPO, DEP_OCI };
struct dep {
    enum dep_kind kind;
    str name, version, repository; /* repository: its URL, names replaced */
    const struct chart_repo *repo; /* DEP_REPO; its name is that of the cached index */
    bool is_unnamed;               /* the repository is in no configuration */
};
struct deps {
    const char *folder;
    const struct chart_deps_options *options;
    struct doc_set *set;
    struct chart *c;
    struct chart_repos repos;
    struct chart_oci *oci; /* made when there is a first one; see deps_oci */
    struct doc_node
        *requests; /* entries of "dependencies" in helm's JSON, names replaced by URLs */
    struct {
        struct dep *v;
        size_t len, cap;
    } list;
};

void deps_tell(const struct deps *d, const char *fmt, ...) PRINTF(2, 3);
/* The folder of a file:// repository. */
str deps_folder_path(const struct deps *d, str repository);
struct chart_oci *deps_oci(struct deps *d, struct err *e);
/* resolve.c: each request as the version it becomes. */
int deps_resolve(struct deps *d, struct chart_lock *ret, struct err *e) MUST_CHECK;
/* fetch.c: everything locked into charts/. */
int deps_fetch(struct deps *d, const struct chart_lock *lock, struct err *e) MUST_CHECK;
