#include "khook/vars/subst.h"

#include "base/log.h"
#include "base/order.h"
#include "base/vec.h"

enum { MAX_EXCERPT = 400 }; /* longer ones are of no help, and many of them of much memory */

/* One replaced reference: out_begin..out_end of the result came from in_begin..in_end. */
struct khook_piece {
    size_t in_begin, in_end, out_begin, out_end;
};

void khook_text_done(struct khook_text *t)
{
    buf_done(&t->text);
    mem_free(t->pieces);
    mem_free(t->lines);
    *t = (struct khook_text){0};
}

/* ---- the grammar (2.2), by hand: "${" NAME [":-" DEFAULT] {SP} ["|" PIPELINE] "}" */

static bool is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_name(char c) { return is_name_start(c) || (c >= '0' && c <= '9'); }

/* Reads a reference at offset `at` of text, which holds "${" there. */
static bool read_ref(str text, size_t at, struct khook_ref *ref)
{
    const char *p = text.p + at + 2, *end = text.p + text.len, *start = p;

    *ref = (struct khook_ref){.begin = at};
    if (p == end || !is_name_start(*p))
        return false;
    while (p < end && is_name(*p))
        p++;
    ref->name = str_range(start, p);
    if (end - p >= 2 && p[0] == ':' && p[1] == '-') {
        p += 2;
        start = p;
        while (p < end && *p != '}' && *p != '|')
            p++;
        ref->fallback = str_range(start, p);
    }
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    if (p < end && *p == '|') {
        start = ++p;
        p = memchr(p, '}', (size_t)(end - p));
        if (!p)
            return false;
        ref->pipeline = str_range(start, p);
    }
    if (p == end || *p != '}')
        return false;
    ref->end = (size_t)(p + 1 - text.p);
    return true;
}

bool khook_ref_next(str text, size_t *at, struct khook_ref *ret)
{
    /* Behind the last brace nothing can match; without this, a text of "${A:-${A:-…" would be read
     * to its end once for each reference. */
    size_t limit = (size_t)(str_rfind_char(text, '}') + 1);

    while (*at < limit) {
        const char *dollar = memchr(text.p + *at, '$', limit - *at);

        if (!dollar)
            break;
        *at = (size_t)(dollar - text.p);
        if (*at + 1 < limit && dollar[1] == '{' && read_ref(text, *at, ret)) {
            *at = ret->end;
            return true;
        }
        ++*at;
    }
    *at = text.len;
    return false;
}

/* ---- places */

static void index_lines(struct khook_text *t)
{
    VEC(uint32_t) lines = {0};
    str rest = t->original;

    vec_push(&lines, 0);
    for (;;) {
        const char *newline = rest.len ? memchr(rest.p, '\n', rest.len) : NULL;

        if (!newline)
            break;
        rest = str_from(rest, (size_t)(newline + 1 - rest.p));
        vec_push(&lines, (uint32_t)(newline + 1 - t->original.p));
    }
    t->lines = lines.v;
    t->line_count = lines.len;
}

void khook_text_init(struct khook_text *t, str original, const char *origin)
{
    *t = (struct khook_text){.original = original, .origin = origin};
    index_lines(t);
}

struct khook_place khook_original_place(const struct khook_text *t, size_t offset)
{
    size_t low = 0, high, end;
    struct khook_place place;

