/* The data file: the present state of each object is a row in SQLite (write-ahead log, so a killed
 * process loses nothing that was answered), read back at the start. What a request or a turn of a
 * controller changes is one transaction. */
#include <sqlite3.h>

#include "base/log.h"
#include "sandbox/disk_lock.h"
#include "sandbox/priv.h"
#include "sandbox/types/crd.h"
#include "sys/dl.h"
#include "sys/file.h"

#define SQLITE_FUNCTIONS(X) \
    X(sqlite3_open_v2)      \
    X(sqlite3_close)        \
    X(sqlite3_errmsg)       \
    X(sqlite3_errcode)      \
    X(sqlite3_exec)         \
    X(sqlite3_prepare_v2)   \
    X(sqlite3_bind_text)    \
    X(sqlite3_bind_int64)   \
    X(sqlite3_step)         \
    X(sqlite3_reset)        \
    X(sqlite3_finalize)     \
    X(sqlite3_column_text)  \
    X(sqlite3_column_bytes) \
    X(sqlite3_column_int64)
DL_LIBRARY(disk, SQLITE_FUNCTIONS, SONAME_sqlite3, "libsqlite3-0")

enum { RETRY_MS = 1000 };

/* An object whose row is not as the object is. */
struct mark {
    struct sb_res *res;
    char *text; /* namespace and name, owned */
    size_t ns_len, name_len;
};

struct sb_disk {
    const struct disk_dl *lib;
    int lock; /* of the file, held while it is open */
    sqlite3 *db;
    sqlite3_stmt *put, *remove, *set_version;
    VEC(struct mark) marks;
    bool is_stuck;      /* the last try to store them failed */
    clock_ms try_again; /* then: when the loop does */
};

#define CANNOT_WRITE "the data file cannot be written"

static int fail(const struct sb_disk *d, const char *what, struct err *e)
{
    int code = d->lib->sqlite3_errcode(d->db);
    bool is_damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB;

    return err_set(e, is_damaged ? ERR_INVALID : ERR_IO, "%s: %s%s", what,
                   d->lib->sqlite3_errmsg(d->db),
                   is_damaged ? " (restore it from a copy, or remove it to begin anew)" : "");
}

static int prepare(struct sb_disk *d, const char *sql, sqlite3_stmt **ret, struct err *e)
{
    return d->lib->sqlite3_prepare_v2(d->db, sql, -1, ret, NULL) == SQLITE_OK
               ? 0
               : fail(d, "cannot read the data file", e);
}

static str column(const struct sb_disk *d, sqlite3_stmt *row, int at)
{
    const char *text = (const char *)d->lib->sqlite3_column_text(row, at);

    return (str){text, text ? (size_t)d->lib->sqlite3_column_bytes(row, at) : 0};
}

/* Whether the object is the one that its row says. */
static bool is_whole(const struct doc_node *object, str ns, str name, int64_t version)
{
    const struct doc_node *meta = doc_get_lit(object, "metadata");

    return version > 0 && name.len &&
           str_eq(doc_string(doc_get_lit(meta, "name"), STR_NONE), name) &&
           str_eq(doc_string(doc_get_lit(meta, "namespace"), STR_NONE), ns);
}

static int load_row(struct sandbox *sb, sqlite3_stmt *row, struct err *e)
{
    struct sb_disk *d = sb->disk;
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    str plural = column(d, row, 1), ns = column(d, row, 4), name = column(d, row, 5);
    struct sb_res *res = sb_res_of(sb, column(d, row, 0), plural);
    struct doc_node *n = doc_parse_json(set, column(d, row, 3), "its row", e);
    int64_t version = d->lib->sqlite3_column_int64(row, 2);

    if (n && !is_whole(n, ns, name, version)) {
        err_set(e, ERR_INVALID, "its row is of another object");
        n = NULL;
    }
    if (!n)
        return err_wrap(e, "an object of the data file is damaged: %.*s \"%.*s\"", STR_ARG(plural),
                        STR_ARG(name));
    sb->rv = (uint64_t)version;
    if (!res)
        return 0; /* of a definition that is gone */
    if (res->ctl == CTL_DEFINITION)
        sb_crd_apply(sb, set, n);
    sb_store(sb, res, NULL, set, n);
    return 0;
}

