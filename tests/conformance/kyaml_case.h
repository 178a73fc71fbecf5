/* Rows of kyaml's tables: reading and printing as kyaml does, and a judge for each table. */
#pragma once
#include "conformance/suite.h"

/* A field of a row's data. */
str row_text(const struct doc_node *row, const char *name);
/* One YAML document with comments; NULL for an empty one. Ends the case as failed when it cannot be
 * read. */
struct doc_node *row_yaml(struct suite *s, struct doc_set *set, const struct doc_node *row,
                          const char *name);
/* The node as text, trimmed, in the arena of the set; empty for NULL. */
str printed(struct doc_set *set, const struct doc_node *n);
/* Ends the case: `got` must be the row's field, both trimmed. */
void end_text(struct suite *s, const struct doc_node *row, const char *name, str got);
/* Ends the case: the message must hold the row's field. */
struct err;
void end_error(struct suite *s, const struct doc_node *row, const char *name, const struct err *e);

void judge_resid(struct suite *s, str id, const struct doc_node *row);
void judge_fieldspec(struct suite *s, const struct doc_node *row);
void judge_pathsplitter(struct suite *s, str id, const struct doc_node *row);
void judge_yaml(struct suite *s, str id, const struct doc_node *row);
void judge_env_file(struct suite *s, const struct doc_node *row);
void judge_image(struct suite *s, const struct doc_node *row);
void judge_hasher(struct suite *s, const struct doc_node *row);
void judge_expansion(struct suite *s, str id, const struct doc_node *row);
void judge_byteio(struct suite *s, str id, const struct doc_node *row);
void judge_function(struct suite *s, str id, const struct doc_node *row);
