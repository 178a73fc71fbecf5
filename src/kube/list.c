/* Lists, page by page. */
#include "base/map.h"
#include "kube/client_priv.h"

enum { PAGE = 500, RESTARTS = 5 };

struct lister {
    struct kube *k;
    const struct kube_ref *ref;
    const struct kube_list_options *options;
    struct cancel *cancel;
    kube_object_fn *on_object;
    void *ctx;
    str accept;      /* empty: whole objects */
    struct buf next; /* continue token; empty: the first page */
    bool is_ended;   /* by on_object */
};

static void page_path(const struct lister *l, struct buf *path)
{
    struct kube_query q = {.out = path};
    char limit[16];

    snprintf(limit, sizeof(limit), "%u", l->options->page ? l->options->page : PAGE);
    kube_path(l->ref, true, path);
    kube_query_add(&q, "labelSelector", l->options->label_selector);
    kube_query_add(&q, "fieldSelector", l->options->field_selector);
    kube_query_add(&q, "limit", str_of(limit));
    kube_query_add(&q, "continue", buf_view(&l->next));
}

/* Items of a list leave out what the list's own kind says. */
static void name_type(struct doc_set *set, struct doc_node *item, const struct kube_type *type,
                      str api_version)
{
    if (!doc_get_lit(item, "kind"))
        doc_set_field(set, item, STR("kind"), doc_new_string_view(set, type->kind));
    if (!doc_get_lit(item, "apiVersion"))
        doc_set_field(set, item, STR("apiVersion"), doc_new_string_view(set, api_version));
}

static void tell_items(struct lister *l, const struct kube_object *page)
{
    str api_version = doc_string(doc_get_lit(page->root, "apiVersion"), STR_NONE);
    struct doc_iter it = doc_children(doc_get_lit(page->root, "items"));

    while (!l->is_ended && doc_next(&it)) {
        if (!doc_is_map(it.value))
            continue;
        name_type(page->set, it.value, l->ref->type, api_version);
        l->is_ended = l->on_object(l->ctx, page->set, it.value) != 0;
    }
}

static int one_page(struct lister *l, struct buf *ret_version, struct err *e)
{
    AUTO(http_response_done) struct http_response r = {0};
    AUTO(kube_object_done) struct kube_object page = {0};
    AUTO(buf_done) struct buf path = {0};
    struct kube_call call = {.method = "GET", .accept = l->accept};

    page_path(l, &path);
    call.path = buf_view(&path);
    if (kube_send_ok(l->k, &call, l->cancel, &r, e) < 0 || kube_parse_answer(&r, &page, e) < 0)
        return -1;
    if (!doc_get_lit(page.root, "items"))
        return err_set(e, ERR_IO, "the server's answer is not a list");
    tell_items(l, &page);
    buf_clear(&l->next);
    buf_add_str(&l->next, doc_string(doc_at(page.root, "metadata/continue"), STR_NONE));
    if (ret_version) {
        buf_clear(ret_version);
        buf_add_str(ret_version,
                    doc_string(doc_at(page.root, "metadata/resourceVersion"), STR_NONE));
    }
    return 0;
}

int kube_list_pages(struct kube *k, const struct kube_ref *ref,
                    const struct kube_list_options *options, struct cancel *cancel,
                    kube_object_fn *on_object, kube_restart_fn *on_restart, void *ctx,
                    struct buf *ret_version, struct err *e)
{
    static const struct kube_list_options none = {0};
    struct lister l = {.k = k,
                       .ref = ref,
                       .options = options ? options : &none,
                       .cancel = cancel,
                       .on_object = on_object,
                       .ctx = ctx};
    int rc, restarts = 0;
    bool is_expired;

    do {
        rc = one_page(&l, ret_version, e);
        /* The snapshot that the pages come from was compacted away: begin again. */
        is_expired = rc < 0 && e->kind == ERR_GONE && l.next.len && restarts++ < RESTARTS;
        if (is_expired) {
            err_done(e);
            buf_clear(&l.next);
            if (on_restart)
                on_restart(ctx);
        }
    } while (is_expired || (rc == 0 && l.next.len && !l.is_ended));
    buf_done(&l.next);
    return rc;
}

int kube_list_metadata(struct kube *k, const struct kube_ref *ref, uint32_t page,
                       struct cancel *cancel, kube_object_fn *on_object, void *ctx,
                       bool *ret_is_whole, struct err *e)
{
    struct kube_list_options options = {.page = page};
    struct lister l = {.k = k,
                       .ref = ref,
                       .options = &options,
                       .cancel = cancel,
                       .on_object = on_object,
                       .ctx = ctx,
                       .accept = STR("application/json;as=PartialObjectMetadataList;v=v1;"
                                     "g=meta.k8s.io, application/json")};
    int rc = one_page(&l, NULL, e);

    *ret_is_whole = rc == 0 && !l.next.len && !l.is_ended;
    buf_done(&l.next);
    return rc;
}

/* ---- kube_list: after a restart what was told is not told again */
struct once {
    kube_object_fn *on_object;
    void *ctx;
    struct arena arena;
    struct map told; /* uid */
    bool is_again;
};

static void once_restart(void *ctx)
{
    struct once *o = ctx;

    o->is_again = true;
}

static int once_object(void *ctx, struct doc_set *set, struct doc_node *object)
{
    struct once *o = ctx;
    str uid = doc_string(doc_at(object, "metadata/uid"), STR_NONE);

    if (o->is_again && map_has(&o->told, uid))
        return 0;
    if (uid.len)
        map_put(&o->told, arena_dup(&o->arena, uid), o);
    return o->on_object(o->ctx, set, object);
}

int kube_list(struct kube *k, const struct kube_ref *ref, const struct kube_list_options *options,
              struct cancel *cancel, kube_object_fn *on_object, void *ctx, struct buf *ret_version,
              struct err *e)
{
    struct once o = {.on_object = on_object, .ctx = ctx};
    int rc =
        kube_list_pages(k, ref, options, cancel, once_object, once_restart, &o, ret_version, e);

    map_done(&o.told);
    arena_done(&o.arena);
    return rc;
}