/* Those of deleted objects count too: versions never go back. */
static int load_version(struct sb_disk *d, uint64_t *last, struct err *e)
{
    sqlite3_stmt *row;
    int step;

    if (prepare(d, "SELECT last FROM versions", &row, e) < 0)
        return -1;
    while ((step = d->lib->sqlite3_step(row)) == SQLITE_ROW)
        *last = MAX(*last, (uint64_t)d->lib->sqlite3_column_int64(row, 0));
    d->lib->sqlite3_finalize(row);
    return step == SQLITE_DONE ? 0 : fail(d, "cannot read the data file", e);
}

/* Definitions first: they make the types of other rows. */
static int load(struct sandbox *sb, struct err *e)
{
    struct sb_disk *d = sb->disk;
    sqlite3_stmt *row;
    uint64_t last = sb->rv;
    int rc = load_version(d, &last, e), step = SQLITE_DONE;

    if (rc < 0)
        return -1;
    if (prepare(d,
                "SELECT grp, plural, rv, json, ns, name FROM objects ORDER BY "
                "plural <> 'customresourcedefinitions', rv",
                &row, e) < 0)
        return -1;
    while (rc == 0 && (step = d->lib->sqlite3_step(row)) == SQLITE_ROW) {
        rc = load_row(sb, row, e);
        last = MAX(last, sb->rv);
    }
    if (rc == 0 && step != SQLITE_DONE)
        rc = fail(d, "cannot read the data file", e);
    d->lib->sqlite3_finalize(row);
    sb->rv = last;
    for (size_t i = 0; i < sb->resources.len; i++)
        sb->resources.v[i]->dropped_rv = last;
    return rc;
}

static int open_file(struct sandbox *sb, struct err *e)
{
    static const char setup[] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
                                "CREATE TABLE IF NOT EXISTS objects (grp TEXT, plural TEXT, "
                                "ns TEXT, name TEXT, rv INTEGER, json TEXT, "
                                "PRIMARY KEY (grp, plural, ns, name)) WITHOUT ROWID;"
                                "CREATE TABLE IF NOT EXISTS versions (id INTEGER PRIMARY KEY, "
                                "last INTEGER);";
    struct sb_disk *d = sb->disk;

    d->lock = sb_disk_lock(sb->o.data_file, e);
    if (d->lock < 0)
        return -1;
    if (d->lib->sqlite3_open_v2(sb->o.data_file, &d->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                                NULL) != SQLITE_OK ||
        d->lib->sqlite3_exec(d->db, setup, NULL, NULL, NULL) != SQLITE_OK)
        return err_wrap(e, "%s", (fail(d, "cannot open the data file", e), sb->o.data_file));
    if (prepare(d, "INSERT OR REPLACE INTO objects VALUES (?, ?, ?, ?, ?, ?)", &d->put, e) < 0 ||
        prepare(d, "INSERT OR REPLACE INTO versions VALUES (1, ?)", &d->set_version, e) < 0)
        return -1;
    return prepare(d, "DELETE FROM objects WHERE grp = ? AND plural = ? AND ns = ? AND name = ?",
                   &d->remove, e);
}

/* What was under way when the last process ended goes on. */
static void queue_all(struct sandbox *sb)
{
    for (size_t i = 0; i < sb->resources.len; i++)
        for (size_t k = 0; k < sb->resources.v[i]->slots.len; k++)
            sb_ctl_notify(sb, sb->resources.v[i]->slots.v[k], false);
}

int sb_disk_open(struct sandbox *sb, struct err *e)
{
    const struct disk_dl *lib;
    int rc;

    if (!sb->o.data_file)
        return 0;
    lib = disk_load(e);
    if (!lib)
        return -1;
    sb->disk = NEW(struct sb_disk);
    sb->disk->lib = lib;
    if (open_file(sb, e) < 0)
        return -1;
    sb->is_loading = true;
    rc = load(sb, e);
    sb->is_loading = false;
    if (rc < 0)
        return err_wrap(e, "%s", sb->o.data_file);
    queue_all(sb);
    return 0;
}

/* ---- writing */

void sb_disk_mark(struct sandbox *sb, struct sb_slot *slot)
{
    struct sb_disk *d = sb->disk;
    struct mark m = {.res = slot->res, .ns_len = slot->ns.len, .name_len = slot->name.len};

    if (!d || sb->is_loading || slot->is_marked)
        return;
    slot->is_marked = true;
    m.text = mem_strndup(slot->text, slot->ns.len + slot->name.len);
    vec_push(&d->marks, m);
}

