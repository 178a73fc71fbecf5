/* A sandbox and requests against it, over HTTPS as everybody sends them. */
#pragma once
#include "doc/node.h"
#include "doc/parse.h"
#include "http/client.h"
#include "sandbox/sandbox.h"
#include "support/test.h"

struct api {
    struct sandbox *sb;
    struct http_client *client;
    struct doc_set *set; /* of the last answers */
    struct http_response response;
};

void api_start(struct api *a, const struct sandbox_options *options);
void api_stop(struct api *a);
AUTO_VALUE(struct api, api_stop)
/* The status; *ret_body (may be NULL) is the answer as a document, NULL when it is none. -1: no
 * answer came. */
int api_call(struct api *a, const char *method, const char *path, const char *content_type,
             const char *body, struct doc_node **ret_body);
#define api_get(a, path, ret) api_call(a, "GET", path, NULL, "", ret)
#define api_post(a, path, body, ret) api_call(a, "POST", path, "application/json", body, ret)
#define api_put(a, path, body, ret) api_call(a, "PUT", path, "application/json", body, ret)
#define api_delete(a, path, ret) api_call(a, "DELETE", path, NULL, "", ret)
#define api_merge(a, path, body, ret) \
    api_call(a, "PATCH", path, "application/merge-patch+json", body, ret)
#define api_apply(a, path, body, ret) \
    api_call(a, "PATCH", path, "application/apply-patch+yaml", body, ret)
/* Asks again until the value at slash_path of the object is want, for at most 5 s. Watches are
 * tested apart; this is for the ends of rollouts. */
void api_await(struct api *a, const char *path, const char *slash_path, const char *want);
str api_text(const struct doc_node *n, const char *slash_path);
/* The status ("True") of a condition. */
str api_condition(const struct doc_node *n, const char *type);
