#include "kube/warnings_priv.h"

#include "base/arena.h"
#include "base/log.h"
#include "base/map.h"
#include "base/mem.h"
#include "sys/thread.h"

enum { MAX_KEPT = 1000 };

struct kube_warnings {
    pthread_mutex_t lock;
    struct arena arena;
    struct map told;
};

struct kube_warnings *kube_warnings_new(void)
{
    struct kube_warnings *w = NEW(struct kube_warnings);

    pthread_mutex_init(&w->lock, NULL);
    return w;
}

void kube_warnings_free(struct kube_warnings *w)
{
    if (!w)
        return;
    pthread_mutex_destroy(&w->lock);
    map_done(&w->told);
    arena_done(&w->arena);
    mem_free(w);
}

/* The text of `299 agent "text"`, its backslashes taken out; empty for another code. */
static void unquote(str value, struct buf *out)
{
    ssize_t open = str_find_char(value, '"');

    if (!str_starts(value, STR("299 ")) || open < 0)
        return;
    for (size_t i = (size_t)open + 1; i < value.len && value.p[i] != '"'; i++) {
        if (value.p[i] == '\\' && i + 1 < value.len)
            i++;
        buf_add_char(out, value.p[i]);
    }
}

static bool is_new(struct kube_warnings *w, str text)
{
    LOCK_SCOPE(&w->lock);
    if (map_has(&w->told, text) || w->told.len >= MAX_KEPT)
        return false;
    map_put(&w->told, arena_dup(&w->arena, text), w);
    return true;
}

void kube_warnings_show(struct kube_warnings *w, const struct http_response *r)
{
    str rest = buf_view(&r->headers), line;

    while (str_next_line(&rest, &line)) {
        AUTO(buf_done) struct buf text = {0};

        if (!str_drop_prefix(&line, STR("warning: ")))
            continue;
        unquote(line, &text);
        if (text.len && is_new(w, buf_view(&text)))
            log_warn("the API server warns", LOG_STR("warning", buf_view(&text)));
    }
}
