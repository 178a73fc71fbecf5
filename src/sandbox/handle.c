/* From a parsed request to the function that answers it. */
#include "sandbox/write.h"

static int not_a_path(struct sb_req *r)
{
    r->status = 404;
    r->content_type_out = "text/plain; charset=utf-8";
    buf_clear(&r->out);
    buf_add_cstr(&r->out, "404 page not found\n");
    return -1;
}

static int no_method(struct sb_req *r)
{
    return sb_fail(r, 405, NULL, "the server does not allow this method on the requested resource");
}

/* The segments behind the version: [namespaces NS] plural [name [subresource]]. */
static bool read_place(struct sb_req *r, size_t at)
{
    str group = at == 2 ? STR_NONE : r->segments[1];
    str version = r->segments[at - 1];
    size_t left = r->segment_count - at;

    if (left >= 3 && str_eq(r->segments[at], STR("namespaces")) &&
        !(!group.len && (str_eq(r->segments[at + 2], STR("status")) ||
                         str_eq(r->segments[at + 2], STR("finalize"))))) {
        r->ns = r->segments[at + 1];
        at += 2;
        left -= 2;
    }
    if (left < 1 || left > 3)
        return false;
    r->kind = sb_kind_by_path(r->sb, group, version, r->segments[at]);
    if (!r->kind || (r->ns.len && !r->kind->namespaced))
        return false;
    if (left > 1)
        r->name = r->segments[at + 1];
    if (left > 2)
        r->sub = r->segments[at + 2];
    return true;
}

static bool is_resource_path(const struct sb_req *r, size_t *ret_at)
{
    if (r->segment_count > 2 && str_eq(r->segments[0], STR("api")))
        *ret_at = 2;
    else if (r->segment_count > 3 && str_eq(r->segments[0], STR("apis")))
        *ret_at = 3;
    else
        return false;
    return true;
}

static enum sb_verb verb_of(const struct sb_req *r)
{
    if (str_eq(r->method, STR("GET"))) {
        if (sb_param_bool(r, "watch") && !r->sub.len)
            return SB_WATCH;
        return r->name.len ? SB_GET : SB_LIST;
    }
    if (str_eq(r->method, STR("POST")))
        return SB_CREATE;
    if (str_eq(r->method, STR("PUT")))
        return SB_UPDATE;
    if (str_eq(r->method, STR("PATCH")))
        return SB_PATCH;
    if (str_eq(r->method, STR("DELETE")))
        return r->name.len ? SB_DELETE : SB_DELETE_ALL;
    return SB_OTHER;
}

static int dispatch(struct sb_req *r)
{
    switch (r->verb) {
    case SB_GET:
        return sb_do_get(r);
    case SB_LIST:
        return sb_do_list(r);
    case SB_WATCH:
        return sb_do_watch(r);
    case SB_CREATE:
        return r->name.len ? no_method(r) : sb_do_create(r);
    case SB_UPDATE:
        return r->name.len ? sb_do_update(r) : no_method(r);
    case SB_PATCH:
        return r->name.len ? sb_do_patch(r) : no_method(r);
    case SB_DELETE:
        return sb_do_delete(r);
    case SB_DELETE_ALL: /* namespaces go one by one */
        return str_eq(r->kind->kind, STR("Namespace")) && !r->sb->o.is_bare ? no_method(r)
                                                                            : sb_do_delete_all(r);
    case SB_OTHER:
        return no_method(r);
    }
    return -1;
}

static int do_kind(struct sb_req *r)
{
    int rc = sb_do_virtual(r);

    if (rc != 1)
        return rc;
    if (r->kind->is_virtual)
        return no_method(r);
    if (str_eq(r->sub, STR("scale")) && r->kind->has_scale)
        return sb_do_scale(r);
    if (str_eq(r->sub, STR("log")) && str_eq(r->kind->kind, STR("Pod")) && r->verb == SB_GET)
        return sb_do_log(r);
    if (r->sub.len && !(str_eq(r->sub, STR("status")) && r->kind->has_status))
        return sb_fail(r, 404, NULL, "the server could not find the requested resource");
    if (r->sub.len && r->verb != SB_GET && r->verb != SB_UPDATE && r->verb != SB_PATCH)
        return no_method(r);
    if (r->kind->namespaced && !r->ns.len &&
        !(r->verb == SB_LIST || r->verb == SB_WATCH || r->verb == SB_DELETE_ALL))
        return no_method(r);
    return dispatch(r);
}

/* A write is answered once it is stored. One that could not be is there in memory all the same; the
 * next one comes when it was stored. */
static void do_resource(struct sb_req *r)
{
    bool is_read = str_eq(r->method, STR("GET"));
    AUTO(err_done) struct err e = {0};

    if (!is_read && sb_disk_flush(r->sb, &e) < 0) {
        sb_fail(r, 500, NULL, "%s", err_text(&e));
        return;
    }
    do_kind(r);
    if (!is_read && sb_disk_flush(r->sb, &e) < 0)
        sb_fail(r, 500, NULL, "%s", err_text(&e));
}

void sb_route(struct sb_req *r)
{
    size_t at;

    r->verb = SB_OTHER;
    r->kind = NULL;
    r->ns = r->name = r->sub = STR_NONE;
    if (!is_resource_path(r, &at))
        return;
    if (read_place(r, at))
        r->verb = verb_of(r);
    else
        r->kind = NULL;
}

void sb_handle(struct sb_req *r)
{
    if (!r->set)
        r->set = doc_set_new();
    atomic_fetch_add(&r->sb->waiting, 1);
    LOCK_SCOPE(&r->sb->lock);
    atomic_fetch_sub(&r->sb->waiting, 1);
    sb_route(r);
    if (r->kind) {
        do_resource(r);
    } else if (sb_do_discovery(r) == 1) {
        not_a_path(r);
    }
}
