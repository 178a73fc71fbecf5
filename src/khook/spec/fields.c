#include "khook/spec/fields.h"

#include "khook/spec/read_priv.h"

/* FIELD(struct, member, name, kind, help, further initialisers) */
#define FIELD(block, member, key, type, text, ...)                                         \
    {                                                                                      \
        .name = key, .help = text, .kind = type, .offset = offsetof(struct block, member), \
        __VA_ARGS__                                                                        \
    }
#define TABLE_OF(block) .size = sizeof(struct block)

#define NAMESPACE(block, ...)                                                          \
    FIELD(block, ns, "namespace", KHOOK_TEXT, "namespace of what has none of its own", \
          .fallback = "default", __VA_ARGS__)

/* ---- sources */

static const struct khook_field source_fields[] = {
    FIELD(khook_source, inline_text, "inline", KHOOK_TEXT, "manifests as YAML text"),
    FIELD(khook_source, file, "file", KHOOK_TEXT, "path of a file"),
    FIELD(khook_source, url, "url", KHOOK_TEXT, "http or https URL", .rule = KHOOK_RULE_URL),
    FIELD(khook_source, kustomize, "kustomize", KHOOK_TEXT, "directory of a local kustomization",
          .rule = KHOOK_RULE_LOCAL),
    {.name = ""},
};
static const struct khook_table source_table = {
    .name = "entry of manifests",
    .fields = source_fields,
    TABLE_OF(khook_source),
    .one_of = "inline file url kustomize",
    .code = "exclusive",
    .check = khook_check_manifest,
};

static const struct khook_field values_fields[] = {
    FIELD(khook_source, file, "file", KHOOK_TEXT, "path of a values file"),
    FIELD(khook_source, url, "url", KHOOK_TEXT, "http or https URL of a values file",
          .rule = KHOOK_RULE_URL),
    {.name = ""},
};
static const struct khook_table values_table = {
    .name = "entry of valuesFrom",
    .fields = values_fields,
    TABLE_OF(khook_source),
    .one_of = "file url",
    .code = "exclusive",
};

/* ---- actions */

static const struct khook_field auth_fields[] = {
    FIELD(khook_auth, username, "username", KHOOK_TEXT, "user name", .flags = KHOOK_CHECKED),
    FIELD(khook_auth, password, "password", KHOOK_TEXT, "password or token",
          .flags = KHOOK_CHECKED),
    {.name = ""},
};
static const struct khook_table auth_table = {
    .name = "auth", .fields = auth_fields, TABLE_OF(khook_auth)};

static const struct khook_field helm_fields[] = {
    FIELD(khook_helm, chart, "chart", KHOOK_TEXT,
          "chart: a name in repo, an oci:// reference, or a local path", .flags = KHOOK_REQUIRED),
    FIELD(khook_helm, repo, "repo", KHOOK_TEXT, "URL of the chart repository"),
    FIELD(khook_helm, version, "version", KHOOK_TEXT, "exact chart version", .flags = KHOOK_DERIVED,
          .fallback = "the newest stable one"),
    FIELD(khook_helm, auth, "auth", KHOOK_BLOCK, "credentials of the repository or registry",
          .table = KHOOK_BLOCK_AUTH),
    FIELD(khook_helm, release, "release", KHOOK_TEXT, "name of the release",
          .rule = KHOOK_RULE_RELEASE, .flags = KHOOK_DERIVED, .fallback = "the step's name"),
    NAMESPACE(khook_helm),
    FIELD(khook_helm, create_ns, "createNamespace", KHOOK_BOOL,
          "create the namespace when it does not exist", .fallback = "false"),
    FIELD(khook_helm, skip_if, "skipIf", KHOOK_WORD, "do nothing when the release has a history",
          .words = "installed"),
    FIELD(khook_helm, atomic, "atomic", KHOOK_BOOL, "undo a failed install or upgrade",
          .fallback = "false"),
    FIELD(khook_helm, wait, "wait", KHOOK_BOOL, "wait until the release's resources are ready",
          .fallback = "false"),
    FIELD(khook_helm, values, "values", KHOOK_ANY_MAP, "chart values"),
    FIELD(khook_helm, values_from, "valuesFrom", KHOOK_BLOCKS,
          "values files, later ones over earlier ones, below values", .table = KHOOK_BLOCK_VALUES),
    {.name = ""},
};

