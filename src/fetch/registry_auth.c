/* Authorization of registries: challenges, tokens (distribution spec, "Token Authentication"). */
#include "base/escape.h"
#include "doc/parse.h"
#include "fetch/registry_login.h"
#include "fetch/registry_priv.h"
#include "http/url.h"
#include "sys/clock.h"
#include "sys/thread.h"

enum {
    MAX_TOKEN_ANSWER = 1 << 20,
    TOKEN_LIFE_S = 60, /* where the answer names none */
    TOKEN_EARLY_S = 5  /* it is not used in its last seconds */
};

struct registry_grant {
    str header; /* "Bearer …", in the client's arena */
    clock_ms until;
};

void registry_challenge_done(struct registry_challenge *c)
{
    buf_done(&c->realm);
    buf_done(&c->service);
    buf_done(&c->scope);
    *c = (struct registry_challenge){0};
}

/* ---- reading challenges */

static void skip_blanks(str *rest)
{
    while (rest->len && memchr(" \t,", rest->p[0], 3))
        *rest = str_from(*rest, 1);
}

static str take_word(str *rest)
{
    size_t len = 0;

    while (len < rest->len && !memchr(" \t,=\"", rest->p[len], 5))
        len++;
    str word = str_sub(*rest, 0, len);
    *rest = str_from(*rest, len);
    return word;
}

/* A token or a text in quotes, with backslashes before what is meant as it is. */
static void take_value(str *rest, struct buf *out)
{
    size_t i = 1;

    if (!rest->len || rest->p[0] != '"') {
        buf_add_str(out, take_word(rest));
        return;
    }
    while (i < rest->len && rest->p[i] != '"') {
        if (rest->p[i] == '\\' && i + 1 < rest->len)
            i++;
        buf_add_char(out, rest->p[i++]);
    }
    *rest = str_from(*rest, i + 1);
}

static struct buf *parameter_of(struct registry_challenge *c, str name)
{
    if (str_eq_nocase(name, STR("realm")))
        return &c->realm;
    if (str_eq_nocase(name, STR("service")))
        return &c->service;
    return str_eq_nocase(name, STR("scope")) ? &c->scope : NULL;
}

/* One header may hold several challenges, divided by commas as their parameters are: a word without
 * '=' begins the next. */
void registry_challenge_parse(str value, struct registry_challenge *ret)
{
    bool is_bearer = false;

    for (skip_blanks(&value); value.len; skip_blanks(&value)) {
        AUTO(buf_done) struct buf text = {0};
        str word = take_word(&value);
        struct buf *wanted;

        if (!value.len || value.p[0] != '=') {
            is_bearer = str_eq_nocase(word, STR("Bearer"));
            ret->is_bearer |= is_bearer;
            ret->is_basic |= str_eq_nocase(word, STR("Basic"));
            if (!word.len)
                value = str_from(value, 1);
            continue;
        }
        value = str_from(value, 1);
        take_value(&value, &text);
        wanted = is_bearer ? parameter_of(ret, word) : NULL;
        if (wanted && !wanted->len)
            buf_add_str(wanted, buf_view(&text));
    }
}

static void read_challenges(const struct http_response *refusal, struct registry_challenge *ret)
{
    str rest = buf_view(&refusal->headers), line;

    while (str_next_line(&rest, &line)) {
        str value, key = str_cut(line, ':', &value);

        if (str_eq(key, STR("www-authenticate")))
            registry_challenge_parse(value, ret);
    }
}

/* ---- what is kept */

static void scope_of(const struct registry_need *need, struct buf *out)
{
    if (need->repository.len)
        buf_addf(out, "repository:%.*s:%s", STR_ARG(need->repository), need->actions);
}

static void key_of(const struct registry_need *need, struct buf *out)
{
    buf_addf(out, "%.*s ", STR_ARG(need->host));
    scope_of(need, out);
}

void registry_auth_known(struct registry *r, const struct registry_need *need, struct buf *out)
{
    AUTO(buf_done) struct buf key = {0};
    const struct registry_grant *grant;

    key_of(need, &key);
    LOCK_SCOPE(&r->lock);
    grant = map_get(&r->grants, buf_view(&key));
    if (grant && (grant->until == CLOCK_NEVER || clock_left(grant->until) > 0))
        buf_add_str(out, grant->header);
}

