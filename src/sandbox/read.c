/* GET of an object and of a collection. */
#include "base/escape.h"
#include "sandbox/priv.h"

/* What a reader sees of a slot: under FAULT_STALE the state before the last. */
static const struct sb_obj *view(const struct sb_req *r, const struct sb_slot *slot)
{
    const struct sb_res *res = slot->res;

    if (!r->is_stale)
        return slot->obj;
    for (size_t i = res->events.len; i-- > 0;)
        if (res->events.v[i].obj == slot->obj)
            return res->events.v[i].prev ? res->events.v[i].prev : slot->obj;
    return slot->obj;
}

void sb_answer(struct sb_req *r, int status, const struct sb_obj *obj)
{
    r->status = status;
    if (sb_wants_table(r)) {
        sb_table_begin(r, r->kind, &r->out);
        sb_table_row(r, r->kind, obj, true, &r->out);
        sb_table_end(obj->rv, &r->out);
        return;
    }
    sb_obj_print(r->kind, obj, &r->out);
    buf_add_char(&r->out, '\n');
}

int sb_do_get(struct sb_req *r)
{
    struct sb_slot *slot = sb_find(r->kind->res, r->ns, r->name);

    if (!slot)
        return sb_fail_not_found(r, r->kind, r->name);
    sb_answer(r, 200, view(r, slot));
    return 0;
}

/* ---- lists */

struct page {
    struct sb_selector *selector;
    size_t at, end; /* slots left to look at */
    size_t limit;   /* 0: none */
    size_t count;
    uint64_t rv;
    const struct sb_event *unseen; /* FAULT_STALE: the change that the list does not know yet */
};

/* A stale list is the collection as it was before its last change, with the version of then, so
 * that a watch from there tells the change: as from the cache of a server that lags behind. */
static void look_back(const struct sb_req *r, struct page *p)
{
    const struct sb_res *res = r->kind->res;
    const struct sb_event *last = res->events.len ? &res->events.v[res->events.len - 1] : NULL;

    if (!r->is_stale || !last || last->type == SB_DELETED)
        return;
    p->unseen = last;
    p->rv = last->rv - 1;
}

/* NULL: the object does not exist yet. */
static const struct sb_obj *seen(const struct page *p, const struct sb_slot *slot)
{
    return p->unseen && p->unseen->obj == slot->obj ? p->unseen->prev : slot->obj;
}

/* A continue token: version, namespace and name of the last object, as base64. */
static bool token_read(struct sb_req *r, str token, struct page *p)
{
    AUTO(buf_done) struct buf text = {0};
    str rest, ns, name;

    if (!unescape_base64(token, &text))
        return false;
    ns = str_cut(buf_view(&text), '/', &rest);
    if (!str_to_uint64(ns, &p->rv) || !rest.p)
        return false;
    ns = str_cut(rest, '/', &name);
    if (!name.p)
        return false;
    p->at = sb_lower_bound(r->kind->res, ns, name);
    if (p->at < r->kind->res->slots.len) {
        const struct sb_slot *s = r->kind->res->slots.v[p->at];

        p->at += str_eq(s->ns, ns) && str_eq(s->name, name);
    }
    return true;
}

static void token_write(const struct page *p, const struct sb_slot *last, struct buf *out)
{
    AUTO(buf_done) struct buf text = {0};

    buf_addf(&text, "%llu/%.*s/%.*s", (unsigned long long)p->rv, STR_ARG(last->ns),
             STR_ARG(last->name));
    escape_base64(buf_view(&text), true, out);
}

static bool selected(const struct sb_req *r, const struct page *p, const struct sb_obj *obj)
{
    AUTO(doc_set_free) struct doc_set *set = NULL;

    if (sb_selector_is_all(p->selector))
        return true;
    set = doc_set_new();
    return sb_selector_match(p->selector, sb_load(set, r->kind, obj));
}

static void add_item(struct sb_req *r, const struct sb_obj *obj, bool is_first, bool as_table)
{
    if (as_table) {
        sb_table_row(r, r->kind, obj, is_first, &r->out);
        return;
    }
    if (!is_first)
        buf_add_char(&r->out, ',');
    if (r->kind->crd) /* only custom resources say what they are in a list */
        sb_obj_print(r->kind, obj, &r->out);
    else
        buf_add_str(&r->out, sb_obj_json(obj));
}

/* The object list of one page; the metadata comes last, as it tells whether there is more. */
static void write_page(struct sb_req *r, struct page *p, bool as_table)
{
    const struct sb_res *res = r->kind->res;
    const struct sb_slot *last = NULL;
    bool more = false;

    if (as_table)
        sb_table_begin(r, r->kind, &r->out);
    else
        buf_addf(&r->out, "{\"kind\":\"%.*sList\",\"apiVersion\":\"%.*s\",\"items\":[",
                 STR_ARG(r->kind->kind), STR_ARG(sb_api_version(r->kind, &r->arena)));
    for (; p->at < p->end; p->at++) {
        const struct sb_slot *slot = res->slots.v[p->at];
        const struct sb_obj *obj = seen(p, slot);

        if (!obj || !selected(r, p, obj))
            continue;
        if (p->limit && p->count == p->limit) {
            more = true;
            break;
        }
        add_item(r, obj, p->count == 0, as_table);
        p->count++;
        last = slot;
    }
    buf_addf(&r->out, "],\"metadata\":{\"resourceVersion\":\"%llu\"", (unsigned long long)p->rv);
    if (more) {
        buf_add_cstr(&r->out, ",\"continue\":\"");
        token_write(p, last, &r->out);
        buf_add_char(&r->out, '"');
        if (sb_selector_is_all(p->selector))
            buf_addf(&r->out, ",\"remainingItemCount\":%zu", p->end - p->at);
    }
    buf_add_cstr(&r->out, "}}\n");
}

static void page_bounds(const struct sb_req *r, struct page *p)
{
    struct sb_res *res = r->kind->res;
    str name = sb_selector_name(p->selector);

    p->end = res->slots.len;
    if (!r->ns.len)
        return;
    p->at = MAX(p->at, sb_lower_bound(res, r->ns, name));
    for (size_t low = p->at; low < p->end;) { /* the end of the namespace */
        size_t mid = (low + p->end) / 2;

        if (str_cmp(res->slots.v[mid]->ns, r->ns) <= 0)
            low = mid + 1;
        else
            p->end = mid;
    }
}

int sb_do_list(struct sb_req *r)
{
    AUTO(sb_selector_free)
    struct sb_selector *selector =
        sb_selector_parse(r, sb_param(r, "labelSelector"), sb_param(r, "fieldSelector"));
    str token = sb_param(r, "continue");
    struct page p = {.selector = selector, .rv = r->sb->rv};
    int64_t limit = 0;

    if (!selector)
        return -1;
    if (sb_has_param(r, "limit") && (!str_to_int64(sb_param(r, "limit"), &limit) || limit < 0))
        return sb_fail(r, 400, NULL, "limit must be a number");
    p.limit = (size_t)limit;
    if (token.len) {
        if (!token_read(r, token, &p))
            return sb_fail(r, 400, NULL, "continue key is not valid");
        if (p.rv < r->kind->res->dropped_rv || p.rv > r->sb->rv)
            return sb_fail_gone(r, "The provided continue parameter is too old to display a "
                                   "consistent list result. You can start a new list without the "
                                   "continue parameter.");
    } else {
        look_back(r, &p);
    }
    page_bounds(r, &p);
    r->status = 200;
    write_page(r, &p, sb_wants_table(r));
    return 0;
}
