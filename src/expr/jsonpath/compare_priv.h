/* Values as Go sees them: kinds, comparisons of filters, the %v notation of messages. */
#pragma once
#include "base/buf.h"
#include "expr/jsonpath/jsonpath_priv.h"

const char *jp_type_name(const struct doc_node *n); /* "map[string]interface {}" */
/* 1 or 0; -1 with ERR_INVALID when the values cannot be compared. */
int jp_compare(const struct doc_node *a, const struct doc_node *b, enum jp_op op, struct err *e);
/* map[a:1 b:[x y]], for messages: cut short when it is long or deep. depth: 0. */
void jp_add_scalar(struct buf *out,
                   const struct doc_node *n); /* a bool, number or text as Go prints it */
void jp_add_go_value(struct buf *out, const struct doc_node *n, int depth);
