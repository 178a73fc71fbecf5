/* Chart.yaml and requirements.yaml: reading and judging them (helm spec 1, 3). */
#include <ctype.h>

#include "base/num.h"
#include "chart/merge.h"
#include "chart/read_priv.h"
#include "chart/yaml.h"
#include "expr/semver/semver.h"
#include "re/unicode.h"

enum kind {
    TEXT,
    KEPT_TEXT /* written even when it is empty */,
    FLAG,
    TEXTS,
    PAIRS,
    MAINTAINERS,
    DEPENDENCIES,
    VALUES
};
struct member {
    uint8_t json_len;
    char json[14], go[14]; /* in files, and to templates; empty ends a table */
    enum kind kind;
};
enum { MOST_MEMBERS = 20 };
#define MEMBER(json, go, kind)           \
    {                                    \
        sizeof(json) - 1, json, go, kind \
    }
#define END        \
    {              \
        .json = "" \
    }

static const struct member chart_members[] = {
    MEMBER("name", "Name", TEXT),
    MEMBER("home", "Home", TEXT),
    MEMBER("sources", "Sources", TEXTS),
    MEMBER("version", "Version", TEXT),
    MEMBER("description", "Description", TEXT),
    MEMBER("keywords", "Keywords", TEXTS),
    MEMBER("maintainers", "Maintainers", MAINTAINERS),
    MEMBER("icon", "Icon", TEXT),
    MEMBER("apiVersion", "APIVersion", TEXT),
    MEMBER("condition", "Condition", TEXT),
    MEMBER("tags", "Tags", TEXT),
    MEMBER("appVersion", "AppVersion", TEXT),
    MEMBER("deprecated", "Deprecated", FLAG),
    MEMBER("annotations", "Annotations", PAIRS),
    MEMBER("kubeVersion", "KubeVersion", TEXT),
    MEMBER("dependencies", "Dependencies", DEPENDENCIES),
    MEMBER("type", "Type", TEXT),
    END,
};
static const struct member maintainer_members[] = {
    MEMBER("name", "Name", TEXT),
    MEMBER("email", "Email", TEXT),
    MEMBER("url", "URL", TEXT),
    END,
};
static const struct member dependency_members[] = {
    MEMBER("name", "Name", KEPT_TEXT),
    MEMBER("version", "Version", TEXT),
    MEMBER("repository", "Repository", KEPT_TEXT),
    MEMBER("condition", "Condition", TEXT),
    MEMBER("tags", "Tags", TEXTS),
    MEMBER("enabled", "Enabled", FLAG),
    MEMBER("import-values", "ImportValues", VALUES),
    MEMBER("alias", "Alias", TEXT),
    END,
};

/* ---- from YAML to members */

struct reader {
    struct doc_set *set;
    const char *type; /* Go's name of what is read, for messages */
    struct err *e;
};

static const char json_names[][7] = {"null", "bool", "number", "string", "array", "object", ""};

static int wrong_type(struct reader *r, const struct doc_node *n, const char *member,
                      const char *want)
{
    return err_set(r->e, ERR_INVALID,
                   "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal %s into "
                   "Go struct field %s.%s of type %s",
                   json_names[doc_type(n)], r->type, member, want);
}

static bool is_plain(str text)
{
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.p[i] < 0x20 || (unsigned char)text.p[i] >= 0x7f)
            return false;
    return true;
}

static bool is_space(uint32_t c)
{
    return c < 0x80 ? isspace((int)c) : c == 0x85 || re_unicode_is("Z", c);
}

/* As Go judges it. */
static bool is_print(uint32_t c)
{
    static const char classes[][2] = {"L", "M", "N", "P", "S"};

    if (c < 0x80)
        return c >= 0x20 && c != 0x7f;
    for (size_t i = 0; i < ARRAY_LEN(classes); i++)
        if (re_unicode_is(classes[i], c))
            return true;
    return false;
}

str chart_clean_text(struct doc_set *set, str text)
{
    AUTO(buf_done) struct buf out = {0};
    size_t bytes;

    if (is_plain(text))
        return text;
    for (size_t at = 0; at < text.len; at += bytes) {
        uint32_t c = str_utf8_at(text, at, &bytes);

        if (is_space(c))
            buf_add_char(&out, ' ');
        else if (is_print(c))
            buf_add_utf8(&out, c);
    }
    return arena_dup(&set->arena, buf_view(&out));
}

