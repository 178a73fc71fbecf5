#include "fn/stream.h"

#include "base/vec.h"
#include "doc/emit.h"
#include "doc/kyaml/node.h"
#include "doc/parse.h"
#include "fn/annotate.h"
#include "fn/parts.h"

void fn_stream_done(struct fn_stream *s)
{
    fn_list_done(&s->list);
    *s = (struct fn_stream){0};
}

/* ---- reading */

static bool is_list_kind(const struct doc_node *root)
{
    str kind = doc_string(doc_get_lit(root, "kind"), STR_NONE);

    return doc_is_list(doc_get_lit(root, "items")) &&
           (str_eq(kind, STR("List")) || str_eq(kind, STR("ResourceList")));
}

static int take_list(struct fn_stream *s, const struct doc_node *root, struct err *e)
{
    struct doc_iter it = doc_children(doc_get_lit(root, "items"));

    s->kind = doc_text(doc_get_lit(root, "kind"), STR_NONE);
    s->api_version = doc_text(doc_get_lit(root, "apiVersion"), STR_NONE);
    s->list.api_version = s->api_version;
    s->list.function_config = doc_get_lit(root, "functionConfig");
    s->list.results = doc_get_lit(root, "results");
    while (doc_next(&it)) {
        if (doc_expect(it.value, DOC_MAP, e) < 0)
            return -1;
        vec_push(&s->list.items, it.value);
    }
    return 0;
}

static int take_document(struct fn_stream *s, struct doc_node *root, str text,
                         const struct fn_stream_options *options, struct err *e)
{
    struct doc_set *set = s->list.set;
    struct doc_node *item = root;

    if (options->wraps_lists && doc_is_list(root)) {
        item = doc_new_map(set);
        doc_set_field(set, item, STR(FN_BARE_LIST), root);
    }
    if (doc_expect(item, DOC_MAP, e) < 0)
        return -1;
    if (options->adds_index) {
        str index = arena_printf(&set->arena, "%zu", s->list.items.len);

        fn_annotate(set, item, STR(FN_LEGACY_INDEX), index);
        fn_annotate(set, item, STR(FN_INDEX), index);
    }
    if (options->adds_seqindent)
        fn_annotate(set, item, STR(FN_SEQINDENT),
                    doc_has_wide_lists(text) ? STR("wide") : STR("compact"));
    vec_push(&s->list.items, item);
    return 0;
}

/* One part: all its documents, of which there is one unless "..." divides them. */
static int take_part(struct fn_stream *s, str part, bool is_only,
                     const struct fn_stream_options *options, const char *origin, struct err *e)
{
    static const struct doc_parse_options parse = {.dialect = DOC_KYAML,
                                                   .flags = DOC_COMMENTS | DOC_KEEP_ALIASES};
    AUTO(doc_list_done) struct doc_list roots = {0};
    struct doc_set *set = s->list.set;

    if (doc_parse_all(set, str_from(part, fn_part_divider(part)), &parse, origin, &roots, e) < 0)
        return -1;
    for (size_t i = 0; i < roots.len; i++) {
        struct doc_node *root = roots.v[i];

        if (doc_is_null(root))
            continue;
        if (options->resolves_anchors && doc_resolve_anchors(set, root, e) < 0)
            return -1;
        if (is_only && roots.len == 1 && is_list_kind(root))
            return take_list(s, root, e);
        if (take_document(s, root, part, options, e) < 0)
            return -1;
    }
    return 0;
}

/* Lines that end as on Windows end as here. */
static str unix_lines(struct doc_set *set, str text)
{
    AUTO(buf_done) struct buf out = {0};

    if (str_find_char(text, '\r') < 0)
        return text;
    for (size_t i = 0; i < text.len; i++)
        if (text.p[i] != '\r' || i + 1 == text.len || text.p[i + 1] != '\n')
            buf_add_char(&out, text.p[i]);
    return arena_dup(&set->arena, buf_view(&out));
}

