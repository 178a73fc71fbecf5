/* The store of release records and its lease, against the sandbox: only the folder of the commands
 * may use both (helm spec 9.1, 9.3, 9.4). */
#include "chart/release/store.h"
#include <time.h>

#include "sandbox/sandbox.h"
#include "support/clock_jump.h"
#include "support/test.h"
#include "sys/file.h"

struct fixture {
    struct sandbox *sb;
    struct kube *kube;
    struct chart_store *store, *other;
    struct cancel *lost;
    struct err e;
};

static void start(struct fixture *f, enum chart_driver driver)
{
    AUTO(buf_done) struct buf text = {0}, path = {0};
    AUTO(kube_config_free) struct kube_config *config = NULL;
    struct sandbox_options options = {.no_controllers = true};
    struct kube_config_flags flags = {0};

    f->sb = sandbox_start(&options, &f->e);
    CHECK_OK(&f->e);
    sandbox_kubeconfig(f->sb, &text);
    buf_addf(&path, "%s/kubeconfig", test_tmp());
    CHECK(file_replace(buf_cstr(&path), buf_view(&text), NULL, &f->e) == 0);
    flags.kubeconfig = buf_view(&path);
    config = kube_config_load(&flags, &f->e);
    f->kube = config ? kube_new(config, &f->e) : NULL;
    CHECK_OK(&f->e);
    f->store = chart_store_new(f->kube, STR("default"), driver);
    f->other = chart_store_new(f->kube, STR("default"), driver);
    f->lost = cancel_new(NULL, CLOCK_NEVER);
    chart_store_on_lost(f->store, f->lost);
}

static void fixture_done(struct fixture *f)
{
    chart_store_free(f->store);
    chart_store_free(f->other);
    cancel_free(f->lost);
    kube_free(f->kube);
    sandbox_stop(f->sb);
    err_done(&f->e);
}
AUTO_VALUE(struct fixture, fixture_done)

static void make(int revision, const char *status, struct chart_record *ret)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf json = {0};

    buf_addf(&json,
             "{\"name\":\"web\",\"namespace\":\"default\",\"version\":%d,\"info\":{\"status\":"
             "\"%s\"}}",
             revision, status);
    CHECK(chart_record_parse(buf_view(&json), ret, &e) == 0);
}

static void create(struct fixture *f, struct chart_store *store, int revision, const char *status)
{
    AUTO(chart_record_done) struct chart_record r = {0};

    make(revision, status, &r);
    CHECK(chart_store_create(store, &r, NULL, &f->e) == 0);
    CHECK_OK(&f->e);
}

/* A member of the Secret of a revision. */
static void member(struct fixture *f, int revision, const char *path, const char *key,
                   struct buf *ret)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(kube_object_done) struct kube_object o = {0};
    struct kube_ref ref = {.type = kube_type_of(f->kube, STR("v1"), STR("Secret"), NULL, &f->e),
                           .ns = STR("default"),
                           .name =
                               arena_printf(&set->arena, "sh.helm.release.v1.web.v%d", revision)};

    buf_clear(ret);
    CHECK(kube_get(f->kube, &ref, NULL, &o, &f->e) == 0);
    CHECK_OK(&f->e);
    buf_add_str(ret, doc_text(doc_get(doc_at(o.root, path), str_of(key)), STR("")));
}

static void age_lease(struct fixture *f, const char *name)
{
    CHECK(sandbox_merge(f->sb, STR("v1"), STR("Secret"), STR("default"), str_of(name),
                        STR("{\"metadata\":{\"annotations\":{\"grapnel.dev/renewed\":\"2020-01-"
                            "01T00:00:00Z\"}}}"),
                        &f->e) == 0);
}

TEST(a_record_reads_back_with_its_labels)
{
    static const enum chart_driver drivers[] = {CHART_SECRETS, CHART_CONFIGMAPS};

    for (size_t i = 0; i < ARRAY_LEN(drivers); i++) {
        AUTO(fixture_done) struct fixture f = {0};
        AUTO(chart_record_done) struct chart_record r = {0}, back = {0};
        AUTO(chart_records_done) struct chart_records all = {0};

        start(&f, drivers[i]);
        make(1, "deployed", &r);
        r.labels = doc_new_map(r.set);
        doc_set_string(r.set, r.labels, STR("team"), STR("x"));
        CHECK(chart_store_create(f.store, &r, NULL, &f.e) == 0);
        chart_record_set_status(&r, CHART_SUPERSEDED, STR("old"));
        CHECK(chart_store_update(f.store, &r, NULL, &f.e) == 0);
        CHECK_OK(&f.e);
        CHECK(chart_store_get(f.store, STR("web"), 0, NULL, &back, &f.e) == 0);
        CHECK_INT(back.status, CHART_SUPERSEDED, "status");
        CHECK_INT((long long)doc_len(back.labels), 1, "the user's labels");
        CHECK_INT((long long)doc_len(back.all_labels), 7, "createdAt stays beside modifiedAt");
        CHECK(back.stored_s > 0);
        CHECK(chart_store_list(f.store, STR("team=x"), NULL, &all, &f.e) == 0);
        CHECK_INT((long long)all.len, 1, "listed by label");
        CHECK(chart_store_get(f.store, STR("web"), 7, NULL, &back, &f.e) < 0);
        CHECK_STR(str_of(err_text(&f.e)), STR("release: not found"), "another revision");
    }
}