/* As JSON made of the YAML has it: 1.10 is 1.1. */
str chart_scalar_text(const struct doc_node *n, struct buf *number)
{
    double d;
    uint64_t u;
    int64_t i;

    if (doc_is_null(n))
        return STR("");
    if (doc_type(n) == DOC_BOOL)
        return doc_bool(n, false) ? STR("true") : STR("false");
    if (doc_type(n) != DOC_NUMBER)
        return doc_text(n, STR_NONE);
    if (doc_to_int64(n, &i))
        buf_addf(number, "%lld", (long long)i);
    else if (doc_to_uint64(n, &u))
        buf_addf(number, "%llu", (unsigned long long)u);
    else if (doc_to_double(n, &d))
        num_add_double(number, d, NUM_G);
    else
        return doc_text(n, STR_NONE);
    return buf_view(number);
}

static struct doc_node *read_raw(struct reader *r, const struct doc_node *n, const char *member)
{
    AUTO(buf_done) struct buf number = {0};
    str text;

    if (n && !doc_is_scalar(n)) {
        wrong_type(r, n, member, "string");
        return NULL;
    }
    text = chart_scalar_text(n, &number);
    return text.len ? doc_new_string(r->set, text) : doc_new_string_view(r->set, STR(""));
}

static struct doc_node *read_text(struct reader *r, const struct doc_node *n, const char *member)
{
    struct doc_node *raw = read_raw(r, n, member);
    str text = doc_string(raw, STR(""));

    return is_plain(text) ? raw : doc_new_string_view(r->set, chart_clean_text(r->set, text));
}

static struct doc_node *read_members(struct reader *r, const struct member *members,
                                     const struct doc_node *n);

static struct doc_node *read_item(struct reader *r, const struct member *m,
                                  const struct doc_node *n)
{
    struct reader inner = *r;

    if (m->kind == TEXTS)
        return read_text(r, n, m->json);
    if (doc_is_null(n)) {
        err_set(r->e, ERR_INVALID, "validation: %s must not contain empty or null nodes", m->json);
        return NULL;
    }
    inner.type = m->kind == MAINTAINERS ? "Maintainer" : "Dependency";
    if (!doc_is_map(n)) {
        wrong_type(r, n, m->json, m->kind == MAINTAINERS ? "v2.Maintainer" : "v2.Dependency");
        return NULL;
    }
    return read_members(&inner, m->kind == MAINTAINERS ? maintainer_members : dependency_members,
                        n);
}

static struct doc_node *read_list(struct reader *r, const struct member *m,
                                  const struct doc_node *n)
{
    struct doc_node *list = doc_new_list(r->set);
    struct doc_iter it = doc_children(n);

    if (!doc_is_list(n)) {
        wrong_type(r, n, m->json,
                   m->kind == MAINTAINERS    ? "[]*v2.Maintainer"
                   : m->kind == DEPENDENCIES ? "[]*v2.Dependency"
                                             : "[]string");
        return NULL;
    }
    while (doc_next(&it)) {
        struct doc_node *item = read_item(r, m, it.value);

        if (!item)
            return NULL;
        doc_append(list, item);
    }
    return list;
}

static struct doc_node *read_pairs(struct reader *r, const struct member *m,
                                   const struct doc_node *n)
{
    struct doc_node *map = doc_new_map(r->set);
    struct doc_iter it = doc_children(n);

    if (!doc_is_map(n)) {
        wrong_type(r, n, m->json, "map[string]string");
        return NULL;
    }
    while (doc_next(&it)) {
        struct doc_node *text = read_raw(r, it.value, m->json); /* they may have lines */

        if (!text)
            return NULL;
        doc_set_field(r->set, map, it.key, text);
    }
    return map;
}

