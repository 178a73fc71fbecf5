#include <stdlib.h>
#include <string.h>

#include "fnlib/setters.h"

FNLIB_TEXTS(list_setters, "list-setters", "lists the setters of a package",
            "One result a setter: its name, value, type and the number of fields that have it. "
            "Setters of a\n"
            "Kptfile's pipeline that no field has are listed with count 0.\n"
            "\n"
            "functionConfig: none.");

struct setter {
    const char *name, *value, *type;
    size_t count, order;
};

struct list {
    gfn_ctx *ctx;
    struct setter *v; /* one a field, summed up at the end */
    size_t len, cap;
};

static void add(struct list *l, const char *name, const char *value, const char *type, size_t count)
{
    if (l->len == l->cap) {
        size_t cap = l->cap ? l->cap * 2 : 64;
        struct setter *v = realloc(l->v, cap * sizeof(*v));

        if (!v) {
            gfn_fail(l->ctx, "out of memory");
            return;
        }
        l->v = v;
        l->cap = cap;
    }
    l->v[l->len] = (struct setter){name, value, type, count, l->len};
    l->len++;
}

static bool is_float(const char *text)
{
    return strncmp(text, "0x", 2) != 0 && strpbrk(text, ".eEnN");
}

/* The YAML tag of a scalar. */
static const char *type_of(gfn_node scalar)
{
    switch (gfn_type(scalar)) {
    case GFN_NULL:
        return "null";
    case GFN_BOOL:
        return "bool";
    case GFN_NUMBER:
        return is_float(gfn_text(scalar)) ? "float" : "int";
    default:
        return "str";
    }
}

static int visit(void *user, gfn_node node, const char *path)
{
    struct list *l = user;
    const char *pattern = gfn_is_map(node) ? NULL : fnlib_setter_pattern(node);
    fnlib_pattern p;

    (void)path;
    if (!pattern || !fnlib_pattern_read(l->ctx, pattern, &p))
        return GFN_WALK_ON;
    if (gfn_is_list(node)) {
        if (fnlib_pattern_is_whole(&p))
            add(l, p.names[0], fnlib_list_text(node), "array", 1);
        return GFN_WALK_ON;
    }
    fnlib_pattern_match(l->ctx, &p, gfn_text(node));
    for (size_t i = 0; i < p.count; i++)
        add(l, p.names[i], p.values[i] ? p.values[i] : "",
            fnlib_pattern_is_whole(&p) ? type_of(node) : "str", 1);
    return GFN_WALK_ON;
}

static void add_map(struct list *l, gfn_node data)
{
    gfn_iter it = gfn_children(data);

    while (gfn_next(&it)) {
        gfn_node list = fnlib_setter_list(l->ctx, gfn_text(it.node));

        add(l, gfn_key(it.node), gfn_exists(list) ? fnlib_list_text(list) : gfn_text(it.node),
            gfn_exists(list) ? "array" : type_of(it.node), 0);
    }
}

/* The arguments of apply-setters in a Kptfile: written there, or in a file beside it. */
static void add_pipeline(struct list *l, gfn_node kptfile)
{
    gfn_iter it = gfn_children(gfn_get(kptfile, "pipeline.mutators"));

    while (gfn_next(&it)) {
        const char *path = gfn_get_str(it.node, "configPath", NULL);
        gfn_iter items = gfn_items(l->ctx);

        if (!strstr(gfn_get_str(it.node, "image", ""), "apply-setters"))
            continue;
        add_map(l, gfn_child(it.node, "configMap"));
        while (path && gfn_next(&items))
            if (gfn_is(items.node, "", "ConfigMap") && strcmp(gfn_path(items.node), path) == 0)
                add_map(l, gfn_child(items.node, "data"));
    }
}

static int by_name(const void *a, const void *b)
{
    const struct setter *x = a, *y = b;
    int by = strcmp(x->name, y->name);

    return by ? by : x->order < y->order ? -1 : 1;
}

/* Fields are met before the Kptfile, so that their values count. */
static void report(struct list *l)
{
    qsort(l->v, l->len, sizeof(*l->v), by_name);
    for (size_t i = 0; i < l->len;) {
        const struct setter *first = &l->v[i];
        size_t count = 0;

        for (; i < l->len && strcmp(l->v[i].name, first->name) == 0; i++)
            count += l->v[i].count;
        gfn_result(l->ctx, GFN_INFO, gfn_nothing(l->ctx), NULL,
                   "Name: %s, Value: %s, Type: %s, Count: %zu", first->name, first->value,
                   first->type, count);
    }
}

static int run(gfn_ctx *ctx)
{
    struct list l = {.ctx = ctx};
    gfn_iter it = gfn_items(ctx);
    bool has_kptfile = false;

    while (gfn_next(&it))
        gfn_walk(it.node, visit, &l);
    it = gfn_items(ctx);
    while (gfn_next(&it)) {
        if (!gfn_is(it.node, "kpt.dev", "Kptfile"))
            continue;
        has_kptfile = true;
        add_pipeline(&l, it.node);
    }
    if (!has_kptfile)
        gfn_result(ctx, GFN_WARNING, gfn_nothing(ctx), NULL,
                   "there is no Kptfile among the items: setters that only it has are not listed");
    if (l.len)
        report(&l);
    free(l.v);
    return gfn_has_failed(ctx) ? -1 : 0;
}

const gfn_desc fnlib_list_setters = {FNLIB_DESC(list_setters), .run = run};
