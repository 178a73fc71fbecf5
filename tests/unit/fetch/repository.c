#include "unit/fetch/repository.h"

#include "support/test.h"
#include "sys/env.h"
#include "sys/proc.h"

void repository_shell(const char *line, struct buf *out)
{
    const char *const argv[] = {"sh", "-ec", line, NULL};
    struct proc_spec spec = {.argv = argv, .dir = test_tmp()};
    AUTO(proc_result_done) struct proc_result result = {0};
    AUTO(env_list_done) struct env_list env = {0};
    AUTO(err_done) struct err e = {0};

    env_list_inherit(&env);
    env_list_set(&env, STR("GIT_CONFIG_GLOBAL"), STR("/dev/null"));
    env_list_set(&env, STR("GIT_AUTHOR_NAME"), STR("t"));
    env_list_set(&env, STR("GIT_AUTHOR_EMAIL"), STR("t@example.com"));
    env_list_set(&env, STR("GIT_COMMITTER_NAME"), STR("t"));
    env_list_set(&env, STR("GIT_COMMITTER_EMAIL"), STR("t@example.com"));
    spec.env = env.v;
    if (proc_run(&spec, &result, &e) < 0 || result.exit_code != 0)
        test_fail(__FILE__, __LINE__, "%s: %s %s", line, err_text(&e), buf_cstr(&result.err));
    if (out)
        buf_add_str(out, str_trim(buf_view(&result.out)));
}

const char *repository_make(void)
{
    static char path[512];

    (void)snprintf(path, sizeof(path), "%s/shop.git", test_tmp());
    repository_shell("git init -q -b main shop.git; cd shop.git; mkdir deploy; "
                     "echo 'resources: [app.yaml]' >deploy/kustomization.yaml; "
                     "echo v1 >deploy/app.yaml; git add .; git commit -qm one; "
                     "git tag -a -m first v1; "
                     "echo v2 >deploy/app.yaml; git commit -qam two",
                     NULL);
    return path;
}

static void set_header(struct env_list *env, const struct http_server_request *req,
                       const char *header, str name)
{
    str value = http_call_header(req->call, header);

    if (value.len)
        env_list_set(env, name, value);
}

static void make_environment(struct env_list *env, const char *folder,
                             const struct http_server_request *req)
{
    str query, path = str_cut(req->target, '?', &query);

    env_list_inherit(env);
    env_list_set(env, STR("GIT_PROJECT_ROOT"), str_of(folder));
    env_list_set(env, STR("GIT_HTTP_EXPORT_ALL"), STR("1"));
    env_list_set(env, STR("REQUEST_METHOD"), req->method);
    env_list_set(env, STR("PATH_INFO"), path);
    env_list_set(env, STR("QUERY_STRING"), query);
    set_header(env, req, "Content-Type", STR("CONTENT_TYPE"));
    set_header(env, req, "Content-Encoding", STR("HTTP_CONTENT_ENCODING"));
    set_header(env, req, "Git-Protocol", STR("HTTP_GIT_PROTOCOL"));
}

/* CGI: header lines, an empty line, the body. */
static void reply_from(str answer, struct http_reply *reply, char *type, size_t room)
{
    str line;

    reply->status = 200;
    while (str_next_line(&answer, &line) && line.len) {
        str value, name = str_cut(line, ':', &value);
        int64_t status;

        value = str_trim(value);
        if (str_eq_nocase(name, STR("Content-Type")))
            (void)snprintf(type, room, "%.*s", STR_ARG(value));
        else if (str_eq_nocase(name, STR("Status")) && str_to_int64(str_sub(value, 0, 3), &status))
            reply->status = (int)status;
    }
    buf_add_str(&reply->body, answer);
}

void repository_serve(void *ctx, const struct http_server_request *req)
{
    const char *const argv[] = {"git", "http-backend", NULL};
    AUTO(env_list_done) struct env_list env = {0};
    AUTO(proc_result_done) struct proc_result result = {0};
    AUTO(err_done) struct err e = {0};
    char type[128] = "text/plain";
    struct http_reply reply = {.status = 500, .content_type = type};
    struct proc_spec spec = {.argv = argv, .input = req->body};

    make_environment(&env, ctx, req);
    spec.env = env.v;
    if (proc_run(&spec, &result, &e) == 0)
        reply_from(buf_view(&result.out), &reply, type, sizeof(type));
    http_call_reply(req->call, &reply);
}
