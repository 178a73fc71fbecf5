/* What plain text of a scalar stands for to Go's YAML libraries, which decides what must be quoted.
 * Pure. */
#pragma once
#include "base/str.h"

enum plain_version {
    PLAIN_V2, /* yaml.v2 and sigs.k8s.io/yaml: YAML 1.1 words and base 60 too */
    PLAIN_V3, /* yaml.v3's nodes: true and false only, no base 60 */
};

/* Whether the text is a number, bool, null or timestamp when it stands unquoted. */
bool plain_is_other(str text, enum plain_version version);

/* False for most texts, by the first bytes alone: then plain_is_other is false too. */
static inline bool plain_may_be_other(str text)
{
    static const unsigned char first[256] = {
        ['0' ... '9'] = 2, ['+'] = 2, ['-'] = 2, ['.'] = 2, ['~'] = 2,
        ['t'] = 1,         ['T'] = 1, ['f'] = 1, ['F'] = 1, ['n'] = 1,
        ['N'] = 1,         ['y'] = 1, ['Y'] = 1, ['o'] = 1, ['O'] = 1,
    };
    char second;

    if (text.len == 0)
        return true;
    if (LIKELY(first[(unsigned char)text.p[0]] < (text.len > 5 ? 2 : 1)))
        return false;
    if (text.p[0] == '.') /* .5, .inf, .nan */
        return text.len > 1 && ((text.p[1] >= '0' && text.p[1] <= '9') ||
                                (text.p[1] | 0x20) == 'i' || (text.p[1] | 0x20) == 'n');
    if (first[(unsigned char)text.p[0]] == 2 || text.len == 1)
        return true;
    second = (char)(text.p[1] | 0x20);
    switch (text.p[0] | 0x20) {
    case 't':
        return second == 'r'; /* true */
    case 'f':
        return second == 'a'; /* false */
    case 'n':
        return second == 'u' || second == 'o'; /* null, no */
    case 'y':
        return second == 'e'; /* yes */
    default:
        return second == 'n' || second == 'f'; /* on, off */
    }
}
