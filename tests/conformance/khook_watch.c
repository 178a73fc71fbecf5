/* Areas of objects: waits and rollouts. */
#include "conformance/khook_case.h"
#include "khook/await/tracker.h"
#include "khook/spec/waits.h"
#include "kube/rollout.h"

/* Objects are told apart by their names, which some cases leave out. */
static void name_object(struct doc_set *set, struct doc_node *object, size_t i)
{
    struct doc_node *metadata = doc_ensure_map(set, object, STR("metadata"));
    char name[32];

    snprintf(name, sizeof(name), "object-%zu", i);
    doc_set_string(set, metadata, STR("name"), str_of(name));
}

bool khook_area_waitcheck(struct khook_case *c)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(wait_for_done) struct wait_for w = {0};
    AUTO(khook_tracker_done) struct khook_tracker tracker = {0};
    AUTO(err_done) struct err e = {0};
    str text = khook_member(c->node, "for");
    struct doc_iter it = doc_children(doc_get_lit(c->node, "objects"));
    bool want = doc_bool(doc_get_lit(c->expect, "met"), false);

    if (khook_wait_parse(text, false, &w, &e) < 0)
        return khook_wrong(c, "%s", err_text(&e));
    khook_tracker_init(&tracker, &w, &text, 1, false);
    for (size_t i = 0; doc_next(&it); i++) {
        struct doc_node *object = doc_copy(set, it.value);

        name_object(set, object, i);
        khook_tracker_update(&tracker, object, false);
    }
    return khook_tracker_holds(&tracker) == want || khook_wrong(c, "met is %d", !want);
}

bool khook_area_rollout(struct khook_case *c)
{
    AUTO(buf_done) struct buf why = {0};
    enum kube_rollout got =
        kube_rollout_judge(khook_member(c->node, "kind"), doc_get_lit(c->node, "object"), &why);

    return khook_same(c, buf_cstr(&why), str_of(kube_rollout_name(got)),
                      khook_member(c->expect, "result"));
}
