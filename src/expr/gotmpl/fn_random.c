/* The environment, the network and random numbers: only through the host (template spec 17). */
#include "base/escape.h"
#include "expr/gotmpl/fn_priv.h"
#include "expr/gotmpl/random_priv.h"

int random_fill(struct tmpl_call *c, void *p, size_t len)
{
    const struct tmpl_host *host = &c->run->options.host;

    if (!host->random)
        return call_fail(c, "there are no random numbers here: only what is given may count");
    host->random(host->ctx, p, len);
    return 0;
}

/* Evenly in [0, limit). */
static int random_below(struct tmpl_call *c, uint64_t limit, uint64_t *ret)
{
    uint64_t u = 0, least = -limit % limit; /* below it the rests are not even */

    do
        if (random_fill(c, &u, sizeof(u)) < 0)
            return -1;
    while (u < least);
    *ret = u % limit;
    return 0;
}

static int random_text(struct tmpl_call *c, str letters, struct tmpl_value *ret)
{
    int64_t count = MAX(c->args[0].i, (int64_t)0);
    struct buf *b;
    uint64_t at;

    if (trun_room(c->run, (size_t)count) < 0)
        return -1;
    b = trun_borrow(c->run);
    for (int64_t i = 0; i < count; i++) {
        if (random_below(c, letters.len, &at) < 0) {
            trun_give(c->run, b);
            return -1;
        }
        buf_add_char(b, letters.p[at]);
    }
    return ret_text(c, b, ret);
}

#define DIGITS "0123456789"
#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
static int f_alpha_num(struct tmpl_call *c, struct tmpl_value *ret)
{
    return random_text(c, STR(LETTERS DIGITS), ret);
}

static int f_alpha(struct tmpl_call *c, struct tmpl_value *ret)
{
    return random_text(c, STR(LETTERS), ret);
}

static int f_numeric(struct tmpl_call *c, struct tmpl_value *ret)
{
    return random_text(c, STR(DIGITS), ret);
}

static int f_ascii(struct tmpl_call *c, struct tmpl_value *ret)
{
    return random_text(c, STR(LETTERS DIGITS " !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"), ret);
}

static int f_rand_int(struct tmpl_call *c, struct tmpl_value *ret)
{
    uint64_t u;

    if (c->args[1].i <= c->args[0].i)
        return call_fail(c, "invalid argument to Intn");
    if (random_below(c, (uint64_t)c->args[1].i - (uint64_t)c->args[0].i, &u) < 0)
        return -1;
    *ret = tmpl_int((int64_t)((uint64_t)c->args[0].i + u));
    return 0;
}

static int f_rand_bytes(struct tmpl_call *c, struct tmpl_value *ret)
{
    AUTO(buf_done) struct buf bytes = {0};
    size_t count = (size_t)MAX(c->args[0].i, (int64_t)0);
    struct buf *b;

    if (trun_room(c->run, count) < 0)
        return -1;
    buf_add_repeat(&bytes, 0, count);
    if (count && random_fill(c, bytes.p, count) < 0)
        return -1;
    b = trun_borrow(c->run);
    escape_base64(buf_view(&bytes), true, b);
    return ret_text(c, b, ret);
}

static int f_shuffle(struct tmpl_call *c, struct tmpl_value *ret)
{
    AUTO(str_vec_done) struct str_vec chars = {0};
    str s = arg_text(c, 0);
    struct buf *b;
    size_t width;

    for (size_t at = 0; at < s.len; at += width) {
        str_utf8_at(s, at, &width);
        vec_push(&chars, str_sub(s, at, width));
    }
    for (size_t i = chars.len; i > 1; i--) {
        uint64_t other;
        str kept = chars.v[i - 1];

        if (random_below(c, i, &other) < 0)
            return -1;
        chars.v[i - 1] = chars.v[other];
        chars.v[other] = kept;
    }
    b = trun_borrow(c->run);
    for (size_t i = 0; i < chars.len; i++)
        buf_add_str(b, chars.v[i]);
    return ret_text(c, b, ret);
}

