#include "http/url.h"
#include "kube/client_priv.h"

static void add_segment(struct buf *out, str text)
{
    buf_add_char(out, '/');
    http_url_encode(text, ":", out); /* RBAC names have colons */
}

void kube_path(const struct kube_ref *ref, bool is_collection, struct buf *out)
{
    const struct kube_type *t = ref->type;

    if (t->group.len) {
        buf_add_cstr(out, "/apis");
        add_segment(out, t->group);
    } else {
        buf_add_cstr(out, "/api");
    }
    add_segment(out, t->version);
    if (t->namespaced && ref->ns.len) {
        buf_add_cstr(out, "/namespaces");
        add_segment(out, ref->ns);
    }
    add_segment(out, t->plural);
    if (is_collection)
        return;
    add_segment(out, ref->name);
    if (ref->subresource.len)
        add_segment(out, ref->subresource);
}

void kube_query_add(struct kube_query *q, const char *name, str value)
{
    if (value.len == 0)
        return;
    buf_add_char(q->out, q->has_any ? '&' : '?');
    q->has_any = true;
    buf_add_cstr(q->out, name);
    buf_add_char(q->out, '=');
    http_url_encode(value, "", q->out);
}
