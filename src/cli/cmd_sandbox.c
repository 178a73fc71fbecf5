/* grapnel sandbox */
#include <signal.h>
#include <unistd.h>

#include "cli/output.h"
#include "sandbox/sandbox.h"
#include "sys/env.h"
#include "sys/file.h"
#include "sys/proc.h"
#include "sys/signal.h"

static const struct cli_flag flags[] = {
    {"data", CLI_TEXT, "FILE", "keep objects in this SQLite file, made when absent", 0, "", "",
     false},
    {"kubeconfig", CLI_TEXT, "FILE",
     "write the kubeconfig there (default: a file that is removed at the end)", 0, "", "", false},
    {"port", CLI_INT, "PORT", "port on 127.0.0.1; 0 takes a free one", 'p', "", "0", false},
    {"insecure", CLI_SWITCH, "", "plain HTTP without certificates", 0, "", "", false},
    {"no-controllers", CLI_SWITCH, "", "objects change only by requests; nothing rolls out", 0, "",
     "", false},
    {"latency", CLI_DURATION, "TIME", "answer everything so much later", 0, "", "0s", false},
    {.name = ""},
};
static const struct cli_flag *const flag_tables[] = {flags, NULL};

/* The kubeconfig file; one of our own is removed at the end. */
struct config_file {
    struct buf path;
    bool is_ours;
};

static void config_file_done(struct config_file *f)
{
    if (f->is_ours)
        unlink(buf_cstr(&f->path));
    buf_done(&f->path);
}
AUTO_VALUE(struct config_file, config_file_done)

static int write_config(struct cli *cli, const struct sandbox *sb, struct config_file *f,
                        struct err *e)
{
    struct file_replace private = {.mode = 0600};
    AUTO(buf_done) struct buf text = {0};
    str path = cli_text(cli, "kubeconfig");
    const char *tmp = env_get("TMPDIR");

    if (path.len)
        buf_add_str(&f->path, path);
    else
        buf_addf(&f->path, "%s/grapnel-sandbox-%u.kubeconfig", tmp && *tmp ? tmp : "/tmp",
                 sandbox_port(sb));
    sandbox_kubeconfig(sb, &text);
    f->is_ours = path.len == 0;
    return file_replace(buf_cstr(&f->path), buf_view(&text), &private, e);
}
/* The command after "--", with KUBECONFIG set. Its exit status is ours. */
static int run_child(struct cli *cli, const struct config_file *f, struct cancel *cancel,
                     struct err *e)
{
    AUTO(env_list_done) struct env_list env = {0};
    AUTO(proc_result_done) struct proc_result result = {0};
    VEC(const char *) argv = {0};
    int rc;
    /* Behind a terminal the child gets the user's signals itself; one more would be its second. */
    struct proc_spec spec = {.has_terminal = true,
                             .passes_output = true,
                             .cancel = isatty(STDIN_FILENO) ? NULL : cancel};

    for (size_t i = 0; i < cli->arguments.len; i++)
        vec_push(&argv, cli->arguments.v[i].p); /* views into argv: they end in NUL */
    vec_push(&argv, NULL);
    env_list_inherit(&env);
    env_list_set(&env, STR("KUBECONFIG"), buf_view(&f->path));
    spec.argv = argv.v;
    spec.env = env.v;
    rc = proc_run(&spec, &result, e);
    vec_done(&argv);
    if (rc < 0)
        return -1;
    return result.exit_code >= 0 ? result.exit_code : 128 + result.signal;
}

static int wait_for_end(const struct sandbox *sb, const struct config_file *f,
                        struct cancel *cancel, struct err *e)
{
    AUTO(err_done) struct err end = {0};
    AUTO(buf_done) struct buf text = {0};

    buf_add_cstr(&text, "sandbox ready at ");
    sandbox_url(sb, &text);
    buf_addf(&text, ", KUBECONFIG=%s\n", buf_cstr(&f->path));
    if (cli_print_raw(buf_view(&text), e) < 0)
        return -1;
    cancel_sleep_until(cancel, CLOCK_NEVER, &end);
    return 0;
}

static int run(struct cli *cli, struct err *e)
{
    struct sandbox_options o = {.port = (uint16_t)cli_int(cli, "port"),
                                .is_plain = cli_switch(cli, "insecure"),
                                .no_controllers = cli_switch(cli, "no-controllers"),
                                .latency_ms = (int)cli_int(cli, "latency")};
    AUTO(cancel_free) struct cancel *cancel = cancel_new(NULL, CLOCK_NEVER);
    AUTO(signal_stop) struct signal_guard *guard = signal_start(cancel, NULL, NULL, e);
    AUTO(config_file_done) struct config_file file = {0};
    AUTO(sandbox_stop) struct sandbox *sb = NULL;
    str data = cli_text(cli, "data");

    if (!guard)
        return -1;
    if (cli_int(cli, "port") > 65535)
        return err_set(e, ERR_USAGE, "a port is at most 65535");
    o.data_file = data.len ? data.p : NULL;
    sb = sandbox_start(&o, e);
    if (!sb || write_config(cli, sb, &file, e) < 0)
        return -1;
    return cli->arguments.len ? run_child(cli, &file, cancel, e)
                              : wait_for_end(sb, &file, cancel, e);
}

const struct cli_command cli_sandbox = {
    .name = "sandbox",
    .names = CLI_GRAPNEL,
    .summary = "Run an API server in one process",
    .arguments = "[-- COMMAND [ARG ...]]",
    .about =
        "Starts an embedded API server on 127.0.0.1: discovery, objects, patches, watches, custom "
        "resources, and controllers that roll out Deployments and finish Jobs. It answers over TLS "
        "and asks for the client certificate that its kubeconfig holds.\n\n"
        "With a command, runs it with KUBECONFIG set and ends with its exit status. Without one, "
        "prints a line when it is ready and serves until it is interrupted.\n\n"
        "Pods become Ready; the label fate makes them slow, fail, crash or pull; the annotations "
        "fate/message and fate/after say what they leave behind and when.",
    .flags = flag_tables,
    .examples = "$ grapnel sandbox -- kubectl get ns\n"
                "$ grapnel sandbox --data cluster.db --kubeconfig ./kubeconfig\n",
    .max_arguments = -1,
    .run = run,
};
