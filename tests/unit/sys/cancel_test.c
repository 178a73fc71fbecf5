#include "sys/cancel.h"

#include <poll.h>
#include <stdatomic.h>

#include "support/test.h"
#include "sys/thread.h"

static bool is_readable(int fd)
{
    struct pollfd p = {fd, POLLIN, 0};

    return poll(&p, 1, 0) == 1;
}

TEST(cancel_reaches_every_node_below_and_none_above)
{
    struct cancel *root = cancel_new(NULL, CLOCK_NEVER);
    struct cancel *a = cancel_new(root, CLOCK_NEVER), *b = cancel_new(root, CLOCK_NEVER);
    struct cancel *a1 = cancel_new(a, CLOCK_NEVER), *a2 = cancel_new(a, CLOCK_NEVER);
    AUTO(err_done) struct err e = {0};
    struct cancel *late;

    CHECK_INT(cancel_check(a1, &e), 0, "before");
    cancel_trigger(a, ERR_CANCELED, "stop a");
    cancel_trigger(a, ERR_TIMEOUT, "a second reason");
    CHECK(cancel_is_set(a) && cancel_is_set(a1) && cancel_is_set(a2));
    CHECK(!cancel_is_set(root) && !cancel_is_set(b));
    CHECK_INT(cancel_check(a2, &e), -1, "below");
    CHECK_INT(e.kind, ERR_CANCELED, "kind");
    CHECK_STR(str_of(err_text(&e)), STR("stop a"), "the first reason stays");
    late = cancel_new(a1, CLOCK_NEVER);
    CHECK(cancel_is_set(late));
    CHECK(is_readable(cancel_fd(late)) && !is_readable(cancel_fd(b)));
    cancel_trigger(root, ERR_CANCELED, "all");
    CHECK(is_readable(cancel_fd(b)));
    cancel_free(late);
    cancel_free(a1), cancel_free(a2), cancel_free(a), cancel_free(b), cancel_free(root);
}

static clock_ms fake_time;
static clock_ms fake_now(void) { return fake_time; }

TEST(cancel_counts_a_passed_deadline_of_an_ancestor)
{
    struct cancel *root, *child;
    AUTO(err_done) struct err e = {0};

    fake_time = 100;
    clock_replace(fake_now);
    root = cancel_new(NULL, 150);
    child = cancel_new(root, 400);
    CHECK_INT(cancel_deadline(child), 150, "the earliest counts");
    CHECK(cancel_deadline(NULL) == CLOCK_NEVER);
    CHECK(!cancel_is_set(child));
    fake_time = 150;
    CHECK(cancel_is_set(child));
    cancel_trigger(root, ERR_CANCELED, "too late to be the reason");
    CHECK_INT(cancel_check(child, &e), -1, "check");
    CHECK_INT(e.kind, ERR_TIMEOUT, "the deadline came first");
    clock_replace(NULL);
    cancel_free(child);
    cancel_free(root);
}

TEST(cancel_null_is_never_cancelled)
{
    AUTO(err_done) struct err e = {0};

    CHECK(!cancel_is_set(NULL));
    CHECK_INT(cancel_check(NULL, &e), 0, "check");
    CHECK_INT(cancel_sleep(NULL, 2, &e), 0, "sleep");
    CHECK_INT(cancel_fd(NULL), -1, "fd");
    cancel_unwatch(NULL, cancel_watch(NULL, NULL, NULL));
    cancel_free(NULL);
}

static void trigger_soon(void *ctx)
{
    AUTO(err_done) struct err e = {0};

    cancel_sleep(NULL, 5, &e);
    cancel_trigger(ctx, ERR_CANCELED, "from another thread");
}

TEST(cancel_ends_a_sleep_of_another_thread)
{
    struct cancel *root = cancel_new(NULL, CLOCK_NEVER);
    struct cancel *child = cancel_new(root, CLOCK_NEVER);
    AUTO(err_done) struct err e = {0};
    struct thread *t = thread_start("trigger", trigger_soon, root, &e);

    CHECK(t != NULL);
    CHECK_INT(cancel_sleep(child, TEST_PATIENCE_MS, &e), -1, "sleep");
    CHECK_INT(e.kind, ERR_CANCELED, "kind");
    thread_join(t);
    cancel_free(child);
    cancel_free(root);
}

