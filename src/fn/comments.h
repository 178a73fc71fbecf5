/* Comments that a function has changed or added, put into the text that a document is stored as.
 * Pure apart from sets of its own. */
#pragma once
#include "base/buf.h"
#include "doc/node.h"

/* Does `now` have a comment more often than `old`? One that only moved does not count. */
bool fn_has_new_comments(const struct doc_node *old, const struct doc_node *now);
/* Puts the comments of `now` that `old` does not have at the same nodes of text, one document with
 * now's values, which is replaced. Comments beside a value, those above it and those below it;
 * inside of flow collections, where nothing can stand below, the last are left out, and the line
 * breaks behind the first. */
void fn_put_comments(const struct doc_node *old, const struct doc_node *now, struct buf *text);
