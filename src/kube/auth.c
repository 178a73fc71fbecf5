#include "kube/auth_priv.h"

#include "base/escape.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/time.h"
#include "kube/exec_priv.h"
#include "kube/turn_priv.h"
#include "sys/file.h"
#include "sys/thread.h"

enum {
    TOKEN_FILE_MS = 60000, /* as client-go: a Pod's token is rotated long before it ends */
    EARLY_MS = 5000,       /* what expires so soon has expired */
    MAX_TOKEN = 1 << 20,
};

/* An HTTP client and who uses it. */
struct kube_link {
    struct http_client *http;
    size_t users;
    bool is_retired; /* freed by its last user */
};

struct kube_auth {
    const struct kube_config *config;
    struct kube_turn turn; /* of fetching credentials */
    pthread_mutex_t lock;  /* of everything below */
    struct kube_link *link;
    struct buf authorization, cert_pem;
    int64_t expires_wall_ms; /* of an exec plugin's answer */
    clock_ms read_again;     /* of a token file */
    bool is_stale;           /* refused by the server, or never fetched */
    bool has_warned;         /* of expired credentials; only in a turn */
};

struct kube_auth *kube_auth_new(struct kube_config *config)
{
    struct kube_auth *a = NEW(struct kube_auth);

    a->config = config;
    a->is_stale = true;
    a->expires_wall_ms = INT64_MAX;
    a->read_again = CLOCK_NEVER;
    kube_turn_init(&a->turn);
    pthread_mutex_init(&a->lock, NULL);
    return a;
}

static void link_free(struct kube_link *link)
{
    if (!link)
        return;
    http_client_free(link->http);
    mem_free(link);
}

void kube_auth_free(struct kube_auth *a)
{
    if (!a)
        return;
    link_free(a->link);
    buf_done(&a->authorization);
    buf_done(&a->cert_pem);
    kube_turn_done(&a->turn);
    pthread_mutex_destroy(&a->lock);
    mem_free(a);
}

/* ---- what a request gets */
static bool is_fresh(const struct kube_auth *a)
{
    return !a->is_stale && clock_left(a->read_again) > 0 &&
           (a->expires_wall_ms == INT64_MAX || clock_wall_ms() < a->expires_wall_ms - EARLY_MS);
}

/* Under the lock. */
static void grant(struct kube_auth *a, struct kube_grant *ret)
{
    a->link->users++;
    ret->auth = a;
    ret->link = a->link;
    ret->http = a->link->http;
    buf_clear(&ret->authorization);
    buf_add_str(&ret->authorization, buf_view(&a->authorization));
}

static bool grant_fresh(struct kube_auth *a, struct kube_grant *ret)
{
    LOCK_SCOPE(&a->lock);
    if (!is_fresh(a))
        return false;
    grant(a, ret);
    return true;
}

void kube_grant_done(struct kube_grant *g)
{
    struct kube_link *unused = NULL;

    buf_done(&g->authorization);
    if (g->link) {
        LOCK_SCOPE(&g->auth->lock);
        if (--g->link->users == 0 && g->link->is_retired)
            unused = g->link;
    }
    link_free(unused);
    *g = (struct kube_grant){0};
}

bool kube_auth_refused(struct kube_auth *a, const struct kube_grant *refused)
{
    LOCK_SCOPE(&a->lock);
    if (refused->link != a->link ||
        !str_eq(buf_view(&refused->authorization), buf_view(&a->authorization)))
        return true; /* another thread has fetched newer ones since */
    if (!a->config->exec && !a->config->token_file.len)
        return false;
    a->is_stale = true;
    return true;
}

/* ---- fetching */
static void bearer(str token, struct buf *out)
{
    buf_clear(out);
    if (token.len)
        buf_addf(out, "Bearer %.*s", STR_ARG(token));
}

static void basic(const struct kube_config *c, struct buf *out)
{
    AUTO(buf_done) struct buf pair = {0};

    buf_addf(&pair, "%.*s:%.*s", STR_ARG(c->username), STR_ARG(c->password));
    buf_clear(out);
    buf_add_cstr(out, "Basic ");
    escape_base64(buf_view(&pair), true, out);
    secret_add(str_from(buf_view(out), 6));
}

/* A token goes into a header line: no blanks or line ends. */
static int check_token(str token, const char *of, str whose, struct err *e)
{
    size_t i = 0;

    while (i < token.len && (unsigned char)token.p[i] > ' ' && token.p[i] != 0x7f)
        i++;
    if (i == token.len)
        return 0;
    return err_set(e, ERR_DENIED,
                   "the token of %s%.*s holds %s: one token and nothing else belongs there", of,
                   STR_ARG(whose),
                   token.p[i] == '\n' || token.p[i] == '\r'  ? "several lines"
                   : token.p[i] == ' ' || token.p[i] == '\t' ? "a blank"
                                                             : "a control character");
}

/* The file wins over the token beside it; when it cannot be read the token is used, or the error
 * stands. */
static int token_of_file(const struct kube_config *c, struct buf *out, struct err *e)
{
    AUTO(arena_done) struct arena arena = {0};
    AUTO(buf_done) struct buf text = {0};
    str token;

    if (file_read(arena_cstr(&arena, c->token_file), MAX_TOKEN, &text, e) < 0) {
        if (!c->token.len) {
            e->kind = ERR_DENIED; /* "not found" would say so of the object that is asked for */
            return err_wrap(e, "token of the user");
        }
        err_done(e);
        bearer(c->token, out);
        return 0;
    }
    token = str_trim(buf_view(&text));
    if (token.len == 0)
        return err_set(e, ERR_DENIED, "token file %.*s is empty", STR_ARG(c->token_file));
    secret_add(token);
    bearer(token, out);
    return check_token(token, "file ", c->token_file, e);
}

