#include "kustomize/incremental/incremental.h"

#include <time.h>

#include "base/map.h"
#include "base/order.h"
#include "kustomize/incremental/plan_priv.h"

enum { MAX_ROUNDS = 4, WORTH_PARTS = 3 };

struct kustomize_session {
    const char *target;
    struct kustomize_options options;
    struct kustomize_plan *plan; /* of the last build that did not fail, or NULL */
    struct kustomize_hashes touched;
    struct str_vec trees; /* folders of a build whose notes are of no use; owned */
    bool needs_all;       /* parts will not do until all was built */
    bool has_failed;      /* the last build did */
    bool is_touched, is_changed;
    struct timespec since; /* when the last build began */
    struct kustomize_session_stats stats;
};

struct kustomize_session *kustomize_session_new(const char *target,
                                                const struct kustomize_options *options)
{
    struct kustomize_session *s = NEW(struct kustomize_session);

    s->target = target;
    s->options = *options;
    s->is_touched = true;
    return s;
}

static void texts_done(struct str_vec *texts)
{
    for (size_t i = 0; i < texts->len; i++)
        mem_free((char *)texts->v[i].p);
    str_vec_done(texts);
}

void kustomize_session_free(struct kustomize_session *s)
{
    if (!s)
        return;
    kustomize_plan_free(s->plan);
    vec_done(&s->touched);
    texts_done(&s->trees);
    mem_free(s);
}

/* ---- what was touched */

void kustomize_session_touch(struct kustomize_session *s, str folder, str name)
{
    AUTO(buf_done) struct buf path = {0};

    if (!folder.p) {
        s->needs_all = s->is_touched = true;
        return;
    }
    buf_add_str(&path, folder);
    if (name.len)
        buf_addf(&path, "%s%.*s", str_eq(folder, STR("/")) ? "" : "/", STR_ARG(name));
    vec_push(&s->touched, str_hash(buf_view(&path)));
}

static bool is_precise(const struct kustomize_session *s)
{
    /* a strict build fails for warnings that only a whole build tells */
    return s->plan && s->plan->root && !s->plan->is_blind && !s->options.is_strict;
}

/* What was touched becomes marks in the notes. After a failure anything may mend it. */
static void mark(struct kustomize_session *s)
{
    if (s->touched.len == 0)
        return;
    vec_sort(&s->touched, order_u32);
    s->needs_all |=
        !is_precise(s) || !kustomize_plan_mark_files(s->plan, s->touched.v, s->touched.len);
    s->is_touched |= s->needs_all || s->has_failed || s->plan->root->has_dirty;
    s->touched.len = 0;
}

bool kustomize_session_is_touched(struct kustomize_session *s)
{
    mark(s);
    return s->is_touched;
}

bool kustomize_session_is_changed(const struct kustomize_session *s) { return s->is_changed; }

/* ---- parts */

static bool is_worth_it(const struct kustomize_plan *plan)
{
    return plan->old_count < kustomize_resmap_len(&plan->kept.map) / WORTH_PARTS + WORTH_PARTS;
}

/* A warning of a level that was only passed may be wrong there: only a part of its resources came
 * by. Those of files that were read anew are right. */
static void take_warnings(const struct kustomize_result *from, struct diag_list *to)
{
    AUTO(map_done) struct map origins = {0};
    struct kustomize_resource *r;

    for (size_t at = 0; (r = kustomize_resmap_next(&from->resources, &at));) {
        struct doc_place place = doc_place(r->set, r->root);

        if (place.line)
            map_put(&origins, place.origin, r);
    }
    for (size_t i = 0; i < from->warnings.len; i++)
        if (map_has(&origins, from->warnings.v[i].origin))
            diag_add(to, &from->warnings.v[i]);
}

static int build_parts(struct kustomize_session *s, struct diag_list *warnings)
{
    AUTO(kustomize_result_done) struct kustomize_result result = {0};
    AUTO(err_done) struct err e = {0};
    struct kustomize_options options = s->options;
    struct kustomize_plan *plan = s->plan;

    kustomize_plan_prepare(plan);
    if (!is_worth_it(plan))
        return -1;
    plan->wants_more = false;
    plan->names.len = 0;
    options.plan = plan;
    options.is_part = true;
    if (kustomize_build_run(s->target, &options, &result, &e) == 0) {
        take_warnings(&result, warnings);
        s->is_changed = s->has_failed || plan->is_changed;
        return 0;
    }
    if (plan->is_broken) {
        s->plan = NULL;
        kustomize_plan_free(plan);
        return -1;
    }
    kustomize_plan_abort(plan);
    return plan->wants_more ? 1 : -1;
}

/* ---- all */

static void note_trees(struct kustomize_session *s, const struct kustomize_result *result)
{
    const struct str_vec *folders = kustomize_result_folders(result);

    texts_done(&s->trees);
    for (size_t i = 0; i < folders->len; i++)
        vec_push(&s->trees, {mem_strndup(folders->v[i].p, folders->v[i].len), folders->v[i].len});
}

static int print_all(struct kustomize_plan *plan, const struct kustomize_result *result,
                     struct err *e)
{
    AUTO(buf_done) struct buf text = {0};
    struct kustomize_kept_set *kept = &plan->kept;
    struct kustomize_resource *r;
    size_t at = 0;

