#include "base/arena.h"
#include "support/test.h"

TEST(arenas_hand_out_blocks_of_every_size)
{
    static const size_t sizes[] = {0, 1, 7, 8, 100, 5000, 70000, 3000000};
    AUTO(arena_done) struct arena a = {0};
    char *blocks[ARRAY_LEN(sizes) * 64];
    size_t count = 0;

    for (size_t round = 0; round < 64; round++)
        for (size_t i = 0; i < ARRAY_LEN(sizes) - (round > 1); i++) {
            char *p = arena_alloc(&a, sizes[i]);

            memset(p, (int)count % 251, sizes[i]);
            blocks[count++] = p;
        }
    count = 0;
    for (size_t round = 0; round < 64; round++)
        for (size_t i = 0; i < ARRAY_LEN(sizes) - (round > 1); i++, count++)
            for (size_t k = 0; k < sizes[i]; k += 997)
                CHECK_INT(blocks[count][k], (char)(count % 251), "what was written stays");
}

/* A long text and a short one. */
static void fill(struct arena *a, str name, str ret[2])
{
    char *p = arena_alloc(a, 100000);

    memset(p, name.p[0], 100000);
    ret[0] = (str){p, 100000};
    ret[1] = arena_dup(a, name);
}

TEST(arena_join_takes_what_another_holds)
{
    static const str names[] = {STR_INIT("a"), STR_INIT("b"), STR_INIT("c")};
    AUTO(arena_done) struct arena a = {0};
    str texts[ARRAY_LEN(names)][2];

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        AUTO(arena_done) struct arena other = {0};

        fill(&other, names[i], texts[i]);
        arena_join(&a, &other);
        CHECK(!other.chunks);
        arena_join(&a, &other);
    }
    CHECK(a.used >= 300000);
    CHECK_STR(arena_dup(&a, STR("more")), STR("more"), "it goes on");
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        CHECK_STR(texts[i][1], names[i], "short");
        CHECK_INT(texts[i][0].p[99999], names[i].p[0], "long");
    }
}
