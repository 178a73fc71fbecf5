#include "fn/runner.h"

#include "base/buf.h"
#include "base/duration.h"
#include "fn/container.h"
#include "fn/tag.h"
#include "fn/wire.h"
#include "fn/words.h"
#include "sys/env.h"
#include "sys/proc.h"

enum {
    TIMEOUT_MS = 5 * 60 * 1000,
    OUTPUT_LIMIT = 64 << 20, /* bytes a function may write, */
    OUTPUT_TIMES = 16,       /* or so many times what it was given */
    ERROR_LIMIT = 1 << 20,   /* bytes kept of its standard error */
    CONTAINER_GRACE_MS = 1000,
};

/* ---- gates */

static int closed(struct err *e, const char *what, str name, const char *flag)
{
    return err_set(e, ERR_DENIED, "%s \"%.*s\" may not run; allow it with %s", what, STR_ARG(name),
                   flag);
}

int fn_check_gates(const struct fn_runner *r, const struct fn_spec *spec, struct err *e)
{
    if (spec->native)
        return 0;
    if (spec->exec.len)
        return r->allows_exec ? 0 : closed(e, "exec function", spec->exec, r->exec_flag);
    if (!r->allows_container)
        return closed(e, "container function", spec->image, r->container_flag);
    if (spec->wants_network && !r->allows_network)
        return err_set(e, ERR_DENIED,
                       "function \"%.*s\" asks for the network; allow it with --network",
                       STR_ARG(spec->image));
    if (spec->mounts.len && !r->allows_mounts)
        return err_set(e, ERR_DENIED, "function \"%.*s\" asks for mounts; allow them with --mount",
                       STR_ARG(spec->image));
    return 0;
}

/* ---- processes */

struct process {
    struct arena arena;
    struct str_vec words;
    struct env_list env;
    str container; /* its name; empty: an executable */
};
static void process_done(struct process *p)
{
    arena_done(&p->arena);
    str_vec_done(&p->words);
    env_list_done(&p->env);
}
AUTO_VALUE(struct process, process_done)

/* For an executable: its own words and environment. */
static int exec_words(struct process *p, const struct fn_spec *spec, struct err *e)
{
    env_list_inherit(&p->env);
    for (size_t i = 0; i < spec->envs.len; i++) {
        str value, name = str_cut(spec->envs.v[i], '=', &value);

        if (value.p)
            env_list_set(&p->env, name, value);
    }
    for (size_t i = 0; i < spec->argv.len; i++)
        vec_push(&p->words, arena_dup(&p->arena, spec->argv.v[i]));
    if (!p->words.len && fn_words(&p->arena, spec->exec, &p->words, e) < 0)
        return -1;
    if (!p->words.len)
        return err_set(e, ERR_INVALID, "the function's command line is empty");
    if (str_ends(p->words.v[0], STR(".wasm")))
        return err_set(e, ERR_UNSUPPORTED, "wasm functions are not supported");
    return 0;
}

static int process_words(const struct fn_runner *r, const struct fn_spec *spec, const char *dir,
                         struct cancel *cancel, struct process *p, struct err *e)
{
    struct fn_spec resolved = *spec;

    if (spec->exec.len)
        return exec_words(p, spec, e);
    env_list_inherit(&p->env);
    if (spec->range.len) {
        if (fn_resolve_range(&p->arena, r, spec, cancel, &resolved.image, e) < 0)
            return -1;
        spec = &resolved;
    }
    return fn_container_argv(&p->arena, r, spec, dir, &p->words, &p->container, e);
}

static void note_outcome(struct proc_result *result, const struct fn_spec *spec,
                         struct fn_outcome *ret)
{
    str err = buf_view(&result->err);

    ret->exit_code = result->exit_code;
    ret->duration_ms = result->duration_ms;
    buf_add_str(&ret->err, spec->image.len ? fn_without_pull_lines(err) : err);
}

/* Names the limit when it was that of functions and not that of the whole run. */
static int too_long(int64_t timeout_ms, const struct fn_outcome *outcome, struct err *e)
{
    AUTO(buf_done) struct buf text = {0};

    if (e->kind != ERR_TIMEOUT || outcome->duration_ms < timeout_ms)
        return -1;
    duration_format_ms(timeout_ms, &text);
    err_done(e);
    return err_set(e, ERR_TIMEOUT, "timed out after %s", buf_cstr(&text));
}

