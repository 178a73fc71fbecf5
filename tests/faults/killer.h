/* Kills a process at its n-th request: the hooks of the server it talks to.
 *
 * The hooks run on the server's threads, the rest on the one that starts the process; a killer is
 * borrowed by the server until that stops. */
#pragma once
#include "faults/child.h"
#include "sandbox/sandbox.h"

struct killer {
    _Atomic pid_t pid;
    _Atomic int seen, answered; /* requests of this process */
    _Atomic int at;             /* which of them it dies of; 0: none */
    bool is_after;              /* carried out and not answered, else before it is looked at */
};

struct sandbox_hooks killer_hooks(struct killer *k);
/* In front of each start of a process. */
void killer_arm(struct killer *k, int at);
/* Behind it: waits for its end. 0, or 128 + SIGKILL; any other status is an error, in the process's
 * own words behind `what`. */
int killer_wait(struct killer *k, struct child *child, const char *what, struct err *e);
