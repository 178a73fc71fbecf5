#include "chart/repo/generate.h"

#include "base/sha256.h"
#include "chart/chart.h"
#include "chart/release/record.h"
#include "chart/repo/index.h"
#include "doc/emit.h"
#include "sys/file.h"

#define MAX_INDEX ((size_t)128 << 20)

struct generator {
    const char *dir;
    const struct chart_index_options *options;
    struct doc_set *set;
    struct doc_node *entries;
};

/* ---- entries */

static bool has_version(const struct generator *g, str name, str version)
{
    struct doc_iter it = doc_children(doc_get(g->entries, name));

    while (doc_next(&it))
        if (str_eq(doc_text(doc_get_lit(it.value, "version"), STR("")), version))
            return true;
    return false;
}

/* Members in the order of helm's JSON. */
static struct doc_node *in_order(struct doc_set *set, const struct doc_node *entry)
{
    static const char order[][13] = {
        "name",        "home",        "sources",     "version",      "description", "keywords",
        "maintainers", "icon",        "apiVersion",  "condition",    "tags",        "appVersion",
        "deprecated",  "annotations", "kubeVersion", "dependencies", "type",        "urls",
        "created",     "removed",     "digest"};
    struct doc_node *ret = doc_new_map(set);

    for (size_t i = 0; i < ARRAY_LEN(order); i++) {
        const struct doc_node *value = doc_get(entry, str_of(order[i]));

        if (value)
            doc_set_field(set, ret, str_of(order[i]), doc_copy(set, value));
    }
    return ret;
}

static void add_version(struct generator *g, const struct doc_node *entry)
{
    str name = doc_text(doc_get_lit(entry, "name"), STR(""));

    if (!has_version(g, name, doc_text(doc_get_lit(entry, "version"), STR(""))))
        doc_append(doc_ensure_list(g->set, g->entries, name), in_order(g->set, entry));
}

static void set_time(struct generator *g, struct doc_node *map, const char *name)
{
    AUTO(buf_done) struct buf time = {0};

    chart_time_emit(g->options->now_us, &time);
    doc_set_string(g->set, map, str_of(name), buf_view(&time));
}

static void set_url(struct generator *g, struct doc_node *entry, const char *path)
{
    AUTO(buf_done) struct buf url = {0};
    str base = str_trim_right(g->options->url, "/");

    if (base.len)
        buf_addf(&url, "%.*s/", STR_ARG(base));
    buf_add_cstr(&url, path);
    doc_append(doc_ensure_list(g->set, entry, STR("urls")), doc_new_string(g->set, buf_view(&url)));
}

/* ---- archives */

/* path: below the folder. */
static int add_archive(struct generator *g, const char *path, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf full = {0}, bytes = {0}, digest = {0};
    AUTO(err_done) struct err bad = {0};
    struct doc_node *entry;
    struct chart *c;

    buf_addf(&full, "%s/%s", g->dir, path);
    c = chart_load(set, buf_cstr(&full), &bad);
    if (!c)
        return 0;
    if (file_read(buf_cstr(&full), CHART_MAX_BYTES, &bytes, e) < 0)
        return -1;
    sha256_hex(buf_view(&bytes), &digest);
    entry = chart_metadata_json(set, c);
    entry = doc_copy(g->set, entry);
    set_url(g, entry, path);
    set_time(g, entry, "created");
    doc_set_string(g->set, entry, STR("digest"), buf_view(&digest));
    add_version(g, entry);
    return 0;
}

struct archives {
    struct str_vec paths;
    struct arena arena;
};
static void archives_done(struct archives *a)
{
    str_vec_done(&a->paths);
    arena_done(&a->arena);
}
AUTO_VALUE(struct archives, archives_done)

static int find_archive(void *ctx, const struct file_entry *entry, struct err *e)
{
    struct archives *a = ctx;
    str path = str_of(entry->path);

    (void)e;
    if (entry->type == FILE_DIR)
        return str_contains(path, STR("/")) ? FILE_SKIP : FILE_ON;
    if (str_ends(path, STR(".tgz")))
        vec_push(&a->paths, arena_dup(&a->arena, path));
    return FILE_ON;
}

/* Those of the folder itself first, as their names sort. */
static int by_depth(const void *a, const void *b)
{
    str x = *(const str *)a, y = *(const str *)b;
    int c = (int)str_contains(x, STR("/")) - (int)str_contains(y, STR("/"));

    return c ? c : str_cmp(x, y);
}

/* ---- merging and writing */

static int merge(struct generator *g, struct err *e)
{
    static const char empty[] = "apiVersion: v1\nentries: {}\ngenerated: ";
    AUTO(buf_done) struct buf text = {0};
    struct chart_index index = {0};

    if (!g->options->merge)
        return 0;
    if (!file_exists(g->options->merge)) {
        buf_add_cstr(&text, empty);
        buf_add_char(&text, '"');
        chart_time_emit(g->options->now_us, &text);
        buf_add_cstr(&text, "\"\n");
        return file_replace(g->options->merge, buf_view(&text), NULL, e);
    }
    if (file_read(g->options->merge, MAX_INDEX, &text, e) < 0 ||
        chart_index_read(g->set, buf_view(&text), g->options->merge, &index, e) < 0)
        return err_wrap(e, "merge failed");
    for (size_t i = 0; i < index.count; i++)
        for (size_t k = 0; k < index.entries[i].count; k++)
            add_version(g, index.entries[i].versions[k].node);
    return 0;
}

static int sort_and_emit(struct generator *g, struct buf *out, struct err *e)
{
    AUTO(buf_done) struct buf text = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *root = doc_new_map(g->set), *sorted = doc_new_map(g->set);
    struct chart_index index = {0};

    /* Reading what was gathered is what sorts it. */
    doc_set_string(g->set, root, STR("apiVersion"), STR("v1"));
    set_time(g, root, "generated");
    doc_set_field(g->set, root, STR("entries"), g->entries);
    doc_emit_json(root, 0, &text);
    if (chart_index_read(set, buf_view(&text), g->dir, &index, e) < 0)
        return -1;
    for (size_t i = 0; i < index.count; i++) {
        struct doc_node *list = doc_ensure_list(g->set, sorted, index.entries[i].name);

        for (size_t k = 0; k < index.entries[i].count; k++)
            doc_append(list, doc_copy(g->set, index.entries[i].versions[k].node));
    }
    doc_set_field(g->set, root, STR("entries"), sorted);
    if (g->options->is_json)
        doc_emit_json(root, DOC_JSON_PRETTY | DOC_JSON_HTML, out);
    else
        doc_emit(root, DOC_EMIT_SORTED, out);
    return 0;
}

int chart_index_generate(const char *dir, const struct chart_index_options *options,
                         struct buf *out, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(archives_done) struct archives archives = {0};
    struct generator g = {.dir = dir, .options = options, .set = set, .entries = doc_new_map(set)};

    if (file_walk(dir, find_archive, &archives, e) < 0)
        return -1;
    vec_sort(&archives.paths, by_depth);
    for (size_t i = 0; i < archives.paths.len; i++)
        if (add_archive(&g, archives.paths.v[i].p, e) < 0)
            return -1;
    return merge(&g, e) < 0 ? -1 : sort_and_emit(&g, out, e);
}
