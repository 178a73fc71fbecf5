/* Versions of Kubernetes as `helm template --kube-version` takes them. */
#include "base/buf.h"
#include "chart/kube_version.h"
#include "support/test.h"

TEST(versions_of_kubernetes_keep_the_numbers_they_were_given)
{
    static const struct {
        const char *text, *want; /* full, shown, major, minor; or the message */
    } rows[] = {
        {"1.25", "v1.25 v1.25 1 25"},
        {"v1.33.4-gke.1", "v1.33.4-gke.1 v1.33.4 1 33"},
        {"1.34+", "v1.34+ v1.34 1 34"},
        {"1.2.3.4", "v1.2.3.4 v1.2.3.4 1 2"},
        {"x", "invalid kube version 'x': could not parse \"x\" as version"},
        {"1", "invalid kube version '1': illegal version string \"1\""},
        {"01.2",
         "invalid kube version '01.2': illegal zero-prefixed version component \"01\" in \"01.2\""},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(arena_done) struct arena arena = {0};
        AUTO(buf_done) struct buf out = {0};
        AUTO(err_done) struct err e = {0};
        struct chart_kube_version v;

        if (chart_kube_version_parse(&arena, str_of(rows[i].text), &v, &e) < 0)
            buf_add_cstr(&out, err_text(&e));
        else
            buf_addf(&out, "%.*s %.*s %.*s %.*s", STR_ARG(v.full), STR_ARG(v.shown),
                     STR_ARG(v.major), STR_ARG(v.minor));
        CHECK_STR(buf_view(&out), str_of(rows[i].want), rows[i].text);
    }
}
