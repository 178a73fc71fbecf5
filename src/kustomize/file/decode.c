#include "kustomize/file/decode.h"

#include <math.h>

#include "doc/parse.h"

/* What one call needs on the way down. */
struct decoder {
    struct doc_set *set;
    bool is_lenient;
    struct diag_list *diags;
    struct buf path; /* "patches[0].target" */
};

static void decode_map(struct decoder *d, const struct kustomize_shape *shape,
                       const struct doc_node *map, char *ret);

static void push_key(struct decoder *d, str key)
{
    if (d->path.len)
        buf_add_char(&d->path, '.');
    buf_add_str(&d->path, key);
}

static const char *type_name(const struct doc_node *n)
{
    static const char names[][7] = {"null", "bool", "number", "string", "list", "map", "alias"};

    return names[doc_type(n)];
}

/* For each item of a list: printf would cost more than the item. */
static void push_index(struct decoder *d, size_t index)
{
    char text[24], *p = text + sizeof(text);

    *--p = ']';
    do
        *--p = (char)('0' + index % 10);
    while (index /= 10);
    *--p = '[';
    buf_add_str(&d->path, str_range(p, text + sizeof(text)));
}

/* "cannot unmarshal bool into field commonLabels.x of type string" */
static struct diag *refuse(struct decoder *d, const struct doc_node *n, const char *wanted)
{
    struct diag *diag =
        doc_diag(d->diags, d->set, n, false, "field.type",
                 "invalid kustomization: cannot unmarshal %s into field %s of type %s",
                 type_name(n), buf_cstr(&d->path), wanted);

    diag->field = arena_dup(&d->diags->arena, buf_view(&d->path));
    if (strcmp(wanted, "string") == 0 && (n->type == DOC_BOOL || n->type == DOC_NUMBER))
        diag->hint =
            arena_printf(&d->diags->arena, "quote it: \"%.*s\"", STR_ARG(doc_text(n, STR_NONE)));
    else if (strcmp(wanted, "list") == 0 && n->type == DOC_STRING)
        diag->hint = arena_printf(&d->diags->arena, "write it as a list: [%.*s]",
                                  STR_ARG(doc_text(n, STR_NONE)));
    return diag;
}

static str text_of(struct decoder *d, const struct doc_node *n)
{
    if (n->type == DOC_STRING || (d->is_lenient && (n->type == DOC_NUMBER || n->type == DOC_BOOL)))
        return doc_text(n, STR_NONE);
    if (n->type != DOC_NULL)
        refuse(d, n, "string");
    return STR_NONE;
}

static bool expect(struct decoder *d, const struct doc_node *n, enum doc_type type,
                   const char *wanted)
{
    if (n->type == (unsigned)type)
        return true;
    refuse(d, n, wanted);
    return false;
}

static void decode_texts(struct decoder *d, const struct doc_node *list,
                         struct kustomize_text_list *ret)
{
    struct doc_iter it = doc_children(list);
    size_t base = d->path.len;

    if (!expect(d, list, DOC_LIST, "list"))
        return;
    ret->v = ARENA_ARRAY(&d->set->arena, struct kustomize_text, doc_len(list));
    ret->len = 0;
    while (doc_next(&it)) {
        push_index(d, ret->len);
        ret->v[ret->len].text = text_of(d, it.value);
        ret->v[ret->len++].node = it.value;
        buf_trunc(&d->path, base);
    }
}

static int by_key(const void *a, const void *b)
{
    return str_cmp(((const struct kustomize_pair *)a)->key,
                   ((const struct kustomize_pair *)b)->key);
}

/* Upstream makes labels and annotations of the keys as YAML means them, and cannot print those that
 * are no texts. What is in quotes is meant as a text. */
static void judge_key(struct decoder *d, const struct doc_node *entry)
{
    str key = doc_key(entry);
    const struct doc_node *meant;
    struct diag *diag;

    if (entry->key_style != DOC_PLAIN || d->is_lenient)
        return;
    meant = doc_new_plain(d->set, key, DOC_RESOURCE);
    if (doc_is_string(meant))
        return;
    diag = doc_diag(d->diags, d->set, entry, true, "field.type",
                    "invalid kustomization: key %.*s of %s is a %s, not a text", STR_ARG(key),
                    buf_cstr(&d->path), type_name(meant));
    diag->field = arena_dup(&d->diags->arena, buf_view(&d->path));
    diag->hint = STR("put the key in quotes");
}

