/* Input: a byte that says where to cut, then the stream of a watch. Cut in two it tells the same
 * events as whole, ends in the same version, and what ended it says why. */
#include "kube/watch_priv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct kube_type type = {.version = STR_INIT("v1"), .kind = STR_INIT("Pod")};

static int on_event(void *ctx, const struct kube_event *ev)
{
    buf_addf(ctx, "%d", ev->type);
    buf_add_str(ctx, doc_string(doc_at(ev->object, "metadata/name"), STR_NONE));
    return 0;
}

struct outcome {
    struct buf events, version;
    enum err_kind error;
};
static void outcome_done(struct outcome *o)
{
    buf_done(&o->events);
    buf_done(&o->version);
}
AUTO_VALUE(struct outcome, outcome_done)

static void run(str first, str second, struct outcome *ret)
{
    AUTO(watch_history_done)
    struct watch_history h = {.type = &type, .on_event = on_event, .ctx = &ret->events};
    AUTO(watch_stream_done) struct watch_stream s;

    watch_stream_init(&s, &h);
    if (watch_stream_feed(&s, first) == 0)
        watch_stream_feed(&s, second);
    ret->error = s.error.kind;
    assert(s.error.kind == ERR_NONE || s.error.text[0]);
    buf_add_str(&ret->version, buf_view(&s.version));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(outcome_done) struct outcome whole = {0}, cut = {0};
    str text;
    size_t at;

    if (size == 0)
        return 0;
    text = (str){(const char *)data + 1, size - 1};
    at = text.len * data[0] / 255;
    run(text, STR_NONE, &whole);
    run(str_sub(text, 0, at), str_from(text, at), &cut);
    assert(str_eq(buf_view(&whole.events), buf_view(&cut.events)));
    assert(str_eq(buf_view(&whole.version), buf_view(&cut.version)));
    assert(whole.error == cut.error);
    return 0;
}
