#include "fetch/git.h"

#include <errno.h>

#include "base/duration.h"
#include "http/url.h"
#include "sys/env.h"
#include "sys/proc.h"

/* What a repository could make git do, and what git could ask the user. Protocols not named here
 * are never spoken; file is for URLs that the user wrote, not for submodules. */
static const char settings[][30] = {
    "core.hooksPath=/dev/null",      "core.fsmonitor=false",
    "protocol.allow=never",          "protocol.https.allow=always",
    "protocol.http.allow=always",    "protocol.ssh.allow=always",
    "protocol.file.allow=user",      "submodule.recurse=false",
    "fetch.recurseSubmodules=false", "gc.auto=0",
    "maintenance.auto=false",        "advice.detachedHead=false",
};

/* Where git would otherwise find a repository that is not ours. */
static const char unset[][21] = {
    "GIT_DIR",        "GIT_WORK_TREE",  "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY",
    "GIT_COMMON_DIR", "GIT_PREFIX",     "GIT_NAMESPACE",  "GIT_TEMPLATE_DIR",
    "GIT_TRACE",      "GIT_TRACE_CURL",
};

struct git {
    const struct fetch_git_url *url;
    struct buf address; /* of http(s): without user and password */
    struct env_list env;
    const char *dir; /* or NULL */
    struct cancel *cancel;
};

static void git_done(struct git *g)
{
    buf_done(&g->address);
    env_list_done(&g->env);
}
AUTO_VALUE(struct git, git_done)

static void set_config(struct git *g, int index, str key, str value)
{
    AUTO(buf_done) struct buf name = {0};

    buf_addf(&name, "GIT_CONFIG_KEY_%d", index);
    env_list_set(&g->env, buf_view(&name), key);
    buf_clear(&name);
    buf_addf(&name, "GIT_CONFIG_VALUE_%d", index);
    env_list_set(&g->env, buf_view(&name), value);
}

static void set_decoded(struct git *g, str name, str text)
{
    AUTO(buf_done) struct buf plain = {0};

    if (http_url_decode(text, &plain))
        text = buf_view(&plain);
    env_list_set(&g->env, name, text);
}

/* Arguments are for all to see, the environment is not: git asks a helper that prints what is in
 * it. A name alone is a setting; the password then comes from the user's own helpers. */
static void give_user(struct git *g, const struct http_url *u)
{
    AUTO(buf_done) struct buf key = {0}, count = {0};
    str password, user = str_cut(u->userinfo, ':', &password);
    const char *before = env_get("GIT_CONFIG_COUNT");
    int64_t index = 0;

    if (before && (!str_to_int64(str_of(before), &index) || index < 0 || index > 1000))
        index = 0;
    buf_addf(&key, "credential.%.*s://%.*s%s%.*s.%s", STR_ARG(u->scheme), STR_ARG(u->host),
             u->port.len ? ":" : "", STR_ARG(u->port), password.p ? "helper" : "username");
    if (password.p) {
        set_config(g, (int)index++, buf_view(&key), STR_NONE); /* forgets the helpers before */
        set_config(g, (int)index++, buf_view(&key),
                   STR("!f() { printf 'username=%s\\npassword=%s\\n' \"$GRAPNEL_GIT_USER\" "
                       "\"$GRAPNEL_GIT_PASSWORD\"; }; f"));
        set_decoded(g, STR("GRAPNEL_GIT_USER"), user);
        set_decoded(g, STR("GRAPNEL_GIT_PASSWORD"), password);
    } else {
        set_config(g, (int)index++, buf_view(&key), user);
    }
    buf_addf(&count, "%d", (int)index);
    env_list_set(&g->env, STR("GIT_CONFIG_COUNT"), buf_view(&count));
}

static void set_address(struct git *g)
{
    str text = buf_view(&g->url->repository);
    AUTO(err_done) struct err ignored = {0};
    struct http_url u;

    if (!str_starts(text, STR("http")) || http_url_parse(text, &u, &ignored) < 0 ||
        u.userinfo.len == 0) {
        buf_add_str(&g->address, text);
        return;
    }
    buf_addf(&g->address, "%.*s://", STR_ARG(u.scheme));
    buf_add_str(&g->address,
                str_range(u.userinfo.p + u.userinfo.len + 1, text.p + text.len)); /* after '@' */
    give_user(g, &u);
}

