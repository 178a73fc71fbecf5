/* Start, stop, and the way of a request from the socket to its answer. */
#include "sandbox/sandbox.h"

#include "base/escape.h"
#include "sandbox/faults.h"
#include "sandbox/seed.h"
#include "sandbox/types/crd.h"
#include "sandbox/watch.h"

enum { CERT_DAYS = 365 };

/* ---- answers */

struct late {
    struct http_call *call;
    struct http_reply reply;
    char *warnings; /* owned; reply's */
};

static void late_reply(struct sandbox *sb UNUSED, void *arg)
{
    struct late *late = arg;

    http_call_reply(late->call, &late->reply);
    mem_free(late->warnings);
    mem_free(late);
}

static void send_reply(struct sandbox *sb, struct http_call *call, struct http_reply *reply,
                       int delay_ms)
{
    struct late *late;

    delay_ms += sb->o.latency_ms;
    if (delay_ms <= 0) {
        http_call_reply(call, reply);
        return;
    }
    late = NEW(struct late);
    late->call = call;
    late->reply = *reply;
    if (reply->warnings)
        late->reply.warnings = late->warnings = mem_strdup(reply->warnings);
    LOCK_SCOPE(&sb->lock);
    if (sb->is_stopping)
        late_reply(sb, late);
    else
        sb_timer(sb, clock_after(delay_ms), late_reply, late_reply, late);
}

static void send_answer(struct sb_req *r, struct http_call *call, const struct sb_effect *f)
{
    AUTO(buf_done) struct buf warnings = {0};
    struct http_reply reply = {.status = r->status,
                               .content_type = r->content_type_out,
                               .body = r->out,
                               .retry_after_s = r->retry_after_s};

    for (size_t i = 0; i < r->warning_count; i++)
        buf_addf(&warnings, "%.*s\n", STR_ARG(r->warnings[i]));
    reply.warnings = warnings.len ? arena_cstr(&r->arena, buf_view(&warnings)) : NULL;
    r->out = (struct buf){0};
    if (f->cut_half)
        reply.cut_after = MAX((int64_t)reply.body.len / 2, (int64_t)1);
    if (f->cut_end)
        reply.cut_after = MAX((int64_t)reply.body.len - 1, (int64_t)1);
    if (f->is_slow)
        sb_slow_reply(r->sb, call, &reply);
    else
        send_reply(r->sb, call, &reply, f->delay_ms);
}

/* ---- hooks */

static void describe(const struct sb_req *r, struct sandbox_call *call)
{
    *call = (struct sandbox_call){.method = r->method,
                                  .path = r->path,
                                  .query = r->query,
                                  .content_type = r->content_type,
                                  .body = r->body,
                                  .ns = r->ns,
                                  .name = r->name,
                                  .subresource = r->sub,
                                  .is_watch = r->kind && r->verb == SB_WATCH,
                                  .is_list = r->kind && r->verb == SB_LIST,
                                  .object_kind = r->result_kind,
                                  .object_name = r->result_name,
                                  .status = r->status};
    if (!r->kind)
        return;
    call->group = r->kind->group;
    call->version = r->kind->version;
    call->plural = r->kind->res->plural;
    if (!call->object_kind.len)
        call->object_kind = r->kind->kind;
}

/* True: the hook answered. */
static bool run_before(struct sb_req *r)
{
    struct sandbox *sb = r->sb;
    struct sandbox_call call;
    int status;

    if (!sb->o.hooks.before)
        return false;
    pthread_mutex_lock(&sb->lock);
    sb_route(r);
    describe(r, &call);
    pthread_mutex_unlock(&sb->lock);
    status = sb->o.hooks.before(sb->o.hooks.ctx, &call);
    if (status == 0)
        return false;
    if (status == 409 && r->kind)
        sb_fail_conflict(r, r->kind, r->name,
                         "the object has been modified; please apply your changes to the latest "
                         "version and try again");
    else
        sb_fail(r, status, NULL, "refused by a test");
    return true;
}

