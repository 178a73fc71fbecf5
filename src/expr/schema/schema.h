/* JSON Schema, drafts 4, 6, 7, 2019-09 and 2020-12 (helm spec 5): a schema is compiled once and
 * then judges any number of values. `content…` are annotations and are not judged, `format` as
 * asked. Patterns are RE2's. The metaschemas of the drafts are built in.
 *
 * A compiled schema borrows the documents it was made of (the root and what `load` returned), is
 * immutable and may be used by several threads. Messages are worded as those of the validator that
 * helm uses (santhosh-tekuri/jsonschema v6). */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/vec.h"
#include "doc/node.h"

enum schema_draft {
    SCHEMA_DRAFT_4,
    SCHEMA_DRAFT_6,
    SCHEMA_DRAFT_7,
    SCHEMA_DRAFT_2019,
    SCHEMA_DRAFT_2020,
};

/* Where "format" is judged. helm does it in the drafts that say no more of it. */
enum schema_formats {
    SCHEMA_FORMATS_NONE,
    SCHEMA_FORMATS_OF_OLD_DRAFTS, /* 4, 6 and 7 */
    SCHEMA_FORMATS_ALL,
};

struct schema_options {
    enum schema_draft draft; /* of a schema that names none in $schema */
    bool is_checked;         /* by the metaschema of its draft first, as helm does */
    enum schema_formats formats;
    bool takes_doubles; /* 3.0 is an integer in draft 4 too: values have been through doubles */
    str base;           /* absolute URL of the root; empty: "schema:/root" */
    /* The document of an absolute URL without fragment, which must live as long as the schema.
     * NULL: there is none, or e says why it cannot be had. NULL for none at all. */
    const struct doc_node *(*load)(void *ctx, str url, struct err *e);
    void *ctx;
};

struct schema; /* opaque */
/* NULL with ERR_INVALID, "properties/a: pattern: …", or with ERR_NOT_FOUND: a reference that leads
 * nowhere, in helm's words. */
struct schema *schema_compile(const struct doc_node *root, const struct schema_options *options,
                              struct err *e) MUST_CHECK;
void schema_free(struct schema *s); /* NULL is fine */
AUTO_PTR(struct schema, schema_free)

struct schema_problem {
    str at;         /* JSON pointer into the value */
    str text;       /* "got string, want integer" */
    unsigned level; /* how many anyOf, oneOf, ... it stands below */
    bool is_group;  /* a mere heading of the several problems of one schema */
};
struct schema_problems {
    struct arena arena; /* of the texts */
    VEC(struct schema_problem) all;
};
void schema_problems_done(struct schema_problems *p); /* leaves {0} */
AUTO_VALUE(struct schema_problems, schema_problems_done)
/* One line each: "- at '/port': got string, want integer". */
void schema_problems_print(const struct schema_problems *p, struct buf *out);

/* Is the value valid? Problems are appended to *ret (NULL: nobody wants them). -1 with ERR_LIMIT
 * when value and schema together go too deep. */
int schema_check(const struct schema *s, const struct doc_node *value, struct schema_problems *ret,
                 bool *ret_valid, struct err *e) MUST_CHECK;
