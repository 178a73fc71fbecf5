#include <string.h>

#include "fnlib/fnlib.h"

FNLIB_TEXTS(
    format, "format", "puts fields in their usual order",
    "Orders the fields of every object as people write them (apiVersion, kind, metadata, spec;\n"
    "name before the rest), those without a place of their own by name, and writes the files\n"
    "anew with the usual indentation. What is below data and annotations is ordered by name.\n"
    "\n"
    "functionConfig: none.");

/* The first ones, the last ones; between them the rest by name. */
static const char first_fields[][20] = {
    "apiVersion",       "kind",        "metadata",       "name",
    "generateName",     "namespace",   "type",           "labels",
    "annotations",      "replicas",    "selector",       "matchLabels",
    "matchExpressions", "strategy",    "updateStrategy", "serviceName",
    "schedule",         "jobTemplate", "template",       "image",
    "imagePullPolicy",  "command",     "args",           "workingDir",
};
static const char last_fields[][12] = {
    "spec", "data", "binaryData", "stringData", "rules", "subjects", "roleRef", "items", "status",
};

static int rank(const char *key)
{
    for (size_t i = 0; i < FNLIB_LEN(first_fields); i++)
        if (strcmp(key, first_fields[i]) == 0)
            return (int)i - (int)FNLIB_LEN(first_fields);
    for (size_t i = 0; i < FNLIB_LEN(last_fields); i++)
        if (strcmp(key, last_fields[i]) == 0)
            return (int)i + 1;
    return 0;
}

static int compare(const char *a, const char *b)
{
    int x = rank(a), y = rank(b);

    return x != y ? (x < y ? -1 : 1) : strcmp(a, b);
}

/* Keys below these are the user's words. */
static bool holds_pairs(const char *path)
{
    static const char names[][16] = {"data",   "binaryData",  "stringData",  "annotations",
                                     "labels", "matchLabels", "nodeSelector"};
    const char *dot = strrchr(path, '.'), *last = dot ? dot + 1 : path;

    for (size_t i = 0; i < FNLIB_LEN(names); i++)
        if (strcmp(last, names[i]) == 0)
            return true;
    return false;
}

static int visit(void *user, gfn_node node, const char *path)
{
    (void)user;
    gfn_sort(node, holds_pairs(path) ? strcmp : compare);
    return GFN_WALK_ON;
}

static int run(gfn_ctx *ctx)
{
    gfn_iter it = gfn_items(ctx);

    while (gfn_next(&it)) {
        gfn_walk(it.node, visit, NULL);
        gfn_touch(it.node);
    }
    return 0;
}

const gfn_desc fnlib_format = {FNLIB_DESC(format), .run = run};
