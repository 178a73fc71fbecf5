#include "sys/env.h"

#include "support/test.h"
#include "sys/random.h"

static char *const vars[] = {(char[]){"HOME=/h"}, (char[]){"HOMER=no"}, (char[]){"EMPTY="},
                             (char[]){"EQ=a=b"}, NULL};

TEST(env_reads_the_replaced_environment)
{
    env_replace(vars);
    CHECK_STR(str_of(env_get("HOME")), STR("/h"), "HOME");
    CHECK_STR(str_of(env_get("EQ")), STR("a=b"), "EQ");
    CHECK(env_get("EMPTY") && !*env_get("EMPTY"));
    CHECK(!env_get("HOM"));
    env_replace(NULL);
    CHECK(env_get("PATH") != NULL);
}

TEST(env_list_sets_replaces_and_ends_in_null)
{
    AUTO(env_list_done) struct env_list list = {0};

    env_replace(vars);
    env_list_inherit(&list);
    env_replace(NULL);
    CHECK_INT((int)list.len, 4, "inherited");
    env_list_set(&list, STR("HOME"), STR("/other"));
    env_list_unset(&list, STR("EMPTY"));
    env_list_unset(&list, STR("NONE"));
    CHECK_INT((int)list.len, 3, "len");
    CHECK_STR(str_of(list.v[2]), STR("HOME=/other"), "last");
    CHECK(!list.v[3]);
}

/* 4 * 27^13 and, in base 27, the digits 0 to 12 from the lowest on: the first thirteen letters. */
static void fill_digits(void *p, size_t len)
{
    uint64_t n = UINT64_C(18074635778627534682);

    memcpy(p, &n, MIN(len, sizeof(n)));
}

TEST(random_can_be_replaced_and_stays_below_its_limit)
{
    AUTO(buf_done) struct buf name = {0};
    AUTO(buf_done) struct buf longer = {0};

    random_replace(fill_digits);
    random_suffix(5, &name);
    CHECK_STR(buf_view(&name), STR("bcdfg"), "suffix");
    random_suffix(15, &longer);
    CHECK_STR(buf_view(&longer), STR("bcdfghjklmnpqbc"), "what one number does not hold");
    random_replace(NULL);
    for (uint64_t limit = 1; limit < 70; limit += 3)
        CHECK(random_below(limit) < limit);
    CHECK(random_u64() != random_u64());
}
