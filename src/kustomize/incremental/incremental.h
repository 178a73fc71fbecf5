/* Building the same kustomization again and again while its files change (`build --watch`).
 *
 * A session notes what a build read and what came of it. After a change only the entries that
 * depend on the changed files are made again, go through the levels above alone, and take the place
 * of what they were; everything else is kept as the bytes it printed. The output is always that of
 * a fresh build: where a change may concern more than its own resources, all is built. See
 * docs/decisions/7-builds-by-parts.md.
 *
 * One thread at a time. Nothing is polled: whoever has the session watches the folders it names and
 * tells it what changed. */
#pragma once
#include "kustomize/build.h"

struct kustomize_session;
/* Both are borrowed for the life of the session. */
struct kustomize_session *kustomize_session_new(const char *target,
                                                const struct kustomize_options *options);
void kustomize_session_free(struct kustomize_session *s); /* NULL is fine */
AUTO_PTR(struct kustomize_session, kustomize_session_free)

/* Builds: all, or what was touched. Warnings are those of what was built, in order. When it fails,
 * the output is still that of the build before. */
int kustomize_session_build(struct kustomize_session *s, struct diag_list *warnings,
                            struct err *e) MUST_CHECK;
/* Something happened to this name in a folder; an empty name: to the folder. NULL folder: some
 * events were lost. */
void kustomize_session_touch(struct kustomize_session *s, str folder, str name);
/* Whether a build now may give another output. */
bool kustomize_session_is_touched(struct kustomize_session *s);
/* Whether the last build gave other bytes than the one before, or was the first after a failure. */
bool kustomize_session_is_changed(const struct kustomize_session *s);

/* ---- the output of the last build that did not fail; views into the session */

/* Its text, in pieces. */
void kustomize_session_text(const struct kustomize_session *s, struct str_vec *ret);
/* Its resources one by one, in order; only_new: those of the last build. fn's -1 ends it. r has no
 * tree. */
typedef int kustomize_session_fn(void *ctx, const struct kustomize_resource *r, str text,
                                 struct err *e);
int kustomize_session_each(const struct kustomize_session *s, bool only_new,
                           kustomize_session_fn *fn, void *ctx, struct err *e) MUST_CHECK;
bool kustomize_session_has_namespaces(const struct kustomize_session *s); /* two or more */

/* ---- what is to be watched */

/* Appends the folders to be watched, as absolute paths that are the caller's to mem_free: new ones
 * since the last call. True: with all folders below them, since it is not known what was read. */
bool kustomize_session_folders(struct kustomize_session *s, struct str_vec *ret);
/* They are watched now. When some of them were not before (has_new), what changed since the last
 * build began counts as touched. */
void kustomize_session_watched(struct kustomize_session *s, bool has_new);
/* For tests and measurements: how many builds made all, and how many parts. */
struct kustomize_session_stats {
    size_t whole, parts;
    size_t kept_bytes; /* what is kept, about */
};
struct kustomize_session_stats kustomize_session_stats(const struct kustomize_session *s);