static int token_of_plugin(const struct kube_exec *exec, str token, struct buf *out, struct err *e)
{
    bearer(token, out);
    return check_token(token, "credential plugin ", exec->command, e);
}

/* Fills what the plugin, file or configuration gives; certificate and key stay empty unless a
 * plugin gave them. */
struct fetched {
    struct buf authorization;
    struct kube_exec_result exec;
    int64_t expires_wall_ms;
    clock_ms read_again;
};
static void fetched_done(struct fetched *f)
{
    buf_done(&f->authorization);
    kube_exec_result_done(&f->exec);
}
AUTO_VALUE(struct fetched, fetched_done)

static int fetch(const struct kube_config *c, struct cancel *cancel, struct fetched *f,
                 struct err *e)
{
    f->expires_wall_ms = INT64_MAX;
    f->read_again = CLOCK_NEVER;
    if (c->exec) {
        if (kube_exec_run(c, cancel, &f->exec, e) < 0)
            return -1;
        secret_add(buf_view(&f->exec.token));
        secret_add(buf_view(&f->exec.key_pem));
        f->expires_wall_ms = f->exec.expires_wall_ms;
        return token_of_plugin(c->exec, buf_view(&f->exec.token), &f->authorization, e);
    } else if (c->token_file.len) {
        f->read_again = clock_after(TOKEN_FILE_MS);
        return token_of_file(c, &f->authorization, e);
    } else if (c->token.len) {
        bearer(c->token, &f->authorization);
        return check_token(c->token, "user ", c->user, e);
    } else if (c->username.len) {
        basic(c, &f->authorization);
    }
    return 0;
}

static struct kube_link *link_new(const struct kube_config *c, const struct fetched *f,
                                  struct err *e)
{
    bool has_own = f->exec.cert_pem.len > 0;
    struct http_client_options options = {
        .tls = {.ca_pem = c->ca_pem,
                .cert_pem = has_own ? buf_view(&f->exec.cert_pem) : c->cert_pem,
                .key_pem = has_own ? buf_view(&f->exec.key_pem) : c->key_pem,
                .server_name = c->tls_server_name,
                .insecure = c->insecure},
        .proxy_url = c->proxy_url,
        .proxy_source = c->proxy_source,
        .use_env_proxy = c->proxy_url.len == 0,
    };
    struct http_client *http = http_client_new(&options, e);
    struct kube_link *link;

    if (!http)
        return NULL;
    link = NEW(struct kube_link);
    link->http = http;
    return link;
}

/* Puts what was fetched in place; a link whose certificate changed goes when nobody uses it. */
static int install(struct kube_auth *a, struct fetched *f, struct err *e)
{
    struct kube_link *fresh = NULL, *unused = NULL;

    /* link and cert_pem change only in the turn that this thread has */
    if (!a->link || !str_eq(buf_view(&a->cert_pem), buf_view(&f->exec.cert_pem))) {
        fresh = link_new(a->config, f, e);
        if (!fresh)
            return -1;
    }
    pthread_mutex_lock(&a->lock);
    if (fresh && a->link) {
        a->link->is_retired = true;
        if (a->link->users == 0)
            unused = a->link;
    }
    if (fresh)
        a->link = fresh;
    buf_done(&a->authorization);
    buf_done(&a->cert_pem);
    a->authorization = f->authorization;
    a->cert_pem = f->exec.cert_pem;
    f->authorization = f->exec.cert_pem = (struct buf){0};
    a->expires_wall_ms = f->expires_wall_ms;
    a->read_again = f->read_again;
    a->is_stale = false;
    pthread_mutex_unlock(&a->lock);
    link_free(unused);
    return 0;
}

/* The server judges what has expired by its own clock, so it is asked nevertheless. Once is enough
 * to be told. */
static void warn_expired(struct kube_auth *a, const struct fetched *f)
{
    AUTO(buf_done) struct buf when = {0};

    if (a->has_warned || f->expires_wall_ms > clock_wall_ms())
        return;
    a->has_warned = true;
    time_rfc3339_us(f->expires_wall_ms * 1000, 0, &when);
    log_warn("the credential plugin gave credentials that have expired",
             LOG_STR("plugin", a->config->exec->command), LOG_STR("expired", buf_view(&when)),
             LOG_STR("remedy", STR("log in again with it, or set the clock of this machine")));
}

/* Only in this thread's turn. What was just fetched is used whatever time it has left: fetching
 * again would give no more. */
static int refresh(struct kube_auth *a, struct cancel *cancel, struct kube_grant *ret,
                   struct err *e)
{
    AUTO(fetched_done) struct fetched f = {0};

    if (fetch(a->config, cancel, &f, e) < 0)
        return -1;
    warn_expired(a, &f);
    if (install(a, &f, e) < 0)
        return -1;
    LOCK_SCOPE(&a->lock);
    grant(a, ret);
    return 0;
}

int kube_auth_get(struct kube_auth *a, struct cancel *cancel, struct kube_grant *ret, struct err *e)
{
    int rc;

    if (grant_fresh(a, ret))
        return 0;
    if (kube_turn_take(&a->turn, cancel, e) < 0)
        return -1;
    /* perhaps by the thread whose turn it was before */
    rc = grant_fresh(a, ret) ? 0 : refresh(a, cancel, ret, e);
    kube_turn_leave(&a->turn);
    return rc;
}
