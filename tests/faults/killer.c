#include "faults/killer.h"

#include <signal.h>
#include <sys/wait.h>

#include "sys/cancel.h"

enum { RUN_MS = 300000 };

static void shoot(struct killer *k)
{
    siginfo_t info;

    while (!k->pid) { /* the parent has not been told its number yet */
        AUTO(err_done) struct err never = {0};

        if (cancel_sleep(NULL, 1, &never) < 0)
            return;
    }
    k->at = 0;
    kill(k->pid, SIGKILL);
    waitid(P_PID, (id_t)k->pid, &info, WEXITED | WNOWAIT); /* it must not see the answer */
}

static int on_before(void *ctx, const struct sandbox_call *call UNUSED)
{
    struct killer *k = ctx;

    if (++k->seen != k->at || k->is_after)
        return 0;
    shoot(k);
    return 500; /* to nobody: what was asked is not done */
}

static void on_after(void *ctx, const struct sandbox_call *call UNUSED)
{
    struct killer *k = ctx;

    if (++k->answered == k->at && k->is_after)
        shoot(k);
}

struct sandbox_hooks killer_hooks(struct killer *k)
{
    return (struct sandbox_hooks){.before = on_before, .after = on_after, .ctx = k};
}

void killer_arm(struct killer *k, int at)
{
    k->pid = 0;
    k->seen = k->answered = 0;
    k->at = at;
}

int killer_wait(struct killer *k, struct child *child, const char *what, struct err *e)
{
    AUTO(buf_done) struct buf said = {0};
    int rc;

    k->pid = child->pid;
    if (!child_wait(child, RUN_MS))
        return err_set(e, ERR_TIMEOUT, "%s does not end", what);
    rc = child_rc(child);
    if (rc == 0 || rc == 128 + SIGKILL)
        return rc;
    child_err(child, &said);
    return err_set(e, ERR_IO, "%s: exit status %d: %s", what, rc, buf_cstr(&said));
}
