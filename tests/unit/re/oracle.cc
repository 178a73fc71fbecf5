#include "oracle.h"

#include <re2/re2.h>

#include <vector>

struct oracle {
    RE2 re;
};

struct oracle *oracle_new(const char *pattern, size_t len, bool is_literal, bool *ret_too_large)
{
    RE2::Options options;

    options.set_log_errors(false);
    options.set_literal(is_literal);
    auto *o = new oracle{RE2(re2::StringPiece(pattern, len), options)};
    *ret_too_large = o->re.error_code() == RE2::ErrorPatternTooLarge;
    if (o->re.ok())
        return o;
    delete o;
    return nullptr;
}

void oracle_free(struct oracle *o) { delete o; }

int oracle_groups(const struct oracle *o) { return o->re.NumberOfCapturingGroups(); }

bool oracle_find(const struct oracle *o, const char *text, size_t len, size_t from, long *spans,
                 int count)
{
    std::vector<re2::StringPiece> groups(static_cast<size_t>(count));

    if (!o->re.Match(re2::StringPiece(text, len), from, len, RE2::UNANCHORED, groups.data(), count))
        return false;
    for (int i = 0; i < count; i++) {
        const char *p = groups[static_cast<size_t>(i)].data();

        spans[2 * i] = p ? p - text : -1;
        spans[2 * i + 1] =
            p ? p - text + static_cast<long>(groups[static_cast<size_t>(i)].size()) : -1;
    }
    return true;
}

bool oracle_full(const struct oracle *o, const char *text, size_t len)
{
    return o->re.Match(re2::StringPiece(text, len), 0, len, RE2::ANCHOR_BOTH, nullptr, 0);
}
