/* Sets of templates, and the life of a run. */
#include "expr/gotmpl/eval_priv.h"
#include "expr/gotmpl/text_priv.h"
#include "re/re.h"

/* ---- sets */

struct tmpl_set *tmpl_set_new(enum tmpl_profile profile)
{
    struct tmpl_set *set = NEW(struct tmpl_set);

    set->profile = profile;
    return set;
}

void tmpl_set_free(struct tmpl_set *set)
{
    if (!set)
        return;
    for (size_t i = 0; i < set->programs.len; i++)
        tmpl_program_free(set->programs.v[i]);
    for (size_t i = 0; i < ARRAY_LEN(set->arenas); i++)
        arena_done(&set->arenas[i]);
    vec_done(&set->programs);
    map_done(&set->templates);
    mem_free(set);
}

/* A text of blanks never takes the place of one that holds something. */
static void join(struct tmpl_set *set, struct tmpl_program *program)
{
    struct map_iter it = {0};

    while (map_next(&program->templates, &it)) {
        struct tmpl_template *t = it.value;

        t->id = set->next_id++;
        if (!t->is_empty || !map_has(&set->templates, t->name))
            map_put(&set->templates, t->name, t);
    }
}

static struct tmpl_program *parse_for(const struct tmpl_set *set, struct parse_input in,
                                      struct err *e)
{
    in.functions = set;
    return tmpl_parse(&in, e);
}

static int set_parse(struct tmpl_set *set, struct parse_input in, struct err *e)
{
    struct tmpl_program *program = parse_for(set, in, e);

    if (!program)
        return -1;
    vec_push(&set->programs, program);
    join(set, program);
    return 0;
}

/* ---- many texts at once */

struct many {
    struct tmpl_set *set;
    const struct tmpl_text *texts;
    struct tmpl_program **programs;
};

static int parse_one(void *ctx, size_t at, unsigned worker, struct err *e)
{
    struct many *m = ctx;
    struct parse_input in = {.arena = &m->set->arenas[worker],
                             .name = m->texts[at].name,
                             .text = m->texts[at].text,
                             .is_borrowed = true};

    m->programs[at] = parse_for(m->set, in, e);
    return m->programs[at] ? 0 : -1;
}

int tmpl_set_parse_views(struct tmpl_set *set, const struct tmpl_text *texts, size_t count,
                         struct err *e)
{
    enum { WORTH_A_THREAD = 128 << 10 };
    AUTO(mem_free) void *programs = mem_zalloc(count * sizeof(struct tmpl_program *));
    struct many m = {.set = set, .texts = texts, .programs = programs};
    size_t bytes = 0;
    int rc;

    for (size_t i = 0; i < count; i++)
        bytes += texts[i].text.len;
    rc = thread_each("templates", count, bytes / WORTH_A_THREAD, parse_one, &m, e);
    for (size_t i = 0; i < count; i++) {
        if (rc < 0) {
            tmpl_program_free(m.programs[i]);
            continue;
        }
        vec_push(&set->programs, m.programs[i]);
        join(set, m.programs[i]);
    }
    return rc;
}

/* ---- one text */

int tmpl_set_parse(struct tmpl_set *set, str name, str text, struct err *e)
{
    return set_parse(set, (struct parse_input){.name = name, .text = text}, e);
}

int tmpl_set_parse_pipeline(struct tmpl_set *set, str name, str text, struct err *e)
{
    return set_parse(set, (struct parse_input){.name = name, .text = text, .is_pipeline = true}, e);
}

const struct tmpl_template *set_find(const struct tmpl_set *set, str name)
{
    const struct tmpl_template *blank = NULL;

    for (; set; set = set->parent) {
        const struct tmpl_template *t = map_get(&set->templates, name);

        if (t && !t->is_empty)
            return t;
        if (!blank)
            blank = t;
    }
    return blank;
}

bool tmpl_set_has(const struct tmpl_set *set, str name) { return set_find(set, name); }

