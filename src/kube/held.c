#include "kube/held.h"

static const struct doc_node *finalizers_of(const struct doc_node *object)
{
    return doc_at(object, "metadata/finalizers");
}

static void add_finalizers(const struct doc_node *object, struct buf *out)
{
    const struct doc_node *finalizers = finalizers_of(object);
    struct doc_iter it = doc_children(finalizers);
    const char *before =
        doc_len(finalizers) == 1 ? ", held by the finalizer " : ", held by the finalizers ";

    for (; doc_next(&it); before = ", ")
        buf_addf(out, "%s%.*s", before, STR_ARG(doc_text(it.value, STR_NONE)));
}

/* A namespace goes when its content has: its conditions tell what has not. */
static void add_content(const struct kube_type *type, const struct doc_node *object,
                        struct buf *out)
{
    struct doc_iter it = doc_children(doc_at(object, "status/conditions"));

    if (type->group.len || !str_eq(type->kind, STR("Namespace")))
        return;
    while (doc_next(&it)) {
        str message = doc_text(doc_get_lit(it.value, "message"), STR_NONE);

        if (message.len && str_eq(doc_text(doc_get_lit(it.value, "status"), STR_NONE), STR("True")))
            buf_addf(out, "; %.*s", STR_ARG(message));
    }
}

bool kube_held_why(const struct kube_type *type, const struct doc_node *object, struct buf *out)
{
    str since = doc_text(doc_at(object, "metadata/deletionTimestamp"), STR_NONE);

    if (!since.len)
        return false;
    buf_addf(out, "being deleted since %.*s", STR_ARG(since));
    add_finalizers(object, out);
    add_content(type, object, out);
    return true;
}

void kube_held_remedy(const struct kube_type *type, const struct doc_node *object, struct buf *out)
{
    str ns = doc_text(doc_at(object, "metadata/namespace"), STR_NONE);
    str name = doc_text(doc_at(object, "metadata/name"), STR_NONE);

    if (!doc_at(object, "metadata/deletionTimestamp") || doc_len(finalizers_of(object)) == 0)
        return;
    buf_addf(out,
             "the controller that set a finalizer must remove it; when there is none any more: "
             "kubectl patch %.*s%s%.*s %.*s",
             STR_ARG(type->plural), type->group.len ? "." : "", STR_ARG(type->group),
             STR_ARG(name));
    if (ns.len)
        buf_addf(out, " -n %.*s", STR_ARG(ns));
    buf_add_cstr(out, " --type=merge -p '{\"metadata\":{\"finalizers\":null}}'");
}
