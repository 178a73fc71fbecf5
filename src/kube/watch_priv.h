/* Inside a watch: what was told so far, and reading the stream of events. No network, no threads.
 */
#pragma once
#include "base/map.h"
#include "kube/watch.h"

/* Tells changes to on_event and keeps each object's name and version, so that none is told twice.
 */
struct watch_history {
    const struct kube_type *type;
    kube_event_fn *on_event;
    void *ctx;
    struct map known; /* "ns/name" → struct known */
    uint32_t round;   /* of lists */
    bool is_ended;    /* by on_event */
};

/* An object of a list, and the list's begin and end. */
void watch_list_begin(struct watch_history *h);
void watch_list_object(struct watch_history *h, struct doc_set *set, struct doc_node *object);
void watch_list_end(struct watch_history *h);
/* A change that the stream has. */
void watch_change(struct watch_history *h, enum kube_event_type type, struct doc_set *set,
                  struct doc_node *object);
void watch_history_done(struct watch_history *h);
AUTO_VALUE(struct watch_history, watch_history_done)

/* The stream of a watch: a JSON object a line, in pieces cut anywhere. */
struct watch_stream {
    struct watch_history *history;
    struct doc_set *set; /* of one event after another */
    struct buf partial;  /* a line that is not complete */
    struct buf version;  /* to go on from */
    size_t events;       /* bookmarks included */
    struct err error;    /* an ERROR event, or a line that is none */
};
void watch_stream_init(struct watch_stream *s, struct watch_history *history);
void watch_stream_done(struct watch_stream *s);
AUTO_VALUE(struct watch_stream, watch_stream_done)
/* Non-zero: the stream is to end, see error and history->is_ended. */
int watch_stream_feed(void *stream, str piece);
