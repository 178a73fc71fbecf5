/* Templates: Go's text/template with the functions of sprig and of charts (template spec).
 *
 *     set = tmpl_set_new(TMPL_CHART);                          names to compiled templates
 *     tmpl_set_parse(set, name, text, &e)                      each text once; defines join the set
 *     run = tmpl_run_new(set, &options);                       one rendering
 *     tmpl_run_exec(run, name, tmpl_doc(values, false), &out, &e)
 *
 * A set is compiled once and then immutable: any number of runs on any threads may use it, nothing
 * is parsed again. A run is used by one thread; what its templates make lives in its arena until
 * tmpl_run_free, so one run renders all files of a chart (they share what `set` changed, as in
 * helm). What a template may reach outside itself comes from struct tmpl_host alone: a hook that is
 * NULL makes its functions fail.
 *
 * Errors are ERR_INVALID with Go's text: "template: NAME:LINE: …" for a text that does not parse,
 * "template: NAME:LINE:COL: executing "TEMPLATE" at <CONTEXT>: …" for one that fails, calls of
 * include and tpl chained. A budget of tmpl_limits is ERR_LIMIT, a cancelled run ERR_CANCELED or
 * ERR_TIMEOUT. What was written before a failure is taken back. */
#pragma once
#include "base/buf.h"
#include "base/err.h"
#include "expr/gotmpl/value.h"

enum tmpl_profile {             /* which functions there are (17) */
                    TMPL_STD,   /* built-ins of the language */
                    TMPL_SPRIG, /* and all of sprig: --name-template */
                    TMPL_CHART, /* 15: sprig without env and expandenv, include, tpl, toYaml, … */
                    TMPL_OPERATOR, /* sprig without env, expandenv and the path functions, and
                                      toYaml */
                    TMPL_PIPELINE, /* khook spec 2.5.1: functions of their arguments alone */
                    TMPL_PROFILE_COUNT,
};

enum tmpl_missing { /* what a key that is not there gives (6) */
                    TMPL_MISSING_DEFAULT,
                    TMPL_MISSING_ZERO, /* charts */
                    TMPL_MISSING_ERROR,
};

struct cancel;
/* What lies outside a template. Called on the thread of the run; ctx is the first argument of
 * each. Texts are borrowed for the call. */
struct tmpl_host {
    void *ctx;
    int64_t (*now_ns)(void *ctx); /* since 1970 */
    void (*random)(void *ctx, void *p, size_t len);
    const char *(*env)(void *ctx, const char *name); /* NULL: not set */
    /* One address, appended to out. */
    int (*resolve)(void *ctx, str name, struct buf *out, struct err *e);
    /* The object, or a list object when name is empty; NULL in *ret: not there. It must live as
     * long as the run. Without this hook nothing is ever there. */
    int (*lookup)(void *ctx, str api_version, str kind, str ns, str name,
                  const struct doc_node **ret, struct err *e);
    /* Told before each call of a function that is not of its arguments alone (17); -1 refuses it.
     * place is "NAME:LINE:COL". NULL: all are allowed. */
    int (*impure)(void *ctx, const char *function, str place, struct err *e);
    /* Not NULL (lint): required and fail say their message here and give the empty text. */
    void (*lint)(void *ctx, str place, str message);
    const char *zone; /* name of the local zone ("Europe/Berlin"), NULL: UTC */
    struct cancel *cancel;
};

/* 0: the default of this table. */
struct tmpl_limits {
    uint64_t max_steps; /* nodes executed and functions called: 2,000,000,000 */
    size_t max_output;  /* bytes of one execution, and of one made text: 64 MiB */
    size_t max_memory;  /* of what templates make in a run: 1 GiB */
    uint32_t max_depth; /* templates inside templates: 100,000, and what the stack holds */
};

struct tmpl_options {
    enum tmpl_missing missing;
    bool drops_no_value; /* charts: "<no value>" is removed from the output */
    struct tmpl_host host;
    struct tmpl_limits limits;
};

