/* `grapnel cfg consolidate` (composition spec 10). */
#include "kustomize/composition/print.h"

#include "doc/emit.h"
#include "kustomize/composition/composition.h"

static void move_field(struct doc_set *set, struct doc_node *to, const struct doc_node *from,
                       str key)
{
    const struct doc_node *value = doc_get(from, key);

    if (value && !doc_get(to, key))
        doc_set_field(set, to, key, doc_copy(set, value));
}

static void move_rest(struct doc_set *set, struct doc_node *to, const struct doc_node *from)
{
    struct doc_iter it = doc_children(from);

    while (doc_next(&it))
        move_field(set, to, from, it.key);
}

/* Block style throughout; comments go. */
static void plain(struct doc_node *n)
{
    struct doc_iter it = doc_children(n);

    n->style = DOC_PLAIN;
    n->key_style = DOC_PLAIN;
    while (doc_next(&it))
        plain(it.value);
}

static struct doc_node *printed(const struct kustomize_step *step, str dir)
{
    struct doc_set *set = step->level->b.set;
    struct doc_node *out = doc_new_map(set), *metadata = doc_new_map(set);

    move_field(set, out, step->config, STR("apiVersion"));
    move_field(set, out, step->config, STR("kind"));
    move_field(set, metadata, doc_get_lit(step->config, "metadata"), STR("name"));
    move_rest(set, metadata, doc_get_lit(step->config, "metadata"));
    doc_set_field(set, out, STR("metadata"), metadata);
    move_rest(set, out, step->config);
    kustomize_rebase_paths(step->level, out, step->kind, dir);
    plain(out);
    return out;
}

static void print_origin(const struct kustomize_step *step, struct buf *out)
{
    buf_addf(out, "# from %.*s#%zu", STR_ARG(step->level->b.file), step->index);
    for (size_t i = 0; i < step->overrides.len; i++)
        buf_addf(out, ", overridden by %.*s", STR_ARG(step->overrides.v[i]->b.file));
    buf_add_char(out, '\n');
}

static void print_yaml(const struct kustomize_composition *c, const struct kustomize_level *level,
                       unsigned flags, struct buf *out)
{
    buf_addf(out, "apiVersion: %s\nkind: Composition\ntransformers:%s\n", KUSTOMIZE_COMPOSITION_API,
             c->steps.len ? "" : " []");
    for (size_t i = 0; i < c->steps.len; i++) {
        struct doc_node *item = doc_new_list(level->b.set);

        if (!(flags & KUSTOMIZE_NO_ORIGIN))
            print_origin(&c->steps.v[i], out);
        doc_append(item, printed(&c->steps.v[i], level->b.dir));
        doc_emit(item, DOC_EMIT_ORDERED, out);
    }
}

static void print_json(const struct kustomize_composition *c, const struct kustomize_level *level,
                       struct buf *out)
{
    struct doc_set *set = level->b.set;
    struct doc_node *root = doc_new_map(set), *list = doc_new_list(set);

    doc_set_string(set, root, STR("apiVersion"), STR(KUSTOMIZE_COMPOSITION_API));
    doc_set_string(set, root, STR("kind"), STR("Composition"));
    doc_set_field(set, root, STR("transformers"), list);
    for (size_t i = 0; i < c->steps.len; i++)
        doc_append(list, printed(&c->steps.v[i], level->b.dir));
    doc_emit_json(root, DOC_JSON_PRETTY, out);
    buf_add_char(out, '\n');
}

static int print(struct kustomize_level *level, unsigned flags, struct buf *out, struct err *e)
{
    AUTO(kustomize_composition_done) struct kustomize_composition c = {0};

    if (kustomize_level_load(level, e) < 0)
        return -1;
    if (!level->is_composition)
        return err_set(e, ERR_NOT_FOUND, "no %s is in '%.*s'", KUSTOMIZE_COMPOSITION_FILE,
                       STR_ARG(level->b.dir));
    if (kustomize_consolidate(level, &c, e) < 0)
        return -1;
    if (flags & KUSTOMIZE_JSON)
        print_json(&c, level, out);
    else
        print_yaml(&c, level, flags, out);
    return 0;
}

int kustomize_print_composition(const char *dir, const struct kustomize_options *options,
                                unsigned flags, struct buf *out, struct err *e)
{
    struct kustomize_level root;
    struct diag_list warnings = {0};
    struct kustomize_shared *shared = kustomize_shared_new(options, &warnings);
    int rc = kustomize_level_open(shared, dir, &root, e);

    if (rc == 0) {
        rc = print(&root, flags, out, e);
        kustomize_level_done(&root);
    }
    kustomize_shared_free(shared);
    diag_list_done(&warnings);
    return rc;
}
