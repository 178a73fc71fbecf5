#include "cli/khook/progress.h"

#include <pthread.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/duration.h"
#include "base/log.h"
#include "base/mem.h"
#include "sys/thread.h"

enum { REDRAW_MS = 125 };

struct shown {
    enum run_status status;
    int attempt, of;
    clock_ms since; /* start of the first attempt */
    int64_t duration_ms;
    char *detail;
    bool scrolled; /* its line went up for good */
};

struct progress {
    enum progress_mode mode;
    bool color;
    const struct run_step *steps;
    size_t *order, count, name_width;
    struct shown *shown; /* by index of the step */
    pthread_mutex_t lock;
    size_t drawn; /* lines of the block on the screen */
    unsigned tick;
    struct cancel *stop;
    struct thread *ticker;
};

/* ---- plain: one log line for each change of state (khook spec 18.3) */

static void log_event(const struct progress *p, const struct run_event *event)
{
    str name = p->steps[event->step].name, type = p->steps[event->step].type;

    switch (event->type) {
    case RUN_EVENT_RUNNING:
        log_info("step running", LOG_STR("step", name), LOG_STR("type", type),
                 LOG_NUMBER("attempt", event->attempt));
        return;
    case RUN_EVENT_ATTEMPT_FAILED:
        log_error("step attempt failed", LOG_STR("step", name),
                  LOG_NUMBER("attempt", event->attempt), LOG_STR("error", str_of(event->error)));
        return;
    case RUN_EVENT_DONE:
        if (event->result->status == RUN_OK) {
            AUTO(buf_done) struct buf duration = {0};

            duration_format_ms(event->result->duration_ms, &duration);
            log_info("step ok", LOG_STR("step", name), LOG_STR("duration", buf_view(&duration)));
        } else if (event->result->status == RUN_SKIPPED) {
            log_info("step skipped", LOG_STR("step", name),
                     LOG_STR("reason", str_of(event->result->skip_reason)));
        }
        return;
    }
}

/* ---- live */

static void write_out(const struct buf *out)
{
    AUTO(buf_done) struct buf masked = {0};
    str text;

    secret_mask(buf_view(out), &masked);
    text = buf_view(&masked);
    while (text.len) {
        ssize_t n = write(STDOUT_FILENO, text.p, text.len);

        if (n <= 0)
            return; /* the terminal is gone: the run goes on without a picture */
        text = str_from(text, (size_t)n);
    }
}

static void erase(struct progress *p, struct buf *out)
{
    if (p->drawn)
        buf_addf(out, "\033[%zuA", p->drawn);
    buf_add_cstr(out, "\r\033[J");
    p->drawn = 0;
}

static void draw_step(struct progress *p, size_t step, size_t width, struct buf *out)
{
    const struct shown *s = &p->shown[step];
    struct progress_line line = {
        .name = p->steps[step].name,
        .type = p->steps[step].type,
        .status = s->status,
        .attempt = s->attempt,
        .of = s->of,
        .elapsed_ms = s->status == RUN_RUNNING ? clock_now() - s->since : s->duration_ms,
        .detail = str_of(s->detail),
        .tick = p->tick,
    };

    progress_line_draw(&line, p->name_width, width, p->color, out);
    buf_add_char(out, '\n');
}

static bool is_finished(const struct shown *s)
{
    return s->status == RUN_OK || s->status == RUN_FAILED || s->status == RUN_SKIPPED;
}

/* Draws the block: at most rows lines; finished steps leave it upwards when there are more. */
static void draw(struct progress *p)
{
    AUTO(buf_done) struct buf out = {0};
    struct winsize size = {0};
    size_t rows, width, left = 0;

    ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    rows = size.ws_row > 2 ? size.ws_row - 1u : 23;
    width = size.ws_col ? size.ws_col : 80;
    for (size_t i = 0; i < p->count; i++)
        left += !p->shown[i].scrolled;
    erase(p, &out);
    for (size_t i = 0; i < p->count && left > rows; i++) {
        struct shown *s = &p->shown[p->order[i]];

        if (s->scrolled || !is_finished(s))
            continue;
        draw_step(p, p->order[i], width, &out);
        s->scrolled = true;
        left--;
    }
    for (size_t i = 0; i < p->count && p->drawn < rows; i++) {
        if (p->shown[p->order[i]].scrolled)
            continue;
        draw_step(p, p->order[i], width, &out);
        p->drawn++;
    }
    write_out(&out);
}

