/* What proc.c (life of a child) and proc_spawn.c (its birth) share. */
#pragma once
#include "sys/proc.h"

struct proc_child {
    pid_t pid;
    int pidfd;        /* -1: the kernel has none */
    int in, out, err; /* our ends, -1 when closed */
};
int proc_spawn(const struct proc_spec *spec, struct proc_child *ret, struct err *e);

/* Makes the process a subreaper, once. Both with proc.c's lock held and no child of its own running
 * when they kill. */
void proc_orphans_begin(void);
void proc_orphans_kill(void);
