#include <unistd.h>

#include "fn/annotate.h"
#include "fn/package.h"
#include "support/test.h"
#include "sys/file.h"

struct fixture {
    struct doc_set *set;
    struct fn_package package;
    struct doc_list items;
};
static void fixture_done(struct fixture *f)
{
    fn_package_done(&f->package);
    doc_list_done(&f->items);
    doc_set_free(f->set);
}
AUTO_VALUE(struct fixture, fixture_done)

static void put_file(const char *path, const char *text)
{
    AUTO(err_done) struct err e = {0};
    AUTO(mem_free_str) char *full = str_printf("%s/%s", test_tmp(), path);
    char *slash = strrchr(full, '/');

    *slash = '\0';
    CHECK_INT(file_mkdirs(full, 0777, &e), 0, full);
    *slash = '/';
    CHECK_INT(file_replace(full, str_of(text), NULL, &e), 0, path);
}

static int read_all(struct fixture *f, struct err *e)
{
    f->set = doc_set_new();
    return fn_package_read(f->set, test_tmp(), &f->package, &f->items, e);
}

#define OBJECT(name) "apiVersion: v1\nkind: Foo\nmetadata:\n  name: " name "\n"

TEST(package_reads_files_in_order_of_names)
{
    AUTO(fixture_done) struct fixture f = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf names = {0};

    put_file("b.yml", OBJECT("b"));
    put_file("b/z.yaml", OBJECT("bz"));
    put_file(".dot.yaml", OBJECT("dot"));
    put_file("Kptfile", OBJECT("k"));
    put_file("skipped.txt", "not: krm");
    put_file(".git/x.yaml", "not: krm");
    put_file("c/.krmignore", "x.yaml\n");
    put_file("c/x.yaml", "not: krm");
    put_file("j.json",
             "{\"apiVersion\": \"v1\", \"kind\": \"Foo\", \"metadata\": {\"name\": \"j\"}}");
    CHECK_INT(read_all(&f, &e), 0, err_text(&e));
    for (size_t i = 0; i < f.items.len; i++)
        buf_addf(&names, "%.*s ", STR_ARG(fn_path_of(f.items.v[i])));
    CHECK_STR(buf_view(&names), STR(".dot.yaml Kptfile b/z.yaml b.yml j.json "), "order");
}

