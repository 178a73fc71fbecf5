/* The rules of blocks: what fields say together. */
#include "base/log.h"
#include "base/words.h"
#include "doc/parse.h"
#include "khook/spec/inline.h"
#include "khook/spec/read_priv.h"
#include "khook/spec/waits.h"
#include "khook/spec/words.h"
#include "res/name.h"

#define ACTION_TABLE(type) (&khook_table_actions[type])

static bool given(const void *block, const struct khook_table *table, const char *field)
{
    return khook_is_given(block, table, field);
}

/* a and b do not go together. */
static void exclude(struct khook_reader *r, const struct khook_at *at, const char *a, const char *b)
{
    struct khook_at place = khook_at_field(at, a);

    khook_problem(r, &place, "exclusive", "%s and %s exclude each other", a, b);
}

static void check_scope(struct khook_reader *r, const struct khook_at *at,
                        const struct khook_table *table, const void *block, bool all_ns)
{
    if (all_ns && given(block, table, "namespace"))
        exclude(r, at, "allNamespaces", "namespace");
}

/* With kind/name there is nothing to select. */
static void check_selectors(struct khook_reader *r, const struct khook_at *at,
                            const struct khook_table *table, const void *block, const char *what,
                            str text)
{
    static const char fields[][14] = {"selector", "fieldSelector"};

    if (str_find_char(text, '/') < 0)
        return;
    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        struct khook_at place = khook_at_field(at, fields[i]);

        if (given(block, table, fields[i]))
            khook_problem(r, &place, "exclusive",
                          "%s does not go with %s: %s, which names one "
                          "object",
                          fields[i], what, khook_shown(r, text));
    }
}

/* Warns at a line and column of an inline text, told in the spec. */
static void warn_inside(struct khook_reader *r, const struct khook_at *at, uint32_t line,
                        uint32_t column, const char *text)
{
    AUTO(buf_done) struct buf name = {0};
    struct khook_origin origin = khook_origin_inline(&r->spec->text, r->spec->set, at->node, &name);
    struct khook_place place = khook_origin_spec_place(&origin, line, column);
    struct diag *d = khook_warning(r, at, "inline.manifest", "%s", text);

    if (!d)
        return;
    d->line = place.line;
    d->column = place.column;
    d->excerpt = arena_dup(&r->problems->arena, place.excerpt);
}

static void warn_no_yaml(struct khook_reader *r, const struct khook_at *at, const struct err *why)
{
    AUTO(buf_done) struct buf text = {0};
    const struct diag *d = why->diags ? why->diags->v : NULL;

    buf_addf(&text, "is no YAML: %.*s",
             STR_ARG(d ? khook_origin_message(d) : str_of(err_text(why))));
    warn_inside(r, at, d ? d->line : 0, d ? d->column : 0, buf_cstr(&text));
}

/* Objects of a text are judged when the step runs; here only what is no manifest at all. */
void khook_check_manifest(struct khook_reader *r, const struct khook_at *at, void *block)
{
    const struct khook_source *source = block;
    AUTO(doc_set_free) struct doc_set *set = NULL;
    AUTO(doc_list_done) struct doc_list roots = {0};
    AUTO(err_done) struct err e = {0};
    struct doc_parse_options options = {.dialect = DOC_MANIFEST};
    struct khook_at place = khook_at_field(at, "inline");

    if (!source->inline_text.len)
        return;
    set = doc_set_new();
    if (doc_parse_all(set, source->inline_text, &options, "inline", &roots, &e) < 0) {
        warn_no_yaml(r, &place, &e);
        return;
    }
    for (size_t i = 0; i < roots.len; i++)
        if (doc_is_null(doc_get_lit(roots.v[i], "kind")) && !doc_is_null(roots.v[i])) {
            AUTO(buf_done) struct buf text = {0};
            struct doc_place root = doc_place(set, roots.v[i]);

            buf_addf(&text, "document %zu has no kind", i + 1);
            warn_inside(r, &place, root.line, root.column, buf_cstr(&text));
            return;
        }
}

/* ---- helm */