static void run_after(struct sb_req *r)
{
    struct sandbox *sb = r->sb;
    struct sandbox_call call;

    if (!sb->o.hooks.after)
        return;
    describe(r, &call);
    sb->o.hooks.after(sb->o.hooks.ctx, &call);
}

/* ---- requests */

static bool fill_request(struct sb_req *r, const struct http_server_request *req)
{
    r->method = req->method;
    r->body = req->body;
    r->content_type = http_call_header(req->call, "Content-Type");
    r->accept = http_call_header(req->call, "Accept");
    r->user_agent = http_call_header(req->call, "User-Agent");
    r->user = req->peer_name.len ? req->peer_name : STR("sandbox-admin");
    r->received = clock_now();
    if (sb_req_parse(r, req->target))
        return true;
    sb_fail(r, 400, NULL, "the request target is not valid");
    return false;
}

static void serve(struct sb_req *r, const struct http_server_request *req)
{
    struct sb_effect f = {0};

    if (!req->is_peer_good) {
        sb_fail(r, 401, "Unauthorized", "Unauthorized");
        send_answer(r, req->call, &f);
        return;
    }
    if (r->segment_count == 2 && str_eq(r->segments[0], STR("sandbox"))) {
        sb_control(r);
        send_answer(r, req->call, &f);
        return;
    }
    sb_fault_request(r, &f);
    if (f.is_cut) {
        http_call_cut(req->call);
        return;
    }
    if (!f.is_answered && !run_before(r)) {
        sb_handle(r);
        run_after(r);
        sb_fault_answer(r, &f);
    }
    if (f.is_cut)
        http_call_cut(req->call);
    else if (r->watch && !f.is_answered)
        sb_watch_start(TAKE(r->watch), req->call);
    else
        send_answer(r, req->call, &f);
    if (r->watch)
        sb_watch_discard(r->watch);
}

static void on_request(void *ctx, const struct http_server_request *req)
{
    struct sb_req r = {.sb = ctx};
    struct sb_effect none = {0};

    if (fill_request(&r, req))
        serve(&r, req);
    else
        send_answer(&r, req->call, &none);
    sb_req_done(&r);
}

static bool on_accept(void *ctx) { return sb_fault_accept(ctx); }

/* ---- start and stop */

static int make_certificates(struct sandbox *sb, struct err *e)
{
    struct cert_request server = {.common_name = "sandbox", .is_server = true, .days = CERT_DAYS};
    struct cert_request client = {
        .common_name = "sandbox-admin", .organization = "system:masters", .days = CERT_DAYS};

    if (cert_make_authority("sandbox-ca", CERT_DAYS, &sb->ca, e) < 0 ||
        cert_make_signed(&sb->ca, &server, &sb->server_cert, e) < 0)
        return -1;
    return cert_make_signed(&sb->ca, &client, &sb->client_cert, e);
}

static int start_server(struct sandbox *sb, struct err *e)
{
    struct http_server_options o = {.port = sb->o.port,
                                    .threads = sb->o.threads,
                                    .handler = on_request,
                                    .accept = on_accept,
                                    .ctx = sb};

    if (!sb->o.is_plain) {
        o.cert_pem = buf_view(&sb->server_cert.cert_pem);
        o.key_pem = buf_view(&sb->server_cert.key_pem);
        o.client_ca_pem = buf_view(&sb->ca.cert_pem);
    }
    sb->server = http_server_start(&o, e);
    return sb->server ? 0 : -1;
}

struct sandbox *sb_new(const struct sandbox_options *options)
{
    struct sandbox *sb = NEW(struct sandbox);

    sb->o = *options;
    sb->o.no_controllers |= sb->o.is_bare;
    sb->rv = MAX(sb->o.first_version, (uint64_t)1);
    pthread_mutex_init(&sb->lock, NULL);
    thread_cond_init(&sb->loop_cond);
    sb_kinds_init(sb);
    return sb;
}

