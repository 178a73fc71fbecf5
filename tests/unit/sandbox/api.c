#include "unit/sandbox/api.h"

#include "sys/clock.h"

void api_start(struct api *a, const struct sandbox_options *options)
{
    AUTO(err_done) struct err e = {0};
    struct sandbox_options none = {0};
    struct http_client_options o = {.max_connections = 4};

    a->sb = sandbox_start(options ? options : &none, &e);
    CHECK_OK(&e);
    if (!a->sb)
        return;
    o.tls.ca_pem = sandbox_ca_pem(a->sb);
    o.tls.cert_pem = sandbox_cert_pem(a->sb);
    o.tls.key_pem = sandbox_key_pem(a->sb);
    a->client = http_client_new(&o, &e);
    CHECK_OK(&e);
    a->set = doc_set_new();
}

void api_stop(struct api *a)
{
    http_client_free(a->client);
    sandbox_stop(a->sb);
    doc_set_free(a->set);
    http_response_done(&a->response);
    *a = (struct api){0};
}

int api_call(struct api *a, const char *method, const char *path, const char *content_type,
             const char *body, struct doc_node **ret_body)
{
    AUTO(err_done) struct err e = {0};
    AUTO(err_done) struct err parse = {0};
    AUTO(buf_done) struct buf url = {0};
    struct http_header h = {STR("Content-Type"), str_of(content_type)};
    struct http_request req = {.method = method,
                               .headers = &h,
                               .header_count = content_type ? 1 : 0,
                               .body = str_of(body)};

    sandbox_url(a->sb, &url);
    buf_add_cstr(&url, path);
    req.url = buf_view(&url);
    http_response_done(&a->response);
    if (ret_body)
        *ret_body = NULL;
    if (http_call(a->client, &req, NULL, &a->response, &e) < 0)
        return -1;
    if (ret_body)
        *ret_body = doc_parse_json(a->set, buf_view(&a->response.body), "answer", &parse);
    return a->response.status;
}

str api_text(const struct doc_node *n, const char *slash_path)
{
    return doc_text(doc_at(n, slash_path), STR_NONE);
}

str api_condition(const struct doc_node *n, const char *type)
{
    struct doc_iter it = doc_children(doc_at(n, "status/conditions"));

    while (doc_next(&it))
        if (str_eq(api_text(it.value, "type"), str_of(type)))
            return api_text(it.value, "status");
    return STR_NONE;
}

void api_await(struct api *a, const char *path, const char *slash_path, const char *want)
{
    clock_ms end = clock_after(TEST_PATIENCE_MS);
    struct doc_node *n = NULL;
    str have = STR_NONE;

    while (clock_now() < end) {
        AUTO(err_done) struct err e = {0};

        api_get(a, path, &n);
        have = slash_path[0] == '?' ? api_condition(n, slash_path + 1) : api_text(n, slash_path);
        if (str_eq(have, str_of(want)))
            return;
        cancel_sleep(NULL, 5, &e);
    }
    CHECK_STR(have, str_of(want), slash_path);
}
