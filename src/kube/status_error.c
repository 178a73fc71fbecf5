/* Answers of 300 and above as errors: the server's own message, its causes, and a remedy. */
#include "doc/parse.h"
#include "kube/client_priv.h"

enum { MAX_CAUSES = 8, MAX_PLAIN = 300 };

static const struct {
    int status;      /* 0: any */
    char reason[14]; /* of the Status object; empty: any */
    char says[52];   /* part of the message, any letter case; empty: any */
    char remedy[160];
} remedies[] = {
    {403, "", "exceeded quota", "ask for less, free some of it, or have the quota raised"},
    {0, "", "denied the request",
     "an admission policy of the cluster forbids this: change the "
     "object as the policy says, or ask its owner"},
    {0, "", "denied request",
     "an admission policy of the cluster forbids this: change the "
     "object as the policy says, or ask its owner"},
    {0, "", "failed calling webhook",
     "an admission webhook of the cluster does not answer: see "
     "that its Pods run, or remove its configuration"},
    {0, "", "violates PodSecurity",
     "give the Pod a stricter securityContext, or the namespace "
     "another pod-security label"},
    {403, "", "because it is being terminated", "wait until the namespace is gone, then try again"},
    {401, "", "",
     "the server does not accept these credentials: they may have expired or be "
     "another cluster's; log in again, or see the user of this kubeconfig context"},
    {403, "", "",
     "grant the right with a Role or ClusterRole, or use another user (see `kubectl "
     "auth can-i --list`)"},
    {409, "Conflict", "Apply failed with",
     "another manager owns these fields: leave them out, or "
     "take them over by force"},
    {409, "Conflict", "", "somebody changed it in between: try again"},
    {409, "AlreadyExists", "", "choose another name, or update or delete the one that is there"},
    {404, "", "the server could not find the requested resource",
     "is the CustomResourceDefinition installed, and this version of it served?"},
    {407, "", "",
     "a proxy in between asks for a user and password: put them into its URL, the kubeconfig's "
     "proxy-url or HTTP_PROXY"},
    {413, "", "", "the object is too large for the API server: split it"},
};

/* The part behind "; " that says what to do about a message of the server's, or NULL. Pure. */
static const char *kube_remedy(int status, str reason, str message)
{
    for (size_t i = 0; i < ARRAY_LEN(remedies); i++) {
        if (remedies[i].status && remedies[i].status != status)
            continue;
        if (*remedies[i].reason && !str_eq(str_of(remedies[i].reason), reason))
            continue;
        if (*remedies[i].says && !str_contains_nocase(message, str_of(remedies[i].says)))
            continue;
        return remedies[i].remedy;
    }
    return NULL;
}

static enum err_kind kind_of(int status, str reason)
{
    switch (status) {
    case 400:
    case 422:
        return ERR_INVALID;
    case 401:
    case 403:
        return ERR_DENIED;
    case 404:
        return ERR_NOT_FOUND;
    case 405:
    case 406:
    case 415:
        return ERR_UNSUPPORTED;
    case 409:
        return str_eq(reason, STR("AlreadyExists")) ? ERR_EXISTS : ERR_CONFLICT;
    case 410:
        return ERR_GONE;
    case 408:
        return ERR_TIMEOUT;
    case 413:
        return ERR_LIMIT;
    case 429:
        return ERR_UNAVAILABLE;
    default:
        return status >= 500 ? ERR_UNAVAILABLE : ERR_IO;
    }
}

/* The causes that the message does not have already. */
static void add_causes(const struct doc_node *causes, str message, struct buf *out)
{
    struct doc_iter it = doc_children(causes);
    size_t shown = 0;

    while (doc_next(&it) && shown < MAX_CAUSES) {
        str field = doc_string(doc_get_lit(it.value, "field"), STR_NONE);
        str text = doc_string(doc_get_lit(it.value, "message"), STR_NONE);

        if (text.len == 0 || str_contains(message, text))
            continue;
        buf_add_cstr(out, shown++ ? ", " : " (");
        if (field.len)
            buf_addf(out, "%.*s: ", STR_ARG(field));
        buf_add_str(out, text);
    }
    if (shown)
        buf_add_char(out, ')');
}

/* A proxy or another server answered: the first words of its text, if it is text. */
static void add_plain(int status, str body, struct buf *out)
{
    str line, rest = str_trim(body);

    if (kube_is_page(body)) {
        kube_page_describe(status, body, out);
        return;
    }
    buf_addf(out, "the server answered %d", status);
    if (!str_next_line(&rest, &line) || !str_is_utf8(line, NULL))
        return;
    buf_addf(out, ": %.*s", STR_ARG(str_trim(str_sub(line, 0, MAX_PLAIN))));
}

static str capital_to_lower(str reason, char *first)
{
    *first = (char)(reason.p[0] | 0x20);
    return str_from(reason, 1);
}

/* "Unauthorized" and the like say nothing beyond their reason. */
static void add_message(int status, const struct doc_node *root, str reason, str body,
                        struct buf *out)
{
    str message = doc_string(doc_get_lit(root, "message"), STR_NONE);
    char first;

    if (message.len == 0 && reason.len) {
        str rest = capital_to_lower(reason, &first);

        buf_addf(out, "the server answered %d: %c%.*s", status, first, STR_ARG(rest));
    } else if (message.len == 0) {
        add_plain(status, body, out);
    } else {
        buf_add_str(out, message);
    }
    add_causes(doc_at(root, "details/causes"), message, out);
}

int kube_status_error(int status, str body, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(err_done) struct err ignored = {0};
    AUTO(buf_done) struct buf text = {0};
    const struct doc_node *root = NULL;
    const char *remedy;
    str reason;

    if (body.len && body.p[0] == '{')
        root = doc_parse_json_view(set, body, "answer", &ignored);
    if (!str_eq(doc_string(doc_get_lit(root, "kind"), STR_NONE), STR("Status")))
        root = NULL;
    reason = doc_string(doc_get_lit(root, "reason"), STR_NONE);
    add_message(status, root, reason, body, &text);
    remedy = kube_remedy(status, reason, buf_view(&text));
    if (remedy)
        buf_addf(&text, "; %s", remedy);
    err_set(e, kind_of(status, reason), "%s", buf_cstr(&text));
    e->code = status;
    return -1;
}