/* `enabled: no` is the text "no" here, which templates take for true (1.1.11). */
static void warn_yaml_words(struct khook_reader *r, const struct khook_at *at, int depth)
{
    struct doc_iter it = doc_children(at->node);

    for (size_t i = 0; depth < 100 && doc_next(&it); i++) {
        struct khook_at below = {.up = at, .index = i, .node = it.value};

        if (khook_is_yaml_word(it.value)) {
            if (doc_is_map(at->node))
                below.name = arena_cstr(r->arena, str_sub(it.key, 0, 80));
            khook_hint(r,
                       khook_warning(r, &below, "yaml.word",
                                     "%.*s is the text \"%.*s\", which charts take for true",
                                     STR_ARG(doc_text(it.value, STR_NONE)),
                                     STR_ARG(doc_text(it.value, STR_NONE))),
                       "write true or false, or quote it");
        } else if (doc_len(it.value)) {
            if (doc_is_map(at->node))
                below.name = arena_cstr(r->arena, str_sub(it.key, 0, 80));
            warn_yaml_words(r, &below, depth + 1);
        }
    }
}

static void check_release_name(struct khook_reader *r, const struct khook_at *at,
                               struct khook_helm *helm)
{
    struct khook_field field = {.name = "release", .rule = KHOOK_RULE_RELEASE};
    struct khook_at place = khook_at_field(at, "release");

    if (helm->release.len || khook_is_bad(&helm->head, ACTION_TABLE(KHOOK_HELM), "release"))
        return;
    helm->release = r->step_name;
    if (helm->release.len)
        khook_check_text(r, &place, &field, helm->release);
}

void khook_check_helm(struct khook_reader *r, const struct khook_at *at, void *block)
{
    AUTO(err_done) struct err e = {0};
    struct khook_helm *helm = block;
    struct khook_chart_fields fields = {
        .chart = helm->chart,
        .repo = helm->repo,
        .version = helm->version,
        .has_auth = helm->auth != NULL,
        .username = helm->auth ? helm->auth->username : STR_NONE,
        .password = helm->auth ? helm->auth->password : STR_NONE,
    };
    struct khook_at values = khook_at_field(at, "values");

    if (helm->auth)
        secret_add(helm->auth->password);
    if (helm->chart.len && !helm->head.bad && (!helm->auth || !helm->auth->head.bad) &&
        khook_chart_resolve(&fields, r->arena, &helm->source, &e) < 0)
        khook_problem(r, at, "chart", "%s", err_text(&e));
    secret_add(helm->source.password);
    check_release_name(r, at, helm);
    if (helm->values)
        warn_yaml_words(r, &values, 0);
}

/* ---- apply, delete, patch */

/* Parses one `for` text; the result lives as long as the spec. */
static struct wait_for *parse_wait(struct khook_reader *r, const struct khook_at *at, str text,
                                   bool is_apply)
{
    AUTO(err_done) struct err e = {0};
    struct wait_for *w = ARENA_NEW(r->arena, struct wait_for);

    if (khook_wait_parse(text, is_apply, w, &e) < 0) {
        khook_problem(r, at, "wait.expr", "%s: %s", khook_shown(r, text), err_text(&e));
        return NULL;
    }
    vec_push(&r->spec->waits, w);
    return w;
}

void khook_check_apply(struct khook_reader *r, const struct khook_at *at, void *block)
{
    struct khook_apply *apply = block;
    struct khook_at wait = khook_at_field(at, "waitFor");
    struct khook_at ns = khook_at_field(at, "createNamespace");

    if (apply->create_ns && !given(apply, ACTION_TABLE(KHOOK_APPLY), "namespace"))
        khook_problem(r, &ns, "field.required", "createNamespace needs namespace");
    if (apply->wait_for.len)
        apply->wait = parse_wait(r, &wait, apply->wait_for, true);
}

/* Built-in types that live in namespaces, by what people write for them; what the cluster adds is
 * judged when the step runs. */
static bool is_namespaced(struct khook_reader *r, str type)
{
    static const char words[] =
        "pod pods po service services svc deployment deployments deploy daemonset daemonsets ds "
        "statefulset statefulsets sts replicaset replicasets rs job jobs cronjob cronjobs cj "
        "configmap configmaps cm secret secrets serviceaccount serviceaccounts sa "
        "persistentvolumeclaim persistentvolumeclaims pvc ingress ingresses ing role roles "
        "rolebinding rolebindings endpoints ep event events ev lease leases networkpolicy "
        "networkpolicies netpol horizontalpodautoscaler horizontalpodautoscalers hpa "
        "poddisruptionbudget poddisruptionbudgets pdb limitrange limitranges limits "
        "resourcequota resourcequotas quota replicationcontroller replicationcontrollers rc";
    str name = str_cut(type, '.', NULL);
    char *lower = arena_alloc(r->arena, name.len + 1);

    for (size_t i = 0; i < name.len; i++)
        lower[i] = (char)(name.p[i] >= 'A' && name.p[i] <= 'Z' ? name.p[i] + 32 : name.p[i]);
    return words_have(str_of(words), ' ', (str){lower, name.len});
}

