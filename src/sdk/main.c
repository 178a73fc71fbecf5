#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "doc/emit.h"
#include "doc/kyaml/node.h"
#include "doc/parse.h"
#include "sdk/sdk_priv.h"

/* ---- ResourceLists as text */

static bool is_list_version(str version)
{
    return str_eq(version, STR("config.kubernetes.io/v1")) ||
           str_eq(version, STR("config.kubernetes.io/v1beta1")) ||
           str_eq(version, STR("config.kubernetes.io/v1alpha1"));
}

static int take_list(gfn_ctx *ctx, const struct doc_list *roots)
{
    struct doc_node *root = roots->len ? roots->v[0] : NULL, *items;
    struct doc_iter it;

    if (roots->len != 1 ||
        !str_eq(doc_text(doc_get_lit(root, "kind"), STR_NONE), STR("ResourceList")) ||
        !is_list_version(doc_text(doc_get_lit(root, "apiVersion"), STR_NONE)))
        return gfn_fail(ctx, "the input is no ResourceList of config.kubernetes.io/v1");
    items = doc_get_lit(root, "items");
    if (!doc_is_null(items) && !doc_is_list(items))
        return gfn_fail(ctx, "items is no list");
    ctx->root = root;
    it = doc_children(items);
    while (doc_next(&it)) {
        if (!doc_is_map(it.value))
            return gfn_fail(ctx, "items[%zu] is no mapping", ctx->own.len);
        vec_push(&ctx->own, it.value);
    }
    ctx->config = doc_get_lit(root, "functionConfig");
    if (doc_is_null(ctx->config))
        ctx->config = NULL;
    if (doc_is_list(doc_get_lit(root, "results")))
        ctx->results = doc_get_lit(root, "results");
    return 0;
}

gfn_ctx *gfn_read(const char *text, size_t len)
{
    static const struct doc_parse_options options = {.dialect = DOC_KYAML, .flags = DOC_COMMENTS};
    AUTO(err_done) struct err e = {0};
    AUTO(doc_list_done) struct doc_list roots = {0};
    gfn_ctx *ctx = sdk_ctx_wrap(doc_set_new(), NULL, NULL);

    ctx->owns_set = true;
    ctx->is_wide = doc_has_wide_lists((str){text, len});
    if (doc_parse_all(ctx->set, (str){text, len}, &options, "input", &roots, &e) < 0)
        gfn_fail(ctx, "%s", err_text(&e));
    else
        take_list(ctx, &roots);
    return ctx;
}

/* Brings the list of items in line with the vector. */
static void store_items(gfn_ctx *ctx)
{
    struct doc_node *items = doc_ensure_list(ctx->set, ctx->root, STR("items"));
    struct doc_iter it = doc_children(items);
    size_t same = 0;

    sdk_ctx_settle(ctx);
    while (same < ctx->items->len && doc_next(&it) && it.value == ctx->items->v[same])
        same++;
    if (same == ctx->items->len && same == doc_len(items))
        return;
    gfn_clear(sdk_handle(ctx, items));
    for (size_t i = 0; i < ctx->items->len; i++)
        doc_append(items, ctx->items->v[i]);
    if (items->len)
        items->style = DOC_PLAIN;
}

const char *gfn_write(gfn_ctx *ctx, size_t *ret_len)
{
    AUTO(buf_done) struct buf out = {0};
    char *text;

    if (!ctx->root) {
        ctx->root = doc_new_map(ctx->set);
        doc_set_string(ctx->set, ctx->root, STR("apiVersion"), STR("config.kubernetes.io/v1"));
        doc_set_string(ctx->set, ctx->root, STR("kind"), STR("ResourceList"));
    }
    store_items(ctx);
    if (ctx->results && !doc_get_lit(ctx->root, "results"))
        doc_set_field(ctx->set, ctx->root, STR("results"), ctx->results);
    doc_emit(ctx->root, ctx->is_wide ? DOC_EMIT_KYAML_WIDE : DOC_EMIT_KYAML, &out);
    if (ret_len)
        *ret_len = out.len;
    text = buf_take(&out);
    arena_adopt(&ctx->arena, text);
    return text;
}

/* ---- the program */

static int print_help(const gfn_desc *d)
{
    printf("%s: %s\n", d->name, d->summary ? d->summary : "a KRM function");
    if (d->doc)
        printf("\n%s\n", d->doc);
    printf("\nUsage: %s <LIST        reads a ResourceList, writes one\n"
           "       %s DIR [--fn-config FILE | KEY=VALUE...]\n"
           "                              runs on the files of a directory, through grapnel\n",
           d->name, d->name);
    return 0;
}

/* `grapnel fn eval DIR --exec SELF [--fn-config FILE] [-- KEY=VALUE...]` takes the place of this
 * process: reading and writing packages is the orchestrator's work. */
static int eval_dir(int argc, char **argv)
{
    char self[4096];
    ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
    VEC(char *) args = {0};
    bool has_pairs = false;

    if (len < 0) {
        fprintf(stderr, "%s: cannot find the program's file\n", argv[0]);
        return 1;
    }
    self[len] = '\0';
    vec_push(&args, (char *)"grapnel");
    vec_push(&args, (char *)"fn");
    vec_push(&args, (char *)"eval");
    vec_push(&args, argv[1]);
    vec_push(&args, (char *)"--exec");
    vec_push(&args, self);
    for (int i = 2; i < argc; i++) {
        if (!has_pairs && argv[i][0] != '-' && strcmp(argv[i - 1], "--fn-config") != 0) {
            has_pairs = true;
            vec_push(&args, (char *)"--");
        }
        vec_push(&args, argv[i]);
    }
    vec_push(&args, NULL);
    execvp("grapnel", args.v);
    fprintf(stderr, "%s: cannot run grapnel: %s; it reads and writes the directory\n", argv[0],
            strerror(errno));
    vec_done(&args);
    return 1;
}

static int read_input(struct buf *in)
{
    for (;;) {
        ssize_t got;

        buf_grow(in, 65536);
        got = read(STDIN_FILENO, in->p + in->len, 65536);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return (int)got;
        in->len += (size_t)got;
        in->p[in->len] = '\0';
    }
}

/* People look at standard error. */
static void print_errors(gfn_ctx *ctx, const char *name)
{
    gfn_iter it = gfn_children(gfn_results(ctx));

    while (gfn_next(&it))
        if (gfn_text_is(gfn_child(it.node, "severity"), "error"))
            fprintf(stderr, "%s: %s\n", name, gfn_text(gfn_child(it.node, "message")));
}

int gfn_main(int argc, char **argv, const gfn_desc *d)
{
    AUTO(buf_done) struct buf in = {0};
    gfn_ctx *ctx;
    const char *out;
    size_t len;
    bool has_failed;

    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
        return print_help(d);
    if (argc > 1)
        return eval_dir(argc, argv);
    if (read_input(&in) < 0) {
        fprintf(stderr, "%s: cannot read standard input: %s\n", d->name, strerror(errno));
        return 1;
    }
    ctx = gfn_read(buf_cstr(&in), in.len);
    has_failed = gfn_run(ctx, d) < 0;
    print_errors(ctx, d->name);
    out = gfn_write(ctx, &len);
    if (fwrite(out, 1, len, stdout) != len || fflush(stdout) != 0) {
        fprintf(stderr, "%s: cannot write standard output: %s\n", d->name, strerror(errno));
        has_failed = true;
    }
    gfn_free(ctx);
    return has_failed;
}
