/* From a rendered chart to its release record, and from one revision to the next (helm spec 9.2).
 */
#include <ctype.h>

#include "base/escape.h"
#include "base/num.h"
#include "base/time.h"
#include "chart/release/record.h"
#include "chart/yaml.h"

/* ---- values */

/* Numbers as Go's JSON has them after reading YAML: doubles, written without an exponent if they
 * can be. */
static struct doc_node *number_json(struct doc_set *set, const struct doc_node *n)
{
    enum { EXACT = 53 }; /* bits of integers that a double holds */
    AUTO(buf_done) struct buf text = {0};
    int64_t i;
    double d;

    if (doc_to_int64(n, &i) && i < (int64_t)1 << EXACT && i > -((int64_t)1 << EXACT))
        return doc_new_int(set, i);
    if (!doc_to_double(n, &d))
        return doc_new_null(set);
    num_add_double(&text, d, NUM_JSON);
    return doc_new_number(set, buf_view(&text));
}

static void normalize_numbers(struct doc_set *set, struct doc_node *n)
{
    struct doc_iter it = doc_children(n);

    while (doc_next(&it))
        if (doc_type(it.value) == DOC_NUMBER)
            doc_replace(it.value, number_json(set, it.value));
        else
            normalize_numbers(set, it.value);
}

static struct doc_node *values_json(struct doc_set *set, const struct doc_node *values)
{
    struct doc_node *copy = doc_copy(set, values);

    normalize_numbers(set, copy);
    doc_sort_keys(copy);
    return copy;
}

/* ---- the chart */

static void set_time(struct doc_set *set, struct doc_node *map, const char *member, int64_t us)
{
    AUTO(buf_done) struct buf text = {0};

    if (us)
        chart_time_emit(us, &text);
    else
        buf_add_cstr(&text, "0001-01-01T00:00:00Z"); /* Go's zero time, which is not left out */
    doc_set_string(set, map, str_of(member), buf_view(&text));
}

static struct doc_node *base64_json(struct doc_set *set, str bytes)
{
    AUTO(buf_done) struct buf text = {0};

    escape_base64(bytes, true, &text);
    return doc_new_string(set, buf_view(&text));
}

static struct doc_node *files_json(struct doc_set *set, const struct chart_file *files,
                                   size_t count)
{
    struct doc_node *list = count ? doc_new_list(set) : doc_new_null(set);

    for (size_t i = 0; i < count; i++) {
        struct doc_node *map = doc_append(list, doc_new_map(set));

        doc_set_string(set, map, STR("name"), files[i].name);
        doc_set_field(set, map, STR("data"), base64_json(set, files[i].text));
        set_time(set, map, "modtime", files[i].modified_us);
    }
    return list;
}

/* What dependency processing changes in Chart.yaml: switches, aliases, imports. Entries that were
 * switched off are gone. */
static struct doc_node *dependencies_json(struct doc_set *set, const struct chart *c)
{
    struct doc_node *list = doc_new_list(set);

    for (size_t i = 0; i < c->dependency_count; i++) {
        const struct chart_dependency *d = &c->dependencies[i];
        struct doc_node *map = doc_append(list, doc_new_map(set));

        doc_set_string(set, map, STR("name"), d->name);
        if (d->version.len)
            doc_set_string(set, map, STR("version"), d->version);
        doc_set_string(set, map, STR("repository"), d->repository);
        if (d->condition.len)
            doc_set_string(set, map, STR("condition"), d->condition);
        if (doc_len(d->tags))
            doc_set_field(set, map, STR("tags"), doc_copy(set, d->tags));
        if (d->is_enabled)
            doc_set_bool(set, map, STR("enabled"), true);
        if (doc_len(d->imports))
            doc_set_field(set, map, STR("import-values"), values_json(set, d->imports));
        if (d->alias.len)
            doc_set_string(set, map, STR("alias"), d->alias);
    }
    return list;
}

