/* The server that a kubeconfig names and what it takes to be let in: one with the sandbox's or
 * tests/cluster's layout, one cluster, one user, a client certificate. */
#pragma once
#include "base/buf.h"
#include "base/err.h"

struct target {
    char *server;
    struct buf ca, cert, key; /* PEM; empty: plain HTTP */
};
int target_read(const char *kubeconfig, struct target *ret, struct err *e);
void target_done(struct target *t);
AUTO_VALUE(struct target, target_done)
