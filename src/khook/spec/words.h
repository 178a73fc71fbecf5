/* yes, no, on, off: text in values, which charts take for true (khook spec 1.1.11). Reads files;
 * any thread. */
#pragma once
#include "base/diag.h"
#include "khook/spec/spec.h"

/* An unquoted word that YAML 1.1 takes for a boolean. */
bool khook_is_yaml_word(const struct doc_node *n);
/* Warns about such words in the files that valuesFrom names; relative ones are below base_dir
 * (empty: the working directory). What cannot be read is the step's trouble, not ours. */
void khook_warn_values_files(const struct khook_spec *spec, str base_dir,
                             struct diag_list *problems);
