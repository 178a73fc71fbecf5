/* Runs the conformance suites and prints a line for each, `name: N passed, N failed`.
 *
 *     conformance --data DIR --out DIR --program FILE [--floor FILE] [--update] [--only TEXT]
 * [SUITE...]
 *
 * A suite is a folder of the data; folders the data lacks are left out, folders whose engine is not
 * built count as failed. Why a case failed stands in OUT/SUITE.log. Exit status 1 when a line is
 * below the floor, 2 on bad usage. */
#include <dirent.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/vec.h"
#include "conformance/floor.h"
#include "conformance/suite_priv.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { LIMIT_S = 200 };
#else
enum { LIMIT_S = 60 }; /* two RSA keys of 4,096 bits take 3 s, unlucky ones five times that */
#endif

/* A suite's turn, as the runner sees it. */
struct turn {
    struct suite suite;
    pid_t pid; /* of the attempt that runs, 0 when none */
    bool is_done;
};
struct run {
    const char *data, *out, *program, *floor_path, *only;
    bool is_update;
    VEC(struct turn) turns;
    size_t started, printed;
    struct floor floor;
    bool is_below;
};

static struct suite_entry *entries;

void suite_register(struct suite_entry *entry)
{
    entry->next = entries;
    entries = entry;
}

/* '_' in an entry's name stands for '-'. */
static bool names_folder(const char *entry, const char *folder)
{
    for (; *entry && (*entry == *folder || (*entry == '_' && *folder == '-')); entry++)
        folder++;
    return !*entry && !*folder;
}

static suite_run_fn *find_suite(const char *folder)
{
    for (struct suite_entry *e = entries; e; e = e->next)
        if (names_folder(e->name, folder))
            return e->run;
    return pending_suite(folder);
}

static void *must(void *p, const char *what)
{
    if (!p || p == MAP_FAILED) {
        perror(what);
        exit(2);
    }
    return p;
}

static void add_turn(struct run *r, const char *name, suite_run_fn *fn)
{
    AUTO(buf_done) struct buf log = {0};
    struct turn *t = vec_add(&r->turns);

    buf_addf(&log, "%s/%s.log", r->out, name);
    t->suite = (struct suite){
        .name = mem_strdup(name),
        .folder = str_printf("%s/%s", r->data, name),
        .program = r->program,
        .only = r->only,
        .run = fn,
        .limit_s = LIMIT_S,
        .log = open(log.p, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644),
        .tally = must(mmap(NULL, sizeof(struct suite_tally), PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_ANONYMOUS, -1, 0),
                      "mmap"),
    };
    if (t->suite.log < 0)
        must(NULL, log.p);
}

/* The folders of the data, or those of them that were named. */
static void add_turns(struct run *r, char **names, int count)
{
    struct dirent **found;
    int n = scandir(r->data, &found, NULL, alphasort);

    if (n < 0)
        must(NULL, r->data);
    for (int i = 0; i < n; i++) {
        const char *name = found[i]->d_name;
        suite_run_fn *fn = find_suite(name);
        bool is_wanted = count == 0;

        for (int k = 0; k < count; k++)
            is_wanted |= strcmp(names[k], name) == 0;
        if (fn && is_wanted)
            add_turn(r, name, fn);
        free(found[i]);
    }
    free(found);
}

/* Starts a suite, or what is left of it after a crash, in a process group of its own. */
static void turn_start(struct turn *t)
{
    struct suite *s = &t->suite;

    s->skip = s->tally->begun;
    s->tally->in_case = false;
    fflush(NULL);
    t->pid = fork();
    if (t->pid < 0)
        must(NULL, "fork");
    if (t->pid == 0) {
        setpgid(0, 0);
        s->run(s);
        doc_set_free(s->set);
        exit(0); /* not _exit: coverage counters and the leak check want their turn */
    }
    setpgid(t->pid, t->pid);
}

PRINTF(3, 4) static void log_line(struct suite *s, const char *id, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    suite_log(s, id, fmt, args);
    va_end(args);
}

