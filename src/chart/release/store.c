/* Reading release records out of the cluster; store_write.c writes them. */
#include "base/escape.h"
#include "base/log.h"
#include "chart/release/store_priv.h"

const struct kube_lease_keys chart_lease_keys = {STR_INIT(CHART_LEASE_HOLDER),
                                                 STR_INIT(CHART_LEASE_RENEWED)};

int chart_driver_of(str word, enum chart_driver *ret, struct err *e)
{
    static const struct {
        char word[11];
        enum chart_driver driver;
    } words[] = {
        {"", CHART_SECRETS},
        {"secret", CHART_SECRETS},
        {"secrets", CHART_SECRETS},
        {"configmap", CHART_CONFIGMAPS},
        {"configmaps", CHART_CONFIGMAPS},
    };

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (str_eq(word, str_of(words[i].word))) {
            *ret = words[i].driver;
            return 0;
        }
    if (str_eq(word, STR("sql")))
        return err_set(e, ERR_USAGE,
                       "HELM_DRIVER=sql: releases in SQL databases are not supported; use secret "
                       "or configmap");
    if (str_eq(word, STR("memory")))
        return err_set(e, ERR_USAGE,
                       "HELM_DRIVER=memory keeps no release beyond one command; use secret or "
                       "configmap, in a sandbox if nothing is to stay");
    return err_set(e, ERR_USAGE, "HELM_DRIVER=%.*s is no driver; use secret or configmap",
                   STR_ARG(word));
}

struct chart_store *chart_store_new(struct kube *k, str ns, enum chart_driver driver)
{
    struct chart_store *s = NEW(struct chart_store);

    s->kube = k;
    s->ns = mem_strndup(ns.p, ns.len);
    s->driver = driver;
    s->holder = kube_lease_holder_new();
    pthread_mutex_init(&s->lock, NULL);
    return s;
}

void chart_store_on_lost(struct chart_store *s, struct cancel *lost) { s->lost = lost; }

void chart_records_done(struct chart_records *records)
{
    for (size_t i = 0; i < records->len; i++)
        chart_record_done(&records->v[i]);
    vec_done(records);
}

/* ---- objects */

int chart_store_ref(struct chart_store *s, str ns, struct cancel *cancel, struct kube_ref *ret,
                    struct err *e)
{
    str kind = s->driver == CHART_SECRETS ? STR("Secret") : STR("ConfigMap");

    *ret = (struct kube_ref){.type = kube_type_of(s->kube, STR("v1"), kind, cancel, e),
                             .ns = s->ns[0] ? str_of(s->ns) : ns};
    return ret->type ? 0 : -1;
}

str chart_store_object_name(struct doc_set *set, str name, int64_t revision)
{
    return arena_printf(&set->arena, "sh.helm.release.v1.%.*s.v%lld", STR_ARG(name),
                        (long long)revision);
}

/* The text of an object's record: out of the Secret's base64, or the ConfigMap's as it is. */
static int chart_store_text(const struct chart_store *s, const struct doc_node *object,
                            struct buf *ret, struct err *e)
{
    str text = doc_string(doc_at(object, "data/release"), STR_NONE);

    if (!text.len)
        return err_set(e, ERR_INVALID, "it has no release in its data");
    if (s->driver == CHART_CONFIGMAPS)
        buf_add_str(ret, text);
    else if (!unescape_base64(text, ret))
        return err_set(e, ERR_INVALID, "its data is no base64");
    return 0;
}

bool chart_record_is_reserved(str label)
{
    static const char names[][11] = {"name",    "owner",     "status",
                                     "version", "createdAt", "modifiedAt"};

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (str_eq(label, str_of(names[i])))
            return true;
    return false;
}

static void take_labels(struct chart_record *r, const struct doc_node *labels)
{
    struct doc_iter it = doc_children(labels);

    r->labels = NULL;
    r->all_labels = doc_is_map(labels) ? doc_copy(r->set, labels) : NULL;
    while (doc_next(&it)) {
        if (chart_record_is_reserved(it.key))
            continue;
        if (!r->labels)
            r->labels = doc_new_map(r->set);
        doc_set_field(r->set, r->labels, it.key, doc_copy(r->set, it.value));
    }
}

void chart_store_adopt(struct chart_record *r, const struct doc_node *object)
{
    const struct doc_node *metadata = doc_get_lit(object, "metadata");
    const struct doc_node *labels = doc_get_lit(metadata, "labels");
    struct arena *arena = &r->set->arena;
    int64_t age_ms, written;

    take_labels(r, labels);
    r->resource_version =
        arena_dup(arena, doc_text(doc_get_lit(metadata, "resourceVersion"), STR("")));
    r->holder = arena_dup(arena, kube_lease_holder(object, &chart_lease_keys, &age_ms));
    r->lease_age_ms = age_ms;
    r->stored_s = 0;
    if (str_to_int64(doc_text(doc_get_lit(labels, "modifiedAt"), STR_NONE), &written) ||
        str_to_int64(doc_text(doc_get_lit(labels, "createdAt"), STR_NONE), &written))
        r->stored_s = written;
    if (!r->ns.len)
        r->ns = arena_dup(arena, doc_text(doc_get_lit(metadata, "namespace"), STR("")));
}

