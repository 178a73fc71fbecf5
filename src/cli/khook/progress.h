/* How a run is shown while it goes on (khook spec 18.2): drawn in place on a terminal, as log lines
 * otherwise.
 *
 * progress_event may be called from any thread, one call at a time (run/run.h does). While a live
 * display is up it is the sink of the log: log lines appear above it. progress_free ends the
 * display, the last state stays on the screen. */
#pragma once
#include "run/run.h"

enum progress_mode { PROGRESS_NONE, PROGRESS_PLAIN, PROGRESS_LIVE };

struct progress;
/* steps: borrowed until progress_free; order: indexes of the steps in the order they are shown. */
struct progress *progress_new(enum progress_mode mode, bool color, const struct run_step *steps,
                              const size_t *order, size_t count);
void progress_event(struct progress *p, const struct run_event *event);
void progress_free(struct progress *p); /* NULL is fine */
AUTO_PTR(struct progress, progress_free)

/* One step as the display shows it; pure, for tests. */
struct progress_line {
    str name, type;
    enum run_status status;
    int attempt, of;
    int64_t elapsed_ms; /* running: so far; else the duration */
    str detail;         /* error, reason or note */
    unsigned tick;      /* turns the spinner */
};
/* Appends at most width cells, no line end, control characters shown as blanks. */
void progress_line_draw(const struct progress_line *line, size_t name_width, size_t width,
                        bool color, struct buf *out);
/* Terminal cells that text takes: wide East Asian characters and emoji count two, combining marks
 * none. */
size_t progress_cells(str text);