/* What a member is that is not there. */
static struct doc_node *absent(struct reader *r, enum kind kind)
{
    switch (kind) {
    case TEXT:
    case KEPT_TEXT:
        return doc_new_string_view(r->set, STR(""));
    case FLAG:
        return doc_new_bool(r->set, false);
    case PAIRS:
        return doc_new_map(r->set);
    case TEXTS:
    case MAINTAINERS:
    case DEPENDENCIES:
    case VALUES:
        break;
    }
    return doc_new_list(r->set);
}

static struct doc_node *read_member(struct reader *r, const struct member *m,
                                    const struct doc_node *n)
{
    if (doc_is_null(n))
        return absent(r, m->kind);
    switch (m->kind) {
    case TEXT:
    case KEPT_TEXT:
        return read_text(r, n, m->json);
    case FLAG:
        if (doc_type(n) == DOC_BOOL)
            return doc_new_bool(r->set, doc_bool(n, false));
        wrong_type(r, n, m->json, "bool");
        return NULL;
    case PAIRS:
        return read_pairs(r, m, n);
    case VALUES:
        return doc_is_list(n) ? doc_copy(r->set, n) : doc_new_list(r->set);
    case TEXTS:
    case MAINTAINERS:
    case DEPENDENCIES:
        break;
    }
    return read_list(r, m, n);
}

/* Names match without regard to letter case, the exact one first, then the last. */
static void choose(const struct doc_node **chosen, const struct doc_node *n, str name)
{
    if (str_eq_nocase(doc_key(n), name) && !str_eq(doc_key(*chosen), name))
        *chosen = n;
}

static const struct doc_node *find_member(const struct doc_node *map, str name)
{
    const struct doc_node *found = NULL;
    struct doc_iter it = doc_children(map);

    while (doc_next(&it))
        choose(&found, it.value, name);
    return found;
}

/* By the index of the member. */
static void find_members(const struct doc_node *map, const struct member *members,
                         const struct doc_node *ret[MOST_MEMBERS])
{
    struct doc_iter it = doc_children(map);

    while (doc_next(&it))
        for (size_t i = 0; members[i].json_len; i++)
            if (it.key.len == members[i].json_len)
                choose(&ret[i], it.value, str_of(members[i].json));
}

static struct doc_node *read_members(struct reader *r, const struct member *members,
                                     const struct doc_node *n)
{
    struct doc_node *map = doc_new_map(r->set);
    const struct doc_node *found[MOST_MEMBERS] = {0};

    find_members(n, members, found);
    for (const struct member *m = members; m->json_len; m++) {
        struct doc_node *value = read_member(r, m, found[m - members]);

        if (!value)
            return NULL;
        doc_key_set(value, str_of(m->go)); /* each is there once: nothing to look for */
        doc_push(r->set, map, value);
    }
    return map;
}

/* ---- and back */

static struct doc_node *to_json(struct doc_set *set, const struct member *members,
                                const struct doc_node *map);

static struct doc_node *list_to_json(struct doc_set *set, const struct member *members,
                                     const struct doc_node *list)
{
    struct doc_node *ret = doc_new_list(set);
    struct doc_iter it = doc_children(list);

    while (doc_next(&it))
        doc_append(ret, to_json(set, members, it.value));
    return ret;
}

static bool is_empty(const struct doc_node *n)
{
    return doc_type(n) == DOC_BOOL ? !doc_bool(n, false)
                                   : !doc_len(n) && !doc_text(n, STR_NONE).len;
}

static struct doc_node *to_json(struct doc_set *set, const struct member *members,
                                const struct doc_node *map)
{
    struct doc_node *ret = doc_new_map(set);

    for (const struct member *m = members; m->json_len; m++) {
        const struct doc_node *value = doc_get(map, str_of(m->go));
        struct doc_node *json;

        if (is_empty(value) && m->kind != KEPT_TEXT)
            continue;
        if (m->kind == MAINTAINERS || m->kind == DEPENDENCIES)
            json = list_to_json(
                set, m->kind == MAINTAINERS ? maintainer_members : dependency_members, value);
        else
            json = doc_copy(set, value);
        doc_set_field(set, ret, str_of(m->json), json);
    }
    return ret;
}

struct doc_node *chart_metadata_json(struct doc_set *set, const struct chart *c)
{
    return to_json(set, chart_members, c->metadata);
}

