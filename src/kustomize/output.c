/* The text of a finished build, and the names of its files in a folder (kustomize spec 1, 19). */
#include <math.h>

#include "doc/emit.h"
#include "kustomize/shared.h"

/* An infinite number reads as YAML and cannot be said in JSON, the form all values pass through
 * upstream. Only where a letter stands in a number can there be one. */
static const struct doc_node *find_infinite(const struct doc_node *n)
{
    struct doc_iter it = doc_children(n);
    double value;

    if (n->type == DOC_NUMBER && !n->is_int && doc_to_double(n, &value) && !isfinite(value))
        return n;
    while (doc_next(&it)) {
        const struct doc_node *found = NULL;

        if (it.value->type == DOC_LIST || it.value->type == DOC_MAP || it.value->type == DOC_NUMBER)
            found = find_infinite(it.value);
        if (found)
            return found;
    }
    return NULL;
}

static int check(const struct kustomize_resource *r, struct err *e)
{
    const struct doc_node *bad = find_infinite(r->root);
    struct doc_place place;

    if (!bad)
        return 0;
    place = doc_place(r->set, bad);
    return err_set(e, ERR_INVALID, "%.*s:%u:%u: unsupported value: %.*s", STR_ARG(place.origin),
                   place.line, place.column, STR_ARG(doc_text(bad, STR_NONE)));
}

int kustomize_result_print(const struct kustomize_result *result, struct buf *out, struct err *e)
{
    const struct kustomize_resmap *m = &result->resources;
    AUTO(doc_list_done) struct doc_list roots = {0};
    struct kustomize_resource *r;

    vec_reserve(&roots, kustomize_resmap_len(m));
    for (size_t at = 0; (r = kustomize_resmap_next(m, &at));) {
        if (check(r, e) < 0)
            return -1;
        vec_push(&roots, r->root);
    }
    doc_emit_all(roots.v, roots.len, DOC_EMIT_SORTED, out);
    return 0;
}

int kustomize_resource_print(const struct kustomize_resource *r, struct buf *out, struct err *e)
{
    if (check(r, e) < 0)
        return -1;
    doc_emit(r->root, DOC_EMIT_SORTED, out);
    return 0;
}

static void add_lower(struct buf *out, str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.p[i];

        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        buf_add_char(out, c == '/' ? '_' : c);
    }
}

void kustomize_file_name(const struct kustomize_resource *r, bool with_ns, struct buf *out)
{
    AUTO(buf_done) struct buf api_version = {0};

    res_api_version(&r->id.gvk, &api_version);
    if (with_ns && r->id.ns.len) {
        add_lower(out, r->id.ns);
        buf_add_char(out, '_');
    }
    add_lower(out, buf_view(&api_version));
    buf_add_char(out, '_');
    add_lower(out, r->id.gvk.kind);
    buf_add_char(out, '_');
    add_lower(out, r->id.name);
    buf_add_cstr(out, ".yaml");
}

bool kustomize_has_namespaces(const struct kustomize_result *result)
{
    struct kustomize_resource *r;
    str first = STR_NONE;

    for (size_t at = 0; (r = kustomize_resmap_next(&result->resources, &at));) {
        if (r->id.ns.len == 0)
            continue;
        if (first.len && !str_eq(first, r->id.ns))
            return true;
        first = r->id.ns;
    }
    return false;
}
