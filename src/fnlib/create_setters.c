#include <stdlib.h>
#include <string.h>

#include "fnlib/setters.h"

FNLIB_TEXTS(create_setters, "create-setters", "puts setter comments behind values",
            "Every single-line scalar that contains the value of a setter gets the comment that\n"
            "apply-setters reads, the longest values first; a list that equals the value of a "
            "setter gets it\n"
            "behind its key.\n"
            "\n"
            "functionConfig: a v1 ConfigMap whose data are setters and their values; the value of "
            "a list is\n"
            "a YAML list.");

struct array_setter {
    const char *name;
    const char **elements; /* sorted */
    size_t count;
};

struct create {
    gfn_ctx *ctx;
    gfn_node item;
    fnlib_pair *scalars; /* longest value first */
    struct array_setter *arrays;
    size_t scalar_count, array_count, comments;
    gfn_buf *pattern;
};

static int by_length(const void *a, const void *b)
{
    const fnlib_pair *x = a, *y = b;
    size_t xl = strlen(x->value), yl = strlen(y->value);

    return xl != yl ? (xl > yl ? -1 : 1) : strcmp(x->key, y->key);
}

static int by_text(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;

    return strcmp(*x, *y);
}

/* The scalars of a list, sorted; the caller frees them. NULL when an element is no scalar. */
static const char **sorted_elements(gfn_node list)
{
    size_t count = 0;
    const char **texts = calloc(gfn_len(list) + 1, sizeof(*texts));
    gfn_iter it = gfn_children(list);

    while (texts && gfn_next(&it)) {
        if (!gfn_is_scalar(it.node)) {
            free(texts);
            return NULL;
        }
        texts[count++] = gfn_text(it.node);
    }
    if (texts)
        qsort(texts, count, sizeof(*texts), by_text);
    return texts;
}

static bool are_same(const char **a, const char **b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(a[i], b[i]) != 0)
            return false;
    return true;
}

/* Puts value[0..len) with every setter from the given one on replaced; what one has replaced is not
 * looked at again. */
static void put_pattern(struct create *c, const char *value, size_t len, size_t from)
{
    const char *end = value + len;
    const fnlib_pair *s = &c->scalars[from];
    size_t width;

    if (from == c->scalar_count) {
        gfn_buf_add_part(c->pattern, value, len);
        return;
    }
    width = strlen(s->value);
    for (const char *at = value;;) {
        const char *hit = memmem(at, (size_t)(end - at), s->value, width);

        if (!hit) {
            put_pattern(c, at, (size_t)(end - at), from + 1);
            return;
        }
        put_pattern(c, at, (size_t)(hit - at), from + 1);
        gfn_buf_add(c->pattern, "${");
        gfn_buf_add(c->pattern, s->key);
        gfn_buf_add(c->pattern, "}");
        at = hit + width;
    }
}

static bool has_setter(const struct create *c, const char *text)
{
    for (size_t i = 0; i < c->scalar_count; i++)
        if (strstr(text, c->scalars[i].value))
            return true;
    return false;
}

static void comment(struct create *c, gfn_node node, const char *path, const char *pattern)
{
    c->comments++;
    gfn_set_line_comment(node, gfn_printf(c->ctx, "kpt-set: %s", pattern));
    gfn_result(c->ctx, GFN_INFO, c->item, path, "added line comment \"kpt-set: %s\"", pattern);
}

static void visit_scalar(struct create *c, gfn_node node, const char *path)
{
    const char *text = gfn_text(node);

    if (strchr(text, '\n') || gfn_type(node) == GFN_NULL || !has_setter(c, text))
        return;
    gfn_buf_clear(c->pattern);
    put_pattern(c, text, strlen(text), 0);
    comment(c, node, path, gfn_buf_text(c->pattern));
}

static void visit_list(struct create *c, gfn_node list, const char *path)
{
    const char **elements = c->array_count ? sorted_elements(list) : NULL;

    for (size_t i = 0; elements && i < c->array_count; i++) {
        const struct array_setter *a = &c->arrays[i];

        if (a->count != gfn_len(list) || !are_same(a->elements, elements, a->count))
            continue;
        if (gfn_len(list))
            gfn_set_style(list, GFN_PLAIN);
        comment(c, list, path, gfn_printf(c->ctx, "${%s}", a->name));
        break;
    }
    free(elements);
}

static int visit(void *user, gfn_node node, const char *path)
{
    struct create *c = user;

    if (fnlib_is_internal(path))
        return GFN_WALK_ON;
    if (gfn_is_list(node))
        visit_list(c, node, path);
    else if (gfn_is_scalar(node))
        visit_scalar(c, node, path);
    return GFN_WALK_ON;
}

/* Divides the setters into those of lists and those of scalars. */
static int sort_setters(struct create *c, const fnlib_pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        gfn_node list = fnlib_setter_list(c->ctx, pairs[i].value);

        if (gfn_exists(list)) {
            const char **elements = sorted_elements(list);

            if (!elements)
                return gfn_fail(c->ctx, "functionConfig: setter \"%s\" must be a list of scalars",
                                pairs[i].key);
            c->arrays[c->array_count++] =
                (struct array_setter){pairs[i].key, elements, gfn_len(list)};
        } else if (*pairs[i].value) {
            c->scalars[c->scalar_count++] = pairs[i];
        }
    }
    qsort(c->scalars, c->scalar_count, sizeof(*c->scalars), by_length);
    return 0;
}

static int create(struct create *c, const fnlib_pair *pairs, size_t count)
{
    gfn_iter it = gfn_items(c->ctx);

    if (!c->scalars || !c->arrays)
        return gfn_fail(c->ctx, "out of memory");
    if (count == 0)
        return gfn_fail(c->ctx, "functionConfig: config map cannot be empty");
    if (sort_setters(c, pairs, count) < 0)
        return -1;
    while (gfn_next(&it)) {
        c->item = it.node;
        gfn_walk(it.node, visit, c);
    }
    if (c->comments == 0)
        gfn_result(c->ctx, GFN_INFO, gfn_nothing(c->ctx), NULL, "no matches for input setter(s)");
    return 0;
}

static int run(gfn_ctx *ctx)
{
    fnlib_pair *pairs = NULL;
    size_t count = 0;
    int rc = fnlib_pairs(gfn_config_fields(ctx), &pairs, &count);
    struct create c = {
        .ctx = ctx,
        .scalars = calloc(count + 1, sizeof(*c.scalars)),
        .arrays = calloc(count + 1, sizeof(*c.arrays)),
        .pattern = gfn_buf_new(ctx),
    };

    if (rc == 0)
        rc = create(&c, pairs, count);
    for (size_t i = 0; c.arrays && i < c.array_count; i++)
        free(c.arrays[i].elements);
    free(c.scalars);
    free(c.arrays);
    free(pairs);
    return rc;
}

static const gfn_kind_of kinds[] = {{"v1", "ConfigMap"}};
const gfn_desc fnlib_create_setters = {FNLIB_DESC(create_setters), .run = run, .kinds = kinds,
                                       .kind_count = FNLIB_LEN(kinds)};