static struct sb_slot *marked(const struct mark *m)
{
    return sb_find(m->res, (str){m->text, m->ns_len}, (str){m->text + m->ns_len, m->name_len});
}

static void bind(struct sb_disk *d, sqlite3_stmt *stmt, int at, str text)
{
    d->lib->sqlite3_bind_text(stmt, at, text.p ? text.p : "", (int)text.len, SQLITE_STATIC);
}

static int step(struct sb_disk *d, sqlite3_stmt *stmt, struct err *e)
{
    int rc = d->lib->sqlite3_step(stmt) == SQLITE_DONE ? 0 : fail(d, CANNOT_WRITE, e);

    d->lib->sqlite3_reset(stmt);
    return rc;
}

static int exec(struct sb_disk *d, const char *sql, struct err *e)
{
    return d->lib->sqlite3_exec(d->db, sql, NULL, NULL, NULL) == SQLITE_OK
               ? 0
               : fail(d, CANNOT_WRITE, e);
}

static int write_mark(struct sb_disk *d, const struct mark *m, struct err *e)
{
    const struct sb_slot *slot = marked(m);
    sqlite3_stmt *stmt = slot ? d->put : d->remove;

    bind(d, stmt, 1, m->res->group);
    bind(d, stmt, 2, m->res->plural);
    bind(d, stmt, 3, (str){m->text, m->ns_len});
    bind(d, stmt, 4, (str){m->text + m->ns_len, m->name_len});
    if (slot) {
        d->lib->sqlite3_bind_int64(stmt, 5, (int64_t)slot->obj->rv);
        bind(d, stmt, 6, sb_obj_json(slot->obj));
    }
    return step(d, stmt, e);
}

static int write_marks(struct sandbox *sb, struct err *e)
{
    struct sb_disk *d = sb->disk;
    int rc = exec(d, "BEGIN", e);

    for (size_t i = 0; i < d->marks.len && rc == 0; i++)
        rc = write_mark(d, &d->marks.v[i], e);
    if (rc == 0) {
        d->lib->sqlite3_bind_int64(d->set_version, 1, (int64_t)sb->rv);
        rc = step(d, d->set_version, e);
    }
    if (rc == 0)
        rc = exec(d, "COMMIT", e);
    if (rc < 0) /* after some failures SQLite has done so itself */
        d->lib->sqlite3_exec(d->db, "ROLLBACK", NULL, NULL, NULL);
    return rc;
}

static void drop_marks(struct sb_disk *d)
{
    for (size_t i = 0; i < d->marks.len; i++) {
        struct sb_slot *slot = marked(&d->marks.v[i]);

        if (slot)
            slot->is_marked = false;
        mem_free(d->marks.v[i].text);
    }
    d->marks.len = 0;
}

int sb_disk_flush(struct sandbox *sb, struct err *e)
{
    struct sb_disk *d = sb->disk;

    if (!d || d->marks.len == 0)
        return 0;
    if (write_marks(sb, e) < 0) {
        if (!d->is_stuck)
            log_error("writes are refused until they can be stored",
                      LOG_STR("reason", str_of(err_text(e))));
        d->is_stuck = true;
        d->try_again = clock_after(RETRY_MS);
        return -1;
    }
    drop_marks(d);
    if (d->is_stuck) {
        log_info("the data file can be written again");
        pthread_cond_signal(&sb->loop_cond);
    }
    d->is_stuck = false;
    return 0;
}

clock_ms sb_disk_stuck(struct sandbox *sb)
{
    return sb->disk && sb->disk->is_stuck ? sb->disk->try_again : 0;
}

void sb_disk_close(struct sandbox *sb)
{
    AUTO(err_done) struct err e = {0};
    struct sb_disk *d = sb->disk;

    if (!d)
        return;
    if (sb_disk_flush(sb, &e) < 0)
        log_error("the last changes are lost", LOG_STR("reason", str_of(err_text(&e))));
    drop_marks(d);
    vec_done(&d->marks);
    d->lib->sqlite3_finalize(d->put); /* NULL is fine */
    d->lib->sqlite3_finalize(d->remove);
    d->lib->sqlite3_finalize(d->set_version);
    d->lib->sqlite3_close(d->db);
    file_close(d->lock);
    mem_free(d);
    sb->disk = NULL;
}
