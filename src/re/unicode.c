#include "re/unicode.h"

static const struct re_unicode_class *find_exact(str name)
{
    size_t low = 0, high = re_unicode_class_count;

    while (low < high) {
        size_t middle = (low + high) / 2;
        const struct re_unicode_class *c = &re_unicode_classes[middle];
        int way = str_cmp(name, str_of(c->name));

        if (way == 0)
            return c;
        if (way < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

/* The next character of a name that counts, in lower case; 0 at the end. */
static char next_char(str name, size_t *at)
{
    while (*at < name.len) {
        char c = name.p[(*at)++];

        if (c != '_' && c != '-')
            return (char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
    }
    return 0;
}

static bool is_same_name(str a, str b)
{
    size_t i = 0, j = 0;
    char c;

    do {
        c = next_char(a, &i);
        if (c != next_char(b, &j))
            return false;
    } while (c);
    return true;
}

static const struct re_unicode_class *find_loose(str name)
{
    for (size_t i = 0; i < re_unicode_class_count; i++)
        if (is_same_name(name, str_of(re_unicode_classes[i].name)))
            return &re_unicode_classes[i];
    return NULL;
}

bool re_unicode_class(str name, const struct re_range **ret_ranges, size_t *ret_count)
{
    const struct re_unicode_class *c = find_exact(name);

    if (!c)
        c = find_loose(name);
    if (!c)
        return false;
    *ret_ranges = re_unicode_ranges + c->first;
    *ret_count = c->count;
    return true;
}

bool re_unicode_is(const char *class_name, uint32_t code_point)
{
    const struct re_range *ranges;
    size_t low = 0, high, count;

    if (!re_unicode_class(str_of(class_name), &ranges, &count))
        return false;
    for (high = count; low < high;) {
        size_t middle = (low + high) / 2;

        if (code_point > ranges[middle].hi)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && ranges[low].lo <= code_point;
}

size_t re_unicode_fold_row(uint32_t code_point)
{
    size_t low = 0, high = re_fold_count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (code_point > re_folds[middle].hi)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t re_unicode_fold(uint32_t code_point)
{
    size_t row = re_unicode_fold_row(code_point);

    if (row == re_fold_count || re_folds[row].lo > code_point ||
        (code_point - re_folds[row].lo) % re_folds[row].stride != 0)
        return code_point;
    return code_point + (uint32_t)re_folds[row].delta;
}