static void decode_pairs(struct decoder *d, const struct doc_node *map, struct kustomize_pairs *ret)
{
    struct doc_iter it = doc_children(map);
    size_t base = d->path.len;

    if (!expect(d, map, DOC_MAP, "map"))
        return;
    ret->v = ARENA_ARRAY(&d->set->arena, struct kustomize_pair, doc_len(map));
    ret->len = 0;
    while (doc_next(&it)) {
        judge_key(d, it.value);
        push_key(d, it.key);
        ret->v[ret->len++] = (struct kustomize_pair){it.key, text_of(d, it.value), it.value};
        buf_trunc(&d->path, base);
    }
    if (ret->len > 1)
        qsort(ret->v, ret->len, sizeof(*ret->v), by_key);
}

static void check_texts(struct decoder *d, const struct doc_node *map)
{
    struct doc_iter it = doc_children(map);
    size_t base = d->path.len;

    if (!expect(d, map, DOC_MAP, "map"))
        return;
    while (doc_next(&it)) {
        push_key(d, it.key);
        (void)text_of(d, it.value);
        buf_trunc(&d->path, base);
    }
}

/* "patches: [p.yaml]", "images: [nginx]": a text where a map is wanted that a path or a name
 * begins.
 */
static void refuse_item(struct decoder *d, const struct kustomize_shape *shape,
                        const struct doc_node *n)
{
    const struct kustomize_field *first = shape->fields;
    str text = doc_text(n, STR_NONE);
    struct diag *diag = refuse(d, n, "map");

    if (n->type == DOC_STRING && !str_contains(text, STR("\n")) &&
        (strcmp(first->name, "path") == 0 || strcmp(first->name, "name") == 0))
        diag->hint =
            arena_printf(&d->diags->arena, "write \"- %s: %.*s\"", first->name, STR_ARG(text));
}

/* Every KUSTOMIZE_ITEMS looks like this. */
struct items {
    char *v;
    size_t len;
};

static void decode_structs(struct decoder *d, const struct kustomize_shape *shape,
                           const struct doc_node *list, struct items *ret)
{
    struct doc_iter it = doc_children(list);
    size_t base = d->path.len;

    if (!expect(d, list, DOC_LIST, "list"))
        return;
    ret->v = arena_zalloc(&d->set->arena, shape->size * doc_len(list));
    ret->len = 0;
    while (doc_next(&it)) {
        push_index(d, ret->len);
        if (doc_is_map(it.value))
            decode_map(d, shape, it.value, ret->v + ret->len * shape->size);
        else if (!doc_is_null(it.value))
            refuse_item(d, shape, it.value);
        ret->len++;
        buf_trunc(&d->path, base);
    }
}

/* Upstream reads numbers of the file as JSON has them: 3.0 and 1e2 are integers. */
static bool to_integer(const struct doc_node *n, int64_t *ret)
{
    double number;

    if (doc_to_int64(n, ret))
        return true;
    if (n->type != DOC_NUMBER || n->is_int || !doc_to_double(n, &number) ||
        number != trunc(number) || fabs(number) >= 0x1p63)
        return false;
    *ret = (int64_t)number;
    return true;
}

static void decode_field(struct decoder *d, const struct kustomize_field *f,
                         const struct doc_node *n, char *ret)
{
    void *at = ret + f->offset;

    switch (f->kind) {
    case KUSTOMIZE_TEXT:
        *(str *)at = text_of(d, n);
        break;
    case KUSTOMIZE_PLACED:
        *(struct kustomize_text *)at = (struct kustomize_text){text_of(d, n), n};
        break;
    case KUSTOMIZE_BOOL:
        if (expect(d, n, DOC_BOOL, "bool"))
            *(bool *)at = doc_bool(n, false);
        break;
    case KUSTOMIZE_INT:
        if (!to_integer(n, at))
            refuse(d, n, "integer");
        break;
    case KUSTOMIZE_TEXTS:
        decode_texts(d, n, at);
        break;
    case KUSTOMIZE_PAIRS:
        decode_pairs(d, n, at);
        break;
    case KUSTOMIZE_STRUCT:
        decode_map(d, kustomize_shape_of(f->shape), n, at);
        break;
    case KUSTOMIZE_STRUCTS:
        decode_structs(d, kustomize_shape_of(f->shape), n, at);
        break;
    case KUSTOMIZE_MAP_NODE:
        if (!expect(d, n, DOC_MAP, "map"))
            break;
        *(const struct doc_node **)at = n;
        break;
    case KUSTOMIZE_NODE:
        *(const struct doc_node **)at = n;
        break;
    case KUSTOMIZE_IGNORED:
        break;
    case KUSTOMIZE_CHECKED_TEXT:
        (void)text_of(d, n);
        break;
    case KUSTOMIZE_CHECKED_TEXTS:
        check_texts(d, n);
        break;
    }
}

