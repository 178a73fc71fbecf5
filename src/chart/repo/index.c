#include "chart/repo/index.h"

#include "base/log.h"
#include "chart/read_priv.h"
#include "chart/yaml.h"
#include "doc/parse.h"

/* ---- reading */

static void warn(const char *what, str name, str version, const char *source, const char *why)
{
    const struct log_field fields[] = {LOG_STR("name", name), LOG_STR("version", version),
                                       LOG_STR("source", str_of(source)),
                                       LOG_STR("error", str_of(why))};

    log_record(LOG_WARN, str_of(what), fields, ARRAY_LEN(fields));
}

static str member(const struct doc_node *n, const char *name)
{
    return doc_text(doc_get(n, str_of(name)), STR(""));
}

/* The texts that are shown are cleaned as a chart's own are. */
static void clean_texts(struct doc_set *set, struct doc_node *n)
{
    static const char names[][12] = {"name", "description", "appVersion"};

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct doc_node *old = doc_get(n, str_of(names[i]));
        str text = doc_string(old, STR("")), cleaned = chart_clean_text(set, text);

        if (cleaned.p != text.p)
            doc_set_string(set, n, str_of(names[i]), cleaned);
    }
}

/* Fills in *ret when the entry is a chart. */
static bool read_version(struct doc_set *set, str name, struct doc_node *n, const char *source,
                         struct chart_index_version *ret)
{
    AUTO(err_done) struct err e = {0};

    if (!doc_is_map(n)) {
        warn("skipping loading invalid entry for chart", name, STR(""), source, "empty entry");
        return false;
    }
    clean_texts(set, n);
    ret->node = n;
    ret->version = member(n, "version");
    ret->digest = member(n, "digest");
    if (chart_check_basics(member(n, "name"), ret->version, member(n, "type"), &e) < 0 ||
        semver_parse(ret->version, SEMVER_LENIENT, &ret->parsed, &e) < 0) {
        warn("skipping loading invalid entry for chart", name, ret->version, source, err_text(&e));
        return false;
    }
    return true;
}

/* Newest first; what is equal stays in the order of the index. */
static int by_version(const void *a, const void *b)
{
    const struct chart_index_version *x = a, *y = b;
    int c = semver_compare(&y->parsed, &x->parsed);

    return c ? c : x->at < y->at ? -1 : x->at > y->at;
}

static void read_entry(struct doc_set *set, str name, const struct doc_node *list,
                       const char *source, struct chart_index_entry *ret)
{
    struct doc_iter it = doc_children(list);

    ret->name = name;
    ret->versions = ARENA_ARRAY(&set->arena, struct chart_index_version, doc_len(list) + 1);
    for (size_t at = 0; doc_is_list(list) && doc_next(&it); at++) {
        struct chart_index_version *version = &ret->versions[ret->count];

        version->at = at;
        if (read_version(set, name, it.value, source, version))
            ret->count++;
    }
    qsort(ret->versions, ret->count, sizeof(*ret->versions), by_version);
}

static void warn_unknown(const struct doc_node *root, const char *source)
{
    static const char known[][12] = {"serverInfo", "apiVersion", "generated",
                                     "entries",    "publicKeys", "annotations"};
    struct doc_iter it = doc_children(root);

    while (doc_is_map(root) && doc_next(&it)) {
        size_t i = 0;

        while (i < ARRAY_LEN(known) && !str_eq(it.key, str_of(known[i])))
            i++;
        if (i == ARRAY_LEN(known))
            warn("unknown member of an index", it.key, STR(""), source, "it is ignored");
    }
}

static struct doc_node *parse(struct doc_set *set, str text, const char *source, struct err *e)
{
    AUTO(err_done) struct err bad = {0};
    str start = str_trim(text);
    struct doc_node *root;

    if (!text.len) {
        err_set(e, ERR_INVALID, "empty index.yaml file");
        return NULL;
    }
    if (start.len && start.p[0] == '{') {
        root = doc_parse_json_flags(set, text, DOC_LAST_WINS, source, &bad);
        if (root)
            return root;
    }
    root = chart_parse_yaml(set, text, e);
    if (root)
        warn_unknown(root, source);
    return root;
}

static int by_name(const void *a, const void *b)
{
    const struct chart_index_entry *x = a, *y = b;

    return str_cmp(x->name, y->name);
}

int chart_index_read(struct doc_set *set, str text, const char *source, struct chart_index *ret,
                     struct err *e)
{
    struct doc_node *root = parse(set, text, source, e), *entries = doc_get_lit(root, "entries");
    struct doc_iter it = doc_children(entries);

    if (e->kind != ERR_NONE)
        return -1;
    ret->root = root;
    ret->entries = ARENA_ARRAY(&set->arena, struct chart_index_entry, doc_len(entries) + 1);
    while (doc_is_map(entries) && doc_next(&it))
        read_entry(set, it.key, it.value, source, &ret->entries[ret->count++]);
    qsort(ret->entries, ret->count, sizeof(*ret->entries), by_name);
    if (!member(root, "apiVersion").len)
        return err_set(e, ERR_INVALID, "no API version specified");
    return 0;
}

/* ---- choosing */

const struct chart_index_entry *chart_index_find(const struct chart_index *index, str name)
{
    struct chart_index_entry key = {.name = name};

    return index->count ? bsearch(&key, index->entries, index->count, sizeof(key), by_name) : NULL;
}

const struct chart_index_version *chart_index_choose(const struct chart_index *index, str name,
                                                     str constraint, struct err *e)
{
    const struct chart_index_entry *entry = chart_index_find(index, name);
    AUTO(semver_constraint_free) struct semver_constraint *c = NULL;

    if (!entry) {
        err_set(e, ERR_NOT_FOUND, "no chart name found");
        return NULL;
    }
    c = semver_constraint_parse(constraint.len ? constraint : STR("*"), e);
    if (!c)
        return NULL;
    for (size_t i = 0; i < entry->count; i++)
        if (str_eq(entry->versions[i].version, constraint))
            return &entry->versions[i];
    for (size_t i = 0; i < entry->count; i++)
        if (semver_matches(c, &entry->versions[i].parsed, false))
            return &entry->versions[i];
    err_set(e, ERR_NOT_FOUND, "no chart version found for %.*s-%.*s", STR_ARG(name),
            STR_ARG(constraint));
    return NULL;
}

str chart_index_url(const struct chart_index_version *version)
{
    return doc_text(doc_item(doc_get_lit(version->node, "urls"), 0), STR(""));
}
