#include "sys/dl.h"

#include <sqlite3.h>

#include "support/test.h"

#define SQLITE_FUNCTIONS(X) X(sqlite3_libversion) X(sqlite3_open) X(sqlite3_close)
DL_LIBRARY(sqlite, SQLITE_FUNCTIONS, SONAME_sqlite3, "libsqlite3-0")

#define NO_FUNCTIONS(X) X(sqlite3_libversion)
DL_LIBRARY(absent, NO_FUNCTIONS, "libgrapnel-none.so.7", "libgrapnel-none7")

int grapnel_no_such_function(void);
#define NEWER_FUNCTIONS(X) X(sqlite3_libversion) X(grapnel_no_such_function)
DL_LIBRARY(newer, NEWER_FUNCTIONS, SONAME_sqlite3, "libsqlite3-0")

TEST(dl_loads_a_library_and_its_functions_work)
{
    AUTO(err_done) struct err e = {0};
    const struct sqlite_dl *lib = sqlite_load(&e);
    sqlite3 *db = NULL;

    CHECK_OK(&e);
    CHECK(lib && lib == sqlite_load(&e));
    if (!lib)
        return;
    CHECK_STR(str_sub(str_of(lib->sqlite3_libversion()), 0, 2), STR("3."), "version");
    CHECK_INT(lib->sqlite3_open(":memory:", &db), SQLITE_OK, "open");
    CHECK_INT(lib->sqlite3_close(db), SQLITE_OK, "close");
}

TEST(dl_names_the_package_of_a_missing_library)
{
    AUTO(err_done) struct err e = {0};

    CHECK(!absent_load(&e));
    CHECK_INT(e.kind, ERR_UNSUPPORTED, "kind");
    CHECK(str_contains(str_of(err_text(&e)), STR("install the package libgrapnel-none7")));
    CHECK(str_contains(str_of(err_text(&e)), STR("libgrapnel-none.so.7")));
}

TEST(dl_names_a_missing_function_each_time)
{
    for (int i = 0; i < 2; i++) {
        AUTO(err_done) struct err e = {0};

        CHECK(!newer_load(&e));
        CHECK(str_contains(str_of(err_text(&e)), STR("no function grapnel_no_such_function")));
    }
}
