/* Which leaves of the notes a change makes dirty, and what becomes of the notes then. */
#include "kustomize/incremental/plan_priv.h"

#include "base/order.h"

/* ---- marking */

/* A component works on the resources of its level. */
static bool is_local(const struct kustomize_plan_level *level)
{
    if (!level->is_local)
        return false;
    for (size_t i = level->components; i < level->leaf_count; i++)
        if (level->leaves[i].level && !is_local(level->leaves[i].level))
            return false;
    return true;
}

static struct kustomize_plan_level *above(const struct kustomize_plan_level *level)
{
    return level->leaf ? level->leaf->owner : NULL;
}

/* The leaf that stands for all of a level, and for what the level, as a component, works on. */
static struct kustomize_leaf *leaf_of(const struct kustomize_plan_level *level)
{
    struct kustomize_leaf *leaf = level->leaf;

    while (leaf && leaf->is_component)
        leaf = leaf->owner->leaf;
    return leaf;
}

bool kustomize_plan_mark(struct kustomize_leaf *leaf)
{
    const struct kustomize_plan_level *level;

    if (leaf->is_component)
        leaf = leaf_of(leaf->owner);
    for (level = leaf ? leaf->owner : NULL; level; level = above(level))
        if (!is_local(level)) {
            leaf = leaf_of(level);
            if (!leaf)
                return false;
        }
    if (!leaf)
        return false;
    leaf->is_dirty = true;
    for (struct kustomize_plan_level *l = leaf->owner; l; l = above(l))
        l->has_dirty = true;
    return true;
}

struct marking {
    const uint32_t *hashes;
    size_t count;
    uint64_t bits;
};

static bool is_hit(const struct marking *m, const struct kustomize_plan_files *files)
{
    if (!(m->bits & files->bits))
        return false;
    for (size_t i = 0; i < files->len; i++)
        if (bsearch(&files->v[i].hash, m->hashes, m->count, sizeof(*m->hashes), order_u32))
            return true;
    return false;
}

static bool mark_level(const struct marking *m, struct kustomize_plan_level *level)
{
    if (is_hit(m, &level->files)) {
        struct kustomize_leaf *leaf = leaf_of(level);

        return leaf && kustomize_plan_mark(leaf);
    }
    for (size_t i = 0; i < level->leaf_count; i++) {
        struct kustomize_leaf *leaf = &level->leaves[i];

        if (is_hit(m, &leaf->files) && !kustomize_plan_mark(leaf))
            return false;
        if (leaf->level && !mark_level(m, leaf->level))
            return false;
    }
    return true;
}

bool kustomize_plan_mark_files(struct kustomize_plan *plan, const uint32_t *hashes, size_t count)
{
    struct marking m = {hashes, count, 0};

    for (size_t i = 0; i < count; i++)
        m.bits |= kustomize_plan_bit(hashes[i]);
    return mark_level(&m, plan->root);
}

/* ---- numbers */

static void prepare_level(struct kustomize_plan *plan, struct kustomize_plan_level *level,
                          bool is_old, uint32_t *place)
{
    level->is_visited = false;
    for (size_t i = 0; i < level->leaf_count; i++) {
        struct kustomize_leaf *leaf = &level->leaves[i];

        leaf->place = (*place)++;
        leaf->is_old = is_old || leaf->is_dirty;
        plan->old_count += leaf->is_old ? leaf->made : 0;
        if (leaf->level)
            prepare_level(plan, leaf->level, leaf->is_old, place);
    }
}

void kustomize_plan_prepare(struct kustomize_plan *plan)
{
    uint32_t place = 0;

    plan->old_count = 0;
    prepare_level(plan, plan->root, false, &place);
}

/* ---- afterwards */

static void commit_leaf(struct kustomize_leaf *leaf)
{
    kustomize_plan_level_free(leaf->level);
    leaf->level = TAKE(leaf->fresh);
    kustomize_plan_files_done(&leaf->files);
    leaf->files = leaf->new_files;
    leaf->new_files = (struct kustomize_plan_files){0};
    leaf->is_dirty = leaf->is_old = false;
}

static void commit_level(struct kustomize_plan_level *level)
{
    typeof(level->pins) pins = level->pins;

    if (!level->is_visited)
        return;
    level->is_visited = level->has_dirty = false;
    level->pins = level->new_pins;
    pins.len = 0;
    level->new_pins = pins;
    for (size_t i = 0; i < level->leaf_count; i++) {
        if (level->leaves[i].is_dirty)
            commit_leaf(&level->leaves[i]);
        else if (level->leaves[i].level)
            commit_level(level->leaves[i].level);
    }
}

void kustomize_plan_commit(struct kustomize_plan *plan) { commit_level(plan->root); }

static void abort_level(struct kustomize_plan_level *level)
{
    for (size_t i = 0; i < level->leaf_count; i++) {
        struct kustomize_leaf *leaf = &level->leaves[i];

        kustomize_plan_level_free(leaf->fresh);
        leaf->fresh = NULL;
        kustomize_plan_files_done(&leaf->new_files);
        if (leaf->level)
            abort_level(leaf->level);
    }
}

void kustomize_plan_abort(struct kustomize_plan *plan) { abort_level(plan->root); }
