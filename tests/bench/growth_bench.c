/* Growth: the time for 5,000 documents against that for 1,000; five times the work takes 5.5 times
 * as long at most. Reading, merging, comparing, and the applying of objects to a server that
 * answers at once, by our own processor time. */

#include <sys/wait.h>
#include <unistd.h>

#include "bench/input.h"
#include "bench/pair.h"
#include "doc/diff.h"
#include "doc/emit.h"
#include "doc/parse.h"
#include "doc/patch/merge.h"
#include "khook/act/object.h"

enum { SMALL = 1000, LARGE = 5000, RUNS = 9 };
#define BAR 5.5

static str text_of(const struct buf *all, size_t documents)
{
    str rest = buf_view(all), line;
    size_t seen = 1;

    while (str_next_line(&rest, &line))
        if (str_eq(line, STR("---")) && ++seen > documents)
            return str_range(all->p, line.p);
    return buf_view(all);
}

static void parse(str text, struct doc_set *set, struct doc_list *ret)
{
    struct doc_parse_options options = {.dialect = DOC_MANIFEST};
    AUTO(err_done) struct err e = {0};

    if (doc_parse_all(set, text, &options, "apps", ret, &e) < 0) {
        fprintf(stderr, "growth: %s\n", err_text(&e));
        exit(2);
    }
}

static void work_parse(str text)
{
    AUTO(khook_objects_done) struct khook_objects objects = {0};
    AUTO(err_done) struct err e = {0};

    khook_objects_init(&objects);
    if (khook_manifests_parse(&objects, text, 0, &(struct khook_origin){.name = "apps"}, &e) < 0)
        exit(2);
}

/* As applies and plans do it: object by object. */
static void work_merge(str text)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(doc_list_done) struct doc_list list = {0};
    struct doc_node *patch = doc_new_map(set);

    doc_set_string(set, patch, STR("kind"), STR("Other"));
    doc_set_string(set, doc_ensure_map(set, patch, STR("metadata")), STR("namespace"), STR("n"));
    parse(text, set, &list);
    for (size_t i = 0; i < list.len; i++)
        doc_merge_patch(set, list.v[i], patch);
}

static void work_diff(str text)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(doc_list_done) struct doc_list list = {0};
    AUTO(buf_done) struct buf from = {0}, to = {0}, out = {0};

    parse(text, set, &list);
    for (size_t i = 0; i < list.len; i++) {
        buf_clear(&from);
        buf_clear(&to);
        doc_emit(list.v[i], DOC_EMIT_SORTED, &from);
        doc_set_string(set, list.v[i], STR("kind"), STR("Other"));
        doc_emit(list.v[i], DOC_EMIT_SORTED, &to);
        doc_diff_unified(buf_view(&from), buf_view(&to), "from", "to", 3, &out);
    }
}

/* Each run in a process of its own: memory that an earlier one left behind would flatter the small.
 */
static double run_fresh(void (*work)(str), str text)
{
    double seconds = -1;
    int fds[2];
    pid_t pid;

    if (pipe(fds) < 0)
        exit(2);
    pid = fork();
    if (pid == 0) {
        double start = pair_cpu();

        work(text);
        seconds = pair_cpu() - start;
        _exit(write(fds[1], &seconds, sizeof(seconds)) != sizeof(seconds));
    }
    close(fds[1]);
    if (read(fds[0], &seconds, sizeof(seconds)) != sizeof(seconds) || waitpid(pid, NULL, 0) < 0)
        exit(2);
    close(fds[0]);
    return seconds;
}

static double best(void (*work)(str), str text)
{
    double least = 1e9;

    for (int i = 0; i < RUNS; i++)
        least = MIN(least, run_fresh(work, text));
    return least;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*work)(str);
    } rows[] = {{"growth/read, 5,000 against 1,000", work_parse},
                {"growth/merge, 5,000 against 1,000", work_merge},
                {"growth/diff, 5,000 against 1,000", work_diff}};
    AUTO(buf_done) struct buf all = {0};
    bool met = true;

    if (argc != 2 || !input_read(argv[1], &all))
        return 2;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        double small = best(rows[i].work, text_of(&all, SMALL));

        met &= pair_value(rows[i].name, best(rows[i].work, text_of(&all, LARGE)) / small, "times",
                          BAR);
    }
    return !met;
}
