#include "kustomize/generate/data.h"
#include "kustomize/transform.h"

/* Where the entries of a generator come from; errors name the sort and the list. */
struct reading {
    struct kustomize_build *b;
    struct kustomize_entries *entries;
    struct err *e;
};

typedef int read_fn(struct reading *rd, const struct kustomize_text *source);

static int read_env(struct reading *rd, const struct kustomize_text *source)
{
    unsigned cut;
    str text;

    if (kustomize_load(rd->b, source->text, &text, rd->e) < 0)
        return -1;
    if (kustomize_source_env(text, rd->entries, &cut, rd->e) < 0)
        return err_wrap(rd->e, "%.*s", STR_ARG(source->text));
    if (cut)
        kustomize_warn(rd->b, source->node, "generator.env",
                       "%.*s:%u: this line has 64 KiB or more: it and what follows is left out, "
                       "as upstream does",
                       STR_ARG(source->text), cut);
    return 0;
}

static int read_literal(struct reading *rd, const struct kustomize_text *source)
{
    struct kustomize_entry entry;

    if (kustomize_source_literal(source->text, &entry, rd->e) < 0)
        return -1;
    vec_push(rd->entries, entry);
    return 0;
}

static int read_file(struct reading *rd, const struct kustomize_text *source)
{
    struct kustomize_entry entry;
    str path;

    if (kustomize_source_file(source->text, &entry.key, &path, rd->e) < 0 ||
        kustomize_load(rd->b, path, &entry.value, rd->e) < 0)
        return -1;
    vec_push(rd->entries, entry);
    return 0;
}

static int read_list(struct reading *rd, const char *what, const struct kustomize_text_list *list,
                     read_fn *read)
{
    AUTO(buf_done) struct buf sources = {0};

    for (size_t i = 0; i < list->len; i++) {
        if (read(rd, &list->v[i]) == 0)
            continue;
        for (size_t j = 0; j < list->len; j++)
            buf_addf(&sources, "%s%.*s", j ? " " : "", STR_ARG(list->v[j].text));
        err_wrap(rd->e, "loading KV pairs: %s [%s]", what, buf_cstr(&sources));
        return kustomize_fail_at(rd->b, list->v[i].node, rd->e);
    }
    return 0;
}

static int read_sources(struct kustomize_build *b, const struct kustomize_generator *g,
                        struct kustomize_entries *entries, struct err *e)
{
    struct reading rd = {b, entries, e};
    str twice;

    if (read_list(&rd, "env source files:", &g->envs, read_env) < 0 ||
        read_list(&rd, "literal sources", &g->literals, read_literal) < 0 ||
        read_list(&rd, "file sources:", &g->files, read_file) < 0)
        return -1;
    if (kustomize_entries_sort(entries, &twice))
        return 0;
    err_set(e, ERR_INVALID, "configmap %.*s illegally repeats the key `%.*s`", STR_ARG(g->name),
            STR_ARG(twice));
    return kustomize_fail_at(b, g->node, e);
}

/* Later pairs win. */
static void set_pairs(struct doc_set *set, struct doc_node *metadata, const char *name,
                      const struct kustomize_pairs *pairs)
{
    for (size_t i = 0; i < pairs->len; i++)
        doc_set_string(set, doc_ensure_map(set, metadata, str_of(name)), pairs->v[i].key,
                       pairs->v[i].value);
}

static struct doc_node *new_object(struct doc_set *set, const struct kustomize_generator *g)
{
    struct doc_node *object = doc_new_map(set), *metadata;

    doc_set_string(set, object, STR("apiVersion"), STR("v1"));
    doc_set_string(set, object, STR("kind"), g->is_secret ? STR("Secret") : STR("ConfigMap"));
    metadata = doc_ensure_map(set, object, STR("metadata"));
    doc_set_string(set, metadata, STR("name"), g->name);
    if (g->ns.len)
        doc_set_string(set, metadata, STR("namespace"), g->ns);
    if (g->is_secret)
        doc_set_string(set, object, STR("type"), g->type.len ? g->type : STR("Opaque"));
    return object;
}

static enum kustomize_behavior behavior_of(str word)
{
    if (str_eq(word, STR("create")))
        return KUSTOMIZE_BEHAVIOR_CREATE;
    if (str_eq(word, STR("merge")))
        return KUSTOMIZE_BEHAVIOR_MERGE;
    return str_eq(word, STR("replace")) ? KUSTOMIZE_BEHAVIOR_REPLACE : KUSTOMIZE_BEHAVIOR_UNSET;
}

int kustomize_generate(struct kustomize_build *b, struct kustomize_resmap *m UNUSED,
                       const struct kustomize_generator *g,
                       const struct kustomize_generator_options *global,
                       struct kustomize_resource **ret, struct err *e)
{
    static const struct kustomize_generator_options none = {0};
    AUTO(kustomize_entries_done) struct kustomize_entries entries = {0};
    const struct kustomize_generator_options *all = global ? global : &none;
    struct doc_node *object, *metadata;

    if (!g->name.len) {
        err_set(e, ERR_INVALID, "a %s must have a name", g->is_secret ? "secret" : "configmap");
        return kustomize_fail_at(b, g->node, e);
    }
    if (read_sources(b, g, &entries, e) < 0)
        return -1;
    object = new_object(b->set, g);
    metadata = doc_get_lit(object, "metadata");
    (g->is_secret ? kustomize_fill_secret : kustomize_fill_config_map)(b->set, object, &entries);
    set_pairs(b->set, metadata, "labels", &all->labels);
    set_pairs(b->set, metadata, "labels", &g->options.labels);
    set_pairs(b->set, metadata, "annotations", &all->annotations);
    set_pairs(b->set, metadata, "annotations", &g->options.annotations);
    if (all->immutable || g->options.immutable)
        doc_set_bool(b->set, object, STR("immutable"), true);
    *ret = kustomize_resource_new(b->set, object);
    (*ret)->needs_hash = !all->disable_hash && !g->options.disable_hash;
    (*ret)->behavior = behavior_of(g->behavior);
    return 0;
}
