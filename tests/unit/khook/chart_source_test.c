#include "khook/spec/chart_source.h"

#include "support/test.h"

TEST(chart_sources_take_their_three_shapes)
{
    static const struct {
        struct khook_chart_fields in;
        const char *display, *user, *error;
    } rows[] = {
        {{.chart = STR_INIT("web:1.2"), .repo = STR_INIT("https://x")}, "web@1.2", "", NULL},
        {{.chart = STR_INIT("web"), .repo = STR_INIT("http://u%40:p@x/y")},
         "web@latest",
         "u@",
         NULL},
        {{.chart = STR_INIT("oci://r/a/b@sha256:00")}, "oci://r/a/b@sha256:00", "", NULL},
        {{.chart = STR_INIT("oci://r:5000/a/b"), .version = STR_INIT("1")},
         "oci://r:5000/a/b@1",
         "",
         NULL},
        {{.chart = STR_INIT("./c")}, "./c", "", NULL},
        {{.chart = STR_INIT("web@1.2"), .repo = STR_INIT("https://x")},
         NULL,
         NULL,
         "<name>:<version>"},
        {{.chart = STR_INIT("web")}, NULL, NULL, "repo is needed"},
        {{.chart = STR_INIT("web"), .repo = STR_INIT("ftp://x")}, NULL, NULL, "http"},
        {{.chart = STR_INIT("./c"),
          .has_auth = true,
          .username = STR_INIT("u"),
          .password = STR_INIT("hush")},
         NULL,
         NULL,
         "auth"},
        {{.chart = STR_INIT("oci://u:hush@r/a"),
          .has_auth = true,
          .username = STR_INIT("u"),
          .password = STR_INIT("hush")},
         NULL,
         NULL,
         "use one of them"},
        {{.chart = STR_INIT("oci://u:hu%zzsh@r/a")}, NULL, NULL, "percent"},
        {{.chart = STR_INIT("oci://r/a:")}, NULL, NULL, "[:TAG]"},
        {{.chart = STR_INIT("oci://r/a@")}, NULL, NULL, "[@DIGEST]"},
        {{.chart = STR_INIT("https://u:hush@r/a"), .repo = STR_INIT("https://x")},
         NULL,
         NULL,
         "holds \"@\""},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(arena_done) struct arena arena = {0};
        AUTO(err_done) struct err e = {0};
        AUTO(buf_done) struct buf display = {0};
        struct khook_chart_source got;
        int rc = khook_chart_resolve(&rows[i].in, &arena, &got, &e);

        CHECK_INT(rc, rows[i].error ? -1 : 0, err_text(&e));
        if (rc == 0 && !rows[i].error) {
            khook_chart_display(&got, &display);
            CHECK_STR(buf_view(&display), str_of(rows[i].display), rows[i].display);
            CHECK_STR(got.username, str_of(rows[i].user), rows[i].display);
        } else if (rows[i].error) {
            CHECK(str_contains(str_of(err_text(&e)), str_of(rows[i].error)));
            CHECK(!str_contains(str_of(err_text(&e)), STR("hush")));
        }
    }
}
