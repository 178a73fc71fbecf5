/* Warnings that API servers put beside their answers (RFC 7234 "Warning: 299 - text": deprecated
 * versions, unknown fields): each is logged once per client. Any thread. */
#pragma once
#include "http/client.h"

struct kube_warnings;
struct kube_warnings *kube_warnings_new(void);
void kube_warnings_free(struct kube_warnings *w);
void kube_warnings_show(struct kube_warnings *w, const struct http_response *r);
