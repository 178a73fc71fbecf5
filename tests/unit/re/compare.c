#include "unit/re/compare.h"

#include "re/re.h"
#include "unit/re/oracle.h"

enum { GROUPS = 12 };
static char difference[512];

/* What libre2 of Debian 12 reads otherwise than RE2's and Go's syntax of today: \C, (?<name>…),
 * names of classes that it does not know yet, and what Go refuses. */
static bool is_known_difference(str pattern)
{
    return !str_is_utf8(pattern, NULL) || str_contains(pattern, STR("\\C")) ||
           str_contains(pattern, STR("(?<")) || str_contains(pattern, STR("\\p")) ||
           str_contains(pattern, STR("\\P"));
}

static const char *compare_find(const struct re *re, const struct oracle *o, str text, size_t from)
{
    struct re_span spans[GROUPS];
    long want[2 * GROUPS];
    size_t count = MIN(re_group_count(re) + 1, (size_t)GROUPS);
    bool found = re_find(re, text, from, spans, count);

    if (found != oracle_find(o, text.p, text.len, from, want, (int)count))
        return found ? "only ours matches" : "only theirs matches";
    for (size_t i = 0; found && i < count; i++) {
        if (spans[i].from != want[2 * i] || spans[i].to != want[2 * i + 1]) {
            snprintf(difference, sizeof(difference),
                     "group %zu from %zu: ours %zd-%zd, theirs %ld-%ld", i, from, spans[i].from,
                     spans[i].to, want[2 * i], want[2 * i + 1]);
            return difference;
        }
    }
    if (found) {
        struct re_span whole;

        if (!re_find(re, text, from, &whole, 1) || whole.from != spans[0].from ||
            whole.to != spans[0].to)
            return "the bounds without groups differ from those with groups";
    }
    return "";
}

static const char *compare_compiled(const struct re *re, const struct oracle *o, str text)
{
    const char *why;

    if ((int)re_group_count(re) != oracle_groups(o))
        return "the numbers of groups differ";
    if (re_match_full(re, text) != oracle_full(o, text.p, text.len))
        return "the whole text matches for one only";
    why = compare_find(re, o, text, 0);
    if (!*why && text.len > 1)
        why = compare_find(re, o, text, text.len / 2);
    return why;
}

const char *compare_with_oracle(str pattern, str text)
{
    AUTO(err_done) struct err e = {0};
    AUTO(re_free) struct re *re = re_compile(pattern, 0, &e);
    bool is_too_large = false;
    struct oracle *o = oracle_new(pattern.p, pattern.len, false, &is_too_large);
    const char *why = "";

    text.p = text.p ? text.p : ""; /* libre2 tells groups that took no part by NULL */
    if (re && o) {
        why = compare_compiled(re, o, text);
    } else if (e.kind != ERR_LIMIT && !is_too_large && (re || o) && !is_known_difference(pattern)) {
        snprintf(difference, sizeof(difference), "%s", re ? "only theirs refuses" : err_text(&e));
        why = difference;
    }
    oracle_free(o);
    return why;
}