int fn_stream_read(struct doc_set *set, str text, const struct fn_stream_options *options,
                   const char *origin, struct fn_stream *ret, struct err *e)
{
    str rest = text = unix_lines(set, text);

    ret->list.set = set;
    while (rest.len) {
        bool is_first = rest.p == text.p;
        str part = fn_part_next(&rest);

        if (take_part(ret, part, is_first && !rest.len, options, origin, e) < 0)
            return e->diags ? fn_part_explain(set, text, origin, e) : -1;
    }
    return 0;
}

/* ---- writing */

static int by_place(const void *a, const void *b)
{
    const struct doc_node *x = *(struct doc_node *const *)a, *y = *(struct doc_node *const *)b;
    int order = str_cmp(fn_path_of(x), fn_path_of(y));
    int64_t i = fn_index_of(x), k = fn_index_of(y);

    return order ? order : (i > k) - (i < k);
}

struct writer {
    const struct fn_list *list;
    const struct fn_stream_format *format;
    struct buf *out;
};

static void print_one(const struct writer *w, struct doc_node *item, bool is_json)
{
    bool is_wide = w->format->uses_seqindent
                       ? str_eq(fn_annotation(item, STR(FN_SEQINDENT)), STR("wide"))
                       : w->list->is_wide;
    const struct doc_node *bare = doc_get_lit(item, FN_BARE_LIST);

    fn_unannotate(item, STR(FN_SEQINDENT));
    if (is_json) {
        doc_emit_json(item, DOC_JSON_PRETTY, w->out);
        buf_add_char(w->out, '\n');
    } else {
        doc_emit(bare ? bare : item, is_wide ? DOC_EMIT_KYAML_WIDE : DOC_EMIT_KYAML, w->out);
    }
}

static void print_plain(const struct writer *w)
{
    const struct doc_list *items = &w->list->items;
    bool is_json = items->len == 1 && str_ends(fn_path_of(items->v[0]), STR(".json"));

    for (size_t i = 0; i < items->len; i++) {
        if (i)
            buf_add_cstr(w->out, "---\n");
        print_one(w, items->v[i], is_json);
    }
}

static void print_list(const struct writer *w)
{
    struct doc_set *set = w->list->set;
    struct doc_node *root = doc_new_map(set), *items = doc_new_list(set);

    doc_set_string(set, root, STR("apiVersion"), w->format->api_version);
    doc_set_string(set, root, STR("kind"), w->format->kind);
    for (size_t i = 0; i < w->list->items.len; i++) {
        fn_unannotate(w->list->items.v[i], STR(FN_SEQINDENT));
        doc_push(set, items, w->list->items.v[i]);
    }
    doc_set_field(set, root, STR("items"), items);
    if (w->list->function_config)
        doc_set_field(set, root, STR("functionConfig"), w->list->function_config);
    if (w->list->results)
        doc_set_field(set, root, STR("results"), w->list->results);
    doc_emit(root, w->list->is_wide ? DOC_EMIT_KYAML_WIDE : DOC_EMIT_KYAML, w->out);
}

void fn_stream_write(const struct fn_list *list, const struct fn_stream_format *format,
                     struct buf *out)
{
    struct writer w = {list, format, out};

    /* kyaml completes the spellings of what it compares. */
    for (size_t i = 0; i < list->items.len && format->sorts && list->items.len > 1; i++)
        fn_spellings_complete(list->set, list->items.v[i]);
    if (format->sorts && list->items.len > 1)
        qsort(list->items.v, list->items.len, sizeof(*list->items.v), by_place);
    for (size_t i = 0; i < list->items.len && !format->keeps_index; i++) {
        fn_unannotate(list->items.v[i], STR(FN_INDEX));
        fn_unannotate(list->items.v[i], STR(FN_LEGACY_INDEX));
    }
    if (format->kind.len)
        print_list(&w);
    else
        print_plain(&w);
}