struct doc_node *chart_dependency_json(struct doc_set *set, const struct chart *c, size_t i)
{
    return to_json(set, dependency_members, doc_item(doc_get_lit(c->metadata, "Dependencies"), i));
}

/* ---- judging */

static int check_alias(str alias, str name, struct err *e)
{
    for (size_t i = 0; i < alias.len; i++)
        if (!isalnum((unsigned char)alias.p[i]) && alias.p[i] != '_' && alias.p[i] != '-')
            return err_set(e, ERR_INVALID,
                           "validation: dependency \"%.*s\" has disallowed characters in the alias",
                           STR_ARG(name));
    return 0;
}

static int check_twins(const struct chart *c, struct err *e)
{
    for (size_t i = 0; i < c->dependency_count; i++) {
        const struct chart_dependency *d = &c->dependencies[i];
        str name = d->alias.len ? d->alias : d->name;

        if (check_alias(d->alias, d->name, e) < 0)
            return -1;
        for (size_t k = 0; k < i; k++) {
            const struct chart_dependency *o = &c->dependencies[k];

            if (str_eq(name, o->alias.len ? o->alias : o->name))
                return err_set(e, ERR_INVALID,
                               "validation: more than one dependency with name or alias \"%.*s\"",
                               STR_ARG(name));
        }
    }
    return 0;
}

static int check_name(str name, struct err *e)
{
    if (!name.len)
        return err_set(e, ERR_INVALID, "validation: chart.metadata.name is required");
    if (str_eq(name, STR(".")) || str_eq(name, STR("..")))
        return err_set(e, ERR_INVALID, "validation: chart.metadata.name \"%.*s\" is not allowed",
                       STR_ARG(name));
    if (memchr(name.p, '/', name.len))
        return err_set(e, ERR_INVALID, "validation: chart.metadata.name \"%.*s\" is invalid",
                       STR_ARG(name));
    return 0;
}

int chart_check_basics(str name, str version, str type, struct err *e)
{
    AUTO(err_done) struct err bad = {0};
    struct semver parsed;

    if (check_name(name, e) < 0)
        return -1;
    if (!version.len)
        return err_set(e, ERR_INVALID, "validation: chart.metadata.version is required");
    if (semver_parse(version, SEMVER_LENIENT, &parsed, &bad) < 0)
        return err_set(e, ERR_INVALID, "validation: chart.metadata.version \"%.*s\" is invalid",
                       STR_ARG(version));
    if (type.len && !str_eq(type, STR("application")) && !str_eq(type, STR("library")))
        return err_set(e, ERR_INVALID,
                       "validation: chart.metadata.type must be application or library");
    return 0;
}

/* ---- files */

static const struct chart_file *find_file(const struct chart_files *files, const char *name)
{
    for (size_t i = 0; i < files->len; i++)
        if (str_eq(files->v[i].name, str_of(name)))
            return &files->v[i];
    return NULL;
}

static str text_of(const struct doc_node *map, const char *member)
{
    return doc_string(doc_get(map, str_of(member)), STR(""));
}

static void take_dependencies(struct doc_set *set, struct chart *c, const struct doc_node *list)
{
    struct doc_iter it = doc_children(list);
    struct chart_dependency *d;

    c->dependencies = d = ARENA_ARRAY(&set->arena, struct chart_dependency, doc_len(list) + 1);
    c->dependency_count = doc_len(list);
    for (; doc_next(&it); d++)
        *d = (struct chart_dependency){
            .name = text_of(it.value, "Name"),
            .version = text_of(it.value, "Version"),
            .repository = text_of(it.value, "Repository"),
            .condition = text_of(it.value, "Condition"),
            .alias = text_of(it.value, "Alias"),
            .tags = doc_get_lit(it.value, "Tags"),
            .imports = doc_get_lit(it.value, "ImportValues"),
        };
}

/* The file says the same members over again: those it has win, annotations each by itself. */
static int add_members(struct doc_set *set, struct doc_node *root, const struct chart_file *f,
                       struct err *e)
{
    struct doc_node *more = chart_parse_yaml(set, f->text, e);
    struct doc_iter it = doc_children(more);

