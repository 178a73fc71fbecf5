#include "fn/txtar.h"

void fn_txtar_done(struct fn_txtar *t) { vec_done(&t->sections); }

static bool is_header(str line, str *ret_name)
{
    if (line.len < 7 || !str_starts(line, STR("-- ")) || !str_ends(line, STR(" --")))
        return false;
    *ret_name = str_sub(line, 3, line.len - 6);
    return true;
}

void fn_txtar_parse(str text, struct fn_txtar *ret)
{
    const char *end = text.p + text.len;
    str line, name;

    while (str_next_line(&text, &line)) {
        const char *behind = text.p ? text.p : end;

        if (is_header(line, &name))
            vec_push(&ret->sections, {name, {behind, 0}});
        else if (ret->sections.len)
            vec_last(&ret->sections).text.len = (size_t)(behind - vec_last(&ret->sections).text.p);
    }
}

const struct fn_section *fn_txtar_find(const struct fn_txtar *t, str name)
{
    for (size_t i = 0; i < t->sections.len; i++)
        if (str_eq(t->sections.v[i].name, name))
            return &t->sections.v[i];
    return NULL;
}
