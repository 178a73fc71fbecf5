/* Who may work on a release (helm spec 9.3): the take-over table. */
#include "base/log.h"
#include "chart/release/store_priv.h"
#include "sys/clock.h"

#define BUSY "another operation (install/upgrade/rollback) is in progress"
enum { FOREIGN_MIN_MS = 5 * 60 * 1000 }; /* helm's own default timeout */

static int refuse_live(const struct chart_record *r, struct err *e)
{
    return err_set(e, ERR_CONFLICT,
                   BUSY ": %.*s holds revision %lld of %.*s, last seen %lld s ago; wait for it to "
                        "end, or until it has been silent for %d s",
                   STR_ARG(r->holder), (long long)r->revision, STR_ARG(r->name),
                   (long long)(MAX(r->lease_age_ms, (int64_t)0) / 1000),
                   KUBE_LEASE_STALE_MS / 1000);
}

/* Since any tool wrote the record. */
static int64_t age_ms(const struct chart_record *r)
{
    int64_t now = clock_wall_ms();

    return now - MAX(r->stored_s * 1000, chart_record_last_deployed(r) / 1000);
}

static int take_over(struct chart_store *s, struct chart_record *r, struct cancel *cancel,
                     struct err *e)
{
    str holder = r->holder.len ? r->holder : STR("its client");
    str why = arena_printf(&r->set->arena, "taken over after %.*s was lost", STR_ARG(holder));

    log_warn("taking over a release whose operation went silent", LOG_STR("release", r->name),
             LOG_STR("holder", holder));
    chart_record_set_status(r, CHART_FAILED, why);
    if (chart_store_update(s, r, cancel, e) == 0)
        return 0;
    return e->kind == ERR_CONFLICT ? err_wrap(e, BUSY) : -1;
}

int chart_store_claim(struct chart_store *s, struct chart_record *r, int64_t timeout_ms,
                      bool at_once, struct cancel *cancel, struct err *e)
{
    bool is_leased = chart_store_is_leased(r->status);

    if (is_leased && r->holder.len && !str_eq(r->holder, str_of(s->holder)) &&
        r->lease_age_ms < KUBE_LEASE_STALE_MS)
        return refuse_live(r, e);
    if (!chart_status_is_pending(r->status))
        return 0;
    if (!r->holder.len && !at_once && age_ms(r) < MAX(timeout_ms, (int64_t)FOREIGN_MIN_MS))
        return err_set(e, ERR_CONFLICT, BUSY "; if it was killed, `unlock %.*s` frees the release",
                       STR_ARG(r->name));
    return take_over(s, r, cancel, e);
}
