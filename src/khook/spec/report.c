#include "khook/spec/report.h"

#include "base/log.h"
#include "doc/emit.h"
#include "khook/results.h"

static void add_message(const struct diag *d, struct buf *out)
{
    AUTO(buf_done) struct buf text = {0};

    buf_add_str(&text, d->text);
    if (d->hint.len)
        buf_addf(&text, "; %.*s", STR_ARG(d->hint));
    khook_json_text(buf_view(&text), out);
}

static void add_list(const struct diag_list *problems, enum diag_severity severity, struct buf *out)
{
    const char *comma = "";

    buf_add_char(out, '[');
    for (size_t i = 0; i < problems->len; i++) {
        const struct diag *d = &problems->v[i];

        if (d->severity != severity)
            continue;
        buf_addf(out, "%s{\"code\":\"%.*s\"", comma, STR_ARG(d->code));
        if (d->subject.len) {
            buf_add_cstr(out, ",\"step\":");
            doc_json_quote(d->subject, 0, out); /* what identifies a step is not masked */
        }
        if (d->field.len) {
            buf_add_cstr(out, ",\"field\":");
            khook_json_text(d->field, out);
        }
        if (d->line)
            buf_addf(out, ",\"line\":%u,\"column\":%u", d->line, d->column);
        buf_add_cstr(out, ",\"message\":");
        add_message(d, out);
        buf_add_char(out, '}');
        comma = ",";
    }
    buf_add_char(out, ']');
}

void khook_report_json(const struct diag_list *problems, struct buf *out)
{
    buf_addf(out, "{\"valid\":%s,\"problems\":", problems->errors ? "false" : "true");
    add_list(problems, DIAG_ERROR, out);
    buf_add_cstr(out, ",\"warnings\":");
    add_list(problems, DIAG_WARNING, out);
    buf_add_cstr(out, "}\n");
}

void khook_report_usage(const struct err *usage, struct buf *out)
{
    buf_add_cstr(out, "{\"valid\":false,\"problems\":[{\"code\":\"cli.usage\",\"message\":");
    khook_json_text(str_of(err_text(usage)), out);
    buf_add_cstr(out, "}],\"warnings\":[]}\n");
}

void khook_report_warnings(const struct diag_list *problems)
{
    for (size_t i = 0; i < problems->len; i++) {
        AUTO(buf_done) struct buf text = {0};

        if (problems->v[i].severity != DIAG_WARNING)
            continue;
        diag_format(&problems->v[i], &text);
        log_record(LOG_WARN, buf_view(&text), NULL, 0);
    }
}

/* The errors of a list; warnings went to the log. */
static void keep_errors(struct diag_list *problems)
{
    size_t kept = 0;

    for (size_t i = 0; i < problems->len; i++)
        if (problems->v[i].severity == DIAG_ERROR)
            problems->v[kept++] = problems->v[i];
    problems->len = kept;
}

int khook_report_error(struct diag_list *problems, struct err *e)
{
    keep_errors(problems);
    err_diags(e, problems);
    return err_wrap(e, "invalid spec");
}