TEST(package_says_where_what_is_no_resource_stands)
{
    static const struct {
        const char *text, *wanted;
    } rows[] = {
        {"a: b\n", "/x.yaml:1:1: resource must have `apiVersion`"},
        {"apiVersion: v1\n", "`kind`"},
        {"apiVersion: v1\nkind: Foo\n", "`metadata.name`"},
        {"text\n", "must be a map"},
        {OBJECT("a") "---\na: [\n", "x.yaml:7:1"},
        {OBJECT("a") "---\n# no kind\napiVersion: v1\n", "/x.yaml:7:1: resource must have `kind`"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(fixture_done) struct fixture f = {0};
        AUTO(err_done) struct err e = {0};

        put_file("x.yaml", rows[i].text);
        CHECK_INT(read_all(&f, &e), -1, rows[i].text);
        CHECK(str_contains(str_of(err_text(&e)), str_of(rows[i].wanted)));
    }
}

/* What the files hold after a change to the items. */
static void check_change(const char *before, void (*change)(struct fixture *f), const char *after)
{
    AUTO(fixture_done) struct fixture f = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(fn_changes_done) struct fn_changes changes = {0};

    put_file("x.yaml", before);
    CHECK_INT(read_all(&f, &e), 0, err_text(&e));
    change(&f);
    CHECK_INT(fn_package_changes(&f.package, &f.items, false, &changes, &e), 0, err_text(&e));
    if (!after) {
        CHECK_INT(changes.v.len, 0, before);
    } else if (changes.v.len != 1) {
        CHECK_INT(changes.v.len, 1, before);
    } else {
        CHECK_STR(buf_view(&changes.v.v[0].text), str_of(after), before);
    }
}

static void nothing(struct fixture *f UNUSED) {}

static void drop_first(struct fixture *f)
{
    f->items.len--;
    memmove(f->items.v, f->items.v + 1, f->items.len * sizeof(*f->items.v));
}

static void set_a(struct fixture *f) { doc_set_string(f->set, f->items.v[0], STR("a"), STR("b")); }

static void swap(struct fixture *f) { fn_set_path(f->set, f->items.v[0], STR("x.yaml"), 5); }

static void add(struct fixture *f)
{
    struct doc_node *item = doc_copy(f->set, f->items.v[0]);

    fn_set_path(f->set, item, STR("x.yaml"), 9);
    doc_set_string(f->set, doc_get_lit(item, "metadata"), STR("name"), STR("new"));
    vec_push(&f->items, item);
}

static void set_x_and_comment(struct fixture *f)
{
    struct doc_node *x = doc_new_int(f->set, 2);

    doc_set_line_comment(f->set, x, STR("# new"));
    doc_set_field(f->set, f->items.v[0], STR("x"), x);
}

TEST(package_keeps_every_byte_of_what_has_not_changed)
{
    const char *odd =
        "%YAML 1.1\n--- # first\n" OBJECT("a") "l:\n    -   x   # y\n\n\n--- \n# alone\n"
                                               "---\n---\n" OBJECT("'b'") "...\n";

    check_change(odd, nothing, NULL);
    check_change(OBJECT("a"), nothing, NULL);
    check_change("\xef\xbb\xbf" OBJECT("a"), nothing, NULL);
    check_change("apiVersion: v1\r\nkind: Foo\r\nmetadata: {name: x}\r\n", nothing, NULL);
    check_change("- a\n-   b\n", nothing, NULL);
    check_change("# only\n", nothing, NULL);
}

TEST(package_rewrites_documents_in_their_places)
{
    check_change("# alone\n---\n" OBJECT("a") "---\n" OBJECT("b"), drop_first,
                 "# alone\n---\n" OBJECT("b"));
    check_change(OBJECT("a") "---\n" OBJECT("b"), drop_first, OBJECT("b"));
    check_change("---\n" OBJECT("a") "---\n" OBJECT("b"), drop_first, "---\n" OBJECT("b"));
    check_change(OBJECT("a") "--- # two\n" OBJECT("b"), set_a,
                 OBJECT("a") "a: b\n--- # two\n" OBJECT("b"));
    check_change(OBJECT("a") "---\n" OBJECT("b"), swap, OBJECT("b") "---\n" OBJECT("a"));
    check_change("apiVersion: v1\r\nkind: Foo\r\nmetadata: {name: a}\r\n", set_a,
                 "apiVersion: v1\r\nkind: Foo\r\nmetadata: {name: a}\r\na: b\r\n");
    check_change(OBJECT("a") "x: 1\n", set_x_and_comment, OBJECT("a") "x: 2 # new\n");
    check_change(OBJECT("a"), add, OBJECT("a") "---\n" OBJECT("new"));
}

TEST(package_removes_files_whose_last_item_went)
{
    AUTO(fixture_done) struct fixture f = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(fn_changes_done) struct fn_changes changes = {0};
    AUTO(mem_free_str) char *path = str_printf("%s/sub/x.yaml", test_tmp());

    put_file("sub/x.yaml", OBJECT("a"));
    put_file("empty.yaml", "# nothing\n");
    CHECK_INT(read_all(&f, &e), 0, err_text(&e));
    f.items.len = 0;
    CHECK_INT(fn_package_changes(&f.package, &f.items, false, &changes, &e), 0, err_text(&e));
    CHECK_INT(changes.v.len, 1, "changes");
    CHECK_INT(fn_changes_write(&changes, test_tmp(), &e), 0, err_text(&e));
    CHECK(!file_exists(path));
}

TEST(package_writes_nothing_through_links_that_lead_out)
{
    AUTO(fixture_done) struct fixture f = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(fn_changes_done) struct fn_changes changes = {0};
    AUTO(mem_free_str) char *outside = str_printf("%s/outside", test_tmp());
    AUTO(mem_free_str) char *inside = str_printf("%s/pkg", test_tmp());
    AUTO(mem_free_str) char *link = str_printf("%s/pkg/out", test_tmp());

    put_file("pkg/x.yaml", OBJECT("a"));
    put_file("outside/y.yaml", OBJECT("b"));
    CHECK_INT(symlink(outside, link), 0, link);
    f.set = doc_set_new();
    CHECK_INT(fn_package_read(f.set, inside, &f.package, &f.items, &e), 0, err_text(&e));
    CHECK_INT(f.items.len, 1, "links to folders are not followed");
    fn_set_path(f.set, f.items.v[0], STR("out/x.yaml"), 0);
    CHECK_INT(fn_package_changes(&f.package, &f.items, false, &changes, &e), 0, err_text(&e));
    CHECK_INT(fn_changes_write(&changes, inside, &e), -1, "through a link");
    CHECK(str_contains(str_of(err_text(&e)), STR("outside of package")));
}

TEST(places_that_lead_out_or_are_taken_are_refused)
{
    static const struct {
        const char *first, *second, *wanted;
    } rows[] = {
        {"a.yaml", "./a.yaml", "already exists"},
        {"../a.yaml", "b.yaml", "outside of package"},
        {"/a.yaml", "b.yaml", "outside of package"},
        {"x/../../a", "b.yaml", "outside of package"},
        {"x/../a", "b.yaml", NULL},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        AUTO(doc_list_done) struct doc_list items = {0};
        AUTO(err_done) struct err e = {0};
        struct doc_node *a = doc_new_map(set), *b = doc_new_map(set);

        fn_set_path(set, a, str_of(rows[i].first), 0);
        fn_set_path(set, b, str_of(rows[i].second), 0);
        vec_push(&items, a);
        vec_push(&items, b);
        CHECK_INT(fn_check_places(&items, &e), rows[i].wanted ? -1 : 0, rows[i].first);
        if (rows[i].wanted)
            CHECK(str_contains(str_of(err_text(&e)), str_of(rows[i].wanted)));
    }
}

TEST(default_paths_count_on_where_a_file_is_taken)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(doc_list_done) struct doc_list items = {0};

    for (int i = 0; i < 3; i++) {
        struct doc_node *n = doc_new_map(set);

        doc_set_string(set, n, STR("kind"), STR("FooBar"));
        doc_set_string(set, doc_ensure_map(set, n, STR("metadata")), STR("name"), STR("a/b"));
        if (i < 2)
            doc_set_string(set, doc_ensure_map(set, n, STR("metadata")), STR("namespace"),
                           i ? STR("..") : STR("ns"));
        vec_push(&items, n);
    }
    fn_place(set, &items, STR("sub"));
    CHECK_STR(fn_path_of(items.v[0]), STR("sub/ns/foobar_a_b.yaml"), "namespace");
    CHECK_STR(fn_path_of(items.v[1]), STR("sub/foobar_a_b.yaml"), "odd namespace");
    CHECK_STR(fn_path_of(items.v[2]), STR("sub/foobar_a_b.yaml"), "none");
    CHECK_INT(fn_index_of(items.v[2]), 1, "taken");
}
