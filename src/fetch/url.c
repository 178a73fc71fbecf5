#include "fetch/url.h"

#include "http/client.h"
#include "http/url.h"

enum { MOST_REDIRECTS = 10 };

static int get(str url, size_t limit, struct cancel *cancel, struct buf *out, struct err *e)
{
    struct http_client_options options = {.use_env_proxy = true};
    struct http_request request = {
        .method = "GET", .url = url, .max_body = limit, .max_redirects = MOST_REDIRECTS};
    AUTO(http_client_free) struct http_client *client = http_client_new(&options, e);
    AUTO(http_response_done) struct http_response response = {0};

    if (!client || http_call(client, &request, cancel, &response, e) < 0)
        return -1;
    if (response.status != 200)
        return err_set(e, response.status == 404 ? ERR_NOT_FOUND : ERR_IO, "HTTP %d",
                       response.status);
    buf_add_str(out, buf_view(&response.body));
    return 0;
}

void fetch_url_display(str url, struct buf *out) { http_url_redact(url, out); }

int fetch_url(str url, size_t limit, struct cancel *cancel, struct buf *out, struct err *e)
{
    AUTO(buf_done) struct buf shown = {0};

    if (get(url, limit, cancel, out, e) == 0)
        return 0;
    fetch_url_display(url, &shown);
    return err_wrap(e, "fetching %s", buf_cstr(&shown));
}