static void set_environment(struct git *g)
{
    env_list_inherit(&g->env);
    for (size_t i = 0; i < ARRAY_LEN(unset); i++)
        env_list_unset(&g->env, str_of(unset[i]));
    env_list_set(&g->env, STR("GIT_TERMINAL_PROMPT"), STR("0"));
    env_list_set(&g->env, STR("LC_ALL"), STR("C"));
    env_list_set(&g->env, STR("GCM_INTERACTIVE"), STR("never"));
    if (!env_get("GIT_ASKPASS") && !env_get("SSH_ASKPASS"))
        env_list_set(&g->env, STR("GIT_ASKPASS"), STR("/bin/false"));
    if (!env_get("SSH_ASKPASS")) { /* ssh would ask on the terminal */
        env_list_set(&g->env, STR("SSH_ASKPASS"), STR("/bin/false"));
        env_list_set(&g->env, STR("SSH_ASKPASS_REQUIRE"), STR("force"));
    }
}

static void git_init(struct git *g, const struct fetch_git_url *url, const char *dir,
                     struct cancel *cancel)
{
    g->url = url;
    g->dir = dir;
    g->cancel = cancel;
    set_environment(g);
    set_address(g);
}

/* The last lines of what git wrote, in one, without passwords. */
static int git_failed(const char *command, const struct proc_result *r, struct err *e)
{
    AUTO(buf_done) struct buf text = {0}, how = {0};
    str rest = str_trim(buf_view(&r->err)), line;

    http_url_redact(rest, &text);
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.p[i] < 0x20)
            text.p[i] = ' ';
    line = buf_view(&text);
    if (line.len > 600)
        line = str_from(line, line.len - 600);
    proc_describe(r, &how);
    return err_set(e, ERR_IO, "git %s: %s%s%.*s", command, buf_cstr(&how), line.len ? ": " : "",
                   STR_ARG(line));
}

static int started_wrong(const struct git *g, const char *command, struct err *e)
{
    AUTO(buf_done) struct buf limit = {0};

    if (e->kind == ERR_NOT_FOUND)
        return err_wrap(e, "remote bases need the git program");
    if (e->kind != ERR_TIMEOUT || cancel_is_set(g->cancel))
        return -1;
    duration_format_ms(g->url->timeout_ms, &limit);
    err_done(e);
    return err_set(e, ERR_TIMEOUT, "git %s took longer than %s; '?timeout=' in the URL allows more",
                   command, buf_cstr(&limit));
}

/* Runs git with args (NULL at the end), whose first is the command. */
static int run(struct git *g, const char *const *args, struct proc_result *ret, struct err *e)
{
    AUTO(cancel_free)
    struct cancel *limit = cancel_new(g->cancel, clock_after(g->url->timeout_ms));
    const char *argv[2 + 2 * ARRAY_LEN(settings) + 16] = {"git"};
    struct proc_spec spec = {.argv = argv, .env = g->env.v, .dir = g->dir, .cancel = limit};
    size_t n = 1;

    for (size_t i = 0; i < ARRAY_LEN(settings); i++) {
        argv[n++] = "-c";
        argv[n++] = settings[i];
    }
    for (size_t i = 0; args[i]; i++) {
        assert(n + 1 < ARRAY_LEN(argv));
        argv[n++] = args[i];
    }
    if (proc_run(&spec, ret, e) < 0)
        return started_wrong(g, args[0], e);
    return ret->exit_code == 0 ? 0 : git_failed(args[0], ret, e);
}

#define RUN(g, ret, e, ...) run(g, (const char *const[]){__VA_ARGS__, NULL}, ret, e)

static int run_plain(struct git *g, const char *const *args, struct err *e)
{
    AUTO(proc_result_done) struct proc_result result = {0};

    return run(g, args, &result, e);
}
#define RUN_PLAIN(g, e, ...) run_plain(g, (const char *const[]){__VA_ARGS__, NULL}, e)

