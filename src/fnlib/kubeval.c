#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fnlib/fnlib.h"

FNLIB_TEXTS(
    kubeval, "kubeval", "checks resources against schemas",
    "Checks every item against the built-in schema of its kind, or that of a\n"
    "CustomResourceDefinition among the items: an error result for each wrong type, missing field\n"
    "and, with strict, unknown field. Kustomization and Composition files, Kptfiles and "
    "local-config\n"
    "resources are skipped. Items are never changed.\n"
    "\n"
    "functionConfig: none, or a v1 ConfigMap with, in data: strict, ignore_missing_schemas "
    "(\"true\"\n"
    "or \"false\"), skip_kinds (a list, or divided by commas), schema_location and\n"
    "additional_schema_locations (directories or file:// URLs, divided by commas) with files\n"
    "KIND-GROUP-VERSION.json as kubeval names them; schema_location takes the place of the "
    "built-in\n"
    "schemas.");

enum { MAX_SCHEMA = 16 << 20, MAX_LOCATIONS = 16 };

struct check {
    gfn_ctx *ctx;
    bool is_strict, ignores_missing;
    const char *skip_kinds;
    const char *locations[MAX_LOCATIONS];
    size_t location_count;
    bool has_base;         /* the first location takes the place of the built-in schemas */
    const char *last_file; /* schemas are often asked for several times in a row */
    gfn_node last_schema;
};

/* ---- schemas in files */

static char *read_file(const char *path)
{
    FILE *f = fopen(path, "re");
    char *text = f ? malloc(MAX_SCHEMA + 1) : NULL;
    size_t len = text ? fread(text, 1, MAX_SCHEMA + 1, f) : 0;

    if (f)
        fclose(f);
    if (!text || len > MAX_SCHEMA) {
        free(text);
        return NULL;
    }
    text[len] = '\0';
    return text;
}

static gfn_node load_schema(struct check *c, const char *path)
{
    char *text;

    if (c->last_file && strcmp(c->last_file, path) == 0)
        return c->last_schema;
    text = read_file(path);
    c->last_file = path;
    c->last_schema = text ? gfn_parse(c->ctx, text) : gfn_nothing(c->ctx);
    free(text);
    return c->last_schema;
}

static const char *lower(gfn_ctx *ctx, const char *text)
{
    char *copy = (char *)gfn_printf(ctx, "%s", text);

    for (char *p = copy; *p; p++)
        if (*p >= 'A' && *p <= 'Z')
            *p += 'a' - 'A';
    return copy;
}

/* deployment-apps-v1.json, service-v1.json: the group without what follows its first dot. */
static const char *file_name(struct check *c, gfn_node item)
{
    const char *version = gfn_api_version(item), *slash = strrchr(version, '/');
    const char *group = gfn_group(item);

    return gfn_printf(c->ctx, "%s-%.*s%s%s.json", lower(c->ctx, gfn_kind(item)),
                      (int)strcspn(group, "."), group, *group ? "-" : "",
                      lower(c->ctx, slash ? slash + 1 : version));
}

static gfn_node find_schema(struct check *c, const char *location, gfn_node item)
{
    static const char folders[][26] = {"", "master-standalone/", "master-standalone-strict/"};
    const char *name = file_name(c, item);

    for (size_t i = 0; i < FNLIB_LEN(folders); i++) {
        gfn_node schema = load_schema(c, gfn_printf(c->ctx, "%s/%s%s", location, folders[i], name));

        if (gfn_exists(schema))
            return schema;
    }
    return gfn_nothing(c->ctx);
}

/* ---- items */

static bool has_word(const char *list, const char *word)
{
    for (const char *at = list; at;) {
        const char *comma = strchr(at, ',');

        at += strspn(at, " ");
        if (strncmp(at, word, strlen(word)) == 0 && strchr(", ", at[strlen(word)]))
            return true;
        at = comma ? comma + 1 : NULL;
    }
    return false;
}

static bool is_skipped(const struct check *c, gfn_node item)
{
    return gfn_is_local_config(item) || gfn_is(item, "kustomize.config.k8s.io", NULL) ||
           gfn_is(item, NULL, "Kustomization") || gfn_is(item, "kpt.dev", NULL) ||
           has_word(c->skip_kinds, gfn_kind(item));
}