static const struct khook_field apply_fields[] = {
    FIELD(khook_apply, manifests, "manifests", KHOOK_BLOCKS, "where the objects come from",
          .flags = KHOOK_REQUIRED | KHOOK_NOT_EMPTY, .table = KHOOK_BLOCK_SOURCE),
    NAMESPACE(khook_apply),
    FIELD(khook_apply, create_ns, "createNamespace", KHOOK_BOOL,
          "create the namespace when it does not exist; needs namespace", .fallback = "false"),
    FIELD(khook_apply, skip_if, "skipIf", KHOOK_WORD, "do nothing when every object exists",
          .words = "exists"),
    FIELD(khook_apply, server_side, "serverSide", KHOOK_BOOL, "server-side apply",
          .fallback = "false"),
    FIELD(khook_apply, wait_for, "waitFor", KHOOK_TEXT,
          "wait until every object meets this: condition=NAME[=VALUE] or jsonpath=EXPR[=VALUE]"),
    {.name = ""},
};

static const struct khook_field delete_fields[] = {
    FIELD(khook_delete, manifests, "manifests", KHOOK_BLOCKS, "delete what these sources name",
          .table = KHOOK_BLOCK_SOURCE),
    FIELD(khook_delete, resource, "resource", KHOOK_TEXT,
          "delete a type (pods) or one object (daemonset/aws-node)", .rule = KHOOK_RULE_TYPE),
    FIELD(khook_delete, release, "release", KHOOK_TEXT, "uninstall a release",
          .rule = KHOOK_RULE_RELEASE),
    NAMESPACE(khook_delete),
    FIELD(khook_delete, all_ns, "allNamespaces", KHOOK_BOOL, "in every namespace",
          .fallback = "false"),
    FIELD(khook_delete, selector, "selector", KHOOK_TEXT, "label selector",
          .rule = KHOOK_RULE_LABELS),
    FIELD(khook_delete, field_selector, "fieldSelector", KHOOK_TEXT, "field selector",
          .rule = KHOOK_RULE_FIELDS),
    FIELD(khook_delete, ignore_not_found, "ignoreNotFound", KHOOK_BOOL,
          "what is absent already counts as deleted", .fallback = "true"),
    {.name = ""},
};

static const struct khook_field patch_fields[] = {
    FIELD(khook_patch, target, "target", KHOOK_TEXT, "object to patch: kind/name",
          .flags = KHOOK_REQUIRED, .rule = KHOOK_RULE_TARGET),
    NAMESPACE(khook_patch),
    FIELD(khook_patch, type, "type", KHOOK_WORD, "how the patch is written",
          .words = "strategic merge json", .fallback = "strategic"),
    FIELD(khook_patch, patch, "patch", KHOOK_ANY, "a map, or for json a list of operations",
          .flags = KHOOK_REQUIRED),
    {.name = ""},
};

