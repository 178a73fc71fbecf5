/* Bodies in the API's protobuf form, as kubectl sends them for some built-in kinds. Answers are
 * always JSON. Pure apart from the set. */
#pragma once
#include "doc/node.h"

bool sb_is_protobuf(str content_type);
/* The object as a document. ERR_UNSUPPORTED for a kind that is not in the table, ERR_INVALID for
 * bytes that are no message. */
struct doc_node *sb_protobuf_decode(struct doc_set *set, str body, struct err *e) MUST_CHECK;
