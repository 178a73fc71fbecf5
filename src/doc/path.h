/* Field paths, as kustomize, kyaml and khook write them:
 * spec/template/spec/containers/[name=app]/image or spec.containers.0.image.
 *
 * A step is the key of a map; the index of a list; "-", a list's last item; "*", every item of a
 * list;
 * "[key=value]", the items of a list whose field has the value; "[=value]", the items that are this
 * value. A backslash before the delimiter takes it for a part of the key. Behaviour: kyaml's path
 * splitters and PathMatcher. Pure apart from what is made; any thread. */
#pragma once
#include "base/arena.h"
#include "doc/node.h"

/* The steps of a path; their text lives in the arena they were split into. */
struct doc_path {
    str *v;
    size_t len, cap;
};
/* Appends the steps. A leading delimiter is ignored. */
void doc_path_split(struct arena *a, str path, char delimiter, struct doc_path *ret);
/* One step after the other, for those who keep no list: text without "\\" stays where *rest is. A
 * leading delimiter is a step of no text here. */
bool doc_path_next(struct arena *a, str *rest, char delimiter, str *ret);
/* As doc_path_split, but delimiters inside brackets do not divide, and brackets around what is no
 * condition only quote it: metadata.annotations.[a.b/c]. */
void doc_path_split_smart(struct arena *a, str path, char delimiter, struct doc_path *ret);
void doc_path_done(struct doc_path *path); /* leaves {0} */
AUTO_VALUE(struct doc_path, doc_path_done)

/* "[key=value]", key may be empty; false for other steps. */
bool doc_path_condition(str step, str *ret_key, str *ret_value);

/* Whether a value is what a condition wants: kyaml compares with a regular expression. */
typedef bool doc_path_match_fn(void *ctx, str wanted, str value);

struct doc_path_options {
    doc_path_match_fn *match; /* NULL: equality */
    void *ctx;
    struct doc_set *set;  /* NULL: find only; with the root's set missing parts are made, */
    enum doc_type create; /* the last one as DOC_LIST, DOC_MAP or else an empty scalar */
};

/* Appends the nodes that the path leads to, in document order; options may be NULL. Missing parts
 * are no error. -1 with ERR_INVALID when a step does not fit what it meets (a key on a list), an
 * index is beyond the end, or there are more than 1,000 steps; parts made before stay. */
int doc_path_find(struct doc_node *root, const struct doc_path *path,
                  const struct doc_path_options *options, struct doc_list *ret,
                  struct err *e) MUST_CHECK;
/* The first node at a path text, split smartly; NULL when there is none or it does not fit. */
struct doc_node *doc_path_get(const struct doc_node *root, str path, char delimiter);