static const struct khook_field wait_fields[] = {
    FIELD(khook_wait, for_text, "for", KHOOK_TEXT,
          "delete, condition=NAME[=VALUE] or jsonpath=EXPR[=VALUE]"),
    FIELD(khook_wait, any_of, "anyOf", KHOOK_TEXTS, "2 to 16 such texts of which one must hold"),
    FIELD(khook_wait, all_of, "allOf", KHOOK_TEXTS, "2 to 16 such texts that must all hold"),
    FIELD(khook_wait, on, "on", KHOOK_TEXT, "a type (pods) or one object (pod/web)",
          .flags = KHOOK_REQUIRED, .rule = KHOOK_RULE_TYPE),
    NAMESPACE(khook_wait),
    FIELD(khook_wait, all_ns, "allNamespaces", KHOOK_BOOL, "in every namespace",
          .fallback = "false"),
    FIELD(khook_wait, selector, "selector", KHOOK_TEXT, "label selector",
          .rule = KHOOK_RULE_LABELS),
    FIELD(khook_wait, field_selector, "fieldSelector", KHOOK_TEXT, "field selector",
          .rule = KHOOK_RULE_FIELDS),
    FIELD(khook_wait, fail_fast, "failFast", KHOOK_BOOL,
          "end at once on a crash loop, a failing image pull or a Failed condition",
          .fallback = "false"),
    {.name = ""},
};

static const struct khook_field rollout_fields[] = {
    FIELD(khook_rollout, restart, "restart", KHOOK_TEXT,
          "restart deployment/x, daemonset/x or statefulset/x", .rule = KHOOK_RULE_ROLLOUT),
    FIELD(khook_rollout, status, "status", KHOOK_TEXT, "wait until its rollout is complete",
          .rule = KHOOK_RULE_ROLLOUT),
    FIELD(khook_rollout, ns, "namespace", KHOOK_TEXT, "namespace of the workload",
          .flags = KHOOK_REQUIRED),
    {.name = ""},
};

static const struct khook_field job_fields[] = {
    FIELD(khook_job, image, "image", KHOOK_TEXT, "container image", .flags = KHOOK_REQUIRED),
    FIELD(khook_job, command, "command", KHOOK_TEXTS, "entry point instead of the image's"),
    FIELD(khook_job, args, "args", KHOOK_TEXTS, "arguments instead of the image's"),
    FIELD(khook_job, env, "env", KHOOK_TEXT_MAP, "environment: names to texts"),
    NAMESPACE(khook_job),
    FIELD(khook_job, create_ns, "createNamespace", KHOOK_BOOL,
          "create the namespace when it does not exist", .fallback = "false"),
    FIELD(khook_job, service_account, "serviceAccount", KHOOK_TEXT, "service account of the Pod"),
    FIELD(khook_job, skip_if, "skipIf", KHOOK_WORD, "do nothing when the Job has succeeded",
          .words = "succeeded"),
    {.name = ""},
};

const struct khook_table khook_table_actions[KHOOK_TYPE_COUNT] = {
    [KHOOK_HELM] = {.name = "helm",
                    .fields = helm_fields,
                    TABLE_OF(khook_helm),
                    .hints = "skipIfInstalled=skipIf: installed",
                    .check = khook_check_helm},
    [KHOOK_APPLY] = {.name = "apply",
                     .fields = apply_fields,
                     TABLE_OF(khook_apply),
                     .hints = "skipIfExists=skipIf: exists",
                     .check = khook_check_apply},
    [KHOOK_DELETE] = {.name = "delete",
                      .fields = delete_fields,
                      TABLE_OF(khook_delete),
                      .one_of = "manifests resource release",
                      .code = "exclusive",
                      .check = khook_check_delete},
    [KHOOK_PATCH] = {.name = "patch",
                     .fields = patch_fields,
                     TABLE_OF(khook_patch),
                     .check = khook_check_patch},
    [KHOOK_WAIT] = {.name = "wait",
                    .fields = wait_fields,
                    TABLE_OF(khook_wait),
                    .one_of = "for anyOf allOf",
                    .code = "exclusive",
                    .none_code = "field.required",
                    .hints = "timeout=timeout on the step",
                    .check = khook_check_wait},
    [KHOOK_ROLLOUT] = {.name = "rollout",
                       .fields = rollout_fields,
                       TABLE_OF(khook_rollout),
                       .one_of = "restart status",
                       .code = "exclusive",
                       .check = khook_check_rollout},
    [KHOOK_JOB] = {.name = "job",
                   .fields = job_fields,
                   TABLE_OF(khook_job),
                   .hints = "skipIfSucceeded=skipIf: succeeded",
                   .check = khook_check_job},
};

