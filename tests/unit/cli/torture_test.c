/* Operations on releases whose n-th request fails, for every n: each says why it failed, none
 * hangs, and the next operation on the release succeeds whatever state it was left in (helm
 * spec 9.3, 10).
 */
#include <stdatomic.h>

#include "support/test.h"
#include "unit/cli/releases.h"

enum operation { INSTALL, UPGRADE, ROLLBACK, UNINSTALL, TEST_RELEASE, OPERATIONS };

/* Which request fails, and how. */
struct fault {
    atomic_int left; /* requests until then; 0: none fails */
    atomic_int hits; /* those that failed */
    atomic_int status;
    atomic_bool lasts; /* all after it fail too */
};

static int before(void *ctx, const struct sandbox_call *call UNUSED)
{
    struct fault *f = ctx;
    int left = f->left;

    while (left > 1 && !atomic_compare_exchange_weak(&f->left, &left, left - 1))
        ;
    if (left != 1)
        return 0;
    if (!f->lasts)
        f->left = 0;
    f->hits++;
    return f->status;
}

static const char manifest[] =
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: '{{ .Release.Name }}'}\n"
    "data: {color: '{{ .Values.color }}'}\n---\napiVersion: v1\nkind: Secret\n"
    "metadata: {name: '{{ .Release.Name }}-{{ .Values.color }}'}\n";
static const char hooks[] =
    "apiVersion: batch/v1\nkind: Job\nmetadata: {name: '{{ .Release.Name }}-job', annotations: "
    "{helm.sh/hook: 'pre-install,post-upgrade,pre-rollback,pre-delete,test', "
    "helm.sh/hook-delete-policy: 'hook-succeeded,hook-failed', helm.sh/hook-output-log-policy: "
    "'hook-succeeded,hook-failed'}}\nspec: {template: {spec: {restartPolicy: Never, containers: "
    "[{name: c, image: i}]}}}\n";

/* One operation on a release of that name; further: with the flags that make it undo itself. */
static int carry_out(struct world *w, enum operation what, str name, const char *values,
                     bool further, struct err *e)
{
    AUTO(plan_done) struct plan p = {0};
    AUTO(buf_done) struct buf kept = {0};
    struct chart_uninstall_options gone = {.keeps_history = further};
    struct chart_test_options tests = {.logs = &kept};

    plan(w, &p, manifest, hooks, NULL, values);
    p.op.name = name;
    p.op.wait = CHART_WAIT_WATCHER;
    p.op.rolls_back = p.op.cleans_up = further;
    p.op.installs = true;
    switch (what) {
    case INSTALL:
        return chart_install(&p.op, &p.record, e);
    case UPGRADE:
        return chart_upgrade(&p.op, NULL, &p.record, e);
    case ROLLBACK:
        return chart_rollback(&p.op, 1, &p.record, e);
    case UNINSTALL:
        return chart_uninstall(&p.op, &gone, &p.record, &kept, e);
    case TEST_RELEASE:
        return chart_test(&p.op, &tests, &p.record, e);
    case OPERATIONS:
        break;
    }
    return -1;
}

static void must(struct world *w, enum operation what, str name, const char *values)
{
    AUTO(err_done) struct err e = {0};
    int rc = carry_out(w, what, name, values, false, &e);

    CHECK_INT(rc, 0, err_text(&e));
}

/* What the operation starts from. */
static void prepare(struct world *w, enum operation what, str name)
{
    if (what == INSTALL)
        return;
    must(w, INSTALL, name, "color: red");
    if (what == ROLLBACK)
        must(w, UPGRADE, name, "color: blue");
}

/* As if the leases of its records had not been renewed for long: who held them is gone. */
static void age_leases(struct world *w, str name)
{
    enum { REVISIONS = 5 };

    for (int i = 1; i <= REVISIONS; i++) {
        AUTO(buf_done) struct buf secret = {0};
        AUTO(err_done) struct err none = {0};

        buf_addf(&secret, "sh.helm.release.v1.%.*s.v%d", STR_ARG(name), i);
        if (sandbox_merge(w->sb, STR("v1"), STR("Secret"), STR("default"), buf_view(&secret),
                          STR("{\"metadata\":{\"annotations\":{\"grapnel.dev/renewed\":\"2020-01-"
                              "01T00:00:00Z\"}}}"),
                          &none) < 0)
            CHECK_INT(none.kind, ERR_NOT_FOUND, err_text(&none));
    }
}

