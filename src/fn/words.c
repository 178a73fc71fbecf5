#include "fn/words.h"

#include "base/buf.h"

enum state { BETWEEN, WORD, SINGLE, DOUBLE };

static void end_word(struct arena *a, struct buf *word, struct str_vec *ret)
{
    vec_push(ret, arena_dup(a, buf_view(word)));
    buf_clear(word);
}

/* The text of an escape at s[at], which is behind the backslash, in the given state. */
static void add_escaped(enum state state, char c, struct buf *word)
{
    if (state == DOUBLE && !strchr("\"\\$`\n", c))
        buf_add_char(word, '\\');
    if (c != '\n')
        buf_add_char(word, c);
}

static enum state step(struct arena *a, enum state state, char c, struct buf *word,
                       struct str_vec *ret)
{
    if (state == SINGLE || state == DOUBLE) {
        if (c == (state == SINGLE ? '\'' : '"'))
            return WORD;
        buf_add_char(word, c);
        return state;
    }
    if (strchr(" \t\n", c)) {
        if (state == WORD)
            end_word(a, word, ret);
        return BETWEEN;
    }
    if (c == '\'')
        return SINGLE;
    if (c == '"')
        return DOUBLE;
    buf_add_char(word, c);
    return WORD;
}

int fn_words(struct arena *a, str line, struct str_vec *ret, struct err *e)
{
    AUTO(buf_done) struct buf word = {0};
    enum state state = BETWEEN;

    for (size_t i = 0; i < line.len; i++) {
        if (!line.p[i])
            return err_set(e, ERR_INVALID, "a command line cannot hold a NUL byte");
        if (line.p[i] == '\\' && state != SINGLE) {
            if (++i == line.len)
                return err_set(e, ERR_INVALID, "command line ends behind a backslash: %.*s",
                               STR_ARG(line));
            add_escaped(state, line.p[i], &word);
            state = state == BETWEEN ? WORD : state;
            continue;
        }
        state = step(a, state, line.p[i], &word, ret);
    }
    if (state == SINGLE || state == DOUBLE)
        return err_set(e, ERR_INVALID, "command line has an open quote: %.*s", STR_ARG(line));
    if (state == WORD)
        end_word(a, &word, ret);
    return 0;
}
