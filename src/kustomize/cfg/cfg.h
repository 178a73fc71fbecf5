/* What `cfg cat|count|grep|tree` do (kustomize spec 21): look at the resources of a folder, a file
 * or standard input, without a build. Pure apart from reading and the set. */
#pragma once
#include "doc/node.h"
#include "re/re.h"

/* Appends the items of the YAML files below path, or of that file; "-" is standard input. Each item
 * carries path and index as annotations, as functions see them (fn/annotate.h); what is no map is
 * an error, what is no resource is not. .krmignore files hide files. with_subpackages: folders with
 * a Kptfile too. */
int kustomize_cfg_read(struct doc_set *set, const char *path, bool with_subpackages,
                       struct doc_list *items, struct err *e) MUST_CHECK;
/* Is it marked config.kubernetes.io/local-config? */
bool kustomize_cfg_is_local(const struct doc_node *item);

/* A query of grep: "spec.containers[name=web].image=web:1\.2", "spec.replicas>2", "kind". "="
 * takes a regular expression, the others compare quantities; without one the field has to be there.
 */
struct kustomize_query;
struct kustomize_query *kustomize_query_parse(str text, struct err *e) MUST_CHECK;
void kustomize_query_free(struct kustomize_query *query); /* NULL is fine */
AUTO_PTR(struct kustomize_query, kustomize_query_free)
bool kustomize_query_matches(const struct kustomize_query *query, const struct doc_node *item);

/* A path of fields: "spec.ports[port=80].name", "metadata.annotations.a\.b/c". */
struct kustomize_path {
    struct arena arena;
    struct str_vec parts; /* "spec", "[port=80]", "name" */
};
int kustomize_path_parse(str text, struct kustomize_path *ret, struct err *e) MUST_CHECK;
void kustomize_path_done(struct kustomize_path *path);
AUTO_VALUE(struct kustomize_path, kustomize_path_done)
struct doc_node *kustomize_path_find(const struct kustomize_path *path,
                                     const struct doc_node *item); /* or NULL */

struct kustomize_tree_options {
    str root;                     /* what the first line says */
    bool by_owner;                /* below what owns them; else by folder */
    struct str_vec fields;        /* paths to show */
    struct str_vec of_containers; /* fields of containers to show, in this order */
};
/* Appends the items as a tree. Those without a kind are left out. */
int kustomize_tree_print(struct doc_set *set, const struct doc_list *items,
                         const struct kustomize_tree_options *options, struct buf *out,
                         struct err *e) MUST_CHECK;
bool kustomize_tree_has_owners(const struct doc_list *items);
