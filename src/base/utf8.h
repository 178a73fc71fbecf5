/* Texts by characters. Bytes that continue a character (10xxxxxx) count as nothing, so texts that
 * are no UTF-8 have an answer too. Pure; any thread. */
#pragma once
#include "base/str.h"

size_t utf8_count(str s);
/* The longest start of at most so many bytes that cuts no character in two. */
str utf8_start(str s, size_t most);
