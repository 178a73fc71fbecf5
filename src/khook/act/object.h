/* The objects of apply and delete sources (khook spec 11.2), and how they are named in messages
 * (chapter 20).
 *
 * A list owns the set its documents live in; texts are views into it. Pure. */
#pragma once
#include "base/buf.h"
#include "base/vec.h"
#include "doc/node.h"
#include "khook/spec/inline.h"

struct khook_object {
    struct doc_node *node;
    str api_version, kind, name;
    str ns;     /* as written; empty when the manifest names none */
    str origin; /* name of the text's origin, for messages */
};
struct khook_objects {
    struct doc_set *set;
    VEC(struct khook_object) list;
    str first; /* where the first text begins, objects in it or not */
};
void khook_objects_init(struct khook_objects *o);
void khook_objects_done(struct khook_objects *o); /* leaves {0} */
AUTO_VALUE(struct khook_objects, khook_objects_done)

/* Appends every object of one text, which is copied: several documents, empty ones skipped, lists
 * expanded. entry and origin name the source in errors ("manifests[1]: web.yaml:9:1: document 2:
 * has no kind"). No object at all in the text is fine here. */
int khook_manifests_parse(struct khook_objects *o, str text, size_t entry,
                          const struct khook_origin *origin, struct err *e) MUST_CHECK;

/* ERR_INVALID when there is no object at all. */
int khook_objects_require(const struct khook_objects *o, struct err *e);

/* "configmap/demo@target"; without a namespace "namespace/target". */
void khook_object_id(str kind, str name, str ns, struct buf *out);
/* Up to three ids with ", " between them, then "+n more". */
struct khook_ids {
    struct buf text;
    size_t count;
};
void khook_ids_add(struct khook_ids *ids, str kind, str name, str ns);
void khook_ids_end(struct khook_ids *ids); /* adds "+n more" when there were more than three */
void khook_ids_done(struct khook_ids *ids);
AUTO_VALUE(struct khook_ids, khook_ids_done)
