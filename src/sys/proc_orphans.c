/* Processes that left their group: the kernel hands those whose parents have ended to the nearest
 * subreaper, which this process becomes when the first child asks for it. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/vec.h"
#include "sys/proc_priv.h"

enum { MAX_ROUNDS = 100 /* of killing: what dies hands its own children on */ };

struct pids {
    pid_t *v;
    size_t len, cap;
};

static bool has_pid(const struct pids *list, pid_t pid)
{
    for (size_t i = 0; i < list->len; i++)
        if (list->v[i] == pid)
            return true;
    return false;
}

/* The children of all threads, as /proc tells them. */
static void list_children(struct pids *ret)
{
    DIR *tasks = opendir("/proc/self/task");
    struct dirent *task;

    while (tasks && (task = readdir(tasks))) {
        char path[300];
        FILE *file;
        int pid;

        if (task->d_name[0] == '.')
            continue;
        snprintf(path, sizeof(path), "/proc/self/task/%s/children", task->d_name);
        file = fopen(path, "re");
        while (file && fscanf(file, "%d", &pid) == 1) // NOLINT(cert-err34-c): the kernel wrote it
            vec_push(ret, (pid_t)pid);
        if (file)
            fclose(file);
    }
    if (tasks)
        closedir(tasks);
}

/* Those that were there before: a shell that became us by exec had children of its own. */
static struct {
    struct pids before;
    bool is_on;
} orphans;

void proc_orphans_begin(void)
{
    if (orphans.is_on)
        return;
    list_children(&orphans.before);
    orphans.is_on = prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0;
}

void proc_orphans_kill(void)
{
    for (int round = 0; orphans.is_on && round < MAX_ROUNDS; round++) {
        struct pids now = {0};
        size_t killed = 0;

        list_children(&now);
        for (size_t i = 0; i < now.len; i++) {
            if (has_pid(&orphans.before, now.v[i]))
                continue;
            kill(now.v[i], SIGKILL);
            while (waitpid(now.v[i], NULL, 0) < 0 && errno == EINTR)
                ;
            killed++;
        }
        vec_done(&now);
        if (!killed)
            return;
    }
}