/* A grant that runs out is replaced, not changed in place: others may be reading its text. */
static void keep(struct registry *r, const struct registry_need *need, const char *scheme,
                 str secret, clock_ms until)
{
    AUTO(buf_done) struct buf key = {0};
    struct registry_grant *grant;

    key_of(need, &key);
    LOCK_SCOPE(&r->lock);
    grant = ARENA_NEW(&r->arena, struct registry_grant);
    grant->header = arena_printf(&r->arena, "%s %.*s", scheme, STR_ARG(secret));
    grant->until = until;
    map_put(&r->grants, arena_dup(&r->arena, buf_view(&key)), grant);
}

/* ---- credentials and tokens */

static int find_login(struct registry *r, str host, struct registry_login *ret, struct err *e)
{
    const char *configs[] = {r->config, r->docker_config};

    if (r->username.len || r->password.len) {
        buf_add_str(&ret->username, r->username);
        buf_add_str(r->username.len ? &ret->password : &ret->identity, r->password);
        return 0;
    }
    for (size_t i = 0; i < ARRAY_LEN(configs) && registry_login_is_empty(ret); i++)
        if (configs[i] && registry_login_find(configs[i], host, r->cancel, ret, e) < 0)
            return -1;
    return 0;
}

static void add_basic(const struct registry_login *login, struct buf *out)
{
    AUTO(buf_done) struct buf plain = {0};

    buf_addf(&plain, "%s:%s", buf_cstr(&login->username), buf_cstr(&login->password));
    escape_base64(buf_view(&plain), true, out);
}

static void add_parameter(struct buf *out, const char *name, str value)
{
    if (!value.len)
        return;
    if (out->len && out->p[out->len - 1] != '?')
        buf_add_char(out, '&');
    buf_addf(out, "%s=", name);
    escape_percent(value, "", out);
}

/* Our scope, and the registry's where it asks for another. */
static void add_scopes(struct buf *out, const struct registry_need *need,
                       const struct registry_challenge *c)
{
    AUTO(buf_done) struct buf scope = {0};

    scope_of(need, &scope);
    add_parameter(out, "scope", buf_view(&scope));
    if (!str_eq(buf_view(&c->scope), buf_view(&scope)))
        add_parameter(out, "scope", buf_view(&c->scope));
}

/* Passwords go to a realm over TLS, or to one of a registry that is plain itself. */
static int check_realm(const struct registry_need *need, const struct registry_challenge *c,
                       struct err *e)
{
    struct http_url realm;

    if (http_url_parse(buf_view(&c->realm), &realm, e) < 0)
        return err_wrap(e, "realm of %.*s", STR_ARG(need->host));
    if (str_eq_nocase(realm.scheme, STR("http")) && str_starts(need->url, STR("https://")))
        return err_set(e, ERR_DENIED, "%.*s wants tokens to be fetched over plain HTTP",
                       STR_ARG(need->host));
    return 0;
}

/* The text of a token, without what a header could not hold. */
static str token_of(const struct doc_node *root)
{
    str token = doc_string(doc_get_lit(root, "token"), STR_NONE);

    if (!token.len)
        token = doc_string(doc_get_lit(root, "access_token"), STR_NONE);
    for (size_t i = 0; i < token.len; i++)
        if ((unsigned char)token.p[i] <= ' ' || (unsigned char)token.p[i] >= 0x7f)
            return STR_NONE;
    return token;
}

static int keep_token(struct registry *r, const struct registry_need *need,
                      const struct http_response *answer, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(err_done) struct err ignored = {0};
    struct doc_node *root =
        doc_parse_json_flags(set, buf_view(&answer->body), DOC_LAST_WINS, "token", &ignored);
    int64_t life = doc_int(doc_get_lit(root, "expires_in"), 0);
    str token = token_of(root);

    if (!token.len)
        return err_set(e, ERR_INVALID, "the token service of %.*s gave no token",
                       STR_ARG(need->host));
    if (life <= 0 || life > 1000000)
        life = life <= 0 ? TOKEN_LIFE_S : 1000000;
    keep(r, need, "Bearer", token, clock_after(MAX(life - TOKEN_EARLY_S, (int64_t)1) * 1000));
    return 1;
}

