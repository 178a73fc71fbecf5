/* The text of a finished build, and the names of its files in a folder (kustomize spec 1, 19). */
#include <math.h>

#include "doc/emit.h"
#include "kustomize/metadata.h"
#include "kustomize/quirks.h"
#include "res/scalar.h"

/* About what a pipe takes at once; documents that are printed together. */
enum { PIECE = 60 << 10, MOST = 32 };

/* An infinite number reads as YAML and cannot be said in JSON, the form all values pass through
 * upstream. Only where a letter stands in a number can there be one. */
static bool is_infinite(const struct doc_node *n)
{
    double value;

    return n->type == DOC_NUMBER && !n->is_int && doc_to_double(n, &value) && !isfinite(value);
}

static const struct doc_node *find_infinite(const struct doc_node *n)
{
    const struct doc_node *child = doc_first(n), *found;

    if (!child)
        return is_infinite(n) ? n : NULL;
    for (uint32_t i = n->len; i > 0; i--, child = child->next)
        if ((child->type >= DOC_LIST || child->type == DOC_NUMBER) &&
            (found = find_infinite(child)))
            return found;
    return NULL;
}

/* Upstream writes the annotations anew when it takes its own out, as texts. */
static void type_annotations(const struct kustomize_resource *r)
{
    struct doc_iter it = doc_children(kustomize_resource_annotations(r));

    while (doc_next(&it))
        if (doc_is_string(it.value))
            it.value->bool_val = false;
}

void kustomize_finish_resources(const struct kustomize_build *b, const struct kustomize_resmap *m)
{
    struct kustomize_resource *r;

    for (size_t at = 0; (r = kustomize_resmap_next(m, &at));) {
        kustomize_metadata_finish(r, b->shared->build_metadata, b->is_fixed);
        type_annotations(r);
        res_scalar_settle(r->set, r->root);
        kustomize_unfold_annotations(b, r);
        kustomize_refold_resource(b, r);
        r->is_finite = !find_infinite(r->root);
    }
}

static int check(const struct kustomize_resource *r, struct err *e)
{
    const struct doc_node *bad = r->is_finite ? NULL : find_infinite(r->root);
    struct doc_place place;

    if (!bad)
        return 0;
    place = doc_place(r->set, bad);
    return err_set(e, ERR_INVALID, "%.*s:%u:%u: unsupported value: %.*s", STR_ARG(place.origin),
                   place.line, place.column, STR_ARG(doc_text(bad, STR_NONE)));
}

static int check_all(const struct kustomize_resmap *m, struct err *e)
{
    const struct kustomize_resource *r;

    for (size_t at = 0; (r = kustomize_resmap_next(m, &at));)
        if (check(r, e) < 0)
            return -1;
    return 0;
}

/* Prints up to `most` documents behind what is in the piece, which has none or some already. How
 * many to print next, by the size of these: some large ones must not make a piece of megabytes. */
static size_t add_documents(const struct kustomize_resmap *m, size_t *at, size_t most,
                            struct buf *piece)
{
    struct doc_node *roots[MOST];
    const struct kustomize_resource *r;
    size_t count = 0, before = piece->len;
    bool is_first = *at == 0;

    while (count < most && (r = kustomize_resmap_next(m, at)))
        roots[count++] = r->root;
    if (count && !is_first)
        buf_add_cstr(piece, "---\n");
    doc_emit_all(roots, count, DOC_EMIT_SORTED, piece);
    return MIN((size_t)MOST, 1 + PIECE * count / (piece->len - before + 1));
}

int kustomize_result_write(const struct kustomize_result *result, kustomize_write_fn *write,
                           void *ctx, struct err *e)
{
    const struct kustomize_resmap *m = &result->resources;
    AUTO(buf_done) struct buf piece = {0};

    if (check_all(m, e) < 0)
        return -1;
    for (size_t at = 0, most = 1; at < m->list.len;) {
        most = add_documents(m, &at, most, &piece);
        if (piece.len < PIECE && at < m->list.len)
            continue;
        if (piece.len && write(ctx, buf_view(&piece), e) < 0)
            return -1;
        buf_clear(&piece);
    }
    return 0;
}

static int add_piece(void *out, str text, struct err *e UNUSED)
{
    buf_add_str(out, text);
    return 0;
}

int kustomize_result_print(const struct kustomize_result *result, struct buf *out, struct err *e)
{
    return kustomize_result_write(result, add_piece, out, e);
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