TEST(a_revision_is_made_once)
{
    AUTO(fixture_done) struct fixture f = {0};
    AUTO(chart_record_done) struct chart_record r = {0};

    start(&f, CHART_SECRETS);
    create(&f, f.store, 1, "pending-install");
    make(1, "pending-install", &r);
    CHECK(chart_store_create(f.other, &r, NULL, &f.e) < 0);
    CHECK_INT(f.e.kind, ERR_EXISTS, err_text(&f.e));
}

TEST(a_pending_record_carries_a_lease_until_it_is_not)
{
    AUTO(fixture_done) struct fixture f = {0};
    AUTO(chart_record_done) struct chart_record r = {0};
    AUTO(buf_done) struct buf text = {0};

    start(&f, CHART_SECRETS);
    make(1, "pending-install", &r);
    CHECK(chart_store_create(f.store, &r, NULL, &f.e) == 0);
    CHECK_OK(&f.e);
    CHECK(r.holder.len > 0);
    member(&f, 1, "metadata/annotations", "grapnel.dev/holder", &text);
    CHECK_STR(buf_view(&text), r.holder, "holder");
    CHECK(chart_store_update(f.store, &r, NULL, &f.e) == 0);
    chart_record_set_status(&r, CHART_DEPLOYED, STR("Install complete"));
    CHECK(chart_store_update(f.store, &r, NULL, &f.e) == 0);
    CHECK_OK(&f.e);
    member(&f, 1, "metadata/annotations", "grapnel.dev/holder", &text);
    CHECK_STR(buf_view(&text), STR(""), "given up");
    member(&f, 1, "metadata/labels", "status", &text);
    CHECK_STR(buf_view(&text), STR("deployed"), "label");
}

TEST(an_answer_that_was_lost_is_no_failure)
{
    static const char *const methods[] = {"POST", "PATCH"};

    for (size_t i = 0; i < ARRAY_LEN(methods); i++) {
        AUTO(fixture_done) struct fixture f = {0};
        AUTO(chart_record_done) struct chart_record r = {0};
        struct sandbox_fault fault = {.kind = FAULT_RESET,
                                      .point = POINT_HEADER,
                                      .method = str_of(methods[i]),
                                      .path = STR("*secrets*")};

        start(&f, CHART_SECRETS);
        CHECK(sandbox_fault_add(f.sb, &fault, &f.e) == 0);
        make(1, "pending-install", &r);
        CHECK(chart_store_create(f.store, &r, NULL, &f.e) == 0);
        chart_record_set_status(&r, CHART_DEPLOYED, STR(""));
        CHECK(chart_store_update(f.store, &r, NULL, &f.e) == 0);
        CHECK_OK(&f.e);
        CHECK_INT(sandbox_fault_hits(f.sb), 1, methods[i]);
    }
}

TEST(who_lost_the_lease_writes_no_more)
{
    AUTO(fixture_done) struct fixture f = {0};
    AUTO(chart_record_done) struct chart_record mine = {0}, theirs = {0}, live = {0};

    start(&f, CHART_SECRETS);
    make(1, "pending-install", &mine);
    CHECK(chart_store_create(f.store, &mine, NULL, &f.e) == 0);
    CHECK(chart_store_get(f.other, STR("web"), 0, NULL, &live, &f.e) == 0);
    CHECK(chart_store_claim(f.other, &live, 0, true, NULL, &f.e) < 0);
    CHECK_INT(f.e.kind, ERR_CONFLICT, "alive: not even unlock takes it");
    CHECK(str_contains(str_of(err_text(&f.e)), mine.holder));
    err_done(&f.e);
    age_lease(&f, "sh.helm.release.v1.web.v1");
    CHECK(chart_store_get(f.other, STR("web"), 0, NULL, &theirs, &f.e) == 0);
    CHECK(chart_store_claim(f.other, &theirs, 0, false, NULL, &f.e) == 0);
    CHECK_OK(&f.e);
    CHECK_INT(theirs.status, CHART_FAILED, "taken over");
    CHECK(!cancel_is_set(f.lost));
    chart_record_set_status(&mine, CHART_DEPLOYED, STR(""));
    CHECK(chart_store_update(f.store, &mine, NULL, &f.e) < 0);
    CHECK_INT(f.e.kind, ERR_CONFLICT, err_text(&f.e));
    CHECK(cancel_is_set(f.lost));
}

