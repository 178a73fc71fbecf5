/* Torture: each fallible call of a command fails once (reliability 4 D). No run may crash, hang,
 * fail without a word, or end well with another output than it has when nothing fails; a file that
 * is written anew is the old one or the new one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "faults/child.h"
#include "faults/faults.h"
#include "sandbox/sandbox.h"
#include "sys/file.h"

enum { RUN_MS = 20000, MAX_OUTPUT = 1 << 20, MAX_WORDS = 24, MOST_CALLS = 20000 };

static const struct {
    const char *name;
    int step;       /* with a server: each so many-th call of it */
    bool must_pass; /* nobody may notice */
} sorts[] = {{"files", 1, false},
             {"interrupt", 1, true},
             {"net", 1, false},
             {"system", 1, false},
             {"memory", 29, false}};

static const char spec_text[] =
    "apiVersion: khook.io/v1\nkind: Khook\nmetadata: {name: torture}\n"
    "steps:\n"
    "- name: conf\n"
    "  apply:\n"
    "    serverSide: true\n"
    "    manifests:\n"
    "    - inline: |\n"
    "        apiVersion: v1\n        kind: ConfigMap\n        metadata: {name: a-@}\n"
    "        data: {k: \"12\"}\n"
    "    - file: objects.yaml\n";
static const char objects_text[] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b-@}\n";
#define DATA "kept.db"
static const char kustomization_text[] =
    "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
    "resources: [objects.yaml]\nnamePrefix: x-\n";

/* A command in a folder with the texts above; `file` is what it writes anew, or NULL. The word "@"
 * stands for grapnel; what is started by it does not fail by itself. */
static const struct command {
    const char *name, *words[12], *file;
    bool has_server; /* it talks to one */
    bool is_server;  /* it is one, with DATA */
} commands[] = {
    {.name = "validate", .words = {"validate", "-f", "spec.yaml"}},
    {.name = "plan", .words = {"plan", "--offline", "-f", "spec.yaml"}},
    {.name = "build", .words = {"build", "."}},
    {.name = "edit", .words = {"edit", "set", "nameprefix", "y-"}, .file = "kustomization.yaml"},
    {.name = "fn", .words = {"fn", "eval", ".", "--exec", "/bin/cat", "-o", "stdout"}},
    {.name = "apply", .words = {"apply", "-f", "spec.yaml", "-o", "json"}, .has_server = true},
    {.name = "sandbox",
     .words = {"sandbox", "--data", DATA, "--", "@", "apply", "-f", "spec.yaml", "-o", "json"},
     .is_server = true},
};

struct torture {
    const struct faults_options *o;
    struct faults_score *score;
    const struct command *command;
    size_t sort;
    const char *kubeconfig;
    struct sandbox *sb;
    struct buf out, old_file, new_file; /* of a run in which nothing fails */
    _Atomic bool is_over;               /* no run has so many calls */
    _Atomic int runs, survived;
};

/* ---- one run */

struct scene {
    char *dir, *logs, *hit; /* the command's folder; where its output goes; made by the preload */
    char *id;               /* of its objects */
    struct buf out, err, file;
    int rc; /* -1: it did not end */
    bool was_hit;
};

static void scene_done(struct scene *s)
{
    AUTO(err_done) struct err ignored = {0};

    if (s->logs && file_remove_tree(s->logs, &ignored) < 0)
        fprintf(stderr, "torture: %s\n", err_text(&ignored));
    mem_free(s->dir);
    mem_free(s->logs);
    mem_free(s->hit);
    mem_free(s->id);
    buf_done(&s->out);
    buf_done(&s->err);
    buf_done(&s->file);
}
AUTO_VALUE(struct scene, scene_done)

static int put_file(const struct scene *s, const char *name, const char *text, struct err *e)
{
    AUTO(mem_free_str) char *path = str_printf("%s/%s", s->dir, name);
    AUTO(buf_done) struct buf out = {0};
    str rest = str_of(text), head = str_cut(rest, '@', &rest);

    buf_add_str(&out, head); /* '@' stands for the id, once */
    if (rest.p) {
        buf_add_cstr(&out, s->id);
        buf_add_str(&out, rest);
    }
    return file_replace(path, buf_view(&out), NULL, e);
}

