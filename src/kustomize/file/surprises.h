/* What YAML makes of a text that its author may not have meant (build --strict). Any thread that
 * reads files; warnings go to those of its level. */
#pragma once
#include "kustomize/shared.h"

/* With --strict, one time for each file: warns of words that are booleans to YAML 1.1 only, numbers
 * that do not look like theirs, merge keys, UTF-16, marks of byte order, CR LF. */
void kustomize_judge_text(struct kustomize_build *b, str text, const char *origin);