struct tmpl_set;
struct tmpl_set *tmpl_set_new(enum tmpl_profile profile);
void tmpl_set_free(struct tmpl_set *set); /* NULL is fine */
AUTO_PTR(struct tmpl_set, tmpl_set_free)
/* Compiles text (copied) under a name; templates defined in it join the set and replace those of
 * earlier texts (12). On failure the set is as before. */
int tmpl_set_parse(struct tmpl_set *set, str name, str text, struct err *e) MUST_CHECK;
/* The same of many texts that outlive the set and are not copied, on as many threads as that is
 * worth: they join the set in their order, and of several that do not parse the first is told. */
struct tmpl_text {
    str name, text;
};
int tmpl_set_parse_views(struct tmpl_set *set, const struct tmpl_text *texts, size_t count,
                         struct err *e) MUST_CHECK;
/* The same for the text behind "${NAME|" of a khook spec (khook spec 2.5): a pipeline whose first
 * stage gets the dot as its last argument. */
int tmpl_set_parse_pipeline(struct tmpl_set *set, str name, str text, struct err *e) MUST_CHECK;
bool tmpl_set_has(const struct tmpl_set *set, str name);

struct tmpl_run;
/* set and what options point to must outlive the run. */
struct tmpl_run *tmpl_run_new(const struct tmpl_set *set, const struct tmpl_options *options);
void tmpl_run_free(struct tmpl_run *run); /* NULL is fine */
AUTO_PTR(struct tmpl_run, tmpl_run_free)
/* For the values a caller makes for the dot. */
struct arena *tmpl_run_arena(struct tmpl_run *run);
/* Runs a template of the set and appends its output. */
int tmpl_run_exec(struct tmpl_run *run, str name, struct tmpl_value dot, struct buf *out,
                  struct err *e) MUST_CHECK;

/* The function whose own message the last failure holds (which may quote values); NULL when the
 * engine itself found what is wrong. */
const char *tmpl_run_failed(const struct tmpl_run *run);

/* ---- objects of the dot of charts (15.4, 15.5), in the arena of the run */
/* A map of files from path to content (string nodes), for ".Files"; lives as long as files. */
struct tmpl_value tmpl_files(struct tmpl_run *run, const struct doc_node *files);
/* The same, filled by tmpl_files_add when a template first looks at it. */
struct tmpl_value tmpl_files_late(struct tmpl_run *run, tmpl_fill_fn *fill, void *ctx);
/* Adds one file to a map of files; files that tmpl_files made of NULL is empty. Borrowed texts. */
void tmpl_files_add(struct tmpl_value files, str path, str content);
/* ".Capabilities.APIVersions": prints and ranges as a list, and has the method Has. */
struct tmpl_value tmpl_api_versions(struct tmpl_run *run, const str *versions, size_t count);
/* ".Capabilities.KubeVersion": Version (in full), Major, Minor, GitVersion; an action prints the
 * form shown ("v1.33.4" of version "v1.33.4-gke.1"), a function gets the struct. */
struct tmpl_value tmpl_kube_version(struct tmpl_run *run, str version, str shown, str major,
                                    str minor);

/* ".Capabilities.HelmVersion": borrowed texts that live as long as the run. */
struct tmpl_build {
    str version, commit, tree_state, go_version, client;
};
struct tmpl_value tmpl_build_info(struct tmpl_run *run, const struct tmpl_build *build);
/* ".Capabilities" of its three parts. */
struct tmpl_value tmpl_capabilities(struct tmpl_run *run, struct tmpl_value kube_version,
                                    struct tmpl_value api_versions, struct tmpl_value build_info);

/* When doc_parse refused a key of YAML (message: its words, with the origin "yaml"), appends what
 * go-yaml says of the text: "error converting YAML to JSON: yaml: invalid map key: …". False:
 * something else is wrong, or the key cannot be told. */
bool tmpl_explain_key(str text, str message, struct buf *why);

/* ---- the functions, for the manual */
struct tmpl_doc_row {
    const char *name, *group, *summary;
    const char *example, *result; /* a template and what it prints; result NULL: not always equal */
    bool is_pure;
};
/* Row i of the functions of a profile, in groups; false behind the last. */
bool tmpl_function_row(enum tmpl_profile profile, size_t i, struct tmpl_doc_row *ret);
