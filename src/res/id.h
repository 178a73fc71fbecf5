/* Ids of Kubernetes objects: group, version, kind, name, namespace. Values of borrowed texts; pure,
 * any thread.
 *
 * The text forms, comparisons and the legacy order are kustomize's (kyaml's resid; kustomize spec
 * 14 and appendix D). */
#pragma once
#include "base/buf.h"
#include "base/err.h"
#include "doc/node.h"

struct res_gvk {
    str group, version, kind;
};
struct res_id {
    struct res_gvk gvk;
    str name, ns;
};

/* "apps/v1" and "v1" (the core group, empty). Only the first slash divides. */
void res_split_api_version(str api_version, str *ret_group, str *ret_version);
void res_api_version(const struct res_gvk *gvk, struct buf *out); /* "apps/v1", "v1" */
/* Of an object: apiVersion, kind, metadata.name, metadata.namespace; what is missing is empty. */
struct res_id res_id_of(const struct doc_node *object);

/* The same of an object that must have a kind and, unless it is a list, a name: ERR_INVALID
 * "missing Resource metadata", "missing kind", "missing metadata.name". */
int res_id_read(const struct doc_node *object, struct res_id *ret, struct err *e) MUST_CHECK;

bool res_gvk_eq(const struct res_gvk *a, const struct res_gvk *b);
/* Does the filter (NULL: anything) select it? Empty parts of the filter match anything. */
bool res_gvk_selected(const struct res_gvk *gvk, const struct res_gvk *filter);
bool res_id_selected(const struct res_id *id, const struct res_id *filter);
/* Is the kind known to belong to no namespace? Its version does not count; kinds nobody knows are
 * namespaced. */
bool res_is_cluster_scoped(const struct res_gvk *gvk);
/* "default" for none; "_non_namespaceable_" for cluster-scoped kinds. */
str res_effective_ns(const struct res_id *id);
bool res_gvkn_eq(const struct res_id *a, const struct res_id *b); /* without namespaces */
bool res_ns_eq(const struct res_id *a, const struct res_id *b);   /* effective namespaces */
bool res_id_eq(const struct res_id *a, const struct res_id *b);   /* both */

/* "Deployment.v1.apps", empty parts "[noKind]", "[noVer]", "[noGrp]". */
void res_gvk_print(const struct res_gvk *gvk, struct buf *out);
/* "apps_v1_Deployment", empty parts left out. */
void res_gvk_print_short(const struct res_gvk *gvk, struct buf *out);
/* "Deployment.v1.apps/name.namespace", empty parts "[noName]", "[noNs]". */
void res_id_print(const struct res_id *id, struct buf *out);
/* Reads these texts back; views into text. What does not divide is empty. */
struct res_gvk res_gvk_parse(str text);
struct res_id res_id_parse(str text);

/* kustomize's legacy order of kinds: Namespaces first, webhook configurations last. < 0: a before
 * b. */
int res_gvk_order(const struct res_gvk *a, const struct res_gvk *b);
/* Its parts, for those who sort many or bring lists of their own: kinds to stand first and last, a
 * kind's rank among them (0: in neither), the text that orders kinds of one rank. */
struct res_order {
    const str *first;
    size_t first_count;
    const str *last;
    size_t last_count;
};
extern const struct res_order res_legacy_order;
int res_order_rank(const struct res_order *order, str kind);
void res_order_key(const struct res_order *order, const struct res_gvk *gvk, struct buf *out);
