#include "sys/watch.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "support/test.h"
#include "sys/file.h"

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
    CHECK_INT(watch_add(w, test_tmp(), true, &e), 1, "new");
    CHECK_INT(watch_add(w, test_tmp(), true, &e), 0, "twice is once");
    put("sub/a");
    CHECK_INT(watch_wait(w, NULL, NULL, NULL, &e), 1, "a file in a folder below");
    put("b");
    CHECK_INT(watch_wait(w, NULL, NULL, NULL, &e), 1, "a file");
}

static void tell(void *ctx, str folder, str name)
{
    CHECK_STR(folder, str_of(test_tmp()), "the folder as it was added");
    buf_addf(ctx, "%.*s ", STR_ARG(name));
}

TEST(watch_tells_names_and_a_file_that_is_made_once_it_is_closed)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf told = {0}, path = {0}, other = {0};
    AUTO(watch_free) struct watch *w = watch_new(&e);
    FILE *file;

    CHECK_INT(watch_add(w, test_tmp(), false, &e), 1, "new");
    buf_addf(&path, "%s/slow", test_tmp());
    file = fopen(buf_cstr(&path), "we");
    buf_addf(&other, "%s/folder", test_tmp());
    CHECK(mkdir(buf_cstr(&other), 0755) == 0);
    CHECK_INT(watch_wait(w, NULL, tell, &told, &e), 1, "a folder");
    CHECK_STR(buf_view(&told), STR("folder "), "not the file that is open");
    fclose(file);
    buf_clear(&told);
    CHECK_INT(watch_wait(w, NULL, tell, &told, &e), 1, "a file");
    CHECK_STR(buf_view(&told), STR("slow "), "closed");
    CHECK(unlink(buf_cstr(&path)) == 0);
    buf_clear(&told);
    CHECK_INT(watch_wait(w, NULL, tell, &told, &e), 1, "gone");
    CHECK_STR(buf_view(&told), STR("slow "), "gone, and not back in a moment");
}

TEST(watch_ends_when_cancelled)
{
    AUTO(err_done) struct err e = {0};
    AUTO(cancel_free) struct cancel *cancel = cancel_new(NULL, CLOCK_NEVER);
    AUTO(watch_free) struct watch *w = watch_new(&e);

    CHECK(watch_add(w, test_tmp(), true, &e) == 1);
    cancel_trigger(cancel, ERR_CANCELED, "enough");
    CHECK_INT(watch_wait(w, cancel, NULL, NULL, &e), 0, "cancelled");
}

TEST(watch_passes_over_a_folder_that_is_gone)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf path = {0};
    AUTO(watch_free) struct watch *w = watch_new(&e);

    buf_addf(&path, "%s/none", test_tmp());
    CHECK(watch_add(w, buf_cstr(&path), true, &e) == 0);
}
