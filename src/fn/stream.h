/* Streams of resources as text: a ResourceList or List, or plain documents (KRM functions spec 8:
 * source, sink, eval -). Behaviour: kyaml's byte reader and writer. As thread-safe as the
 * set. */
#pragma once
#include "fn/resource_list.h"

struct fn_stream_options {
    bool adds_index;       /* position of a plain document as annotation, both spellings */
    bool adds_seqindent;   /* how its lists are indented */
    bool wraps_lists;      /* a document that is a bare list becomes an item */
    bool resolves_anchors; /* anchors, aliases and merge keys go */
};
/* What stood around the items. */
struct fn_stream {
    struct fn_list list;
    str kind, api_version; /* of the list the items came in; empty: plain documents */
};
void fn_stream_done(struct fn_stream *s); /* leaves {0} */
AUTO_VALUE(struct fn_stream, fn_stream_done)

/* Reads a stream into set; *ret must be {0}. Items are not judged, only that they are maps. */
int fn_stream_read(struct doc_set *set, str text, const struct fn_stream_options *options,
                   const char *origin, struct fn_stream *ret, struct err *e) MUST_CHECK;

struct fn_stream_format {
    str kind, api_version; /* empty: plain documents, divided by "---" */
    bool keeps_index;      /* index annotations stay */
    bool sorts;            /* by path and index */
    bool uses_seqindent;   /* lists of each document as its annotation says */
};
/* Appends the items as text; annotations that only tell reader and writer something go. One item of
 * a .json path is printed as JSON. */
void fn_stream_write(const struct fn_list *list, const struct fn_stream_format *format,
                     struct buf *out);
