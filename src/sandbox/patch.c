/* Patches other than apply. */
#include "sandbox/write.h"

/* RFC 7386. */
static struct doc_node *merged(struct doc_set *set, const struct doc_node *to,
                               const struct doc_node *patch, int depth)
{
    struct doc_node *out;
    struct doc_iter it = doc_children(patch);

    if (!doc_is_map(patch) || depth > 1000)
        return doc_copy(set, patch);
    out = doc_is_map(to) ? doc_copy(set, to) : doc_new_map(set);
    while (doc_next(&it)) {
        if (doc_is_null(it.value))
            doc_remove(out, it.key);
        else
            doc_set_field(set, out, it.key, merged(set, doc_get(out, it.key), it.value, depth + 1));
    }
    return out;
}

struct doc_node *sb_merged(struct doc_set *set, const struct doc_node *to,
                           const struct doc_node *patch)
{
    return merged(set, to, patch, 0);
}

static int unsupported(struct sb_req *r)
{
    return sb_fail(r, 415, NULL,
                   "the body of the request was in an unknown format - accepted media types "
                   "include: application/json-patch+json, application/merge-patch+json, %s"
                   "application/apply-patch+yaml",
                   r->kind->is_custom ? "" : "application/strategic-merge-patch+json, ");
}

static struct doc_node *read_patch(struct sb_req *r)
{
    AUTO(err_done) struct err e = {0};
    struct doc_node *n = doc_parse_json_flags(r->set, r->body, DOC_BORROW, "patch", &e);

    if (!n)
        sb_fail(r, 400, NULL, "error decoding patch: %s", err_text(&e));
    return n;
}

struct doc_node *sb_patched(struct sb_req *r, const struct doc_node *old)
{
    str type = str_trim(str_cut(r->content_type, ';', NULL));
    struct doc_node *patch;

    if (!str_eq(type, STR("application/merge-patch+json")) &&
        !str_eq(type, STR("application/json-patch+json")) &&
        (!str_eq(type, STR("application/strategic-merge-patch+json")) || r->kind->is_custom)) {
        unsupported(r);
        return NULL;
    }
    patch = read_patch(r);
    if (!patch)
        return NULL;
    return merged(r->set, old, patch, 0);
}
