/* --template of helm's commands: text printed through a Go template. Pure apart from the set; any
 * thread. */
#pragma once
#include "base/buf.h"
#include "chart/release/record.h"

/* Runs a template (the language's own functions only) on a tree and appends what it prints. */
int cli_go_template(str text, const struct doc_node *dot, struct buf *out,
                    struct err *e) MUST_CHECK;
/* The dot of `get all --template`: "Release" with the names that its fields have in Go: Name,
 * Namespace, Version, Manifest, Config, Labels, ApplyMethod, Info, Hooks, and of Chart its Metadata
 * and Values. Made in the set. */
struct doc_node *cli_release_dot(const struct chart_record *r, struct doc_set *set);
