/* What `kubectl wait --for` and khook's `for` fields mean (khook spec 14.1, 14.2): parsing and
 * judging one object.
 *
 * Two readings of the same texts: kubectl's own, strict about several values, and khook's. A parsed
 * condition owns its parts and is immutable: threads may share it. */
#pragma once
#include "expr/jsonpath/jsonpath.h"

enum wait_kind { WAIT_DELETE, WAIT_CONDITION, WAIT_JSONPATH };
enum wait_dialect { WAIT_KHOOK, WAIT_KUBECTL };

struct wait_for {
    enum wait_kind kind;
    enum wait_dialect dialect;
    str name;              /* the type of the condition, or the complete path: {.status.phase} */
    str value;             /* wanted value; STR_NONE: any (WAIT_JSONPATH) */
    struct jsonpath *path; /* WAIT_JSONPATH; owned */
    struct arena arena;    /* the texts */
};

/* "delete", "condition=Name[=Value]" or "jsonpath=EXPR[=Value]". The error says what is wrong with
 * the text. */
int wait_for_parse(str text, enum wait_dialect dialect, struct wait_for *ret,
                   struct err *e) MUST_CHECK;
void wait_for_done(struct wait_for *w); /* leaves {0} */
AUTO_VALUE(struct wait_for, wait_for_done)
/* Does the object, NULL when it does not exist, meet the condition now? 1 or 0; -1 when the
 * condition cannot be judged (in khook's reading never: what is missing, or of another shape, is
 * not met yet). */
int wait_for_met(const struct wait_for *w, const struct doc_node *object, struct err *e) MUST_CHECK;
