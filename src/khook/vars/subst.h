/* Substitution of ${NAME}, ${NAME:-default} and ${NAME|pipeline} over the raw bytes of a spec
 * (khook spec 2.1 to 2.3), and the way back from a place in the result to the place its author
 * sees.
 *
 * One pass, linear in the text; what came from a value is never scanned again. Problems
 * (substitution.missing, substitution.pipeline) and warnings go to a list with their places. Any
 * thread; a text belongs to one, since its lines are found when first asked for. */
#pragma once
#include "base/buf.h"
#include "base/diag.h"
#include "khook/vars/vars.h"

/* A text of 16 MiB can hold millions of mistakes; nobody reads them. */
enum { KHOOK_MAX_PROBLEMS = 10000 };

/* A reference as it stands in the text; all views into it. */
struct khook_ref {
    size_t begin, end; /* offsets of "$" and behind "}" */
    str name;
    str fallback; /* p NULL when there is no ":-" */
    str pipeline; /* p NULL when there is no "|" */
};
/* The next reference at or behind *at, which moves behind it; false when there is none. */
bool khook_ref_next(str text, size_t *at, struct khook_ref *ret);

/* Runs the pipeline text over value and appends the result. Fails with a text that names the
 * function but never holds the value. Called on the loading thread. */
typedef int khook_pipeline_fn(void *ctx, str pipeline, str value, struct buf *out, struct err *e);

/* The outcome: text with every reference replaced, and the map back. */
struct khook_text {
    str original;       /* borrowed: must live as long as this */
    const char *origin; /* borrowed; names the text in messages */
    struct buf text;
    struct khook_piece *pieces; /* one for each reference that was replaced, in order */
    size_t piece_count, piece_cap;
    uint32_t *lines; /* offsets of the original's lines */
    size_t line_count;
};
/* Of a text without references: for its places alone. */
void khook_text_init(struct khook_text *t, str original, const char *origin);
void khook_text_done(struct khook_text *t); /* leaves {0} */
AUTO_VALUE(struct khook_text, khook_text_done)

struct khook_subst_options {
    const struct khook_vars *vars;
    khook_pipeline_fn *pipeline; /* NULL: a reference with a pipeline is a problem that says that
                                    this build has no template functions */
    void *pipeline_ctx;
};

/* Fills *ret and adds what is wrong to problems; the result is usable when no error was added. */
void khook_subst(str original, const char *origin, const struct khook_subst_options *options,
                 struct khook_text *ret, struct diag_list *problems);

/* Where the byte at offset of the substituted text stands in the original: for a byte that came
 * from a variable, the place of the reference. */
struct khook_place {
    uint32_t line, column; /* from 1 */
    str excerpt;           /* the original line; empty when it is long */
};
struct khook_place khook_text_place(const struct khook_text *t, size_t offset);
/* The same for an offset of the original. */
struct khook_place khook_original_place(const struct khook_text *t, size_t offset);
