#include "fetch/lock.h"

#include <pthread.h>

#include "base/vec.h"
#include "doc/emit.h"
#include "doc/parse.h"
#include "sys/file.h"
#include "sys/thread.h"

enum { FILE_LIMIT = 16 << 20 };

struct source {
    char *url, *ref; /* ref "" for a file */
    char *digest;
};

struct fetch_lock {
    pthread_mutex_t mutex;
    char *path;
    bool is_changed;
    VEC(struct source) sources;
};

static char *copy(str text) { return mem_strndup(text.p, text.len); }

void fetch_lock_free(struct fetch_lock *lock)
{
    if (!lock)
        return;
    for (size_t i = 0; i < lock->sources.len; i++) {
        mem_free(lock->sources.v[i].url);
        mem_free(lock->sources.v[i].ref);
        mem_free(lock->sources.v[i].digest);
    }
    vec_done(&lock->sources);
    pthread_mutex_destroy(&lock->mutex);
    mem_free(lock->path);
    mem_free(lock);
}

static struct source *find(struct fetch_lock *lock, str url, str ref)
{
    for (size_t i = 0; i < lock->sources.len; i++) {
        struct source *s = &lock->sources.v[i];

        if (str_eq(str_of(s->url), url) && str_eq(str_of(s->ref), ref))
            return s;
    }
    return NULL;
}

static void add(struct fetch_lock *lock, str url, str ref, str digest)
{
    vec_push(&lock->sources,
             (struct source){.url = copy(url), .ref = copy(ref), .digest = copy(digest)});
}

static int read_source(struct fetch_lock *lock, const struct doc_set *set,
                       const struct doc_node *node, struct err *e)
{
    str url = doc_string(doc_get_lit(node, "url"), STR_NONE);
    str ref = doc_text(doc_get_lit(node, "ref"), STR_NONE);
    str commit = doc_text(doc_get_lit(node, "commit"), STR_NONE);
    str sha256 = doc_text(doc_get_lit(node, "sha256"), STR_NONE);

    if (!url.len || !(ref.len ? commit.len : sha256.len)) {
        AUTO(diag_list_done) struct diag_list diags = {0};

        doc_diag(&diags, set, node, false, NULL,
                 "a source needs url with sha256, or with ref and commit");
        return err_diags(e, &diags);
    }
    add(lock, url, ref, ref.len ? commit : sha256);
    return 0;
}

static int read_sources(struct fetch_lock *lock, str text, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *root = doc_parse(set, text, DOC_SPEC, lock->path, e);
    struct doc_iter it = doc_children(doc_get_lit(root, "sources"));

    if (!root)
        return -1;
    while (doc_next(&it))
        if (read_source(lock, set, it.value, e) < 0)
            return -1;
    return 0;
}

struct fetch_lock *fetch_lock_load(const char *path, struct err *e)
{
    AUTO(fetch_lock_free) struct fetch_lock *lock = NEW(struct fetch_lock);
    AUTO(buf_done) struct buf text = {0};

    pthread_mutex_init(&lock->mutex, NULL);
    lock->path = mem_strdup(path);
    if (!file_exists(path))
        return TAKE(lock);
    if (file_read(path, FILE_LIMIT, &text, e) < 0 || read_sources(lock, buf_view(&text), e) < 0)
        return NULL;
    return TAKE(lock);
}

int fetch_lock_check(struct fetch_lock *lock, str url, str ref, str digest, struct err *e)
{
    LOCK_SCOPE(&lock->mutex);
    const struct source *known = find(lock, url, ref);

    if (!known) {
        add(lock, url, ref, digest);
        lock->is_changed = true;
        return 0;
    }
    if (str_eq(str_of(known->digest), digest))
        return 0;
    return err_set(e, ERR_CONFLICT,
                   "%.*s%s%.*s is now %.*s, %s says %s; remove its entry there if the change is "
                   "wanted",
                   STR_ARG(url), ref.len ? " at " : "", STR_ARG(ref), STR_ARG(digest), lock->path,
                   known->digest);
}

static int by_url(const void *a, const void *b)
{
    const struct source *x = a, *y = b;
    int order = strcmp(x->url, y->url);

    return order ? order : strcmp(x->ref, y->ref);
}

int fetch_lock_save(struct fetch_lock *lock, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf text = {0};
    LOCK_SCOPE(&lock->mutex);
    struct doc_node *root = doc_new_map(set), *list = doc_ensure_list(set, root, STR("sources"));

    if (!lock->is_changed)
        return 0;
    vec_sort(&lock->sources, by_url);
    for (size_t i = 0; i < lock->sources.len; i++) {
        const struct source *s = &lock->sources.v[i];
        struct doc_node *map = doc_append(list, doc_new_map(set));

        doc_set_string(set, map, s->ref[0] ? STR("commit") : STR("sha256"), str_of(s->digest));
        if (s->ref[0])
            doc_set_string(set, map, STR("ref"), str_of(s->ref));
        doc_set_string(set, map, STR("url"), str_of(s->url));
    }
    doc_emit(root, DOC_EMIT_SORTED, &text);
    if (file_replace(lock->path, buf_view(&text), NULL, e) < 0)
        return -1;
    lock->is_changed = false;
    return 0;
}
