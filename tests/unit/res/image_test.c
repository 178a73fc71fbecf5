#include "res/image.h"

#include "support/test.h"

TEST(image_split_takes_a_reference_apart)
{
    static const struct {
        const char *in, *name, *tag, *digest;
    } rows[] = {
        {"redis", "redis", "", ""},
        {"redis:7", "redis", "7", ""},
        {"redis@sha256:0f", "redis", "", "sha256:0f"},
        {"redis:7@sha256:0f", "redis", "7", "sha256:0f"},
        {"host:5000/redis", "host:5000/redis", "", ""},
        {"host:5000/redis:7@sha256:0f", "host:5000/redis", "7", "sha256:0f"},
        {"/redis:7", "/redis", "7", ""},
        {"a@b:c", "a", "", "b:c"},
        {"", "", "", ""},
        {":", "", "", ""},
        {"a:b:c", "a", "b:c", ""},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct res_image_parts parts = res_image_split(str_of(rows[i].in));

        CHECK_STR(parts.name, str_of(rows[i].name), rows[i].in);
        CHECK_STR(parts.tag, str_of(rows[i].tag), rows[i].in);
        CHECK_STR(parts.digest, str_of(rows[i].digest), rows[i].in);
    }
}

TEST(image_apply_changes_name_tag_and_digest)
{
    static const struct {
        struct res_image_change change;
        const char *in, *want;
    } rows[] = {
        {{.new_name = STR_INIT("valkey")}, "redis:7@sha256:0f", "valkey:7@sha256:0f"},
        {{.new_tag = STR_INIT("8")}, "redis:7@sha256:0f", "redis:8"},
        {{.digest = STR_INIT("sha256:1e")}, "redis:7", "redis@sha256:1e"},
        {{.new_tag = STR_INIT("8"), .digest = STR_INIT("sha256:1e")}, "redis", "redis:8@sha256:1e"},
        {{.tag_suffix = STR_INIT("-x")}, "redis:7@sha256:0f", "redis:7-x"},
        {{.tag_suffix = STR_INIT("-x")}, "redis", "redis:-x"},
        {{.new_tag = STR_INIT("8"), .tag_suffix = STR_INIT("-x")}, "redis", "redis:8"},
        {{.new_name = STR_INIT("valkey")}, "redis:", "valkey"},
        {{.new_name = STR_INIT("")}, "h:1/redis:7", "h:1/redis:7"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf out = {0};

        res_image_apply(&rows[i].change, str_of(rows[i].in), &out);
        CHECK_STR(buf_view(&out), str_of(rows[i].want), rows[i].in);
    }
}

TEST(image_pattern_matches_whole_names_with_any_version)
{
    static const struct {
        const char *name, *image;
        bool want;
    } rows[] = {
        {"redis", "redis", true},
        {"redis", "redis:7", true},
        {"redis", "redis:{TAG}", true},
        {"redis", "redis@sha512:0f", true},
        {"redis", "redis@multihash+base58:QmX", true},
        {"redis", "redis@a++b:x", false},
        {"redis", "redis@:x", false},
        {"redis", "redis2", false},
        {"redis", "library/redis", false},
        {"redis", "host:5000/redis", false},
        {"re.*", "redis:7", true},
        {"x|redis", "my-redis", true},
        {"redis[", "redis", false},
        {"redis[", "redis[", false},
        {"a.b/redis", "a.b/redis:7", true},
        {"a.b/redis", "axb/redis", true},
        {"a.b/redis", "a\nb/redis", false},
        {"a.b/redis",
         "a\xc3\xa9"
         "b/redis",
         true},
        {"a.b/redis",
         "a\xc3\xa9"
         "b/redis2",
         false},
        {"a.b/redis", "a.b/redi", false},
        {"redis", "redi\xc3\xa9", false},
        {"redis", "redis:", true},
        {"redis", "redis:7:8", false},
        {"redis", "redis:7@a+b:c", true},
        {"redis", "redis:7@a+:c", false},
        {"redis", "redis@a", false},
        {"redis", "redis@a:b@c", false},
        {"redis", "redis\n", false},
        {"redis", "", false},
        {"", ":7", true},
        {"", "7", false},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(re_free) struct re *re = res_image_pattern(str_of(rows[i].name));

        AUTO(res_image_matcher_done) struct res_image_matcher m = {0};
        bool is_pattern = res_image_matcher_init(&m, str_of(rows[i].name));

        CHECK_INT(re && re_match(re, str_of(rows[i].image)), rows[i].want, rows[i].image);
        CHECK_INT(is_pattern, re != NULL, rows[i].name);
        CHECK_INT(is_pattern && res_image_matches(&m, str_of(rows[i].image)), rows[i].want,
                  rows[i].image);
    }
}