static void check_item(struct check *c, gfn_node item)
{
    int verdict = c->has_base ? -1 : gfn_validate(item, c->is_strict);

    for (size_t i = 0; i < c->location_count && verdict < 0; i++)
        verdict = gfn_validate_by(item, find_schema(c, c->locations[i], item), c->is_strict);
    if (verdict < 0 && c->has_base && gfn_is_namespaced(item) < 0)
        verdict = gfn_validate(item, c->is_strict); /* the CustomResourceDefinitions are asked */
    if (verdict < 0 && !c->ignores_missing)
        gfn_result(c->ctx, GFN_ERROR, item, "kind", "no schema found for %s %s",
                   gfn_api_version(item), gfn_kind(item));
}

/* ---- configuration */

static int add_location(struct check *c, const char *text)
{
    static const char scheme[] = "file://";

    if (!*text)
        return 0;
    if (strncmp(text, scheme, sizeof(scheme) - 1) == 0)
        text += sizeof(scheme) - 1;
    if (strstr(text, "://"))
        return gfn_fail(
            c->ctx, "functionConfig: schemas are read from directories only, not from %s", text);
    if (c->location_count == MAX_LOCATIONS)
        return gfn_fail(c->ctx, "functionConfig: there are too many schema locations");
    c->locations[c->location_count++] = text;
    return 0;
}

static int add_locations(struct check *c, gfn_node value)
{
    gfn_iter it = gfn_children(value);

    while (gfn_is_list(value) && gfn_next(&it))
        if (add_location(c, gfn_text(it.node)) < 0)
            return -1;
    for (const char *at = gfn_is_list(value) ? NULL : gfn_text(value); at;) {
        const char *begin = at + strspn(at, " "), *comma = strchr(begin, ',');
        int len = comma ? (int)(comma - begin) : (int)strlen(begin);

        if (add_location(c, gfn_printf(c->ctx, "%.*s", len, begin)) < 0)
            return -1;
        at = comma ? comma + 1 : NULL;
    }
    return 0;
}

/* The kinds of a list, as if they were written with commas. */
static const char *kinds_of(gfn_ctx *ctx, gfn_node value)
{
    gfn_iter it = gfn_children(value);
    const char *all = gfn_text(value);

    while (gfn_is_list(value) && gfn_next(&it))
        all = gfn_printf(ctx, "%s,%s", all, gfn_text(it.node));
    return all;
}

static int read_bool(gfn_ctx *ctx, gfn_node config, const char *key, bool *ret)
{
    const char *text = gfn_get_str(config, key, "false");

    *ret = strcmp(text, "true") == 0;
    if (*ret || strcmp(text, "false") == 0 || !*text)
        return 0;
    return gfn_fail(ctx, "functionConfig: field \"%s\" must be \"true\" or \"false\", found \"%s\"",
                    key, text);
}

static int run(gfn_ctx *ctx)
{
    static const gfn_field fields[] = {
        {"strict", GFN_STRING, false},
        {"skip_kinds", GFN_NONE, false},
        {"ignore_missing_schemas", GFN_STRING, false},
        {"schema_location", GFN_STRING, false},
        {"additional_schema_locations", GFN_NONE, false},
    };
    gfn_node config = gfn_config_fields(ctx);
    struct check c = {.ctx = ctx, .skip_kinds = kinds_of(ctx, gfn_child(config, "skip_kinds"))};
    gfn_iter it = gfn_items(ctx);

    if (gfn_config_strict(ctx, fields, FNLIB_LEN(fields)) < 0 ||
        read_bool(ctx, config, "strict", &c.is_strict) < 0 ||
        read_bool(ctx, config, "ignore_missing_schemas", &c.ignores_missing) < 0 ||
        add_location(&c, gfn_get_str(config, "schema_location", "")) < 0)
        return -1;
    c.has_base = c.location_count > 0;
    if (add_locations(&c, gfn_child(config, "additional_schema_locations")) < 0)
        return -1;
    while (gfn_next(&it))
        if (!is_skipped(&c, it.node))
            check_item(&c, it.node);
    return gfn_has_failed(ctx) ? -1 : 0;
}

static const gfn_kind_of kinds[] = {{"v1", "ConfigMap"}};
const gfn_desc fnlib_kubeval = {FNLIB_DESC(kubeval), .run = run, .kinds = kinds,
                                .kind_count = FNLIB_LEN(kinds), .is_config_optional = true};