/* True when the suite is to go on behind the case that ended its process. */
static bool turn_end(struct turn *t, int status)
{
    struct suite *s = &t->suite;
    struct suite_tally *tally = s->tally;
    bool is_progress = tally->begun > s->skip;
    int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

    kill(-t->pid, SIGKILL); /* what the suite started and left behind */
    t->pid = 0;
    if (status == 0)
        return false;
    if (!tally->table_count)
        tally->table_count = 1;
    log_line(s, tally->id[0] ? tally->id : "(start)",
             number == SIGALRM ? "took too long" : "ended the suite: %s",
             number ? strsignal(number) : "exit");
    suite_count(s, false);
    return is_progress && !(WIFEXITED(status) && WEXITSTATUS(status) == SUITE_ABORTED);
}

static void print_suite(struct run *r, const struct suite *s)
{
    for (unsigned i = 0; i < s->tally->table_count; i++) {
        const struct suite_table *t = &s->tally->tables[i];
        AUTO(buf_done) struct buf name = {0};
        unsigned want;

        buf_addf(&name, "%s%s%s", s->name, t->name[0] ? "/" : "", t->name);
        want = floor_of(&r->floor, name.p);
        printf("%s: %u passed, %u failed\n", name.p, t->passed, t->failed);
        if (r->is_update)
            floor_raise(&r->floor, name.p, t->passed);
        else if (t->passed < want && !r->only) {
            fprintf(stderr, "%s is below its floor of %u, see %s/%s.log\n", name.p, want, r->out,
                    s->name);
            r->is_below = true;
        }
    }
    fflush(stdout);
}

/* Lines come in the order of names, each as soon as it and those before it are known. */
static void print_ready(struct run *r)
{
    for (; r->printed < r->turns.len && r->turns.v[r->printed].is_done; r->printed++)
        print_suite(r, &r->turns.v[r->printed].suite);
}

static void run_all(struct run *r)
{
    long width = MAX(sysconf(_SC_NPROCESSORS_ONLN), 1L);
    long running = 0;

    while (r->printed < r->turns.len) {
        int status;
        pid_t pid;

        while (running < width && r->started < r->turns.len) {
            turn_start(&r->turns.v[r->started++]);
            running++;
        }
        pid = waitpid(-1, &status, 0);
        for (size_t i = 0; i < r->started; i++) {
            struct turn *t = &r->turns.v[i];

            if (t->pid != pid)
                continue;
            t->is_done = !turn_end(t, status);
            if (t->is_done)
                running--;
            else
                turn_start(t);
        }
        print_ready(r);
    }
}

static void run_done(struct run *r)
{
    for (size_t i = 0; i < r->turns.len; i++) {
        struct suite *s = &r->turns.v[i].suite;

        close(s->log);
        munmap(s->tally, sizeof(*s->tally));
        mem_free((char *)s->name);
        mem_free((char *)s->folder);
    }
    vec_done(&r->turns);
    floor_done(&r->floor);
}

static const struct option options[] = {
    {"data", required_argument, NULL, 'd'},
    {"out", required_argument, NULL, 'o'},
    {"program", required_argument, NULL, 'p'},
    {"floor", required_argument, NULL, 'f'},
    {"only", required_argument, NULL, 'c'},
    {"update", no_argument, NULL, 'u'},
    {0},
};

int main(int argc, char **argv)
{
    struct run r = {0};
    int c;

    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (c) {
        case 'd':
            r.data = optarg;
            break;
        case 'o':
            r.out = optarg;
            break;
        case 'p':
            r.program = optarg;
            break;
        case 'f':
            r.floor_path = optarg;
            break;
        case 'c':
            r.only = optarg;
            break;
        case 'u':
            r.is_update = true;
            break;
        default:
            return 2;
        }
    }
    if (!r.data || !r.out || !r.program) {
        fprintf(stderr, "conformance: --data, --out and --program are needed\n");
        return 2;
    }
    if (r.floor_path)
        floor_load(&r.floor, r.floor_path);
    add_turns(&r, argv + optind, argc - optind);
    if (!r.turns.len) {
        fprintf(stderr, "conformance: no such suite in %s\n", r.data);
        return 2;
    }
    run_all(&r);
    if (r.is_update && r.floor_path)
        floor_save(&r.floor, r.floor_path);
    run_done(&r);
    return r.is_below;
}
