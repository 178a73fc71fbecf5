/* A file of a package and, behind a NUL, what a function makes of its first document. Unchanged,
 * the file is written as it was; changed, what is written is read as the new document, and writing
 * that once more changes nothing. */
#include "fn/package.h"
#include "doc/parse.h"
#include "fn/annotate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct state {
    struct doc_set *set;
    struct fn_package package;
    struct doc_list items;
    struct fn_changes changes;
};
static void state_done(struct state *s)
{
    fn_changes_done(&s->changes);
    fn_package_done(&s->package);
    doc_list_done(&s->items);
    doc_set_free(s->set);
}
AUTO_VALUE(struct state, state_done)

static bool state_read(struct state *s, str text)
{
    AUTO(err_done) struct err e = {0};

    s->set = doc_set_new();
    s->package.set = s->set;
    if (fn_package_add(&s->package, STR("a.yaml"), text, &s->items, &e) == 0)
        return true;
    assert(e.text && e.text[0]);
    return false;
}

static void write(struct state *s, size_t wanted)
{
    AUTO(err_done) struct err e = {0};

    if (fn_package_changes(&s->package, &s->items, false, &s->changes, &e) < 0)
        __builtin_trap();
    if (s->changes.v.len > wanted)
        __builtin_trap();
}

/* The first document becomes what the second text says. */
static bool change(struct state *s, str text)
{
    AUTO(doc_list_done) struct doc_list roots = {0};
    AUTO(err_done) struct err e = {0};
    static const struct doc_parse_options options = {.dialect = DOC_KYAML, .flags = DOC_COMMENTS};

    if (!s->items.len || doc_parse_all(s->set, text, &options, "new", &roots, &e) < 0 ||
        roots.len != 1 || fn_check_resource(roots.v[0], STR("a.yaml"), &e) < 0)
        return false;
    fn_unannotate_all(roots.v[0]);
    if (!doc_is_map(doc_get_lit(roots.v[0], "metadata")))
        return false;
    fn_set_path(s->set, roots.v[0], STR("a.yaml"), 0);
    doc_replace(s->items.v[0], doc_copy(s->set, roots.v[0]));
    return fn_path_of(s->items.v[0]).len > 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(state_done) struct state same = {0}, changed = {0}, again = {0};
    str now, text = str_cut((str){(const char *)data, size}, '\0', &now);

    if (!state_read(&same, text))
        return 0;
    write(&same, 0);
    if (!now.len || !state_read(&changed, text) || !change(&changed, now))
        return 0;
    write(&changed, 1);
    if (!changed.changes.v.len || changed.changes.v.v[0].is_removed)
        return 0;
    if (!state_read(&again, buf_view(&changed.changes.v.v[0].text)) || !change(&again, now))
        __builtin_trap();
    write(&again, 0);
    return 0;
}
