/* The texts of wait.for and apply.waitFor (khook spec 14.1). Pure. */
#pragma once
#include "expr/jsonpath/waitfor.h"

/* is_apply: "delete" is refused, for objects that were just applied. */
int khook_wait_parse(str text, bool is_apply, struct wait_for *ret, struct err *e) MUST_CHECK;
