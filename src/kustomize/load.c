/* What a level reads: files below its folder, or behind a URL (kustomize spec 15). */
#include "doc/yaml/scan.h"
#include "fetch/path.h"
#include "kustomize/file/surprises.h"
#include "kustomize/incremental/plan.h"
#include "kustomize/quirks.h"
#include "kustomize/shared.h"
#include "sys/thread.h"

struct doc_set *kustomize_shared_set(struct kustomize_shared *s)
{
    struct doc_set *set = doc_set_new();

    LOCK_SCOPE(&s->lock);
    vec_push(&s->sets, set);
    return set;
}

/* Upstream's words for a file that is not there. */
static int refuse_absent(struct kustomize_build *b, str path, struct err *e)
{
    AUTO(buf_done) struct buf whole = {0}, clean = {0};

    if (path.len && path.p[0] != '/')
        buf_addf(&whole, "%.*s/", STR_ARG(b->dir));
    buf_add_str(&whole, path);
    fetch_clean_path(buf_view(&whole), &clean);
    return err_set(e, ERR_NOT_FOUND,
                   "evalsymlink failure on '%s' : lstat %s: no such file or directory",
                   buf_cstr(&clean), buf_cstr(&clean));
}

/* A file that lies in one of the other folders the level may read from. */
static bool load_also(const struct kustomize_level *level, str path, struct buf *text)
{
    AUTO(buf_done) struct buf whole = {0}, clean = {0};

    buf_addf(&whole, "%.*s/%.*s", STR_ARG(level->b.dir), STR_ARG(path));
    fetch_clean_path(buf_view(&whole), &clean);
    for (size_t i = 0; i < level->also_count; i++) {
        AUTO(err_done) struct err e = {0};

        if (fetch_is_below(buf_view(&clean), level->also[i]->b.dir) &&
            fetch_loader_read(level->b.shared->loader, level->also[i]->root, buf_view(&clean), text,
                              &e) == 0)
            return true;
    }
    return false;
}

void kustomize_suggest_path(struct kustomize_level *level, str path, struct err *e)
{
    AUTO(buf_done) struct buf nearest = {0};

    if (e->kind != ERR_NOT_FOUND || fetch_is_file_url(path))
        return;
    fetch_root_nearest(level->root, path, &nearest);
    kustomize_suggest(e, buf_view(&nearest));
}

int kustomize_try_load(struct kustomize_build *b, str path, str *ret, struct err *e)
{
    AUTO(buf_done) struct buf text = {0};

    kustomize_plan_read(b, path);
    if (fetch_loader_take(b->shared->loader, KUSTOMIZE_LEVEL(b)->root, path, &b->set->arena, ret,
                          e) == 0)
        return 0;
    if (e->kind != ERR_DENIED || !load_also(KUSTOMIZE_LEVEL(b), path, &text))
        return e->kind == ERR_NOT_FOUND && !fetch_is_file_url(path) ? refuse_absent(b, path, e)
                                                                    : -1;
    err_done(e);
    *ret = arena_dup(&b->set->arena, buf_view(&text));
    return 0;
}

int kustomize_load(struct kustomize_build *b, str path, str *ret, struct err *e)
{
    if (kustomize_try_load(b, path, ret, e) == 0)
        return 0;
    kustomize_suggest_path(KUSTOMIZE_LEVEL(b), path, e);
    return -1;
}

/* ---- documents */

#define UNREAD "yaml.unread"

/* Upstream divides a text at its lines "---", and takes one document of each part. */
static str part_around(str text, size_t at)
{
    static const str divider = STR_INIT("\n---");
    const char *end = memmem(text.p + at, text.len - at, divider.p, divider.len);
    size_t begin = at;

    while (begin && !str_starts(str_from(text, begin), divider))
        begin--;
    return str_range(text.p + begin, end ? end : text.p + text.len);
}

/* Is the text refused where a second document of a part begins? Not so where nothing but a
 * directive comes before, nor in a text whose offsets are those of another encoding. */
