#include <stdarg.h>

#include "base/log.h"
#include "chart/release/release_priv.h"

int64_t chart_run_timeout(const struct chart_run *run)
{
    return run->op->timeout_ms > 0 ? run->op->timeout_ms : CHART_TIMEOUT_MS;
}

void chart_run_tell(const struct chart_run *run, enum chart_tale tale, const char *fmt, ...)
{
    AUTO(buf_done) struct buf text = {0};
    va_list args;

    va_start(args, fmt);
    buf_addv(&text, fmt, args);
    va_end(args);
    if (run->op->tell)
        run->op->tell(run->op->ctx, tale, buf_view(&text));
    else if (tale == CHART_TALE_WARNING)
        log_warn("release", LOG_STR("warning", buf_view(&text)));
}
