#include "khook/spec/spec.h"
#include "support/test.h"

TEST(spec_on_one_line_reads_an_inline_manifest_to_its_end_only)
{
    AUTO(diag_list_done) struct diag_list problems = {0};
    AUTO(khook_vars_done) struct khook_vars vars = {0};
    static const struct khook_engines engines = {0};
    AUTO(khook_spec_free)
    struct khook_spec *spec = khook_spec_read(
        STR("{\"apiVersion\":\"khook.io/v1\",\"kind\":\"Khook\",\"metadata\":{\"name\":\"n\"},"
            "\"steps\":[{\"name\":\"a\",\"apply\":{\"manifests\":[{\"inline\":\"kind: X\"}]}},"
            "{\"name\":\"b\",\"job\":{\"image\":\"i\"}}]}"),
        "one-line", &vars, &engines, &problems);

    CHECK(spec != NULL);
    for (size_t i = 0; i < problems.len; i++)
        CHECK_STR(problems.v[i].text, STR(""), "no problem expected");
}
