/* The folder of a chart: what is in it and in its folders is read side by side, where that is
 * much, and subcharts are loaded there. */
#include <dirent.h>

#include "base/log.h"
#include "chart/folder_priv.h"
#include "doc/join.h"
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
    bool is_early;
    struct chart_early early;
};
struct worker {
    struct doc_set *set; /* the caller's, or its own */
    struct buf path;
};
struct reading {
    struct folder_walk walk;
    chart_early_fn *load_early;
    VEC(struct task) tasks; /* in the order of a walk */
    VEC(int) folders;       /* open while tasks are in them */
    struct worker workers[THREAD_EACH_MOST];
};

static void reading_done(struct reading *r)
{
    for (size_t i = 0; i < r->tasks.len; i++) {
        vec_done(&r->tasks.v[i].files);
        str_vec_done(&r->tasks.v[i].outside);
        err_done(&r->tasks.v[i].early.e);
    }
    vec_done(&r->tasks);
    for (size_t i = 0; i < r->folders.len; i++)
        file_close(r->folders.v[i]);
    vec_done(&r->folders);
    for (size_t i = 0; i < ARRAY_LEN(r->workers); i++)
        buf_done(&r->workers[i].path);
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

/* A folder in charts/ that is a subchart by itself: what is in it goes nowhere else. */
static bool can_be_early(const struct task *task)
{
    str name = task->path;

    if (task->type != DT_DIR || !task->files.len || !str_drop_prefix(&name, STR("charts/")) ||
        name.p[0] == '_' || name.p[0] == '.' || str_ends(name, STR(".tgz")))
        return false;
    for (size_t i = 0; i < task->files.len; i++)
        if (str_ends(task->files.v[i].name, STR(".tgz")) ||
            str_ends(task->files.v[i].name, STR(".prov")))
            return false;
    return true;
}

static void load_subchart(const struct reading *r, struct task *task, struct doc_set *set)
{
    if (!can_be_early(task))
        return;
    for (size_t i = 0; i < task->files.len; i++)
        task->files.v[i].name = str_from(task->files.v[i].name, task->path.len + 1);
    task->is_early = true;
    task->early.name = str_from(task->path, STR("charts/").len);
    task->early.c = r->load_early(set, &task->files, &task->early.e);
}

static int read_task(void *ctx, size_t at, unsigned worker, struct err *e)
{
    struct reading *r = ctx;
    struct task *task = &r->tasks.v[at];
    struct worker *w = &r->workers[worker];
    struct folder_reader reader = {.walk = &r->walk,
                                   .path = w->path,
                                   .level = task->level,
                                   .files = &task->files,
                                   .outside = &task->outside};
    int rc;

    if (!w->set)
        w->set = doc_set_new();
    reader.arena = &w->set->arena;
    buf_clear(&reader.path);
    buf_add_str(&reader.path, task->path);
    rc = folder_read(&reader, task->folder, task->type, e);
    w->path = reader.path;
    if (rc == 0)
        load_subchart(r, task, w->set);
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

static void take_files(struct reading *r, struct chart_files *ret, struct chart_earlies *ret_early)
{
    for (size_t i = 0; i < r->tasks.len; i++) {
        struct task *task = &r->tasks.v[i];

        if (task->is_early) {
            vec_push(ret_early, {.name = task->early.name, .c = task->early.c});
            err_move(&vec_last(ret_early).e, &task->early.e);
            continue;
        }
        for (size_t k = 0; k < task->files.len; k++)
            vec_push(ret, task->files.v[k]);
    }
}

/* One of the workers writes to the caller's set, the others have their own meanwhile. */
static int read_all(struct reading *r, struct doc_set *set, struct err *e)
{
    int rc;

    r->workers[0].set = set;
    rc = thread_each("folders", r->tasks.len, threads_worth(r), read_task, r, e);
    for (size_t i = 1; i < ARRAY_LEN(r->workers); i++)
        if (r->workers[i].set) {
            doc_set_join(set, r->workers[i].set);
            doc_set_free(r->workers[i].set);
        }
    return rc;
}

int chart_read_folder(struct doc_set *set, const char *path, struct chart_budget *budget,
                      chart_early_fn *load_early, struct chart_files *ret,
                      struct chart_earlies *ret_early, struct err *e)
{
    AUTO(file_close) int root = file_open_dir(path, e);
    AUTO(reading_done)
    struct reading r = {.walk = {.root_path = path, .root = root, .budget = budget},
                        .load_early = load_early};
    int rc;

    pthread_mutex_init(&r.walk.lock, NULL);
    if (root < 0 || read_rules(set, &r.walk, e) < 0 || add_root(&r, &set->arena, e) < 0)
        return -1;
    rc = read_all(&r, set, e);
    tell_outside(&r);
    if (rc < 0)
        return -1;
    take_files(&r, ret, ret_early);
    return 0;
}
