/* Git URLs as kustomize reads them (spec 15): where a repository is, and the folder in it.
 *
 *     git::https://host/org/repo//folder?ref=v1&timeout=90s&submodules=false
 *     git@host:org/repo/folder      github.com/org/repo/folder      file:///srv/repo
 *
 * Pure; any thread. */
#pragma once
#include "base/buf.h"
#include "base/err.h"

enum { FETCH_GIT_TIMEOUT_MS = 27000 };

struct fetch_git_url {
    struct buf repository; /* what git is told to fetch from, credentials included */
    struct buf path;       /* of the folder, cleaned: "." is the top */
    struct buf ref;        /* "HEAD" unless given */
    int64_t timeout_ms;    /* of each call of git */
    bool has_submodules;
    bool is_local;  /* file:// */
    bool is_forced; /* "git::" stood before it; it means nothing */
};
void fetch_git_url_done(struct fetch_git_url *url);
AUTO_VALUE(struct fetch_git_url, fetch_git_url_done)

/* 1: *ret, which must be {0}, is filled. 0: text is no git URL (a path, or the URL of a file).
 * -1: it is one that git must not see (T8): a host, user or ref that starts with a dash, control
 * characters. ERR_DENIED, without credentials in the text. */
int fetch_git_url_parse(str text, struct fetch_git_url *ret, struct err *e) MUST_CHECK;
bool fetch_is_git_url(str text); /* one that git may see */