/* Runs the process; its output is left in *out whatever happens. */
static int run_process(const struct fn_runner *r, const struct fn_spec *spec, const char *dir,
                       str input, struct buf *out, struct fn_outcome *ret, struct err *e)
{
    AUTO(process_done) struct process p = {0};
    AUTO(proc_result_done) struct proc_result result = {0};
    int64_t timeout_ms = r->timeout_ms ? r->timeout_ms : TIMEOUT_MS;
    AUTO(cancel_free)
    struct cancel *cancel = cancel_new(r->cancel, clock_after(timeout_ms));
    AUTO(buf_done) struct buf why = {0};
    const char **argv;
    int rc;

    ret->exit_code = -1;
    if (process_words(r, spec, dir, cancel, &p, e) < 0)
        return -1;
    argv = ARENA_ARRAY(&p.arena, const char *, p.words.len + 1);
    for (size_t i = 0; i < p.words.len; i++)
        argv[i] = arena_cstr(&p.arena, p.words.v[i]);
    rc = proc_run(
        &(struct proc_spec){.argv = argv,
                            .env = p.env.v,
                            .dir = spec->exec.len ? dir : NULL,
                            .input = input,
                            .output_limit = MAX((size_t)OUTPUT_LIMIT, OUTPUT_TIMES * input.len),
                            .stderr_limit = ERROR_LIMIT,
                            /* What a container program leaves is the engine's, at work yet. */
                            .kills_orphans = !p.container.len,
                            .grace_ms = p.container.len ? CONTAINER_GRACE_MS : 0,
                            .cancel = cancel},
        &result, e);
    if (rc < 0 && p.container.len)
        fn_container_remove(&p.arena, p.words.v[0], p.container);
    note_outcome(&result, spec, ret);
    *out = result.out;
    result.out = (struct buf){0};
    if (rc < 0) {
        ret->exit_code = -1;
        return too_long(timeout_ms, ret, e);
    }
    if (result.exit_code == 0)
        return 0;
    proc_describe(&result, &why);
    return err_set(e, ERR_IO, "%s", buf_cstr(&why));
}

/* What a failing function still said; broken output says nothing. */
static void keep_results(struct fn_list *io, str out)
{
    AUTO(err_done) struct err ignored = {0};
    AUTO(fn_list_done) struct fn_list list = {0};

    if (fn_list_read(io->set, out, "output", &list, &ignored) == 0)
        io->results = list.results;
}

static int receive(const struct fn_runner *r, struct fn_wire *wire, struct fn_list *io,
                   struct buf *out, struct err *e)
{
    AUTO(fn_list_done) struct fn_list list = {0};
    int rc;

    if (!str_trim(buf_view(out)).len)
        return err_set(e, ERR_INVALID, "function wrote no output");
    rc = (r->accepts_documents ? fn_list_read_any : fn_list_read)(io->set, buf_view(out),
                                                                  "function output", &list, e);
    io->results = list.results;
    return rc < 0 ? -1 : fn_wire_receive(wire, &list, e);
}

static int run_outside(const struct fn_runner *r, const struct fn_spec *spec, struct fn_list *io,
                       const char *dir, struct fn_outcome *ret, struct err *e)
{
    AUTO(fn_wire_done) struct fn_wire wire = {0};
    AUTO(buf_done) struct buf input = {0}, out = {0};
    AUTO(err_done) struct err failure = {0};
    int rc;

    if (fn_wire_begin(&wire, io, e) < 0)
        return -1;
    fn_wire_send(&wire, true);
    fn_list_emit(io, &input);
    rc =
        run_process(r, spec, spec->exec.len ? dir : io->dir, buf_view(&input), &out, ret, &failure);
    if (rc < 0 && !(spec->defers_failure && ret->exit_code > 0)) {
        if (ret->exit_code > 0) /* one that was stopped has said nothing */
            keep_results(io, buf_view(&out));
        fn_wire_undo(&wire);
        err_move(e, &failure);
        return -1;
    }
    if (receive(r, &wire, io, &out, e) < 0) {
        fn_wire_undo(&wire);
        ret->exit_code = ret->exit_code ? ret->exit_code : 1;
        return -1;
    }
    return 0;
}

/* ---- native functions */

/* A native function's message begins with its name, as a process writes it; who wraps it says the
 * name already. */
