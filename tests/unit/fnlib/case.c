#include "unit/fnlib/case.h"

/* Puts text into a list or mapping: the first line behind `lead`, the others below it. */
static void put_indented(struct buf *out, const char *lead, str text, size_t indent)
{
    str line;

    buf_add_cstr(out, lead);
    for (bool is_first = true; str_next_line(&text, &line); is_first = false) {
        if (!is_first)
            buf_add_repeat(out, ' ', indent);
        buf_addf(out, "%.*s\n", STR_ARG(line));
    }
}

static void put_items(struct buf *out, const char *documents)
{
    str rest = str_of(documents);

    while (rest.len) {
        ssize_t end = str_find(rest, STR("---\n"));
        str one = end < 0 ? rest : str_sub(rest, 0, (size_t)end);

        put_indented(out, "- ", one, 2);
        rest = end < 0 ? STR_NONE : str_from(rest, (size_t)end + 4);
    }
}

static void put_list(struct buf *out, const struct fn_case *c)
{
    bool is_map = !str_starts(str_of(c->config), STR("apiVersion:"));

    buf_add_cstr(out, "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n");
    put_items(out, c->items);
    if (!*c->config)
        return;
    buf_add_cstr(out, "functionConfig:\n");
    if (is_map)
        put_indented(out,
                     "  apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: c\n  data:\n    ",
                     str_of(c->config), 4);
    else
        put_indented(out, "  ", str_of(c->config), 2);
}

static void run_case(const struct fn_case *c)
{
    AUTO(buf_done) struct buf in = {0}, want = {0};
    gfn_ctx *ctx;
    str got, end;
    size_t before = 0;

    put_list(&in, c);
    put_items(&want, c->want ? c->want : c->items);
    ctx = gfn_read(in.p, in.len);
    CHECK_STR(gfn_has_failed(ctx) ? STR("unread") : STR(""), STR(""), in.p);
    CHECK_INT(gfn_run(ctx, c->fn) < 0, c->fails, in.p);
    got = str_of(gfn_write(ctx, NULL));
    if (c->result && !str_contains(got, str_of(c->result)))
        CHECK_STR(got, str_of(c->result), "results");
    if (!c->fails) {
        before = (size_t)str_find(got, STR("items:")) + sizeof("items:");
        end = str_from(got, before);
        for (size_t i = 0; i < 2; i++) {
            ssize_t at = str_find(end, i ? STR("functionConfig:\n") : STR("\nresults:\n"));

            if (at >= 0)
                end = str_sub(end, 0, (size_t)at + !i);
        }
        CHECK_STR(end, buf_view(&want), c->config);
    }
    gfn_free(ctx);
}

void fn_cases_run(const struct fn_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        run_case(&cases[i]);
}