TEST(cancel_sleep_ends_at_the_time_or_at_the_deadline)
{
    struct cancel *late = cancel_new(NULL, clock_after(TEST_PATIENCE_MS));
    AUTO(err_done) struct err e = {0};
    clock_ms begin = clock_now();
    struct cancel *soon;

    CHECK_INT(cancel_sleep(late, 3, &e), 0, "short");
    CHECK(clock_now() - begin >= 3);
    begin = clock_now();
    soon = cancel_new(NULL, clock_after(20));
    CHECK_INT(cancel_sleep(soon, TEST_PATIENCE_MS, &e), -1, "long");
    CHECK_INT(e.kind, ERR_TIMEOUT, "kind");
    CHECK(clock_now() - begin >= 20);
    cancel_free(soon);
    cancel_free(late);
}

struct seen {
    struct cancel *c;
    struct cancel_watch *watch;
    atomic_int calls;
};

static void count_call(void *ctx) { atomic_fetch_add(&((struct seen *)ctx)->calls, 1); }

static void unwatch_self(void *ctx)
{
    struct seen *s = ctx;

    atomic_fetch_add(&s->calls, 1);
    cancel_unwatch(s->c, s->watch);
}

TEST(cancel_watch_is_called_once_or_never)
{
    struct cancel *root = cancel_new(NULL, CLOCK_NEVER);
    struct cancel *child = cancel_new(root, CLOCK_NEVER);
    struct seen kept = {.c = child}, dropped = {.c = child}, self = {.c = root}, late = {.c = root};

    kept.watch = cancel_watch(child, count_call, &kept);
    dropped.watch = cancel_watch(child, count_call, &dropped);
    self.watch = cancel_watch(root, unwatch_self, &self);
    cancel_unwatch(child, dropped.watch);
    cancel_trigger(root, ERR_CANCELED, "x");
    cancel_trigger(root, ERR_CANCELED, "y");
    late.watch = cancel_watch(root, count_call, &late);
    CHECK_INT(kept.calls, 1, "kept");
    CHECK_INT(dropped.calls, 0, "dropped");
    CHECK_INT(self.calls, 1, "unwatched by itself");
    CHECK_INT(late.calls, 1, "added too late");
    cancel_unwatch(child, kept.watch);
    cancel_unwatch(root, late.watch);
    cancel_free(child);
    cancel_free(root);
}

/* Many nodes come, are watched, wait a moment and go: before the root is triggered, meanwhile, and
 * for some time after. */
struct crowd {
    struct cancel *root;
    atomic_int begun, calls, ended;
};

static void live_and_die(void *ctx)
{
    struct crowd *crowd = ctx;

    for (int i = 0, after = 0; after < 20; i++) {
        AUTO(err_done) struct err e = {0};
        struct cancel *c = cancel_new(crowd->root, CLOCK_NEVER);
        struct seen s = {.c = c};

        s.watch = cancel_watch(c, count_call, &s);
        cancel_sleep(c, i % 3, &e);
        cancel_unwatch(c, s.watch);
        after += cancel_is_set(c);
        atomic_fetch_add(&crowd->begun, i == 0);
        atomic_fetch_add(&crowd->calls, s.calls);
        CHECK(s.calls <= 1);
        cancel_free(c);
    }
    atomic_fetch_add(&crowd->ended, 1);
}

TEST(cancel_nodes_come_and_go_while_the_root_is_triggered)
{
    struct crowd crowd = {.root = cancel_new(NULL, CLOCK_NEVER)};
    struct thread *threads[6];
    AUTO(err_done) struct err e = {0};

    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        threads[i] = thread_start("crowd", live_and_die, &crowd, &e);
    while (crowd.begun < (int)ARRAY_LEN(threads))
        cancel_sleep(NULL, 1, &e);
    cancel_sleep(NULL, 10, &e); /* some more come and go */
    cancel_trigger(crowd.root, ERR_CANCELED, "enough");
    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        thread_join(threads[i]);
    CHECK_INT(crowd.ended, (int)ARRAY_LEN(threads), "threads that ended");
    CHECK(crowd.calls > 0);
    cancel_free(crowd.root);
}
