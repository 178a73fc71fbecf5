#include "sys/watch.h"

#include <sys/stat.h>

#include "base/buf.h"
#include "support/test.h"
#include "sys/file.h"
#include "sys/thread.h"

static void put(const char *name)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf path = {0};

    buf_addf(&path, "%s/%s", test_tmp(), name);
    if (file_replace(buf_cstr(&path), STR("x"), NULL, &e) < 0)
        CHECK_OK(&e);
}

TEST(watch_wakes_for_files_below_a_folder)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf sub = {0};
    AUTO(watch_free) struct watch *w = watch_new(&e);

    CHECK_OK(&e);
    buf_addf(&sub, "%s/sub", test_tmp());
    CHECK(mkdir(buf_cstr(&sub), 0755) == 0);
    CHECK(watch_add(w, test_tmp(), &e) == 0);
    CHECK(watch_add(w, test_tmp(), &e) == 0); /* twice is once */
    put("sub/a");
    CHECK_INT(watch_wait(w, NULL, &e), 1, "a file in a folder below");
    put("b");
    CHECK_INT(watch_wait(w, NULL, &e), 1, "a file");
}

TEST(watch_ends_when_cancelled)
{
    AUTO(err_done) struct err e = {0};
    AUTO(cancel_free) struct cancel *cancel = cancel_new(NULL, CLOCK_NEVER);
    AUTO(watch_free) struct watch *w = watch_new(&e);

    CHECK(watch_add(w, test_tmp(), &e) == 0);
    cancel_trigger(cancel, ERR_CANCELED, "enough");
    CHECK_INT(watch_wait(w, cancel, &e), 0, "cancelled");
}

TEST(watch_passes_over_a_folder_that_is_gone)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf path = {0};
    AUTO(watch_free) struct watch *w = watch_new(&e);

    buf_addf(&path, "%s/none", test_tmp());
    CHECK(watch_add(w, buf_cstr(&path), &e) == 0);
}
