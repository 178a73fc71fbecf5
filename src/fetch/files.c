#include "fetch/files.h"

#include "base/mem.h"
#include "base/sha256.h"
#include "fetch/git_url.h"
#include "http/client.h"
#include "http/url.h"
#include "sys/file.h"
#include "sys/thread.h"

enum { MOST_REDIRECTS = 10 };

struct fetch_files {
    struct fetch_source source;
    pthread_mutex_t mutex; /* of client, which is made when there is a first URL */
    struct http_client *client;
};

struct fetch_files *fetch_files_new(const struct fetch_source *source)
{
    struct fetch_files *files = NEW(struct fetch_files);

    files->source = *source;
    pthread_mutex_init(&files->mutex, NULL);
    return files;
}

void fetch_files_free(struct fetch_files *files)
{
    http_client_free(files->client);
    pthread_mutex_destroy(&files->mutex);
    mem_free(files);
}

static struct http_client *client_of(struct fetch_files *files, struct err *e)
{
    struct http_client_options options = {.use_env_proxy = true};
    LOCK_SCOPE(&files->mutex);

    if (!files->client)
        files->client = http_client_new(&options, e);
    return files->client;
}

static int judge(const struct http_response *response, str url, struct err *e)
{
    str type = http_response_header(response, "content-type");

    if (response->status >= 200 && response->status <= 299) {
        if (!str_starts(type, STR("text/html")) || !fetch_is_git_url(url))
            return 0;
        return err_set(e, ERR_INVALID, "it is a web page, not a file");
    }
    err_set(e, response->status == 404 ? ERR_NOT_FOUND : ERR_IO, "HTTP %d", response->status);
    e->code = response->status;
    return -1;
}

static int get(struct fetch_files *files, str url, size_t limit, struct buf *out, struct err *e)
{
    struct http_client *client = client_of(files, e);
    struct http_request request = {.method = "GET",
                                   .url = url,
                                   .max_body = limit,
                                   .max_redirects = MOST_REDIRECTS,
                                   .gzip = true};
    AUTO(http_response_done) struct http_response response = {0};

    if (!client || http_call(client, &request, files->source.cancel, &response, e) < 0 ||
        judge(&response, url, e) < 0)
        return -1;
    buf_add_str(out, buf_view(&response.body));
    return 0;
}

static int get_from_cache(const struct fetch_files *files, const char *path, size_t limit,
                          struct buf *out, struct err *e)
{
    if (files->source.cache_dir && file_exists(path))
        return file_read(path, limit, out, e);
    return err_set(e, ERR_UNAVAILABLE, "offline, and it is not in %s",
                   files->source.cache_dir ? files->source.cache_dir : "a cache");
}

static int put_into_cache(const struct fetch_files *files, const char *path, str text,
                          struct err *e)
{
    AUTO(buf_done) struct buf folder = {0};
    struct file_replace options = {.mode = 0600};

    if (!files->source.cache_dir)
        return 0;
    buf_addf(&folder, "%s/http", files->source.cache_dir);
    if (file_mkdirs(buf_cstr(&folder), 0700, e) < 0)
        return -1;
    return file_replace(path, text, &options, e);
}

static int get_or_recall(struct fetch_files *files, str url, str shown, size_t limit,
                         struct buf *out, struct err *e)
{
    AUTO(buf_done) struct buf path = {0}, digest = {0};
    size_t before = out->len;
    str text;

    buf_addf(&path, "%s/http/", files->source.cache_dir ? files->source.cache_dir : "");
    sha256_hex(shown, &path);
    if (files->source.is_offline ? get_from_cache(files, buf_cstr(&path), limit, out, e) < 0
                                 : get(files, url, limit, out, e) < 0)
        return -1;
    text = str_from(buf_view(out), before);
    sha256_hex(text, &digest);
    if (files->source.lock &&
        fetch_lock_check(files->source.lock, shown, STR_NONE, buf_view(&digest), e) < 0)
        return -1;
    return files->source.is_offline ? 0 : put_into_cache(files, buf_cstr(&path), text, e);
}

int fetch_files_get(struct fetch_files *files, str url, size_t limit, struct buf *out,
                    struct err *e)
{
    AUTO(buf_done) struct buf shown = {0};
    size_t before = out->len;

    http_url_redact(url, &shown);
    if (get_or_recall(files, url, buf_view(&shown), limit, out, e) == 0)
        return 0;
    buf_trunc(out, before);
    return err_wrap(e, "fetching %s", buf_cstr(&shown));
}
