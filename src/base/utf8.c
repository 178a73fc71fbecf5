#include "base/utf8.h"

static bool continues_character(char c) { return ((unsigned char)c & 0xc0) == 0x80; }

size_t utf8_count(str s)
{
    size_t count = 0;

    for (size_t i = 0; i < s.len; i++)
        count += !continues_character(s.p[i]);
    return count;
}

str utf8_start(str s, size_t most)
{
    if (s.len <= most)
        return s;
    while (most && continues_character(s.p[most]))
        most--;
    return str_sub(s, 0, most);
}
