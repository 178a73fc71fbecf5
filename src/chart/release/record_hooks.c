/* Hooks in release records (helm spec 7, 9.2). */
#include "base/time.h"
#include "chart/release/record.h"

enum { WORD = 21 }; /* the longest, with its NUL */
static const char events[][WORD] = {
#define X(name, text) text,
    CHART_EVENTS(X)
#undef X
};
static const char policies[][WORD] = {"before-hook-creation", "hook-succeeded", "hook-failed"};

str chart_event_name(enum chart_event event) { return str_of(events[event]); }

/* The bits of the words of a list. */
static unsigned read_bits(const struct doc_node *list, const char (*words)[WORD], size_t count)
{
    struct doc_iter it = doc_children(list);
    unsigned bits = 0;

    while (doc_next(&it))
        for (size_t i = 0; i < count; i++)
            if (str_eq(doc_string(it.value, STR_NONE), str_of(words[i])))
                bits |= 1u << i;
    return bits;
}

static str text_of(const struct doc_node *map, const char *member)
{
    return doc_string(doc_get(map, str_of(member)), STR(""));
}

static int64_t time_of(const struct doc_node *map, const char *member)
{
    int64_t us;

    return time_parse_rfc3339_us(text_of(map, member), &us) ? us : 0;
}

static struct chart_hook read_hook(struct doc_node *n)
{
    const struct doc_node *run = doc_get_lit(n, "last_run");
    struct chart_hook h = {
        .name = text_of(n, "name"),
        .kind = text_of(n, "kind"),
        .path = text_of(n, "path"),
        .manifest = text_of(n, "manifest"),
        .weight = doc_int(doc_get_lit(n, "weight"), 0),
        .events = read_bits(doc_get_lit(n, "events"), events, CHART_EVENT_COUNT),
        .delete_policies =
            read_bits(doc_get_lit(n, "delete_policies"), policies, ARRAY_LEN(policies)),
        .log_policies =
            read_bits(doc_get_lit(n, "output_log_policies"), policies, ARRAY_LEN(policies)),
        .started_us = time_of(run, "started_at"),
        .completed_us = time_of(run, "completed_at"),
        .phase = text_of(run, "phase"),
        .node = n,
    };

    if (!doc_len(doc_get_lit(n, "delete_policies")))
        h.delete_policies = CHART_BEFORE_HOOK_CREATION;
    return h;
}

void chart_record_hooks(const struct chart_record *r, struct chart_hooks *ret)
{
    struct doc_iter it = doc_children(doc_get_lit(r->root, "hooks"));

    while (doc_next(&it))
        if (doc_is_map(it.value))
            vec_push(ret, read_hook(it.value));
}

/* As helm: the policy by which a hook without one is run is written down, before the policies of
 * its logs. */
static void set_policy(struct chart_record *r, struct doc_node *hook)
{
    struct doc_node *logs = doc_get_lit(hook, "output_log_policies"), *list;

    if (doc_len(doc_get_lit(hook, "delete_policies")))
        return;
    list = doc_set_field(r->set, hook, STR("delete_policies"), doc_new_list(r->set));
    doc_append(list, doc_new_string(r->set, str_of(policies[0])));
    if (logs) {
        logs = doc_copy(r->set, logs);
        doc_remove(hook, STR("output_log_policies"));
        doc_set_field(r->set, hook, STR("output_log_policies"), logs);
    }
}

void chart_record_set_run(struct chart_record *r, const struct chart_hook *hook)
{
    struct doc_node *run = doc_set_field(r->set, hook->node, STR("last_run"), doc_new_map(r->set));
    const struct {
        const char *member;
        int64_t us;
    } times[] = {{"started_at", hook->started_us}, {"completed_at", hook->completed_us}};

    for (size_t i = 0; i < ARRAY_LEN(times); i++) {
        AUTO(buf_done) struct buf text = {0};

        if (!times[i].us)
            continue;
        chart_time_emit(times[i].us, &text);
        doc_set_string(r->set, run, str_of(times[i].member), buf_view(&text));
    }
    doc_set_string(r->set, run, STR("phase"), hook->phase);
    set_policy(r, hook->node);
}
