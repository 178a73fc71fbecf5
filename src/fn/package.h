/* Packages: folders of KRM files, read into items and written back with every untouched byte kept
 * (KRM functions spec 5.1, 5.3).
 *
 * A package owns what it notes about files and borrows the set. Items are copies of what was read,
 * annotated; the package remembers which document an item came from by the item's node, which
 * fn_run keeps. Writing consumes the package: documents turn into what their items have become. Not
 * locked. */
#pragma once
#include "base/map.h"
#include "base/vec.h"
#include "fn/resource_list.h"

/* A part of a file's text, its "---" line included: a document, or comments alone. */
struct fn_part {
    str text;
    struct doc_node *root; /* as read; NULL: no resource in here */
    struct doc_node *item; /* its working copy */
    uint32_t file;         /* index of its file */
    uint32_t place;        /* among the file's parts */
    bool is_wide;          /* lists stand deeper than their key */
};
struct fn_file {
    str path;           /* below the package, slashes */
    const char *origin; /* for messages: with the folder as it was given */
    VEC(struct fn_part *) parts;
    size_t documents; /* parts with a root */
};
struct fn_package {
    struct doc_set *set; /* borrowed */
    str dir;             /* as given; empty: nothing on disk */
    VEC(struct fn_file) files;
    struct map by_path; /* index of a file + 1 */
    struct map by_item; /* bytes of the pointer to a part */
    size_t documents;
};
void fn_package_done(struct fn_package *p); /* leaves {0} */
AUTO_VALUE(struct fn_package, fn_package_done)

/* Reads the files below dir and appends their items, annotated, in order. ERR_INVALID with the path
 * when one is no YAML or holds what is no resource. *ret must be {0}. */
int fn_package_read(struct doc_set *set, const char *dir, struct fn_package *ret,
                    struct doc_list *items, struct err *e) MUST_CHECK;
/* The same of one text: a file's name and content. */
int fn_package_add(struct fn_package *p, str path, str text, struct doc_list *items,
                   struct err *e) MUST_CHECK;
/* The part an item was read from, or NULL. */
struct fn_part *fn_package_part(const struct fn_package *p, const struct doc_node *item);

/* ---- writing */

struct fn_change {
    str path;
    struct buf text;
    bool is_removed;
};
struct fn_changes {
    VEC(struct fn_change) v;
};
void fn_changes_done(struct fn_changes *c); /* leaves {0} */
AUTO_VALUE(struct fn_changes, fn_changes_done)

/* Appends an item as it is to be stored, without its annotations and a leading "---". */
void fn_package_print(struct fn_package *p, struct doc_node *item, struct buf *out);
/* The files that differ from what was read; all: every file, for another folder. Items without a
 * path are refused: fn_place gives them one. */
int fn_package_changes(struct fn_package *p, const struct doc_list *items, bool all,
                       struct fn_changes *ret, struct err *e) MUST_CHECK;
/* Writes them below dir. The message lists what was done before it failed. */
int fn_changes_write(const struct fn_changes *c, const char *dir, struct err *e) MUST_CHECK;

/* ---- places */

/* Refuses paths that lead out and two items at one place. */
int fn_check_places(const struct doc_list *items, struct err *e) MUST_CHECK;
/* Gives items without a path their default one, below folder ("" or "a/b"). */
void fn_place(struct doc_set *set, const struct doc_list *items, str folder);
/* A clean relative path; ERR_DENIED when it is absolute or leads out. In the arena of set. */
int fn_clean_path(struct doc_set *set, str path, str *ret, struct err *e) MUST_CHECK;