static void tick(void *ctx)
{
    struct progress *p = ctx;
    AUTO(err_done) struct err e = {0};

    while (cancel_sleep(p->stop, REDRAW_MS, &e) == 0) {
        pthread_mutex_lock(&p->lock);
        p->tick++;
        draw(p);
        pthread_mutex_unlock(&p->lock);
    }
}

/* Log lines go above the block. Reached from log_record, which may run on any thread, but never
 * from below draw. */
static void above(void *ctx, enum log_level level UNUSED, str line)
{
    struct progress *p = ctx;
    AUTO(buf_done) struct buf out = {0};

    pthread_mutex_lock(&p->lock);
    erase(p, &out);
    buf_add_str(&out, line);
    write_out(&out);
    draw(p);
    pthread_mutex_unlock(&p->lock);
}

static void shown_set_detail(struct shown *s, const char *detail)
{
    mem_free(s->detail);
    s->detail = detail ? mem_strdup(detail) : NULL;
}

static void live_event(struct progress *p, const struct run_event *event)
{
    struct shown *s = &p->shown[event->step];

    pthread_mutex_lock(&p->lock);
    switch (event->type) {
    case RUN_EVENT_RUNNING:
        if (s->status != RUN_RUNNING)
            s->since = clock_now();
        s->status = RUN_RUNNING;
        s->attempt = event->attempt;
        s->of = event->of;
        break;
    case RUN_EVENT_ATTEMPT_FAILED:
        shown_set_detail(s, event->error);
        break;
    case RUN_EVENT_DONE:
        s->status = event->result->status;
        s->duration_ms = event->result->duration_ms;
        shown_set_detail(s, s->status == RUN_FAILED    ? event->result->error
                            : s->status == RUN_SKIPPED ? event->result->skip_reason
                                                       : event->result->note);
        break;
    }
    draw(p);
    pthread_mutex_unlock(&p->lock);
}

struct progress *progress_new(enum progress_mode mode, bool color, const struct run_step *steps,
                              const size_t *order, size_t count)
{
    struct progress *p = NEW(struct progress);
    AUTO(err_done) struct err e = {0};

    p->mode = mode;
    p->color = color;
    p->steps = steps;
    p->count = count;
    if (mode != PROGRESS_LIVE)
        return p;
    p->order = mem_alloc(count * sizeof(*p->order));
    memcpy(p->order, order, count * sizeof(*p->order));
    p->shown = mem_zalloc(count * sizeof(*p->shown));
    for (size_t i = 0; i < count; i++)
        p->name_width = MAX(p->name_width, progress_cells(steps[i].name));
    pthread_mutex_init(&p->lock, NULL);
    p->stop = cancel_new(NULL, CLOCK_NEVER);
    draw(p);
    log_set_sink(above, p);
    p->ticker =
        thread_start("progress", tick, p, &e); /* without it the picture moves with events only */
    return p;
}

void progress_event(struct progress *p, const struct run_event *event)
{
    if (p->mode == PROGRESS_PLAIN)
        log_event(p, event);
    else if (p->mode == PROGRESS_LIVE)
        live_event(p, event);
}

void progress_free(struct progress *p)
{
    if (!p)
        return;
    if (p->mode == PROGRESS_LIVE) {
        cancel_trigger(p->stop, ERR_CANCELED, "the run has ended");
        thread_join(p->ticker);
        cancel_free(p->stop);
        log_set_sink(NULL, NULL);
        draw(p);
        pthread_mutex_destroy(&p->lock);
        for (size_t i = 0; i < p->count; i++)
            mem_free(p->shown[i].detail);
    }
    mem_free(p->shown);
    mem_free(p->order);
    mem_free(p);
}
