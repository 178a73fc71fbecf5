/* Input: an item, as YAML. Every native function ends on it, twice; what comes out reads back, and
 * those that set things change nothing the second time. */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "fnlib/fnlib.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LIST "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n"
#define CONFIG \
    "functionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: c}\n  data:\n"

static const struct {
    const gfn_desc *fn;
    const char *config;
    bool is_idempotent;
} rows[] = {
    {&fnlib_set_namespace, CONFIG "    namespace: n\n", true},
    {&fnlib_set_labels, CONFIG "    a: b\n    app: \"5\"\n", true},
    {&fnlib_set_annotations, CONFIG "    a: \"yes\"\n", true},
    {&fnlib_set_image, CONFIG "    name: a\n    newTag: x\n", true},
    {&fnlib_apply_setters, CONFIG "    a: b\n    l: \"[1, x]\"\n", true},
    {&fnlib_create_setters, CONFIG "    a: b\n    l: \"[1, x]\"\n", false},
    {&fnlib_list_setters, "", true},
    {&fnlib_search_replace, CONFIG "    by-path: '**.a'\n    put-value: x\n    put-comment: c\n",
     true},
    {&fnlib_ensure_name_substring, CONFIG "    prepend: p-\n", true},
    {&fnlib_set_name_prefix, CONFIG "    prefix: p-\n    oldPrefix: a\n", true},
    {&fnlib_format, "", true},
    {&fnlib_kubeval, CONFIG "    strict: \"true\"\n", true},
    {&fnlib_remove_local_config_resources, "", true},
    {&fnlib_set_enforcement_action, CONFIG "    enforcementAction: warn\n", true},
};

/* The text of the first item afterwards, or nothing; the caller frees it. */
static char *run(const gfn_desc *fn, const char *config, const char *item, bool *ret_failed)
{
    char *text = NULL, *list = malloc(strlen(LIST) + strlen(config) + 1);
    gfn_ctx *ctx, *again;
    gfn_node node;
    size_t len;

    assert(list);
    memcpy(list, LIST, strlen(LIST));
    memcpy(list + strlen(LIST), config, strlen(config) + 1);
    ctx = gfn_read(list, strlen(list));
    node = gfn_parse(ctx, item);
    if (gfn_is_map(node)) {
        const char *out;

        gfn_add_item(ctx, node);
        *ret_failed = gfn_run(ctx, fn) < 0;
        out = gfn_write(ctx, &len);
        again = gfn_read(out, len);
        assert(*ret_failed || gfn_item_count(again) == gfn_item_count(ctx));
        gfn_free(again);
        if (gfn_item_count(ctx))
            text = strdup(gfn_yaml(gfn_item(ctx, 0)));
    }
    gfn_free(ctx);
    free(list);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *item = malloc(size + 1);

    assert(item);
    memcpy(item, data, size);
    item[size] = '\0';
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        bool has_failed = false, again = false;
        char *once = run(rows[i].fn, rows[i].config, item, &has_failed);
        char *twice = once ? run(rows[i].fn, rows[i].config, once, &again) : NULL;

        if (once && twice && rows[i].is_idempotent && !has_failed)
            assert(strcmp(once, twice) == 0);
        free(once);
        free(twice);
    }
    free(item);
    return 0;
}
