#include "fetch/root.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "support/test.h"
#include "sys/clock.h"
#include "sys/file.h"

static const char *in_tmp(const char *name)
{
    static char paths[4][512];
    static int next;

    next = (next + 1) % 4;
    (void)snprintf(paths[next], sizeof(paths[next]), "%s/%s", test_tmp(), name);
    return paths[next];
}

static void put(const char *name, const char *text)
{
    AUTO(err_done) struct err e = {0};

    CHECK_INT(file_replace(in_tmp(name), str_of(text), NULL, &e), 0, name);
}

static void folder(const char *name)
{
    AUTO(err_done) struct err e = {0};

    CHECK_INT(file_mkdirs(in_tmp(name), 0755, &e), 0, name);
}

static void link_to(const char *target, const char *name)
{
    CHECK_INT(symlink(target, in_tmp(name)), 0, name);
}

static void make_tree(void)
{
    folder("app/sub");
    folder("base");
    put("app/a.yaml", "a");
    put("app/sub/b.yaml", "b");
    put("base/c.yaml", "c");
    link_to("sub/b.yaml", "app/in");
    link_to("../base/c.yaml", "app/out");
    link_to(in_tmp("app/a.yaml"), "app/abs-in");
    link_to("/etc/hostname", "app/abs-out");
    link_to("../app/sub", "app/around");
    link_to("loop", "app/loop");
    CHECK_INT(mkfifo(in_tmp("app/pipe"), 0644), 0, "pipe");
    link_to("/dev/zero", "app/zero");
}

static struct fetch_root *open_tmp(const char *name, enum fetch_restriction restriction)
{
    AUTO(err_done) struct err e = {0};
    struct fetch_root *root = fetch_root_open(in_tmp(name), restriction, &e);

    CHECK_OK(&e);
    return root;
}

TEST(fetch_root_reads_what_ends_inside_and_refuses_the_rest)
{
    static const struct {
        const char *path;
        enum err_kind restricted, free;
    } rows[] = {
        {"a.yaml", ERR_NONE, ERR_NONE},
        {"./sub//b.yaml", ERR_NONE, ERR_NONE},
        {"a.yaml/", ERR_NONE, ERR_NONE},
        {"nowhere/../a.yaml", ERR_NONE, ERR_NONE},
        {"in", ERR_NONE, ERR_NONE},
        {"../app/a.yaml", ERR_NONE, ERR_NONE},
        {"abs-in", ERR_NONE, ERR_NONE},
        {"around/b.yaml", ERR_NONE, ERR_NONE},
        {"../base/c.yaml", ERR_DENIED, ERR_NONE},
        {"out", ERR_DENIED, ERR_NONE},
        {"abs-out", ERR_DENIED, ERR_NONE},
        {"/etc/hostname", ERR_DENIED, ERR_NONE},
        {"zero", ERR_DENIED, ERR_INVALID},
        {"pipe", ERR_INVALID, ERR_INVALID},
        {"sub", ERR_INVALID, ERR_INVALID},
        {"none", ERR_NOT_FOUND, ERR_NOT_FOUND},
        {"", ERR_INVALID, ERR_INVALID},
        {"loop", ERR_IO, ERR_IO},
    };
    AUTO(fetch_root_unref) struct fetch_root *root = NULL, *wide = NULL;

    make_tree();
    root = open_tmp("app", FETCH_ROOT_ONLY);
    wide = open_tmp("app", FETCH_UNRESTRICTED);
    for (size_t i = 0; root && wide && i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0}, e2 = {0};
        AUTO(buf_done) struct buf text = {0};
        str path = str_of(rows[i].path);
        int rc = fetch_root_read(root, path, 100, &text, &e);

        CHECK_INT(e.kind, rows[i].restricted, rows[i].path);
        CHECK_INT(rc, rows[i].restricted ? -1 : 0, rows[i].path);
        CHECK_INT(text.len, rows[i].restricted ? 0 : 1, rows[i].path);
        CHECK_INT(fetch_root_read(wide, path, 10000, &text, &e2), rows[i].free ? -1 : 0,
                  rows[i].path);
        CHECK_INT(e2.kind, rows[i].free, rows[i].path);
    }
}