    offset = MIN(offset, t->original.len);
    for (high = t->line_count; high - low > 1;) {
        size_t middle = low + (high - low) / 2;

        if (t->lines[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    end = low + 1 < t->line_count ? t->lines[low + 1] - 1 : t->original.len;
    place = (struct khook_place){.line = (uint32_t)low + 1,
                                 .column = (uint32_t)(offset - t->lines[low]) + 1};
    if (end - t->lines[low] <= MAX_EXCERPT)
        place.excerpt =
            str_trim_right(str_range(t->original.p + t->lines[low], t->original.p + end), "\r");
    return place;
}

struct khook_place khook_text_place(const struct khook_text *t, size_t offset)
{
    size_t low = 0, high = t->piece_count;
    const struct khook_piece *piece;

    while (low < high) { /* the pieces that begin at or before offset */
        size_t middle = low + (high - low) / 2;

        if (t->pieces[middle].out_begin <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    /* An empty replacement covers nothing: the byte behind it is the author's own. */
    if (low == 0)
        return khook_original_place(t, offset);
    piece = &t->pieces[low - 1];
    if (offset < piece->out_end)
        return khook_original_place(t, piece->in_begin);
    return khook_original_place(t, piece->in_end + (offset - piece->out_end));
}

/* ---- replacing */

struct subst {
    const struct khook_subst_options *options;
    struct khook_text *t;
    struct diag_list *problems;
    struct diag_list pipeline_problems; /* behind the missing names, in document order */
    struct map missing;                 /* name to its first reference, as an offset + 1 */
};

static struct diag *add_problem(struct khook_text *t, struct diag_list *list,
                                enum diag_severity severity, const char *code,
                                const struct khook_ref *ref, str text, str hint)
{
    struct khook_place place = khook_original_place(t, ref->begin);

    return diag_add(list, &(struct diag){.severity = severity,
                                         .code = str_of(code),
                                         .origin = str_of(t->origin),
                                         .line = place.line,
                                         .column = place.column,
                                         .width = (uint32_t)(ref->end - ref->begin),
                                         .excerpt = place.excerpt,
                                         .text = text,
                                         .field = ref->name,
                                         .hint = hint});
}

static void add_pipeline_problem(struct subst *s, const struct khook_ref *ref, const char *why,
                                 const char *hint)
{
    AUTO(buf_done) struct buf text = {0};

    if (s->pipeline_problems.len >= KHOOK_MAX_PROBLEMS)
        return;
    buf_addf(&text, "pipeline of \"%.*s\": %s", (int)(ref->end - ref->begin),
             s->t->original.p + ref->begin, why);
    add_problem(s->t, &s->pipeline_problems, DIAG_ERROR, "substitution.pipeline", ref,
                buf_view(&text), str_of(hint));
}

static void run_pipeline(struct subst *s, const struct khook_ref *ref, str value, bool is_secret)
{
    AUTO(err_done) struct err e = {0};
    struct buf *out = &s->t->text;
    size_t before = out->len;

    if (!str_trim(ref->pipeline).len) {
        add_pipeline_problem(s, ref, "there is nothing behind the \"|\"",
                             "name a function, or drop the \"|\"");
        return;
    }
    if (str_ends(str_trim(ref->pipeline), STR("|"))) { /* templates let it pass, as they do "| }" */
        add_pipeline_problem(s, ref, "there is nothing behind the last \"|\"",
                             "name a function, or drop the \"|\"");
        return;
    }
    if (!s->options->pipeline) {
        add_pipeline_problem(s, ref, "this build has no template functions",
                             "give the finished value in a variable");
        return;
    }
    if (s->options->pipeline(s->options->pipeline_ctx, str_trim(ref->pipeline), value, out, &e) <
        0) {
        buf_trunc(out, before);
        add_pipeline_problem(s, ref, err_text(&e), NULL);
    } else if (is_secret) {
        secret_add(str_from(buf_view(out), before));
    }
}

static void warn_nested_default(struct subst *s, const struct khook_ref *ref)
{
    AUTO(buf_done) struct buf text = {0};

    if (s->problems->len >= KHOOK_MAX_PROBLEMS)
        return;
    buf_addf(&text, "the default of \"%.*s\" holds \"${\": references do not nest",
             STR_ARG(ref->name));
    add_problem(s->t, s->problems, DIAG_WARNING, "default.nested", ref, buf_view(&text),
                STR("the first \"}\" ends the reference"));
}

static void replace(struct subst *s, const struct khook_ref *ref)
{
    const struct khook_var *var = khook_vars_get(s->options->vars, ref->name);
    str value = var ? var->value : ref->fallback;
    size_t begin = s->t->text.len;

    if (ref->fallback.p && str_contains(ref->fallback, STR("${")))
        warn_nested_default(s, ref);
    if (!var && !ref->fallback.p) {
        if (!map_has(&s->missing, ref->name))
            map_put(&s->missing, ref->name, (void *)(uintptr_t)(ref->begin + 1));
        return;
    }
    if (ref->pipeline.p)
        run_pipeline(s, ref, value, var && var->is_secret);
    else
        buf_add_str(&s->t->text, value);
    if (s->t->piece_count == s->t->piece_cap) {
        s->t->piece_cap = MAX(s->t->piece_cap * 2, (size_t)16);
        s->t->pieces = mem_realloc(s->t->pieces, s->t->piece_cap, sizeof(*s->t->pieces));
    }
    s->t->pieces[s->t->piece_count++] =
        (struct khook_piece){ref->begin, ref->end, begin, s->t->text.len};
}

static void report_missing(struct subst *s)
{
    AUTO(str_vec_done) struct str_vec names = {0};
    struct map_iter it = {0};

    while (map_next(&s->missing, &it))
        vec_push(&names, it.key);
    vec_sort(&names, order_str);
    for (size_t i = 0; i < names.len && i < KHOOK_MAX_PROBLEMS; i++) {
        AUTO(buf_done) struct buf text = {0}, hint = {0};
        size_t begin = (uintptr_t)map_get(&s->missing, names.v[i]) - 1;
        struct khook_ref ref = {.begin = begin, .end = begin + names.v[i].len + 2};

        ref.name = names.v[i];
        buf_addf(&text, "variable \"%.*s\" is not set", STR_ARG(ref.name));
        buf_addf(&hint, "set it with --set %.*s=… or in the environment as %s%.*s",
                 STR_ARG(ref.name), KHOOK_VAR_PREFIX, STR_ARG(ref.name));
        add_problem(s->t, s->problems, DIAG_ERROR, "substitution.missing", &ref, buf_view(&text),
                    buf_view(&hint));
    }
}

void khook_subst(str original, const char *origin, const struct khook_subst_options *options,
                 struct khook_text *ret, struct diag_list *problems)
{
    struct subst s = {.options = options, .t = ret, .problems = problems};
    size_t at = 0, copied = 0;
    struct khook_ref ref;

    khook_text_init(ret, original, origin);
    buf_grow(&ret->text, original.len);
    while (khook_ref_next(original, &at, &ref)) {
        buf_add_str(&ret->text, str_range(original.p + copied, original.p + ref.begin));
        replace(&s, &ref);
        copied = ref.end;
    }
    buf_add_str(&ret->text, str_from(original, copied));
    report_missing(&s);
    for (size_t i = 0; i < s.pipeline_problems.len; i++)
        diag_add(problems, &s.pipeline_problems.v[i]);
    map_done(&s.missing);
    diag_list_done(&s.pipeline_problems);
}
