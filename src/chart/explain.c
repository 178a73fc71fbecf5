#include "chart/explain.h"

#include "base/buf.h"

#define FAIL_BEGIN STR("HELM_ERR_START")
#define FAIL_END STR("HELM_ERR_END")

static void replace_text(struct err *e, const struct buf *text)
{
    enum err_kind kind = e->kind;

    err_done(e);
    err_set(e, kind, "%s", buf_cstr(text));
}

/* "template: NAME:LINE: … : MESSAGE" */
int chart_explain_parse(struct err *e)
{
    AUTO(buf_done) struct buf out = {0};
    str text = str_of(err_text(e)), place = str_from(text, 10), message = text;
    ssize_t colon;

    if (!str_starts(text, STR("template: ")))
        return -1;
    while ((colon = str_find(message, STR(": "))) >= 0)
        message = str_from(message, (size_t)colon + 2);
    colon = str_find(place, STR(": "));
    if (colon < 0)
        return -1;
    buf_addf(&out, "parse error at (%.*s): %.*s", (int)colon, place.p, STR_ARG(message));
    replace_text(e, &out);
    return -1;
}

/* One step of the chain at the beginning of *text, which moves to the next step; false when it has
 * another form. */
static bool explain_step(str *text, struct buf *out)
{
    str rest = *text, place, what, message;
    ssize_t at;

    if (!str_drop_prefix(&rest, STR("template: ")))
        return false;
    if (str_starts(rest, STR("no template "))) {
        buf_add_str(out, *text);
        *text = STR_NONE;
        return true;
    }
    at = str_find(rest, STR(": executing "));
    if (at < 0)
        return false;
    place = str_sub(rest, 0, (size_t)at);
    what = str_from(rest, (size_t)at + 2);
    at = str_find(what, STR(">: "));
    if (at < 0 || !str_contains(str_sub(what, 0, (size_t)at), STR("\" at <")))
        return false;
    message = str_from(what, (size_t)at + 3);
    what.len = (size_t)at + 2;
    at = str_find(message, STR(" template: "));
    *text = at < 0 ? STR_NONE : str_from(message, (size_t)at + 1);
    message = str_trim(str_sub(message, 0, at < 0 ? message.len : (size_t)at));
    buf_addf(out, "%.*s\n  %.*s\n    %.*s\n", STR_ARG(place), STR_ARG(what), STR_ARG(message));
    return true;
}

/* required and fail: their message alone, with the place of the outermost template. */
static bool explain_refusal(str text, struct buf *out)
{
    ssize_t begin = str_find(text, FAIL_BEGIN), end = str_find(text, FAIL_END), colon;
    str place = str_from(text, 10);

    colon = str_find(place, STR(": "));
    if (begin < 0 || end < begin || colon < 0)
        return false;
    buf_addf(out, "execution error at (%.*s): ", (int)colon, place.p);
    buf_add_str(out, str_range(text.p + begin + FAIL_BEGIN.len, text.p + end));
    return true;
}

int chart_explain_failure(const struct tmpl_run *run, struct err *e)
{
    AUTO(buf_done) struct buf out = {0};
    str text = str_of(err_text(e));
    const char *function = tmpl_run_failed(run);

    if (!str_starts(text, STR("template: ")))
        return -1;
    if (explain_refusal(text, &out)) {
        replace_text(e, &out);
        return -1;
    }
    /* What a function itself says is no step, nor is what tpl adds: such chains stay as they are.
     */
    if ((function && strcmp(function, "include") != 0) ||
        str_contains(text, STR("error calling tpl: ")))
        return -1;
    while (text.p)
        if (!explain_step(&text, &out))
            return -1;
    while (out.len && out.p[out.len - 1] == '\n')
        buf_trunc(&out, out.len - 1);
    replace_text(e, &out);
    return -1;
}
