/* Load roots: the folders a build may read from (kustomize spec 15; threats T6 and T7).
 *
 * A root is an open folder. A path given to it is resolved once, by the kernel, into a descriptor;
 * that descriptor is judged and read, so that nothing can be swapped between the look and the use.
 * "a/../b" is "b" before that, as upstream has it, whatever a is; links are followed and judged by
 * where they end. Only regular files are read: no pipe, no device.
 *
 * A root below another keeps it alive (its referrer: cycles are told from the chain). References
 * are counted; the functions may be called from any thread, also on one root at once. Each root
 * holds a descriptor: let go of it when its folder is built. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

struct fetch_root;

enum fetch_restriction {
    FETCH_ROOT_ONLY,    /* files lie in or below the root: LoadRestrictionsRootOnly */
    FETCH_UNRESTRICTED, /* files lie anywhere: LoadRestrictionsNone */
};

enum fetch_kind { FETCH_ABSENT, FETCH_FILE, FETCH_DIR };

/* The first root of a build; path as the user wrote it, absolute or relative to where we are.
 * ERR_NOT_FOUND, ERR_INVALID when it is no folder. */
struct fetch_root *fetch_root_open(const char *path, enum fetch_restriction restriction,
                                   struct err *e) MUST_CHECK;
struct fetch_root *fetch_root_ref(struct fetch_root *root);
void fetch_root_unref(struct fetch_root *root); /* NULL is fine */
AUTO_PTR(struct fetch_root, fetch_root_unref)

/* The folder at path, relative to root: "../base". Restrictions are taken over. Refused: an empty
 * or absolute path and a part such as "a..b" (ERR_INVALID: what is folded from a wrongly indented
 * list looks so), no folder (ERR_NOT_FOUND, ERR_INVALID), the folder of root, of a referrer or one
 * above them (ERR_INVALID, "cycle detected"), a folder outside of the clone that root is in
 * (ERR_DENIED). */
struct fetch_root *fetch_root_enter(struct fetch_root *root, str path, struct err *e) MUST_CHECK;
/* The same for a folder whose files are merged into root's (a Composition's imports): it may lie
 * above root, only what is being visited itself is a cycle. */
struct fetch_root *fetch_root_import(struct fetch_root *root, str path, struct err *e) MUST_CHECK;
/* A folder in a clone of a repository. Nothing below it may leave the clone or is unrestricted. */
struct fetch_clone {
    const char *dir;         /* absolute: where the clone is */
    str path;                /* of the folder in it, "." is the top */
    str url;                 /* as it was referred to: cycles of URLs are told by it */
    str repository, ref;     /* for people: without credentials */
    struct fetch_root *from; /* the referrer, or NULL */
};
/* Everything is copied. The files' names in messages start with the repository. Refused as by
 * fetch_root_enter, and a url that one of the referrers' begins with (ERR_INVALID, "cycle
 * detected"). */
struct fetch_root *fetch_root_open_clone(const struct fetch_clone *clone, struct err *e) MUST_CHECK;
/* The cycle of URLs alone: to be asked before url is cloned. */
int fetch_root_check_urls(const struct fetch_root *from, str url, struct err *e) MUST_CHECK;
/* Of the clone that holds root, else empty. Borrowed from root. */
str fetch_root_repository(const struct fetch_root *root);
str fetch_root_ref_name(const struct fetch_root *root);
/* The path of the clone's top; NULL outside of one. */
const char *fetch_root_clone_path(const struct fetch_root *root);

/* Appends a whole file. path is relative to the root, or absolute. ERR_NOT_FOUND; ERR_DENIED with
 * the text "security; file 'F' is not in or below 'D'"; ERR_INVALID with EISDIR in code for a
 * folder, without for what is no regular file; ERR_LIMIT above limit bytes, out is then as before.
 */
int fetch_root_read(struct fetch_root *root, str path, size_t limit, struct buf *out,
                    struct err *e) MUST_CHECK;
int fetch_root_take(struct fetch_root *root, str path, size_t limit, struct arena *a, str *ret,
                    struct err *e) MUST_CHECK; /* into the arena, with a NUL behind it */
/* What is there: FETCH_ABSENT also for what is no regular file, may not be read or leads out of
 * the clone. For choosing a way; reading and entering judge anew. */
enum fetch_kind fetch_root_look(struct fetch_root *root, str path);
/* Appends the path of what is called most like it in the same folder, for "did you mean"; nothing
 * when there is none, or the folder lies outside of the clone. */
void fetch_root_nearest(const struct fetch_root *root, str path, struct buf *out);

/* Absolute and without links: equal for equal folders. Borrowed from root. */
const char *fetch_root_path(const struct fetch_root *root);
/* Appends the name for messages of a file of root, as the user would write it from where we are:
 * "../base/a.yaml" of the root "overlays/prod" is "overlays/base/a.yaml". An empty path names the
 * root itself. */
void fetch_root_name(const struct fetch_root *root, str path, struct buf *out);
