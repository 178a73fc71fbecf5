#include "sys/watch.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"

enum { MAX_DEPTH = 64 };

struct watch {
    int fd;
};

struct watch *watch_new(struct err *e)
{
    struct watch *w;
    int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);

    if (fd < 0) {
        err_errno(e, errno, "watching files");
        return NULL;
    }
    w = NEW(struct watch);
    w->fd = fd;
    return w;
}

void watch_free(struct watch *w)
{
    if (!w)
        return;
    close(w->fd);
    mem_free(w);
}

static int add_one(struct watch *w, const char *folder, struct err *e)
{
    uint32_t what = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE |
                    IN_DELETE_SELF | IN_ONLYDIR;

    if (inotify_add_watch(w->fd, folder, what) >= 0 || errno == ENOENT)
        return 0;
    if (errno == ENOSPC)
        return err_set(e, ERR_LIMIT, "watching %s: too many folders are watched", folder);
    return err_errno(e, errno, "watching %s", folder);
}

static int add_tree(struct watch *w, const char *folder, int depth, struct err *e)
{
    DIR *dir;
    struct dirent *entry;
    int rc = add_one(w, folder, e);

    if (rc < 0 || depth >= MAX_DEPTH)
        return rc;
    dir = opendir(folder);
    while (dir && rc == 0 && (entry = readdir(dir))) {
        AUTO(buf_done) struct buf path = {0};

        if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
            continue;
        buf_addf(&path, "%s/%s", folder, entry->d_name);
        rc = add_tree(w, buf_cstr(&path), depth + 1, e);
    }
    if (dir)
        closedir(dir);
    return rc;
}

int watch_add(struct watch *w, const char *folder, struct err *e)
{
    return add_tree(w, folder, 0, e);
}

/* Everything that is there now; how much does not matter. */
static bool drain(struct watch *w)
{
    char events[4096];
    bool any = false;

    while (read(w->fd, events, sizeof(events)) > 0)
        any = true;
    return any;
}

int watch_wait(struct watch *w, struct cancel *cancel, struct err *e)
{
    struct pollfd fds[2] = {{.fd = w->fd, .events = POLLIN},
                            {.fd = cancel ? cancel_fd(cancel) : -1, .events = POLLIN}};

    for (;;) {
        int rc = poll(fds, 2, -1);

        if (rc < 0 && errno != EINTR)
            return err_errno(e, errno, "watching files");
        if (cancel && cancel_is_set(cancel))
            return 0;
        if (rc > 0 && drain(w))
            return 1;
    }
}
