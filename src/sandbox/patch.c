/* Patches other than apply. */
#include "doc/patch/json.h"
#include "doc/patch/merge.h"
#include "doc/patch/strategic.h"
#include "res/schema.h"
#include "sandbox/write.h"

struct doc_node *sb_merged(struct doc_set *set, const struct doc_node *to,
                           const struct doc_node *patch)
{
    struct doc_node *out = doc_copy(set, to);

    doc_merge_patch(set, out, patch);
    return out;
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

/* A test that fails or a place that is not there is the object's fault, not the patch's form. */
static struct doc_node *json_patched(struct sb_req *r, const struct doc_node *old,
                                     const struct doc_node *patch)
{
    AUTO(err_done) struct err e = {0};
    struct doc_node *out = doc_copy(r->set, old);

    if (!doc_is_list(patch)) {
        sb_fail(r, 400, NULL, "error decoding patch: a list of operations is needed");
        return NULL;
    }
    if (doc_json_patch(r->set, out, r->set, patch, &e) == 0)
        return out;
    sb_fail(r, 422, "Invalid", "the server rejected our request due to an error in our request: %s",
            err_text(&e));
    return NULL;
}

static struct doc_node *strategic_patched(struct sb_req *r, const struct doc_node *old,
                                          const struct doc_node *patch)
{
    AUTO(err_done) struct err e = {0};
    const struct doc_schema *s = res_kubernetes_schema();
    struct doc_node *out = NULL;

    if (doc_strategic_apply(r->set, doc_copy(r->set, old), patch, s,
                            s->root(s, r->kind->group, r->kind->version, r->kind->kind), &out,
                            &e) == 0 &&
        doc_is_map(out))
        return out;
    sb_fail(r, 400, NULL, "error decoding patch: %s",
            e.kind == ERR_NONE ? "it deletes the object" : err_text(&e));
    return NULL;
}

static str patch_type(const struct sb_req *r)
{
    return str_trim(str_cut(r->content_type, ';', NULL));
}

int sb_check_patch_type(struct sb_req *r)
{
    str type = patch_type(r);

    if (str_eq(type, STR("application/json-patch+json")) ||
        str_eq(type, STR("application/merge-patch+json")) ||
        (str_eq(type, STR("application/strategic-merge-patch+json")) && !r->kind->is_custom))
        return 0;
    return unsupported(r);
}

struct doc_node *sb_patched(struct sb_req *r, const struct doc_node *old)
{
    str type = patch_type(r);
    struct doc_node *patch = read_patch(r);

    if (!patch)
        return NULL;
    if (str_eq(type, STR("application/json-patch+json")))
        return json_patched(r, old, patch);
    if (!doc_is_map(patch)) {
        sb_fail(r, 400, NULL, "error decoding patch: an object is needed");
        return NULL;
    }
    return str_starts(type, STR("application/strategic")) ? strategic_patched(r, old, patch)
                                                          : sb_merged(r->set, old, patch);
}
