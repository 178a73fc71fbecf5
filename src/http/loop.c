/* The I/O thread: the only one that drives libcurl's transfers. Callers post commands; answers go
 * into the transfer under its lock. Commands are carried out with the client's lock held, so that a
 * transfer whose caller has gone is never touched; all but a mere start, whose caller stays. */
#include "http/client_priv.h"

enum {
    STREAM_HIGH = 1 << 20,   /* a stream whose reader is so far behind is paused */
    HEADERS_MAX = 256 << 10, /* bytes of an answer's headers */
    HTTP2_CALLS = 100,       /* calls in flight when they share connections */
};

/* ---- callbacks of libcurl, on the I/O thread */
static size_t add_header(struct transfer *t, str line)
{
    str value, name = str_cut(line, ':', &value);

    if (str_starts(line, STR("HTTP/"))) { /* of the next answer: a 100 or a redirect came before */
        buf_clear(&t->headers);
        t->status = 0;
        return 1;
    }
    if (!value.p)
        return 1;
    if (t->headers.len + line.len + 2 > HEADERS_MAX) {
        t->limit = LIMIT_HEADERS;
        return 0;
    }
    for (size_t i = 0; i < name.len; i++)
        buf_add_char(&t->headers,
                     (char)(name.p[i] >= 'A' && name.p[i] <= 'Z' ? name.p[i] | 0x20 : name.p[i]));
    buf_add_cstr(&t->headers, ": ");
    buf_add_str(&t->headers, str_trim(value));
    buf_add_char(&t->headers, '\n');
    return 1;
}

size_t http_loop_on_header(char *p, size_t size, size_t count, void *transfer)
{
    struct transfer *t = transfer;
    size_t len = size * count, ok;

    pthread_mutex_lock(&t->lock);
    ok = add_header(t, str_trim((str){p, len}));
    pthread_mutex_unlock(&t->lock);
    return ok ? len : 0;
}

static size_t add_body(struct transfer *t, const char *p, size_t len)
{
    if (t->status == 0) {
        long status = 0;

        t->client->curl->curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);
        t->status = (int)status;
    }
    if (t->is_stream && t->status < 300) {
        if (t->data.len >= STREAM_HIGH) {
            t->is_paused = true;
            return CURL_WRITEFUNC_PAUSE;
        }
        if (t->data.len == 0)
            pthread_cond_signal(&t->changed);
        buf_add(&t->data, p, len);
        return len;
    }
    if (len > t->max_body - t->body.len) {
        t->limit = LIMIT_BODY;
        return 0;
    }
    buf_add(&t->body, p, len);
    return len;
}

size_t http_loop_on_body(char *p, size_t size, size_t count, void *transfer)
{
    struct transfer *t = transfer;
    size_t ret;

    pthread_mutex_lock(&t->lock);
    ret = add_body(t, p, size * count);
    pthread_mutex_unlock(&t->lock);
    return ret;
}

/* ---- places of a transfer */
static void end(struct transfer *t, CURLcode code)
{
    t->place = PLACE_IDLE;
    pthread_mutex_lock(&t->lock);
    t->code = code;
    t->is_done = true;
    pthread_mutex_unlock(&t->lock);
    /* From here on it is its caller's; whoever has it looks whether it was meant. With the lock
     * held the caller would wake up only to wait for that. */
    pthread_cond_signal(&t->changed);
}

static void run(struct http_client *c, struct transfer *t)
{
    CURLMcode rc = c->curl->curl_multi_add_handle(c->multi, t->easy);

    if (rc != CURLM_OK) {
        end(t, CURLE_FAILED_INIT);
        return;
    }
    t->place = PLACE_RUNNING;
    t->started_us = clock_now_us();
    c->running_calls += !t->is_stream;
}

static void start(struct http_client *c, struct transfer *t)
{
    int limit = c->is_http2 ? MAX(c->max_connections, HTTP2_CALLS) : c->max_connections;

    if (t->is_stream || c->running_calls < limit) {
        run(c, t);
        return;
    }
    t->place = PLACE_WAITING;
    t->next_waiting = NULL;
    if (c->last_waiting)
        c->last_waiting->next_waiting = t;
    else
        c->first_waiting = t;
    c->last_waiting = t;
}

static void start_next(struct http_client *c)
{
    struct transfer *t = c->first_waiting;

    if (!t)
        return;
    c->first_waiting = t->next_waiting;
    if (!c->first_waiting)
        c->last_waiting = NULL;
    run(c, t);
}

static void stop_waiting(struct http_client *c, struct transfer *t)
{
    struct transfer *before = NULL;

    for (struct transfer *at = c->first_waiting; at != t; at = at->next_waiting)
        before = at;
    if (before)
        before->next_waiting = t->next_waiting;
    else
        c->first_waiting = t->next_waiting;
    if (c->last_waiting == t)
        c->last_waiting = before;
}

