#include "khook/state/status.h"

#include <time.h>

#include "base/map.h"
#include "base/time.h"
#include "doc/emit.h"
#include "khook/columns.h"
#include "khook/results.h"

static bool resumes(const struct khook_status *s, size_t i)
{
    return khook_record_resumes(s->record, &s->spec->steps[i], s->hashes[i]);
}

static bool is_changed(const struct khook_status *s)
{
    return !str_eq(s->record->spec_hash, s->spec_hash);
}

static void add_local_time(const char *what, str rfc3339, struct buf *out)
{
    char text[64];
    int64_t wall_ms;
    struct tm tm;
    time_t seconds;

    if (!rfc3339.len)
        return;
    if (!time_parse_rfc3339(rfc3339, &wall_ms)) {
        buf_addf(out, ", %s %.*s", what, STR_ARG(rfc3339));
        return;
    }
    seconds = (time_t)(wall_ms / 1000);
    localtime_r(&seconds, &tm);
    strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S %Z", &tm);
    buf_addf(out, ", %s %s", what, text);
}

static void add_prediction(const struct khook_status *s, size_t resumable, struct buf *out)
{
    if (!is_changed(s))
        buf_addf(out, "The spec is unchanged: the next apply resumes past %zu completed step(s).\n",
                 resumable);
    else if (resumable)
        buf_addf(out,
                 "The spec changed: the next apply resumes past %zu unchanged completed step(s).\n",
                 resumable);
    else
        buf_add_cstr(out, "The spec changed: no completed step is unchanged, so the next apply "
                          "runs every step.\n");
}

static str detail_of(const struct khook_status *s, const struct khook_record_step *entry,
                     const struct map *present)
{
    uintptr_t index = (uintptr_t)map_get(present, entry->name);

    if (entry->error.len)
        return entry->error;
    if (entry->skip_reason.len)
        return entry->skip_reason;
    if (!index)
        return STR("no longer in the spec");
    if (entry->status != RUN_OK || resumes(s, index - 1))
        return STR_NONE;
    return s->spec->steps[index - 1].is_excluded ? STR("its condition is false")
                                                 : STR("input changed — will re-run");
}

static void add_table(const struct khook_status *s, struct buf *out)
{
    AUTO(columns_done) struct columns c = {0};
    AUTO(buf_done) struct buf numbers = {0};
    AUTO(map_done) struct map present = {0};

    for (size_t i = 0; i < s->spec->step_count; i++)
        map_put(&present, s->spec->steps[i].name, (void *)(uintptr_t)(i + 1));
    buf_grow(&numbers, s->record->steps.len * 64); /* must not move below the cells */
    khook_results_heading(&c);
    for (size_t i = 0; i < s->record->steps.len; i++) {
        const struct khook_record_step *entry = &s->record->steps.v[i];
        struct khook_result row = {.name = entry->name,
                                   .type = entry->type,
                                   .status = khook_status_word(entry->status),
                                   .attempts = entry->attempts,
                                   .duration_ms = entry->duration_ms};

        khook_results_row(&c, &row, detail_of(s, entry, &present), &numbers);
    }
    columns_print(&c, out);
}

void khook_status_text(const struct khook_status *s, struct buf *out)
{
    size_t resumable = 0;

    buf_addf(out, "spec: %.*s\nrecord: %.*s", STR_ARG(s->spec->name), STR_ARG(s->secret));
    if (!s->record) {
        buf_add_cstr(out,
                     "\nThere is no record: nothing was applied, or the record was deleted.\n");
        return;
    }
    if (s->record->writer.len)
        buf_addf(out, " (written by %.*s)", STR_ARG(s->record->writer));
    buf_addf(out, "\nrun: %.*s", STR_ARG(s->record->run_status));
    add_local_time("started", s->record->started_at, out);
    add_local_time("updated", s->record->updated_at, out);
    buf_add_char(out, '\n');
    for (size_t i = 0; i < s->spec->step_count; i++)
        resumable += resumes(s, i);
    add_prediction(s, resumable, out);
    add_table(s, out);
}

void khook_status_json(const struct khook_status *s, struct buf *out)
{
    const char *comma = "";

    if (!s->record) {
        buf_add_cstr(out, "{\"found\":false}\n");
        return;
    }
    buf_addf(out, "{\"found\":true,\"specChanged\":%s,\"resumableSteps\":[",
             is_changed(s) ? "true" : "false");
    for (size_t i = 0; i < s->spec->step_count; i++) {
        if (!resumes(s, i))
            continue;
        buf_add_cstr(out, comma);
        doc_json_quote(s->spec->steps[i].name, 0, out);
        comma = ",";
    }
    buf_add_cstr(out, "],\"record\":");
    khook_record_emit(s->record, out); /* its errors were masked before they were kept */
    buf_add_cstr(out, "}\n");
}
