#include <string.h>

#include "fnlib/setters.h"

FNLIB_TEXTS(apply_setters, "apply-setters", "sets fields by the setter comments behind them",
            "A comment `# kpt-set: ${image}:${tag}` behind a scalar says how its value is made of "
            "setters; at\n"
            "the key of a list, `# kpt-set: ${name}` stands for all of it. Setters that are not "
            "given keep\n"
            "what the value has now. An empty text is written \"\", an empty list [].\n"
            "\n"
            "functionConfig: a v1 ConfigMap whose data are setters and their values; the value of "
            "a list is\n"
            "a YAML list.");

struct apply {
    gfn_ctx *ctx;
    gfn_node item, setters;
    size_t matches;
    bool has_failed;
};

static const char *setter(const struct apply *a, const char *name)
{
    gfn_node value = gfn_child(a->setters, name);

    return gfn_is_scalar(value) ? gfn_text(value) : NULL;
}

static bool has_given(const struct apply *a, const fnlib_pattern *p)
{
    for (size_t i = 0; i < p->count; i++)
        if (setter(a, p->names[i]))
            return true;
    return false;
}

static void report(struct apply *a, const char *path, const char *value)
{
    a->matches++;
    gfn_result(a->ctx, GFN_INFO, a->item, path, "set field value to \"%s\"", value);
}

/* The text that the pattern makes of setters and the current value; NULL after an error. */
static const char *resolve(struct apply *a, fnlib_pattern *p, gfn_node node, const char *path)
{
    const char *out = "", *missing = "";

    fnlib_pattern_match(a->ctx, p, gfn_text(node));
    for (size_t i = 0; i < p->count; i++) {
        const char *value = setter(a, p->names[i]);

        if (!value)
            value = p->values[i];
        if (!value)
            missing = gfn_printf(a->ctx, "%s%s${%s}", missing, *missing ? " " : "", p->names[i]);
        out = gfn_printf(a->ctx, "%s%s%s", out, p->before[i], value ? value : "");
    }
    if (!*missing)
        return gfn_printf(a->ctx, "%s%s", out, p->before[p->count]);
    gfn_result(a->ctx, GFN_ERROR, a->item, path, "values for setters [%s] must be provided",
               missing);
    return NULL;
}

static int set_scalar(struct apply *a, fnlib_pattern *p, gfn_node node, const char *path)
{
    const char *text = resolve(a, p, node, path);

    if (!text || gfn_set_plain(node, "", text) < 0)
        return -1;
    report(a, path, text);
    return 0;
}

static int set_list(struct apply *a, const fnlib_pattern *p, gfn_node list, const char *path)
{
    const char *value, *comment = gfn_line_comment(list);
    gfn_node with;
    gfn_iter it;

    if (!fnlib_pattern_is_whole(p))
        return gfn_result(a->ctx, GFN_ERROR, a->item, path,
                          "the setter comment of a list must be one ${name}");
    value = setter(a, p->names[0]);
    with = *value ? fnlib_setter_list(a->ctx, value) : gfn_new_list(a->ctx);
    if (!gfn_exists(with))
        return gfn_result(a->ctx, GFN_ERROR, a->item, path,
                          "input to array setter must be an array of values: %s", value);
    report(a, path, value);
    if (gfn_equal(list, with))
        return 0;
    gfn_clear(list);
    it = gfn_children(with);
    while (gfn_next(&it))
        gfn_append(list, gfn_copy(a->ctx, it.node));
    gfn_set_style(list, gfn_len(list) ? GFN_PLAIN : GFN_FLOW);
    gfn_set_line_comment(list, comment); /* it moves between the list and its key */
    return 0;
}

static int visit(void *user, gfn_node node, const char *path)
{
    struct apply *a = user;
    const char *pattern = gfn_is_map(node) ? NULL : fnlib_setter_pattern(node);
    fnlib_pattern p;
    int rc;

    if (!pattern || !fnlib_pattern_read(a->ctx, pattern, &p) || !has_given(a, &p))
        return GFN_WALK_ON;
    rc = gfn_is_list(node) ? set_list(a, &p, node, path) : set_scalar(a, &p, node, path);
    a->has_failed |= rc < 0; /* one run shows every problem */
    return GFN_WALK_ON;
}

static int run(gfn_ctx *ctx)
{
    struct apply a = {.ctx = ctx, .setters = gfn_config_fields(ctx)};
    gfn_iter it = gfn_items(ctx);

    if (gfn_len(a.setters) == 0)
        return gfn_fail(ctx, "functionConfig: there are no setters in data");
    while (gfn_next(&it)) {
        a.item = it.node;
        gfn_walk(it.node, visit, &a);
    }
    if (a.matches == 0 && !a.has_failed)
        gfn_result(ctx, GFN_INFO, gfn_nothing(ctx), NULL, "no matches for input setter(s)");
    return a.has_failed ? -1 : 0;
}

static const gfn_kind_of kinds[] = {{"v1", "ConfigMap"}};
const gfn_desc fnlib_apply_setters = {FNLIB_DESC(apply_setters), .run = run, .kinds = kinds,
                                      .kind_count = FNLIB_LEN(kinds)};
