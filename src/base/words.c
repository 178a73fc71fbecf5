#include "base/words.h"

bool words_have(str words, char separator, str word)
{
    while (words.len)
        if (str_eq(str_cut(words, separator, &words), word))
            return true;
    return false;
}