/* What FETCH_HEAD is, once it is checked out. */
static int read_commit(struct git *g, struct buf *ret, struct err *e)
{
    AUTO(proc_result_done) struct proc_result result = {0};
    str id;

    if (RUN(g, &result, e, "rev-parse", "--verify", "HEAD^{commit}") < 0)
        return -1;
    id = str_trim(buf_view(&result.out));
    if (!fetch_git_is_commit(id))
        return err_set(e, ERR_IO, "git rev-parse: no commit id");
    buf_add_str(ret, id);
    return 0;
}

static int clone(struct git *g, struct buf *ret_commit, struct err *e)
{
    const char *address = buf_cstr(&g->address), *ref = buf_cstr(&g->url->ref);

    if (RUN_PLAIN(g, e, "init", "-q", "--template=", ".") < 0 ||
        RUN_PLAIN(g, e, "remote", "add", "origin", address) < 0 ||
        RUN_PLAIN(g, e, "fetch", "-q", "--depth=1", "--no-tags", "--", address, ref) < 0 ||
        RUN_PLAIN(g, e, "checkout", "-q", "--detach", "FETCH_HEAD") < 0)
        return -1;
    if (g->url->has_submodules &&
        RUN_PLAIN(g, e, "submodule", "-q", "update", "--init", "--recursive", "--checkout") < 0)
        return -1;
    return ret_commit ? read_commit(g, ret_commit, e) : 0;
}

int fetch_git_clone(const struct fetch_git_url *url, const char *dir, struct cancel *cancel,
                    struct buf *ret_commit, struct err *e)
{
    AUTO(git_done) struct git g = {0};
    AUTO(buf_done) struct buf shown = {0};

    git_init(&g, url, dir, cancel);
    if (clone(&g, ret_commit, e) == 0)
        return 0;
    http_url_redact(buf_view(&url->repository), &shown);
    return err_wrap(e, "fetching %s of %s", buf_cstr(&url->ref), buf_cstr(&shown));
}

bool fetch_git_is_commit(str text)
{
    if (text.len != 40 && text.len != 64)
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (!(text.p[i] >= '0' && text.p[i] <= '9') && !(text.p[i] >= 'a' && text.p[i] <= 'f'))
            return false;
    return true;
}

/* The id of the line "ID\tNAME" whose name is prefix + ref + suffix. */
static str find_line(str lines, const char *prefix, str ref, const char *suffix)
{
    AUTO(buf_done) struct buf wanted = {0};
    str line;

    buf_addf(&wanted, "%s%.*s%s", prefix, STR_ARG(ref), suffix);
    while (str_next_line(&lines, &line)) {
        str name, id = str_cut(line, '\t', &name);

        if (str_eq(name, buf_view(&wanted)) && fetch_git_is_commit(id))
            return id;
    }
    return STR_NONE;
}

/* In git's order: what fetch would take. A tag's own id is not its commit's. */
static str choose(str lines, str ref)
{
    static const struct {
        char prefix[12], suffix[4];
    } rows[] = {{"", "^{}"},           {"", ""},           {"refs/", "^{}"},   {"refs/", ""},
                {"refs/tags/", "^{}"}, {"refs/tags/", ""}, {"refs/heads/", ""}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        str id = find_line(lines, rows[i].prefix, ref, rows[i].suffix);

        if (id.len)
            return id;
    }
    return STR_NONE;
}

int fetch_git_resolve(const struct fetch_git_url *url, struct cancel *cancel,
                      struct buf *ret_commit, struct err *e)
{
    AUTO(git_done) struct git g = {0};
    AUTO(proc_result_done) struct proc_result result = {0};
    AUTO(buf_done) struct buf peeled = {0}, shown = {0};

    if (fetch_git_is_commit(buf_view(&url->ref))) {
        buf_add_str(ret_commit, buf_view(&url->ref));
        return 0;
    }
    git_init(&g, url, "/", cancel);
    buf_addf(&peeled, "%s^{}", buf_cstr(&url->ref));
    if (RUN(&g, &result, e, "ls-remote", "-q", "--", buf_cstr(&g.address), buf_cstr(&url->ref),
            buf_cstr(&peeled)) < 0) {
        http_url_redact(buf_view(&url->repository), &shown);
        return err_wrap(e, "asking %s for %s", buf_cstr(&shown), buf_cstr(&url->ref));
    }
    buf_add_str(ret_commit, choose(buf_view(&result.out), buf_view(&url->ref)));
    return 0;
}
