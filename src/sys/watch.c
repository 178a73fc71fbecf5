#include "sys/watch.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/vec.h"

enum { MAX_DEPTH = 64, COMES_BACK_MS = 20 };

struct watch {
    int fd;
    VEC(char *) folders; /* by descriptor; NULL for those that are no more */
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
    for (size_t i = 0; i < w->folders.len; i++)
        mem_free(w->folders.v[i]);
    vec_done(&w->folders);
    mem_free(w);
}

/* ---- adding */

static int note(struct watch *w, int descriptor, const char *folder)
{
    char **slot;

    while (w->folders.len <= (size_t)descriptor)
        vec_push(&w->folders, NULL);
    slot = &w->folders.v[descriptor];
    if (*slot)
        return 0;
    *slot = mem_strdup(folder);
    return 1;
}

static int add_one(struct watch *w, const char *folder, struct err *e)
{
    uint32_t what = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE |
                    IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;
    int descriptor = inotify_add_watch(w->fd, folder, what);

    if (descriptor >= 0)
        return note(w, descriptor, folder);
    if (errno == ENOENT || errno == ENOTDIR)
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
    while (dir && rc >= 0 && (entry = readdir(dir))) {
        AUTO(buf_done) struct buf path = {0};
        int below;

        if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
            continue;
        buf_addf(&path, "%s/%s", folder, entry->d_name);
        below = add_tree(w, buf_cstr(&path), depth + 1, e);
        rc = below < 0 ? -1 : rc | below;
    }
    if (dir)
        closedir(dir);
    return rc;
}

int watch_add(struct watch *w, const char *folder, bool with_below, struct err *e)
{
    return with_below ? add_tree(w, folder, 0, e) : add_one(w, folder, e);
}

/* ---- telling */

struct telling {
    struct watch *w;
    watch_told_fn *told;
    void *ctx;
    bool is_any, is_any_there; /* told; and not only of what went */
};

/* Made by opening it for writing: closing it is told, too. */
static bool is_being_made(str folder, str name)
{
    AUTO(buf_done) struct buf path = {0};
    struct stat st;

    buf_addf(&path, "%.*s/%.*s", STR_ARG(folder), STR_ARG(name));
    return lstat(buf_cstr(&path), &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink == 1 &&
           st.st_size == 0;
}

static void tell(struct telling *t, const struct inotify_event *event)
{
    str folder = STR(""), name = str_of(event->len ? event->name : "");
    size_t at = (size_t)event->wd;

    if (event->wd >= 0 && at < t->w->folders.len)
        folder = str_of(t->w->folders.v[at]);
    if (event->mask & IN_IGNORED) {
        if (event->wd >= 0 && at < t->w->folders.len) {
            mem_free(t->w->folders.v[at]);
            t->w->folders.v[at] = NULL;
        }
        return;
    }
    if (!folder.len && !(event->mask & IN_Q_OVERFLOW))
        return;
    if ((event->mask & IN_CREATE) && !(event->mask & IN_ISDIR) && is_being_made(folder, name))
        return;
    t->is_any = true;
    t->is_any_there |= !(event->mask & (IN_DELETE | IN_DELETE_SELF | IN_MOVED_FROM | IN_MOVE_SELF));
    if (t->told)
        t->told(t->ctx, folder, name);
}

/* Everything that is there now. */
static void drain(struct telling *t)
{
    _Alignas(struct inotify_event) char events[16 << 10];
    ssize_t len;

    while ((len = read(t->w->fd, events, sizeof(events))) > 0)
        for (ssize_t at = 0; at < len;) {
            const struct inotify_event *event = (const void *)(events + at);

            tell(t, event);
            at += (ssize_t)(sizeof(*event) + event->len);
        }
}

int watch_wait(struct watch *w, struct cancel *cancel, watch_told_fn *told, void *ctx,
               struct err *e)
{
    struct telling t = {.w = w, .told = told, .ctx = ctx};
    struct pollfd fds[2] = {{.fd = w->fd, .events = POLLIN},
                            {.fd = cancel ? cancel_fd(cancel) : -1, .events = POLLIN}};

    for (;;) {
        int rc = poll(fds, 2, t.is_any ? COMES_BACK_MS : -1);

        if (rc < 0 && errno != EINTR)
            return err_errno(e, errno, "watching files");
        if (cancel && cancel_is_set(cancel))
            return 0;
        if (rc > 0)
            drain(&t);
        if (t.is_any_there || (t.is_any && rc == 0))
            return 1;
    }
}
