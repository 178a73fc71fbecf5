/* A khook spec as a model: everything read, judged and resolved (khook spec 1 to 16).
 *
 * khook_spec_read goes through the phases of chapter 3 and reports every problem in one run, in
 * document order, with places in the author's text. The spec owns its documents and copies; texts
 * are views into them and live until khook_spec_free. A finished spec is immutable: threads may
 * share it. The structs of blocks are filled by the field tables (fields.h); a member that was not
 * written, or is null, is zero or has the documented default. */
#pragma once
#include "doc/node.h"
#include "expr/jsonpath/waitfor.h"
#include "khook/spec/chart_source.h"
#include "khook/vars/subst.h"
#include "run/run.h"

#define KHOOK_MAX_SPEC_BYTES ((size_t)16 << 20)
enum { KHOOK_MAX_STEPS = 10000, KHOOK_MAX_ALIAS_NODES = 1000000 };

/* Every block begins with it: bit i stands for field i of the block's table. */
struct khook_head {
    const struct doc_node *node;
    uint32_t given; /* present, not null, and no empty text or list */
    uint32_t bad;   /* of the wrong type: its member is zero */
};

struct khook_texts {
    const str *v;
    size_t len;
};
struct khook_blocks {
    void *v; /* array of the block's struct */
    size_t len;
};

struct khook_source { /* an entry of manifests or valuesFrom: exactly one is set */
    struct khook_head head;
    str inline_text, file, url, kustomize;
};

struct khook_auth {
    struct khook_head head;
    str username, password;
};

struct khook_helm {
    struct khook_head head;
    str chart, repo, version;
    struct khook_auth *auth;
    str release; /* resolved: the step's name when not written */
    str ns;
    bool create_ns, atomic, wait;
    str skip_if;
    const struct doc_node *values;
    struct khook_blocks values_from; /* struct khook_source */
    struct khook_chart_source source;
};

struct khook_apply {
    struct khook_head head;
    struct khook_blocks manifests; /* struct khook_source */
    str ns;                        /* "default" when not written */
    bool create_ns, server_side;
    str skip_if, wait_for;
    struct wait_for *wait; /* NULL without waitFor */
};

struct khook_delete {
    struct khook_head head;
    struct khook_blocks manifests;
    str resource, release, ns;
    bool all_ns, ignore_not_found;
    str selector, field_selector;
    str type, name; /* of resource; name empty: all of the type */
};

struct khook_patch {
    struct khook_head head;
    str target, ns, type; /* type: "strategic", "merge" or "json" */
    const struct doc_node *patch;
    str target_type, target_name;
};

enum khook_wait_mode { KHOOK_WAIT_ONE, KHOOK_WAIT_ANY, KHOOK_WAIT_ALL };
struct khook_wait {
    struct khook_head head;
    str for_text;
    struct khook_texts any_of, all_of;
    str on, ns, selector, field_selector;
    bool all_ns, fail_fast;
    str type, name; /* of on; name empty: all of the type */
    enum khook_wait_mode mode;
    struct wait_for *conditions; /* one, or those of anyOf or allOf */
    size_t condition_count;
};

struct khook_rollout {
    struct khook_head head;
    str restart, status, ns;
    bool is_restart;
    str kind, name; /* kind: "deployment", "daemonset" or "statefulset" */
};

struct khook_job {
    struct khook_head head;
    str image, ns, service_account, skip_if;
    struct khook_texts command, args;
    const struct doc_node *env; /* map of strings, or NULL */
    bool create_ns;
};

#define KHOOK_TYPES(X)          \
    X(KHOOK_HELM, "helm")       \
    X(KHOOK_APPLY, "apply")     \
    X(KHOOK_DELETE, "delete")   \
    X(KHOOK_PATCH, "patch")     \
    X(KHOOK_WAIT, "wait")       \
    X(KHOOK_ROLLOUT, "rollout") \
    X(KHOOK_JOB, "job")
enum khook_type {
#define X(name, text) name,
    KHOOK_TYPES(X)
#undef X
        KHOOK_TYPE_COUNT
};
str khook_type_name(enum khook_type type); /* the action key */

struct khook_step {
    struct khook_head head;
    str name, when;
    struct khook_texts needs_names;
    int64_t timeout_ms, retries, retry_delay_ms; /* resolved: own, defaults, built-in */
    str on_error_word;
    struct khook_helm *helm; /* exactly one of these is set */
    struct khook_apply *apply;
    struct khook_delete *del;
    struct khook_patch *patch;
    struct khook_wait *wait;
    struct khook_rollout *rollout;
    struct khook_job *job;

    enum khook_type type;
    enum run_on_error on_error;
    const size_t *needs; /* indexes, in listed order */
    size_t need_count;
    bool is_excluded; /* its `when` is false */
    size_t level;     /* from 0 */
};

struct khook_defaults {
    struct khook_head head;
    int64_t timeout_ms, retries, retry_delay_ms;
    str on_error_word;
};

struct khook_state {
    struct khook_head head;
    bool enabled;
    str ns, name;
};

struct khook_metadata {
    struct khook_head head;
    str name;
};

struct khook_root {
    struct khook_head head;
    str api_version, kind;
    struct khook_metadata *metadata;
    struct khook_defaults *defaults;
    struct khook_state *state;
    struct khook_blocks steps;
};

struct khook_spec {
    struct arena arena;
    struct doc_set *set;
    struct doc_node *document; /* after substitution */
    struct khook_text text;    /* the original is copied into the arena */
    struct khook_root root;
    str name; /* metadata.name */
    struct khook_step *steps;
    size_t step_count, level_count;
    bool has_state; /* state: is there and enabled */
    str state_ns, state_name;
    VEC(struct wait_for *) waits; /* to be released with the spec */
};

/* A condition of `when` against the merged variables, on the loading thread. The two failures set
 * e, what does not compile to a list with places in the expression. */
enum khook_condition { KHOOK_FALSE, KHOOK_TRUE, KHOOK_WHEN_COMPILE, KHOOK_WHEN_EVAL };
typedef enum khook_condition khook_condition_fn(void *ctx, str expression,
                                                const struct khook_vars *vars, struct err *e);

struct khook_engines {
    khook_pipeline_fn *pipeline;   /* NULL: none in this build, see vars/subst.h */
    khook_condition_fn *condition; /* NULL: a step with `when` is a when.compile problem that says
                                      so */
    void *ctx;                     /* of both */
};

/* NULL when problems gained an error. Warnings are added in any case. text is copied; origin must
 * outlive the spec. Problems are in document order, missing variables first. */
struct khook_spec *khook_spec_read(str text, const char *origin, const struct khook_vars *vars,
                                   const struct khook_engines *engines,
                                   struct diag_list *problems) MUST_CHECK;
void khook_spec_free(struct khook_spec *spec); /* NULL is fine */
AUTO_PTR(struct khook_spec, khook_spec_free)

/* The action block of a step: its key in the document, table and filled struct. */
struct khook_table;
struct khook_action {
    const struct khook_table *table;
    const void *block;
    const struct doc_node *node;
};
struct khook_action khook_step_action(const struct khook_step *step);
