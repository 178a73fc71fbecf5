#include "fetch/registry_login.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/escape.h"
#include "base/log.h"
#include "doc/emit.h"
#include "doc/parse.h"
#include "sys/env.h"
#include "sys/file.h"
#include "sys/proc.h"

enum { MAX_CONFIG = 4 << 20, MAX_ANSWER = 1 << 20, PROGRAM_MS = 30000 };

#define HUB_KEY STR("https://index.docker.io/v1/")

void registry_login_done(struct registry_login *login)
{
    buf_done(&login->username);
    buf_done(&login->password);
    buf_done(&login->identity);
    buf_done(&login->bearer);
    *login = (struct registry_login){0};
}

void registry_login_docker_config(struct buf *ret_path)
{
    const char *dir = env_get("DOCKER_CONFIG"), *home = env_get("HOME");

    if (dir && dir[0])
        buf_addf(ret_path, "%s/config.json", dir);
    else if (home && home[0])
        buf_addf(ret_path, "%s/.docker/config.json", home);
}

/* The name that files and programs have for a host. */
static str key_of(str host)
{
    return str_eq(host, REGISTRY_HUB) || str_eq(host, STR("docker.io")) ? HUB_KEY : host;
}

/* "https://host/v1/" is an old way to write "host". */
static bool is_key_of(str key, str host)
{
    str rest = key;

    if (str_eq(key, key_of(host)))
        return true;
    if (!str_drop_prefix(&rest, STR("https://")))
        str_drop_prefix(&rest, STR("http://"));
    return str_eq(str_cut(rest, '/', NULL), host);
}

static struct doc_node *entry_of(const struct doc_node *map, str host)
{
    struct doc_node *exact = doc_get(map, key_of(host));
    struct doc_iter it = doc_children(map);

    if (exact)
        return exact;
    while (doc_next(&it))
        if (is_key_of(it.key, host))
            return it.value;
    return NULL;
}

/* The root of a config file; an empty map when there is none. */
static struct doc_node *load(struct doc_set *set, const char *config, struct err *e)
{
    AUTO(buf_done) struct buf text = {0};
    struct doc_node *root;

    if (!file_exists(config))
        return doc_new_map(set);
    if (file_read(config, MAX_CONFIG, &text, e) < 0)
        return NULL;
    if (!str_trim(buf_view(&text)).len)
        return doc_new_map(set);
    root = doc_parse_json_flags(set, buf_view(&text), DOC_LAST_WINS, config, e);
    if (!root || doc_is_map(root))
        return root;
    err_set(e, ERR_INVALID, "%s: not a file of credentials: a map is wanted", config);
    return NULL;
}

static str program_of(const struct doc_node *root, str host)
{
    str own = doc_string(entry_of(doc_get_lit(root, "credHelpers"), host), STR_NONE);

    return own.len ? own : doc_string(doc_get_lit(root, "credsStore"), STR_NONE);
}

static bool is_program(str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!memchr("-_.", name.p[i], 3) && !(name.p[i] >= '0' && name.p[i] <= '9') &&
            !((name.p[i] | 0x20) >= 'a' && (name.p[i] | 0x20) <= 'z'))
            return false;
    return name.len > 0 && name.len < 100;
}

static int run_program(str name, const char *verb, str input, struct cancel *cancel,
                       struct proc_result *ret, struct err *e)
{
    AUTO(cancel_free) struct cancel *limit = cancel_new(cancel, clock_after(PROGRAM_MS));
    AUTO(buf_done) struct buf program = {0};
    const char *argv[] = {NULL, verb, NULL};
    struct proc_spec spec = {
        .argv = argv, .input = input, .output_limit = MAX_ANSWER, .cancel = limit};

    if (!is_program(name))
        return err_set(e, ERR_INVALID, "credential program with a bad name");
    buf_addf(&program, "docker-credential-%.*s", STR_ARG(name));
    argv[0] = buf_cstr(&program);
    if (proc_run(&spec, ret, e) < 0)
        return err_wrap(e, "%s %s", argv[0], verb);
    return 0;
}

/* What a program that failed says on its standard output when it merely knows nothing. */
static bool is_not_found(const struct proc_result *result)
{
    return str_contains(buf_view(&result->out), STR("credentials not found"));
}

static int refused(str name, const char *verb, const struct proc_result *result, struct err *e)
{
    AUTO(buf_done) struct buf how = {0};

    proc_describe(result, &how);
    return err_set(e, ERR_IO, "docker-credential-%.*s %s: %s", STR_ARG(name), verb, buf_cstr(&how));
}

static void take_answer(str answer, struct registry_login *ret)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(err_done) struct err ignored = {0};
    struct doc_node *root = doc_parse_json_flags(set, answer, DOC_LAST_WINS, "answer", &ignored);
    str user = doc_string(doc_get_lit(root, "Username"), STR_NONE);
    str secret = doc_string(doc_get_lit(root, "Secret"), STR_NONE);

    if (str_eq(user, STR("<token>"))) {
        buf_add_str(&ret->identity, secret);
        return;
    }
    buf_add_str(&ret->username, user);
    buf_add_str(&ret->password, secret);
}

