/* What the messages of builds suggest, and how much of them there is. */
#include "unit/kustomize/tree.h"

#define DEPLOYMENT "== web.yaml\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"
static const struct tree_case helpful[] = {
    {DEPLOYMENT "== kustomization.yaml\nresources: [wbe.yaml]\n",
     "no such file or directory; did you mean \"web.yaml\"?", NULL, true, 0},
    {DEPLOYMENT "== base/d.yaml\n{}\n== kustomization.yaml\ncomponents: [bsae]\n",
     "no such file or directory; did you mean \"base\"?", NULL, true, 0},
    {DEPLOYMENT "== kustomization.yaml\nresources: [web.yaml]\npatches: [p.yaml]\n",
     "patches[0] of type map; write \"- path: p.yaml\"", NULL, true, 0},
    {DEPLOYMENT "== kustomization.yaml\nresources: [web.yaml]\nimages: [nginx]\n",
     "images[0] of type map; write \"- name: nginx\"", NULL, true, 0},
    {DEPLOYMENT "== kustomization.yaml\nresources: [web.yaml]\n"
                "replicas: [{name: wbe, count: 2}]\n",
     "did you mean \"web\"?", NULL, true, 0},
};

TEST(messages_tell_what_was_meant)
{
    for (size_t i = 0; i < ARRAY_LEN(helpful); i++)
        tree_check(&helpful[i]);
}

TEST(a_line_of_thousands_of_surprises_is_told_in_part)
{
    struct kustomize_options options = {.is_strict = true, .jobs = 1};
    AUTO(kustomize_result_done) struct kustomize_result result = {0};
    AUTO(buf_done) struct buf text = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(mem_free_str) char *dir = str_printf("%s/XXXXXX", test_tmp());

    CHECK(mkdtemp(dir) != NULL);
    buf_add_cstr(&text, "apiVersion: v1\nkind: A\nmetadata: {name: a}\nx: [");
    for (int i = 0; i < 5000; i++)
        buf_add_cstr(&text, "yes, ");
    buf_add_cstr(&text, "1]\n");
    tree_write(dir, STR("a.yaml"), buf_view(&text));
    tree_write(dir, STR("kustomization.yaml"), STR("resources: [a.yaml]\n"));
    CHECK_INT(kustomize_build_run(dir, &options, &result, &e), -1, "strict");
    CHECK_INT(result.warnings.len, 101, "warnings");
    CHECK_STR(result.warnings.v[0].excerpt, STR(""), "excerpt");
    CHECK_INT(result.warnings.v[0].column, 5, "column");
}
