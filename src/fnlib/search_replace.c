#include <stdlib.h>
#include <string.h>

#include "fnlib/path_pattern.h"

FNLIB_TEXTS(
    search_replace, "search-replace", "finds fields by value and path, and sets them",
    "Fields are found by by-value (equal) or by-value-regex (RE2, anywhere in the value), by-path\n"
    "(spec.containers[*].image, ** for any number of steps, * for one) and by-file-path (a glob);\n"
    "all that are given must hold. put-value sets the value, put-comment the line comment; ${1} is "
    "a\n"
    "group of the expression. A by-path without wildcards and value makes the field. Without a "
    "put\n"
    "the fields are listed.\n"
    "\n"
    "functionConfig: a v1 ConfigMap with these in data.");

struct search {
    gfn_ctx *ctx;
    gfn_node item;
    const char *by_value, *by_path, *put_value, *put_comment;
    gfn_regex *by_regex;
    fnlib_path *path;
    size_t matches;
    bool has_failed;
};

/* ---- groups */

enum { MAX_GROUPS = 100 };

/* "${12}" at text: the number, and where it ends; -1 for anything else. */
static int group_at(const char *text, const char **ret_end)
{
    int number = 0;
    const char *at = text + 2;

    if (strncmp(text, "${", 2) != 0 || *at < '0' || *at > '9')
        return -1;
    for (; *at >= '0' && *at <= '9'; at++)
        number = number < MAX_GROUPS ? number * 10 + *at - '0' : MAX_GROUPS;
    if (*at != '}')
        return -1;
    *ret_end = at + 1;
    return number;
}

/* The text with its groups put in; NULL, and a result, when one has no value. */
static const char *expand(struct search *s, const char *text, const char *value, const char *path)
{
    const char *groups[MAX_GROUPS] = {NULL}, *end = text;
    gfn_buf *out;

    if (!strstr(text, "${"))
        return text;
    out = gfn_buf_new(s->ctx);
    if (s->by_regex)
        gfn_regex_find(s->by_regex, value, groups, MAX_GROUPS);
    for (const char *at = text; *at;) {
        int group = group_at(at, &end);

        if (group < 0) {
            size_t len = 1 + strcspn(at + 1, "$");

            gfn_buf_add_part(out, at, len);
            at += len;
            continue;
        }
        if (group >= MAX_GROUPS || !groups[group]) {
            gfn_result(s->ctx, GFN_ERROR, s->item, path,
                       "the group ${%d} of \"%s\" has no value in \"%s\"", group, text, value);
            return NULL;
        }
        gfn_buf_add(out, groups[group]);
        at = end;
    }
    return gfn_buf_text(out);
}

/* ---- matching */

static bool has_value_criterion(const struct search *s) { return s->by_value || s->by_regex; }

static bool matches(const struct search *s, gfn_node node, const char *path)
{
    if (fnlib_is_internal(path))
        return false;
    /* A path alone may name a list, whose comment is at its key. */
    if (!gfn_is_scalar(node) &&
        !(gfn_is_list(node) && s->put_comment && s->path && !has_value_criterion(s)))
        return false;
    if (s->by_value && !gfn_text_is(node, s->by_value))
        return false;
    if (s->by_regex &&
        (gfn_type(node) == GFN_NULL || !gfn_regex_match(s->by_regex, gfn_text(node))))
        return false;
    return !s->path || fnlib_path_matches(s->path, path);
}

static void report(struct search *s, gfn_node node, const char *path)
{
    const char *value = gfn_is_scalar(node) ? gfn_text(node) : fnlib_list_text(node);

    s->matches++;
    gfn_result(s->ctx, GFN_INFO, s->item, path, "%s field value%s \"%s\"",
               s->put_value || s->put_comment ? "Mutated" : "Matched",
               s->put_value || s->put_comment ? " to" : "", value);
}

/* Sets what stands at a place of the node, of which value is the text. */
static bool put(struct search *s, gfn_node node, const char *at, const char *value,
                const char *path)
{
    const char *text = expand(s, s->put_value, value, path);

    return text && gfn_set_plain(node, at, text) == 0;
}

