/* The program: finds out under which name it was started, parses the command line, runs the
 * command, reports once. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/find.h"
#include "cli/help.h"
#include "cli/output.h"

static enum cli_name name_of(const char *program)
{
    static const struct {
        char program[12];
        enum cli_name name;
    } names[] = {
        {"khook", CLI_KHOOK}, {"kpt", CLI_KPT}, {"kustomize", CLI_KUSTOMIZE}, {"helm", CLI_HELM}};

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (!strcmp(program, names[i].program))
            return names[i].name;
    return CLI_GRAPNEL;
}

static void log_setup(const struct cli *cli)
{
    static const char levels[][6] = {"debug", "info", "warn", "error"};
    str level = cli_text(cli, "log-level");

    for (size_t i = 0; i < ARRAY_LEN(levels); i++)
        if (str_eq(level, str_of(levels[i])))
            log_set_level((enum log_level)i);
    log_set_format(str_eq(cli_text(cli, "log-format"), STR("json")) ? LOG_JSON : LOG_TEXT);
}

static int help_print(const struct cli *cli, struct err *e)
{
    AUTO(buf_done) struct buf out = {0};

    if (cli->command)
        help_command(cli->command, cli->program, &out);
    else
        help_program(cli, &out);
    return cli_print_raw(buf_view(&out), e);
}

/* "help" and "help COMMAND" are "--help" and "COMMAND --help". */
static void help_word(int *argc, char **argv)
{
    static char flag[] = "--help";

    if (*argc < 1 || strcmp(argv[0], "help") != 0)
        return;
    if (*argc == 1) {
        argv[0] = flag;
        return;
    }
    for (int i = 0; i + 1 < *argc; i++)
        argv[i] = argv[i + 1];
    argv[*argc - 1] = flag;
}

static int dispatch(struct cli *cli, int argc, char **argv, struct err *e)
{
    bool help;

    help_word(&argc, argv);
    if (cli_parse(cli, argc, argv, &help, e) < 0)
        return -1;
    if (help || !cli->command)
        return help_print(cli, e);
    log_setup(cli);
    return cli->command->run(cli, e);
}

/* A command that is none ends as the others of its group do. */
static bool is_of_group_that_fails_with_one(const struct cli *cli)
{
    for (size_t i = 0; cli->group.len && cli_commands[i]; i++)
        if (cli_in_group(cli, cli_commands[i], cli->group))
            return cli_commands[i]->fails_with_one;
    return false;
}

/* Names that are another tool's keep that tool's status. */
static int failure(const struct cli *cli, const struct err *e)
{
    if (e->kind != ERR_INVALID && e->kind != ERR_USAGE)
        return 1;
    if (cli->name == CLI_KUSTOMIZE || cli->name == CLI_HELM || cli->name == CLI_KPT ||
        (cli->command ? cli->command->fails_with_one : is_of_group_that_fails_with_one(cli)))
        return 1;
    return 2;
}

/* Under the name grapnel-fn-NAME: `fn exec NAME`, or its documentation; with a folder `fn eval DIR
 * --image NAME [--fn-config FILE] [-- KEY=VALUE...]`, as programs of the C kit have it. */
static int run_function(struct cli *cli, str name, int argc, char **argv, struct err *e)
{
    static char fn[] = "fn", exec[] = "exec", doc[] = "doc", eval[] = "eval", image[] = "--image",
                dashes[] = "--";
    bool is_help = argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"));
    char *words[] = {fn, is_help ? doc : exec, (char *)name.p}; /* the end of argv[0] */
    VEC(char *) all = {0};
    bool has_pairs = false;
    int rc;

    if (argc < 2 || is_help)
        return dispatch(cli, ARRAY_LEN(words), words, e);
    vec_push(&all, fn);
    vec_push(&all, eval);
    vec_push(&all, argv[1]);
    vec_push(&all, image);
    vec_push(&all, words[2]);
    for (int i = 2; i < argc; i++) {
        if (!has_pairs && argv[i][0] != '-' && strcmp(argv[i - 1], "--fn-config") != 0) {
            has_pairs = true;
            vec_push(&all, dashes);
        }
        vec_push(&all, argv[i]);
    }
    rc = dispatch(cli, (int)all.len, all.v, e);
    vec_done(&all);
    return rc;
}

/* Standard streams that were closed are filled with what fails as they did: a socket must not
 * become standard output. */
static void fill_streams(void)
{
    struct pollfd streams[] = {{STDIN_FILENO, 0, 0}, {STDOUT_FILENO, 0, 0}, {STDERR_FILENO, 0, 0}};

    /* One call where all are there, as nearly always; what it tells of others may be a hang-up. */
    if (poll(streams, ARRAY_LEN(streams), 0) == 0)
        return;
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
    AUTO(err_done) struct err e = {0};
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    struct cli cli = {.program = slash ? slash + 1 : argc > 0 ? argv[0] : "grapnel"};
    str function = str_of(cli.program);
    bool is_function = str_drop_prefix(&function, STR("grapnel-fn-"));
    int rc;

    fill_streams();
    signal(SIGPIPE, SIG_IGN);
    cli.name = name_of(cli.program);
    if (cli.name == CLI_GRAPNEL) /* kubectl looks for its plugins by this name */
        cli.program = strcmp(cli.program, "kubectl-grapnel") ? "grapnel" : "kubectl grapnel";
    rc = is_function ? run_function(&cli, function, argc, argv, &e)
                     : dispatch(&cli, argc - 1, argv + 1, &e);
    if (rc < 0) {
        cli_print_error(&e);
        rc = failure(&cli, &e);
    }
    cli_done(&cli);
    return rc;
}
