#include <sys/stat.h>

#include "fn/annotate.h"
#include "fn/container.h"
#include "fn/runner.h"
#include "fn/words.h"
#include "support/clock_jump.h"
#include "support/test.h"
#include "sys/env.h"
#include "sys/file.h"

TEST(words_are_split_as_a_shell_does)
{
    static const struct {
        const char *line, *words; /* joined by | ; NULL: refused */
    } rows[] = {
        {"a b  c", "a|b|c"}, {"'a b' c", "a b|c"}, {"\"a \\\"b\" c", "a \"b|c"},
        {"a\\ b", "a b"},    {"a''b", "ab"},       {"''", ""},
        {"'a\\b'", "a\\b"},  {"\"a\\b\"", "a\\b"}, {"$HOME *", "$HOME|*"},
        {"'a", NULL},        {"a\\", NULL},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(arena_done) struct arena arena = {0};
        AUTO(str_vec_done) struct str_vec words = {0};
        AUTO(err_done) struct err e = {0};
        AUTO(buf_done) struct buf out = {0};
        int rc = fn_words(&arena, str_of(rows[i].line), &words, &e);

        CHECK_INT(rc, rows[i].words ? 0 : -1, rows[i].line);
        for (size_t k = 0; k < words.len && rc == 0; k++)
            buf_addf(&out, "%s%.*s", k ? "|" : "", STR_ARG(words.v[k]));
        if (rc == 0)
            CHECK_STR(buf_view(&out), str_of(rows[i].words), rows[i].line);
    }
}

