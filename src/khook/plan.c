#include "khook/plan.h"

#include "base/diag.h"
#include "base/mem.h"
#include "khook/state/hash.h"

enum { AT_ONCE = 8, STEP_MS = 30000, DIFF_MS = 120000 };

struct planning {
    const struct khook_plan_options *options;
    struct khook_plan *plan;
};

static bool has_diff(enum khook_plan_action action)
{
    return action == KHOOK_PLAN_INSTALL || action == KHOOK_PLAN_UPGRADE ||
           action == KHOOK_PLAN_CREATE || action == KHOOK_PLAN_CONFIGURE;
}

static void diff_step(const struct planning *p, const struct khook_step *step,
                      struct khook_planned *planned)
{
    const struct khook_executor *x = khook_executor_of(step->type);
    AUTO(cancel_free) struct cancel *cancel = cancel_new(p->options->cancel, clock_after(DIFF_MS));
    AUTO(err_done) struct err e = {0};

    if (!x->diff || !has_diff(planned->prediction.action))
        return;
    planned->has_diff = true;
    if (x->diff(p->options->context, step, cancel, &planned->diff, &e) < 0)
        planned->diff_problem = mem_strdup(err_text(&e));
}

static int plan_step(void *ctx, const struct run_attempt *attempt, struct err *e)
{
    struct planning *p = ctx;
    const struct khook_step *step = &p->plan->spec->steps[attempt->step];
    struct khook_planned *planned = &p->plan->steps[attempt->step];

    if (khook_executor_of(step->type)
            ->predict(p->options->context, step, attempt->cancel, &planned->prediction, e) < 0) {
        buf_clear(&planned->prediction.detail);
        buf_add_cstr(&planned->prediction.detail, err_text(e));
        planned->prediction.action = KHOOK_PLAN_UNKNOWN;
        err_done(e);
    } else if (p->options->diff) {
        diff_step(p, step, planned);
    }
    return 0;
}

/* Steps that are settled without asking the cluster about them; the others are predicted. */
static bool is_settled(struct khook_plan *p, size_t i, const struct khook_record *record,
                       str base_dir)
{
    const struct khook_step *step = &p->spec->steps[i];
    AUTO(buf_done) struct buf hash = {0};

    if (step->is_excluded) {
        p->steps[i].prediction.action = KHOOK_PLAN_SKIP;
        buf_addf(&p->steps[i].prediction.detail, "when condition is false (%.*s)",
                 STR_ARG(step->when));
        return true;
    }
    if (!record)
        return false;
    khook_step_hash(step, base_dir, &hash);
    if (!khook_record_resumes(record, step, buf_view(&hash)))
        return false;
    p->steps[i].prediction.action = KHOOK_PLAN_RESUME;
    buf_add_cstr(&p->steps[i].prediction.detail, KHOOK_RESUMED);
    return true;
}

static int record_load(const struct khook_plan_options *options, struct khook_record *ret,
                       struct err *e)
{
    const struct khook_spec *spec = options->context->spec;
    AUTO(khook_store_free)
    struct khook_store *store =
        khook_store_new(options->context->kube, spec->state_ns, spec->state_name);

    return khook_store_load(store, options->cancel, ret, e);
}

/* Predicts the open steps, several at once; the step engine with no edges is just that. */
static void predict_all(struct planning *p, const struct khook_record *record)
{
    const struct khook_spec *spec = p->plan->spec;
    AUTO(mem_free) void *steps_memory = mem_zalloc(spec->step_count * sizeof(struct run_step));
    AUTO(mem_free) void *results_memory = mem_zalloc(spec->step_count * sizeof(struct run_result));
    struct run_step *steps = steps_memory;
    struct run_plan plan = {.steps = steps,
                            .count = spec->step_count,
                            .parallelism = AT_ONCE,
                            .cancel = p->options->cancel,
                            .step = plan_step,
                            .ctx = p};

    for (size_t i = 0; i < spec->step_count; i++) {
        steps[i] = (struct run_step){.name = spec->steps[i].name,
                                     .timeout_ms = STEP_MS + (p->options->diff ? DIFF_MS : 0)};
        if (is_settled(p->plan, i, record, p->options->context->base_dir))
            steps[i].skip_reason = STR("settled");
    }
    (void)run_steps(&plan, results_memory);
    run_results_done(results_memory, spec->step_count);
}

static int online(struct planning *p, struct err *e)
{
    const struct khook_plan_options *options = p->options;
    AUTO(khook_record_done) struct khook_record record = {0};
    int found = 0;

    if (kube_server_version(options->context->kube, options->cancel, &p->plan->cluster, e) < 0)
        return err_wrap(e, "the cluster does not answer (plan --offline needs none)");
    if (p->plan->spec->has_state) {
        found = record_load(options, &record, e);
        if (found < 0)
            return -1;
    }
    predict_all(p, found ? &record : NULL);
    return cancel_check(options->cancel, e);
}

/* Reads the local sources of a step, for their mistakes. */
static int read_sources(struct planning *p, size_t i, struct err *e)
{
    const struct khook_step *step = &p->plan->spec->steps[i];
    const struct khook_blocks *manifests = step->apply ? &step->apply->manifests
                                           : step->del ? &step->del->manifests
                                                       : NULL;
    AUTO(khook_objects_done) struct khook_objects objects = {0};

    if (is_settled(p->plan, i, NULL, STR_NONE) || !manifests || !manifests->len)
        return 0;
    if (khook_sources_load_local(p->options->context, manifests, &objects, e) < 0)
        return err_wrap(e, "step \"%.*s\"", STR_ARG(step->name));
    return 0;
}

/* Without a cluster: every step's local sources are read. URLs would need the network. */
static int offline(struct planning *p, struct err *e)
{
    AUTO(diag_list_done) struct diag_list problems = {0};

    for (size_t i = 0; i < p->plan->spec->step_count; i++) {
        AUTO(err_done) struct err one = {0};

        if (read_sources(p, i, &one) == 0)
            continue;
        diag_add(&problems, &(struct diag){.text = str_of(err_text(&one))});
        if (problems.len == 1)
            err_move(e, &one);
    }
    if (problems.len > 1) {
        err_done(e);
        err_diags(e, &problems);
    }
    return e->kind ? -1 : 0;
}

int khook_plan_make(const struct khook_plan_options *options, struct khook_plan *ret, struct err *e)
{
    struct planning p = {.options = options, .plan = ret};

    *ret =
        (struct khook_plan){.spec = options->context->spec, .is_offline = !options->context->kube};
    ret->steps = mem_zalloc(ret->spec->step_count * sizeof(*ret->steps));
    for (size_t i = 0; i < ret->spec->step_count; i++)
        ret->steps[i].prediction.action = KHOOK_PLAN_UNKNOWN;
    return ret->is_offline ? offline(&p, e) : online(&p, e);
}

void khook_plan_done(struct khook_plan *p)
{
    for (size_t i = 0; p->steps && i < p->spec->step_count; i++) {
        buf_done(&p->steps[i].prediction.detail);
        buf_done(&p->steps[i].diff);
        mem_free(p->steps[i].diff_problem);
    }
    mem_free(p->steps);
    buf_done(&p->cluster);
    *p = (struct khook_plan){0};
}

bool khook_plan_changes(const struct khook_plan *p)
{
    for (size_t i = 0; i < p->spec->step_count; i++)
        if (p->steps[i].prediction.action <= KHOOK_PLAN_RUN)
            return true;
    return false;
}
