/* The Kubernetes client (design 4): configuration, discovery, requests, patches, lists and watches.
 *
 * A client may be used from many threads. Documents that come back live in a set of their own that
 * the caller frees. Every call takes a cancel (may be NULL) and blocks until the answer. Answers of
 * 429 and 503 with Retry-After are waited for and tried again within the deadline; after 500 to 504
 * and connection failures what may be sent twice is tried again with back-off: reads, and writes
 * but JSON patches and generated names; after 409 merge, strategic and forced apply patches that
 * name no version. So a create may answer EXISTS for the object that it made itself. Errors: the
 * kind follows the status (404 NOT_FOUND, 409 ALREADY_EXISTS → EXISTS or CONFLICT, 410 GONE,
 * 401/403 DENIED, 422/400 INVALID, 415/405 UNSUPPORTED, 5xx/429 UNAVAILABLE), code is the HTTP
 * status, the text the server's own message. */
#pragma once
#include "base/err.h"
#include "doc/node.h"
#include "kube/config.h"
#include "sys/cancel.h"

struct kube;

struct kube *kube_new(const struct kube_config *config,
                      struct err *e); /* keeps no reference to config */
void kube_free(struct kube *k);       /* NULL is fine */
AUTO_PTR(struct kube, kube_free)

/* A served resource type. Borrowed from the client, valid for its life; discovery refreshes never
 * free old ones. */
struct kube_type {
    str group, version, kind, plural, singular;
    bool namespaced;
    bool has_status, has_scale;
    bool can_watch, can_list;
};

/* Version of the server ("v1.34.3"), copied into out. */
int kube_server_version(struct kube *k, struct cancel *cancel, struct buf *out, struct err *e);

/* The type of an apiVersion and kind. ERR_NOT_FOUND when the cluster does not serve it, after one
 * refresh of discovery. */
const struct kube_type *kube_type_of(struct kube *k, str api_version, str kind,
                                     struct cancel *cancel, struct err *e);
/* By what a person writes: plural, singular, kind or short name in any letter case, with ".group"
 * or ".version.group" (khook spec 17). An ambiguous name is the server's preferred group's.
 * ERR_NOT_FOUND as above. */
const struct kube_type *kube_type_named(struct kube *k, str name, struct cancel *cancel,
                                        struct err *e);
/* Every type that the server serves, told one by one: core first, then groups by priority. A
 * non-zero return ends it. */
typedef int kube_each_type_fn(void *ctx, const struct kube_type *type);
int kube_each_type(struct kube *k, struct cancel *cancel, kube_each_type_fn *on_type, void *ctx,
                   struct err *e);
/* Forgets what discovery said, so that the next look-up asks the server again. */
void kube_discovery_reset(struct kube *k);

/* Names one object, or with an empty name all of a type. ns is ignored for cluster-scoped types;
 * empty: all namespaces. */
struct kube_ref {
    const struct kube_type *type;
    str ns, name;
    str subresource; /* "status", "scale", "log", "eviction"; or empty */
};

struct kube_object { /* an answer: a document and the set that owns it */
    struct doc_set *set;
    struct doc_node *root;
};
void kube_object_done(struct kube_object *o);
AUTO_VALUE(struct kube_object, kube_object_done)

struct kube_write_options {
    str field_manager;    /* empty: none is sent */
    bool dry_run;         /* dryRun=All */
    bool force;           /* apply patches: take over conflicting fields */
    str field_validation; /* of unknown fields: "Strict", "Warn", "Ignore"; empty: the server's */
};

enum kube_patch { KUBE_PATCH_JSON, KUBE_PATCH_MERGE, KUBE_PATCH_STRATEGIC, KUBE_PATCH_APPLY };

int kube_get(struct kube *k, const struct kube_ref *ref, struct cancel *cancel,
             struct kube_object *ret, struct err *e);
int kube_create(struct kube *k, const struct kube_ref *ref, const struct doc_node *object,
                const struct kube_write_options *options, struct cancel *cancel,
                struct kube_object *ret, struct err *e);
/* A PUT; carries the resourceVersion of object when it has one, so a change in between is
 * ERR_CONFLICT. */
int kube_update(struct kube *k, const struct kube_ref *ref, const struct doc_node *object,
                const struct kube_write_options *options, struct cancel *cancel,
                struct kube_object *ret, struct err *e);
int kube_patch(struct kube *k, const struct kube_ref *ref, enum kube_patch kind,
               const struct doc_node *patch, const struct kube_write_options *options,
               struct cancel *cancel, struct kube_object *ret, struct err *e);

enum kube_propagation { KUBE_BACKGROUND, KUBE_FOREGROUND, KUBE_ORPHAN };
struct kube_delete_options {
    enum kube_propagation propagation;
    str uid, resource_version; /* preconditions, or empty */
    bool dry_run;
};
int kube_delete(struct kube *k, const struct kube_ref *ref,
                const struct kube_delete_options *options, struct cancel *cancel, struct err *e);

struct kube_list_options {
    str label_selector, field_selector;
    uint32_t page; /* objects a page; 0: 500 */
};
/* The whole list, page by page: on_object borrows each object; a non-zero return ends the list
 * early. ret_version (may be NULL) receives the list's resourceVersion. */
typedef int kube_object_fn(void *ctx, struct doc_set *set, struct doc_node *object);
int kube_list(struct kube *k, const struct kube_ref *ref, const struct kube_list_options *options,
              struct cancel *cancel, kube_object_fn *on_object, void *ctx, struct buf *ret_version,
              struct err *e);

/* The first page of a list, of each object no more than its metadata (where the server knows how).
 * *ret_is_whole: there are no more. */
int kube_list_metadata(struct kube *k, const struct kube_ref *ref, uint32_t page,
                       struct cancel *cancel, kube_object_fn *on_object, void *ctx,
                       bool *ret_is_whole, struct err *e);

/* The log of a Pod's container (empty: the only or default one): the last tail_lines lines,
 * previous instance if asked. */
int kube_log(struct kube *k, str ns, str pod, str container, int tail_lines, bool previous,
             struct cancel *cancel, struct buf *out, struct err *e);

/* A raw request below the server's URL, for what has no function of its own: path "/apis/…?query".
 */
int kube_raw(struct kube *k, const char *method, str path, str content_type, str body,
             struct cancel *cancel, struct buf *ret_body, int *ret_status, struct err *e);
