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

static unsigned char next_byte;
static void count_up(void *p, size_t len)
{
    memset(p, 0, len);
    *(unsigned char *)p = next_byte++;
}

TEST(random_can_be_replaced_and_stays_below_its_limit)
{
    AUTO(buf_done) struct buf name = {0};

    random_replace(count_up);
    next_byte = 27; /* of the 27 letters the first; what is below 25 would be uneven */
    random_suffix(5, &name);
    CHECK_STR(buf_view(&name), STR("bcdfg"), "suffix");
    random_replace(NULL);
    for (uint64_t limit = 1; limit < 70; limit += 3)
        CHECK(random_below(limit) < limit);
    CHECK(random_u64() != random_u64());
}