static int read_object(const struct chart_store *s, const struct doc_node *object,
                       struct chart_record *ret, struct err *e)
{
    AUTO(buf_done) struct buf text = {0};

    if (chart_store_text(s, object, &text, e) < 0 ||
        chart_record_decode(buf_view(&text), ret, e) < 0)
        return -1;
    chart_store_adopt(ret, object);
    return 0;
}

/* ---- lists */

struct reading {
    struct chart_store *store;
    struct chart_records *ret;
};

static int on_object(void *ctx, struct doc_set *set UNUSED, struct doc_node *object)
{
    struct reading *reading = ctx;
    AUTO(err_done) struct err e = {0};
    struct chart_record r = {0};

    if (read_object(reading->store, object, &r, &e) < 0)
        log_warn("a release record cannot be read",
                 LOG_STR("object", doc_text(doc_at(object, "metadata/name"), STR(""))),
                 LOG_STR("error", str_of(err_text(&e))));
    else
        vec_push(reading->ret, r);
    return 0;
}

int chart_store_list(struct chart_store *s, str selector, struct cancel *cancel,
                     struct chart_records *ret, struct err *e)
{
    enum { PAGE = 50 }; /* up to a megabyte each */
    struct reading reading = {.store = s, .ret = ret};
    AUTO(buf_done) struct buf labels = {0};
    struct kube_list_options options = {.page = PAGE};
    struct kube_ref ref;

    if (chart_store_ref(s, STR(""), cancel, &ref, e) < 0)
        return -1;
    buf_add_cstr(&labels, "owner=helm");
    if (selector.len)
        buf_addf(&labels, ",%.*s", STR_ARG(selector));
    options.label_selector = buf_view(&labels);
    return kube_list(s->kube, &ref, &options, cancel, on_object, &reading, NULL, e);
}

static int by_revision(const void *a, const void *b)
{
    int64_t x = ((const struct chart_record *)a)->revision,
            y = ((const struct chart_record *)b)->revision;

    return x < y ? -1 : x > y;
}

int chart_store_history(struct chart_store *s, str name, struct cancel *cancel,
                        struct chart_records *ret, struct err *e)
{
    AUTO(buf_done) struct buf selector = {0};

    buf_addf(&selector, "name=%.*s", STR_ARG(name));
    if (chart_store_list(s, buf_view(&selector), cancel, ret, e) < 0)
        return -1;
    vec_sort(ret, by_revision);
    return 0;
}

/* ---- one */

struct chart_record *chart_records_last(const struct chart_records *history)
{
    return history->len ? &history->v[history->len - 1] : NULL;
}

struct chart_record *chart_records_deployed(const struct chart_records *history)
{
    for (size_t i = history->len; i-- > 0;)
        if (history->v[i].status == CHART_DEPLOYED)
            return &history->v[i];
    return NULL;
}

struct chart_record *chart_records_baseline(const struct chart_records *history)
{
    struct chart_record *last = chart_records_last(history),
                        *deployed = chart_records_deployed(history);

    if (deployed || !last)
        return deployed;
    return last->status == CHART_FAILED || last->status == CHART_SUPERSEDED ? last : NULL;
}

static int not_found(struct err *e)
{
    err_done(e);
    return err_set(e, ERR_NOT_FOUND, "release: not found");
}

static int get_last(struct chart_store *s, str name, struct cancel *cancel,
                    struct chart_record *ret, struct err *e)
{
    AUTO(chart_records_done) struct chart_records history = {0};

    if (chart_store_history(s, name, cancel, &history, e) < 0)
        return -1;
    if (!history.len)
        return not_found(e);
    *ret = history.v[--history.len];
    return 0;
}

int chart_store_get(struct chart_store *s, str name, int64_t revision, struct cancel *cancel,
                    struct chart_record *ret, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *scratch = NULL;
    AUTO(kube_object_done) struct kube_object object = {0};
    struct kube_ref ref;

    if (!revision)
        return get_last(s, name, cancel, ret, e);
    if (chart_store_ref(s, STR(""), cancel, &ref, e) < 0)
        return -1;
    scratch = doc_set_new();
    ref.name = chart_store_object_name(scratch, name, revision);
    if (kube_get(s->kube, &ref, cancel, &object, e) < 0)
        return e->kind == ERR_NOT_FOUND ? not_found(e) : -1;
    if (read_object(s, object.root, ret, e) < 0)
        return err_wrap(e, "%.*s", STR_ARG(ref.name));
    return 0;
}