static struct doc_node *metadata_json(struct doc_set *set, const struct chart *c)
{
    struct doc_node *map = chart_metadata_json(set, c);

    doc_remove(map, STR("dependencies"));
    if (c->dependency_count)
        doc_set_field(set, map, STR("dependencies"), dependencies_json(set, c));
    return map;
}

static struct doc_node *lock_entry(struct doc_set *set, const struct doc_node *from)
{
    static const char members[][11] = {"name", "version", "repository"};
    struct doc_node *map = doc_new_map(set);

    for (size_t i = 0; i < ARRAY_LEN(members); i++)
        doc_set_string(set, map, str_of(members[i]),
                       doc_text(doc_get(from, str_of(members[i])), STR("")));
    return map;
}

static struct doc_node *lock_json(struct doc_set *set, const struct chart *c)
{
    AUTO(err_done) struct err ignored = {0}; /* a lock that cannot be read is none */
    const struct doc_node *root = chart_parse_yaml(set, c->lock_text, &ignored);
    struct doc_iter it = doc_children(doc_get_lit(root, "dependencies"));
    str generated = doc_text(doc_get_lit(root, "generated"), STR_NONE);
    struct doc_node *map, *list;
    int64_t ms;

    if (!doc_is_map(root))
        return doc_new_null(set);
    map = doc_new_map(set);
    doc_set_string(set, map, STR("generated"),
                   time_parse_rfc3339(generated, &ms) ? generated : STR("0001-01-01T00:00:00Z"));
    doc_set_string(set, map, STR("digest"), doc_text(doc_get_lit(root, "digest"), STR("")));
    list = doc_set_field(set, map, STR("dependencies"), doc_new_list(set));
    while (doc_next(&it))
        doc_append(list, lock_entry(set, it.value));
    return map;
}

static struct doc_node *chart_json(struct doc_set *set, const struct chart *c)
{
    struct doc_node *map = doc_new_map(set);

    doc_set_field(set, map, STR("metadata"), metadata_json(set, c));
    doc_set_field(set, map, STR("lock"), lock_json(set, c));
    doc_set_field(set, map, STR("templates"), files_json(set, c->templates, c->template_count));
    doc_set_field(set, map, STR("values"), values_json(set, c->values));
    doc_set_field(set, map, STR("schema"),
                  c->schema.len ? base64_json(set, c->schema) : doc_new_null(set));
    set_time(set, map, "schemamodtime", c->schema_modified_us);
    doc_set_field(set, map, STR("files"), files_json(set, c->files, c->file_count));
    set_time(set, map, "modtime", c->modified_us);
    return map;
}

/* ---- hooks */

static struct doc_node *words_json(struct doc_set *set, str text)
{
    struct doc_node *list = doc_new_list(set);

    while (text.p) {
        str word = str_trim(str_cut(text, ',', &text));
        AUTO(buf_done) struct buf lower = {0};

        for (size_t i = 0; i < word.len; i++)
            buf_add_char(&lower, (char)tolower((unsigned char)word.p[i]));
        doc_append(list, str_eq(buf_view(&lower), STR("test-success"))
                             ? doc_new_string(set, STR("test"))
                             : doc_new_string(set, buf_view(&lower)));
    }
    return list;
}

static void set_words(struct doc_set *set, struct doc_node *map, const char *member,
                      const struct doc_node *annotations, const char *name)
{
    str text = doc_string(doc_get(annotations, str_of(name)), STR_NONE);

    if (text.len)
        doc_set_field(set, map, str_of(member), words_json(set, text));
}

static struct doc_node *hook_json(struct doc_set *set, const struct chart_manifest *m)
{
    AUTO(err_done) struct err ignored = {0}; /* rendering has read the same text */
    const struct doc_node *root = chart_parse_yaml(set, m->text, &ignored);
    const struct doc_node *annotations = doc_at(root, "metadata/annotations");
    struct doc_node *map = doc_new_map(set);

