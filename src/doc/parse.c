#include "doc/parse.h"

#include "doc/yaml/build_priv.h"
#include "doc/yaml/dialect_priv.h"

static struct doc_limits limits_of(const struct doc_limits *asked, size_t len)
{
    return (struct doc_limits){
        .max_depth = asked->max_depth ? asked->max_depth : 10000,
        .max_nodes = asked->max_nodes ? asked->max_nodes : 50000000,
        .max_expansion = asked->max_expansion ? asked->max_expansion : 1000000 + 10 * (uint64_t)len,
        .max_bytes = asked->max_bytes ? MIN(asked->max_bytes, (uint64_t)UINT32_MAX) : UINT32_MAX,
    };
}

/* ---- refusals */

static int fail_at(const struct doc_set *set, uint32_t source, uint32_t offset, const char *code,
                   str text, str hint, struct err *e)
{
    AUTO(diag_list_done) struct diag_list diags = {0};
    struct doc_place place = doc_place_at(set, source, offset);

    diag_add(&diags, &(struct diag){.code = str_of(code),
                                    .origin = place.origin,
                                    .line = place.line,
                                    .column = place.column,
                                    .text = text,
                                    .hint = hint,
                                    .excerpt = place.excerpt});
    return err_diags(e, &diags);
}

static int fail_problem(const struct yaml_builder *b, const struct doc_yaml_problem *p,
                        struct err *e)
{
    AUTO(buf_done) struct buf text = {0};
    uint32_t offset = p->is_reader ? (uint32_t)b->text.len : p->problem_mark.offset;
    const char *hint = doc_yaml_explain(p, &text);

    return fail_at(b->set, b->source, offset, p->is_depth ? "yaml.limit" : "yaml.syntax",
                   buf_view(&text), str_of(hint), e);
}

/* ---- reading */

static void put_inside(struct doc_set *set, uint32_t source, const struct doc_node *scalar)
{
    struct doc_source *src = &set->sources[source];

    if (!scalar || !scalar->source || scalar->source == source)
        return;
    src->outer = scalar->source;
    src->at = scalar->begin;
    src->is_below = scalar->style == DOC_LITERAL || scalar->style == DOC_FOLDED;
}

void doc_set_inside(struct doc_set *set, const struct doc_node *n, const struct doc_node *scalar)
{
    if (n && n->source)
        put_inside(set, n->source, scalar);
}

/* Registers the text of b as a source of the set, decoded and followed by a NUL byte. */
static void add_source(struct yaml_builder *b, str text, str origin, struct doc_yaml_problem *bad)
{
    char *converted;
    str plain;
    bool copy;

    doc_yaml_decode(text, &plain, &converted, bad);
    arena_adopt(&b->set->arena, converted);
    copy = !converted && (!(b->flags & DOC_BORROW) || bad->problem);
    b->source = doc_set_add_source(b->set, plain, origin, copy);
    b->set->sources[b->source].has_mark = str_starts(text, STR("\xef\xbb\xbf"));
    b->text = b->set->sources[b->source].text;
    yaml_builder_start(b);
}

static int scan(struct yaml_builder *b, const struct doc_yaml_problem *bad,
                struct doc_yaml_problem *ret, struct err *e)
{
    struct doc_yaml_input in = {.text = b->text,
                                .is_go = true,
                                .bad = bad,
                                .arena = &b->set->arena,
                                .max_depth = b->limits.max_depth,
                                .has_comments = (b->flags & DOC_COMMENTS) != 0};
    struct doc_yaml_sink sink = {b, yaml_build_event, yaml_build_entry, yaml_build_item,
                                 yaml_build_close};

    if (doc_yaml_scan(&in, &sink, ret) == 0)
        return 0;
    if (ret->problem)
        return fail_problem(b, ret, e);
    return fail_at(b->set, b->source, b->why_at, b->code, b->why, STR_NONE, e);
}

int doc_parse_all(struct doc_set *set, str text, const struct doc_parse_options *options,
                  const char *origin, struct doc_list *ret, struct err *e)
{
    AUTO(yaml_builder_done)
    struct yaml_builder b = {
        .set = set,
        .dialect = *dialect_row(options->dialect),
        .flags = options->flags,
        .limits = limits_of(&options->limits, text.len),
        .roots = ret,
        .ret_repeated = options->ret_repeated,
    };
    struct doc_yaml_problem bad, problem = {0};
    size_t roots_before = ret->len;

    if (text.len > b.limits.max_bytes)
        return err_set(e, ERR_INVALID, "%s: the text is larger than %llu bytes", origin,
                       (unsigned long long)b.limits.max_bytes);
    b.dialect.last_wins |= (options->flags & DOC_LAST_WINS) != 0;
    add_source(&b, text, str_of(origin), &bad);
    put_inside(set, b.source, options->inside);
    if (scan(&b, &bad, &problem, e) < 0) {
        if (options->ret_problem)
            *options->ret_problem = problem;
        set->source_count--;
        ret->len = roots_before;
        return -1;
    }
    return 0;
}

struct doc_node *doc_parse(struct doc_set *set, str text, enum doc_dialect dialect,
                           const char *origin, struct err *e)
{
    AUTO(doc_list_done) struct doc_list roots = {0};
    struct doc_parse_options options = {.dialect = dialect};
    struct doc_node *second;

    if (doc_parse_all(set, text, &options, origin, &roots, e) < 0)
        return NULL;
    if (roots.len == 0)
        return doc_new_null(set);
    if (roots.len == 1)
        return roots.v[0];
    second = roots.v[1];
    fail_at(set, second->source, second->begin, "yaml.multiple-documents",
            STR("a second document begins here; this text must have only one"), STR_NONE, e);
    set->source_count--;
    return NULL;
}

struct diag *doc_diag(struct diag_list *list, const struct doc_set *set, const struct doc_node *n,
                      bool at_key, const char *code, const char *fmt, ...)
{
    AUTO(buf_done) struct buf text = {0};
    struct doc_place place = at_key ? doc_key_place(set, n) : doc_place(set, n);
    va_list args;

    va_start(args, fmt);
    buf_addv(&text, fmt, args);
    va_end(args);
    return diag_add(list, &(struct diag){.code = str_of(code),
                                         .origin = place.origin,
                                         .line = place.line,
                                         .column = place.column,
                                         .text = buf_view(&text),
                                         .excerpt = place.excerpt});
}

struct doc_node *doc_new_plain(struct doc_set *set, str text, enum doc_dialect dialect)
{
    struct doc_node *n = ARENA_NEW(&set->arena, struct doc_node);

    dialect_plain(dialect_row(dialect), arena_dup(&set->arena, text), &set->arena, n);
    return n;
}
