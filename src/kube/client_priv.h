/* What the files of the Kubernetes client share. */
#pragma once
#include <pthread.h>

#include "base/mem.h"
#include "http/client.h"
#include "kube/auth_priv.h"
#include "kube/client.h"
#include "kube/config_priv.h"

struct kube_discovery;

struct kube {
    struct kube_config *config;
    struct kube_auth *auth;
    struct kube_discovery *discovery;
    struct kube_warnings *warnings;
};

/* One request below the server's URL. */
struct kube_call {
    const char *method;
    str path;                 /* with query */
    str content_type, accept; /* empty: JSON */
    str body;                 /* p NULL: none */
    bool gzip;
    bool is_repeatable; /* a write that may be sent again when its answer was lost */
    bool bears_change;  /* a write that means the same whatever the object is: after 409 again */
};

/* send.c: sends, with credentials, waiting for 429 and Retry-After and trying again what may be
 * tried again (see kube/client.h). Any status is success. */
int kube_send(struct kube *k, const struct kube_call *call, struct cancel *cancel,
              struct http_response *ret, struct err *e);
/* The same, with an answer of 300 and above turned into an error by kube_status_error. */
int kube_send_ok(struct kube *k, const struct kube_call *call, struct cancel *cancel,
                 struct http_response *ret, struct err *e);
/* Streams a GET once: no retries. ret->status says what came. */
int kube_send_stream(struct kube *k, str path, int64_t idle_ms, struct cancel *cancel,
                     http_data_fn *on_data, void *ctx, struct http_response *ret, struct err *e);

/* status_error.c: sets e from an answer of 300 and above. body is a Status object or anything.
 * Pure. */
int kube_status_error(int status, str body, struct err *e);

/* page.c: answers that are pages for people: a proxy, a login or quite another server spoke. */
bool kube_is_page(str body);
/* "the server answered 200 with a page of HTML ("Welcome"); is this a Kubernetes API server?" */
void kube_page_describe(int status, str body, struct buf *out);
int kube_page_error(int status, str body, struct err *e); /* the same as an error, ERR_IO */

/* path.c */
void kube_path(const struct kube_ref *ref, bool is_collection, struct buf *out);
struct kube_query { /* appends "?a=b&c=d" to a path; empty values are left out */
    struct buf *out;
    bool has_any;
};
void kube_query_add(struct kube_query *q, const char *name, str value);

/* Parses a JSON answer without copying: the set takes the body over. */
int kube_parse_answer(struct http_response *r, struct kube_object *ret, struct err *e);

/* list.c: one pass over the pages. on_restart (may be NULL) is called when an expired continue
 * token made the list begin again: everything will be told anew. */
typedef void kube_restart_fn(void *ctx);
int kube_list_pages(struct kube *k, const struct kube_ref *ref,
                    const struct kube_list_options *options, struct cancel *cancel,
                    kube_object_fn *on_object, kube_restart_fn *on_restart, void *ctx,
                    struct buf *ret_version, struct err *e);

/* discovery.c */
struct kube_discovery *kube_discovery_new(struct kube *k);
void kube_discovery_free(struct kube_discovery *d);