TEST(fetch_root_names_the_file_and_the_folder_it_had_to_stay_in)
{
    AUTO(fetch_root_unref) struct fetch_root *root = NULL;
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf text = {0}, want = {0};
    AUTO(mem_free_str) char *tmp = NULL;

    make_tree();
    tmp = realpath(test_tmp(), NULL);
    root = open_tmp("app/sub/..", FETCH_ROOT_ONLY);
    if (!root)
        return;
    CHECK_INT(fetch_root_read(root, STR("./../base//c.yaml"), 100, &text, &e), -1, "refused");
    buf_addf(&want, "security; file '%s/base/c.yaml' is not in or below '%s/app'", tmp, tmp);
    CHECK_STR(str_of(err_text(&e)), buf_view(&want), "text");
    err_done(&e);
    CHECK_INT(fetch_root_read(root, STR("sub"), 100, &text, &e), -1, "folder");
    CHECK_INT(e.code, EISDIR, "code of a folder");
    err_done(&e);
    put("app/big", "0123456789");
    CHECK_INT(fetch_root_read(root, STR("big"), 9, &text, &e), -1, "big");
    CHECK_INT(e.kind, ERR_LIMIT, "limit");
    CHECK_INT(text.len, 0, "nothing was added");
}

TEST(fetch_root_look_tells_files_folders_and_nothing)
{
    static const struct {
        const char *path;
        enum fetch_kind kind;
    } rows[] = {{"a.yaml", FETCH_FILE}, {"sub", FETCH_DIR},        {".", FETCH_DIR},
                {"../base", FETCH_DIR}, {"out", FETCH_FILE},       {"none", FETCH_ABSENT},
                {"", FETCH_ABSENT},     {"pipe", FETCH_ABSENT},    {"zero", FETCH_ABSENT},
                {"around/", FETCH_DIR}, {"a.yaml/x", FETCH_ABSENT}};
    AUTO(fetch_root_unref) struct fetch_root *root = NULL;

    make_tree();
    root = open_tmp("app", FETCH_ROOT_ONLY);
    for (size_t i = 0; root && i < ARRAY_LEN(rows); i++)
        CHECK_INT(fetch_root_look(root, str_of(rows[i].path)), rows[i].kind, rows[i].path);
}

TEST(fetch_root_enters_folders_outside_but_no_visited_one)
{
    static const struct {
        const char *path;
        enum err_kind kind;
        const char *part; /* of the text */
    } rows[] = {
        {"../base", ERR_NONE, ""},
        {"around", ERR_NONE, ""},
        {".", ERR_INVALID, "cycle detected: candidate root"},
        {"..", ERR_INVALID, "contains visited root"},
        {"sub/..", ERR_INVALID, "cycle detected"},
        {"../base/../app", ERR_INVALID, "cycle detected"},
        {"", ERR_INVALID, "new root cannot be empty"},
        {"/tmp", ERR_INVALID, "new root '/tmp' cannot be absolute"},
        {"../a..b", ERR_INVALID, "ambiguous"},
        {"none", ERR_NOT_FOUND, "none"},
        {"a.yaml", ERR_INVALID, "is a file, not a directory"},
    };
    AUTO(fetch_root_unref) struct fetch_root *root = NULL;

    make_tree();
    root = open_tmp("app", FETCH_ROOT_ONLY);
    for (size_t i = 0; root && i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(fetch_root_unref)
        struct fetch_root *sub = fetch_root_enter(root, str_of(rows[i].path), &e);

        CHECK_INT(e.kind, rows[i].kind, rows[i].path);
        CHECK_INT(sub != NULL, rows[i].kind == ERR_NONE, rows[i].path);
        if (!str_contains(str_of(err_text(&e)), str_of(rows[i].part)))
            test_fail(__FILE__, __LINE__, "%s: got %s", rows[i].path, err_text(&e));
    }
}

