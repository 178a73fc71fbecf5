/* What apply and destroy print at the end (khook spec 18.2). Pure; JSON texts are masked one by
 * one, the table is to be masked by who prints it. */
#pragma once
#include "base/buf.h"
#include "run/run.h"

struct khook_result { /* a step, in the order of levels; texts are borrowed */
    str name, type;
    str status; /* "ok", "failed", "skipped" */
    int64_t attempts, duration_ms;
    str error, skip_reason, note;
};

struct khook_results {
    str name; /* of the spec */
    bool canceled;
    const struct khook_result *v;
    size_t len;
};

void khook_results_json(const struct khook_results *r, struct buf *out);
void khook_results_table(const struct khook_results *r, struct buf *out);
/* The engine's result as a row; texts are borrowed from it. */
struct khook_result khook_result_of(const struct run_step *step, const struct run_result *result);

/* The heading of such tables, and a row's common cells; detail is the last one. */
struct columns;
void khook_results_heading(struct columns *c);
void khook_results_row(struct columns *c, const struct khook_result *row, str detail,
                       struct buf *numbers);
str khook_status_word(enum run_status status); /* "ok", "failed", "skipped"; else empty */
/* A masked JSON text with its quotes. */
void khook_json_text(str text, struct buf *out);
