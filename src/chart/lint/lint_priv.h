/* The rules of lint. */
#pragma once
#include "chart/lint/lint.h"

struct lint {
    const char *folder;
    const struct chart_lint_options *options;
    struct doc_set *set;
    struct chart_findings *findings;
};
/* ---- findings.c */
void lint_add(struct lint *l, enum chart_severity severity, const char *path, const char *fmt, ...)
    PRINTF(4, 5);
/* "FOLDER/NAME" */
void lint_path(const struct lint *l, const char *name, struct buf *out);

/* ---- the rules */
void lint_chartfile(struct lint *l, str text);
void lint_templates(struct lint *l);
/* Appends why the API version of the kind should not be used with a Kubernetes of 1.MINOR. */
bool lint_deprecation(str api_version, str kind, int minor, struct buf *out);
/* Appends why Kubernetes would refuse the name; false when it would not. */
bool lint_name(str kind, str name, struct buf *out);
