#include "khook/results.h"

#include "base/duration.h"
#include "base/log.h"
#include "doc/emit.h"
#include "khook/columns.h"

static const str no_status = STR_INIT("-");

void khook_json_text(str text, struct buf *out)
{
    AUTO(buf_done) struct buf masked = {0};

    secret_mask(text, &masked);
    doc_json_quote(buf_view(&masked), 0, out);
}

/* nothing failed, nothing was cancelled */
static bool khook_results_ok(const struct khook_results *r)
{
    for (size_t i = 0; i < r->len; i++)
        if (str_eq(r->v[i].status, STR("failed")))
            return false;
    return !r->canceled;
}

str khook_status_word(enum run_status status)
{
    static const char words[][8] = {[RUN_PENDING] = "",
                                    [RUN_RUNNING] = "",
                                    [RUN_OK] = "ok",
                                    [RUN_FAILED] = "failed",
                                    [RUN_SKIPPED] = "skipped"};

    return str_of(words[status]);
}

struct khook_result khook_result_of(const struct run_step *step, const struct run_result *result)
{
    return (struct khook_result){.name = step->name,
                                 .type = step->type,
                                 .status = khook_status_word(result->status),
                                 .attempts = result->attempts,
                                 .duration_ms = result->duration_ms,
                                 .error = str_of(result->error),
                                 .skip_reason = str_of(result->skip_reason),
                                 .note = str_of(result->note)};
}

static void add_member(struct buf *out, const char *key, str value)
{
    if (!value.len)
        return;
    buf_addf(out, ",\"%s\":", key);
    khook_json_text(value, out);
}

void khook_results_json(const struct khook_results *r, struct buf *out)
{
    buf_add_cstr(out, "{\"name\":");
    doc_json_quote(r->name, 0, out);
    buf_addf(out, ",\"status\":\"%s\"", khook_results_ok(r) ? "ok" : "failed");
    if (r->canceled)
        buf_add_cstr(out, ",\"canceled\":true");
    buf_add_cstr(out, ",\"steps\":[");
    for (size_t i = 0; i < r->len; i++) {
        const struct khook_result *row = &r->v[i];

        buf_add_cstr(out, i ? ",{\"name\":" : "{\"name\":");
        doc_json_quote(row->name, 0, out); /* what identifies a step is not masked */
        buf_addf(out, ",\"type\":\"%.*s\",\"status\":\"%.*s\"", STR_ARG(row->type),
                 STR_ARG(row->status));
        if (row->attempts)
            buf_addf(out, ",\"attempts\":%lld", (long long)row->attempts);
        if (row->duration_ms)
            buf_addf(out, ",\"durationMs\":%lld", (long long)row->duration_ms);
        add_member(out, "error", row->error);
        add_member(out, "skipReason", row->skip_reason);
        add_member(out, "note", row->note);
        buf_add_char(out, '}');
    }
    buf_add_cstr(out, "]}\n");
}

void khook_results_heading(struct columns *c)
{
    static const char names[][9] = {"STEP", "TYPE", "STATUS", "ATTEMPTS", "DURATION", "DETAIL"};

    c->width = ARRAY_LEN(names);
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        columns_add(c, str_of(names[i]));
}

void khook_results_row(struct columns *c, const struct khook_result *row, str detail,
                       struct buf *numbers)
{
    size_t attempts = numbers->len, duration;

    if (row->attempts)
        buf_addf(numbers, "%lld", (long long)row->attempts);
    duration = numbers->len;
    if (row->duration_ms)
        duration_format_ms(row->duration_ms, numbers);
    columns_add(c, row->name);
    columns_add(c, row->type);
    columns_add(c, row->status.len ? row->status : no_status);
    columns_add(c, str_range(numbers->p + attempts, numbers->p + duration));
    columns_add(c, str_from(buf_view(numbers), duration));
    columns_add(c, detail);
}

void khook_results_table(const struct khook_results *r, struct buf *out)
{
    AUTO(columns_done) struct columns c = {0};
    AUTO(buf_done) struct buf numbers = {0};

    buf_grow(&numbers, r->len * 64); /* cells are views into it: it must not move */
    khook_results_heading(&c);
    for (size_t i = 0; i < r->len; i++) {
        const struct khook_result *row = &r->v[i];

        khook_results_row(&c, row,
                          row->error.len         ? row->error
                          : row->skip_reason.len ? row->skip_reason
                                                 : row->note,
                          &numbers);
    }
    columns_print(&c, out);
}
