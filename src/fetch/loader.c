#include "fetch/loader.h"

#include "base/mem.h"
#include "fetch/clones.h"
#include "fetch/files.h"
#include "fetch/git_url.h"
#include "http/url.h"
#include "sys/thread.h"

struct fetch_loader {
    struct fetch_loader_options options;
    pthread_mutex_t note_lock;
    struct fetch_clones *clones;
    struct fetch_files *files;
};

static void note(void *ctx, enum fetch_note kind, str text)
{
    struct fetch_loader *loader = ctx;
    LOCK_SCOPE(&loader->note_lock);

    if (loader->options.note)
        loader->options.note(loader->options.ctx, kind, text);
}

struct fetch_loader *fetch_loader_new(const struct fetch_loader_options *options)
{
    struct fetch_loader *loader = NEW(struct fetch_loader);
    struct fetch_source source = {.is_offline = options->is_offline,
                                  .cache_dir = options->cache_dir,
                                  .lock = options->lock,
                                  .cancel = options->cancel,
                                  .note = note,
                                  .ctx = loader};

    loader->options = *options;
    if (!loader->options.file_limit)
        loader->options.file_limit = (size_t)64 << 20;
    pthread_mutex_init(&loader->note_lock, NULL);
    loader->clones = fetch_clones_new(&source);
    loader->files = fetch_files_new(&source);
    return loader;
}

void fetch_loader_free(struct fetch_loader *loader)
{
    if (!loader)
        return;
    fetch_clones_free(loader->clones);
    fetch_files_free(loader->files);
    pthread_mutex_destroy(&loader->note_lock);
    mem_free(loader);
}

bool fetch_is_file_url(str text)
{
    return str_eq_nocase(str_sub(text, 0, 7), STR("http://")) ||
           str_eq_nocase(str_sub(text, 0, 8), STR("https://"));
}

/* What came over the network must not make us read repositories of this machine. */
static int check_origin(const struct fetch_root *from, const struct fetch_git_url *url,
                        struct err *e)
{
    str outer = from ? fetch_root_repository(from) : STR_NONE;

    if (!url->is_local || !outer.len || str_starts(outer, STR("file://")))
        return 0;
    return err_set(e, ERR_DENIED, "security; %.*s, a remote repository, names the local one %s",
                   STR_ARG(outer), buf_cstr(&url->repository));
}

static struct fetch_root *open_clone(struct fetch_loader *loader, struct fetch_root *from,
                                     str target, const struct fetch_git_url *url, struct err *e)
{
    AUTO(buf_done) struct buf repository = {0};
    struct fetch_clone spec = {
        .path = buf_view(&url->path), .url = target, .ref = buf_view(&url->ref), .from = from};

    if (url->is_forced)
        note(loader, FETCH_WARNING, STR("the prefix 'git::' of a URL means nothing"));
    http_url_redact(buf_view(&url->repository), &repository);
    spec.repository = buf_view(&repository);
    if (check_origin(from, url, e) < 0 || fetch_root_check_urls(from, target, e) < 0)
        return NULL;
    spec.dir = fetch_clones_get(loader->clones, url, e);
    return spec.dir ? fetch_root_open_clone(&spec, e) : NULL;
}

struct fetch_root *fetch_loader_open(struct fetch_loader *loader, str target, struct err *e)
{
    AUTO(fetch_git_url_done) struct fetch_git_url url = {0};
    AUTO(mem_free_str) char *path = mem_strndup(target.p, target.len);
    int is_git = fetch_git_url_parse(target, &url, e);

    if (is_git < 0)
        return NULL;
    return is_git ? open_clone(loader, NULL, target, &url, e)
                  : fetch_root_open(path, loader->options.restriction, e);
}

struct fetch_root *fetch_loader_enter(struct fetch_loader *loader, struct fetch_root *root,
                                      str target, struct err *e)
{
    AUTO(fetch_git_url_done) struct fetch_git_url url = {0};
    int is_git = fetch_git_url_parse(target, &url, e);

    if (is_git < 0)
        return NULL;
    return is_git ? open_clone(loader, root, target, &url, e) : fetch_root_enter(root, target, e);
}

int fetch_loader_read(struct fetch_loader *loader, struct fetch_root *root, str target,
                      struct buf *out, struct err *e)
{
    size_t limit = loader->options.file_limit;

    return fetch_is_file_url(target) ? fetch_files_get(loader->files, target, limit, out, e)
                                     : fetch_root_read(root, target, limit, out, e);
}

int fetch_loader_take(struct fetch_loader *loader, struct fetch_root *root, str target,
                      struct arena *a, str *ret, struct err *e)
{
    size_t limit = loader->options.file_limit;
    AUTO(buf_done) struct buf text = {0};

    if (!fetch_is_file_url(target))
        return fetch_root_take(root, target, limit, a, ret, e);
    if (fetch_files_get(loader->files, target, limit, &text, e) < 0)
        return -1;
    *ret = arena_dup(a, buf_view(&text));
    return 0;
}