/* GET realm?service=…&scope=…, with the password if there is one. */
static void ask_with_password(const struct registry_login *login, struct buf *url,
                              struct buf *authorization)
{
    if (!login->username.len)
        return;
    add_parameter(url, "account", buf_view(&login->username));
    buf_add_cstr(authorization, "Basic ");
    add_basic(login, authorization);
}

static int call_realm(struct registry *r, const struct registry_need *need,
                      const struct registry_challenge *c, const struct registry_login *login,
                      struct http_response *ret, struct err *e)
{
    AUTO(buf_done) struct buf url = {0}, form = {0}, authorization = {0};
    struct http_header headers[2];
    struct http_request request = {
        .method = "GET", .max_body = MAX_TOKEN_ANSWER, .headers = headers};

    buf_add_str(&url, buf_view(&c->realm));
    if (login->identity.len) {
        request.method = "POST";
        add_parameter(&form, "grant_type", STR("refresh_token"));
        add_parameter(&form, "client_id", STR("grapnel"));
        add_parameter(&form, "service", buf_view(&c->service));
        add_scopes(&form, need, c);
        add_parameter(&form, "refresh_token", buf_view(&login->identity));
        request.body = buf_view(&form);
        headers[request.header_count++] =
            (struct http_header){STR("Content-Type"), STR("application/x-www-form-urlencoded")};
    } else {
        buf_add_char(&url, str_find_char(buf_view(&url), '?') >= 0 ? '&' : '?');
        add_parameter(&url, "service", buf_view(&c->service));
        add_scopes(&url, need, c);
        ask_with_password(login, &url, &authorization);
    }
    if (authorization.len)
        headers[request.header_count++] =
            (struct http_header){STR("Authorization"), buf_view(&authorization)};
    request.url = buf_view(&url);
    return http_call(r->client, &request, r->cancel, ret, e);
}

static int get_token(struct registry *r, const struct registry_need *need,
                     const struct registry_challenge *c, const struct registry_login *login,
                     struct err *e)
{
    AUTO(http_response_done) struct http_response answer = {0};
    AUTO(buf_done) struct buf words = {0};

    if (check_realm(need, c, e) < 0)
        return -1;
    for (int attempt = 0;; attempt++) {
        int rc = call_realm(r, need, c, login, &answer, e);

        if (rc == 0 && answer.status == 200)
            return keep_token(r, need, &answer, e);
        if (attempt + 1 == REGISTRY_ATTEMPTS || !registry_is_passing(rc < 0 ? NULL : &answer, e)) {
            if (rc < 0)
                return -1;
            break;
        }
        err_done(e);
        if (cancel_sleep(r->cancel, registry_wait_ms(r, &answer, attempt), e) < 0)
            return -1;
    }
    registry_describe(&answer, &words);
    err_set(e, answer.status == 401 || answer.status == 403 ? ERR_DENIED : ERR_IO,
            "token for %.*s: %s", STR_ARG(need->host), buf_cstr(&words));
    e->code = answer.status;
    return -1;
}

static int use_basic(struct registry *r, const struct registry_need *need,
                     const struct registry_login *login, struct err *e)
{
    AUTO(buf_done) struct buf coded = {0};

    if (!login->username.len)
        return err_set(e, ERR_DENIED, "%s \"%.*s\": basic credential not found", need->method,
                       STR_ARG(need->url));
    add_basic(login, &coded);
    keep(r, need, "Basic", buf_view(&coded), CLOCK_NEVER);
    return 1;
}

int registry_auth_answer(struct registry *r, const struct registry_need *need,
                         const struct http_response *refusal, struct err *e)
{
    AUTO(registry_challenge_done) struct registry_challenge c = {0};
    AUTO(registry_login_done) struct registry_login login = {0};

    read_challenges(refusal, &c);
    if (!c.is_basic && !(c.is_bearer && c.realm.len))
        return 0;
    if (find_login(r, need->host, &login, e) < 0)
        return -1;
    if (login.bearer.len && c.is_bearer) {
        keep(r, need, "Bearer", buf_view(&login.bearer), CLOCK_NEVER);
        return 1;
    }
    if (c.is_bearer && c.realm.len)
        return get_token(r, need, &c, &login, e);
    return use_basic(r, need, &login, e);
}
