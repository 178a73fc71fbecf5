#include "expr/semver/semver.h"

#include "support/test.h"

static struct semver version_of(const char *text)
{
    AUTO(err_done) struct err e = {0};
    struct semver v;

    if (semver_parse(str_of(text), SEMVER_LENIENT, &v, &e) < 0)
        CHECK_OK(&e);
    return v;
}

TEST(semver_lenient_reading_fills_up_and_drops_zeros)
{
    static const char *const rows[][2] = {
        {"v1.2", "1.2.0"}, {"07.1", "7.1.0"}, {"3-rc.1+b7", "3.0.0-rc.1+b7"}, {"1.2.3", "1.2.3"}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf out = {0};
        struct semver v = version_of(rows[i][0]);

        semver_print(&v, &out);
        CHECK_STR(buf_view(&out), str_of(rows[i][1]), rows[i][0]);
    }
}

TEST(semver_refuses_with_the_reason)
{
    static const struct {
        const char *text;
        enum semver_rules rules;
        const char *why;
    } rows[] = {
        {"", SEMVER_STRICT, "version string empty"},
        {"", SEMVER_LENIENT, "invalid semantic version"},
        {"v", SEMVER_LENIENT, "invalid semantic version"},
        {"1..2", SEMVER_LENIENT, "invalid semantic version"},
        {"1.2.3-", SEMVER_LENIENT, "invalid semantic version"},
        {"1.2.3-a.01", SEMVER_LENIENT, "version segment starts with 0"},
        {"1.02.3", SEMVER_STRICT, "version segment starts with 0"},
        {"1.2", SEMVER_STRICT, "invalid semantic version"},
        {"99999999999999999999.1.1", SEMVER_LENIENT,
         "error parsing version segment: strconv.ParseUint: parsing \"99999999999999999999\": "
         "value "
         "out of range"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        struct semver v;

        CHECK(semver_parse(str_of(rows[i].text), rows[i].rules, &v, &e) < 0);
        CHECK_STR(str_of(err_text(&e)), str_of(rows[i].why), rows[i].text);
    }
}

TEST(semver_orders_by_precedence)
{
    static const char *const rising[] = {"1.0.0-1",      "1.0.0-2", "1.0.0-10", "1.0.0-a",
                                         "1.0.0-a.1",    "1.0.0",   "1.0.1",    "1.1.0",
                                         "2.0.0-rc.1+x", "2.0.0"};

    for (size_t i = 0; i < ARRAY_LEN(rising); i++)
        for (size_t k = 0; k < ARRAY_LEN(rising); k++) {
            struct semver a = version_of(rising[i]), b = version_of(rising[k]);

            CHECK_INT(semver_compare(&a, &b), (i > k) - (i < k), rising[i]);
        }
}

TEST(semver_constraints_match)
{
    static const struct {
        const char *constraint, *version;
        bool matches;
    } rows[] = {
        {"1.2 - 1.4", "1.4.9", true},
        {">0, 1.2 - 1.4", "1.3.0", true},
        {"1.2 - 1.4 <1.3", "1.3.0", false},
        {"x.1x", "1.3.0", true},
        {"1.2 - 1.4", "1.5.0", false},
        {"~> 2.1.3", "2.1.9", true},
        {"=> 1, =< 2", "2.7.0", true},
        {"^0.0.4", "0.0.5", false},
        {"> 1.2-0", "1.3.0-rc1", true},
        {"!= 1.x", "2.0.0", true},
        {"!= 1.x", "1.9.0", false},
        {"<1 || >3", "4.0.0", true},
        {"<1 || >3", "2.0.0", false},
        {">=1.0.0-0 <1.1", "1.0.5-rc1", true},
        {">=1 <1.1 || 9-0", "1.0.5-rc1", false},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(semver_constraint_free)
        struct semver_constraint *c = semver_constraint_parse(str_of(rows[i].constraint), &e);
        struct semver v = version_of(rows[i].version);

        CHECK_OK(&e);
        CHECK_INT(c && semver_matches(c, &v, false), rows[i].matches, rows[i].constraint);
    }
}

TEST(semver_constraints_that_are_none)
{
    static const char *const rows[] = {"",       "1,",      ">",      "a",      "1.2.3.4",
                                       "1.2~ 1", "=>=1",    "1 - >2", "1 - =2", ">1 - 2",
                                       "=1 - 2", "1 2 - 3", "x.1a",   "*.*.xa"};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(buf_done) struct buf want = {0};

        buf_addf(&want, "improper constraint: \"%s\"", rows[i]);
        CHECK(!semver_constraint_parse(str_of(rows[i]), &e));
        CHECK_STR(str_of(err_text(&e)), buf_view(&want), rows[i]);
    }
}

TEST(the_part_of_a_constraint_that_is_none_is_named)
{
    AUTO(err_done) struct err e = {0};

    CHECK(!semver_constraint_parse(STR("1 || a ||"), &e));
    CHECK_STR(str_of(err_text(&e)), STR("improper constraint: \" a \""), "");
}
