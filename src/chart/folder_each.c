/* The folder of a chart: what is in it and in its folders is read side by side, where that is much.
 */
#include <dirent.h>

#include "base/log.h"
#include "chart/folder_priv.h"
#include "sys/file.h"
#include "sys/thread.h"

enum { MOST_OPEN = 16 }; /* folders of the root that are looked into first */

/* A file or folder to read with all that is in it. */
struct task {
    str path;
    int folder; /* it is in; not ours to close */
    int level;
    unsigned char type;
    struct chart_files files;
    struct str_vec outside;
};
struct worker {
    struct arena arena;
    struct buf path;
};
struct reading {
    struct folder_walk walk;
    VEC(struct task) tasks; /* in the order of a walk */
    VEC(int) folders;       /* open while tasks are in them */
    struct worker workers[THREAD_EACH_MOST];
};

static void reading_done(struct reading *r)
{
    for (size_t i = 0; i < r->tasks.len; i++) {
        vec_done(&r->tasks.v[i].files);
        str_vec_done(&r->tasks.v[i].outside);
    }
    vec_done(&r->tasks);
    for (size_t i = 0; i < r->folders.len; i++)
        file_close(r->folders.v[i]);
    vec_done(&r->folders);
    for (size_t i = 0; i < ARRAY_LEN(r->workers); i++) {
        arena_done(&r->workers[i].arena);
        buf_done(&r->workers[i].path);
    }
    chart_ignore_done(&r->walk.ignore);
    pthread_mutex_destroy(&r->walk.lock);
}
AUTO_VALUE(struct reading, reading_done)

static int read_rules(struct doc_set *set, struct folder_walk *w, struct err *e)
{
    AUTO(buf_done) struct buf text = {0};
    AUTO(err_done) struct err bad = {0};

    if (file_read_beneath(w->root, ".helmignore", CHART_MAX_FILE, &text, &bad) < 0) {
        if (bad.kind == ERR_NOT_FOUND)
            return 0;
        err_move(e, &bad);
        return -1;
    }
    return chart_ignore_read(&w->ignore, arena_dup(&set->arena, buf_view(&text)), e);
}

/* ---- what there is to do */

static void add_members(struct reading *r, struct folder_reader *reader, int fd,
                        const struct folder_names *names);

/* A folder of the root: its members are tasks. False where it is to be one itself, whatever is
 * wrong with it. */
static bool add_folder(struct reading *r, struct folder_reader *reader, int parent)
{
    AUTO(folder_names_done) struct folder_names names = {0};
    AUTO(err_done) struct err told_later = {0};
    int fd = r->folders.len < MOST_OPEN ? folder_open_plain(parent, buf_view(&reader->path)) : -1;

    if (fd < 0)
        return false;
    vec_push(&r->folders, fd);
    if (folder_list(reader, fd, &names, &told_later) < 0)
        return false;
    add_members(r, reader, fd, &names);
    return true;
}

static void add_members(struct reading *r, struct folder_reader *reader, int fd,
                        const struct folder_names *names)
{
    size_t length = reader->path.len;

    reader->level++;
    for (size_t i = 0; i < names->list.len; i++, buf_trunc(&reader->path, length)) {
        const struct folder_name *name = &names->list.v[i];

        if (length)
            buf_add_char(&reader->path, '/');
        buf_add_str(&reader->path, name->text);
        if (name->type == DT_DIR &&
            (chart_ignore_has(&r->walk.ignore, buf_view(&reader->path), true) ||
             (!length && add_folder(r, reader, fd))))
            continue;
        vec_push(&r->tasks, {.path = arena_dup(reader->arena, buf_view(&reader->path)),
                             .folder = fd,
                             .level = reader->level,
                             .type = name->type});
    }
    reader->level--;
}

static int add_root(struct reading *r, struct arena *arena, struct err *e)
{
    AUTO(folder_names_done) struct folder_names names = {0};
    struct folder_reader reader = {.walk = &r->walk, .arena = arena};

    if (folder_list(&reader, r->walk.root, &names, e) < 0)
        return -1;
    add_members(r, &reader, r->walk.root, &names);
    buf_done(&reader.path);
    return 0;
}

/* ---- doing it */

static int read_task(void *ctx, size_t at, unsigned worker, struct err *e)
{
    struct reading *r = ctx;
    struct task *task = &r->tasks.v[at];
    struct worker *w = &r->workers[worker];
    struct folder_reader reader = {.walk = &r->walk,
                                   .arena = &w->arena,
                                   .path = w->path,
                                   .level = task->level,
                                   .files = &task->files,
                                   .outside = &task->outside};
    int rc;

    buf_clear(&reader.path);
    buf_add_str(&reader.path, task->path);
    rc = folder_read(&reader, task->folder, task->type, e);
    w->path = reader.path;
    return rc;
}

/* Starting a thread costs as much as reading some folders. */
static size_t threads_worth(const struct reading *r)
{
    enum { FOLDERS_FOR_TWO = 8 };
    size_t folders = 0;

    for (size_t i = 0; i < r->tasks.len; i++)
        folders += r->tasks.v[i].type == DT_DIR;
    return folders < FOLDERS_FOR_TWO ? 1 : THREAD_EACH_MOST;
}

static void tell_outside(const struct reading *r)
{
    for (size_t i = 0; i < r->tasks.len; i++)
        for (size_t k = 0; k < r->tasks.v[i].outside.len; k++)
            log_warn("a link leads out of the chart's folder; the content is used",
                     LOG_STR("path", r->tasks.v[i].outside.v[k]));
}

static void take_files(const struct reading *r, struct chart_files *ret)
{
    for (size_t i = 0; i < r->tasks.len; i++)
        for (size_t k = 0; k < r->tasks.v[i].files.len; k++)
            vec_push(ret, r->tasks.v[i].files.v[k]);
}

/* One of the workers writes to the set's arena, the others have their own meanwhile. */
static int read_all(struct reading *r, struct doc_set *set, struct err *e)
{
    int rc;

    r->workers[0].arena = set->arena;
    set->arena = (struct arena){0};
    rc = thread_each("folders", r->tasks.len, threads_worth(r), read_task, r, e);
    for (size_t i = 0; i < ARRAY_LEN(r->workers); i++)
        arena_join(&set->arena, &r->workers[i].arena);
    return rc;
}

int chart_read_folder(struct doc_set *set, const char *path, struct chart_budget *budget,
                      struct chart_files *ret, struct err *e)
{
    AUTO(file_close) int root = file_open_dir(path, e);
    AUTO(reading_done)
    struct reading r = {.walk = {.root_path = path, .root = root, .budget = budget}};
    int rc;

    pthread_mutex_init(&r.walk.lock, NULL);
    if (root < 0 || read_rules(set, &r.walk, e) < 0 || add_root(&r, &set->arena, e) < 0)
        return -1;
    rc = read_all(&r, set, e);
    tell_outside(&r);
    if (rc < 0)
        return -1;
    take_files(&r, ret);
    return 0;
}
