/* ".Files": the files of a chart that are no templates (template spec 15.4). */
#include "base/escape.h"
#include "expr/gotmpl/fn_priv.h"
#include "expr/gotmpl/format_priv.h"
#include "expr/gotmpl/glob_priv.h"
#include "expr/gotmpl/objects_priv.h"

struct tmpl_value tmpl_files(struct tmpl_run *run, const struct doc_node *files)
{
    struct tmpl_map *map = tmpl_map_new(&run->arena, TMPL_FILES);
    struct doc_iter it = doc_children(files);

    while (doc_next(&it))
        tmpl_map_set(map, it.key, tmpl_bytes(doc_string(it.value, STR_NONE)));
    return tmpl_map_value(map);
}

struct tmpl_value tmpl_files_late(struct tmpl_run *run, tmpl_fill_fn *fill, void *ctx)
{
    struct tmpl_map *map = tmpl_map_new(&run->arena, TMPL_FILES);

    tmpl_map_fill_late(map, fill, ctx);
    return tmpl_map_value(map);
}

void tmpl_files_add(struct tmpl_value files, str path, str content)
{
    tmpl_map_set(files.map, path, tmpl_bytes(content));
}

static str content_of(struct tmpl_call *c)
{
    struct tmpl_value v;

    return tmpl_map_get(c->self.map, arg_text(c, 0), &v) ? tmpl_text(v) : STR("");
}

static int m_get(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_view(ret, content_of(c));
}

static int m_get_bytes(struct tmpl_call *c, struct tmpl_value *ret)
{
    *ret = tmpl_bytes(content_of(c));
    return 0;
}

static int m_lines(struct tmpl_call *c, struct tmpl_value *ret)
{
    AUTO(str_vec_done) struct str_vec lines = {0};
    str text = content_of(c);

    if (str_ends(text, STR("\n")))
        text.len--;
    for (str rest = text; rest.p && content_of(c).len;)
        vec_push(&lines, str_cut(rest, '\n', &rest));
    *ret = trun_string_list(c->run, lines.v, lines.len);
    return 0;
}

static int m_glob(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct tmpl_map *map = tmpl_map_new(&c->run->arena, TMPL_FILES);
    AUTO(re_free) struct re *re = glob_compile(arg_text(c, 0));
    size_t count;
    const struct tmpl_entry *entries = value_entries(c->run, c->self, &count);

    for (size_t i = 0; i < count; i++) {
        if (trun_step(c->run) < 0)
            return -1;
        if (!re || re_match_full(re, entries[i].key))
            tmpl_map_set(map, entries[i].key, entries[i].value);
    }
    *ret = tmpl_map_value(map);
    return 0;
}

/* YAML of the files by the last part of their paths. */
static int as_map(struct tmpl_call *c, bool base64, struct tmpl_value *ret)
{
    struct tmpl_map *map = tmpl_map_new(&c->run->arena, TMPL_STRINGS);
    size_t count;
    const struct tmpl_entry *entries = value_entries(c->run, c->self, &count);
    struct buf *b = trun_borrow(c->run);
    const char *why;

    for (size_t i = 0; i < count; i++) {
        str path = entries[i].key, text = tmpl_text(entries[i].value);
        AUTO(buf_done) struct buf encoded = {0};

        escape_base64(text, true, &encoded);
        if (base64)
            text = arena_dup(&c->run->arena, buf_view(&encoded));
        tmpl_map_set(map, str_from(path, (size_t)(str_rfind_char(path, '/') + 1)),
                     tmpl_string(text));
    }
    if (!format_yaml(c->run, tmpl_map_value(map), false, b, &why))
        buf_clear(b);
    return ret_text(c, b, ret);
}

static int m_as_config(struct tmpl_call *c, struct tmpl_value *ret)
{
    return as_map(c, false, ret);
}
static int m_as_secrets(struct tmpl_call *c, struct tmpl_value *ret)
{
    return as_map(c, true, ret);
}

const struct tmpl_member files_members[] = {
    {"Get", "S", m_get},   {"GetBytes", "S", m_get_bytes}, {"Lines", "S", m_lines},
    {"Glob", "S", m_glob}, {"AsConfig", "", m_as_config},  {"AsSecrets", "", m_as_secrets},
    {NULL, NULL, NULL},
};
