/* yaml_bench FILE NAME: reading and writing a stream of manifests, against libyaml and against the
 * floor (floor.h). */
#include <yaml.h>

#include "base/buf.h"
#include "bench/floor.h"
#include "bench/input.h"
#include "bench/pair.h"
#include "doc/edit.h"
#include "doc/emit.h"
#include "doc/parse.h"

struct work {
    struct buf text, ours, theirs;
    size_t arena, documents;
};

static void work_done(struct work *w)
{
    buf_done(&w->text);
    buf_done(&w->ours);
    buf_done(&w->theirs);
}

static int parse(struct doc_set *set, str text, struct doc_list *list)
{
    static const struct doc_parse_options options = {.dialect = DOC_MANIFEST, .flags = DOC_BORROW};
    AUTO(err_done) struct err e = {0};

    if (doc_parse_all(set, text, &options, "bench", list, &e) == 0)
        return 0;
    fprintf(stderr, "%s\n", err_text(&e));
    return -1;
}

static double run_ours(void *ctx)
{
    struct work *w = ctx;
    double start = pair_cpu();
    AUTO(doc_list_done) struct doc_list list = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();

    if (parse(set, buf_view(&w->text), &list) < 0)
        return -1;
    buf_clear(&w->ours);
    doc_emit_all(list.v, list.len, DOC_EMIT_SORTED, &w->ours);
    w->arena = set->arena.used;
    w->documents = list.len;
    return pair_cpu() - start;
}

static int add_bytes(void *out, unsigned char *bytes, size_t len)
{
    buf_add(out, bytes, len);
    return 1;
}

static double run_libyaml(void *ctx)
{
    struct work *w = ctx;
    double start = pair_cpu();
    yaml_parser_t parser;
    yaml_emitter_t emitter;
    bool is_ok = true;

    buf_clear(&w->theirs);
    yaml_parser_initialize(&parser);
    yaml_emitter_initialize(&emitter);
    yaml_parser_set_input_string(&parser, (unsigned char *)w->text.p, w->text.len);
    yaml_emitter_set_output(&emitter, add_bytes, &w->theirs);
    yaml_emitter_set_unicode(&emitter, 1);
    yaml_emitter_set_width(&emitter, -1);
    yaml_emitter_open(&emitter);
    while (is_ok) {
        yaml_document_t document;

        is_ok = yaml_parser_load(&parser, &document);
        if (!is_ok || !yaml_document_get_root_node(&document)) {
            yaml_document_delete(&document);
            break;
        }
        is_ok = yaml_emitter_dump(&emitter, &document);
    }
    yaml_emitter_close(&emitter);
    yaml_emitter_delete(&emitter);
    yaml_parser_delete(&parser);
    return is_ok ? pair_cpu() - start : -1;
}

static double run_floor(void *ctx)
{
    struct work *w = ctx;
    double start = pair_cpu();
    struct floor_tree *t = floor_parse(w->text.p, w->text.len);

    buf_clear(&w->theirs);
    buf_grow(&w->theirs, w->text.len * 3);
    w->theirs.len = floor_emit(t, w->theirs.p);
    floor_free(t);
    return pair_cpu() - start;
}

/* What both wrote means the same. */
static bool is_equal(struct work *w, const char *who)
{
    AUTO(doc_list_done) struct doc_list a = {0}, b = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    size_t i = 0;

    if (parse(set, buf_view(&w->ours), &a) < 0 || parse(set, buf_view(&w->theirs), &b) < 0)
        return false;
    while (i < a.len && i < b.len && doc_equal(a.v[i], b.v[i]))
        i++;
    if (i == a.len && a.len == b.len)
        return true;
    printf("bench/yaml: UNEQUAL to %s in document %zu of %zu and %zu\n", who, i, a.len, b.len);
    return false;
}

