/* Writing document trees as text (design 3): afresh, in the styles of the tools whose bytes we
 * match. For splicing changes into a source see doc/edit.h. Output is appended to a buffer; nothing
 * fails. Pure. */
#pragma once
#include "base/buf.h"
#include "doc/node.h"

enum doc_emit_style {
    DOC_EMIT_SORTED, /* as sigs.k8s.io/yaml and kustomize print: keys sorted, compact lists, styles
                        chosen afresh */
    DOC_EMIT_KYAML,  /* as go-yaml v3 prints a node tree: order, styles, comments, anchors kept;
                        compact lists */
    DOC_EMIT_KYAML_WIDE, /* the same with lists below a key indented by two more */
    DOC_EMIT_ORDERED,    /* as SORTED, with the order of keys kept */
};

void doc_emit(const struct doc_node *n, enum doc_emit_style style, struct buf *out);
/* Several documents with "---\n" between them. */
void doc_emit_all(struct doc_node *const *roots, size_t count, enum doc_emit_style style,
                  struct buf *out);

enum doc_json_flags {
    DOC_JSON_SORTED = 1 << 0, /* keys by bytes */
    DOC_JSON_PRETTY = 1 << 1, /* two blanks of indent, as Go's MarshalIndent(…, "", "  ") */
    DOC_JSON_HTML = 1 << 2,   /* < > & U+2028 U+2029 escaped, as Go does by default */
    DOC_JSON_CANON = 1 << 3,  /* sorted, numbers in canonical form (khook spec 7.3.2) */
    DOC_JSON_YAML = 1 << 4,   /* U+0085 U+2028 U+2029 escaped: YAML takes them for line ends */
};
/* Numbers print as they were written when that is JSON, else (0x1f, 1_000, .5) as their decimal
 * value. */
void doc_emit_json(const struct doc_node *n, unsigned flags, struct buf *out);
void doc_json_quote(str text, unsigned flags, struct buf *out); /* a string with its quotes */
