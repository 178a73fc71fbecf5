#include "doc/emit.h"
#include "sdk/sdk_priv.h"

/* Reading nodes, walking, making new ones. */

enum gfn_type gfn_type(gfn_node n)
{
    static const enum gfn_type types[] = {
        [DOC_NULL] = GFN_NULL,     [DOC_BOOL] = GFN_BOOL, [DOC_NUMBER] = GFN_NUMBER,
        [DOC_STRING] = GFN_STRING, [DOC_LIST] = GFN_LIST, [DOC_MAP] = GFN_MAP,
        [DOC_ALIAS] = GFN_NONE,
    };
    const struct doc_node *at = sdk_node(n);

    return at ? types[at->type] : GFN_NONE;
}

bool gfn_is_scalar(gfn_node n) { return doc_is_scalar(sdk_node(n)); }

size_t gfn_len(gfn_node n) { return doc_len(sdk_node(n)); }

gfn_iter gfn_children(gfn_node n)
{
    const struct doc_node *at = sdk_node(n);

    return (gfn_iter){.of = n, .index = SIZE_MAX, .next = doc_first(at), .left = doc_len(at)};
}

const char *gfn_key(gfn_node field) { return sdk_text(field.ctx, doc_key(field.at)); }

const char *gfn_text(gfn_node scalar)
{
    str text = doc_text(sdk_node(scalar), STR_NONE);

    return text.len ? sdk_text(scalar.ctx, text) : "";
}

bool gfn_text_is(gfn_node scalar, const char *text)
{
    const struct doc_node *at = sdk_node(scalar);

    return doc_is_scalar(at) && str_eq(doc_text(at, STR_NONE), str_of(text));
}

const char *gfn_yaml(gfn_node n)
{
    AUTO(buf_done) struct buf text = {0};
    const struct doc_node *at = sdk_node(n);

    if (at)
        doc_emit(at, DOC_EMIT_KYAML, &text);
    return sdk_text(n.ctx, buf_view(&text));
}

bool gfn_equal(gfn_node a, gfn_node b)
{
    const struct doc_node *x = sdk_node(a), *y = sdk_node(b);

    return x && y ? doc_equal(x, y) : x == y;
}

enum gfn_style gfn_style(gfn_node n)
{
    static const enum gfn_style styles[] = {
        [DOC_PLAIN] = GFN_PLAIN,     [DOC_SINGLE] = GFN_SINGLE, [DOC_DOUBLE] = GFN_DOUBLE,
        [DOC_LITERAL] = GFN_LITERAL, [DOC_FOLDED] = GFN_FOLDED, [DOC_FLOW] = GFN_FLOW,
    };
    const struct doc_node *at = sdk_node(n);

    return at ? styles[at->style] : GFN_PLAIN;
}

/* ---- walking */

struct walk {
    gfn_ctx *ctx;
    gfn_walk_fn *visit;
    void *user;
    struct buf path;
};

/* Recursion follows the tree, whose depth its reader has bounded. */
static int walk_at(struct walk *w, struct doc_node *n)
{
    struct doc_iter it;
    int said = w->visit(w->user, sdk_handle(w->ctx, n), buf_cstr(&w->path));
    size_t len = w->path.len, index = 0;

    if (said == GFN_WALK_SKIP || said < 0)
        return said < 0 ? GFN_WALK_END : 0;
    it = doc_children(n);
    while (doc_next(&it)) {
        if (n->type == DOC_MAP)
            sdk_add_key(&w->path, it.key);
        else
            sdk_add_index(&w->path, index++);
        said = walk_at(w, it.value);
        buf_trunc(&w->path, len);
        if (said < 0)
            return said;
    }
    return 0;
}

int gfn_walk(gfn_node n, gfn_walk_fn *visit, void *user)
{
    struct walk w = {.ctx = n.ctx, .visit = visit, .user = user};
    int said = n.at ? walk_at(&w, sdk_node(n)) : 0;

    buf_done(&w.path);
    return said;
}

/* ---- comments */

/* "# text" without what makes it a comment. */
static const char *bare_comment(gfn_ctx *ctx, str comment)
{
    AUTO(buf_done) struct buf text = {0};
    str line;

    if (comment.len == 0)
        return NULL;
    while (str_next_line(&comment, &line)) {
        str_drop_prefix(&line, STR("#"));
        str_drop_prefix(&line, STR(" "));
        buf_addf(&text, "%s%.*s", text.len ? "\n" : "", STR_ARG(line));
    }
    return sdk_text(ctx, buf_view(&text));
}

const char *gfn_line_comment(gfn_node n)
{
    const struct doc_node *at = n.at;
    str comment = doc_line_comment(at);

    /* That of a value which is not written stands behind its key. */
    if (!comment.len && at && at->extra && doc_type(at) == DOC_NULL)
        comment = at->extra->key_line;
    return bare_comment(n.ctx, comment);
}

/* go-yaml hangs what stands above and below an entry on its key. */
static str *around(struct doc_node *n, bool is_head)
{
    if (n->key_len)
        return is_head ? &n->extra->key_head : &n->extra->key_foot;
    return is_head ? &n->extra->head : &n->extra->foot;
}

static const char *comment_around(gfn_node n, bool is_head)
{
    struct doc_node *at = n.at;

    return at && at->extra ? bare_comment(n.ctx, *around(at, is_head)) : NULL;
}

const char *gfn_head_comment(gfn_node n) { return comment_around(n, true); }
const char *gfn_foot_comment(gfn_node n) { return comment_around(n, false); }

static str make_comment(gfn_ctx *ctx, const char *text)
{
    AUTO(buf_done) struct buf comment = {0};
    str line, rest = str_of(text);

    while (str_next_line(&rest, &line))
        buf_addf(&comment, "%s# %.*s", comment.len ? "\n" : "", STR_ARG(line));
    return arena_dup(&ctx->set->arena, buf_view(&comment));
}

void gfn_set_line_comment(gfn_node n, const char *text)
{
    const char *old = gfn_line_comment(n);
    str first = str_cut(str_of(text), '\n', NULL);
    const char *line = sdk_text(n.ctx, first);

    if (n.at && strcmp(old ? old : "", line) != 0)
        doc_set_line_comment(n.ctx->set, n.at, make_comment(n.ctx, line));
}

static void set_around(gfn_node n, bool is_head, const char *text)
{
    struct doc_node *at = n.at;

    if (!at)
        return;
    doc_extra(n.ctx->set, at);
    *around(at, is_head) = make_comment(n.ctx, text);
}

void gfn_set_head_comment(gfn_node n, const char *text) { set_around(n, true, text); }
void gfn_set_foot_comment(gfn_node n, const char *text) { set_around(n, false, text); }