TEST(fetch_root_of_a_clone_lets_nothing_out)
{
    AUTO(fetch_root_unref) struct fetch_root *from = NULL, *clone = NULL, *sub = NULL, *no = NULL;
    struct fetch_clone spec = {.path = STR("x"),
                               .url = STR("https://me:pw@host/o/r//x?ref=v1"),
                               .repository = STR("https://host/o/r"),
                               .ref = STR("v1")};
    AUTO(buf_done) struct buf name = {0}, text = {0};
    AUTO(err_done) struct err e = {0};

    make_tree();
    folder("clone/x/y");
    put("clone/x/f", "f");
    from = open_tmp("app", FETCH_UNRESTRICTED);
    spec.dir = in_tmp("clone");
    spec.from = from;
    clone = fetch_root_open_clone(&spec, &e);
    CHECK_OK(&e);
    sub = clone ? fetch_root_enter(clone, STR("y"), &e) : NULL;
    CHECK_OK(&e);
    if (!sub)
        return;
    fetch_root_unref(fetch_root_ref(clone));
    no = fetch_root_enter(sub, STR("../../../base"), &e);
    CHECK(!no && e.kind == ERR_DENIED);
    CHECK(str_starts(str_of(err_text(&e)), STR("security; bases in kustomizations found in")));
    err_done(&e);
    CHECK_INT(fetch_root_look(sub, STR("../../../base")), FETCH_ABSENT, "look outside");
    CHECK_INT(fetch_root_look(sub, STR("../f")), FETCH_FILE, "look inside");
    CHECK_INT(fetch_root_read(sub, STR("../f"), 10, &text, &e), -1, "above its root");
    CHECK_INT(e.kind, ERR_DENIED, "restricted, whatever the referrer may");
    fetch_root_name(sub, STR("../f"), &name);
    CHECK_STR(buf_view(&name), STR("https://host/o/r//x/f"), "name");
    CHECK_STR(fetch_root_repository(sub), STR("https://host/o/r"), "repository");
    CHECK_STR(fetch_root_ref_name(sub), STR("v1"), "ref");
    CHECK(fetch_root_repository(from).len == 0 && !fetch_root_clone_path(from));
    CHECK(str_ends(str_of(fetch_root_clone_path(sub)), STR("/clone")));
}

TEST(fetch_root_of_a_clone_tells_cycles_of_urls_and_ways_out)
{
    static const struct {
        const char *url, *path, *part;
    } rows[] = {
        {"https://me:pw@host/o/r//x", "x", "cycle detected: URI 'https://host/o/r//x' referenced"},
        {"https://host/o/r//x", "../base", "security; bases in kustomizations found in cloned"},
        {"https://host/o/r//x", "none", "https://host/o/r: open directory 'none'"},
        {"https://host/o/r//x", "out", "security; bases"},
    };
    AUTO(fetch_root_unref) struct fetch_root *clone = NULL;
    AUTO(mem_free_str) char *dir = NULL;
    AUTO(err_done) struct err e = {0};
    struct fetch_clone spec = {.path = STR("x"),
                               .url = STR("https://me:pw@host/o/r//x?ref=v1"),
                               .repository = STR("https://host/o/r")};

    make_tree();
    folder("clone/x");
    link_to("../base", "clone/out");
    dir = mem_strdup(in_tmp("clone"));
    spec.dir = dir;
    clone = fetch_root_open_clone(&spec, &e);
    CHECK_OK(&e);
    spec.from = clone;
    for (size_t i = 0; clone && i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err why = {0};

        spec.url = str_of(rows[i].url);
        spec.path = str_of(rows[i].path);
        CHECK(!fetch_root_open_clone(&spec, &why));
        if (!str_contains(str_of(err_text(&why)), str_of(rows[i].part)))
            test_fail(__FILE__, __LINE__, "%s: got %s", rows[i].url, err_text(&why));
    }
}

TEST(fetch_root_names_files_as_the_user_would)
{
    AUTO(fetch_root_unref) struct fetch_root *root = NULL, *base = NULL;
    AUTO(buf_done) struct buf name = {0}, want = {0};
    AUTO(err_done) struct err e = {0};

    make_tree();
    root = open_tmp("app", FETCH_ROOT_ONLY);
    base = root ? fetch_root_enter(root, STR("../base"), &e) : NULL;
    CHECK_OK(&e);
    if (!base)
        return;
    fetch_root_name(base, STR("c.yaml"), &name);
    buf_addf(&want, "%s/base/c.yaml", test_tmp());
    CHECK_STR(buf_view(&name), buf_view(&want), "below");
    buf_clear(&name);
    fetch_root_name(base, STR("/abs/x"), &name);
    CHECK_STR(buf_view(&name), STR("/abs/x"), "absolute");
    CHECK(str_ends(str_of(fetch_root_path(base)), STR("/base")));
}