static int set_scene(const struct torture *t, long at, struct scene *s, struct err *e)
{
    const char *sort = sorts[t->sort].name;

    s->logs = str_printf("%s/%s-%s-%ld", t->o->dir, t->command->name, sort, at);
    s->dir = str_printf("%s/work", s->logs);
    s->hit = str_printf("%s/hit", s->logs);
    s->id = t->command->has_server ? str_printf("%s-%ld", sort, at) : mem_strdup("one");
    if (file_mkdirs(s->dir, 0700, e) < 0 || put_file(s, "spec.yaml", spec_text, e) < 0 ||
        put_file(s, "objects.yaml", objects_text, e) < 0)
        return -1;
    return put_file(s, "kustomization.yaml", kustomization_text, e);
}

static void read_all(const char *path, struct buf *out)
{
    AUTO(err_done) struct err ignored = {0};

    if (file_read(path, MAX_OUTPUT, out, &ignored) < 0)
        buf_clear(out);
}

/* at 0: nothing fails. */
static int run(const struct torture *t, long at, struct scene *s, struct err *e)
{
    AUTO(mem_free_str) char *program = realpath(t->o->program, NULL);
    AUTO(mem_free_str) char *folder = str_printf("--chdir=%s", s->dir);
    AUTO(mem_free_str) char *preload = str_printf("LD_PRELOAD=%s", t->o->preload);
    AUTO(mem_free_str) char *sort = str_printf("FAIL_SORT=%s", sorts[t->sort].name);
    AUTO(mem_free_str) char *number = str_printf("FAIL_AT=%ld", at);
    AUTO(mem_free_str) char *hit = str_printf("FAIL_HIT=%s", s->hit);
    AUTO(mem_free_str) char *config = str_printf("KUBECONFIG=%s", t->kubeconfig);
    AUTO(mem_free_str) char *file = str_printf("%s/%s", s->dir, t->command->file);
    AUTO(child_done) struct child child = {0};
    const char *argv[MAX_WORDS] = {"/usr/bin/env", folder, preload, sort, number, hit, config};
    size_t count = 7;

    argv[count++] = program;
    for (size_t i = 0; i < ARRAY_LEN(t->command->words) && t->command->words[i]; i++)
        argv[count++] = strcmp(t->command->words[i], "@") == 0 ? program : t->command->words[i];
    if (child_start_words(argv, s->logs, &child, e) < 0)
        return -1;
    s->rc = child_wait(&child, RUN_MS) ? child_rc(&child) : -1;
    s->was_hit = access(s->hit, F_OK) == 0;
    read_all(child.out, &s->out);
    child_err(&child, &s->err);
    if (t->command->file)
        read_all(file, &s->file);
    return 0;
}

static bool has_objects(struct sandbox *sb, const struct scene *s)
{
    AUTO(err_done) struct err ignored = {0};
    AUTO(buf_done) struct buf name = {0}, got = {0};
    bool has_both = true;

    for (int first = 'a'; first <= 'b'; first++) {
        buf_clear(&name);
        buf_addf(&name, "%c-%s", first, s->id);
        has_both &= sandbox_get(sb, STR("v1"), STR("ConfigMap"), STR("default"), buf_view(&name),
                                &got, &ignored) == 0;
        err_done(&ignored);
    }
    return has_both;
}

/* The server is gone: its file has what it answered. */
static bool has_stored(const struct scene *s)
{
    AUTO(mem_free_str) char *file = str_printf("%s/" DATA, s->dir);
    struct sandbox_options o = {.data_file = file, .is_plain = true, .is_bare = true};
    AUTO(err_done) struct err e = {0};
    AUTO(sandbox_stop) struct sandbox *sb = sandbox_start(&o, &e);

    if (!sb)
        fprintf(stderr, "torture: %s\n", err_text(&e));
    return sb && has_objects(sb, s);
}

/* What is wrong with a run in which one call failed; NULL: nothing. */
static const char *judge(const struct torture *t, const struct scene *s)
{
    bool is_new = str_eq(buf_view(&s->file), buf_view(&t->new_file));

    if (s->rc < 0)
        return "it hangs";
    if (s->rc > 2)
        return "it crashed, or ended in a way that nobody knows";
    if (s->rc != 0 && sorts[t->sort].must_pass)
        return "it did not go on";
    if (s->rc != 0 && s->err.len == 0 && s->out.len == 0)
        return "it failed without a word";
    if (t->command->file && !is_new &&
        (s->rc == 0 || !str_eq(buf_view(&s->file), buf_view(&t->old_file))))
        return "the file is neither the old nor the new one";
    if (s->rc == 0 && (t->command->has_server || t->command->is_server))
        return (t->command->is_server ? has_stored(s) : has_objects(t->sb, s))
                   ? NULL
                   : "it ended well without its objects";
    if (s->rc == 0 && !str_eq(buf_view(&s->out), buf_view(&t->out)))
        return "it ended well with another output";
    return NULL;
}

