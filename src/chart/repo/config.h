/* repositories.yaml: the repositories that have names (helm spec 14). Helm reads what is written
 * here and the other way round.
 *
 * A config owns its texts; passwords in it are registered as secrets when it is read. One thread at
 * a time; other processes are kept out by chart_repos_lock while one changes the file. */
#pragma once
#include "base/vec.h"
#include "chart/locate.h"
#include "doc/node.h"

struct chart_repo {
    str name, url, username, password, cert_file, key_file, ca_file;
    bool is_insecure, passes_credentials;
};
struct chart_repos {
    struct doc_set *set; /* owned; where the texts are */
    VEC(struct chart_repo) list;
};
void chart_repos_done(struct chart_repos *repos); /* leaves {0} */
AUTO_VALUE(struct chart_repos, chart_repos_done)

/* A file that is missing or empty has no repositories. *ret must be {0}. */
int chart_repos_load(const char *path, struct chart_repos *ret, struct err *e) MUST_CHECK;
/* Writes the file, readable by its owner alone. The folder is made. */
int chart_repos_save(const char *path, const struct chart_repos *repos, struct err *e) MUST_CHECK;
/* Borrowed until the list changes; NULL when there is none. */
const struct chart_repo *chart_repos_find(const struct chart_repos *repos, str name);
/* The one at that URL; "", with and without a slash at the end, are one. */
const struct chart_repo *chart_repos_find_url(const struct chart_repos *repos, str url);
/* Puts a copy at the end, or in place of the one of that name. */
void chart_repos_put(struct chart_repos *repos, const struct chart_repo *repo);
bool chart_repos_remove(struct chart_repos *repos, str name); /* false: it was not there */
bool chart_repo_equal(const struct chart_repo *a, const struct chart_repo *b);

/* Holds helm's lock beside the file ("repositories.lock") until the descriptor is closed.
 * ERR_TIMEOUT when another process has it for 30 s. */
int chart_repos_lock(const char *path, struct cancel *cancel, struct err *e) MUST_CHECK;

/* How a repository is asked: what it has over what access says, as helm has it. */
struct chart_access chart_repo_access(const struct chart_repo *repo,
                                      const struct chart_access *access);