/* ---- runs */

struct tmpl_run *tmpl_run_new(const struct tmpl_set *set, const struct tmpl_options *options)
{
    struct tmpl_run *r = NEW(struct tmpl_run);
    struct tmpl_limits *limits = &r->options.limits;

    r->set = set;
    r->options = *options;
    r->next_id = set->next_id;
    if (!limits->max_steps)
        limits->max_steps = 2000000000;
    if (!limits->max_output)
        limits->max_output = (size_t)64 << 20;
    if (!limits->max_memory)
        limits->max_memory = (size_t)1 << 30;
    if (!limits->max_depth)
        limits->max_depth = 100000;
    return r;
}

void tmpl_run_free(struct tmpl_run *r)
{
    struct map_iter it = {0};

    if (!r)
        return;
    while (map_next(&r->tpl_programs, &it))
        tmpl_program_free(it.value);
    for (it = (struct map_iter){0}; map_next(&r->patterns, &it);)
        re_free(it.value);
    for (size_t i = 0; i < r->spare.len; i++) {
        buf_done(r->spare.v[i]);
        mem_free(r->spare.v[i]);
    }
    for (size_t i = 0; i < r->sets.len; i++)
        doc_set_free(r->sets.v[i]);
    vec_done(&r->spare);
    vec_done(&r->sets);
    vec_done(&r->vars);
    vec_done(&r->included);
    map_done(&r->tpl_programs);
    map_done(&r->thawed);
    map_done(&r->arrays);
    map_done(&r->patterns);
    arena_done(&r->arena);
    mem_free(r);
}

struct arena *tmpl_run_arena(struct tmpl_run *r) { return &r->arena; }

const char *tmpl_run_failed(const struct tmpl_run *r) { return r->failed ? r->failed->name : NULL; }

struct doc_set *trun_doc_set(struct tmpl_run *r)
{
    struct doc_set *set = doc_set_new();

    vec_push(&r->sets, set);
    return set;
}

struct buf *trun_borrow(struct tmpl_run *r)
{
    struct buf *b = r->spare.len ? r->spare.v[--r->spare.len] : NEW(struct buf);

    buf_clear(b);
    return b;
}

void trun_give(struct tmpl_run *r, struct buf *b)
{
    enum { KEPT = 1 << 20 };

    if (b->cap > KEPT)
        buf_done(b);
    vec_push(&r->spare, b);
}

/* The next "<no value>" at or behind p, or NULL. Few texts have many '<'. */
static char *find_no_value(char *p, const char *end)
{
    static const char words[] = "<no value>";
    enum { LEN = sizeof(words) - 1 };

    while ((size_t)(end - p) >= LEN && (p = memchr(p, words[0], (size_t)(end - p) - LEN + 1))) {
        if (memcmp(p, words, LEN) == 0)
            return p;
        p++;
    }
    return NULL;
}

/* Takes "<no value>" out of what was written behind `from`. */
static void drop_no_value(struct buf *out, size_t from)
{
    enum { LEN = sizeof("<no value>") - 1 };
    char *to, *end, *p;

    if (out->len == from)
        return;
    p = to = out->p + from;
    end = out->p + out->len;
    while (p < end) {
        char *found = find_no_value(p, end);
        size_t kept = (size_t)((found ? found : end) - p);

        if (to != p)
            memmove(to, p, kept);
        to += kept;
        p = found ? found + LEN : end;
    }
    buf_trunc(out, (size_t)(to - out->p));
}

/* Runs t with its output in `out`, over the templates of a set. */
static int execute(struct tmpl_run *r, const struct tmpl_set *set, const struct tmpl_template *t,
                   struct tmpl_value dot, struct buf *out)
{
    const struct tmpl_set *set_around = r->set;
    struct buf *around = r->out;
    size_t before = out->len;
    int rc;

