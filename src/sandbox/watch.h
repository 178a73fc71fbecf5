/* Watches: a cursor into a resource type's history, pulled by the connection that streams it.
 * Under the lock, but for sb_watch_discard. */
#pragma once
#include "sandbox/priv.h"

struct sb_watch {
    struct sandbox *sb;
    struct sb_kind *kind;
    struct sb_watch *next, **link; /* the resource type's; link NULL: not listed */
    uint64_t id;
    str ns, name; /* empty: any; owned */
    str path;     /* for faults; owned */
    struct arena arena;
    struct sb_selector *selector;
    struct http_stream *stream;
    bool is_table, has_bookmarks;

    uint64_t cursor; /* events up to this version were looked at */
    struct buf pending;
    size_t sent; /* bytes of pending that were taken */
    size_t event_count;
    bool is_over;  /* ends when pending was taken */
    bool is_cut;   /* and ends badly */
    bool is_slow;  /* bytes dribble, one piece a wake */
    bool is_held;  /* nothing before the timer */
    bool idle_hit; /* the idle fault was asked for once */
    clock_ms deadline, bookmark_at;
};

void sb_watch_discard(struct sb_watch *w); /* takes the lock; for one that never started */
/* Adds one event in the shape its watcher wants. */
void sb_watch_emit(struct sb_watch *w, const char *type, const struct sb_obj *obj);
void sb_watch_bookmark(struct sb_watch *w, bool is_initial_end);
void sb_watch_error(struct sb_watch *w, int code, const char *reason, str message);
/* Nothing is sent for so long. */
void sb_watch_hold(struct sb_watch *w, int ms);
/* faults.c: what happens at this point; true: the event itself is not to be sent. */
bool sb_watch_fault(struct sb_watch *w, enum sandbox_point point, const char *type,
                    const struct sb_event *ev);
