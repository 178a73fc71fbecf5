#include "fn/pipeline.h"

static void tell(struct fn_pipeline *p, const struct fn_event *event)
{
    if (p->event)
        p->event(p->ctx, event);
}

static void copy_all(struct doc_set *set, const struct doc_list *from, struct doc_list *to)
{
    for (size_t i = 0; i < from->len; i++)
        vec_push(to, doc_copy(set, from->v[i]));
}

/* Puts the items of a finished run where they belong. */
static int keep(struct fn_pipeline *p, const struct doc_list *selected, const struct fn_list *io,
                struct doc_list *items, bool is_whole, struct err *e)
{
    const struct doc_list *output = &io->items;

    if (is_whole) {
        items->len = 0;
        for (size_t i = 0; i < output->len; i++)
            vec_push(items, output->v[i]);
    } else {
        fn_select_merge(selected, output, items);
    }
    if (p->package && io->keeps_places) /* they were good before */
        return 0;
    if (p->package)
        fn_place(p->set, items, p->folder);
    return fn_check_places(items, e);
}

int fn_pipeline_step(struct fn_pipeline *p, const struct fn_step *step,
                     const struct doc_node *function_config, bool is_kept, struct doc_list *items,
                     struct err *e)
{
    AUTO(fn_list_done)
    struct fn_list io = {.set = p->set, .dir = p->dir, .api_version = p->api_version};
    AUTO(fn_outcome_done) struct fn_outcome outcome = {0};
    AUTO(doc_list_done) struct doc_list selected = {0};
    bool is_whole = fn_selects_all(&step->selection);
    struct fn_event event = {.type = FN_EVENT_RUNNING,
                             .name = step->name,
                             .is_exec = step->spec.exec.len > 0,
                             .selected = -1};
    int rc;

    fn_select(&step->selection, items, &selected);
    if (is_kept)
        for (size_t i = 0; i < selected.len; i++)
            vec_push(&io.items, selected.v[i]);
    else
        copy_all(p->set, &selected, &io.items);
    if (function_config)
        io.function_config = doc_copy(p->set, function_config);
    if (!is_whole)
        event.selected = (ssize_t)selected.len;
    tell(p, &event);
    rc = fn_run(p->runner, &step->spec, &io, NULL, &outcome, e);
    if (rc == 0 && is_kept)
        rc = keep(p, &selected, &io, items, is_whole, e);
    p->functions++;
    event.type = FN_EVENT_DONE;
    event.has_failed = rc < 0 || outcome.exit_code != 0;
    if (rc < 0 && outcome.exit_code == 0)
        outcome.exit_code = 1;
    event.outcome = &outcome;
    event.results = io.results;
    tell(p, &event);
    if (rc < 0)
        return err_wrap(e, "function \"%.*s\"", STR_ARG(step->name));
    return outcome.exit_code ? 1 : 0;
}
