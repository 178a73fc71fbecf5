/* What goes over the wire around a run: ids and annotations on the way in, matching and mending on
 * the way out (KRM functions spec 5.2, 5.5). As thread-safe as the sets. */
#pragma once
#include "fn/annotate.h"
#include "fn/resource_list.h"

/* What each item was like before the run; by place in the list's items. */
struct fn_wire {
    struct fn_list *list;
    struct fn_spellings *first; /* as the items came */
    struct doc_node **items;    /* in order; the list's own order may change */
    size_t count;
};
void fn_wire_done(struct fn_wire *w); /* leaves {0} */
AUTO_VALUE(struct fn_wire, fn_wire_done)

/* Notes the items and refuses mismatched annotations. */
int fn_wire_begin(struct fn_wire *w, struct fn_list *list, struct err *e) MUST_CHECK;
/* Adds the missing spelling of paths and indexes. */
void fn_wire_complete(struct fn_wire *w);
/* Adds ids (from 1), and completes the spellings if asked. */
void fn_wire_send(struct fn_wire *w, bool completes);
/* Takes out what fn_wire_send added. */
void fn_wire_undo(struct fn_wire *w);
/* Takes over the items of `from`, a list read into the same set: partners of the items that went in
 * (by id, else by path, index and kind) keep their nodes, with comments and order of keys restored.
 * Nothing has changed when it fails. */
int fn_wire_receive(struct fn_wire *w, struct fn_list *from, struct err *e) MUST_CHECK;
/* The same for items that were changed in place. */
int fn_wire_settle(struct fn_wire *w, struct err *e) MUST_CHECK;
