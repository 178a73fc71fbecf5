#include "sys/signal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/mem.h"
#include "sys/proc.h"
#include "sys/thread.h"

struct signal_guard {
    struct cancel *run;
    signal_last_fn *last;
    void *ctx;
    struct thread *thread;
    int signals, stop; /* descriptors */
    int first;         /* of the signal thread */
    sigset_t before;   /* mask of the starting thread */
};

static void take(struct signal_guard *g, int signo)
{
    char reason[64];

    if (g->first) {
        proc_kill_all();
        if (g->last)
            g->last(g->ctx, signo);
        _exit(128 + signo);
    }
    g->first = signo;
    snprintf(reason, sizeof(reason), "canceled by SIG%s", sigabbrev_np(signo));
    cancel_trigger(g->run, ERR_CANCELED, reason);
}

static void watch_signals(void *ctx)
{
    struct signal_guard *g = ctx;
    struct pollfd fds[] = {{g->signals, POLLIN, 0}, {g->stop, POLLIN, 0}};

    for (;;) {
        struct signalfd_siginfo info;

        if (poll(fds, ARRAY_LEN(fds), -1) < 0 && errno != EINTR)
            return;
        if (fds[1].revents)
            return;
        while (read(g->signals, &info, sizeof(info)) == sizeof(info))
            take(g, (int)info.ssi_signo);
    }
}

static void wanted_signals(sigset_t *set)
{
    static const int ours[] = {SIGINT, SIGTERM, SIGHUP};

    sigemptyset(set);
    for (size_t i = 0; i < ARRAY_LEN(ours); i++) {
        struct sigaction now;

        if (sigaction(ours[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaddset(set, ours[i]);
    }
}

static int open_descriptors(struct signal_guard *g, const sigset_t *set, struct err *e)
{
    g->signals = signalfd(-1, set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (g->signals < 0)
        return err_errno(e, errno, "signalfd");
    g->stop = eventfd(0, EFD_CLOEXEC);
    return g->stop < 0 ? err_errno(e, errno, "eventfd") : 0;
}

struct signal_guard *signal_start(struct cancel *run, signal_last_fn *last, void *ctx,
                                  struct err *e)
{
    AUTO(signal_stop) struct signal_guard *g = NEW(struct signal_guard);
    sigset_t set;

    *g = (struct signal_guard){.run = run, .last = last, .ctx = ctx, .signals = -1, .stop = -1};
    signal(SIGPIPE, SIG_IGN);
    wanted_signals(&set);
    pthread_sigmask(SIG_BLOCK, &set, &g->before);
    if (open_descriptors(g, &set, e) < 0)
        return NULL;
    g->thread = thread_start("signals", watch_signals, g, e);
    return g->thread ? TAKE(g) : NULL;
}

void signal_stop(struct signal_guard *g)
{
    uint64_t one = 1;

    if (!g)
        return;
    if (g->thread && write(g->stop, &one, sizeof(one)) == sizeof(one))
        thread_join(g->thread);
    if (g->signals >= 0)
        close(g->signals);
    if (g->stop >= 0)
        close(g->stop);
    pthread_sigmask(SIG_SETMASK, &g->before, NULL);
    mem_free(g);
}
