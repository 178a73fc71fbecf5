/* grapnel fn test DIR */
#include "cli/fn/flags.h"
#include "cli/output.h"
#include "fn/cases.h"
#include "sys/file.h"

enum { CASE_LIMIT = 64 << 20 };

static const struct cli_flag own_flags[] = {
    {"exec", CLI_TEXT, "COMMAND", "the function under test, in place of the one a case names", 0,
     "", "", false},
    {.name = ""},
};
static const struct cli_flag *const flag_tables[] = {own_flags, NULL};

struct tests {
    struct cli_fn f;
    const char *dir;
    struct buf out;
    size_t passed, failed;
};
static void tests_done(struct tests *t)
{
    cli_fn_done(&t->f);
    buf_done(&t->out);
}
AUTO_VALUE(struct tests, tests_done)

static int visit(void *ctx, const struct file_entry *entry, struct err *e)
{
    struct tests *t = ctx;
    AUTO(buf_done) struct buf text = {0}, why = {0};
    AUTO(mem_free_str) char *path = str_printf("%s/%s", t->dir, entry->path);
    int rc;

    if (entry->type != FILE_REGULAR || !str_ends(str_of(entry->name), STR(".txtar")))
        return FILE_ON;
    if (file_read(path, CASE_LIMIT, &text, e) < 0)
        return -1;
    rc = fn_case_run(&t->f.runner, buf_view(&text), cli_text(t->f.cli, "exec"), &why, e);
    if (rc < 0)
        return err_wrap(e, "%s", path);
    t->passed += rc == 0;
    t->failed += rc > 0;
    buf_addf(&t->out, "%s %s\n", rc ? "FAIL" : "ok  ", entry->path);
    buf_add_str(&t->out, buf_view(&why));
    return FILE_ON;
}

static int run(struct cli *cli, struct err *e)
{
    AUTO(tests_done) struct tests t = {0};

    if (!cli->arguments.len)
        return err_set(e, ERR_USAGE, "name the folder of the cases");
    t.dir = cli->arguments.v[0].p;
    if (cli_fn_start(&t.f, cli, e) < 0 || file_walk(t.dir, visit, &t, e) < 0)
        return -1;
    if (!t.passed && !t.failed)
        return err_set(e, ERR_NOT_FOUND, "%s holds no cases (*.txtar)", t.dir);
    buf_addf(&t.out, "%zu passed, %zu failed\n", t.passed, t.failed);
    if (cli_print(buf_view(&t.out), e) < 0)
        return -1;
    return t.failed ? 1 : 0;
}

const struct cli_command cli_fn_test = {
    .name = "fn test",
    .names = CLI_GRAPNEL,
    .summary = "Test a function on cases of input and output",
    .arguments = "DIR",
    .about = "Runs each *.txtar file below DIR: its stdin section goes into the function, its "
             "want/stdout section must come out. A case names a native function in its first "
             "argument; --exec puts an executable in its place.",
    .flags = flag_tables,
    .examples = "$ grapnel fn test cases --exec ./my-function\n",
    .max_arguments = 1,
    .fails_with_one = true,
    .run = run,
};
