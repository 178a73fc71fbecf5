/* index.yaml of chart repositories (helm spec 14): which charts there are, in which versions.
 *
 * An index lives in the document set it was read into. Entries that are no charts are left out with
 * a warning in the log, as helm does. One thread at a time. */
#pragma once
#include "chart/locate.h"
#include "doc/node.h"
#include "expr/semver/semver.h"

struct chart_index_version {
    str version, digest;         /* digest: SHA-256 in hexadecimal, or empty */
    const struct doc_node *node; /* the entry: Chart.yaml's members, urls, created, ... */
    struct semver parsed;
    size_t at; /* in the index */
};
struct chart_index_entry {
    str name;
    struct chart_index_version *versions; /* newest first */
    size_t count;
};
struct chart_index {
    struct doc_node *root;
    struct chart_index_entry *entries; /* by name */
    size_t count;
};

/* JSON or YAML; source names it in messages. ERR_INVALID: "empty index.yaml file", "no API version
 * specified", "error converting YAML to JSON: …". */
int chart_index_read(struct doc_set *set, str text, const char *source, struct chart_index *ret,
                     struct err *e) MUST_CHECK;
const struct chart_index_entry *chart_index_find(const struct chart_index *index, str name);
/* The version that is equal to the constraint, else the newest that satisfies it (helm spec 11).
 * ERR_NOT_FOUND: "no chart name found", "no chart version found for NAME-CONSTRAINT". */
const struct chart_index_version *chart_index_choose(const struct chart_index *index, str name,
                                                     str constraint, struct err *e) MUST_CHECK;
/* The first URL of a version, as the index has it; empty when there is none. */
str chart_index_url(const struct chart_index_version *version);
