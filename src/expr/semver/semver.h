/* Versions and constraints in the language of charts (helm spec 11; SemVer 2.0.0; upstream:
 * Masterminds/semver 3.5). Pure; any thread. */
#pragma once
#include "base/buf.h"
#include "base/err.h"

/* A version: views into the text it was read from. */
struct semver {
    uint64_t major, minor, patch;
    str pre, meta; /* without '-' and '+'; empty when there is none */
    str original;
};

enum semver_rules {
    SEMVER_LENIENT, /* an optional v, missing parts are 0, leading zeros are dropped */
    SEMVER_STRICT,  /* SemVer 2.0.0 to the letter */
};

/* ERR_INVALID: "invalid semantic version", "version segment starts with 0", "version string
 * empty". */
int semver_parse(str text, enum semver_rules rules, struct semver *ret, struct err *e) MUST_CHECK;
/* By precedence: < 0, 0, > 0; build parts do not count. */
int semver_compare(const struct semver *a, const struct semver *b);
void semver_print(const struct semver *v, struct buf *out); /* "1.2.3-rc.1+build" */
/* Is the text a pre-release, or a build part, by the strict rules? The empty one is. */
bool semver_is_pre(str text);
bool semver_is_meta(str text);

/* A constraint such as ">=1.2 <2 || ~3.1": immutable, owns what it needs. */
struct semver_constraint;
/* NULL with ERR_INVALID: `improper constraint: ">=a"`. */
struct semver_constraint *semver_constraint_parse(str text, struct err *e) MUST_CHECK;
void semver_constraint_free(struct semver_constraint *c); /* NULL is fine */
AUTO_PTR(struct semver_constraint, semver_constraint_free)
/* Pre-releases match only beside a term with a pre-release, or when include_pre is set. */
bool semver_matches(const struct semver_constraint *c, const struct semver *v, bool include_pre);
