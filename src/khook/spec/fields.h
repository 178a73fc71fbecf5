/* The tables of fields: one row a field with its type, rule and default. Reading, unknown keys,
 * type errors, `schema`, hashes and the manual all go by these rows, so they cannot disagree
 * (khook spec 1, 6 to 16, 18.9).
 *
 * Tables are static; a table's rows end with an empty name. Constant; any thread. */
#pragma once
#include "base/buf.h"
#include "khook/spec/spec.h"

enum khook_kind {
    KHOOK_TEXT,     /* str */
    KHOOK_WORD,     /* str, one of words */
    KHOOK_BOOL,     /* bool */
    KHOOK_INT,      /* int64_t */
    KHOOK_TIME,     /* int64_t, ms; a duration in Go's notation */
    KHOOK_TEXTS,    /* struct khook_texts */
    KHOOK_TEXT_MAP, /* const struct doc_node *, a map of texts */
    KHOOK_ANY_MAP,  /* const struct doc_node *, free-form */
    KHOOK_ANY,      /* const struct doc_node *, a free-form map or list */
    KHOOK_BLOCK,    /* pointer to the table's struct */
    KHOOK_BLOCKS,   /* struct khook_blocks */
};

/* What a text, number or duration must be beyond its type. */
enum khook_rule {
    KHOOK_RULE_NONE,
    KHOOK_RULE_CONST,        /* words is the only value: value.const */
    KHOOK_RULE_STEP_NAME,    /* chapter 8 */
    KHOOK_RULE_LABEL,        /* RFC 1123 label */
    KHOOK_RULE_SUBDOMAIN,    /* RFC 1123 subdomain */
    KHOOK_RULE_RELEASE,      /* the same, at most 53 characters */
    KHOOK_RULE_URL,          /* http or https with a host */
    KHOOK_RULE_LOCAL,        /* begins with ./, ../ or / */
    KHOOK_RULE_NOT_NEGATIVE, /* int, duration */
    KHOOK_RULE_POSITIVE,     /* duration */
    KHOOK_RULE_TYPE,         /* "type" or "kind/name" */
    KHOOK_RULE_TARGET,       /* "kind/name" */
    KHOOK_RULE_ROLLOUT,      /* "deployment/x" and the like */
    KHOOK_RULE_LABELS,       /* label selector */
    KHOOK_RULE_FIELDS,       /* field selector */
};

enum khook_field_flags {
    KHOOK_REQUIRED = 1 << 0,
    KHOOK_NOT_EMPTY = 1 << 1, /* a list with one entry at least: value.range */
    KHOOK_ACTION = 1 << 2,    /* the step's action keys */
    KHOOK_CHECKED = 1 << 3,   /* required by a rule of its block, which has a code of its own */
    KHOOK_DERIVED = 1 << 4,   /* fallback is for people: what happens is said in it */
};

/* Judges a block whose fields were read; adds problems. See read_priv.h. */
struct khook_reader;
struct khook_at;
typedef void khook_check_fn(struct khook_reader *r, const struct khook_at *at, void *block);

/* The tables that fields refer to; behind those of actions, in their order. */
enum khook_block {
    KHOOK_BLOCK_NONE,
    KHOOK_BLOCK_AUTH,
    KHOOK_BLOCK_DEFAULTS,
    KHOOK_BLOCK_METADATA,
    KHOOK_BLOCK_SOURCE,
    KHOOK_BLOCK_STATE,
    KHOOK_BLOCK_STEP,
    KHOOK_BLOCK_VALUES,
    KHOOK_BLOCK_ACTIONS,
};

/* Texts, not pointers: nothing of a row is written when the program starts
 * (docs/decisions/6-start.md). */
enum { KHOOK_MIN_CONDITIONS = 2, KHOOK_MAX_CONDITIONS = 16 }; /* of wait.anyOf and wait.allOf */

struct khook_field {
    char name[28];  /* empty ends a table */
    char help[128]; /* one sentence, no full stop */
    enum khook_kind kind;
    enum khook_rule rule;
    unsigned flags;
    uint32_t offset;   /* of the member */
    char words[48];    /* KHOOK_WORD, KHOOK_RULE_CONST: with a blank between */
    char fallback[48]; /* constant default as it would be written, or empty */
    unsigned table;    /* enum khook_block: KHOOK_BLOCK, KHOOK_BLOCKS */
};

struct khook_table {
    const char *name; /* of the block, for people: "helm", "entry of manifests" */
    const struct khook_field *fields;
    size_t size;           /* of the struct */
    const char *one_of;    /* exactly one of these fields, with a blank between; or NULL */
    const char *code;      /* of the problem when it is violated */
    const char *none_code; /* the same when none is there; NULL: code */
    const char *hints;     /* other spellings and what to write: "type=the action key;…" */
    khook_check_fn *check; /* rules that span fields; or NULL */
};

/* The table of a KHOOK_BLOCK or KHOOK_BLOCKS. */
const struct khook_table *khook_field_table(const struct khook_field *field);
extern const struct khook_table khook_table_root;
extern const struct khook_table khook_table_step;
extern const struct khook_table khook_table_actions[KHOOK_TYPE_COUNT];

/* Index of the field of that name, -1 for none. */
int khook_field_index(const struct khook_table *table, str name);
