#include "kustomize/explain.h"

#include "base/map.h"
#include "doc/diff.h"
#include "doc/emit.h"
#include "doc/path.h"
#include "kustomize/transform.h"

/* A step that changed something of a resource; nodes are of the explanation's own set. */
struct event {
    str path; /* as doc/diff.h writes them; empty: all of it */
    const struct doc_node *from, *to;
    str place, kind, file; /* of the entry, what ran, the file it names */
};
struct trace {
    struct kustomize_resource *resource;
    struct doc_node *seen; /* a copy of the tree after the step before */
    str origin;            /* "base/web.yaml:1" */
    VEC(struct event) events;
};
struct kustomize_explain {
    struct doc_set *set;
    str kind, group, name, path;
    bool has_group;
    VEC(struct trace *) traces;
    struct map by_resource; /* bytes of the address */
};

/* ---- what is asked for */

struct kustomize_explain *kustomize_explain_new(str what, struct err *e)
{
    AUTO(kustomize_explain_free) struct kustomize_explain *x = NEW(struct kustomize_explain);
    str name, path, resource;

    x->set = doc_set_new();
    what = arena_dup(&x->set->arena, what);
    resource = str_cut(what, '/', &name);
    name = str_cut(name, ':', &path);
    x->kind = str_cut(resource, '.', &x->group);
    x->has_group = x->group.p != NULL;
    x->name = name;
    x->path = path;
    if (!x->kind.len || !name.len || (path.p && !path.len)) {
        err_set(e, ERR_USAGE, "--explain wants KIND/NAME or KIND/NAME:PATH, not \"%.*s\"",
                STR_ARG(what));
        return NULL;
    }
    return TAKE(x);
}

void kustomize_explain_free(struct kustomize_explain *x)
{
    if (!x)
        return;
    for (size_t i = 0; i < x->traces.len; i++) {
        vec_done(&x->traces.v[i]->events);
        mem_free(x->traces.v[i]);
    }
    vec_done(&x->traces);
    map_done(&x->by_resource);
    doc_set_free(x->set);
    mem_free(x);
}

/* "deployments" means Deployment, too. */
static bool is_kind(const struct kustomize_explain *x, const struct res_gvk *gvk)
{
    bool is_plural = x->kind.len == gvk->kind.len + 1 && str_ends(x->kind, STR("s"));

    return str_eq_nocase(is_plural ? str_sub(x->kind, 0, gvk->kind.len) : x->kind, gvk->kind) &&
           (!x->has_group || str_eq(x->group, gvk->group));
}

/* ---- following resources */

static str place_text(struct arena *arena, const struct doc_set *set, const struct doc_node *node)
{
    struct doc_place place = node ? doc_place(set, node) : (struct doc_place){0};

    return place.line ? arena_printf(arena, "%.*s:%u", STR_ARG(place.origin), place.line)
                      : STR_NONE;
}

static struct trace *trace_of(struct kustomize_explain *x, struct kustomize_resource *r)
{
    str key = {(const char *)&r, sizeof r};
    struct trace *t = map_get(&x->by_resource, key);

    if (t)
        return t;
    t = NEW(struct trace);
    t->resource = r;
    t->origin = place_text(&x->set->arena, r->set, r->root);
    vec_push(&x->traces, t);
    map_put(&x->by_resource, arena_dup(&x->set->arena, key), t);
    return t;
}

static void note_changes(struct kustomize_explain *x, struct trace *t,
                         const struct kustomize_build *b, const char *kind,
                         const struct doc_node *node)
{
    AUTO(doc_diff_done) struct doc_diff diff = {0};
    struct arena *arena = &x->set->arena;
    struct doc_node *now = doc_copy(x->set, t->resource->root);
    str place = place_text(arena, b->set, node);
    str file = doc_string(doc_get_lit(node, "path"), STR_NONE);

    doc_diff(t->seen, now, &diff);
    for (size_t i = 0; i < diff.len; i++)
        vec_push(&t->events, {arena_dup(arena, diff.v[i].path), diff.v[i].from, diff.v[i].to,
                              place.len ? place : arena_dup(arena, b->file),
                              arena_dup(arena, str_of(kind)), arena_dup(arena, file)});
    t->seen = now;
}

void kustomize_explain_step(void *ctx, struct kustomize_build *b, struct kustomize_resmap *m,
                            const char *kind, const struct doc_node *node)
{
    struct kustomize_explain *x = ctx;
    struct kustomize_resource *r;

    for (size_t at = 0; (r = kustomize_resmap_next(m, &at));) {
        struct trace *t;

        if (!is_kind(x, &r->id.gvk))
            continue;
        t = trace_of(x, r);
        if (t->seen && !kind)
            continue; /* resources that were read: nothing else has changed */
        if (t->seen) {
            note_changes(x, t, b, kind, node);
        } else {
            t->seen = doc_copy(x->set, r->root);
            if (!t->origin.len) {
                str place = place_text(&x->set->arena, b->set, node);

                t->origin = arena_printf(&x->set->arena, "%.*s %s",
                                         STR_ARG(place.len ? place : b->file), kind ? kind : "");
            }
        }
    }
}