/* ---- the document around them */

static const struct khook_field defaults_fields[] = {
    FIELD(khook_defaults, timeout_ms, "timeout", KHOOK_TIME, "bounds one attempt",
          .rule = KHOOK_RULE_POSITIVE, .fallback = "5m"),
    FIELD(khook_defaults, retries, "retries", KHOOK_INT, "further attempts after a failed one",
          .rule = KHOOK_RULE_NOT_NEGATIVE, .fallback = "0"),
    FIELD(khook_defaults, retry_delay_ms, "retryDelay", KHOOK_TIME, "pause between attempts",
          .rule = KHOOK_RULE_NOT_NEGATIVE, .fallback = "10s"),
    FIELD(khook_defaults, on_error_word, "onError", KHOOK_WORD,
          "what a failed step means for the others", .words = "fail continue", .fallback = "fail"),
    {.name = ""},
};
static const struct khook_table defaults_table = {
    .name = "defaults",
    .fields = defaults_fields,
    TABLE_OF(khook_defaults),
};

static const struct khook_field state_fields[] = {
    FIELD(khook_state, enabled, "enabled", KHOOK_BOOL, "keep a record of the run",
          .fallback = "true"),
    FIELD(khook_state, ns, "namespace", KHOOK_TEXT, "namespace of the record; it must exist",
          .rule = KHOOK_RULE_LABEL, .fallback = "default"),
    FIELD(khook_state, name, "name", KHOOK_TEXT, "name of the record's Secret",
          .rule = KHOOK_RULE_SUBDOMAIN, .flags = KHOOK_DERIVED,
          .fallback = "khook-state-<metadata.name>"),
    {.name = ""},
};
static const struct khook_table state_table = {
    .name = "state", .fields = state_fields, TABLE_OF(khook_state)};

static const struct khook_field metadata_fields[] = {
    FIELD(khook_metadata, name, "name", KHOOK_TEXT, "name of the spec", .flags = KHOOK_REQUIRED),
    {.name = ""},
};
static const struct khook_table metadata_table = {
    .name = "metadata", .fields = metadata_fields, TABLE_OF(khook_metadata)};

#define ACTION(member, type, key, text)                                      \
    FIELD(khook_step, member, key, KHOOK_BLOCK, text, .flags = KHOOK_ACTION, \
          .table = KHOOK_BLOCK_ACTIONS + (type))

