/* What keeps an object that was deleted: the finalizers on it, and for a Namespace what the server
 * says is left in it. For messages. Pure. */
#pragma once
#include "kube/client.h"

/* Appends "being deleted since 2026-01-02T03:04:05Z, held by the finalizer example.com/hold"; false
 * and nothing appended for an object that nobody has deleted. */
bool kube_held_why(const struct kube_type *type, const struct doc_node *object, struct buf *out);

/* Appends the remedy: whose task it is, and the command for when nobody does it. Nothing when no
 * finalizer that a person could take away holds the object. */
void kube_held_remedy(const struct kube_type *type, const struct doc_node *object, struct buf *out);
