/* The data file: each state of an object is a row in SQLite (write-ahead log, so a killed process
 * loses nothing that was answered), read back at the start. */
#include <sqlite3.h>

#include "sandbox/crd.h"
#include "sandbox/priv.h"
#include "sys/dl.h"

#define SQLITE_FUNCTIONS(X) \
    X(sqlite3_open_v2)      \
    X(sqlite3_close)        \
    X(sqlite3_errmsg)       \
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

struct sb_disk {
    const struct disk_dl *lib;
    sqlite3 *db;
    sqlite3_stmt *put, *remove;
    bool has_failed;
};

static int fail(const struct sb_disk *d, const char *what, struct err *e)
{
    return err_set(e, ERR_IO, "%s: %s", what, d->lib->sqlite3_errmsg(d->db));
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

static int load_row(struct sandbox *sb, sqlite3_stmt *row, struct err *e)
{
    struct sb_disk *d = sb->disk;
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct sb_res *res = sb_res_of(sb, column(d, row, 0), column(d, row, 1));
    struct doc_node *n = doc_parse_json(set, column(d, row, 3), sb->o.data_file, e);

    if (!n)
        return err_wrap(e, "an object of the data file is damaged");
    sb->rv = (uint64_t)d->lib->sqlite3_column_int64(row, 2);
    if (!res)
        return 0; /* of a definition that is gone */
    if (res->ctl == CTL_DEFINITION)
        sb_crd_apply(sb, set, n);
    sb_store(sb, res, NULL, set, n);
    return 0;
}

/* Definitions first: they make the types of other rows. */
static int load(struct sandbox *sb, struct err *e)
{
    struct sb_disk *d = sb->disk;
    sqlite3_stmt *row;
    uint64_t last = sb->rv;
    int rc = 0, step;

    if (prepare(d,
                "SELECT grp, plural, rv, json FROM objects ORDER BY "
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
                                "PRIMARY KEY (grp, plural, ns, name)) WITHOUT ROWID;";
    struct sb_disk *d = sb->disk;

    if (d->lib->sqlite3_open_v2(sb->o.data_file, &d->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                                NULL) != SQLITE_OK ||
        d->lib->sqlite3_exec(d->db, setup, NULL, NULL, NULL) != SQLITE_OK)
        return err_wrap(e, "%s", (fail(d, "cannot open the data file", e), sb->o.data_file));
    if (prepare(d, "INSERT OR REPLACE INTO objects VALUES (?, ?, ?, ?, ?, ?)", &d->put, e) < 0)
        return -1;
    return prepare(d, "DELETE FROM objects WHERE grp = ? AND plural = ? AND ns = ? AND name = ?",
                   &d->remove, e);
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
    return rc;
}

void sb_disk_close(struct sandbox *sb)
{
    struct sb_disk *d = sb->disk;

    if (!d)
        return;
    if (d->put)
        d->lib->sqlite3_finalize(d->put);
    if (d->remove)
        d->lib->sqlite3_finalize(d->remove);
    if (d->db)
        d->lib->sqlite3_close(d->db);
    mem_free(d);
    sb->disk = NULL;
}

static void bind(struct sb_disk *d, sqlite3_stmt *stmt, int at, str text)
{
    d->lib->sqlite3_bind_text(stmt, at, text.p ? text.p : "", (int)text.len, SQLITE_STATIC);
}

static void bind_place(struct sb_disk *d, sqlite3_stmt *stmt, const struct sb_slot *slot)
{
    bind(d, stmt, 1, slot->res->group);
    bind(d, stmt, 2, slot->res->plural);
    bind(d, stmt, 3, slot->ns);
    bind(d, stmt, 4, slot->name);
}

static void run(struct sb_disk *d, sqlite3_stmt *stmt)
{
    if (d->lib->sqlite3_step(stmt) != SQLITE_DONE)
        d->has_failed = true;
    d->lib->sqlite3_reset(stmt);
}

void sb_disk_put(struct sandbox *sb, const struct sb_slot *slot)
{
    struct sb_disk *d = sb->disk;

    if (!d || sb->is_loading)
        return;
    bind_place(d, d->put, slot);
    d->lib->sqlite3_bind_int64(d->put, 5, (int64_t)slot->obj->rv);
    bind(d, d->put, 6, sb_obj_json(slot->obj));
    run(d, d->put);
}

void sb_disk_remove(struct sandbox *sb, const struct sb_slot *slot)
{
    struct sb_disk *d = sb->disk;

    if (!d || sb->is_loading)
        return;
    bind_place(d, d->remove, slot);
    run(d, d->remove);
}
