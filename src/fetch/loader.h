/* Loading what a build names: files and folders beneath roots (fetch/root.h), files at http(s)
 * URLs, folders in git repositories (kustomize spec 15).
 *
 * A loader belongs to one run and outlives the roots it opened; its clones lie in a temporary
 * folder that is removed with it. A repository at one ref is cloned once. All functions from any
 * thread. Messages and notes never show the credentials of a URL. */
#pragma once
#include "fetch/lock.h"
#include "fetch/root.h"
#include "sys/cancel.h"

struct fetch_loader;

enum fetch_note { FETCH_PROGRESS, FETCH_WARNING };
/* "cloning https://host/org/repo at v1": one line, borrowed for the call; with a lock held, on the
 * thread that loads. */
typedef void fetch_note_fn(void *ctx, enum fetch_note kind, str text);

struct fetch_loader_options {           /* everything is borrowed for the life of the loader */
    enum fetch_restriction restriction; /* of the first root, if it is no clone */
    bool is_offline;                    /* no socket and no git: only what the cache holds */
    const char *cache_dir;              /* keeps clones by commit and files by URL; NULL: none */
    struct fetch_lock *lock;            /* digests to hold against, and to add to; NULL: none */
    size_t file_limit;                  /* of one file. 0: 64 MiB */
    struct cancel *cancel;              /* may be NULL */
    fetch_note_fn *note;                /* may be NULL */
    void *ctx;
};

struct fetch_loader *fetch_loader_new(const struct fetch_loader_options *options);
void fetch_loader_free(struct fetch_loader *loader); /* NULL is fine */
AUTO_PTR(struct fetch_loader, fetch_loader_free)

/* Whether the text names a file to be fetched: http:// or https://, in any letter case. */
bool fetch_is_file_url(str text);

/* The root of the whole run: a folder, or a git URL. */
struct fetch_root *fetch_loader_open(struct fetch_loader *loader, str target,
                                     struct err *e) MUST_CHECK;
/* A folder that root's files name: relative to root (fetch_root_enter), or a git URL. */
struct fetch_root *fetch_loader_enter(struct fetch_loader *loader, struct fetch_root *root,
                                      str target, struct err *e) MUST_CHECK;
/* Appends a file that root's files name: fetch_root_read, or GET of an http(s) URL (10 redirects
 * at most). An answer other than 2xx is ERR_NOT_FOUND or ERR_IO with the status in code. A git URL
 * that answers with a web page is ERR_INVALID: enter it. */
int fetch_loader_read(struct fetch_loader *loader, struct fetch_root *root, str target,
                      struct buf *out, struct err *e) MUST_CHECK;
int fetch_loader_take(struct fetch_loader *loader, struct fetch_root *root, str target,
                      struct arena *a, str *ret, struct err *e) MUST_CHECK; /* into the arena */