static bool compare(struct work *w, const char *name, const char *who, pair_fn *theirs, double bar)
{
    AUTO(buf_done) struct buf title = {0};

    if (run_ours(w) < 0 || theirs(w) < 0 || !is_equal(w, who))
        return false;
    buf_addf(&title, "yaml/%s parse+emit against %s", name, who);
    return pair_run(&(struct pair_row){.name = title.p, .bar = bar}, run_ours, theirs, w);
}

/* Reads, changes one field of the document in the middle, writes with every other byte as it was.
 */
static double run_edit(void *ctx)
{
    struct work *w = ctx;
    double start = pair_cpu();
    AUTO(doc_list_done) struct doc_list list = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *metadata;

    if (parse(set, buf_view(&w->text), &list) < 0)
        return -1;
    metadata = doc_ensure_map(set, list.v[list.len / 2], STR("metadata"));
    doc_set_string(set, metadata, STR("name"), STR("changed-by-the-bench"));
    buf_clear(&w->theirs);
    doc_edit_emit(set, list.v[0]->source, list.v, list.len, &w->theirs);
    return pair_cpu() - start;
}

/* All is as it was but for one stretch of one line. */
static bool is_edited_once(str before, str after)
{
    size_t head = 0, tail = 0, least = MIN(before.len, after.len);

    while (head < least && before.p[head] == after.p[head])
        head++;
    while (tail < least - head && before.p[before.len - 1 - tail] == after.p[after.len - 1 - tail])
        tail++;
    return after.len > head + tail &&
           str_find_char(str_range(after.p + head, after.p + after.len - tail), '\n') < 0 &&
           str_find_char(str_range(before.p + head, before.p + before.len - tail), '\n') < 0;
}

static bool check_edit(struct work *w, const char *name)
{
    AUTO(buf_done) struct buf title = {0};
    struct pair_row row = {.is_ratio_ours = true, .bar = 1};

    if (run_edit(w) < 0)
        return false;
    if (!is_edited_once(buf_view(&w->text), buf_view(&w->theirs))) {
        printf("bench/yaml: UNEQUAL bytes around an edit\n");
        return false;
    }
    buf_addf(&title, "yaml/%s read, one field edited, written, against parse+emit", name);
    row.name = buf_cstr(&title);
    return pair_run(&row, run_edit, run_ours, w);
}

/* The first fifth of the documents takes at least a fifth of the time of all. */
static double best_of_seven(struct work *w)
{
    double best = 1e9;

    for (int i = 0; i < 7; i++)
        best = MIN(best, run_ours(w));
    return best;
}

/* Five times the documents may take hardly more than five times the time. */
static bool check_growth(struct work *w, const char *name)
{
    AUTO(buf_done) struct buf title = {0};
    AUTO(doc_list_done) struct doc_list list = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct work fifth = {0};
    double growth;

    if (parse(set, buf_view(&w->text), &list) < 0)
        return false;
    doc_emit_all(list.v, list.len / 5, DOC_EMIT_ORDERED, &fifth.text);
    growth = best_of_seven(w) / best_of_seven(&fifth);
    work_done(&fifth);
    buf_addf(&title, "yaml/%s growth, five times the documents", name);
    return pair_value(title.p, growth, "times the time", 5.5);
}

static bool check_arena(const struct work *w, const char *name)
{
    AUTO(buf_done) struct buf title = {0};

    buf_addf(&title, "yaml/%s arena", name);
    return pair_value(title.p, (double)w->arena / (double)w->text.len, "bytes a byte", 3);
}

int main(int argc, char **argv)
{
    struct work w = {0};
    bool is_met = true;

    if (argc != 3 || !input_read(argv[1], &w.text))
        return 2;
    is_met &= compare(&w, argv[2], "libyaml", run_libyaml, 6);
    is_met &= compare(&w, argv[2], "the floor", run_floor, 0.5);

    is_met &= check_arena(&w, argv[2]);
    is_met &= check_growth(&w, argv[2]);
    is_met &= check_edit(&w, argv[2]);
    work_done(&w);
    return !is_met;
}
