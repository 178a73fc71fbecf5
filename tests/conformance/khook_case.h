/* Cases of the khook suite: one function an area, in khook_*.c. */
#pragma once
#include "base/diag.h"
#include "base/err.h"
#include "conformance/suite.h"
#include "khook/spec/spec.h"

struct khook_case {
    struct suite *suite;
    const struct doc_node *node, *expect;
    struct arena arena;     /* dies with the case */
    struct buf why;         /* what is wrong */
    struct str_vec folders; /* to be removed */
};
/* True when the case holds; else why says what does not. */
typedef bool khook_area_fn(struct khook_case *c);

khook_area_fn khook_area_substitution, khook_area_variables, khook_area_validation,
    khook_area_chart, khook_area_waitfor, khook_area_duration, khook_area_when, khook_area_levels,
    khook_area_run, khook_area_resume, khook_area_record, khook_area_hash, khook_area_redaction,
    khook_area_graph, khook_area_waitcheck, khook_area_rollout, khook_area_values,
    khook_area_manifests, khook_area_plan, khook_area_exec, khook_area_output, khook_area_cli;

bool khook_wrong(struct khook_case *c, const char *fmt, ...) PRINTF(2, 3); /* false */
/* The members `mentions` and `absent` of want, against a text. */
bool khook_mentions(struct khook_case *c, const struct doc_node *want, str text);
bool khook_same(struct khook_case *c, const char *what, str got, str want);
/* Equal values, or with subset set: all that want has. */
bool khook_json_is(struct khook_case *c, str json, const struct doc_node *want, bool subset);
/* A text that says that an engine is not in this build is no answer to any case. */
bool khook_lacks_engine(str text);
/* The case's vars, and those of `secrets`: a list of names (of vars), or a map. */
void khook_case_vars(const struct khook_case *c, const char *field, struct khook_vars *vars);
/* The engines of the product, as the commands use them. */
struct khook_engines khook_case_engines(void);
str khook_member(const struct doc_node *map, const char *key); /* text of a scalar, or empty */
/* Writes the files of a map, path to content, below folder. */
void khook_write_files(struct khook_case *c, const char *folder, const struct doc_node *files);
/* Redaction of a results document: in khook_state.c. */
bool khook_redacted_result(struct khook_case *c);
void khook_write_text(struct khook_case *c, const char *folder, const char *name, str text);
/* A graph's format that the flags refuse: in khook_cli.c. */
bool khook_graph_refused(struct khook_case *c);
const char *khook_temp_dir(struct khook_case *c); /* removed when the case ends */