static void run_one(void *ctx, size_t i)
{
    struct torture *t = ctx;
    long at = (long)i * (t->command->has_server ? sorts[t->sort].step : 1) + 1;
    AUTO(scene_done) struct scene s = {0};
    AUTO(err_done) struct err e = {0};
    const char *wrong;

    if (t->is_over)
        return;
    if (set_scene(t, at, &s, &e) < 0 || run(t, at, &s, &e) < 0) {
        fprintf(stderr, "torture: %s\n", err_text(&e));
        t->runs++;
        return;
    }
    if (!s.was_hit) {
        t->is_over = true;
        return;
    }
    t->runs++;
    wrong = judge(t, &s);
    t->survived += !wrong;
    if (wrong)
        fprintf(stderr, "torture: %s, %s %ld: %s (exit %d)\n%s", t->command->name,
                sorts[t->sort].name, at, wrong, s.rc, buf_cstr(&s.err));
}

/* ---- all */

/* How it is when nothing fails. */
static bool run_plain(struct torture *t)
{
    AUTO(scene_done) struct scene s = {0};
    AUTO(err_done) struct err e = {0};

    buf_clear(&t->out);
    buf_clear(&t->new_file);
    if (set_scene(t, 0, &s, &e) < 0 || run(t, 0, &s, &e) < 0 || s.rc != 0) {
        fprintf(stderr, "torture: %s does not work at all: %s%s\n", t->command->name,
                e.text ? e.text : "", buf_cstr(&s.err));
        return false;
    }
    buf_add_str(&t->out, buf_view(&s.out));
    buf_add_str(&t->new_file, buf_view(&s.file));
    return true;
}

static void run_sort(struct torture *t)
{
    if ((t->command->has_server || t->command->is_server) &&
        str_eq(str_of(sorts[t->sort].name), STR("memory")))
        return; /* libcurl 7.88 loses a transfer, or divides by zero, when it gets no memory */
    t->is_over = false;
    t->runs = t->survived = 0;
    if (t->sort == 0 && !run_plain(t)) {
        t->score->failed++;
        return;
    }
    faults_each(t->o->workers, MOST_CALLS, run_one, t);
    printf("faults/torture/%s, %s: %d of %d survived\n", t->command->name, sorts[t->sort].name,
           t->survived, t->runs);
    t->score->passed += t->survived;
    t->score->failed += t->runs - t->survived;
}

static int start_server(struct torture *t, char **ret_path, struct err *e)
{
    struct sandbox_options options = {.no_controllers = true, .is_plain = true};
    AUTO(buf_done) struct buf text = {0};

    t->sb = sandbox_start(&options, e);
    if (!t->sb)
        return -1;
    *ret_path = str_printf("%s/torture.kubeconfig", t->o->dir);
    sandbox_kubeconfig(t->sb, &text);
    return file_replace(*ret_path, buf_view(&text), NULL, e);
}

void faults_torture(const struct faults_options *o, struct faults_score *score)
{
    struct torture t = {.o = o, .score = score};
    AUTO(mem_free_str) char *kubeconfig = NULL;
    AUTO(err_done) struct err e = {0};

    if (!o->preload) {
        printf("faults/torture: left out, sanitizers are not to be preloaded over\n");
        return;
    }
    if (start_server(&t, &kubeconfig, &e) < 0) {
        fprintf(stderr, "torture: %s\n", err_text(&e));
        score->failed++;
    }
    t.kubeconfig = kubeconfig;
    buf_add_cstr(&t.old_file, kustomization_text);
    for (size_t i = 0; t.sb && i < ARRAY_LEN(commands); i++)
        for (t.sort = 0; t.sort < ARRAY_LEN(sorts); t.sort++) {
            t.command = &commands[i];
            if (!o->only || str_contains(str_of(commands[i].name), str_of(o->only)))
                run_sort(&t);
        }
    sandbox_stop(t.sb);
    buf_done(&t.out);
    buf_done(&t.old_file);
    buf_done(&t.new_file);
}
