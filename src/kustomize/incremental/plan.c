#include "kustomize/incremental/plan.h"

#include "kustomize/composition/composition.h"
#include "kustomize/incremental/plan_priv.h"

struct kustomize_plan *kustomize_plan_new(void) { return NEW(struct kustomize_plan); }

void kustomize_plan_free(struct kustomize_plan *plan)
{
    if (!plan)
        return;
    kustomize_plan_level_free(plan->root);
    kustomize_kept_done(&plan->kept);
    vec_done(&plan->names);
    mem_free(plan);
}

/* ---- what may be made by parts */

/* Fields whose effects are not told by the files and leaves of their level: what they read is not
 * noted, or they change how all levels are built. */
static bool is_blind(const struct kustomize_level *level)
{
    const struct kustomization *k = level->k;

    return level->is_composition || k->charts.len || k->generators.len || k->transformers.len ||
           k->validators.len || k->vars.len || k->configurations.len || k->crds.len ||
           k->has_openapi;
}

static bool are_local(const struct kustomize_generator_list *list)
{
    for (size_t i = 0; i < list->len; i++)
        if (list->v[i].behavior.len && !str_eq(list->v[i].behavior, STR("create")))
            return false;
    return true;
}

/* Replacements carry values from one resource to another, and generators may change those of the
 * bases; all other fields do to each resource what they would do to it alone. */
static bool is_local(const struct kustomization *k)
{
    return k->replacements.len == 0 && are_local(&k->config_maps) && are_local(&k->secrets);
}

/* ---- levels */

static uint64_t text_mark(str text) { return (uint64_t)text.len << 32 | str_hash(text); }

static void note_names(struct kustomize_plan_level *noted)
{
    static const char *const names[] = {"kustomization.yaml", "kustomization.yml", "Kustomization",
                                        KUSTOMIZE_COMPOSITION_FILE};

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        kustomize_plan_files_add(&noted->files, str_of(noted->dir), str_of(names[i]));
}

static struct kustomize_plan_level *new_level(const struct kustomize_level *level, str text)
{
    struct kustomize_plan_level *noted = NEW(struct kustomize_plan_level);
    const struct kustomization *k = level->k;

    noted->leaf = level->leaf;
    noted->dir = mem_strndup(level->b.dir.p, level->b.dir.len);
    noted->text = text_mark(text);
    noted->config_maps = k->resources.len;
    noted->secrets = noted->config_maps + k->config_maps.len;
    noted->components = noted->secrets + k->secrets.len;
    noted->leaf_count = noted->components + k->components.len;
    noted->leaves = mem_zalloc(MAX(noted->leaf_count, (size_t)1) * sizeof(*noted->leaves));
    for (size_t i = 0; i < noted->leaf_count; i++) {
        noted->leaves[i].owner = noted;
        noted->leaves[i].is_component = i >= noted->components;
    }
    noted->is_local = is_local(k);
    noted->is_remote = fetch_root_clone_path(level->root) != NULL;
    if (!noted->is_remote)
        note_names(noted);
    return noted;
}

/* Where the notes of the level are to be. */
static struct kustomize_plan_level **slot_of(const struct kustomize_level *level)
{
    if (!level->leaf)
        return &level->b.shared->plan->root;
    return level->leaf->is_dirty ? &level->leaf->fresh : &level->leaf->level;
}

static int open_again(struct kustomize_level *level, struct kustomize_plan_level *noted, str text,
                      struct err *e)
{
    if (noted->text != text_mark(text) || !str_eq(str_of(noted->dir), level->b.dir))
        return err_set(e, ERR_CONFLICT, "%s changed", noted->dir);
    level->plan = noted;
    level->is_part = noted->is_visited = true;
    noted->next_pin = noted->new_pins.len = 0;
    return 0;
}

void kustomize_plan_give_up(struct kustomize_build *b)
{
    if (b->shared->plan)
        b->shared->plan->is_blind = true;
}

int kustomize_plan_open(struct kustomize_level *level, str text, struct err *e)
{
    struct kustomize_plan *plan = level->b.shared->plan;
    struct kustomize_plan_level **slot;
    bool is_fresh;

    if (!plan || (level->parent && !level->leaf)) /* of a field that makes the plan blind */
        return 0;
    slot = slot_of(level);
    if (is_blind(level))
        plan->is_blind = true;
    is_fresh = level->leaf && level->leaf->is_dirty;
    if (level->b.shared->options->is_part && *slot && !is_fresh)
        return open_again(level, *slot, text, e);
    kustomize_plan_level_free(*slot);
    *slot = level->plan = new_level(level, text);
    return 0;
}

/* ---- leaves */

static struct kustomize_leaf *leaf_at(const struct kustomize_level *level, const void *entry,
                                      const void *first, size_t size, size_t count, size_t begin)
{
    size_t at = (size_t)((const char *)entry - (const char *)first);

    if ((const char *)entry < (const char *)first || at >= size * count)
        return NULL;
    return &level->plan->leaves[begin + at / size];
}

struct kustomize_leaf *kustomize_plan_leaf(const struct kustomize_level *level,
                                           const struct kustomize_text *entry)
{
    const struct kustomize_text_list *r = &level->k->resources, *c = &level->k->components;
    struct kustomize_leaf *leaf;

    if (!level->plan)
        return NULL;
    leaf = leaf_at(level, entry, r->v, sizeof(*r->v), r->len, 0);
    if (!leaf)
        leaf = leaf_at(level, entry, c->v, sizeof(*c->v), c->len, level->plan->components);
    return leaf;
}

