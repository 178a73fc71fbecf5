#include "run/decide.h"

#include "base/vec.h"
#include "support/test.h"

/* a and b need nothing; c needs b and a; d needs c; x is skipped from the start and needs a. */
static const size_t needs_c[] = {1, 0}, needs_d[] = {2}, needs_x[] = {0};

static void define(struct run_step *steps)
{
    steps[0] = (struct run_step){.name = STR("a"), .retries = 1};
    steps[1] = (struct run_step){.name = STR("b")};
    steps[2] = (struct run_step){.name = STR("c"), .needs = needs_c, .need_count = 2};
    steps[3] = (struct run_step){.name = STR("d"), .needs = needs_d, .need_count = 1};
    steps[4] = (struct run_step){
        .name = STR("x"), .needs = needs_x, .need_count = 1, .skip_reason = STR("given")};
}

static void print(const struct run_state *s, const struct run_actions *actions, struct buf *out)
{
    static const char *const names[] = {"queue", "attempt", "pause", "ok", "fail", "skip"};

    for (size_t i = 0; i < actions->len; i++) {
        const struct run_action *a = &actions->v[i];

        buf_addf(out, "%s%s %.*s", out->len ? ", " : "", names[a->type],
                 STR_ARG(s->steps[a->step].name));
        if (a->type == RUN_DO_ATTEMPT)
            buf_addf(out, " %d", a->attempt);
        if (a->type == RUN_DO_SKIP) {
            buf_add_str(out, STR(" ("));
            run_skip_text(s, a, out);
            buf_add_char(out, ')');
        }
    }
}

struct event {
    enum run_input input;
    size_t step;
    bool is_canceled;
    const char *want;
};

static void play(enum run_on_error on_error, const struct event *events, size_t count)
{
    AUTO(run_state_done) struct run_state s = {0};
    struct run_step steps[5];

    define(steps);
    for (size_t i = 0; i < ARRAY_LEN(steps); i++)
        steps[i].on_error = on_error;
    CHECK(run_state_init(&s, steps, ARRAY_LEN(steps)));
    for (size_t i = 0; i < count; i++) {
        AUTO(buf_done) struct buf got = {0};
        struct run_actions actions = {0};

        CHECK(!run_state_has_ended(&s));
        run_decide(&s, events[i].input, events[i].step, events[i].is_canceled, &actions);
        print(&s, &actions, &got);
        CHECK_STR(buf_view(&got), str_of(events[i].want), events[i].want);
        vec_done(&actions);
    }
    CHECK(run_state_has_ended(&s));
}
#define PLAY(on_error, ...)                                  \
    do {                                                     \
        static const struct event events_[] = {__VA_ARGS__}; \
        play(on_error, events_, ARRAY_LEN(events_));         \
    } while (0)

TEST(decide_a_run_that_succeeds_level_by_level)
{
    PLAY(RUN_FAIL, {RUN_IN_BEGIN, 0, false, "queue a, queue b"},
         {RUN_IN_TAKEN, 1, false, "attempt b 1"}, {RUN_IN_TAKEN, 0, false, "attempt a 1"},
         {RUN_IN_OK, 1, false, "ok b"}, {RUN_IN_ERROR, 0, false, "pause a"},
         {RUN_IN_PAUSED, 0, false, "attempt a 2"},
         {RUN_IN_OK, 0, false, "ok a, queue c, skip x (given)"},
         {RUN_IN_TAKEN, 2, false, "attempt c 1"}, {RUN_IN_OK, 2, false, "ok c, queue d"},
         {RUN_IN_TAKEN, 3, false, "attempt d 1"}, {RUN_IN_OK, 3, false, "ok d"});
}

TEST(decide_a_failure_stops_later_levels_only)
{
    PLAY(RUN_FAIL, {RUN_IN_BEGIN, 0, false, "queue a, queue b"},
         {RUN_IN_TAKEN, 1, false, "attempt b 1"}, {RUN_IN_ERROR, 1, false, "fail b"},
         {RUN_IN_TAKEN, 0, false, "attempt a 1"}, /* queued before: it still starts */
         {RUN_IN_OK, 0, false,
          "ok a, skip c (a previous step failed with onError=fail), skip x (given), "
          "skip d (a previous step failed with onError=fail)"});
}

TEST(decide_continue_skips_dependents_and_names_the_need)
{
    PLAY(RUN_CONTINUE, {RUN_IN_BEGIN, 0, false, "queue a, queue b"},
         {RUN_IN_TAKEN, 0, false, "attempt a 1"}, {RUN_IN_ERROR, 0, false, "pause a"},
         {RUN_IN_TAKEN, 1, false, "attempt b 1"}, {RUN_IN_ERROR, 1, false, "fail b"},
         {RUN_IN_PAUSED, 0, false, "attempt a 2"},
         {RUN_IN_ERROR, 0, false,
          "fail a, skip c (needs \"b\" which did not succeed), skip x (given), "
          "skip d (needs \"c\" which did not succeed)"});
}

TEST(decide_cancel_ends_retries_and_skips_what_waits)
{
    PLAY(RUN_CONTINUE, {RUN_IN_BEGIN, 0, false, "queue a, queue b"},
         {RUN_IN_TAKEN, 0, false, "attempt a 1"}, {RUN_IN_ERROR, 0, true, "fail a"},
         {RUN_IN_TAKEN, 1, true,
          "skip b (run canceled), skip c (run canceled), skip x (given), skip d (run canceled)"});
    PLAY(RUN_CONTINUE, {RUN_IN_BEGIN, 0, false, "queue a, queue b"},
         {RUN_IN_TAKEN, 0, false, "attempt a 1"}, {RUN_IN_TAKEN, 1, false, "attempt b 1"},
         {RUN_IN_ERROR, 0, false, "pause a"}, {RUN_IN_PAUSED, 0, true, "fail a"},
         {RUN_IN_OK, 1, true, /* finished in spite of it */
          "ok b, skip c (run canceled), skip x (given), skip d (run canceled)"});
    PLAY(RUN_FAIL,
         {RUN_IN_BEGIN, 0, true,
          "skip a (run canceled), skip b (run canceled), skip c (run canceled), skip x (given), "
          "skip d (run canceled)"});
}

TEST(decide_refuses_a_cycle)
{
    static const size_t self[] = {0};
    struct run_step step = {.name = STR("a"), .needs = self, .need_count = 1};
    AUTO(run_state_done) struct run_state s = {0}, empty = {0};

    CHECK(!run_state_init(&s, &step, 1));
    CHECK(run_state_init(&empty, NULL, 0));
    CHECK(run_state_has_ended(&empty));
}