    vec_reserve(&kept->order, kustomize_resmap_len(&result->resources));
    while ((r = kustomize_resmap_next(&result->resources, &at))) {
        size_t begin;

        if (kept->order.len)
            buf_add_cstr(&text, "---\n");
        begin = text.len;
        if (kustomize_resource_print(r, &text, e) < 0)
            return -1;
        r->kept->place = kept->order.len;
        r->kept->text = (str){NULL, text.len - begin};
        vec_push(&kept->order, r->kept);
    }
    kept->block_len = text.len;
    kept->block = mem_realloc(buf_take(&text), MAX(kept->block_len, (size_t)1), 1);
    at = 0;
    for (size_t i = 0; i < kept->order.len; i++) {
        kept->order.v[i]->text.p = kept->block + at;
        at += kept->order.v[i]->text.len + 4;
    }
    return 0;
}

static bool is_same_text(const struct kustomize_plan *was, const struct kustomize_plan *now)
{
    AUTO(str_vec_done) struct str_vec pieces = {0};
    size_t at = 0;

    if (!was)
        return false;
    kustomize_kept_text(&was->kept, &pieces);
    for (size_t i = 0; i < pieces.len; at += pieces.v[i++].len)
        if (pieces.v[i].len > now->kept.block_len - at ||
            !str_eq(pieces.v[i], (str){now->kept.block + at, pieces.v[i].len}))
            return false;
    return at == now->kept.block_len;
}

static int build_all(struct kustomize_session *s, struct diag_list *warnings, struct err *e)
{
    AUTO(kustomize_result_done) struct kustomize_result result = {0};
    struct kustomize_plan *plan = kustomize_plan_new();
    struct kustomize_options options = s->options;
    int rc;

    options.plan = plan;
    rc = kustomize_build_run(s->target, &options, &result, e);
    if (rc == 0)
        rc = print_all(plan, &result, e);
    for (size_t i = 0; i < result.warnings.len; i++)
        diag_add(warnings, &result.warnings.v[i]);
    note_trees(s, &result);
    if (rc < 0) {
        kustomize_plan_free(plan); /* the old notes and marks stay */
        return -1;
    }
    s->is_changed = s->has_failed || !is_same_text(s->plan, plan);
    kustomize_plan_free(s->plan);
    s->plan = plan;
    kustomize_kept_trim(&plan->kept);
    s->needs_all = false;
    return 0;
}

int kustomize_session_build(struct kustomize_session *s, struct diag_list *warnings, struct err *e)
{
    int rc = 1;

    mark(s);
    s->is_touched = false;
    clock_gettime(CLOCK_REALTIME_COARSE, &s->since);
    if (s->plan)
        s->plan->kept.round++;
    for (int i = 0; rc > 0 && i < MAX_ROUNDS && is_precise(s) && !s->needs_all; i++)
        rc = build_parts(s, warnings);
    if (rc == 0) {
        s->stats.parts++;
    } else {
        rc = build_all(s, warnings, e);
        s->stats.whole++;
    }
    s->has_failed = rc < 0;
    return rc;
}

/* ---- the output */

void kustomize_session_text(const struct kustomize_session *s, struct str_vec *ret)
{
    if (s->plan)
        kustomize_kept_text(&s->plan->kept, ret);
}

int kustomize_session_each(const struct kustomize_session *s, bool only_new,
                           kustomize_session_fn *fn, void *ctx, struct err *e)
{
    for (size_t i = 0; s->plan && i < s->plan->kept.order.len; i++) {
        const struct kustomize_kept *kept = s->plan->kept.order.v[i];

        if ((kept->round == s->plan->kept.round || !only_new) &&
            fn(ctx, &kept->r, kept->text, e) < 0)
            return -1;
    }
    return 0;
}

bool kustomize_session_has_namespaces(const struct kustomize_session *s)
{
    str first = STR_NONE;

    for (size_t i = 0; s->plan && i < s->plan->kept.order.len; i++) {
        str ns = s->plan->kept.order.v[i]->r.id.ns;

        if (ns.len && first.len && !str_eq(first, ns))
            return true;
        first = ns.len ? ns : first;
    }
    return false;
}

/* ---- watching */

bool kustomize_session_folders(struct kustomize_session *s, struct str_vec *ret)
{
    bool is_precise_now = is_precise(s) && !s->has_failed;

    if (is_precise_now)
        kustomize_plan_folders(s->plan, ret);
    else
        for (size_t i = 0; i < s->trees.len; i++)
            vec_push(ret, {mem_strndup(s->trees.v[i].p, s->trees.v[i].len), s->trees.v[i].len});
    return !is_precise_now;
}

void kustomize_session_watched(struct kustomize_session *s, bool has_new)
{
    static const struct timespec never = {.tv_sec = INT64_MAX};

    if (is_precise(s) && !s->has_failed)
        kustomize_plan_check(s->plan, has_new ? &s->since : &never, &s->touched);
    if (s->plan)
        kustomize_kept_close(&s->plan->kept);
}

struct kustomize_session_stats kustomize_session_stats(const struct kustomize_session *s)
{
    struct kustomize_session_stats stats = s->stats;
    const struct kustomize_kept_set *kept = s->plan ? &s->plan->kept : NULL;

    if (!kept || !kept->set)
        return stats;
    stats.kept_bytes = kept->block_len + kept->own_len + kept->set->arena.used +
                       kept->order.cap * sizeof(*kept->order.v) +
                       kept->map.entries.cap * sizeof(*kept->map.entries.v) +
                       kept->map.slot_count * sizeof(*kept->map.slots) +
                       kept->map.list.cap * sizeof(*kept->map.list.v);
    return stats;
}
