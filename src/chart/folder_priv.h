/* Reading a folder's part of a chart: one subtree after the other, or side by side. */
#pragma once
#include <pthread.h>

#include "chart/ignore.h"
#include "chart/read_priv.h"

/* What all who read share. */
struct folder_walk {
    const char *root_path;
    int root; /* descriptor */
    struct chart_ignore ignore;
    pthread_mutex_t lock; /* of the budget's counts */
    struct chart_budget *budget;
};

struct folder_name {
    str text;
    unsigned char type; /* DT_DIR and so on: DT_UNKNOWN where the file system does not say */
};
struct folder_names {
    VEC(struct folder_name) list;
};
static inline void folder_names_done(struct folder_names *n) { vec_done(&n->list); }
AUTO_VALUE(struct folder_names, folder_names_done)

/* One thread's; the texts are in its arena. */
struct folder_reader {
    struct folder_walk *walk;
    struct arena *arena;
    struct buf path; /* of what is looked at, below the root */
    int level;       /* how many folders it is in */
    struct chart_files *files;
    struct str_vec *outside; /* paths of links that lead out and were followed */
};

/* The names in an open folder, in order. */
int folder_list(struct folder_reader *r, int fd, struct folder_names *ret,
                struct err *e) MUST_CHECK;
/* A descriptor of a file or folder that is no link, its name the last part of the path, or -1. */
int folder_open_plain(int folder, str path);
/* Reads what the path names, which is in that open folder, and everything in it. */
int folder_read(struct folder_reader *r, int folder, unsigned char type, struct err *e) MUST_CHECK;
