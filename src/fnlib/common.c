#include <stdlib.h>
#include <string.h>

#include "fnlib/fnlib.h"

/* ---- pairs */

static int compare_pairs(const void *a, const void *b)
{
    const fnlib_pair *x = a, *y = b;

    return strcmp(x->key, y->key);
}

int fnlib_pairs(gfn_node map, fnlib_pair **ret, size_t *ret_count)
{
    gfn_iter it = gfn_children(map);
    size_t count = 0;

    *ret_count = 0;
    *ret = calloc(gfn_len(map) + 1, sizeof(**ret));
    if (!*ret)
        return gfn_fail(map.ctx, "out of memory");
    while (gfn_next(&it)) {
        (*ret)[count] = (fnlib_pair){gfn_key(it.node), gfn_text(it.node)};
        if (!gfn_is_scalar(it.node))
            return gfn_fail(map.ctx, "functionConfig: the value of \"%s\" must be a string",
                            (*ret)[count].key);
        count++;
    }
    qsort(*ret, count, sizeof(**ret), compare_pairs);
    *ret_count = count;
    return 0;
}

/* ---- fields */

void fnlib_specs(const fnlib_field *rows, size_t count, gfn_field_spec *ret)
{
    for (size_t i = 0; i < count; i++)
        ret[i] = (gfn_field_spec){rows[i].group, rows[i].version, rows[i].kind, rows[i].path,
                                  rows[i].create};
}

/* ---- depends-on */

/* "group/namespaces/NS/Kind/name" or "group/Kind/name"; the core group is empty. text is cut up. */
static bool read_entry(char *text, fnlib_depend *ret)
{
    char *part[5], *at = text;
    size_t count = 0;

    while (at && count < FNLIB_LEN(part)) {
        char *slash = strchr(at, '/');

        part[count++] = at;
        if (slash)
            *slash++ = '\0';
        at = slash;
    }
    if (!at && count == 3) {
        *ret = (fnlib_depend){part[0], NULL, part[1], part[2]};
        return true;
    }
    if (at || count != 5 || strcmp(part[1], "namespaces") != 0)
        return false;
    *ret = (fnlib_depend){part[0], part[2], part[3], part[4]};
    return true;
}

static const char *print_entry(gfn_ctx *ctx, const fnlib_depend *d)
{
    if (!d->ns)
        return gfn_printf(ctx, "%s/%s/%s", d->group, d->kind, d->name);
    return gfn_printf(ctx, "%s/namespaces/%s/%s/%s", d->group, d->ns, d->kind, d->name);
}

/* The item that an entry names; one that says no namespace is meant by "default" too. */
static gfn_node find_entry(gfn_ctx *ctx, const fnlib_depend *d)
{
    gfn_node target = gfn_find(ctx, d->group, d->kind, d->ns ? d->ns : "", d->name);

    if (!gfn_exists(target) && d->ns && strcmp(d->ns, "default") == 0)
        target = gfn_find(ctx, d->group, d->kind, "", d->name);
    return target;
}

/* The text of one entry as it is to be. */
static const char *follow(gfn_ctx *ctx, const char *text, fnlib_depend_fn *change, void *user)
{
    char *copy = strdup(text);
    const char *out = text;
    fnlib_depend entry;

    if (copy && read_entry(copy, &entry)) {
        gfn_node target = find_entry(ctx, &entry);

        if (gfn_exists(target) && change(user, target, &entry))
            out = print_entry(ctx, &entry);
    }
    free(copy);
    return out;
}

int fnlib_depends_on(gfn_node item, fnlib_depend_fn *change, void *user)
{
    static const char key[] = "config.kubernetes.io/depends-on";
    const char *old = gfn_annotation(item, key);
    gfn_buf *all;

    if (!old)
        return 0;
    all = gfn_buf_new(item.ctx);
    for (const char *at = old; at;) {
        const char *comma = strchr(at, ','), *entry;
        size_t blanks = strspn(at, " ");
        size_t len = comma ? (size_t)(comma - at) : strlen(at);

        if (blanks > len)
            blanks = len;
        entry = gfn_printf(item.ctx, "%.*s", (int)(len - blanks), at + blanks);
        gfn_buf_add(all, at == old ? "" : ",");
        gfn_buf_add_part(all, at, blanks);
        gfn_buf_add(all, follow(item.ctx, entry, change, user));
        at = comma ? comma + 1 : NULL;
    }
    return strcmp(gfn_buf_text(all), old) == 0 ? 0
                                               : gfn_set_annotation(item, key, gfn_buf_text(all));
}

/* ---- paths */

bool fnlib_is_internal(const char *path)
{
    static const char keys[][31] = {
        "internal.config.kubernetes.io/",
        "config.kubernetes.io/path\"",
        "config.kubernetes.io/index\"",
        "config.k8s.io/id\"",
    };
    static const char annotations[] = "metadata.annotations[\"";

    if (strncmp(path, annotations, sizeof(annotations) - 1) != 0)
        return false;
    path += sizeof(annotations) - 1;
    for (size_t i = 0; i < FNLIB_LEN(keys); i++)
        if (strncmp(path, keys[i], strlen(keys[i])) == 0)
            return true;
    return false;
}

const char *fnlib_list_text(gfn_node list)
{
    gfn_buf *out = gfn_buf_new(list.ctx);
    gfn_iter it = gfn_children(list);

    gfn_buf_add(out, "[");
    while (gfn_next(&it)) {
        gfn_buf_add(out, it.index ? ", " : "");
        gfn_buf_add(out, gfn_is_scalar(it.node) ? gfn_text(it.node)
                         : gfn_is_list(it.node) ? "[...]"
                                                : "{...}");
    }
    gfn_buf_add(out, "]");
    return gfn_buf_text(out);
}