    doc_set_string(set, map, STR("name"), m->name);
    doc_set_string(set, map, STR("kind"), m->kind);
    doc_set_string(set, map, STR("path"), m->path);
    doc_set_string(set, map, STR("manifest"), m->text);
    doc_set_field(set, map, STR("events"), words_json(set, m->hooks));
    doc_set_string(set, doc_set_field(set, map, STR("last_run"), doc_new_map(set)), STR("phase"),
                   STR(""));
    if (m->weight)
        doc_set_int(set, map, STR("weight"), m->weight);
    set_words(set, map, "delete_policies", annotations, "helm.sh/hook-delete-policy");
    set_words(set, map, "output_log_policies", annotations, "helm.sh/hook-output-log-policy");
    return map;
}

/* ---- the record */

static void add_manifest(const struct chart_release *release, struct buf *out)
{
    for (size_t i = 0; i < release->manifests.len; i++) {
        const struct chart_manifest *m = &release->manifests.v[i];

        buf_addf(out, "---\n# Source: %.*s\n", STR_ARG(m->path));
        buf_add_str(out, m->text);
        buf_add_char(out, '\n');
    }
}

static struct chart_record begin(const struct chart_record_start *start)
{
    struct chart_record r = {.set = doc_set_new(), .revision = start->revision};
    struct doc_node *info;

    r.root = doc_new_map(r.set);
    doc_set_string(r.set, r.root, STR("name"), start->name);
    info = doc_set_field(r.set, r.root, STR("info"), doc_new_map(r.set));
    set_time(r.set, info, "first_deployed", start->first_us ? start->first_us : start->now_us);
    set_time(r.set, info, "last_deployed", start->now_us);
    chart_record_set_status(&r, start->status, start->description);
    doc_set_int(r.set, r.root, STR("version"), start->revision);
    doc_set_string(r.set, r.root, STR("namespace"), start->ns);
    chart_record_set_apply_method(&r, start->is_client_side);
    r.name = doc_text(doc_get_lit(r.root, "name"), STR_NONE);
    r.ns = doc_text(doc_get_lit(r.root, "namespace"), STR_NONE);
    if (doc_len(start->labels))
        r.labels = doc_copy(r.set, start->labels);
    return r;
}

static void set_release(struct chart_record *r, const struct chart_release *release)
{
    AUTO(buf_done) struct buf text = {0};
    struct doc_node *hooks;

    add_manifest(release, &text);
    chart_record_set_manifest(r, buf_view(&text));
    chart_record_set_notes(r, release->notes);
    if (!release->hooks.len)
        return;
    hooks = doc_set_field(r->set, r->root, STR("hooks"), doc_new_list(r->set));
    for (size_t i = 0; i < release->hooks.len; i++)
        doc_append(hooks, hook_json(r->set, &release->hooks.v[i]));
}

void chart_record_make(const struct chart_record_start *start, const struct chart *c,
                       const struct chart_release *release, str manifest, struct chart_record *ret)
{
    struct chart_record r = begin(start);

    doc_set_field(r.set, r.root, STR("chart"), chart_json(r.set, c));
    if (doc_len(start->config))
        doc_set_field(r.set, r.root, STR("config"), values_json(r.set, start->config));
    if (release)
        set_release(&r, release);
    if (manifest.len)
        chart_record_set_manifest(&r, manifest);
    *ret = r;
}

void chart_record_copy(const struct chart_record *of, const struct chart_record_start *start,
                       struct chart_record *ret)
{
    static const char members[][9] = {"chart", "config", "manifest", "hooks"};
    struct chart_record r = begin(start);

    for (size_t i = 0; i < ARRAY_LEN(members); i++) {
        const struct doc_node *value = doc_get(of->root, str_of(members[i]));

        if (value)
            doc_set_field(r.set, r.root, str_of(members[i]), doc_copy(r.set, value));
    }
    chart_record_set_notes(&r, chart_record_notes(of));
    if (doc_len(of->labels) && !r.labels)
        r.labels = doc_copy(r.set, of->labels);
    *ret = r;
}
