#include "kube/lease.h"

#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "sys/cancel.h"
#include "sys/random.h"
#include "sys/thread.h"

char *kube_lease_holder_new(void)
{
    AUTO(buf_done) struct buf text = {0};
    char host[256] = "";

    if (gethostname(host, sizeof(host) - 1) < 0 || !host[0])
        buf_add_cstr(&text, "unknown-host");
    else
        buf_add_cstr(&text, host);
    buf_addf(&text, "/%d/", (int)getpid());
    random_suffix(8, &text);
    return buf_take(&text);
}

str kube_lease_holder(const struct doc_node *object, const struct kube_lease_keys *keys,
                      int64_t *ret_age_ms)
{
    const struct doc_node *annotations = doc_at(object, "metadata/annotations");
    str holder = doc_text(doc_get(annotations, keys->holder), STR_NONE);
    int64_t renewed;

    *ret_age_ms = INT64_MAX;
    if (holder.len &&
        clock_parse_rfc3339(doc_text(doc_get(annotations, keys->renewed), STR_NONE), &renewed))
        *ret_age_ms = clock_wall_ms() - renewed;
    return holder;
}

void kube_lease_mark(struct doc_set *set, struct doc_node *annotations,
                     const struct kube_lease_keys *keys, str holder)
{
    AUTO(buf_done) struct buf now = {0};

    clock_rfc3339(clock_wall_ms(), 3, &now);
    doc_set_string(set, annotations, keys->holder, holder);
    doc_set_string(set, annotations, keys->renewed, buf_view(&now));
}

/* ---- renewing */

struct kube_renewer {
    kube_renew_fn *renew;
    void *ctx;
    struct cancel *stop;
    struct thread *thread;
};

static void run(void *ctx)
{
    struct kube_renewer *r = ctx;
    AUTO(err_done) struct err stopped = {0};

    while (cancel_sleep(r->stop, KUBE_LEASE_RENEW_MS, &stopped) == 0) {
        AUTO(err_done) struct err e = {0};
        int rc = r->renew(r->ctx, &e);

        if (rc != 0)
            log_warn("the lease was not renewed", LOG_STR("error", str_of(err_text(&e))));
        if (rc > 0)
            return;
    }
}

struct kube_renewer *kube_renewer_start(kube_renew_fn *renew, void *ctx, struct err *e)
{
    struct kube_renewer *r = NEW(struct kube_renewer);

    r->renew = renew;
    r->ctx = ctx;
    r->stop = cancel_new(NULL, CLOCK_NEVER);
    r->thread = thread_start("lease", run, r, e);
    if (r->thread)
        return r;
    cancel_free(r->stop);
    mem_free(r);
    return NULL;
}

void kube_renewer_stop(struct kube_renewer *r)
{
    if (!r)
        return;
    cancel_trigger(r->stop, ERR_CANCELED, "the run has ended");
    thread_join(r->thread);
    cancel_free(r->stop);
    mem_free(r);
}