static bool begins_unread(str text, const struct doc_yaml_problem *p)
{
    const char *begin;

    if (!p->problem || !str_eq(str_of(p->problem), STR("did not find expected <document start>")) ||
        !text.len || (uint8_t)text.p[0] >= 0x80 || p->problem_mark.offset >= text.len)
        return false;
    begin = part_around(text, p->problem_mark.offset).p;
    return *begin != '%' && str_trim(str_range(begin, text.p + p->problem_mark.offset)).len;
}

/* The text of a patch is tried in two ways. */
static bool is_told(const struct diag_list *warnings, const struct doc_place *place)
{
    for (size_t i = 0; i < warnings->len; i++)
        if (str_eq(warnings->v[i].code, STR(UNREAD)) && warnings->v[i].line == place->line &&
            str_eq(warnings->v[i].origin, place->origin))
            return true;
    return false;
}

static void warn_unread(struct kustomize_build *b, const struct doc_parse_options *options,
                        const char *origin, const struct doc_yaml_problem *p)
{
    static const char words[] = "what follows the document here is left unread; a document begins "
                                "with a line '---'";
    const struct doc_place inside = {.origin = str_of(origin),
                                     .line = p->problem_mark.line + 1,
                                     .column = p->problem_mark.column + 1};
    struct doc_place place = options->inside ? doc_place(b->set, options->inside) : inside;

    if (!is_told(b->warnings, &place))
        kustomize_warn_place(b, &place, UNREAD, words);
}

/* A copy with blanks in the place of what is left unread: other places stay what they are. */
static str blank_unread(struct arena *arena, str text, size_t at)
{
    str part = part_around(text, at);
    char *copy = arena_alloc(arena, text.len + 1);
    char *end = copy + (part.p + part.len - text.p);

    memcpy(copy, text.p, text.len);
    copy[text.len] = '\0';
    for (char *c = copy + at; c < end; c++)
        if (*c != '\n')
            *c = ' ';
    return (str){copy, text.len};
}

int kustomize_parse_all(struct kustomize_build *b, str text,
                        const struct doc_parse_options *options, const char *origin,
                        struct doc_list *ret, struct err *e)
{
    enum { MOST_TIMES = 100 }; /* the text is read once more each time */
    struct doc_parse_options asked = *options;
    struct doc_yaml_problem problem = {0};

    asked.ret_problem = &problem;
    for (int i = 0; doc_parse_all(b->set, text, &asked, origin, ret, e) < 0; i++) {
        if (b->is_fixed || i == MOST_TIMES || !begins_unread(text, &problem))
            return -1;
        err_done(e);
        warn_unread(b, options, origin, &problem);
        text = blank_unread(&b->set->arena, text, problem.problem_mark.offset);
        problem = (struct doc_yaml_problem){0};
    }
    return 0;
}

int kustomize_parse_documents(struct kustomize_build *b, str text, const char *origin,
                              const struct doc_node *inside, struct doc_list *ret, struct err *e)
{
    struct doc_parse_options options = {
        .dialect = DOC_RESOURCE, .flags = DOC_BORROW, .inside = inside};

    kustomize_judge_text(b, text, origin);
    if (kustomize_parse_all(b, text, &options, origin, ret, e) < 0)
        return -1;
    kustomize_apply_quirks(b, b->set, text, ret);
    return 0;
}

const char *kustomize_file_origin(struct kustomize_build *b, str path)
{
    AUTO(buf_done) struct buf name = {0};

    if (fetch_is_file_url(path))
        return arena_cstr(&b->set->arena, path);
    fetch_root_name(KUSTOMIZE_LEVEL(b)->root, path, &name);
    return arena_cstr(&b->set->arena, buf_view(&name));
}

int kustomize_load_documents(struct kustomize_build *b, str path, struct doc_list *ret,
                             struct err *e)
{
    str text = STR_NONE;

    if (kustomize_load(b, path, &text, e) < 0)
        return -1;
    return kustomize_parse_documents(b, text, kustomize_file_origin(b, path), NULL, ret, e);
}

const struct doc_schema *kustomize_schema(const struct kustomize_build *b)
{
    return b->shared->schema;
}