static void drop_name(const char *name, struct err *e)
{
    str why = str_of(err_text(e));
    char *text;

    if (!str_drop_prefix(&why, str_of(name)) || !str_drop_prefix(&why, STR(": ")))
        return;
    text = mem_strndup(why.p, why.len);
    err_set(e, e->kind, "%s", text);
    mem_free(text);
}

static int run_native(const struct fn_spec *spec, struct fn_list *io, struct fn_outcome *ret,
                      struct err *e)
{
    AUTO(fn_wire_done) struct fn_wire wire = {0};
    clock_ms begin = clock_now();
    int rc;

    ret->exit_code = 1;
    if (fn_wire_begin(&wire, io, e) < 0)
        return -1;
    fn_wire_complete(&wire);
    rc = spec->native->run(io, e);
    ret->duration_ms = clock_now() - begin;
    if (rc < 0) {
        if (e->kind == ERR_NONE)
            err_set(e, ERR_INVALID, "function failed");
        buf_addf(&ret->err, "%s\n", err_text(e));
        drop_name(spec->native->name, e);
        return -1;
    }
    if (fn_wire_settle(&wire, e) < 0)
        return -1;
    ret->exit_code = 0;
    return 0;
}

int fn_run(const struct fn_runner *r, const struct fn_spec *spec, struct fn_list *io,
           const char *dir, struct fn_outcome *ret, struct err *e)
{
    io->results = NULL;
    io->allows_network = r->allows_network;
    if (fn_check_gates(r, spec, e) < 0)
        return -1;
    return spec->native ? run_native(spec, io, ret, e) : run_outside(r, spec, io, dir, ret, e);
}

/* ---- for builds */

/* A line for each; returns how many there are. */
static size_t error_results(const struct doc_node *results, struct buf *out)
{
    struct doc_iter it = doc_children(results);
    size_t count = 0;

    while (doc_next(&it)) {
        str severity = doc_text(doc_get_lit(it.value, "severity"), STR_NONE);

        if (!str_eq(severity, STR("error")))
            continue;
        buf_addf(out, "\n[error] %.*s",
                 STR_ARG(doc_text(doc_get_lit(it.value, "message"), STR_NONE)));
        count++;
    }
    return count;
}

static str name_of(const struct fn_spec *spec)
{
    if (spec->native)
        return str_of(spec->native->name);
    return spec->image.len ? spec->image : spec->exec;
}

static int run_for_build(const struct fn_runner *r, const struct fn_spec *spec, struct fn_list *io,
                         const char *dir, struct err *e)
{
    AUTO(fn_outcome_done) struct fn_outcome outcome = {0};
    AUTO(buf_done) struct buf said = {0};
    str name = name_of(spec), err;
    size_t errors;
    int rc = fn_run(r, spec, io, dir, &outcome, e);

    errors = error_results(io->results, &said);
    if (rc == 0 && outcome.exit_code == 0 && !said.len)
        return 0;
    if (rc == 0)
        err_set(e, ERR_INVALID, "exit status %d", outcome.exit_code);
    err = str_trim(buf_view(&outcome.err));
    if (spec->native) /* its message is the first of its error results */
        return err_set(e, e->kind, "function \"%.*s\": %s%s", STR_ARG(name), err_text(e),
                       errors > 1 ? buf_cstr(&said) : "");
    if (!err.len)
        return err_set(e, e->kind, "function \"%.*s\": %s%s", STR_ARG(name), err_text(e),
                       buf_cstr(&said));
    return err_set(e, e->kind, "function \"%.*s\": %s%s\n%.*s", STR_ARG(name), err_text(e),
                   buf_cstr(&said), STR_ARG(err));
}

int fn_run_config(const struct fn_runner *r, const struct fn_spec *spec, struct fn_list *io,
                  const struct doc_node *function_config, const char *dir, struct err *e)
{
    AUTO(fn_spec_done) struct fn_spec found = {0};
    int rc = 1;

    if (!spec)
        rc = fn_spec_of_config(r, io->set, function_config, &found, e);
    if (rc < 0)
        return -1;
    if (rc == 0)
        return err_set(e, ERR_INVALID, "the config names no function");
    io->function_config = doc_copy(io->set, function_config);
    io->dir = dir;
    return run_for_build(r, spec ? spec : &found, io, dir, e);
}
