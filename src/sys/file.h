/* Files: bounded reading, opening beneath a root, atomic replacement, walking and removing trees.
 * Descriptors are close-on-exec. Errors name the path and keep errno in code. Any thread. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

struct stat;

/* Appends the whole file to out; "-" is standard input. Directories are refused; pipes are fine
 * ("-f <(make-spec)"). More than limit bytes: ERR_LIMIT; out is then as before. */
int file_read(const char *path, size_t limit, struct buf *out, struct err *e) MUST_CHECK;
/* The same from an open descriptor; name is for messages. */
int file_read_fd(int fd, const char *name, size_t limit, struct buf *out, struct err *e) MUST_CHECK;
/* The same of a file that the caller has looked at and found to be none of the folders. */
int file_read_known(int fd, const struct stat *st, const char *name, size_t limit, struct buf *out,
                    struct err *e) MUST_CHECK;
int file_write_fd(int fd, const char *name, str text, struct err *e) MUST_CHECK;

/* The same into an arena, where a regular file is read to at once; it ends in NUL there. */
int file_read_into(int fd, const struct stat *st, const char *name, size_t limit, struct arena *a,
                   str *ret, struct err *e) MUST_CHECK;

/* Opens path inside the folder root_fd. Links are followed as long as they stay inside; what leads
 * out is ERR_DENIED with EXDEV in code. flags as for open, O_CLOEXEC is added. The descriptor or
 * -1. */
int file_open_beneath(int root_fd, const char *path, int flags, struct err *e) MUST_CHECK;
/* Opens path, relative to the folder at, if there is no link in it, so that the path tells where it
 * ends. -1 with errno otherwise, and on systems that cannot do so. */
int file_open_without_links(int at, const char *path, int flags) MUST_CHECK;
int file_open_dir(const char *path, struct err *e) MUST_CHECK; /* for root_fd; caller closes */
int file_read_beneath(int root_fd, const char *path, size_t limit, struct buf *out,
                      struct err *e) MUST_CHECK;

bool file_is_dir(const char *path);
bool file_exists(const char *path); /* links are followed */

struct file_replace {
    bool
        is_synced; /* file and folder reach the disk before it returns: for state, not for output */
    unsigned mode; /* of a new file, before the umask; 0: 0666. A file that exists keeps its mode */
};
/* Readers see the old content or the new, never half: a file beside path, readable by its owner
 * alone until it has its final mode, takes path's place. A link is followed. What is no regular
 * file (a pipe, /dev/stdout) is written to. When it fails, path is as before. opts may be NULL. */
int file_replace(const char *path, str text, const struct file_replace *opts,
                 struct err *e) MUST_CHECK;
int file_mkdirs(const char *path, unsigned mode, struct err *e) MUST_CHECK; /* parents too */

enum file_type { FILE_REGULAR, FILE_DIR, FILE_LINK, FILE_OTHER };
struct file_entry {
    const char *path; /* below the root, "a/b"; borrowed for the call */
    const char *name; /* its last part */
    enum file_type type;
    int64_t size;
    unsigned mode; /* permission bits */
};
/* -1 ends the walk with e; FILE_SKIP leaves out what is in a folder. */
enum { FILE_ON = 0, FILE_SKIP = 1 };
typedef int file_visit_fn(void *ctx, const struct file_entry *entry, struct err *e);
/* Visits everything below root in the byte order of the names, a folder before its content; links
 * are told, not followed. More than 128 levels: ERR_LIMIT. */
int file_walk(const char *root, file_visit_fn *visit, void *ctx, struct err *e) MUST_CHECK;
/* Makes a fresh folder that only its owner may enter, in $TMPDIR or /tmp, and appends its path. */
int file_temp_dir(const char *prefix, struct buf *ret_path, struct err *e) MUST_CHECK;
/* Removes path and everything in it, links themselves; nothing there is fine. */
int file_remove_tree(const char *path, struct err *e) MUST_CHECK;

void file_close(int fd); /* -1 is fine */
static inline void file_close_auto(int *fd) { file_close(*fd); }
