/* Area cli: the built program, under the name khook, in a folder of its own. */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/khook_case.h"

struct outcome {
    int status; /* exit status, or 128 + signal */
    struct buf out, err;
};

static void outcome_done(struct outcome *o)
{
    buf_done(&o->out);
    buf_done(&o->err);
}
AUTO_VALUE(struct outcome, outcome_done)

/* The link beside the program. */
static const char *khook_program(struct khook_case *c)
{
    const char *program = suite_program(c->suite), *slash = strrchr(program, '/');

    return arena_printf(&c->arena, "%.*s/khook", (int)(slash - program), program).p;
}

static char **arguments(struct khook_case *c, const struct doc_node *args)
{
    struct doc_iter it = doc_children(args);
    char **v = ARENA_ARRAY(&c->arena, char *, doc_len(args) + 2);
    size_t count = 0;

    v[count++] = (char *)khook_program(c);
    while (doc_next(&it))
        v[count++] = (char *)arena_cstr(&c->arena, doc_text(it.value, STR_NONE));
    return v;
}

/* The case's environment and what every program needs, nothing else. */
static char **environment(struct khook_case *c, const char *folder)
{
    struct doc_iter it = doc_children(doc_get_lit(c->node, "env"));
    char **v = ARENA_ARRAY(&c->arena, char *, it.left + 4);
    size_t count = 0;

    v[count++] = (char *)arena_printf(&c->arena, "HOME=%s", folder).p;
    v[count++] = (char *)arena_printf(&c->arena, "PATH=%s", getenv("PATH")).p;
    while (doc_next(&it))
        v[count++] = (char *)arena_printf(&c->arena, "%.*s=%.*s", STR_ARG(it.key),
                                          STR_ARG(doc_text(it.value, STR_NONE)))
                         .p;
    return v;
}

static void read_into(struct khook_case *c, const char *folder, const char *name, struct buf *out)
{
    FILE *f = fopen(arena_printf(&c->arena, "%s/%s", folder, name).p, "re");
    char block[4096];
    size_t n;

    while (f && (n = fread(block, 1, sizeof(block), f)) > 0)
        buf_add(out, block, n);
    if (f)
        fclose(f);
}

/* Streams are files: no pipe can fill up, and a program that hangs is ended by the suite's alarm.
 */
static bool run_program(struct khook_case *c, const char *folder, char **args, struct outcome *ret)
{
    const char *io = khook_temp_dir(c);
    posix_spawn_file_actions_t actions;
    int rc, status;
    pid_t pid;

    khook_write_text(c, io, "in", khook_member(c->node, "stdin"));
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder);
    posix_spawn_file_actions_addopen(&actions, 0, arena_printf(&c->arena, "%s/in", io).p, O_RDONLY,
                                     0);
    posix_spawn_file_actions_addopen(&actions, 1, arena_printf(&c->arena, "%s/out", io).p,
                                     O_WRONLY | O_CREAT, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, arena_printf(&c->arena, "%s/err", io).p,
                                     O_WRONLY | O_CREAT, 0600);
    rc = posix_spawn(&pid, args[0], &actions, NULL, args, environment(c, folder));
    posix_spawn_file_actions_destroy(&actions);
    if (rc != 0 || waitpid(pid, &status, 0) != pid)
        return khook_wrong(c, "cannot run %s", args[0]);
    ret->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    read_into(c, io, "out", &ret->out);
    read_into(c, io, "err", &ret->err);
    return true;
}

static bool holds_all(struct khook_case *c, const char *field, str text, bool want)
{
    struct doc_iter it = doc_children(doc_get(c->expect, str_of(field)));

    while (doc_next(&it))
        if (str_contains_nocase(text, doc_text(it.value, STR_NONE)) != want)
            return khook_wrong(c, "%s \"%.*s\": %.*s", field, STR_ARG(doc_text(it.value, STR_NONE)),
                               STR_ARG(text));
    return true;
}

static bool outcome_is(struct khook_case *c, const struct outcome *o)
{
    const struct doc_node *json = doc_get_lit(c->expect, "stdout_json");

    if (o->status != doc_int(doc_get_lit(c->expect, "exit"), 0))
        return khook_wrong(c, "exit %d: %s", o->status, buf_cstr(&o->err));
    if (doc_bool(doc_get_lit(c->expect, "stdout_empty"), false) && o->out.len)
        return khook_wrong(c, "stdout: %s", buf_cstr(&o->out));
    return holds_all(c, "stdout", buf_view(&o->out), true) &&
           holds_all(c, "stderr", buf_view(&o->err), true) &&
           holds_all(c, "mentions", buf_view(&o->err), true) &&
           holds_all(c, "stdout_absent", buf_view(&o->out), false) &&
           holds_all(c, "stderr_absent", buf_view(&o->err), false) &&
           (!json || khook_json_is(c, buf_view(&o->out), json, true));
}

bool khook_area_cli(struct khook_case *c)
{
    AUTO(outcome_done) struct outcome o = {0};
    const char *folder = khook_temp_dir(c);

    khook_write_files(c, folder, doc_get_lit(c->node, "files"));
    return run_program(c, folder, arguments(c, doc_get_lit(c->node, "args")), &o) &&
           outcome_is(c, &o);
}

bool khook_graph_refused(struct khook_case *c)
{
    AUTO(outcome_done) struct outcome o = {0};
    const char *folder = khook_temp_dir(c);
    char *args[] = {(char *)khook_program(c),
                    (char *)"graph",
                    (char *)"-f",
                    (char *)"spec.yaml",
                    (char *)"--format",
                    (char *)arena_cstr(&c->arena, khook_member(c->node, "format")),
                    NULL};

    khook_write_text(c, folder, "spec.yaml", khook_member(c->node, "spec"));
    return run_program(c, folder, args, &o) && outcome_is(c, &o);
}