/* Whatever is left of the release, it can be brought to a good state, and away. */
static void recover(struct world *w, enum operation what, str name)
{
    AUTO(buf_done) struct buf text = {0};
    AUTO(err_done) struct err e = {0}, gone = {0};

    age_leases(w, name);
    if (what != UNINSTALL) {
        must(w, UPGRADE, name, "color: green");
        if (sandbox_get(w->sb, STR("v1"), STR("ConfigMap"), STR("default"), name, &text, &e) < 0)
            test_fail(__FILE__, __LINE__, "%s", err_text(&e));
        CHECK(str_contains(buf_view(&text), STR("green")));
    }
    if (carry_out(w, UNINSTALL, name, NULL, false, &e) < 0)
        CHECK_INT(e.kind, ERR_NOT_FOUND, err_text(&e));
    if (sandbox_get(w->sb, STR("v1"), STR("ConfigMap"), STR("default"), name, &text, &gone) == 0)
        CHECK(str_contains(buf_view(&w->told), STR("is kept: ownership cannot be read")));
}

struct row {
    enum operation what;
    int status;
    bool lasts, further;
};

/* False: no request was left to fail. */
static bool run_one(struct world *w, struct fault *f, const struct row *row, int n)
{
    AUTO(buf_done) struct buf name = {0}, about = {0};
    AUTO(err_done) struct err e = {0};
    bool was_hit;
    int rc;

    buf_addf(&name, "r%d", n);
    buf_addf(&about, "operation %d, request %d answered with %d", row->what, n, row->status);
    prepare(w, row->what, buf_view(&name));
    kube_discovery_reset(w->kube);
    f->status = row->status;
    f->lasts = row->lasts;
    f->hits = 0;
    f->left = n;
    buf_clear(&w->told);
    rc = carry_out(w, row->what, buf_view(&name), "color: brown", row->further, &e);
    f->left = 0;
    was_hit = f->hits > 0;
    if (!was_hit)
        CHECK_INT(rc, 0, err_text(&e));
    if (rc < 0)
        CHECK(e.kind != ERR_NONE && err_text(&e)[0]);
    if (row->lasts && was_hit && row->what != TEST_RELEASE && rc == 0)
        test_fail(__FILE__, __LINE__, "succeeded: %s", buf_cstr(&about));
    recover(w, row->what, buf_view(&name));
    return was_hit;
}

static void torture(const struct row *rows, size_t count)
{
    struct fault f = {0};
    struct sandbox_options options = {.hooks = {.before = before, .ctx = &f}};

    for (size_t i = 0; i < count; i++) {
        AUTO(world_done) struct world w = {0};
        int n = 1;

        f.left = 0;
        world_start(&w, &options);
        while (run_one(&w, &f, &rows[i], n) && n < 200)
            n++;
        CHECK(n > 5 && n < 200);
    }
}

TEST(an_operation_whose_nth_request_is_denied_says_so_and_can_be_repeated)
{
    static const struct row rows[] = {
        {INSTALL, 403, false, false},      {UPGRADE, 403, false, false},
        {ROLLBACK, 403, false, false},     {UNINSTALL, 403, false, true},
        {TEST_RELEASE, 403, false, false},
    };

    torture(rows, ARRAY_LEN(rows));
}

TEST(an_operation_that_loses_the_server_for_good_can_be_repeated)
{
    static const struct row rows[] = {
        {INSTALL, 403, true, true},
        {UPGRADE, 403, true, true},
        {UNINSTALL, 403, true, false},
    };

    torture(rows, ARRAY_LEN(rows));
}

TEST(an_operation_goes_on_or_says_why_when_somebody_was_faster)
{
    static const struct row rows[] = {
        {INSTALL, 409, false, true},
        {UPGRADE, 409, false, true},
    };

    torture(rows, ARRAY_LEN(rows));
}