static int visit(void *user, gfn_node node, const char *path)
{
    struct search *s = user;
    const char *value, *comment = NULL;

    if (!matches(s, node, path))
        return GFN_WALK_ON;
    value = gfn_text(node);
    if ((s->put_comment && !(comment = expand(s, s->put_comment, value, path))) ||
        (s->put_value && gfn_is_scalar(node) && !put(s, node, "", value, path))) {
        s->has_failed = true; /* one run shows every problem */
        return GFN_WALK_ON;
    }
    if (comment)
        gfn_set_line_comment(node, comment);
    report(s, node, path);
    return GFN_WALK_ON;
}

static int make_field(struct search *s)
{
    const char *comment = s->put_comment ? expand(s, s->put_comment, "", s->by_path) : NULL;

    if ((s->put_comment && !comment) || !put(s, s->item, s->by_path, "", s->by_path))
        return -1;
    if (comment)
        gfn_set_line_comment(gfn_get(s->item, s->by_path), comment);
    report(s, gfn_get(s->item, s->by_path), s->by_path);
    return 0;
}

/* ---- configuration */

static int read_config(struct search *s)
{
    static const gfn_field fields[] = {
        {"by-value", GFN_STRING, false},  {"by-value-regex", GFN_STRING, false},
        {"by-path", GFN_STRING, false},   {"by-file-path", GFN_STRING, false},
        {"put-value", GFN_STRING, false}, {"put-comment", GFN_STRING, false},
    };
    gfn_node config = gfn_config_fields(s->ctx);
    const char *regex = gfn_get_str(config, "by-value-regex", NULL);

    if (gfn_config_strict(s->ctx, fields, FNLIB_LEN(fields)) < 0)
        return -1;
    s->by_value = gfn_get_str(config, "by-value", NULL);
    s->by_path = gfn_get_str(config, "by-path", NULL);
    s->put_value = gfn_get_str(config, "put-value", NULL);
    s->put_comment = gfn_get_str(config, "put-comment", NULL);
    if (s->by_value && regex)
        return gfn_fail(s->ctx,
                        "functionConfig: only one of by-value and by-value-regex can be given");
    if (!s->by_value && !regex && !s->by_path && !gfn_get_str(config, "by-file-path", NULL))
        return gfn_fail(s->ctx, "functionConfig: one of by-value, by-value-regex, by-path and "
                                "by-file-path is required");
    if (regex && !(s->by_regex = gfn_regex_new(s->ctx, regex)))
        return -1;
    if (s->by_path && !(s->path = fnlib_path_new(s->by_path)))
        return gfn_fail(s->ctx, "functionConfig: by-path \"%s\" makes no sense", s->by_path);
    return 0;
}

static int search(struct search *s)
{
    const char *files = gfn_get_str(gfn_config_fields(s->ctx), "by-file-path", NULL);
    bool makes = s->path && s->put_value && !has_value_criterion(s) && fnlib_path_is_plain(s->path);
    gfn_iter it = gfn_items(s->ctx);

    while (gfn_next(&it)) {
        size_t before = s->matches;

        if (files && !gfn_glob(files, gfn_path(it.node)))
            continue;
        s->item = it.node;
        gfn_walk(it.node, visit, s);
        if (makes && s->matches == before && !gfn_exists(gfn_get(it.node, s->by_path)))
            s->has_failed |= make_field(s) < 0;
    }
    if (s->matches == 0 && !s->has_failed)
        gfn_result(s->ctx, GFN_INFO, gfn_nothing(s->ctx), NULL, "no matches");
    return s->has_failed ? -1 : 0;
}

static int run(gfn_ctx *ctx)
{
    struct search s = {.ctx = ctx};
    int rc = read_config(&s);

    if (rc == 0)
        rc = search(&s);
    fnlib_path_free(s.path);
    return rc;
}

static const gfn_kind_of kinds[] = {{"v1", "ConfigMap"}};
const gfn_desc fnlib_search_replace = {FNLIB_DESC(search_replace), .run = run, .kinds = kinds,
                                       .kind_count = FNLIB_LEN(kinds)};