/* ---- printing */

static bool is_secret_field(const struct kustomize_resource *r, str path)
{
    return str_eq(r->id.gvk.kind, STR("Secret")) &&
           (str_starts(path, STR("data")) || str_starts(path, STR("stringData")));
}

static void print_value(const struct kustomize_resource *r, str path, const struct doc_node *value,
                        struct buf *out)
{
    if (!value)
        buf_add_cstr(out, "(none)");
    else if (is_secret_field(r, path))
        buf_add_cstr(out, "***");
    else
        doc_emit_json(value, 0, out);
}

/* Does the event's path lead to the field, to something it is in, or to something in it? */
static bool concerns(const struct event *ev, str path)
{
    str a = ev->path.len < path.len ? ev->path : path,
        b = ev->path.len < path.len ? path : ev->path;

    return str_starts(b, a) && (!a.len || a.len == b.len || b.p[a.len] == '.');
}

/* The field's value in what the event put or took. */
static const struct doc_node *value_in(const struct event *ev, str path,
                                       const struct doc_node *root)
{
    if (path.len <= ev->path.len)
        return root;
    return root ? doc_path_get(root, str_from(path, ev->path.len ? ev->path.len + 1 : 0), '.')
                : NULL;
}

static void print_event(const struct trace *t, const struct event *ev, str path, struct buf *out)
{
    str shown = path.len > ev->path.len ? path : ev->path;

    buf_addf(out, "  %.*s  %.*s", STR_ARG(ev->place), STR_ARG(ev->kind));
    if (ev->file.len)
        buf_addf(out, " (%.*s)", STR_ARG(ev->file));
    buf_add_cstr(out, "  ");
    if (ev->path.len > path.len)
        buf_addf(out, "%.*s: ", STR_ARG(ev->path));
    print_value(t->resource, shown, value_in(ev, path, ev->from), out);
    buf_add_cstr(out, " -> ");
    print_value(t->resource, shown, value_in(ev, path, ev->to), out);
    buf_add_char(out, '\n');
}

static void print_head(const struct trace *t, struct buf *out)
{
    const struct res_id *id = &t->resource->id;

    res_id_print(id, out);
    buf_addf(out, ", from %.*s\n", STR_ARG(t->origin));
}

static bool has_names(const struct doc_node *list)
{
    struct doc_iter it = doc_children(list);

    while (doc_next(&it))
        if (!doc_is_map(it.value) || !doc_is_string(doc_get_lit(it.value, "name")))
            return false;
    return doc_len(list) > 0;
}

static void add_step(struct buf *path, str key)
{
    if (path->len)
        buf_add_char(path, '.');
    for (size_t i = 0; i < key.len; i++) {
        if (key.p[i] == '.')
            buf_add_char(path, '\\');
        buf_add_char(path, key.p[i]);
    }
}

/* The path as events have it: items with names by their names. */
static void name_items(const struct doc_node *node, str path, struct buf *out)
{
    AUTO(arena_done) struct arena arena = {0};
    AUTO(doc_path_done) struct doc_path steps = {0};

    doc_path_split_smart(&arena, path, '.', &steps);
    for (size_t i = 0; i < steps.len; i++) {
        uint64_t index;

        if (doc_is_list(node) && str_to_uint64(steps.v[i], &index)) {
            bool is_named = has_names(node);

            node = doc_item(node, index);
            if (is_named && node)
                buf_addf(out, "%s[name=%.*s]", out->len ? "." : "",
                         STR_ARG(doc_string(doc_get_lit(node, "name"), STR_NONE)));
            else
                buf_addf(out, "%s%ju", out->len ? "." : "", (uintmax_t)index);
        } else if (doc_is_list(node)) {
            buf_addf(out, "%s%.*s", out->len ? "." : "", STR_ARG(steps.v[i]));
            node = doc_path_get(node, steps.v[i], '.');
        } else {
            add_step(out, steps.v[i]);
            node = doc_get(node, steps.v[i]);
        }
    }
}