void khook_check_delete(struct khook_reader *r, const struct khook_at *at, void *block)
{
    static const char of_resource[][14] = {"allNamespaces", "selector", "fieldSelector"};
    const struct khook_table *table = ACTION_TABLE(KHOOK_DELETE);
    struct khook_delete *del = block;
    struct khook_at resource = khook_at_field(at, "resource");
    struct khook_at scope = khook_at_field(at, "allNamespaces");

    check_scope(r, at, table, del, del->all_ns);
    if (!given(del, table, "resource") &&
        (given(del, table, "manifests") || given(del, table, "release")))
        for (size_t i = 0; i < ARRAY_LEN(of_resource); i++) {
            struct khook_at place = khook_at_field(at, of_resource[i]);

            if (given(del, table, of_resource[i]))
                khook_problem(r, &place, "exclusive", "%s goes with resource only", of_resource[i]);
        }
    check_selectors(r, at, table, del, "resource", del->resource);
    khook_split_type(del->resource, &del->type, &del->name);
    if (del->all_ns && del->name.len && is_namespaced(r, del->type))
        khook_problem(
            r, &scope, "exclusive",
            "allNamespaces does not go with resource: %s, one object of a namespaced type",
            khook_shown(r, del->resource));
    if (del->type.len && !del->name.len && !del->selector.len && !del->field_selector.len)
        khook_warning(r, &resource, "delete.whole-type",
                      "deletes every object of type %s in %s; a selector would narrow it down",
                      khook_shown(r, del->type), del->all_ns ? "every namespace" : "the namespace");
}

static void check_operations(struct khook_reader *r, const struct khook_at *at)
{
    static const char fields[][5] = {"op", "path"};
    struct doc_iter it = doc_children(at->node);

    for (size_t i = 0; doc_next(&it); i++) {
        struct khook_at entry = {.up = at, .index = i, .node = it.value};

        if (!doc_is_map(it.value)) {
            khook_problem(r, &entry, "field.type", "must be a map with op and path, not %s",
                          khook_type_word(it.value));
            continue;
        }
        for (size_t j = 0; j < ARRAY_LEN(fields); j++) {
            struct khook_at place = khook_at_field(&entry, fields[j]);
            const struct doc_node *value = doc_get(it.value, str_of(fields[j]));

            if (doc_is_null(value))
                khook_problem(r, &place, "field.required", "is required");
            else if (!doc_is_string(value))
                khook_problem(r, &place, "field.type", "must be text, not %s",
                              khook_type_word(value));
        }
    }
}

void khook_check_patch(struct khook_reader *r, const struct khook_at *at, void *block)
{
    struct khook_patch *patch = block;
    struct khook_at body = khook_at_field(at, "patch");
    bool is_json = str_eq(patch->type, STR("json"));

    khook_split_type(patch->target, &patch->target_type, &patch->target_name);
    if (!patch->patch || !patch->type.len)
        return;
    if (is_json && !doc_is_list(patch->patch))
        khook_problem(r, &body, "field.type", "must be a list of operations for type json, not %s",
                      khook_type_word(patch->patch));
    else if (!is_json && !doc_is_map(patch->patch))
        khook_problem(r, &body, "field.type", "must be a map for type %.*s, not %s",
                      STR_ARG(patch->type), khook_type_word(patch->patch));
    else if (is_json)
        check_operations(r, &body);
}

/* ---- wait, rollout, job */

static void read_conditions(struct khook_reader *r, const struct khook_at *at,
                            struct khook_wait *wait, const char *field,
                            const struct khook_texts *texts)
{
    struct khook_at list = khook_at_field(at, field);
    size_t count;

    if (texts->len < KHOOK_MIN_CONDITIONS || texts->len > KHOOK_MAX_CONDITIONS)
        khook_problem(r, &list, "value.range", "has %zu entries; %d to %d are allowed", texts->len,
                      KHOOK_MIN_CONDITIONS, KHOOK_MAX_CONDITIONS);
    count = MIN(texts->len, (size_t)KHOOK_MAX_CONDITIONS);
    wait->conditions = ARENA_ARRAY(r->arena, struct wait_for, count);
    for (size_t i = 0; i < count; i++) {
        struct khook_at entry = {.up = &list, .index = i, .node = doc_item(list.node, i)};
        struct wait_for *w = parse_wait(r, &entry, texts->v[i], false);

        if (w)
            wait->conditions[wait->condition_count++] = *w;
    }
}

