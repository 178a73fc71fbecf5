/* Clones over a real ssh, from an sshd of our own on loopback: host key, client key and settings in
 * the test's folder, nothing of the machine's. */
#include <arpa/inet.h>
#include <unistd.h>

#include "fetch/loader.h"
#include "support/test.h"
#include "sys/env.h"
#include "unit/fetch/repository.h"

struct fixture {
    struct env_list env;
    struct fetch_loader_options options;
    struct fetch_loader *loader;
    struct fetch_root *root;
    struct buf text, user;
    int port;
    struct err e;
};

/* One that is free now. */
static int free_port(void)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof(a);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    CHECK_INT(bind(fd, (struct sockaddr *)&a, len), 0, "a free port");
    CHECK_INT(getsockname(fd, (struct sockaddr *)&a, &len), 0, "its number");
    close(fd);
    return ntohs(a.sin_port);
}

/* It writes its number into a file once it listens. As root it wants a folder that its package
 * makes when the machine starts. */
static const char start_sshd[] =
    "ssh-keygen -q -t ed25519 -N '' -f host; ssh-keygen -q -t ed25519 -N '' -f client; "
    "ssh-keygen -q -t ed25519 -N '' -f stranger; cp client.pub allowed; "
    "printf '%%s\\n' 'ListenAddress 127.0.0.1' 'Port %d' \"HostKey $PWD/host\" \"PidFile "
    "$PWD/pid\" "
    "\"AuthorizedKeysFile $PWD/allowed\" 'StrictModes no' 'PasswordAuthentication no' "
    "'KbdInteractiveAuthentication no' 'PermitRootLogin prohibit-password' >sshd_config; "
    "printf '[127.0.0.1]:%%s %%s\\n' %d \"$(cut -d' ' -f1,2 host.pub)\" >known; : >unknown; "
    "[ \"$(id -u)\" -ne 0 ] || mkdir -p -m 755 /run/sshd; "
    "/usr/sbin/sshd -f sshd_config -E sshd.log; "
    "for i in $(seq 500); do [ ! -s pid ] || exit 0; sleep 0.02; done; cat sshd.log; exit 1";

static void start(struct fixture *f)
{
    AUTO(buf_done) struct buf line = {0};

    f->port = free_port();
    (void)repository_make();
    buf_addf(&line, start_sshd, f->port, f->port);
    repository_shell(buf_cstr(&line), NULL);
    repository_shell("id -un", &f->user);
    env_list_inherit(&f->env);
    env_list_set(&f->env, STR("HOME"), str_of(test_tmp()));
    env_list_set(&f->env, STR("GIT_CONFIG_NOSYSTEM"), STR("1"));
    env_list_unset(&f->env, STR("SSH_AUTH_SOCK"));
}

static void finish(struct fixture *f)
{
    fetch_root_unref(f->root);
    fetch_loader_free(f->loader);
    repository_shell("kill $(cat pid)", NULL);
    env_replace(NULL);
    env_list_done(&f->env);
    buf_done(&f->text);
    buf_done(&f->user);
    err_done(&f->e);
}
AUTO_VALUE(struct fixture, finish)

/* Reads deploy/app.yaml of the repository at ref, with that key and those known hosts. */
static void read_with(struct fixture *f, const char *key, const char *known, const char *ref)
{
    AUTO(buf_done) struct buf command = {0}, target = {0};

    fetch_root_unref(TAKE(f->root));
    fetch_loader_free(f->loader);
    buf_clear(&f->text);
    err_done(&f->e);
    buf_addf(&command,
             "ssh -F /dev/null -o IdentitiesOnly=yes -i %s/%s -o UserKnownHostsFile=%s/%s",
             test_tmp(), key, test_tmp(), known);
    env_list_set(&f->env, STR("GIT_SSH_COMMAND"), buf_view(&command));
    env_replace(f->env.v);
    buf_addf(&target, "ssh://%s@127.0.0.1:%d%s/shop.git//deploy%s", buf_cstr(&f->user), f->port,
             test_tmp(), ref);
    f->loader = fetch_loader_new(&f->options);
    f->root = fetch_loader_open(f->loader, buf_view(&target), &f->e);
    if (f->root && fetch_loader_read(f->loader, f->root, STR("app.yaml"), &f->text, &f->e) < 0)
        CHECK_OK(&f->e);
}

TEST(loader_clones_from_a_real_ssh_server)
{
    AUTO(finish) struct fixture f = {0};

    start(&f);
    read_with(&f, "client", "known", "?ref=v1");
    CHECK_STR(buf_view(&f.text), STR("v1\n"), err_text(&f.e));
    read_with(&f, "client", "known", "");
    CHECK_STR(buf_view(&f.text), STR("v2\n"), err_text(&f.e));
    read_with(&f, "client", "known", "?ref=no-such");
    CHECK(!f.root && str_contains(str_of(err_text(&f.e)), STR("no-such")));
}

TEST(loader_trusts_no_ssh_server_it_does_not_know_and_asks_nothing)
{
    AUTO(finish) struct fixture f = {0};

    start(&f);
    read_with(&f, "client", "unknown", "");
    CHECK(!f.root && str_contains(str_of(err_text(&f.e)), STR("Host key verification failed")));
    read_with(&f, "stranger", "known", "");
    CHECK(!f.root && str_contains(str_of(err_text(&f.e)), STR("Permission denied")));
}