static void leave_curl(struct http_client *c, struct transfer *t, CURLcode code)
{
    long version = 0;

    c->curl->curl_easy_getinfo(t->easy, CURLINFO_HTTP_VERSION, &version);
    if (version != CURL_HTTP_VERSION_NONE)
        c->is_http2 = version == CURL_HTTP_VERSION_2_0;
    c->curl->curl_multi_remove_handle(c->multi, t->easy);
    c->running_calls -= !t->is_stream;
    if (!t->is_stream) {
        c->answer_us += (clock_now_us() - t->started_us - c->answer_us) / 8;
        c->owed++;
    }
    end(t, code);
    start_next(c);
}

/* ---- commands */
static void carry_out(struct http_client *c, struct transfer *t, unsigned commands)
{
    if (commands & CMD_START)
        start(c, t);
    if (commands & CMD_RESUME && t->place == PLACE_RUNNING) {
        c->curl->curl_easy_pause(t->easy, CURLPAUSE_CONT);
        c->timer_us = 0; /* what lies in curl's buffers announces itself by no socket */
    }
    if (!(commands & CMD_ABORT))
        return;
    if (t->place == PLACE_RUNNING) {
        leave_curl(c, t, CURLE_ABORTED_BY_CALLBACK);
    } else if (t->place == PLACE_WAITING) {
        stop_waiting(c, t);
        end(t, CURLE_ABORTED_BY_CALLBACK);
    }
}

static struct transfer *pop(struct http_client *c)
{
    struct transfer *t = c->first_command;

    if (!t)
        return NULL;
    c->first_command = t->next;
    if (!c->first_command)
        c->last_command = NULL;
    t->is_queued = false;
    return t;
}

static bool carry_out_all(struct http_client *c)
{
    struct transfer *t;
    bool go_on;

    pthread_mutex_lock(&c->lock);
    while ((t = pop(c))) {
        unsigned commands = t->commands;

        t->commands = 0;
        if (commands == CMD_START) { /* its caller waits; the others need not wait for libcurl */
            c->owed -= c->owed > 0;
            pthread_mutex_unlock(&c->lock);
            start(c, t);
            pthread_mutex_lock(&c->lock);
            continue;
        }
        carry_out(c, t, commands);
    }
    c->posted = 0;
    go_on = !c->is_stopping;
    pthread_mutex_unlock(&c->lock);
    return go_on;
}

void http_loop_post(struct transfer *t, unsigned command)
{
    struct http_client *c = t->client;
    bool wake;

    pthread_mutex_lock(&c->lock);
    t->commands |= command;
    if (!t->is_queued) {
        t->is_queued = true;
        t->next = NULL;
        if (c->last_command)
            c->last_command->next = t;
        else
            c->first_command = t;
        c->last_command = t;
    }
    c->posted += command == CMD_START ? 1 : c->awaited;
    wake = c->is_polling && c->posted >= c->awaited;
    if (wake)
        c->is_polling = false; /* one wake-up is enough */
    pthread_mutex_unlock(&c->lock);
    if (wake)
        http_sockets_wake(c);
}

void http_loop_forget(struct transfer *t)
{
    struct http_client *c = t->client;
    struct transfer **at = &c->first_command, *before = NULL;

    pthread_mutex_lock(&c->lock);
    if (t->is_queued) {
        for (; *at != t; at = &(*at)->next)
            before = *at;
        *at = t->next;
        if (c->last_command == t)
            c->last_command = before;
        t->is_queued = false;
        t->commands = 0;
    }
    pthread_mutex_unlock(&c->lock);
}

static void wait_for_work(struct http_client *c)
{
    bool is_idle;

    pthread_mutex_lock(&c->lock);
    c->awaited = http_sockets_holds(c) ? MAX(c->owed, (size_t)1) : 1;
    is_idle = c->posted < c->awaited && !c->is_stopping;
    c->is_polling = is_idle;
    pthread_mutex_unlock(&c->lock);
    http_sockets_wait(c, is_idle);
    pthread_mutex_lock(&c->lock);
    c->is_polling = false;
    pthread_mutex_unlock(&c->lock);
}

void http_loop_run(void *client)
{
    struct http_client *c = client;
    struct CURLMsg *m;
    int count;

    while (carry_out_all(c)) {
        wait_for_work(c);
        while ((m = c->curl->curl_multi_info_read(c->multi, &count))) {
            struct transfer *t = NULL;

            c->curl->curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, (char **)&t);
            leave_curl(c, t, m->data.result);
        }
        http_sockets_gather(c);
    }
}
