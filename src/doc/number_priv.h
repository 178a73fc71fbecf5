/* Numbers as text: the forms that Go's encoders print, which the formats we match inherit. Pure. */
#pragma once
#include "base/buf.h"
#include "doc/node.h"

bool number_is_json(str text); /* by the grammar of RFC 8259 */
/* Appends the value of a number node as encoding/json prints it: integers in decimal, others with
 * the fewest digits that read back. False, and nothing appended, for an infinity or no number. */
bool number_add_json(struct buf *out, const struct doc_node *n);
/* As sigs.k8s.io/yaml prints it: floats with an integral value that fits 64 bits as integers,
 * others in Go's notation 'g'; .inf, -.inf, .nan; what is no number as it stands. */
void number_add_yaml(struct buf *out, const struct doc_node *n);
