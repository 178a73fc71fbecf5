/* YAML as charts have it: what helm's reader takes, refused in go-yaml's words (ERR_INVALID,
 * "error converting YAML to JSON: yaml: line 3: …"). Trees live in the set given. Pure. */
#pragma once
#include "chart/chart.h"

/* The first document of a text; NULL without e for an empty text. */
struct doc_node *chart_parse_yaml(struct doc_set *set, str text, struct err *e);
/* The same of a text that outlives the set and has a NUL behind it: no copy is made. */
struct doc_node *chart_parse_yaml_view(struct doc_set *set, str text, struct err *e);
/* The documents of a values file, later ones over earlier ones; an empty map for none. */
struct doc_node *chart_read_values(struct doc_set *set, str text, struct err *e) MUST_CHECK;