static bool is_named(const struct kustomize_field *f, str name)
{
    return name.len > 0 && *f->name == *name.p && str_eq(str_of(f->name), name);
}

static const struct kustomize_field *find_field(const struct kustomize_shape *shape, str name)
{
    const struct kustomize_field *f;

    for (f = shape->fields; *f->name; f++)
        if (is_named(f, name))
            return f;
    for (f = shape->fields; *f->name; f++)
        if (str_eq_nocase(str_of(f->name), name))
            return f;
    return NULL;
}

static void refuse_unknown(struct decoder *d, const struct kustomize_shape *shape, str key,
                           const struct doc_node *n)
{
    str names[80], nearest;
    size_t count = 0;
    struct diag *diag;

    for (const struct kustomize_field *f = shape->fields; *f->name && count < ARRAY_LEN(names); f++)
        names[count++] = str_of(f->name);
    diag = doc_diag(d->diags, d->set, n, true, "field.unknown",
                    "invalid kustomization: unknown field \"%.*s\"", STR_ARG(key));
    diag->field = arena_dup(&d->diags->arena, buf_view(&d->path));
    nearest = diag_nearest(key, names, count);
    if (nearest.len)
        diag->hint = arena_printf(&d->diags->arena, "did you mean \"%.*s\"?", STR_ARG(nearest));
}

static void mark(char *ret, const struct kustomize_field *f, const struct doc_node *n)
{
    if (f->has_offset)
        *(bool *)(ret + f->has_offset - 1) = true;
    if (f->node_offset)
        *(const struct doc_node **)(ret + f->node_offset - 1) = n;
}

static void decode_map(struct decoder *d, const struct kustomize_shape *shape,
                       const struct doc_node *map, char *ret)
{
    struct doc_iter it = doc_children(map);
    size_t base = d->path.len;

    if (!expect(d, map, DOC_MAP, "map"))
        return;
    if (shape->node_offset)
        *(const struct doc_node **)(ret + shape->node_offset - 1) = map;
    while (doc_next(&it)) {
        const struct kustomize_field *f = find_field(shape, it.key);

        if (!f && !shape->is_open && !d->is_lenient)
            refuse_unknown(d, shape, it.key, it.value);
        if (!f || doc_is_null(it.value))
            continue;
        push_key(d, it.key);
        mark(ret, f, it.value);
        decode_field(d, f, it.value, ret);
        buf_trunc(&d->path, base);
    }
}

void kustomize_decode(const struct kustomize_shape *shape, struct doc_set *set,
                      const struct doc_node *map, bool is_lenient, void *ret,
                      struct diag_list *diags)
{
    struct decoder d = {.set = set, .is_lenient = is_lenient, .diags = diags};

    decode_map(&d, shape, map, ret);
    buf_done(&d.path);
}

void kustomize_decode_list(const struct kustomize_shape *shape, struct doc_set *set,
                           const struct doc_node *list, bool is_lenient, void *ret_items,
                           struct diag_list *diags)
{
    struct decoder d = {.set = set, .is_lenient = is_lenient, .diags = diags};
    struct items *items = ret_items;

    if (doc_is_map(list)) {
        items->v = arena_zalloc(&set->arena, shape->size);
        items->len = 1;
        decode_map(&d, shape, list, items->v);
    } else {
        decode_structs(&d, shape, list, items);
    }
    buf_done(&d.path);
}
