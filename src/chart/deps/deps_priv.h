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

/* ---- deps.c */
/* Loads the chart of the folder and lists what its Chart.yaml asks for. ERR_NOT_FOUND: no such
 * folder, or a repository that is not known. */
int deps_open(struct deps *d, const char *folder, const struct chart_deps_options *options,
              struct err *e) MUST_CHECK;
void deps_done(struct deps *d);
AUTO_VALUE(struct deps, deps_done)
/* Fills in how a dependency is come by; false when its repository is not known. */
bool deps_classify(struct deps *d, struct dep *dep);
/* A line of progress, to the listener of the options. */
void deps_tell(const struct deps *d, const char *fmt, ...) PRINTF(2, 3);
/* The folder of a file:// repository. */
str deps_folder_path(const struct deps *d, str repository);
struct chart_oci *deps_oci(struct deps *d, struct err *e);
/* resolve.c: each request as the version it becomes. */
int deps_resolve(struct deps *d, struct chart_lock *ret, struct err *e) MUST_CHECK;
/* fetch.c: everything locked into charts/. */
int deps_fetch(struct deps *d, const struct chart_lock *lock, struct err *e) MUST_CHECK;
