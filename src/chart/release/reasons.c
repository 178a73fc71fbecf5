/* Why objects that were waited for are not ready: what their Pods and events say. helm tells only
 * that they are not. */
#include "chart/release/release_priv.h"
#include "kube/why.h"

enum { MOST = 3, LOG_LINES = 3, EVENTS = 2, PATIENCE_MS = 5000 };

static bool has_pods(const struct chart_object *o)
{
    static const char kinds[][12] = {"Deployment", "StatefulSet", "DaemonSet",
                                     "ReplicaSet", "Job",         "Pod"};

    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        if (str_eq(o->kind, str_of(kinds[i])))
            return true;
    return false;
}

void chart_reason_note(const struct chart_run *run, const struct chart_object *o, str text)
{
    if (!run->reasons || run->reasons->count == MOST)
        return;
    buf_addf(&run->reasons->text, "\n%.*s/%.*s/%.*s: %.*s", STR_ARG(o->kind), STR_ARG(o->ref.ns),
             STR_ARG(o->name), STR_ARG(text));
    run->reasons->count++;
}

void chart_reason_add(const struct chart_run *run, const struct chart_object *o)
{
    AUTO(cancel_free) struct cancel *cancel = NULL;
    AUTO(kube_object_done) struct kube_object live = {0};
    AUTO(buf_done) struct buf why = {0};
    AUTO(err_done) struct err over = {0}, unread = {0};
    str text;

    if (!run->reasons || run->reasons->count == MOST || !has_pods(o) ||
        (cancel_check(run->cancel, &over) < 0 && over.kind != ERR_TIMEOUT))
        return;
    cancel = cancel_new(over.kind == ERR_NONE ? run->cancel : NULL, clock_after(PATIENCE_MS));
    if (kube_get(run->kube, &o->ref, cancel, &live, &unread) < 0)
        return;
    kube_why(run->kube, o->ref.type, live.root, LOG_LINES, EVENTS, cancel, &why);
    text = str_starts(buf_view(&why), STR("; ")) ? str_from(buf_view(&why), 2) : buf_view(&why);
    if (text.len)
        chart_reason_note(run, o, text);
}

int chart_reasons_tell(const struct chart_run *run, struct err *e)
{
    AUTO(err_done) struct err whole = {0};
    struct chart_reasons *reasons = run->reasons;

    if (!reasons->text.len)
        return -1;
    chart_run_tell(run, CHART_TALE_REASONS, "%s", buf_cstr(&reasons->text));
    err_set(&whole, e->kind, "%s%s", err_text(e), buf_cstr(&reasons->text));
    whole.code = e->code;
    err_done(e);
    err_move(e, &whole);
    buf_clear(&reasons->text);
    return -1;
}
