/* Fetching one state of a git repository with the `git` program (kustomize spec 15, threat T8).
 *
 * Git is told nothing that could make it run a program the repository names: no hooks, no ext::
 * transport, no update commands of submodules, an empty template. It asks no questions. Passwords
 * of URLs reach it through its environment, never its arguments. Blocking; any thread. */
#pragma once
#include "fetch/git_url.h"
#include "sys/cancel.h"

/* Puts the files of url's ref into the empty folder dir, a shallow fetch; ret_commit may be NULL,
 * else the commit's id is appended to it. Each call of git ends after url->timeout_ms
 * (ERR_TIMEOUT). ERR_NOT_FOUND without a git program; ERR_IO with the end of what git said. */
int fetch_git_clone(const struct fetch_git_url *url, const char *dir, struct cancel *cancel,
                    struct buf *ret_commit, struct err *e) MUST_CHECK;
/* Asks the server what commit the ref is. Appends nothing when the server does not tell, as for a
 * shortened id. A full id is appended without asking. */
int fetch_git_resolve(const struct fetch_git_url *url, struct cancel *cancel,
                      struct buf *ret_commit, struct err *e) MUST_CHECK;
bool fetch_git_is_commit(str text); /* 40 or 64 hexadecimal digits */