void khook_check_wait(struct khook_reader *r, const struct khook_at *at, void *block)
{
    const struct khook_table *table = ACTION_TABLE(KHOOK_WAIT);
    struct khook_wait *wait = block;
    struct khook_at place = khook_at_field(at, "for");

    check_scope(r, at, table, wait, wait->all_ns);
    check_selectors(r, at, table, wait, "on", wait->on);
    khook_split_type(wait->on, &wait->type, &wait->name);
    if (wait->for_text.len) {
        wait->conditions = parse_wait(r, &place, wait->for_text, false);
        wait->condition_count = wait->conditions != NULL;
    } else if (given(wait, table, "anyOf") && wait->any_of.len) {
        wait->mode = KHOOK_WAIT_ANY;
        read_conditions(r, at, wait, "anyOf", &wait->any_of);
    } else if (given(wait, table, "allOf") && wait->all_of.len) {
        wait->mode = KHOOK_WAIT_ALL;
        read_conditions(r, at, wait, "allOf", &wait->all_of);
    }
}

void khook_check_rollout(struct khook_reader *r, const struct khook_at *at UNUSED, void *block)
{
    struct khook_rollout *rollout = block;
    str name, kind;
    char *lower;

    rollout->is_restart = rollout->restart.len > 0;
    kind = str_cut(rollout->is_restart ? rollout->restart : rollout->status, '/', &name);
    lower = arena_alloc(r->arena, kind.len + 1);
    for (size_t i = 0; i < kind.len; i++)
        lower[i] = (char)(kind.p[i] >= 'A' && kind.p[i] <= 'Z' ? kind.p[i] + 32 : kind.p[i]);
    rollout->kind = (str){lower, kind.len};
    rollout->name = name;
}

void khook_check_job(struct khook_reader *r, const struct khook_at *at, void *block)
{
    const struct khook_job *job = block;
    struct doc_iter it = doc_children(job->env);

    while (doc_next(&it)) {
        struct khook_at env = khook_at_field(at, "env");
        struct khook_at key = {.up = env.up, .name = "env", .node = it.value, .is_key = true};

        if (!it.key.len)
            khook_problem(r, &key, "value.format", "the name of a variable must not be empty");
        else if (str_find_char(it.key, '=') >= 0)
            khook_problem(r, &key, "value.format",
                          "%s: the name of a variable must not hold "
                          "\"=\"",
                          khook_shown(r, it.key));
    }
}

/* ---- steps */

void khook_check_step(struct khook_reader *r, const struct khook_at *at, void *block)
{
    struct khook_step *step = block;
    const void *const actions[KHOOK_TYPE_COUNT] = {
        [KHOOK_HELM] = step->helm,   [KHOOK_APPLY] = step->apply, [KHOOK_DELETE] = step->del,
        [KHOOK_PATCH] = step->patch, [KHOOK_WAIT] = step->wait,   [KHOOK_ROLLOUT] = step->rollout,
        [KHOOK_JOB] = step->job,
    };

    for (int i = 0; i < KHOOK_TYPE_COUNT; i++) {
        const char *name = khook_table_actions[i].name;
        struct khook_at place = khook_at_field(at, name);
        const struct doc_node *value = doc_get(at->node, str_of(name));

        if (actions[i])
            step->type = (enum khook_type)i;
        if (value && doc_is_null(value))
            khook_hint(
                r, khook_warning(r, &place, "null.block", "%s is null and counts as absent", name),
                "indent its fields below it, or write %s: {}", name);
    }
}

void khook_enter_step(struct khook_reader *r, const struct khook_at *entry)
{
    str name = doc_string(doc_get_lit(entry->node, "name"), STR_NONE);

    r->step = entry;
    r->step_index = entry->index;
    r->step_name = res_is_label(name) && name.len <= 63 ? name : STR_NONE;
}

void khook_leave_step(struct khook_reader *r)
{
    r->step = NULL;
    r->step_name = STR_NONE;
}
