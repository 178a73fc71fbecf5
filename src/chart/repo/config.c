#include "chart/repo/config.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>

#include "base/log.h"
#include "chart/repo/get.h"
#include "doc/emit.h"
#include "doc/parse.h"
#include "sys/file.h"

#define MAX_CONFIG ((size_t)16 << 20)

/* Members that are texts, by helm's order of writing (sorted). */
static const struct {
    char name[9];
    size_t at;
} members[] = {
    {"caFile", offsetof(struct chart_repo, ca_file)},
    {"certFile", offsetof(struct chart_repo, cert_file)},
    {"keyFile", offsetof(struct chart_repo, key_file)},
    {"name", offsetof(struct chart_repo, name)},
    {"password", offsetof(struct chart_repo, password)},
    {"url", offsetof(struct chart_repo, url)},
    {"username", offsetof(struct chart_repo, username)},
};
static str *member_of(const struct chart_repo *repo, size_t i)
{
    return (str *)((char *)repo + members[i].at);
}

void chart_repos_done(struct chart_repos *repos)
{
    doc_set_free(repos->set);
    vec_done(&repos->list);
    *repos = (struct chart_repos){0};
}

/* ---- reading */

static void read_repo(struct chart_repos *repos, const struct doc_node *n)
{
    struct chart_repo *repo = vec_add(&repos->list);

    for (size_t i = 0; i < ARRAY_LEN(members); i++)
        *member_of(repo, i) = doc_text(doc_get(n, str_of(members[i].name)), STR(""));
    repo->is_insecure = doc_bool(doc_get_lit(n, "insecure_skip_tls_verify"), false);
    repo->passes_credentials = doc_bool(doc_get_lit(n, "pass_credentials_all"), false);
    secret_add(repo->password);
}

int chart_repos_load(const char *path, struct chart_repos *ret, struct err *e)
{
    AUTO(buf_done) struct buf text = {0};
    AUTO(err_done) struct err bad = {0};
    struct doc_node *root;
    struct doc_iter it;

    ret->set = doc_set_new();
    if (file_read(path, MAX_CONFIG, &text, &bad) < 0 && bad.kind != ERR_NOT_FOUND) {
        err_move(e, &bad);
        return -1;
    }
    root = text.len ? doc_parse(ret->set, buf_view(&text), DOC_VALUES, path, e) : NULL;
    if (text.len && !root)
        return err_wrap(e, "couldn't load repositories file (%s)", path);
    it = doc_children(doc_get_lit(root, "repositories"));
    while (doc_next(&it))
        if (doc_is_map(it.value))
            read_repo(ret, it.value);
    return 0;
}

/* ---- writing */

static struct doc_node *write_repo(struct doc_set *set, const struct chart_repo *repo)
{
    struct doc_node *n = doc_new_map(set);

    for (size_t i = 0; i < ARRAY_LEN(members); i++)
        doc_set_string(set, n, str_of(members[i].name), *member_of(repo, i));
    doc_set_bool(set, n, STR("insecure_skip_tls_verify"), repo->is_insecure);
    doc_set_bool(set, n, STR("pass_credentials_all"), repo->passes_credentials);
    return n;
}

static int make_folder(const char *path, struct err *e)
{
    AUTO(buf_done) struct buf folder = {0};
    ssize_t slash = str_rfind_char(str_of(path), '/');

    buf_add_str(&folder, str_sub(str_of(path), 0, (size_t)MAX(slash, 0)));
    return folder.len ? file_mkdirs(buf_cstr(&folder), 0755, e) : 0;
}

int chart_repos_save(const char *path, const struct chart_repos *repos, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf out = {0};
    struct file_replace options = {.mode = 0600, .is_synced = true};
    struct doc_node *root = doc_new_map(set), *list = doc_new_list(set);

    /* Helm writes these two as they are in its structure, which nobody fills in. */
    doc_set_string(set, root, STR("apiVersion"), STR(""));
    doc_set_string(set, root, STR("generated"), STR("0001-01-01T00:00:00Z"));
    doc_set_field(set, root, STR("repositories"), list);
    for (size_t i = 0; i < repos->list.len; i++)
        doc_append(list, write_repo(set, &repos->list.v[i]));
    doc_emit(root, DOC_EMIT_SORTED, &out);
    if (make_folder(path, e) < 0)
        return -1;
    return file_replace(path, buf_view(&out), &options, e);
}

