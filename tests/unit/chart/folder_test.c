/* Charts in folders that are read side by side: the order of a walk, the first failure, links. */
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "chart/chart.h"
#include "support/test.h"
#include "sys/file.h"

enum { SUBCHARTS = 20 };

/* A file below the chart's folder, with the folders it is in. */
static void put(const char *name, const char *text)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf path = {0}, folder = {0};

    buf_addf(&path, "%s/c/%s", test_tmp(), name);
    buf_add(&folder, path.p, (size_t)str_rfind_char(buf_view(&path), '/'));
    CHECK(file_mkdirs(buf_cstr(&folder), 0755, &e) == 0);
    CHECK(file_replace(buf_cstr(&path), str_of(text), NULL, &e) == 0);
}

static void put_in(unsigned subchart, const char *name, const char *text)
{
    AUTO(buf_done) struct buf path = {0};

    buf_addf(&path, "charts/s%02u/%s", subchart, name);
    put(buf_cstr(&path), text);
}

static void put_chart(void)
{
    put("Chart.yaml", "apiVersion: v2\nname: top\nversion: 1.0.0\n");
    put("templates/deep/er/a.yaml", "a");
    put("templates/z.yaml", "z");
    for (unsigned i = 0; i < SUBCHARTS; i++) {
        char text[64];

        snprintf(text, sizeof(text), "apiVersion: v2\nname: n%u\nversion: 1.0.0\n", i);
        put_in(i, "Chart.yaml", text);
        snprintf(text, sizeof(text), "own: %u\n", i);
        put_in(i, "values.yaml", text);
        put_in(i, "templates/b.yaml", "b");
        put_in(i, "templates/a/c.yaml", "c");
    }
}

static struct chart *load(struct doc_set *set, struct err *e)
{
    AUTO(buf_done) struct buf path = {0};

    buf_addf(&path, "%s/c", test_tmp());
    return chart_load(set, buf_cstr(&path), e);
}

TEST(folders_are_read_in_the_order_of_a_walk)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    const struct chart *c;

    put_chart();
    c = load(set, &e);
    CHECK(c && c->child_count == SUBCHARTS);
    if (!c)
        return;
    CHECK_STR(c->templates[0].name, STR("templates/deep/er/a.yaml"), "own");
    CHECK_STR(c->templates[1].name, STR("templates/z.yaml"), "own");
    for (size_t i = 0; i < c->child_count; i++) {
        const struct chart *child = c->children[i];

        CHECK_INT(doc_int(doc_get_lit(child->values, "own"), -1), (int)i, "values");
        CHECK_INT(child->template_count, 2, "templates");
        CHECK_STR(child->templates[0].name, STR("templates/a/c.yaml"), "first");
        CHECK_STR(child->templates[1].text, STR("b"), "second");
        CHECK(child->templates[0].modified_us > 0);
    }
}

TEST(the_first_failure_of_the_walk_is_told)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf pipe = {0};

    put_chart();
    for (unsigned i = 3; i < SUBCHARTS; i += 4) {
        buf_clear(&pipe);
        buf_addf(&pipe, "%s/c/charts/s%02u/templates/pipe", test_tmp(), i);
        CHECK(mkfifo(buf_cstr(&pipe), 0600) == 0);
    }
    CHECK(!load(set, &e));
    CHECK(str_find(str_of(err_text(&e)), STR("irregular file charts/s03/templates/pipe ")) >= 0);
}

/* Subcharts are loaded by the threads that read them: that shows in nothing. */
TEST(the_first_subchart_that_cannot_be_loaded_is_told)
{
    AUTO(err_done) struct err e = {0}, other = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();

    put_chart();
    for (unsigned i = 19; i > 4; i -= 5)
        put_in(i, "Chart.yaml", "apiVersion: v2\nversion: 1.0.0\n");
    CHECK(!load(set, &e));
    CHECK_STR(str_of(err_text(&e)),
              STR("error unpacking subchart s09 in top: validation: chart.metadata.name is "
                  "required"),
              "message");
    put("Chart.yaml", "apiVersion: v9\nname: top\nversion: 1.0.0\n");
    CHECK(!load(set, &other));
    CHECK_STR(str_of(err_text(&other)), STR("unsupported chart version"), "the chart's own");
}

TEST(subcharts_stay_in_order_however_they_were_loaded)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    const struct chart *c;

    put_chart();
    put("charts/_off/Chart.yaml", "no chart\n");
    put("charts/s03/a.prov", "signature\n"); /* which belongs to the top chart */
    put("charts/s11/charts/b/Chart.yaml", "apiVersion: v2\nname: below\nversion: 1.0.0\n");
    c = load(set, &e);
    CHECK(c && c->child_count == SUBCHARTS && c->file_count == 1);
    if (!c)
        return;
    CHECK_STR(c->files[0].name, STR("charts/s03/a.prov"), "files");
    for (size_t i = 0; i < c->child_count; i++) {
        CHECK_INT(doc_int(doc_get_lit(c->children[i]->values, "own"), -1), (int)i, "values");
        CHECK(c->children[i]->parent == c && c->children[i]->child_count == (i == 11));
    }
}

static struct buf told;
static void keep_line(void *ctx UNUSED, enum log_level level UNUSED, str line)
{
    buf_add_str(&told, line);
}

TEST(ignored_folders_are_not_read_and_links_are_told_in_order)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf link = {0};
    const struct chart *c;

    put_chart();
    put(".helmignore", "charts/s1*\ndeep/\n");
    for (unsigned i = 0; i < SUBCHARTS; i++) {
        buf_clear(&link);
        buf_addf(&link, "%s/c/charts/s%02u/out", test_tmp(), i);
        CHECK(symlink("/etc/hostname", buf_cstr(&link)) == 0);
    }
    log_set_sink(keep_line, NULL);
    c = load(set, &e);
    log_set_sink(NULL, NULL);
    CHECK(c && c->child_count == SUBCHARTS / 2 && c->template_count == 1);
    CHECK(str_find(buf_view(&told), STR("s00/out")) >= 0);
    CHECK(str_find(buf_view(&told), STR("s00/out")) < str_find(buf_view(&told), STR("s09/out")));
    CHECK(str_find(buf_view(&told), STR("s10/out")) < 0);
    buf_done(&told);
}