struct sandbox *sandbox_start(const struct sandbox_options *options, struct err *e)
{
    AUTO(sandbox_stop) struct sandbox *sb = sb_new(options);

    if (!sb->o.is_plain && make_certificates(sb, e) < 0)
        return NULL;
    if (sb_disk_open(sb, e) < 0)
        return NULL;
    if (!sb->o.is_bare)
        sb_seed(sb);
    if (sb_disk_flush(sb, e) < 0 || sb_loop_start(sb, e) < 0 || start_server(sb, e) < 0)
        return NULL;
    return TAKE(sb);
}

void sandbox_stop(struct sandbox *sb)
{
    if (!sb)
        return;
    sb_loop_stop(sb);
    http_server_stop(sb->server);
    sb_timers_drop(sb);
    sb_disk_close(sb);
    sb_store_done(sb);
    sb_kinds_done(sb);
    sb_crd_done(sb);
    sandbox_fault_clear(sb);
    vec_done(&sb->faults);
    cert_pair_done(&sb->ca);
    cert_pair_done(&sb->server_cert);
    cert_pair_done(&sb->client_cert);
    arena_done(&sb->arena);
    pthread_cond_destroy(&sb->loop_cond);
    pthread_mutex_destroy(&sb->lock);
    mem_free(sb);
}

int sandbox_swap_certificate(struct sandbox *sb, bool other_authority, struct err *e)
{
    struct cert_request request = {.common_name = "sandbox", .is_server = true, .days = CERT_DAYS};
    AUTO(cert_pair_done) struct cert_pair authority = {0}, fresh = {0};

    if (other_authority && cert_make_authority("sandbox-ca", CERT_DAYS, &authority, e) < 0)
        return -1;
    if (cert_make_signed(other_authority ? &authority : &sb->ca, &request, &fresh, e) < 0)
        return -1;
    cert_pair_done(&sb->server_cert);
    sb->server_cert = fresh;
    fresh = (struct cert_pair){0};
    sb->o.port = sandbox_port(sb);
    http_server_stop(TAKE(sb->server));
    return start_server(sb, e);
}

uint16_t sandbox_port(const struct sandbox *sb) { return http_server_port(sb->server); }

void sandbox_url(const struct sandbox *sb, struct buf *out)
{
    buf_addf(out, "%s://127.0.0.1:%u", sb->o.is_plain ? "http" : "https", sandbox_port(sb));
}

str sandbox_ca_pem(const struct sandbox *sb) { return buf_view(&sb->ca.cert_pem); }
str sandbox_cert_pem(const struct sandbox *sb) { return buf_view(&sb->client_cert.cert_pem); }
str sandbox_key_pem(const struct sandbox *sb) { return buf_view(&sb->client_cert.key_pem); }

static void add_pem(const char *key, str pem, struct buf *out)
{
    buf_addf(out, "    %s: ", key);
    escape_base64(pem, true, out);
    buf_add_char(out, '\n');
}

void sandbox_kubeconfig(const struct sandbox *sb, struct buf *out)
{
    buf_add_cstr(out, "apiVersion: v1\nkind: Config\ncurrent-context: sandbox\ncontexts:\n"
                      "- name: sandbox\n  context: {cluster: sandbox, user: sandbox-admin}\n"
                      "clusters:\n- name: sandbox\n  cluster:\n    server: ");
    sandbox_url(sb, out);
    buf_add_char(out, '\n');
    if (!sb->o.is_plain)
        add_pem("certificate-authority-data", sandbox_ca_pem(sb), out);
    buf_add_cstr(out, "users:\n- name: sandbox-admin\n  user:");
    if (sb->o.is_plain) {
        buf_add_cstr(out, " {}\n");
        return;
    }
    buf_add_char(out, '\n');
    add_pem("client-certificate-data", sandbox_cert_pem(sb), out);
    add_pem("client-key-data", sandbox_key_pem(sb), out);
}