static int f_uuid(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct buf *b;
    uint8_t u[16] = {0};

    if (random_fill(c, u, sizeof(u)) < 0)
        return -1;
    u[6] = (u[6] & 0x0f) | 0x40;
    u[8] = (u[8] & 0x3f) | 0x80;
    b = trun_borrow(c->run);
    for (size_t i = 0; i < sizeof(u); i++)
        buf_addf(b, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", u[i]);
    return ret_text(c, b, ret);
}

/* ---- what surrounds the program */

static const char *env_of(struct tmpl_call *c, const char *name)
{
    const struct tmpl_host *host = &c->run->options.host;
    const char *value = host->env ? host->env(host->ctx, name) : NULL;

    return value ? value : "";
}

static int f_env(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_view(ret, str_of(env_of(c, arena_cstr(&c->run->arena, arg_text(c, 0)))));
}

/* Go's os.Expand: $NAME, ${NAME}, and one character of a few. */
static int f_expandenv(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct buf *b = trun_borrow(c->run);
    str s = arg_text(c, 0);

    for (size_t at = 0; at < s.len;) {
        str name = str_from(s, at + 1);
        ssize_t close = str_starts(name, STR("{")) ? str_find_char(name, '}') : -1;
        size_t len = 0;

        if (s.p[at] != '$' || at + 1 == s.len) {
            buf_add_char(b, s.p[at++]);
            continue;
        }
        while (close < 0 && len < name.len && (unsigned char)name.p[len] < 0x80 &&
               text_is_alnum((unsigned char)name.p[len]))
            len++;
        at += 1 + (close >= 0 ? (size_t)close + 1 : len);
        name = close >= 0 ? str_sub(name, 1, (size_t)close - 1) : str_sub(name, 0, len);
        buf_add_cstr(b, env_of(c, arena_cstr(&c->run->arena, name)));
    }
    return ret_text(c, b, ret);
}

static int f_host(struct tmpl_call *c, struct tmpl_value *ret)
{
    const struct tmpl_host *host = &c->run->options.host;
    struct buf *b = trun_borrow(c->run);

    if (host->resolve && host->resolve(host->ctx, arg_text(c, 0), b, c->run->e) < 0) {
        trun_give(c->run, b);
        return -1;
    }
    return ret_text(c, b, ret);
}

#define OUTSIDE (FUNC_HOST | FUNC_NO_CHART | FUNC_NO_OPERATOR)
static void add_rows(struct func_rows *to)
{
    func_add(to, "randAlphaNum", "I", f_alpha_num, FUNC_HOST, "So many random letters and digits",
             "{{ randAlphaNum 8 | len }}", "8");
    func_add(to, "randAlpha", "I", f_alpha, FUNC_HOST, "So many random letters",
             "{{ randAlpha 8 | len }}", "8");
    func_add(to, "randNumeric", "I", f_numeric, FUNC_HOST, "So many random digits",
             "{{ randNumeric 8 | len }}", "8");
    func_add(to, "randAscii", "I", f_ascii, FUNC_HOST, "So many random printable characters",
             "{{ randAscii 8 | len }}", "8");
    func_add(to, "randInt", "II", f_rand_int, FUNC_HOST,
             "A random number from the first to before the second", "{{ randInt 5 6 }}", "5");
    func_add(to, "randBytes", "I", f_rand_bytes, FUNC_HOST, "So many random bytes in base64",
             "{{ randBytes 6 | len }}", "8");
    func_add(to, "shuffle", "S", f_shuffle, FUNC_HOST, "The characters in random order",
             "{{ shuffle \"abc\" | len }}", "3");
    func_add(to, "uuidv4", "", f_uuid, FUNC_HOST, "A random UUID", "{{ uuidv4 | len }}", "36");
    func_add(to, "env", "S", f_env, OUTSIDE, "A variable of the environment", NULL, NULL);
    func_add(to, "expandenv", "S", f_expandenv, OUTSIDE,
             "A text with variables of the environment put in", NULL, NULL);
    func_add(to, "getHostByName", "S", f_host, FUNC_HOST,
             "An address of a host; empty where names are not looked up", NULL, NULL);
}
FUNC_GROUP(func_random, "Random numbers and the world outside", add_rows, IN_SPRIG);
