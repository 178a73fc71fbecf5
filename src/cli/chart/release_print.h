/* How releases look: helm's times, its JSON and YAML, the summary behind install and status. Pure
 * apart from the sets. */
#pragma once
#include "chart/release/record.h"
#include "cli/command.h"

#define CLI_GO_ANSIC STR("Mon Jan _2 15:04:05 2006")
#define CLI_GO_STRING STR("2006-01-02 15:04:05.999999999 -0700 MST")

/* A stored time in one of Go's layouts; nothing for an empty one. */
void cli_go_time(str rfc3339, str layout, struct buf *out);
/* "NAME-VERSION", or "MISSING". */
void cli_chart_label(const struct chart_record *r, struct buf *out);
/* A tree as -o says: json (one line, as Go writes it) or yaml. */
void cli_print_tree(const struct doc_node *n, bool is_json, struct buf *out);

enum cli_summary_parts {
    CLI_SUMMARY_CHART = 1 << 0,    /* CHART, VERSION, APP_VERSION */
    CLI_SUMMARY_VALUES = 1 << 1,   /* the values, given and computed */
    CLI_SUMMARY_MANIFEST = 1 << 2, /* hooks and manifest */
    CLI_SUMMARY_NO_NOTES = 1 << 3,
};
/* What helm prints behind install, upgrade and status. resources: what stands behind "RESOURCES:",
 * or empty. */
int cli_release_summary(const struct chart_record *r, unsigned parts, str resources,
                        struct buf *out, struct err *e) MUST_CHECK;
/* The record as -o json|yaml shows it: without its chart, members in helm's order. resources: a map
 * of lists for info.resources, or NULL. Made in the set given. */
struct doc_node *cli_release_tree(const struct chart_record *r, struct doc_set *set,
                                  const struct doc_node *resources);
/* The hooks behind "---\n# Source: PATH\n" each. */
void cli_release_hooks(const struct chart_record *r, struct buf *out);
