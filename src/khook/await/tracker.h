/* Which of a changing set of objects meet which conditions: the pure half of waits. Keys are
 * copied. One thread. */
#pragma once
#include "base/arena.h"
#include "base/map.h"
#include "khook/await/await.h"

struct khook_tracked {
    str ns, name;
    uint32_t met; /* a bit for each condition */
    bool is_there;
    str held, remedy; /* what keeps it though it was deleted; empty: nothing is known */
};
struct khook_tracker {
    const struct wait_for *conditions;
    const str *texts;
    size_t count;
    bool any;
    bool only_expected; /* objects that were not named in advance are ignored */
    struct arena arena;
    struct map objects; /* "ns/name" to struct khook_tracked */
    size_t total;       /* objects that are there, or expected */
    size_t met[32];     /* by condition */
};

void khook_tracker_init(struct khook_tracker *t, const struct wait_for *conditions,
                        const str *texts, size_t count, bool any);
void khook_tracker_done(struct khook_tracker *t);
AUTO_VALUE(struct khook_tracker, khook_tracker_done)
/* Counts an object before it is seen; from the first on, others are ignored. */
void khook_tracker_expect(struct khook_tracker *t, str ns, str name);
/* An object as it is now, or its last state when it was deleted. */
void khook_tracker_update(struct khook_tracker *t, const struct doc_node *object, bool deleted);
/* What keeps an object, by its last event (kube/held.h); empty: nothing. Copied. */
void khook_tracker_note_held(struct khook_tracker *t, const struct doc_node *object, str why,
                             str remedy);
bool khook_tracker_holds(const struct khook_tracker *t);
size_t khook_tracker_met(
    const struct khook_tracker *t); /* objects that meet the conditions on their own */
/* "1/3 object(s) meet condition=Ready; not yet: pods/a@n, pods/b@n, +1 more"; behind each what
 * keeps it in parentheses, at the end the first remedy. */
void khook_tracker_outstanding(const struct khook_tracker *t, str type, struct buf *out);
/* The conditions as the author wrote them, joined by " or " or " and ". */
void khook_conditions_text(const str *texts, size_t count, bool any, struct buf *out);