TEST(fetch_root_knows_where_a_folder_lies_links_or_not)
{
    static const struct {
        const char *open, *enter, *want;
    } rows[] = {
        {"base", "../app", "app"},
        {"base", "../app/sub", "app/sub"},
        {"base", "../app/sub/../sub", "app/sub"},
        {"base", "../app/around", "app/sub"},
        {"app/around", "../../base", "base"},
        {"app/around/..", "../base", "base"},
    };
    AUTO(mem_free_str) char *top = realpath(test_tmp(), NULL);

    make_tree();
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(buf_done) struct buf want = {0};
        AUTO(fetch_root_unref) struct fetch_root *root = open_tmp(rows[i].open, FETCH_ROOT_ONLY);
        AUTO(fetch_root_unref)
        struct fetch_root *sub = root ? fetch_root_enter(root, str_of(rows[i].enter), &e) : NULL;

        CHECK_OK(&e);
        buf_addf(&want, "%s/%s", top, rows[i].want);
        if (sub)
            CHECK_STR(str_of(fetch_root_path(sub)), buf_view(&want), rows[i].enter);
    }
}

static atomic_bool stop_swapping;

/* Swaps a harmless file with a link to one outside, as fast as it can. */
static void *swap(void *ctx)
{
    const char *const *paths = ctx; /* what is read, the file, the link */

    while (!atomic_load(&stop_swapping)) {
        (void)renameat2(AT_FDCWD, paths[0], AT_FDCWD, paths[1], RENAME_EXCHANGE);
    }
    return NULL;
}

TEST(fetch_root_read_withstands_swaps_between_look_and_use)
{
    AUTO(fetch_root_unref) struct fetch_root *root = NULL;
    AUTO(mem_free_str) char *read = NULL, *other = NULL;
    const char *paths[2];
    pthread_t thread;
    int inside = 0, refused = 0;
    clock_ms end = clock_after(TEST_PATIENCE_MS); /* for the other thread to have its turn */

    make_tree();
    read = mem_strdup(in_tmp("app/a.yaml"));
    other = mem_strdup(in_tmp("app/out"));
    paths[0] = read;
    paths[1] = other;
    root = open_tmp("app", FETCH_ROOT_ONLY);
    atomic_store(&stop_swapping, false);
    if (!root || pthread_create(&thread, NULL, swap, paths))
        return test_fail(__FILE__, __LINE__, "no root or no thread");
    for (int i = 0; i < 20000 || ((!inside || !refused) && clock_now() < end); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(buf_done) struct buf text = {0};

        if (fetch_root_read(root, STR("a.yaml"), 100, &text, &e) == 0) {
            CHECK_STR(buf_view(&text), STR("a"), "nothing but the file inside");
            inside++;
        } else {
            CHECK(e.kind == ERR_DENIED || e.code == ELOOP);
            refused++;
        }
    }
    atomic_store(&stop_swapping, true);
    pthread_join(thread, NULL);
    CHECK(inside > 0 && refused > 0);
}

TEST(the_nearest_name_is_one_of_the_same_folder)
{
    static const struct {
        const char *path, *want;
    } rows[] = {
        {"aa.yaml", "a.yaml"}, {"x.yaml", ""},
        {"a.yml", "a.yaml"},   {"sub/bb.yaml", "sub/b.yaml"},
        {"sbu", "sub"},        {"../bsae", "../base"},
        {"loop", ""},          {"nothing/b.yaml", ""},
        {"entirely-else", ""}, {"", ""},
        {"a.yaml/x", ""},
    };
    AUTO(err_done) struct err e = {0};
    AUTO(fetch_root_unref) struct fetch_root *root = NULL;

    make_tree();
    root = fetch_root_open(in_tmp("app"), FETCH_ROOT_ONLY, &e);
    CHECK(root != NULL);
    for (size_t i = 0; root && i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf out = {0};

        fetch_root_nearest(root, str_of(rows[i].path), &out);
        CHECK_STR(buf_view(&out), str_of(rows[i].want), rows[i].path);
    }
}