/* ---- lists */

const struct chart_repo *chart_repos_find(const struct chart_repos *repos, str name)
{
    for (size_t i = 0; i < repos->list.len; i++)
        if (str_eq(repos->list.v[i].name, name))
            return &repos->list.v[i];
    return NULL;
}

const struct chart_repo *chart_repos_find_url(const struct chart_repos *repos, str url)
{
    for (size_t i = 0; i < repos->list.len; i++)
        if (chart_url_is_same(repos->list.v[i].url, url))
            return &repos->list.v[i];
    return NULL;
}

void chart_repos_put(struct chart_repos *repos, const struct chart_repo *repo)
{
    struct chart_repo *at = (struct chart_repo *)chart_repos_find(repos, repo->name);

    if (!at)
        at = vec_add(&repos->list);
    *at = *repo;
    for (size_t i = 0; i < ARRAY_LEN(members); i++)
        *member_of(at, i) = arena_dup(&repos->set->arena, *member_of(repo, i));
}

bool chart_repos_remove(struct chart_repos *repos, str name)
{
    const struct chart_repo *repo = chart_repos_find(repos, name);

    if (!repo)
        return false;
    vec_remove(&repos->list, (size_t)(repo - repos->list.v));
    return true;
}

bool chart_repo_equal(const struct chart_repo *a, const struct chart_repo *b)
{
    for (size_t i = 0; i < ARRAY_LEN(members); i++)
        if (!str_eq(*member_of(a, i), *member_of(b, i)))
            return false;
    return a->is_insecure == b->is_insecure && a->passes_credentials == b->passes_credentials;
}

/* ---- the lock */

int chart_repos_lock(const char *path, struct cancel *cancel, struct err *e)
{
    enum { PATIENCE_MS = 30000, PAUSE_MS = 50 };
    AUTO(buf_done) struct buf name = {0};
    clock_ms deadline = clock_after(PATIENCE_MS);
    ssize_t slash = str_rfind_char(str_of(path), '/'), dot = str_rfind_char(str_of(path), '.');
    int fd;

    if (make_folder(path, e) < 0)
        return -1;
    buf_add_str(&name, dot > slash ? str_sub(str_of(path), 0, (size_t)dot) : str_of(path));
    buf_add_cstr(&name, ".lock");
    fd = open(buf_cstr(&name), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return err_errno(e, errno, "lock %s", buf_cstr(&name));
    while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
        int why = errno;

        if (why != EWOULDBLOCK && why != EINTR)
            err_errno(e, why, "lock %s", buf_cstr(&name));
        else if (!clock_left(deadline))
            err_set(e, ERR_TIMEOUT, "%s: another process holds the lock", buf_cstr(&name));
        else if (cancel_sleep(cancel, PAUSE_MS, e) == 0)
            continue;
        file_close(fd);
        return -1;
    }
    return fd;
}

/* ---- access */

static void over(str *value, str from)
{
    if (from.len)
        *value = from;
}

struct chart_access chart_repo_access(const struct chart_repo *repo,
                                      const struct chart_access *access)
{
    struct chart_access ret = *access;

    /* As helm's getters: what the repository says is set last. */
    if (repo->username.len && repo->password.len) {
        ret.username = repo->username;
        ret.password = repo->password;
        ret.passes_credentials = access->passes_credentials || repo->passes_credentials;
    }
    over(&ret.ca_file, repo->ca_file);
    over(&ret.cert_file, repo->cert_file);
    over(&ret.key_file, repo->key_file);
    ret.is_insecure = access->is_insecure || repo->is_insecure;
    return ret;
}
