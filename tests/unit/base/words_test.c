#include "base/words.h"

#include "support/test.h"

TEST(words_have_takes_whole_words_only)
{
    static const struct {
        const char *words;
        char separator;
        const char *word;
        bool want;
    } rows[] = {{"get list", ' ', "get", true},   {"get list", ' ', "list", true},
                {"get list", ' ', "lis", false},  {"get list", ' ', "get list", false},
                {"get,list", ',', "list", true},  {"", ' ', "get", false},
                {"get  list", ' ', "list", true}, {"get", ' ', "getter", false}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        CHECK_INT(words_have(str_of(rows[i].words), rows[i].separator, str_of(rows[i].word)),
                  rows[i].want, rows[i].word);
}
