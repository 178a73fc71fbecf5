/* commands_bench [OPTIONS] --name NAME --ours COMMAND --theirs COMMAND: two commands side by side,
 * wall time and peak memory.
 *
 *   --bar X       at least so many times faster; --at-most X: ours takes at most so many times as
 * long
 *   --rss MB      our peak memory at most
 *   --cpu X       at least so many times less processor time; --cpu-ms X: ours is at most so much
 *                 (medians of all runs, as the wall time is)
 *   --times N     N runs make one measurement (for commands of a millisecond)
 *   --before CMD  runs before each measurement, unmeasured
 *
 * Commands are words divided by blanks; output goes to /dev/null. Exit status 1 below a bar. */
#include <fcntl.h>
#include <getopt.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/pair.h"

enum { MAX_WORDS = 64, MAX_RUNS = 4096 };

struct side {
    char *words[MAX_WORDS + 1];
    double cpu[MAX_RUNS]; /* seconds */
    int runs;             /* those after the last place are not kept */
    long rss_kb;
};
struct work {
    struct side ours, theirs, before;
    int times;
};

static void split(struct side *s, char *command)
{
    char *rest = command, *word;
    int n = 0;

    while ((word = strsep(&rest, " ")) && n < MAX_WORDS)
        if (*word)
            s->words[n++] = word;
}

static double run_once(struct side *s)
{
    double start = pair_now();
    posix_spawn_file_actions_t actions;
    struct rusage use;
    pid_t pid;
    int status, rc;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    rc = posix_spawnp(&pid, s->words[0], &actions, NULL, s->words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (rc != 0 || wait4(pid, &status, 0, &use) < 0 || status != 0) {
        fprintf(stderr, "%s: failed\n", s->words[0]);
        return -1;
    }
    if (s->runs < MAX_RUNS)
        s->cpu[s->runs++] = (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
                            (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) * 1e-6;
    s->rss_kb = MAX(s->rss_kb, use.ru_maxrss);
    return pair_now() - start;
}

static double cpu_of(struct side *s) { return pair_median(s->cpu, (size_t)s->runs); }

static double run_times(struct work *w, struct side *s)
{
    double sum = 0;

    if (w->before.words[0] && run_once(&w->before) < 0)
        return -1;
    for (int i = 0; i < w->times; i++) {
        double t = run_once(s);

        if (t < 0)
            return -1;
        sum += t;
    }
    return sum / w->times;
}

static double run_ours(void *ctx) { return run_times(ctx, &((struct work *)ctx)->ours); }
static double run_theirs(void *ctx) { return run_times(ctx, &((struct work *)ctx)->theirs); }

static const struct option options[] = {
    {"name", required_argument, NULL, 'n'},
    {"ours", required_argument, NULL, 'o'},
    {"theirs", required_argument, NULL, 't'},
    {"bar", required_argument, NULL, 'b'},
    {"at-most", required_argument, NULL, 'm'},
    {"rss", required_argument, NULL, 'r'},
    {"cpu", required_argument, NULL, 'c'},
    {"times", required_argument, NULL, 'k'},
    {"before", required_argument, NULL, 'f'},
    {"cpu-ms", required_argument, NULL, 'p'},
    {0},
};

static const char *title(const char *name, const char *what)
{
    static char text[256];

    snprintf(text, sizeof(text), "%s%s", name, what);
    return text;
}

int main(int argc, char **argv)
{
    struct work w = {.times = 1};
    struct pair_row row = {0};
    double rss = 0, cpu = 0, cpu_ms = 0;
    bool is_met;
    int c;

    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (c) {
        case 'n':
            row.name = optarg;
            break;
        case 'o':
            split(&w.ours, optarg);
            break;
        case 't':
            split(&w.theirs, optarg);
            break;
        case 'f':
            split(&w.before, optarg);
            break;
        case 'm':
            row.is_ratio_ours = true; /* fall through */
        case 'b':
            row.bar = strtod(optarg, NULL);
            break;
        case 'r':
            rss = strtod(optarg, NULL);
            break;
        case 'c':
            cpu = strtod(optarg, NULL);
            break;
        case 'p':
            cpu_ms = strtod(optarg, NULL);
            break;
        case 'k':
            w.times = (int)strtol(optarg, NULL, 10);
            break;
        default:
            return 2;
        }
    }
    if (!row.name || !w.ours.words[0] || !w.theirs.words[0] || w.times < 1)
        return 2;
    is_met = pair_run(&row, run_ours, run_theirs, &w);
    if (rss > 0)
        is_met &= pair_value(title(row.name, ", our peak memory"), (double)w.ours.rss_kb / 1024,
                             "MB", rss);
    if (cpu > 0)
        is_met &= pair_value(title(row.name, ", our processor time"),
                             cpu_of(&w.ours) / cpu_of(&w.theirs), "of theirs", 1 / cpu);
    if (cpu_ms > 0)
        is_met &= pair_value(title(row.name, ", our processor time"), cpu_of(&w.ours) * 1e3, "ms",
                             cpu_ms);
    return !is_met;
}