    r->out = out;
    r->set = set;
    dot.flags &= (uint8_t)~TMPL_IN_ANY; /* the data of an execution has its own type */
    rc = trun_template(r, t, dot);
    r->set = set_around;
    r->out = around;
    if (rc < 0)
        buf_trunc(out, before);
    return rc;
}

int tmpl_run_exec(struct tmpl_run *r, str name, struct tmpl_value dot, struct buf *out,
                  struct err *e)
{
    const struct tmpl_template *t = set_find(r->set, name);
    size_t before = out->len;
    int rc;

    if (!t)
        return err_set(e, ERR_INVALID, "template: no template \"%.*s\" in the set", STR_ARG(name));
    r->e = e;
    r->stack = __builtin_frame_address(0);
    r->template = t;
    r->node = NULL;
    r->failed = NULL;
    rc = execute(r, r->set, t, dot, out);
    if (rc == 0 && r->options.drops_no_value && out->len > before)
        drop_no_value(out, before);
    r->e = NULL;
    return rc;
}

/* ---- include and tpl */

static uint32_t *include_count(struct tmpl_run *r, const struct tmpl_template *t)
{
    while (r->included.len <= t->id)
        vec_push(&r->included, 0);
    return &r->included.v[t->id];
}

int trun_include(struct tmpl_run *r, str name, struct tmpl_value dot, struct tmpl_value *ret)
{
    enum { MOST_INSIDE = 1000 };
    const struct tmpl_template *t = set_find(r->set, name);
    struct buf *out;
    int rc;

    if (!t)
        return err_set(r->e, ERR_INVALID,
                       "template: no template \"%.*s\" associated with template \"gotpl\"",
                       STR_ARG(name));
    if (*include_count(r, t) > MOST_INSIDE)
        return err_set(r->e, ERR_INVALID,
                       "rendering template has a nested reference name: %.*s: unable to execute "
                       "template",
                       STR_ARG(name));
    ++*include_count(r, t);
    out = trun_borrow(r);
    rc = execute(r, r->set, t, dot, out);
    --*include_count(r, t);
    if (rc == 0)
        *ret = trun_string(r, out);
    trun_give(r, out);
    return rc;
}

/* The text compiled once, however often it is used. */
static struct tmpl_program *tpl_program(struct tmpl_run *r, str text)
{
    struct tmpl_program *program = map_get(&r->tpl_programs, text);
    struct parse_input in = {.functions = r->set, .name = STR("gotpl"), .text = text};
    AUTO(buf_done) struct buf quoted = {0};
    struct map_iter it = {0};

    if (program)
        return program;
    program = tmpl_parse(&in, r->e);
    if (!program) {
        text_quote(text, false, &quoted);
        err_wrap(r->e, "cannot parse template %s", buf_cstr(&quoted));
        return NULL;
    }
    while (map_next(&program->templates, &it))
        ((struct tmpl_template *)it.value)->id = r->next_id++;
    map_put(&r->tpl_programs, arena_dup(program->arena, text), program);
    return program;
}

int trun_tpl(struct tmpl_run *r, str text, struct tmpl_value dot, struct tmpl_value *ret)
{
    struct tmpl_program *program = tpl_program(r, text);
    struct tmpl_set inner = {.profile = r->set->profile, .parent = r->set};
    struct buf *out;
    int rc;

    if (!program)
        return -1;
    inner.templates = program->templates; /* borrowed: the map is only read */
    out = trun_borrow(r);
    rc = execute(r, &inner, map_get(&program->templates, STR("gotpl")), dot, out);
    if (rc == 0) {
        drop_no_value(out, 0);
        *ret = trun_string(r, out);
    } else if (trun_can_wrap(r)) {
        AUTO(buf_done) struct buf quoted = {0};

        text_quote(text, false, &quoted);
        err_wrap(r->e, "error during tpl function execution for %s", buf_cstr(&quoted));
    }
    trun_give(r, out);
    return rc;
}
