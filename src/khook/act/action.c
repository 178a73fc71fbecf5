#include "khook/act/action.h"

const char *khook_plan_word(enum khook_plan_action action)
{
    static const char words[][10] = {
#define X(name, text) [name] = text,
        KHOOK_PLAN_ACTIONS(X)
#undef X
    };

    return words[action];
}

const struct khook_executor *khook_executor_of(enum khook_type type)
{
    static const struct khook_executor *const rows[KHOOK_TYPE_COUNT] = {
        [KHOOK_HELM] = &khook_act_helm,     [KHOOK_APPLY] = &khook_act_apply,
        [KHOOK_DELETE] = &khook_act_delete, [KHOOK_PATCH] = &khook_act_patch,
        [KHOOK_WAIT] = &khook_act_wait,     [KHOOK_ROLLOUT] = &khook_act_rollout,
        [KHOOK_JOB] = &khook_act_job,
    };

    return rows[type];
}
