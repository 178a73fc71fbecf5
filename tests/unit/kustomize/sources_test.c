#include "base/buf.h"
#include "kustomize/generate/sources.h"
#include "support/test.h"

TEST(a_literal_is_split_at_its_first_equals_sign_and_unquoted_once)
{
    static const struct {
        const char *in, *key, *value; /* key NULL: refused */
    } rows[] = {
        {"a=b", "a", "b"},         {"a=b=c", "a", "b=c"},   {"a=", "a", ""},   {"a='b'", "a", "b"},
        {"a=\"'b'\"", "a", "'b'"}, {"a='b\"", "a", "'b\""}, {"a='", "a", "'"}, {"a=''", "a", ""},
        {"k k=v", "k k", "v"},     {"=b", NULL, NULL},      {"b", NULL, NULL}, {"", NULL, NULL},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        struct kustomize_entry got = {0};
        int rc = kustomize_source_literal(str_of(rows[i].in), &got, &e);

        CHECK_INT(rc, rows[i].key ? 0 : -1, rows[i].in);
        CHECK_STR(got.key, str_of(rows[i].key), rows[i].in);
        CHECK_STR(got.value, str_of(rows[i].value), rows[i].in);
        if (rc < 0)
            CHECK(str_contains(str_of(err_text(&e)), STR("expected key=value")));
    }
}

TEST(a_file_source_names_its_key_or_takes_the_base_name)
{
    static const struct {
        const char *in, *key, *path; /* key NULL: refused, path: a part of the message */
    } rows[] = {
        {"conf/a.ini", "a.ini", "conf/a.ini"},
        {"k=conf/a.ini", "k", "conf/a.ini"},
        {"dir/", "dir", "dir/"},
        {"/", "/", "/"},
        {"", ".", ""},
        {"=x", NULL, "missing key name for file path \"x\""},
        {"x=", NULL, "missing file path for key name \"x\""},
        {"a=b=c", NULL, "contains '='"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        str key = STR_NONE, path = STR_NONE;

        if (kustomize_source_file(str_of(rows[i].in), &key, &path, &e) < 0) {
            CHECK(!rows[i].key);
            CHECK(str_contains(str_of(err_text(&e)), str_of(rows[i].path)));
            continue;
        }
        CHECK_STR(key, str_of(rows[i].key), rows[i].in);
        CHECK_STR(path, str_of(rows[i].path), rows[i].in);
    }
}

static str joined(const struct kustomize_entries *entries, struct buf *out)
{
    for (size_t i = 0; i < entries->len; i++)
        buf_addf(out, "[%.*s|%.*s]", STR_ARG(entries->v[i].key), STR_ARG(entries->v[i].value));
    return buf_view(out);
}

TEST(env_files_are_read_line_by_line)
{
    static const struct {
        const char *in, *want;
    } rows[] = {
        {"A=1\nB=2", "[A|1][B|2]"},
        {"\n  # note\n\t A = x \n", "[A | x ]"},
        {"A\nB=", "[A|][B|]"},
        {"A=\"q\"\r\nB='\r\r\n", "[A|\"q\"][B|'\r]"},
        {"=x\nexport A=1", "[export A|1]"},
        {"\xef\xbb\xbf"
         "A=1\n\xef\xbb\xbf"
         "B=1",
         "[A|1][\xef\xbb\xbf"
         "B|1]"},
        {"\xc2\xa0\xe3\x80\x80"
         "A=\xc3\xa9",
         "[A|\xc3\xa9]"},
        {"", ""},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(kustomize_entries_done) struct kustomize_entries got = {0};
        AUTO(buf_done) struct buf out = {0};
        unsigned cut;

        CHECK_INT(kustomize_source_env(str_of(rows[i].in), &got, &cut, &e), 0, rows[i].in);
        CHECK_STR(joined(&got, &out), str_of(rows[i].want), rows[i].in);
        CHECK_INT(cut, 0, rows[i].in);
    }
}

TEST(an_env_file_that_is_not_utf8_is_refused_with_its_line)
{
    AUTO(err_done) struct err e = {0};
    AUTO(kustomize_entries_done) struct kustomize_entries got = {0};
    unsigned cut;

    CHECK_INT(kustomize_source_env(STR("A=1\nB=\xff\n"), &got, &cut, &e), -1, "");
    CHECK_STR(str_of(err_text(&e)), STR("2: invalid utf8 bytes"), "");
}

TEST(an_env_file_ends_at_a_line_of_64_kib)
{
    static const struct {
        size_t len; /* of the second line */
        size_t entries;
        unsigned cut;
    } rows[] = {{65535, 3, 0}, {65536, 1, 2}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(kustomize_entries_done) struct kustomize_entries got = {0};
        AUTO(buf_done) struct buf text = {0};
        unsigned cut;

        buf_add_cstr(&text, "A=1\nB=");
        buf_add_repeat(&text, 'x', rows[i].len - 2);
        buf_add_cstr(&text, "\nC=1\n");
        CHECK_INT(kustomize_source_env(buf_view(&text), &got, &cut, &e), 0, "");
        CHECK_INT(got.len, rows[i].entries, "");
        CHECK_INT(cut, rows[i].cut, "");
    }
}

TEST(entries_are_sorted_and_doubles_found)
{
    AUTO(kustomize_entries_done) struct kustomize_entries all = {0};
    AUTO(buf_done) struct buf out = {0};
    str twice;

    vec_push(&all, {STR("b"), STR("1")});
    vec_push(&all, {STR("a"), STR("2")});
    CHECK(kustomize_entries_sort(&all, &twice));
    CHECK_STR(joined(&all, &out), STR("[a|2][b|1]"), "");
    vec_push(&all, {STR("a"), STR("3")});
    CHECK(!kustomize_entries_sort(&all, &twice));
    CHECK_STR(twice, STR("a"), "");
}
