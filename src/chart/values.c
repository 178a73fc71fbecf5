#include "chart/values.h"

#include <errno.h>

#include "chart/merge.h"
#include "chart/repo/get.h"
#include "chart/yaml.h"
#include "sys/file.h"

void chart_user_values_done(struct chart_user_values *v)
{
    str_vec_done(&v->files);
    for (size_t i = 0; i < ARRAY_LEN(v->sets); i++)
        str_vec_done(&v->sets[i]);
}

/* Appends the text of a values file: a path, "-", or a URL. */
static int read_file(const char *path, struct buf *ret, struct err *e)
{
    static const struct chart_access nobody = {0};
    str name = str_of(path);

    if (str_starts(name, STR("http://")) || str_starts(name, STR("https://")))
        return chart_get(name, name, &nobody, CHART_MAX_BYTES, ret, e);
    if (file_read(path, CHART_MAX_BYTES, ret, e) == 0)
        return 0;
    if (e->code != ENOENT)
        return -1;
    err_done(e);
    return err_set(e, ERR_NOT_FOUND, "open %s: no such file or directory", path);
}

/* What is first is taken as it is, not copied. */
static int add_file(struct doc_set *set, struct doc_node **values, const char *path, struct err *e)
{
    AUTO(buf_done) struct buf text = {0};
    struct doc_node *more;

    if (read_file(path, &text, e) < 0)
        return -1;
    more = chart_read_values(set, buf_view(&text), e);
    if (!more)
        return err_wrap(e, "failed to parse %s: cannot unmarshal yaml document", path);
    if (doc_len(*values))
        chart_merge_over(set, *values, more);
    else
        *values = more;
    return 0;
}

static int add_sets(struct doc_set *set, struct doc_node *values, enum chart_set_kind kind,
                    const struct str_vec *texts, struct err *e)
{
    static const char flags[][14] = {"--set", "--set-string", "--set-file", "--set-json",
                                     "--set-literal"};

    for (size_t i = 0; i < texts->len; i++) {
        if (chart_set(set, values, kind, texts->v[i], e) == 0)
            continue;
        if (kind == CHART_SET_JSON) { /* helm gives no reason */
            err_done(e);
            return err_set(e, ERR_INVALID, "failed parsing --set-json data %s%.*s",
                           str_starts(str_trim(texts->v[i]), STR("{")) ? "JSON: " : "",
                           STR_ARG(texts->v[i]));
        }
        return err_wrap(e, "failed parsing %s data", flags[kind]);
    }
    return 0;
}

struct doc_node *chart_user_values_read(struct doc_set *set, const struct chart_user_values *v,
                                        struct err *e)
{
    static const enum chart_set_kind order[] = {CHART_SET_JSON, CHART_SET_TYPED, CHART_SET_STRING,
                                                CHART_SET_FILE, CHART_SET_LITERAL};
    struct doc_node *values = doc_new_map(set);

    for (size_t i = 0; i < v->files.len; i++)
        if (add_file(set, &values, arena_cstr(&set->arena, v->files.v[i]), e) < 0)
            return NULL;
    for (size_t i = 0; i < ARRAY_LEN(order); i++)
        if (add_sets(set, values, order[i], &v->sets[order[i]], e) < 0)
            return NULL;
    return values;
}
