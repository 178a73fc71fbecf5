/* What is answered and not stored: reviews, tokens, evictions, bindings; and logs of Pods. */
#include "sandbox/write.h"

/* A list of one rule that allows everything. */
static void add_rule(struct doc_set *set, struct doc_node *status, const char *list,
                     const char *const *fields, size_t count)
{
    struct doc_node *rule =
        doc_append(doc_ensure_list(set, status, str_of(list)), doc_new_map(set));

    for (size_t i = 0; i < count; i++)
        doc_append(doc_ensure_list(set, rule, str_of(fields[i])), doc_new_string(set, STR("*")));
}

/* The certificate of the sandbox may do everything; so the answer to "may I" is yes. */
static int do_review(struct sb_req *r)
{
    struct doc_node *n = sb_body(r), *status;

    if (!n)
        return -1;
    status = doc_set_field(r->set, n, STR("status"), doc_new_map(r->set));
    if (str_eq(r->kind->kind, STR("SelfSubjectReview"))) {
        struct doc_node *user = doc_ensure_map(r->set, status, STR("userInfo"));
        struct doc_node *groups = doc_ensure_list(r->set, user, STR("groups"));

        doc_set_string(r->set, user, STR("username"), r->user);
        doc_append(groups, doc_new_string(r->set, STR("system:masters")));
        doc_append(groups, doc_new_string(r->set, STR("system:authenticated")));
    } else if (str_eq(r->kind->kind, STR("TokenReview"))) {
        doc_set_bool(r->set, status, STR("authenticated"), false);
    } else if (str_eq(r->kind->kind, STR("SelfSubjectRulesReview"))) {
        add_rule(r->set, status, "resourceRules",
                 (const char *[]){"verbs", "apiGroups", "resources"}, 3);
        add_rule(r->set, status, "nonResourceRules", (const char *[]){"verbs", "nonResourceURLs"},
                 2);
        doc_set_bool(r->set, status, STR("incomplete"), false);
    } else {
        doc_set_bool(r->set, status, STR("allowed"), true);
    }
    sb_answer_unstored(r, 201, n);
    return 0;
}

static int do_evict(struct sb_req *r)
{
    struct sb_slot *slot = sb_find(r->kind->res, r->ns, r->name);

    if (!slot)
        return sb_fail_not_found(r, r->kind, r->name);
    sb_delete_slot(r->sb, slot, SB_BACKGROUND);
    sb_status_of(201, NULL, STR_NONE, &r->out);
    r->status = 201;
    return 0;
}

static int do_token(struct sb_req *r)
{
    AUTO(buf_done) struct buf until = {0};
    struct doc_node *n = sb_body(r), *status;

    if (!n)
        return -1;
    clock_rfc3339(sb_wall(r->sb) + 3600000, 0, &until);
    status = doc_set_field(r->set, n, STR("status"), doc_new_map(r->set));
    doc_set_string(r->set, status, STR("token"), STR("sandbox-service-account-token"));
    doc_set_string(r->set, status, STR("expirationTimestamp"), buf_view(&until));
    sb_answer_unstored(r, 201, n);
    return 0;
}

/* A Pod is bound to a node by a scheduler other than ours. */
static int do_bind(struct sb_req *r)
{
    struct sb_slot *slot = sb_find(r->kind->res, r->ns, r->name);
    struct doc_node *body = sb_body(r), *pod;

    if (!body)
        return -1;
    if (!slot)
        return sb_fail_not_found(r, r->kind, r->name);
    pod = sb_load(r->set, r->kind, slot->obj);
    doc_set_string(r->set, doc_ensure_map(r->set, pod, STR("spec")), STR("nodeName"),
                   doc_text(doc_at(body, "target/name"), STR_NONE));
    sb_store(r->sb, slot->res, slot, r->set, pod);
    sb_status_of(201, NULL, STR_NONE, &r->out);
    r->status = 201;
    return 0;
}

