#include "cli/command.h"

/* Every command, in the order of help. Adding one is one file and one row here. */
/* clang-format off: a longer name would move every line, and changes beside it would conflict */
#define COMMANDS(X)            \
    X(apply)                   \
    X(destroy)                 \
    X(plan)                    \
    X(status)                  \
    X(validate)                \
    X(graph)                   \
    X(schema)                  \
    X(build)                   \
    X(create)                  \
    X(edit_set)                \
    X(edit_add)                \
    X(edit_remove)             \
    X(edit_fix)                \
    X(edit_plugins)            \
    X(localize)                \
    X(consolidate)             \
    X(cfg_cat)                 \
    X(cfg_count)               \
    X(cfg_grep)                \
    X(cfg_tree)                \
    X(openapi_info)            \
    X(fn_source)               \
    X(fn_sink)                 \
    X(fn_eval)                 \
    X(fn_render)               \
    X(fn_run)                  \
    X(fn_exec)                 \
    X(fn_list)                 \
    X(fn_doc)                  \
    X(fn_test)                 \
    X(eval_template)           \
    X(eval_jsonpath)           \
    X(eval_cel)                \
    X(chart_template)          \
    X(chart_install)           \
    X(chart_upgrade)           \
    X(chart_diff)              \
    X(chart_rollback)          \
    X(chart_uninstall)         \
    X(chart_test)              \
    X(chart_list)              \
    X(chart_history)           \
    X(chart_status)            \
    X(chart_get_all)           \
    X(chart_get_hooks)         \
    X(chart_get_manifest)      \
    X(chart_get_metadata)      \
    X(chart_get_notes)         \
    X(chart_get_values)        \
    X(chart_unlock)            \
    X(chart_env)               \
    X(chart_repo_add)          \
    X(chart_repo_list)         \
    X(chart_repo_update)       \
    X(chart_repo_remove)       \
    X(chart_create)            \
    X(chart_explain)           \
    X(chart_lint)              \
    X(chart_dependency_list)   \
    X(chart_dependency_update) \
    X(chart_dependency_build)  \
    X(chart_package)           \
    X(chart_repo_index)        \
    X(chart_search_repo)       \
    X(chart_pull)              \
    X(chart_show_chart)        \
    X(chart_show_values)       \
    X(chart_show_readme)       \
    X(chart_show_crds)         \
    X(chart_show_all)          \
    X(chart_push)              \
    X(chart_registry_login)    \
    X(chart_registry_logout)   \
    X(chart_verify)            \
    X(sandbox)                 \
    X(completion)              \
    X(man)                     \
    X(version)
/* clang-format on */

#define X(name) extern const struct cli_command cli_##name;
COMMANDS(X)
#undef X

const struct cli_command *const cli_commands[] = {
#define X(name) &cli_##name,
    COMMANDS(X)
#undef X
        NULL,
};

const struct cli_flag cli_global_flags[] = {
    {"log-level", CLI_CHOICE, "LEVEL", "least severe log lines to show", 0, "debug info warn error",
     "info", false},
    {"log-format", CLI_CHOICE, "FORMAT", "form of log lines", 0, "text json", "text", false},
    {.name = ""},
};