TEST(image_references_have_a_grammar)
{
    static const struct {
        const char *image;
        bool is_one;
    } rows[] = {
        {"nginx", true},
        {"nginx:1.2", true},
        {"a/b/c:v1", true},
        {"reg.io:5000/x", true},
        {"localhost/x", true},
        {"Reg.IO/x", true},
        {"Nginx", false},
        {"a//b", false},
        {"a:b:c", false},
        {"a b", false},
        {"-a", false},
        {"a:", false},
        {"a@sha256:1", false},
        {"", false},
        {"reg.io:x/y", false},
        {"a@sha256:0123456789012345678901234567890123456789012345678901234567890123", true},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        CHECK_INT(fn_is_image(str_of(rows[i].image)), rows[i].is_one, rows[i].image);
}

TEST(lines_about_pulling_are_not_the_functions)
{
    str err = STR("Unable to find image 'x' locally\nv1: Pulling from a/b\n"
                  "0123456789ab: Pull complete\nDigest: sha256:1\nStatus: Downloaded newer image\n"
                  "my: own line\nDigest: sha256:2\n");

    CHECK_STR(fn_without_pull_lines(err), STR("my: own line\nDigest: sha256:2\n"), "docker");
    CHECK_STR(fn_without_pull_lines(STR("Trying to pull x\nStoring signatures\nhm\n")), STR("hm\n"),
              "podman");
}

/* ---- runs */

static const char *script(const char *name, const char *text)
{
    AUTO(err_done) struct err e = {0};
    static char path[256];

    snprintf(path, sizeof(path), "%s/%s", test_tmp(), name);
    CHECK_INT(file_replace(path, str_of(text), NULL, &e), 0, name);
    CHECK_INT(chmod(path, 0755), 0, name);
    return path;
}

#define LIST                                                                              \
    "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- apiVersion: v1\n" \
    "  kind: Foo\n  metadata:\n    name: a # name\n    annotations:\n"                    \
    "      config.kubernetes.io/path: 'a.yaml'\n"

struct run {
    struct doc_set *set;
    struct fn_list list;
    struct fn_runner runner;
    struct fn_spec spec;
    struct fn_outcome outcome;
    struct err e;
};
static void run_done(struct run *r)
{
    fn_list_done(&r->list);
    fn_spec_done(&r->spec);
    fn_outcome_done(&r->outcome);
    err_done(&r->e);
    doc_set_free(r->set);
}
AUTO_VALUE(struct run, run_done)

static int run_exec(struct run *r, const char *command)
{
    r->set = doc_set_new();
    CHECK_INT(fn_list_read(r->set, STR(LIST), "test", &r->list, &r->e), 0, err_text(&r->e));
    r->runner.allows_exec = true;
    r->runner.exec_flag = "--flag";
    r->spec.exec = str_of(command);
    return fn_run(&r->runner, &r->spec, &r->list, NULL, &r->outcome, &r->e);
}

static void check_emitted(struct run *r, const char *want)
{
    AUTO(buf_done) struct buf out = {0};

    fn_list_emit(&r->list, &out);
    CHECK_STR(buf_view(&out), str_of(want), "list");
}

TEST(exec_functions_get_a_list_and_give_one)
{
    AUTO(run_done) struct run r = {0};

    CHECK_INT(run_exec(&r, script("f", "#!/bin/sh\nsed -e 's/ *#.*//' -e 's/kind: Foo/kind: Bar/'\n"
                                       "echo hello >&2\n")),
              0, err_text(&r.e));
    check_emitted(&r, "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"
                      "- apiVersion: v1\n  kind: Bar\n  metadata:\n    name: a # name\n"
                      "    annotations:\n      config.kubernetes.io/path: 'a.yaml'\n");
    CHECK_STR(buf_view(&r.outcome.err), STR("hello\n"), "stderr");
}

TEST(functions_that_fail_leave_the_items_as_they_were)
{
    static const struct {
        const char *body, *wanted;
    } rows[] = {
        {"exit 3", "exit status 3"},
        {"cat >/dev/null", "wrote no output"},
        {"cat >/dev/null; echo 'a: [b'", "function output"},
        {"cat >/dev/null; echo 'a: b'", "not a ResourceList"},
        {"sed 's/kind: Foo/kinf: Foo/'", "must contain only KRM resources"},
        {"kill -9 $$", "SIGKILL"},
        {"yes", "wrote more than"},
        {"sed -e \"s#io/path: 'a.yaml'#io/path: 'b.yaml'#\" -e "
         "\"s#internal.config.kubernetes.io/path: 'b.yaml'#internal.config.kubernetes.io/path: "
         "'c.yaml'#\"",
         "mismatched"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(run_done) struct run r = {0};
        AUTO(mem_free_str) char *text = str_printf("#!/bin/sh\n%s\n", rows[i].body);

        CHECK_INT(run_exec(&r, script("f", text)), -1, rows[i].body);
        if (!str_contains(str_of(err_text(&r.e)), str_of(rows[i].wanted)))
            test_fail(__FILE__, __LINE__, "%s: %s", rows[i].body, err_text(&r.e));
        check_emitted(&r, LIST);
    }
}

TEST(a_function_that_takes_too_long_is_ended_with_its_children)
{
    AUTO(run_done) struct run r = {0};
    AUTO(mem_free_str) char *ready = str_printf("%s/ready", test_tmp());
    AUTO(mem_free_str)
    char *text = str_printf("#!/bin/sh\nsleep 600 &\n: >%s\nwait\n", ready);

    clock_jumps_begin(ready);
    r.runner.timeout_ms = CLOCK_HOUR;
    CHECK_INT(run_exec(&r, script("f", text)), -1, "slow");
    clock_jumps_end();
    CHECK_INT(r.e.kind, ERR_TIMEOUT, err_text(&r.e));
    CHECK_STR(str_of(err_text(&r.e)), STR("timed out after 1h0m0s"), "the limit is named");
}

TEST(results_of_failed_runs_are_kept)
{
    AUTO(run_done) struct run r = {0};
    const struct doc_node *result;

    CHECK_INT(
        run_exec(&r, script("f", "#!/bin/sh\ncat\necho 'results: {name: x, items: [{message: m,"
                                 " field: {path: a, suggestedValue: 1}, resourceRef: "
                                 "{metadata: {name: n}}}]}'\nexit 1\n")),
        -1, "fails");
    result = doc_item(r.list.results, 0);
    CHECK_STR(doc_text(doc_at(result, "message"), STR_NONE), STR("m"), "message");
    CHECK_INT(doc_int(doc_at(result, "field/proposedValue"), 0), 1, "value");
    CHECK_STR(doc_text(doc_at(result, "resourceRef/name"), STR_NONE), STR("n"), "name");
}

TEST(gates_refuse_before_anything_runs)
{
    AUTO(run_done) struct run r = {0};

    r.runner.exec_flag = "--allow-exec";
    r.spec.exec = STR("/bin/true");
    CHECK_INT(fn_check_gates(&r.runner, &r.spec, &r.e), -1, "exec");
    CHECK(str_contains(str_of(err_text(&r.e)), STR("--allow-exec")));
    r.runner.allows_container = true;
    r.spec.exec = STR_NONE;
    r.spec.image = STR("x/y");
    r.spec.wants_network = true;
    CHECK_INT(fn_check_gates(&r.runner, &r.spec, &r.e), -1, "network");
    r.runner.allows_network = true;
    CHECK_INT(fn_check_gates(&r.runner, &r.spec, &r.e), 0, "network allowed");
}

/* ---- containers, with a program that shows how it was called */

static int run_image(struct run *r, char *const *env, const char *image)
{
    int rc;

    r->set = doc_set_new();
    CHECK_INT(fn_list_read(r->set, STR(LIST), "test", &r->list, &r->e), 0, err_text(&r->e));
    r->runner.allows_container = true;
    r->spec.image = str_of(image);
    env_replace(env);
    rc = fn_run(&r->runner, &r->spec, &r->list, NULL, &r->outcome, &r->e);
    env_replace(NULL);
    return rc;
}

TEST(containers_are_run_by_the_program_on_the_path)
{
    AUTO(run_done) struct run r = {0};
    AUTO(mem_free_str) char *path = str_printf("PATH=%s:/bin:/usr/bin", test_tmp());
    char *env[] = {path, NULL};
    struct fn_mount mount = {STR("bind"), STR("src"), STR("/dst"), true};
    AUTO(mem_free_str)
    char *wanted = str_printf("run --rm -i --name NAME --network none --user nobody "
                              "--security-opt=no-new-privileges --pull never "
                              "--mount type=bind,source=%s/src,target=/dst -e A=b "
                              "ghcr.io/kptdev/krm-functions-catalog/mine:v1",
                              test_tmp());

    script("podman", "#!/bin/sh\necho Trying to pull x >&2\n"
                     "echo \"$*\" | sed 's/ grapnel-fn-[a-z0-9]* / NAME /' >&2\ncat\n");
    r.runner.mounts = &mount;
    r.runner.mount_count = 1;
    r.runner.pull = FN_PULL_NEVER;
    r.list.dir = test_tmp();
    vec_push(&r.spec.envs, STR("A=b"));
    CHECK_INT(run_image(&r, env, "mine:v1"), 0, err_text(&r.e));
    CHECK_STR(str_trim(buf_view(&r.outcome.err)), str_of(wanted), "arguments");
    check_emitted(&r, LIST);
}

TEST(a_container_whose_program_was_ended_is_removed_by_name)
{
    AUTO(run_done) struct run r = {0};
    AUTO(buf_done) struct buf calls = {0};
    AUTO(mem_free_str) char *path = str_printf("PATH=%s:/bin:/usr/bin", test_tmp());
    AUTO(mem_free_str) char *log = str_printf("%s/calls", test_tmp());
    AUTO(mem_free_str) char *log_env = str_printf("CALLS=%s", log);
    char *env[] = {path, log_env, NULL};
    str first, second;

    script("podman", "#!/bin/sh\n"
                     "[ $1 = rm ] && { echo \"$*\" >>$CALLS; exit; }\n"
                     "echo \"rm --force $5\" >>$CALLS\nexec yes\n");
    CHECK_INT(run_image(&r, env, "x/y"), -1, "a function that writes without end");
    CHECK_INT(file_read(log, 1000, &calls, &r.e), 0, err_text(&r.e));
    first = str_cut(buf_view(&calls), '\n', &second);
    CHECK(str_starts(first, STR("rm --force grapnel-fn-")));
    CHECK_STR(str_trim(second), first, "what was removed");
}

TEST(containers_need_a_known_program_and_a_name)
{
    static const struct {
        const char *runtime, *image, *wanted;
    } rows[] = {
        {"GRAPNEL_FN_RUNTIME=lxc", "x/y", "none of docker, podman, nerdctl"},
        {"KPT_FN_RUNTIME=lxc", "x/y", "none of docker, podman, nerdctl"},
        {"A=b", "x/y", "found none of"},
        {"A=b", "X Y", "is invalid"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(run_done) struct run r = {0};
        AUTO(mem_free_str) char *runtime = str_printf("%s", rows[i].runtime);
        char path[] = "PATH=/nonexistent", *env[] = {path, runtime, NULL};

        CHECK_INT(run_image(&r, env, rows[i].image), -1, rows[i].image);
        CHECK(str_contains(str_of(err_text(&r.e)), str_of(rows[i].wanted)));
    }
}

/* ---- native functions */

static int rename_all(struct fn_list *io, struct err *e)
{
    for (size_t i = 0; i < io->items.len; i++) {
        doc_set_string(io->set, io->items.v[i], STR("kind"), STR("Native"));
        fn_annotate(io->set, io->items.v[i], STR(FN_PATH), STR("moved.yaml"));
    }
    fn_list_result(io, "info", io->items.v[0], "kind", STR("renamed"));
    return doc_get_lit(io->function_config, "fails") ? err_set(e, ERR_INVALID, "told to") : 0;
}

static const struct fn_native native = {
    .name = "rename", .kinds = "Rename RenameAll", .run = rename_all};
static const struct fn_native *const natives[] = {&native, NULL};

TEST(native_functions_take_the_place_of_images)
{
    static const struct {
        const char *image;
        bool is_native;
    } rows[] = {{"rename", true},
                {"rename:v1", true},
                {"gcr.io/kpt-fn/rename:v1", true},
                {"ghcr.io/kptdev/krm-functions-catalog/rename", true},
                {"docker.io/rename", false},
                {"rename@sha256:00", false},
                {"other", false}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        CHECK_INT(fn_native_by_image(natives, str_of(rows[i].image)) != NULL, rows[i].is_native,
                  rows[i].image);
}

TEST(native_functions_work_on_the_trees)
{
    AUTO(run_done) struct run r = {.set = doc_set_new()};
    struct doc_node *config = doc_new_map(r.set), *item;

    doc_set_string(r.set, config, STR("apiVersion"), STR("fn.kpt.dev/v1alpha1"));
    doc_set_string(r.set, config, STR("kind"), STR("RenameAll"));
    r.runner.natives = natives;
    CHECK_INT(fn_list_read(r.set, STR(LIST), "test", &r.list, &r.e), 0, err_text(&r.e));
    item = r.list.items.v[0];
    CHECK_INT(fn_run_config(&r.runner, NULL, &r.list, config, NULL, &r.e), 0, err_text(&r.e));
    CHECK(r.list.items.v[0] == item);
    CHECK_STR(fn_annotation(item, STR(FN_LEGACY_PATH)), STR("moved.yaml"), "legacy path");
    CHECK_STR(fn_annotation(item, STR(FN_PATH)), STR(""), "came with the legacy one only");
    CHECK_INT(doc_len(r.list.results), 1, "results");
    doc_set_bool(r.set, config, STR("fails"), true);
    CHECK_INT(fn_run_config(&r.runner, NULL, &r.list, config, NULL, &r.e), -1, "fails");
    CHECK_STR(str_of(err_text(&r.e)), STR("function \"rename\": told to"), "message");
}

TEST(annotations_describe_functions)
{
    static const struct {
        const char *annotation, *wanted; /* image or command; NULL: refused */
    } rows[] = {
        {"container: {image: x/y:1, network: true}", "x/y:1"},
        {"exec: {path: ./a, args: [b, c]}", "./a"},
        {"container: {image: x}\nexec: {path: y}", NULL},
        {"container: {imag: x}", NULL},
        {"exec: {}", NULL},
        {"starlark: {path: x}", NULL},
        {"container: {image: x, mounts: [{type: odd, dst: /x}]}", NULL},
        {"[a", NULL},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(run_done) struct run r = {.set = doc_set_new()};
        struct doc_node *config = doc_new_map(r.set);
        int rc;

        fn_annotate(r.set, config, STR("config.kubernetes.io/function"),
                    str_of(rows[i].annotation));
        rc = fn_spec_of_config(&r.runner, r.set, config, &r.spec, &r.e);
        CHECK_INT(rc, rows[i].wanted ? 1 : -1, rows[i].annotation);
        if (rows[i].wanted)
            CHECK_STR(r.spec.image.len ? r.spec.image : r.spec.exec, str_of(rows[i].wanted),
                      rows[i].annotation);
    }
}
