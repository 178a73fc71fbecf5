#include "chart/read_priv.h"

int chart_budget_take(struct chart_budget *budget, str name, size_t size, struct err *e)
{
    budget->files++;
    budget->bytes += size;
    if (size > CHART_MAX_FILE)
        return err_set(e, ERR_LIMIT, "%.*s: the file is larger than %zu bytes", STR_ARG(name),
                       CHART_MAX_FILE);
    if (budget->bytes > CHART_MAX_BYTES)
        return err_set(e, ERR_LIMIT, "the chart is larger than %zu bytes", CHART_MAX_BYTES);
    if (budget->files > CHART_MAX_FILES)
        return err_set(e, ERR_LIMIT, "the chart has more than %d files", CHART_MAX_FILES);
    return 0;
}

str chart_keep_text(struct doc_set *set, struct buf *text)
{
    enum { ADOPT_FROM = 16384 };
    str content = buf_view(text);

    if (text->len >= ADOPT_FROM) {
        arena_adopt(&set->arena, buf_take(text));
        return content;
    }
    content = arena_dup(&set->arena, content);
    buf_clear(text);
    return content;
}

void chart_earlies_done(struct chart_earlies *list)
{
    for (size_t i = 0; i < list->len; i++)
        err_done(&list->v[i].e);
    vec_done(list);
}
