/* Lists of words in one text, "get list watch": how small sets stand in tables. Pure; any thread.
 */
#pragma once
#include "base/str.h"

/* Whether word, which is not empty, is one of them. */
bool words_have(str words, char separator, str word);
