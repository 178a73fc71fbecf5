/* test: the hooks that try a release out (helm spec 7). */
#include "chart/name.h"
#include "chart/release/release_priv.h"

int chart_test(const struct chart_operation *op, const struct chart_test_options *options,
               struct chart_record *ret, struct err *e)
{
    struct chart_reasons reasons = {0};
    struct chart_run run = {.op = op, .kube = op->kube, .cancel = op->cancel, .reasons = &reasons};
    AUTO(chart_store_free) struct chart_store *store = NULL;
    AUTO(err_done) struct err late = {0};
    int rc;

    if (chart_check_release_name(op->name, e) < 0)
        return -1;
    store = chart_store_new(op->kube, op->ns, op->driver);
    run.store = store;
    if (chart_store_get(store, op->name, 0, op->cancel, ret, e) < 0)
        return -1;
    run.server_side = chart_picks_server(op, ret);
    rc = chart_run_hooks(&run, ret, CHART_TEST, options, e);
    if (chart_store_update(store, ret, op->cancel, &late) < 0 && rc == 0) {
        err_move(e, &late);
        rc = -1;
    }
    if (rc < 0)
        (void)chart_reasons_tell(&run, e);
    buf_done(&reasons.text);
    return rc;
}
