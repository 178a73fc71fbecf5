#include "kustomize/patch/text.h"

#include "base/escape.h"
#include "kustomize/file/surprises.h"
#include "kustomize/shared.h"

void kustomize_patch_text_done(struct kustomize_patch_text *p) { doc_list_done(&p->merges); }

void kustomize_patch_source_print(const struct kustomize_patch_source *from, struct buf *out)
{
    buf_add_cstr(out, from->path.len ? "[path: " : "[patch: ");
    escape_quoted(from->path.len ? from->path : from->text, out);
    buf_add_char(out, ']');
}

/* ---- texts and their places */

/* A text that is read, and the name of where it is from. */
struct reading {
    str text;
    const char *origin;
    const struct doc_node *inside; /* the scalar whose text it is, or NULL */
};

static int open_source(struct kustomize_build *b, const struct kustomize_patch_source *from,
                       struct reading *ret, struct err *e)
{
    *ret = (struct reading){.origin = "patch"};
    if (from->path.len) {
        ret->origin = kustomize_file_origin(b, from->path);
        if (kustomize_load(b, from->path, &ret->text, e) == 0) {
            kustomize_judge_text(b, ret->text, ret->origin);
            return 0;
        }
        return err_wrap(e, "failed to get the patch file from path(%.*s)", STR_ARG(from->path));
    }
    ret->inside = from->node;
    ret->text = arena_dup(&b->set->arena, from->text);
    return 0;
}

/* ---- as strategic merge patches */

static bool is_object_list(const struct doc_node *object)
{
    return str_ends(doc_text(doc_get_lit(object, "kind"), STR_NONE), STR("List")) &&
           doc_is_list(doc_get_lit(object, "items"));
}

static int add_object(struct kustomize_build *b, struct doc_node *object, struct doc_list *all,
                      struct doc_list *ret, struct err *e)
{
    struct doc_node *items = is_object_list(object) ? doc_get_lit(object, "items") : NULL;
    struct doc_iter it = doc_children(items);
    struct res_id id;

    if (doc_is_null(object) || (doc_is_map(object) && doc_len(object) == 0))
        return 0;
    while (doc_next(&it)) {
        doc_remove_item(items, it.value);
        vec_push(all, it.value);
    }
    if (items)
        return 0;
    if (res_id_read(object, &id, e) < 0)
        return kustomize_fail_at(b, object, e);
    vec_push(ret, object);
    return 0;
}

static void warn_repeated(struct kustomize_build *b, const struct doc_node *entry)
{
    if (entry)
        kustomize_warn(b, entry, "yaml.duplicate-key",
                       "'%.*s' is here more than once in a patch and only the first one counts; "
                       "take the others out",
                       STR_ARG(doc_key(entry)));
}

/* Where a key is repeated, upstream merges what it finds first. */
static int read_merges(struct kustomize_build *b, const struct reading *r, struct doc_list *ret,
                       struct err *e)
{
    struct doc_node *repeated = NULL;
    const struct doc_parse_options options = {.dialect = DOC_PATCH,
                                              .flags =
                                                  DOC_BORROW | (b->is_fixed ? 0 : DOC_FIRST_WINS),
                                              .inside = r->inside,
                                              .ret_repeated = &repeated};
    AUTO(doc_list_done) struct doc_list all = {0};

    if (kustomize_parse_all(b, r->text, &options, r->origin, &all, e) < 0)
        return -1;
    for (size_t i = 0; i < all.len; i++) /* lists put their items behind */
        if (add_object(b, all.v[i], &all, ret, e) < 0)
            return -1;
    warn_repeated(b, repeated);
    return 0;
}

int kustomize_patch_text_merges(struct kustomize_build *b,
                                const struct kustomize_patch_source *from, struct doc_list *ret,
                                struct err *e)
{
    struct reading r;

    return open_source(b, from, &r, e) < 0 ? -1 : read_merges(b, &r, ret, e);
}

/* ---- as a JSON patch */

/* A word that only YAML 1.1 takes for a boolean (KD-8): upstream does, too. */
static void mend_word(struct kustomize_build *b, struct doc_node *n)
{
    str text = doc_text(n, STR_NONE);

    if (doc_type(n) != DOC_BOOL || str_eq_nocase(text, STR("true")) ||
        str_eq_nocase(text, STR("false")))
        return;
    if (b->is_fixed)
        doc_replace(n, doc_new_string(b->set, text));
    else
        kustomize_warn(b, n, "KD-8",
                       "KD-8: '%.*s' is read as the boolean %s here; put it in quotes, or "
                       "--compat fixed keeps it a string",
                       STR_ARG(text), doc_bool(n, false) ? "true" : "false");
}

