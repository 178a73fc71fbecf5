#include "chart/lint/lint_priv.h"

void chart_findings_done(struct chart_findings *findings)
{
    arena_done(&findings->arena);
    vec_done(&findings->list);
}

void lint_add(struct lint *l, enum chart_severity severity, const char *path, const char *fmt, ...)
{
    struct chart_finding *f = vec_add(&l->findings->list);
    struct arena *arena = &l->findings->arena;
    va_list args;

    va_start(args, fmt);
    *f = (struct chart_finding){severity, arena_dup(arena, str_of(path)),
                                arena_vprintf(arena, fmt, args)};
    va_end(args);
    l->findings->worst = MAX(l->findings->worst, severity);
}

void lint_path(const struct lint *l, const char *name, struct buf *out)
{
    buf_addf(out, "%s/%s", l->folder, name);
}
