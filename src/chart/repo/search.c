#include "chart/repo/search.h"

#include <ctype.h>

#include "base/log.h"
#include "re/re.h"

struct searcher {
    const struct chart_search *what;
    struct doc_set *set;
    struct re *re; /* or NULL */
    struct buf term;
    struct semver_constraint *constraint;
    struct chart_hits *hits;
};
static void searcher_done(struct searcher *s)
{
    re_free(s->re);
    buf_done(&s->term);
    semver_constraint_free(s->constraint);
}
AUTO_VALUE(struct searcher, searcher_done)

#define DIVIDER '\v' /* between the parts of a line: nobody types it */

static void add_lower(str text, struct buf *out)
{
    for (size_t i = 0; i < text.len; i++)
        buf_add_char(out, (char)tolower((unsigned char)text.p[i]));
}

/* Name, REPO/NAME, description and keywords in lower case. */
static void describe(str name, str full, const struct chart_index_version *version, struct buf *out)
{
    struct doc_iter it = doc_children(doc_get_lit(version->node, "keywords"));
    const char *blank = "";

    add_lower(name, out);
    buf_add_char(out, DIVIDER);
    add_lower(full, out);
    buf_add_char(out, DIVIDER);
    add_lower(doc_text(doc_get_lit(version->node, "description"), STR("")), out);
    buf_add_char(out, DIVIDER);
    while (doc_next(&it)) {
        buf_add_cstr(out, blank);
        add_lower(doc_text(it.value, STR("")), out);
        blank = " ";
    }
}

/* In which part of the line the term is; -1: in none. */
static int score_of(const struct searcher *s, str line)
{
    struct re_span span = {0};
    ssize_t at;
    int score = 0;

    if (!s->what->term.len)
        return 0;
    if (s->re)
        at = re_find(s->re, line, 0, &span, 1) ? span.from : -1;
    else
        at = str_find(line, buf_view(&s->term));
    for (ssize_t i = 0; i < at; i++)
        score += line.p[i] == DIVIDER;
    return at < 0 ? -1 : score;
}

static void search_entry(struct searcher *s, str repo, const struct chart_index_entry *entry)
{
    str full = arena_printf(&s->set->arena, "%.*s/%.*s", STR_ARG(repo), STR_ARG(entry->name));

    for (size_t i = 0; i < entry->count; i++) {
        const struct chart_index_version *version = &entry->versions[i];
        AUTO(buf_done) struct buf line = {0};
        int score;

        if (!semver_matches(s->constraint, &version->parsed, false))
            continue;
        describe(entry->name, full, version, &line);
        score = score_of(s, buf_view(&line));
        if (score < 0)
            continue;
        vec_push(s->hits, {full, version, score});
        if (!s->what->has_all_versions)
            return;
    }
}

static int by_score(const void *a, const void *b)
{
    const struct chart_hit *x = a, *y = b;
    int c = x->score != y->score ? x->score - y->score : str_cmp(x->name, y->name);

    return c ? c : semver_compare(&y->version->parsed, &x->version->parsed);
}

int chart_search(const struct chart_repos *repos, const struct chart_dirs *dirs,
                 const struct chart_search *what, struct doc_set *set, struct chart_hits *ret,
                 struct err *e)
{
    AUTO(searcher_done) struct searcher s = {.what = what, .set = set, .hits = ret};

    s.constraint =
        semver_constraint_parse(what->constraint.len ? what->constraint : STR(">0.0.0"), e);
    if (!s.constraint)
        return err_wrap(e, "an invalid version/constraint format");
    add_lower(what->term, &s.term);
    if (what->is_regexp && what->term.len) {
        s.re = re_compile(what->term, 0, e);
        if (!s.re)
            return -1;
    }
    for (size_t i = 0; i < repos->list.len; i++) {
        str name = repos->list.v[i].name;
        struct chart_index index = {0};
        AUTO(err_done) struct err bad = {0};

        if (chart_index_load(dirs, name, set, &index, &bad) < 0) {
            log_warn("repo is corrupt or missing", LOG_STR("repo", name),
                     LOG_STR("error", str_of(err_text(&bad))));
            continue;
        }
        for (size_t k = 0; k < index.count; k++)
            search_entry(&s, name, &index.entries[k]);
    }
    vec_sort(ret, by_score);
    return 0;
}