    if (e->kind != ERR_NONE)
        return err_wrap(e, "cannot load %.*s", STR_ARG(f->name));
    while (doc_next(&it)) {
        const struct doc_node *before = find_member(root, it.key);
        struct doc_node *value = doc_copy(set, it.value);

        if (doc_is_null(value))
            continue;
        if (doc_is_map(value) && doc_is_map(before))
            chart_merge_under(set, value, before, false);
        doc_set_field(set, root, before ? doc_key(before) : it.key, value);
    }
    return 0;
}

/* Every file of that name but one: an archive may hold a name twice. */
static int add_files(struct doc_set *set, struct doc_node *root, const struct chart_files *files,
                     str name, const struct chart_file *but, struct err *e)
{
    for (size_t i = 0; i < files->len; i++)
        if (&files->v[i] != but && str_eq(files->v[i].name, name) &&
            add_members(set, root, &files->v[i], e) < 0)
            return -1;
    return 0;
}

static int judge_version(struct chart *c, struct err *e)
{
    if (!c->api_version.len)
        c->api_version = STR("v1");
    if (!str_eq(c->api_version, STR("v1")) && !str_eq(c->api_version, STR("v2")) &&
        !str_eq(c->api_version, STR("v3")))
        return err_set(e, ERR_INVALID, "unsupported chart version");
    return 0;
}

static int fail_no_map(const struct doc_node *root, const char *type, struct err *e)
{
    return err_set(e, ERR_INVALID,
                   "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal %s into "
                   "Go value of type %s",
                   json_names[doc_type(root)], type);
}

int chart_check_members(struct doc_set *set, const struct doc_node *root, struct err *e)
{
    struct reader r = {.set = set, .type = "Metadata", .e = e};

    if (!doc_is_map(root))
        return doc_is_null(root) ? 0 : fail_no_map(root, "v2.Metadata", e);
    if (read_members(&r, chart_members, root))
        return 0;
    if (!str_starts(str_of(err_text(e)), STR("validation: ")))
        return -1;
    err_done(e);
    return 0;
}

int chart_read_metadata(struct doc_set *set, struct chart *c, const struct chart_files *files,
                        struct err *e)
{
    const struct chart_file *f = find_file(files, "Chart.yaml");
    struct reader r = {.set = set, .type = "Metadata", .e = e};
    AUTO(buf_done) struct buf number = {0};
    struct doc_node *root, *metadata;

    if (!f)
        return err_set(e, ERR_INVALID, "Chart.yaml file is missing");
    root = chart_parse_yaml(set, f->text, e);
    if (e->kind != ERR_NONE)
        return err_wrap(e, "cannot load Chart.yaml");
    if (!doc_is_map(root) && !doc_is_null(root)) {
        (void)fail_no_map(root, "loader.chartBase", e);
        return err_wrap(e, "cannot load Chart.yaml");
    }
    if (!doc_is_map(root))
        root = doc_new_map(set);
    if (add_files(set, root, files, f->name, f, e) < 0)
        return -1;
    c->api_version =
        arena_dup(&set->arena, chart_scalar_text(find_member(root, STR("apiVersion")), &number));
    if (judge_version(c, e) < 0 ||
        add_files(set, root, files, STR("requirements.yaml"), NULL, e) < 0)
        return -1;
    metadata = read_members(&r, chart_members, root);
    if (!metadata)
        return str_starts(str_of(err_text(e)), STR("validation: "))
                   ? -1
                   : err_wrap(e, "cannot load Chart.yaml");
    doc_set_string(set, metadata, STR("APIVersion"), c->api_version);
    c->metadata = metadata;
    c->modified_us = f->modified_us;
    c->name = text_of(metadata, "Name");
    c->version = text_of(metadata, "Version");
    c->kube_version = text_of(metadata, "KubeVersion");
    c->type = text_of(metadata, "Type");
    c->is_deprecated = doc_bool(doc_get_lit(metadata, "Deprecated"), false);
    take_dependencies(set, c, doc_get_lit(metadata, "Dependencies"));
    if (chart_check_basics(c->name, c->version, c->type, e) < 0 || check_twins(c, e) < 0)
        return -1;
    return str_eq(c->api_version, STR("v3")) ? err_set(e, ERR_INVALID, "invalid chart apiVersion")
                                             : 0;
}