/* Not having it is no failure: who asks goes on without. */
static void find_by_program(str name, str host, struct cancel *cancel, struct registry_login *ret)
{
    AUTO(proc_result_done) struct proc_result result = {0};
    AUTO(err_done) struct err e = {0};
    int rc = run_program(name, "get", key_of(host), cancel, &result, &e);

    if (rc == 0 && result.exit_code == 0)
        take_answer(buf_view(&result.out), ret);
    else if (rc == 0 && !is_not_found(&result))
        rc = refused(name, "get", &result, &e);
    if (rc < 0)
        log_warn("credentials of a registry cannot be asked for", LOG_STR("registry", host),
                 LOG_STR("error", str_of(err_text(&e))));
}

static void find_in_entry(const struct doc_node *entry, struct registry_login *ret)
{
    AUTO(buf_done) struct buf plain = {0};
    str password, user;

    buf_add_str(&ret->identity, doc_string(doc_get_lit(entry, "identitytoken"), STR_NONE));
    buf_add_str(&ret->bearer, doc_string(doc_get_lit(entry, "registrytoken"), STR_NONE));
    if (unescape_base64(doc_string(doc_get_lit(entry, "auth"), STR_NONE), &plain) && plain.len) {
        user = str_cut(buf_view(&plain), ':', &password);
    } else {
        user = doc_string(doc_get_lit(entry, "username"), STR_NONE);
        password = doc_string(doc_get_lit(entry, "password"), STR_NONE);
    }
    buf_add_str(&ret->username, user);
    buf_add_str(&ret->password, password);
}

int registry_login_find(const char *config, str host, struct cancel *cancel,
                        struct registry_login *ret, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *root = load(set, config, e);
    str program;

    if (!root)
        return -1;
    program = program_of(root, host);
    if (program.len)
        find_by_program(program, host, cancel, ret);
    else
        find_in_entry(entry_of(doc_get_lit(root, "auths"), host), ret);
    return 0;
}

static int save(const char *config, const struct doc_node *root, struct err *e)
{
    AUTO(buf_done) struct buf text = {0}, folder = {0};
    struct file_replace options = {.mode = 0600, .is_synced = true};
    ssize_t slash = str_rfind_char(str_of(config), '/');

    if (slash > 0) {
        buf_add(&folder, config, (size_t)slash);
        if (file_mkdirs(buf_cstr(&folder), 0700, e) < 0)
            return -1;
    }
    if (file_exists(config) && chmod(config, 0600) < 0) /* a file keeps its mode */
        return err_errno(e, errno, "%s", config);
    doc_emit_json(root, DOC_JSON_PRETTY, &text);
    return file_replace(config, buf_view(&text), &options, e);
}

static int store_by_program(str name, str host, const struct registry_login *login,
                            struct cancel *cancel, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(proc_result_done) struct proc_result result = {0};
    AUTO(buf_done) struct buf input = {0};
    struct doc_node *root = doc_new_map(set);
    bool has_token = login->identity.len;

    doc_set_string(set, root, STR("ServerURL"), key_of(host));
    doc_set_string(set, root, STR("Username"),
                   has_token ? STR("<token>") : buf_view(&login->username));
    doc_set_string(set, root, STR("Secret"),
                   buf_view(has_token ? &login->identity : &login->password));
    doc_emit_json(root, 0, &input);
    if (run_program(name, "store", buf_view(&input), cancel, &result, e) < 0)
        return -1;
    return result.exit_code ? refused(name, "store", &result, e) : 0;
}

/* Takes out every spelling of host. */
static void drop_entries(struct doc_node *auths, str host)
{
    struct doc_iter it = doc_children(auths);

    while (doc_next(&it))
        if (is_key_of(it.key, host))
            doc_remove(auths, it.key);
}

int registry_login_store(const char *config, str host, const struct registry_login *login,
                         struct cancel *cancel, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf plain = {0}, coded = {0};
    struct doc_node *root = load(set, config, e), *auths, *entry = doc_new_map(set);
    str program;

    if (!root)
        return -1;
    program = program_of(root, host);
    if (program.len)
        return store_by_program(program, host, login, cancel, e);
    auths = doc_ensure_map(set, root, STR("auths"));
    if (!auths)
        return err_set(e, ERR_INVALID, "%s: \"auths\" is no map", config);
    drop_entries(auths, host);
    if (login->identity.len) {
        doc_set_string(set, entry, STR("identitytoken"), buf_view(&login->identity));
    } else {
        buf_addf(&plain, "%s:%s", buf_cstr(&login->username), buf_cstr(&login->password));
        escape_base64(buf_view(&plain), true, &coded);
        doc_set_string(set, entry, STR("auth"), buf_view(&coded));
    }
    doc_set_field(set, auths, key_of(host), entry);
    return save(config, root, e);
}

int registry_login_erase(const char *config, str host, struct cancel *cancel, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(proc_result_done) struct proc_result result = {0};
    struct doc_node *root, *auths;
    str program;

    if (!file_exists(config))
        return 0;
    root = load(set, config, e);
    if (!root)
        return -1;
    program = program_of(root, host);
    auths = doc_get_lit(root, "auths");
    if (entry_of(auths, host)) {
        drop_entries(auths, host);
        if (save(config, root, e) < 0)
            return -1;
    }
    if (!program.len)
        return 0;
    if (run_program(program, "erase", key_of(host), cancel, &result, e) < 0)
        return -1;
    return result.exit_code && !is_not_found(&result) ? refused(program, "erase", &result, e) : 0;
}
