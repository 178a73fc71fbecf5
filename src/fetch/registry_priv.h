/* What the files of the registry client share: the client, one request, authorization. */
#pragma once
#include <pthread.h>

#include "base/map.h"
#include "fetch/registry.h"

struct registry {
    struct arena arena; /* texts of options; under the lock, tokens and hosts */
    str username, password;
    const char *config, *docker_config; /* or NULL */
    bool is_plain_http, has_tls;
    int64_t first_wait_ms;
    struct cancel *cancel;
    struct http_client *client;
    pthread_mutex_t lock;
    struct map grants;      /* "HOST SCOPE" -> struct registry_grant */
    struct map plain_hosts; /* of this machine, found to speak no TLS */
};

/* One request to a registry: what of it differs. */
struct registry_call {
    const char *method;
    str host;               /* "localhost:5000" */
    str target;             /* "/v2/…", or the whole URL of an upload */
    str repository;         /* for the scope; empty: none */
    const char *actions;    /* "pull", "pull,push" */
    const char *accept;     /* or NULL */
    str content_type, body; /* body.p NULL: none */
    size_t max_body;        /* of the answer; 0: 64 KiB */
    bool is_once;           /* not to be repeated by itself when it fails */
};
/* Sends with authorization, redirects and retries: 0 with whatever the registry said, -1 without an
 * answer. */
int registry_send(struct registry *r, const struct registry_call *call, struct http_response *ret,
                  struct err *e) MUST_CHECK;
/* 0 when the status is one of the two, else -1 with what the answer says is wrong. */
int registry_expect(const struct registry *r, const struct registry_call *call,
                    const struct http_response *response, int status, int other,
                    struct err *e) MUST_CHECK;
/* Whether waiting may help, and for how long after attempt (from 0). response NULL: none came. */
bool registry_is_passing(const struct http_response *response, const struct err *e);
int64_t registry_wait_ms(const struct registry *r, const struct http_response *response,
                         int attempt);
enum { REGISTRY_ATTEMPTS = 5, REGISTRY_SMALL_BODY = 64 << 10 };
/* "response status code 404: name unknown: …", appended. */
void registry_describe(const struct http_response *response, struct buf *out);

/* registry_auth.c */
struct registry_need { /* borrowed */
    str host, url;     /* of the registry, and what was asked there */
    str repository;
    const char *method, *actions;
};
/* Appends the value of the Authorization header that is known to be wanted; nothing when none is.
 */
void registry_auth_known(struct registry *r, const struct registry_need *need, struct buf *out);
/* After a 401: gets what its challenges ask for. 1: there is something new; 0: the answer stands.
 */
int registry_auth_answer(struct registry *r, const struct registry_need *need,
                         const struct http_response *refusal, struct err *e) MUST_CHECK;

/* A challenge of WWW-Authenticate: views. */
struct registry_challenge {
    bool is_bearer, is_basic;
    struct buf realm, service, scope;
};
void registry_challenge_done(struct registry_challenge *c);
AUTO_VALUE(struct registry_challenge, registry_challenge_done)
/* Reads one header value: `Bearer realm="…",service="…"`. What is unknown in it is skipped. */
void registry_challenge_parse(str value, struct registry_challenge *ret);
