/* Label selectors of the API (matchLabels, matchExpressions; or a plain map of labels) as query
 * text. Pure. */
#pragma once
#include "base/buf.h"
#include "doc/node.h"

/* Appends "app=web,tier in (a,b),!old". A LabelSelector or, for Services and the like, a plain map
 * of labels. */
void kube_selector_text(const struct doc_node *selector, struct buf *out);
