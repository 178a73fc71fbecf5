/* What ASCII characters are, whatever the locale says; no byte above 0x7f is any of these. Pure. */
#pragma once
#include <stdbool.h>

static inline bool ascii_is_digit(char c) { return c >= '0' && c <= '9'; }
static inline bool ascii_is_lower(char c) { return c >= 'a' && c <= 'z'; }
static inline bool ascii_is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static inline bool ascii_is_letter(char c) { return ascii_is_lower(c) || ascii_is_upper(c); }
static inline bool ascii_is_alnum(char c) { return ascii_is_letter(c) || ascii_is_digit(c); }
/* 0 to 15; -1 for what is no hexadecimal digit. */
static inline int ascii_hex_value(char c)
{
    if (ascii_is_digit(c))
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}