TEST(a_record_of_another_tool_is_taken_over_when_it_is_old)
{
    AUTO(fixture_done) struct fixture f = {0};
    AUTO(chart_record_done) struct chart_record r = {0};

    start(&f, CHART_SECRETS);
    create(&f, f.other, 1, "deployed");
    create(&f, f.other, 2, "pending-upgrade");
    CHECK(sandbox_merge(f.sb, STR("v1"), STR("Secret"), STR("default"),
                        STR("sh.helm.release.v1.web.v2"),
                        STR("{\"metadata\":{\"annotations\":null}}"), &f.e) == 0);
    CHECK(chart_store_get(f.store, STR("web"), 0, NULL, &r, &f.e) == 0);
    CHECK(chart_store_claim(f.store, &r, 1000, false, NULL, &f.e) < 0);
    CHECK(str_contains(str_of(err_text(&f.e)), STR("unlock web")));
    err_done(&f.e);
    r.stored_s -= 301;
    CHECK(chart_store_claim(f.store, &r, 400000, false, NULL, &f.e) < 0);
    err_done(&f.e);
    CHECK(chart_store_claim(f.store, &r, 1000, false, NULL, &f.e) == 0);
    CHECK_OK(&f.e);
    CHECK_STR(chart_record_description(&r), STR("taken over after its client was lost"), "why");
}

TEST(old_records_go_but_never_the_deployed_one)
{
    static const struct {
        int max, want;
    } rows[] = {{0, 5}, {10, 5}, {6, 5}, {5, 4}, {3, 2}, {1, 1}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(fixture_done) struct fixture f = {0};
        AUTO(chart_records_done) struct chart_records before = {0}, after = {0};

        start(&f, CHART_SECRETS);
        create(&f, f.store, 1, "superseded");
        create(&f, f.store, 2, "deployed");
        for (int n = 3; n <= 5; n++)
            create(&f, f.store, n, "failed");
        CHECK(chart_store_history(f.store, STR("web"), NULL, &before, &f.e) == 0);
        CHECK(chart_store_prune(f.store, &before, rows[i].max, NULL, &f.e) == 0);
        CHECK(chart_store_history(f.store, STR("web"), NULL, &after, &f.e) == 0);
        CHECK_OK(&f.e);
        CHECK_INT((long long)after.len, rows[i].want, "records left");
        CHECK(chart_records_deployed(&after));
        CHECK_INT(chart_records_last(&after)->revision, rows[i].max == 1 ? 2 : 5, "the last");
    }
}

TEST(deleting_ends_the_lease_and_forgives_what_is_gone)
{
    AUTO(fixture_done) struct fixture f = {0};
    AUTO(chart_record_done) struct chart_record r = {0};

    start(&f, CHART_SECRETS);
    make(1, "uninstalling", &r);
    CHECK(chart_store_create(f.store, &r, NULL, &f.e) == 0);
    CHECK(chart_store_delete(f.store, &r, NULL, &f.e) == 0);
    CHECK(chart_store_delete(f.store, &r, NULL, &f.e) == 0);
    CHECK_OK(&f.e);
}

TEST(damaged_records_are_left_out_of_lists)
{
    AUTO(fixture_done) struct fixture f = {0};
    AUTO(chart_records_done) struct chart_records all = {0};

    start(&f, CHART_SECRETS);
    create(&f, f.store, 1, "deployed");
    CHECK(sandbox_put(f.sb,
                      STR("{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"sh."
                          "helm.release.v1.web.v2\",\"namespace\":\"default\",\"labels\":{"
                          "\"owner\":\"helm\",\"name\":\"web\"}},\"data\":{\"release\":\"aGk=\"}}"),
                      &f.e) == 0);
    CHECK(chart_store_history(f.store, STR("web"), NULL, &all, &f.e) == 0);
    CHECK_OK(&f.e);
    CHECK_INT((long long)all.len, 1, "records");
}

/* ---- renewing */

TEST(the_lease_is_renewed_while_an_operation_runs)
{
    AUTO(fixture_done) struct fixture f = {0};
    AUTO(buf_done) struct buf before = {0}, after = {0};
    int tries = 0;
    clock_ms end;

    start(&f, CHART_SECRETS);
    clock_jumps_begin(NULL);
    end = clock_now_us() / 1000 + TEST_PATIENCE_MS;
    create(&f, f.store, 1, "pending-install");
    member(&f, 1, "metadata/annotations", "grapnel.dev/renewed", &before);
    do {
        if (tries++ % 25 == 0) /* again: on a busy machine the thread may begin only now */
            clock_jump(11000);
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        member(&f, 1, "metadata/annotations", "grapnel.dev/renewed", &after);
    } while (str_eq(buf_view(&before), buf_view(&after)) && clock_now_us() / 1000 < end);
    CHECK(!str_eq(buf_view(&before), buf_view(&after)));
    chart_store_free(f.store); /* gives it up */
    f.store = NULL;
    member(&f, 1, "metadata/annotations", "grapnel.dev/holder", &after);
    CHECK_STR(buf_view(&after), STR(""), "given up at the end");
    clock_jumps_end();
}

TEST(drivers_that_are_none_are_refused_by_name)
{
    static const struct {
        const char *word, *want;
    } rows[] = {
        {"sql", "SQL databases are not supported"},
        {"memory", "keeps no release"},
        {"etcd", "etcd is no driver"},
    };
    enum chart_driver driver;

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};

        CHECK(chart_driver_of(str_of(rows[i].word), &driver, &e) < 0);
        CHECK(str_contains(str_of(err_text(&e)), str_of(rows[i].want)));
    }
}
