/* Label and field selectors of requests. */
#include "res/selector.h"
#include "sandbox/priv.h"

struct sb_selector {
    struct res_selector labels, fields;
};

void sb_selector_free(struct sb_selector *s)
{
    if (!s)
        return;
    res_selector_done(&s->labels);
    res_selector_done(&s->fields);
    mem_free(s);
}

bool sb_selector_is_all(const struct sb_selector *s)
{
    return s->labels.all.len == 0 && s->fields.all.len == 0;
}

str sb_selector_name(const struct sb_selector *s)
{
    for (size_t i = 0; i < s->fields.all.len; i++) {
        const struct res_requirement *q = &s->fields.all.v[i];

        if (q->op == RES_IN && q->count == 1 && str_eq(q->key, STR("metadata.name")))
            return q->values[0];
    }
    return STR_NONE;
}

/* Which fields a kind lets select by: all have the first two. */
static bool is_known_field(const struct sb_kind *kind, str key)
{
    static const struct {
        const char *kind, *fields;
    } rows[] = {
        {"", "metadata.name metadata.namespace"},
        {"Pod", "spec.nodeName spec.restartPolicy spec.schedulerName spec.serviceAccountName "
                "spec.hostNetwork status.phase status.podIP status.nominatedNodeName"},
        {"Event", "involvedObject.kind involvedObject.namespace involvedObject.name "
                  "involvedObject.uid involvedObject.apiVersion involvedObject.resourceVersion "
                  "involvedObject.fieldPath reason reportingComponent source type"},
        {"Secret", "type"},
        {"Namespace", "status.phase"},
        {"ReplicaSet", "status.replicas"},
        {"ReplicationController", "status.replicas"},
        {"Job", "status.successful"},
        {"Node", "spec.unschedulable"},
        {"CertificateSigningRequest", "spec.signerName"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        str rest = str_of(rows[i].fields);

        if (rows[i].kind[0] && !str_eq(kind->kind, str_of(rows[i].kind)))
            continue;
        while (rest.p)
            if (str_eq(str_cut(rest, ' ', &rest), key))
                return true;
    }
    return false;
}

struct sb_selector *sb_selector_parse(struct sb_req *r, str labels, str fields)
{
    AUTO(sb_selector_free) struct sb_selector *s = NEW(struct sb_selector);
    AUTO(err_done) struct err e = {0};

    if (res_label_selector_parse(labels, &s->labels, &e) < 0 ||
        res_field_selector_parse(fields, &s->fields, &e) < 0) {
        sb_fail(r, 400, NULL, "%s", err_text(&e));
        return NULL;
    }
    for (size_t i = 0; i < s->fields.all.len; i++) {
        str key = s->fields.all.v[i].key;

        if (!is_known_field(r->kind, key)) {
            sb_fail(r, 400, NULL, "field label not supported: %.*s", STR_ARG(key));
            return NULL;
        }
    }
    return TAKE(s);
}

bool sb_selector_match(const struct sb_selector *s, const struct doc_node *object)
{
    return res_selector_matches(&s->labels, doc_at(object, "metadata/labels")) &&
           res_selector_matches_fields(&s->fields, object);
}

bool sb_labels_contain(const struct doc_node *want, const struct doc_node *labels)
{
    struct doc_iter it = doc_children(want);

    while (doc_next(&it)) {
        const struct doc_node *n = doc_get(labels, it.key);

        if (!n || !str_eq(doc_text(n, STR_NONE), doc_text(it.value, STR_NONE)))
            return false;
    }
    return true;
}

bool sb_labels_match(const struct doc_node *label_selector, const struct doc_node *labels)
{
    AUTO(res_selector_done) struct res_selector s = {0};
    AUTO(err_done) struct err e = {0};
    bool any;

    return res_label_selector_read(label_selector, &s, &any, &e) == 0 && (any || s.all.len) &&
           res_selector_matches(&s, labels);
}