static int do_finalize(struct sb_req *r)
{
    struct sb_slot *slot = sb_find(r->kind->res, STR_NONE, r->name);
    struct doc_node *body = sb_body(r), *doc;
    const struct doc_node *spec = doc_get_lit(body, "spec");

    if (!body)
        return -1;
    if (!slot)
        return sb_fail_not_found(r, r->kind, r->name);
    doc = sb_load(r->set, r->kind, slot->obj);
    doc_set_field(r->set, doc, STR("spec"), spec ? doc_copy(r->set, spec) : doc_new_map(r->set));
    sb_answer(r, 200, sb_store(r->sb, slot->res, slot, r->set, doc)->obj);
    return 0;
}

/* What needs a container that runs. kubectl shows the message of a Status where it asked for a
 * connection of another protocol. */
static bool needs_container(const struct sb_req *r)
{
    static const char subs[][20] = {"exec", "attach", "portforward", "ephemeralcontainers"};

    for (size_t i = 0; i < ARRAY_LEN(subs); i++)
        if (str_eq(r->sub, str_of(subs[i])))
            return str_eq(r->kind->kind, STR("Pod"));
    return false;
}

static int refuse_container(struct sb_req *r)
{
    if (!sb_find(r->kind->res, r->ns, r->name))
        return sb_fail_not_found(r, r->kind, r->name);
    return sb_fail(r, 501, "NotImplemented",
                   "the sandbox runs no containers, so %.*s of pod \"%.*s\" is not possible",
                   STR_ARG(r->sub), STR_ARG(r->name));
}

int sb_do_virtual(struct sb_req *r)
{
    bool is_create = r->verb == SB_CREATE;

    if (is_create && r->kind->is_virtual && !r->name.len)
        return do_review(r);
    if (is_create && str_eq(r->sub, STR("eviction")))
        return do_evict(r);
    if (is_create && str_eq(r->sub, STR("token")))
        return do_token(r);
    if (is_create && str_eq(r->sub, STR("binding")))
        return do_bind(r);
    if (r->verb == SB_UPDATE && str_eq(r->sub, STR("finalize")))
        return do_finalize(r);
    if (needs_container(r))
        return refuse_container(r);
    return 1;
}

/* ---- logs */

static str last_lines(str text, int64_t count)
{
    size_t at = text.len;

    if (at && text.p[at - 1] == '\n')
        at--;
    while (at > 0) {
        if (text.p[at - 1] == '\n' && --count <= 0)
            break;
        at--;
    }
    return str_from(text, at);
}

static bool has_container(const struct doc_node *pod, str name)
{
    static const char lists[][20] = {"spec/containers", "spec/initContainers"};

    for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
        struct doc_iter it = doc_children(doc_at(pod, lists[i]));

        while (doc_next(&it))
            if (str_eq(doc_text(doc_get_lit(it.value, "name"), STR_NONE), name))
                return true;
    }
    return false;
}

/* What a Pod said: sandbox/log when a test set it, else fate/message. */
int sb_do_log(struct sb_req *r)
{
    struct sb_slot *slot = sb_find(r->kind->res, r->ns, r->name);
    str container = sb_param(r, "container"), text;
    const struct doc_node *notes;
    struct doc_node *pod;
    int64_t tail = -1;

    if (!slot)
        return sb_fail_not_found(r, r->kind, r->name);
    pod = sb_load(r->set, r->kind, slot->obj);
    if (container.len && doc_len(doc_at(pod, "spec/containers")) && !has_container(pod, container))
        return sb_fail(r, 400, NULL, "container %.*s is not valid for pod %.*s", STR_ARG(container),
                       STR_ARG(r->name));
    if (!container.len && doc_len(doc_at(pod, "spec/containers")) > 1)
        return sb_fail(r, 400, NULL,
                       "a container name must be specified for pod %.*s, choose one of its "
                       "containers",
                       STR_ARG(r->name));
    notes = doc_at(pod, "metadata/annotations");
    text = doc_text(doc_get_lit(notes, "sandbox/log"),
                    doc_text(doc_get_lit(notes, "fate/message"), STR_NONE));
    if (str_to_int64(sb_param(r, "tailLines"), &tail) && tail >= 0)
        text = tail ? last_lines(text, tail) : STR_NONE;
    r->status = 200;
    r->content_type_out = "text/plain";
    buf_add_str(&r->out, text);
    if (text.len && text.p[text.len - 1] != '\n')
        buf_add_char(&r->out, '\n');
    return 0;
}
