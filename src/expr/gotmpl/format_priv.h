/* Values as JSON, YAML and TOML, and back (template spec 16). */
#pragma once
#include "expr/gotmpl/run_priv.h"

enum { JSON_HTML = 1, JSON_PRETTY = 2 };
/* -1 with a message in *ret_why (static) for what JSON cannot hold. */
int format_json(struct tmpl_run *r, struct tmpl_value v, unsigned flags, struct buf *out,
                const char **ret_why);
/* NULL with Go's message appended to why. */
const struct doc_node *parse_json(struct tmpl_run *r, str text, struct buf *why);
/* What Go's encoding/json says about a text that is no JSON; out is as before when it is. */
void json_explain(str text, struct buf *out);
/* false with a message in why; the value has no nil kinds Go's JSON would not have. */
bool format_yaml(struct tmpl_run *r, struct tmpl_value v, bool pretty, struct buf *out,
                 const char **ret_why);
/* The first document as JSON types; false with "error converting YAML to JSON: …" in why. */
bool parse_yaml(struct tmpl_run *r, str text, struct tmpl_value *ret, struct buf *why);
bool format_toml(struct tmpl_run *r, struct tmpl_value v, struct buf *out, struct buf *why);
bool parse_toml(struct tmpl_run *r, str text, struct tmpl_value *ret, struct buf *why);