struct kustomize_leaf *kustomize_plan_generator(const struct kustomize_level *level,
                                                const struct kustomize_generator *g)
{
    const struct kustomize_generator_list *c = &level->k->config_maps, *s = &level->k->secrets;

    if (!level->plan)
        return NULL;
    return g->is_secret ? leaf_at(level, g, s->v, sizeof(*s->v), s->len, level->plan->secrets)
                        : leaf_at(level, g, c->v, sizeof(*c->v), c->len, level->plan->config_maps);
}

bool kustomize_plan_skips(const struct kustomize_level *level, const struct kustomize_leaf *leaf)
{
    return level->is_part && leaf && !leaf->is_component && !leaf->is_dirty &&
           !(leaf->level && leaf->level->has_dirty);
}

void kustomize_plan_made(struct kustomize_leaf *leaf, struct kustomize_resmap *m, size_t first)
{
    struct kustomize_resource *r;

    for (size_t at = first; leaf && (r = kustomize_resmap_next(m, &at));)
        r->leaf = leaf;
}

/* ---- files */

static void read_for(struct kustomize_plan_level *noted, struct kustomize_leaf *leaf, str path)
{
    struct kustomize_plan_files *files = !leaf            ? &noted->files
                                         : leaf->is_dirty ? &leaf->new_files
                                                          : &leaf->files;

    if (!noted->is_remote && !fetch_is_file_url(path))
        kustomize_plan_files_add(files, str_of(noted->dir), path);
}

void kustomize_plan_enter(struct kustomize_level *level, const struct kustomize_text *entry,
                          struct kustomize_level *below)
{
    below->leaf = kustomize_plan_leaf(level, entry);
    if (below->leaf)
        read_for(level->plan, below->leaf, entry->text);
}

void kustomize_plan_read(struct kustomize_build *b, str path)
{
    struct kustomize_level *level = b->shared->plan ? KUSTOMIZE_LEVEL(b) : NULL;

    if (!level || !level->plan)
        return;
    if (!level->reading && level->is_part)
        return; /* noted, and as it was */
    read_for(level->plan, level->reading, path);
}

/* ---- what transformers found */

/* The pins of one search: NULL behind the last. */
static bool has_other(struct kustomize_plan_level *noted)
{
    bool has_other = false;

    while (noted->next_pin < noted->pins.len) {
        struct kustomize_leaf *leaf = noted->pins.v[noted->next_pin++];

        if (!leaf)
            break;
        if (leaf->is_old)
            continue;
        vec_push(&noted->new_pins, leaf);
        has_other = true;
    }
    return has_other;
}

bool kustomize_plan_is_elsewhere(struct kustomize_build *b, struct kustomize_resource *const *found,
                                 size_t count)
{
    struct kustomize_level *level = b->shared && b->shared->plan ? KUSTOMIZE_LEVEL(b) : NULL;
    struct kustomize_plan_level *noted = level ? level->plan : NULL;
    bool is_elsewhere = false;

    if (!noted)
        return false;
    if (level->is_part)
        is_elsewhere = has_other(noted);
    for (size_t i = 0; i < count; i++) {
        if (!found[i]->leaf)
            b->shared->plan->is_blind = true;
        else if (level->is_part)
            vec_push(&noted->new_pins, found[i]->leaf);
        else
            vec_push(&noted->pins, found[i]->leaf);
    }
    if (level->is_part)
        vec_push(&noted->new_pins, NULL);
    else
        vec_push(&noted->pins, NULL);
    return is_elsewhere;
}

/* Stands before the pins of each patch, and behind those of the last. */
static struct kustomize_leaf patch_mark; /* never changed */

/* Where the pins of the next patch end; 0 when one of what it found is old, or it found nothing. */
static size_t end_of_clean(const struct kustomize_plan_level *noted)
{
    size_t at = noted->next_pin + 1;
    bool has_any = false;

    for (; at < noted->pins.len && noted->pins.v[at] != &patch_mark; at++) {
        if (noted->pins.v[at] && noted->pins.v[at]->is_old)
            return 0;
        has_any |= noted->pins.v[at] != NULL;
    }
    return has_any ? at : 0;
}

bool kustomize_plan_skips_patch(struct kustomize_level *level, const struct kustomize_patch *patch)
{
    struct kustomize_plan_level *noted = level->plan;
    size_t end;

    if (!noted)
        return false;
    if (!level->is_part) {
        vec_push(&noted->pins, &patch_mark);
        return false;
    }
    end = patch && !patch->has_target ? end_of_clean(noted) : 0;
    vec_push(&noted->new_pins, &patch_mark);
    for (noted->next_pin++; noted->next_pin < end; noted->next_pin++)
        vec_push(&noted->new_pins, noted->pins.v[noted->next_pin]);
    return end > 0;
}

/* ---- names */

void kustomize_plan_asked(struct kustomize_build *b, struct kustomize_resource *referrer, str name)
{
    if (b->shared && b->shared->plan)
        vec_push(&b->shared->plan->names, {referrer, str_hash(name)});
}