static void mend_words(struct kustomize_build *b, struct doc_node *n, int depth)
{
    struct doc_iter it = doc_children(n);

    mend_word(b, n);
    while (depth < 1000 && doc_next(&it))
        mend_words(b, it.value, depth + 1);
}

static int check_operations(struct kustomize_build *b, struct doc_node *n, struct err *e)
{
    struct doc_iter it = doc_children(n);

    if (!doc_is_list(n)) {
        err_set(e, ERR_INVALID, "a JSON patch is a list of operations");
        return kustomize_fail_at(b, n, e);
    }
    while (doc_next(&it)) {
        if (doc_is_map(it.value))
            continue;
        err_set(e, ERR_INVALID, "an operation of a JSON patch is a map");
        return kustomize_fail_at(b, it.value, e);
    }
    return 0;
}

/* The first document counts. What begins with a bracket must be JSON. */
static int read_operations(struct kustomize_build *b, const struct reading *r, bool is_json,
                           struct doc_node **ret, struct err *e)
{
    const struct doc_parse_options options = {.dialect = DOC_KUSTOMIZATION,
                                              .flags = DOC_BORROW | DOC_KEEP_EMPTY | DOC_LAST_WINS,
                                              .inside = r->inside};
    AUTO(doc_list_done) struct doc_list all = {0};

    *ret = NULL;
    if (is_json) {
        *ret = doc_parse_json_flags(b->set, r->text, DOC_BORROW | DOC_LAST_WINS, r->origin, e);
        doc_set_inside(b->set, *ret, r->inside);
        return *ret ? check_operations(b, *ret, e) : -1;
    }
    if (kustomize_parse_all(b, r->text, &options, r->origin, &all, e) < 0)
        return -1;
    if (all.len == 0 || doc_is_null(all.v[0]))
        return 0;
    if (check_operations(b, all.v[0], e) < 0)
        return -1;
    *ret = all.v[0];
    mend_words(b, *ret, 0);
    return 0;
}

static bool is_json(const struct kustomize_patch_source *from, const struct reading *r)
{
    return str_starts(from->path.len ? r->text : from->text, STR("["));
}

int kustomize_patch_text_operations(struct kustomize_build *b,
                                    const struct kustomize_patch_source *from,
                                    struct doc_node **ret, struct err *e)
{
    struct reading r;

    if (open_source(b, from, &r, e) < 0)
        return -1;
    return read_operations(b, &r, is_json(from, &r), ret, e);
}

/* ---- as both */

static bool looks_like_operations(str text)
{
    str rest = text, line;

    while (str_next_line(&rest, &line)) {
        line = str_trim(line);
        if (line.len && line.p[0] != '#' && !str_starts(line, STR("---")))
            return line.p[0] == '-' || line.p[0] == '[';
    }
    return false;
}

static int refuse(const struct kustomize_patch_source *from, const struct reading *r,
                  struct err *as_merges, struct err *as_operations, struct err *e)
{
    AUTO(buf_done) struct buf source = {0};
    struct err *why = looks_like_operations(r->text) ? as_operations : as_merges;

    kustomize_patch_source_print(from, &source);
    return err_set(e, ERR_INVALID, "unable to parse SM or JSON patch from %s: %s",
                   buf_cstr(&source), err_text(why));
}

int kustomize_patch_text_read(struct kustomize_build *b, const struct kustomize_patch_source *from,
                              struct kustomize_patch_text *ret, struct err *e)
{
    AUTO(err_done) struct err as_merges = {0}, as_operations = {0};
    AUTO(buf_done) struct buf source = {0};
    struct reading r;
    int merges, operations;

    *ret = (struct kustomize_patch_text){.set = b->set};
    if (open_source(b, from, &r, e) < 0)
        return -1;
    merges = read_merges(b, &r, &ret->merges, &as_merges);
    operations = read_operations(b, &r, is_json(from, &r), &ret->operations, &as_operations);
    if (merges < 0 && operations < 0)
        return refuse(from, &r, &as_merges, &as_operations, e);
    if (merges < 0)
        ret->merges.len = 0;
    if (operations < 0)
        ret->operations = NULL;
    if (ret->merges.len == 0 || doc_len(ret->operations) == 0)
        return 0;
    kustomize_patch_source_print(from, &source);
    return err_set(e, ERR_INVALID, "illegally qualifies as both an SM and JSON patch: %s",
                   buf_cstr(&source));
}