static const struct khook_field step_fields[] = {
    FIELD(khook_step, name, "name", KHOOK_TEXT, "name of the step, unique in the spec",
          .flags = KHOOK_REQUIRED, .rule = KHOOK_RULE_STEP_NAME),
    FIELD(khook_step, needs_names, "needs", KHOOK_TEXTS, "steps that must have succeeded before"),
    FIELD(khook_step, when, "when", KHOOK_TEXT, "condition in CEL over vars"),
    FIELD(khook_step, timeout_ms, "timeout", KHOOK_TIME, "bounds one attempt",
          .rule = KHOOK_RULE_POSITIVE, .flags = KHOOK_DERIVED, .fallback = "defaults.timeout"),
    FIELD(khook_step, retries, "retries", KHOOK_INT, "further attempts after a failed one",
          .rule = KHOOK_RULE_NOT_NEGATIVE, .flags = KHOOK_DERIVED, .fallback = "defaults.retries"),
    FIELD(khook_step, retry_delay_ms, "retryDelay", KHOOK_TIME, "pause between attempts",
          .rule = KHOOK_RULE_NOT_NEGATIVE, .flags = KHOOK_DERIVED,
          .fallback = "defaults.retryDelay"),
    FIELD(khook_step, on_error_word, "onError", KHOOK_WORD,
          "what a failure means for the other steps", .words = "fail continue",
          .flags = KHOOK_DERIVED, .fallback = "defaults.onError"),
    ACTION(helm, KHOOK_HELM, "helm", "install or upgrade a chart"),
    ACTION(apply, KHOOK_APPLY, "apply", "create or update objects"),
    ACTION(del, KHOOK_DELETE, "delete", "delete objects or a release"),
    ACTION(patch, KHOOK_PATCH, "patch", "patch one object"),
    ACTION(wait, KHOOK_WAIT, "wait", "wait for a condition"),
    ACTION(rollout, KHOOK_ROLLOUT, "rollout", "restart a workload or wait for its rollout"),
    ACTION(job, KHOOK_JOB, "job", "run a one-off Job"),
    {.name = ""},
};
const struct khook_table khook_table_step = {
    .name = "step",
    .fields = step_fields,
    TABLE_OF(khook_step),
    .one_of = "helm apply delete patch wait rollout job",
    .code = "step.action",
    .hints = "dependsOn=needs;type=the action key (helm, apply, delete, patch, wait, rollout or "
             "job) as the key of the block;config=the fields inside the action key, or defaults at "
             "the top;"
             "skipIfInstalled=skipIf: installed inside helm;skipIfExists=skipIf: exists inside "
             "apply;skipIfSucceeded=skipIf: succeeded inside job",
    .check = khook_check_step,
};

static const struct khook_field root_fields[] = {
    FIELD(khook_root, api_version, "apiVersion", KHOOK_TEXT, "version of the language",
          .flags = KHOOK_REQUIRED, .rule = KHOOK_RULE_CONST, .words = "khook.io/v1"),
    FIELD(khook_root, kind, "kind", KHOOK_TEXT, "kind of the document", .flags = KHOOK_REQUIRED,
          .rule = KHOOK_RULE_CONST, .words = "Khook"),
    FIELD(khook_root, metadata, "metadata", KHOOK_BLOCK, "about the spec", .flags = KHOOK_REQUIRED,
          .table = KHOOK_BLOCK_METADATA),
    FIELD(khook_root, defaults, "defaults", KHOOK_BLOCK, "policy of steps that say nothing else",
          .table = KHOOK_BLOCK_DEFAULTS),
    FIELD(khook_root, state, "state", KHOOK_BLOCK, "keep a record of the run in the cluster",
          .table = KHOOK_BLOCK_STATE),
    FIELD(khook_root, steps, "steps", KHOOK_BLOCKS, "what is to be done",
          .flags = KHOOK_REQUIRED | KHOOK_NOT_EMPTY, .table = KHOOK_BLOCK_STEP),
    {.name = ""},
};
const struct khook_table khook_table_root = {
    .name = "spec",
    .fields = root_fields,
    TABLE_OF(khook_root),
    .hints = "operations=steps;config=defaults;type=the action key inside a step",
};

const struct khook_table *khook_field_table(const struct khook_field *field)
{
    static const struct khook_table *const tables[KHOOK_BLOCK_ACTIONS] = {
        [KHOOK_BLOCK_AUTH] = &auth_table,         [KHOOK_BLOCK_DEFAULTS] = &defaults_table,
        [KHOOK_BLOCK_METADATA] = &metadata_table, [KHOOK_BLOCK_SOURCE] = &source_table,
        [KHOOK_BLOCK_STATE] = &state_table,       [KHOOK_BLOCK_STEP] = &khook_table_step,
        [KHOOK_BLOCK_VALUES] = &values_table,
    };

    return field->table < KHOOK_BLOCK_ACTIONS
               ? tables[field->table]
               : &khook_table_actions[field->table - KHOOK_BLOCK_ACTIONS];
}

int khook_field_index(const struct khook_table *table, str name)
{
    for (int i = 0; *table->fields[i].name; i++)
        if (str_eq(name, str_of(table->fields[i].name)))
            return i;
    return -1;
}
