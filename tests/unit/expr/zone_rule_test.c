#include "expr/gotmpl/zone_rule_priv.h"

#include "support/test.h"

TEST(zone_rules_say_when_summer_is)
{
    static const struct {
        const char *rule;
        int64_t sec;
        bool is_summer;
    } rows[] = {{"CET-1CEST,M3.5.0,M10.5.0/3", 2540509200, true}, /* 2050-07-04 */
                {"CET-1CEST,M3.5.0,M10.5.0/3", 2524611600, false},
                {"AEST-10AEDT,M10.1.0,M4.1.0/3", 2540509200, false},
                {"AEST-10AEDT,M10.1.0,M4.1.0/3", 2524611600, true},
                {"EST5EDT,M3.2.0,M11.1.0", 1710053999, false}, /* 2024-03-10T06:59:59Z */
                {"EST5EDT,M3.2.0,M11.1.0", 1710054000, true},
                {"EST5EDT,M3.2.0,M11.1.0", 1730613599, true}, /* 2024-11-03T05:59:59Z */
                {"EST5EDT,M3.2.0,M11.1.0", 1730613600, false}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct zone_rule rule;

        CHECK(zone_rule_parse(str_of(rows[i].rule), &rule));
        CHECK_INT(zone_rule_is_summer(&rule, rows[i].sec), rows[i].is_summer, rows[i].rule);
    }
}

TEST(zone_rules_without_summer_have_one_offset)
{
    struct zone_rule rule;

    CHECK(zone_rule_parse(STR("<+0530>-5:30"), &rule));
    CHECK_INT(rule.standard, 19800, "offset");
    CHECK(!zone_rule_is_summer(&rule, 0));
    CHECK(!zone_rule_parse(STR("CET-1CEST,J60,J300"), &rule));
    CHECK(!zone_rule_parse(STR(""), &rule));
}