/* The whole story of one field. */
static int print_field(const struct trace *t, str path, struct buf *out, struct err *e)
{
    const struct doc_node *value = doc_path_get(t->resource->root, path, '.');
    str place = place_text(&t->resource->set->arena, t->resource->set, value);
    size_t before = out->len;

    buf_addf(out, "%.*s: ", STR_ARG(path));
    print_value(t->resource, path, value, out);
    buf_add_char(out, '\n');
    if (value && place.len)
        buf_addf(out, "  written at %.*s\n", STR_ARG(place));
    for (size_t i = 0; i < t->events.len; i++)
        if (concerns(&t->events.v[i], path))
            print_event(t, &t->events.v[i], path, out);
    if (value || out->len > before + path.len + sizeof(": (none)"))
        return 0;
    return err_set(e, ERR_NOT_FOUND, "%.*s \"%.*s\" has no field %.*s, and never had",
                   STR_ARG(t->resource->id.gvk.kind), STR_ARG(t->resource->id.name), STR_ARG(path));
}

static const struct event *last_event(const struct trace *t, str path)
{
    for (size_t i = t->events.len; i-- > 0;)
        if (t->events.v[i].path.len <= path.len && concerns(&t->events.v[i], path))
            return &t->events.v[i];
    return NULL;
}

static void print_leaf(const struct trace *t, str path, const struct doc_node *value,
                       struct buf *out)
{
    const struct event *ev = last_event(t, path);
    str place = ev ? ev->place : place_text(&t->resource->set->arena, t->resource->set, value);

    buf_addf(out, "%.*s: ", STR_ARG(path));
    print_value(t->resource, path, value, out);
    buf_addf(out, "  # %.*s", STR_ARG(place.len ? place : t->origin));
    if (ev)
        buf_addf(out, " %.*s", STR_ARG(ev->kind));
    if (ev && ev->file.len)
        buf_addf(out, " (%.*s)", STR_ARG(ev->file));
    buf_add_char(out, '\n');
}

/* Recursion as deep as the tree, which the reader limits. */
static void print_leaves(const struct trace *t, struct buf *path, const struct doc_node *node,
                         struct buf *out)
{
    struct doc_iter it = doc_children(node);
    bool is_named = doc_is_list(node) && has_names(node);
    size_t before = path->len;

    if (!doc_len(node)) {
        print_leaf(t, buf_view(path), node, out);
        return;
    }
    for (size_t i = 0; doc_next(&it); i++) {
        if (doc_is_map(node))
            add_step(path, it.key);
        else if (is_named)
            buf_addf(path, ".[name=%.*s]",
                     STR_ARG(doc_string(doc_get_lit(it.value, "name"), STR_NONE)));
        else
            buf_addf(path, ".%zu", i);
        print_leaves(t, path, it.value, out);
        buf_trunc(path, before);
    }
}

static bool is_in(const struct kustomize_result *result, const struct kustomize_resource *r)
{
    return r->at < result->resources.list.len && result->resources.list.v[r->at] == r;
}

/* What was emptied has no name any more: its last copy tells it. */
static bool was_named(const struct trace *t, str name)
{
    return kustomize_resource_had_name(t->resource, name) ||
           str_eq(doc_text(doc_at(t->seen, "metadata/name"), STR_NONE), name);
}

static int refuse(const struct kustomize_explain *x, const struct kustomize_result *result,
                  struct err *e)
{
    AUTO(buf_done) struct buf near = {0};
    struct kustomize_resource *r;

    for (size_t at = 0; (r = kustomize_resmap_next(&result->resources, &at)) && near.len < 300;)
        if (is_kind(x, &r->id.gvk))
            buf_addf(&near, "%s%.*s", near.len ? ", " : "; there are: ", STR_ARG(r->id.name));
    for (size_t i = 0; i < x->traces.len; i++)
        if (!is_in(result, x->traces.v[i]->resource) && was_named(x->traces.v[i], x->name))
            buf_addf(&near, "; one from %.*s was taken out", STR_ARG(x->traces.v[i]->origin));
    return err_set(e, ERR_NOT_FOUND, "no %.*s \"%.*s\" comes out of this build%s", STR_ARG(x->kind),
                   STR_ARG(x->name), buf_cstr(&near));
}

int kustomize_explain_print(const struct kustomize_explain *x,
                            const struct kustomize_result *result, struct buf *out, struct err *e)
{
    struct kustomize_resource *r;
    size_t found = 0;

    for (size_t at = 0; (r = kustomize_resmap_next(&result->resources, &at));) {
        struct trace *t = map_get(&x->by_resource, (str){(const char *)&r, sizeof r});
        AUTO(buf_done) struct buf path = {0};

        if (!t || !kustomize_resource_had_name(r, x->name))
            continue;
        if (found++)
            buf_add_char(out, '\n');
        print_head(t, out);
        name_items(r->root, x->path, &path);
        if (!x->path.len)
            print_leaves(t, &path, r->root, out);
        else if (print_field(t, buf_view(&path), out, e) < 0)
            return -1;
    }
    return found ? 0 : refuse(x, result, e);
}
