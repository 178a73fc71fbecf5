/* edit fix --vars: vars become replacements, as upstream converts them. Where `$(NAME)` stands in a
 * file of the kustomization and its bases, NAME_PLACEHOLDER takes its place, and the replacement
 * has a target there. */
#include "doc/parse.h"
#include "kustomize/edit/edit_priv.h"
#include "sys/file.h"

enum { MAX_DEPTH = 100, MAX_BYTES = 64 << 20, MAX_NESTING = 10000 };

/* A file that may hold references: a resource, or a patch. */
struct touched {
    const char *path;
    struct buf text; /* as it is to be */
    struct doc_list docs;
    const struct doc_node *patch; /* the entry that names it, or NULL */
    bool is_changed;
};

struct converter {
    struct kustomize_edit *edit;
    VEC(struct touched) files;
    str reference, placeholder, var;
    struct doc_node *targets; /* of the replacement at hand */
    const struct touched *file;
    const struct doc_node *object;
    struct buf path; /* to the value at hand */
    struct err *e;
};

static void converter_done(struct converter *c)
{
    for (size_t i = 0; i < c->files.len; i++) {
        buf_done(&c->files.v[i].text);
        vec_done(&c->files.v[i].docs);
    }
    vec_done(&c->files);
    buf_done(&c->path);
}
AUTO_VALUE(struct converter, converter_done)

/* ---- which files */

static const char *join(struct converter *c, str folder, str path)
{
    struct arena *arena = &c->edit->set->arena;
    str text = folder.len && path.len && path.p[0] != '/'
                   ? arena_printf(arena, "%.*s/%.*s", STR_ARG(folder), STR_ARG(path))
                   : path;

    return arena_cstr(arena, text);
}

static bool is_known(const struct converter *c, const char *path)
{
    for (size_t i = 0; i < c->files.len; i++)
        if (strcmp(c->files.v[i].path, path) == 0)
            return true;
    return false;
}

/* What cannot be read, a URL or a text that is no YAML, holds no references that we could see. */
static void touch(struct converter *c, const char *path, const struct doc_node *patch)
{
    struct doc_parse_options options = {.dialect = DOC_RESOURCE};
    struct touched file = {.path = path, .patch = patch};
    AUTO(err_done) struct err e = {0};

    if (is_known(c, path) || !file_exists(path) || file_is_dir(path) ||
        file_read(path, MAX_BYTES, &file.text, &e) < 0 ||
        doc_parse_all(c->edit->set, buf_view(&file.text), &options, path, &file.docs, &e) < 0) {
        buf_done(&file.text);
        return;
    }
    vec_push(&c->files, file);
}

static void gather(struct converter *c, const struct doc_node *k, str folder, int depth);

static void gather_folder(struct converter *c, const char *folder, int depth)
{
    for (size_t i = 0; i < ARRAY_LEN(kustomize_edit_names); i++) {
        struct doc_parse_options options = {.dialect = DOC_KUSTOMIZATION};
        const char *path = join(c, str_of(folder), str_of(kustomize_edit_names[i]));
        AUTO(doc_list_done) struct doc_list docs = {0};
        AUTO(buf_done) struct buf text = {0};
        AUTO(err_done) struct err e = {0};

        if (file_exists(path) && file_read(path, MAX_BYTES, &text, &e) == 0 &&
            doc_parse_all(c->edit->set, buf_view(&text), &options, path, &docs, &e) == 0 &&
            docs.len)
            gather(c, docs.v[0], str_of(folder), depth + 1);
    }
}

static void gather_list(struct converter *c, const struct doc_node *list, str folder, int depth)
{
    struct doc_iter it = doc_children(doc_is_list(list) ? list : NULL);

    while (doc_next(&it)) {
        str entry = doc_string(it.value, STR_NONE);
        const char *path = entry.len ? join(c, folder, entry) : NULL;

        if (path && file_is_dir(path) && depth < MAX_DEPTH)
            gather_folder(c, path, depth);
        else if (path)
            touch(c, path, NULL);
    }
}

static void gather(struct converter *c, const struct doc_node *k, str folder, int depth)
{
    struct doc_iter it = doc_children(kustomize_edit_field(k, STR("patches")));

    gather_list(c, kustomize_edit_field(k, STR("resources")), folder, depth);
    gather_list(c, kustomize_edit_field(k, STR("bases")), folder, depth);
    gather_list(c, kustomize_edit_field(k, STR("components")), folder, depth);
    while (doc_next(&it)) {
        str path = kustomize_edit_string(it.value, STR("path"));

        if (path.len)
            touch(c, join(c, folder, path), it.value);
    }
}

/* ---- targets */

static void put(struct converter *c, struct doc_node *map, const char *name, str text)
{
    if (text.len)
        doc_set_string(c->edit->set, map, str_of(name), text);
}

static void put_version(struct converter *c, struct doc_node *map, str api_version)
{
    str version, group = str_cut(api_version, '/', &version);

    put(c, map, "group", version.p ? group : STR_NONE);
    put(c, map, "version", version.p ? version : group);
}

/* The object itself, or what its patch is for. */
static struct doc_node *selector(struct converter *c)
{
    struct doc_set *set = c->edit->set;
    const struct doc_node *target = kustomize_edit_field(c->file->patch, STR("target"));
    struct doc_node *select;

    if (doc_len(target))
        return doc_copy(set, target);
    select = doc_new_map(set);
    put_version(c, select, doc_string(doc_get_lit(c->object, "apiVersion"), STR_NONE));
    put(c, select, "kind", doc_string(doc_get_lit(c->object, "kind"), STR_NONE));
    put(c, select, "name", doc_text(doc_at(c->object, "metadata/name"), STR_NONE));
    put(c, select, "namespace", doc_text(doc_at(c->object, "metadata/namespace"), STR_NONE));
    return select;
}

/* Of a text that has more than the reference: what divides it from the rest, and which part it is.
 */
static int find_part(struct converter *c, str text, str *ret_delimiter, size_t *ret_index)
{
    size_t at = (size_t)str_find(text, c->reference), end = at + c->reference.len;
    bool is_first = at == 0, is_last = end == text.len;

    *ret_delimiter = is_first ? str_sub(text, end, 1) : str_sub(text, at - 1, 1);
    /* what the placeholder has, too, divides nothing */
    if ((!is_first && !is_last && text.p[at - 1] != text.p[end]) ||
        str_contains(c->reference, *ret_delimiter) || str_contains(c->placeholder, *ret_delimiter))
        return err_set(c->e, ERR_INVALID,
                       "%s: cannot convert all vars to replacements; %.*s is not delimited in "
                       "\"%.*s\"",
                       c->file->path, STR_ARG(c->reference), STR_ARG(text));
    *ret_index = 0;
    for (size_t i = 0; i < at; i++)
        *ret_index += text.p[i] == ret_delimiter->p[0];
    return 0;
}

static int add_target(struct converter *c, str text)
{
    struct doc_set *set = c->edit->set;
    struct doc_node *target, *options, *paths;
    size_t index = 0;
    str delimiter = STR_NONE;

    if (!str_eq(text, c->reference) && find_part(c, text, &delimiter, &index) < 0)
        return -1;
    target = doc_append(c->targets, doc_new_map(set));
    doc_set_field(set, target, STR("select"), selector(c));
    paths = doc_set_field(set, target, STR("fieldPaths"), doc_new_list(set));
    doc_append(paths, doc_new_string(set, buf_view(&c->path)));
    if (!delimiter.len)
        return 0;
    options = doc_set_field(set, target, STR("options"), doc_new_map(set));
    doc_set_string(set, options, STR("delimiter"), delimiter);
    if (index)
        doc_set_int(set, options, STR("index"), (int64_t)index);
    return 0;
}

static void add_step(struct converter *c, str key, size_t index)
{
    bool has_dot = str_find_char(key, '.') >= 0;

    if (c->path.len)
        buf_add_char(&c->path, '.');
    if (!key.p)
        buf_addf(&c->path, "%zu", index);
    else
        buf_addf(&c->path, has_dot ? "[%.*s]" : "%.*s", STR_ARG(key));
}

static int find_references(struct converter *c, const struct doc_node *n, int depth)
{
    struct doc_iter it = doc_children(n);
    size_t index = 0, len = c->path.len;

    if (doc_is_scalar(n) && str_contains(doc_text(n, STR_NONE), c->reference))
        return add_target(c, doc_text(n, STR_NONE));
    while (depth < MAX_NESTING && doc_next(&it)) {
        add_step(c, doc_is_map(n) ? it.key : STR_NONE, index++);
        if (find_references(c, it.value, depth + 1) < 0)
            return -1;
        c->path.len = len;
    }
    return 0;
}

static int find_targets(struct converter *c)
{
    for (size_t i = 0; i < c->files.len; i++) {
        c->file = &c->files.v[i];
        for (size_t j = 0; j < c->file->docs.len; j++) {
            c->object = c->file->docs.v[j];
            buf_clear(&c->path);
            if (find_references(c, c->object, 0) < 0)
                return -1;
        }
    }
    return 0;
}

/* ---- sources */

/* A var's path has indexes in brackets, a replacement's has them as steps. */
static void copy_path(str path, struct buf *out)
{
    for (size_t i = 0; i < path.len; i++) {
        bool is_index =
            path.p[i] == '[' && i + 1 < path.len && path.p[i + 1] >= '0' && path.p[i + 1] <= '9';
        ssize_t end = is_index ? str_find_char(str_from(path, i), ']') : -1;

        if (end < 0) {
            buf_add_char(out, path.p[i]);
            continue;
        }
        buf_addf(out, ".%.*s", STR_ARG(str_sub(path, i + 1, (size_t)end - 1)));
        i += (size_t)end;
    }
}

static struct doc_node *source_of(struct converter *c, const struct doc_node *var)
{
    const struct doc_node *object = kustomize_edit_field(var, STR("objref"));
    struct doc_node *source = doc_new_map(c->edit->set);
    AUTO(buf_done) struct buf path = {0};
    str api_version = kustomize_edit_string(object, STR("apiVersion"));

    put_version(c, source, api_version);
    if (!api_version.len) {
        put(c, source, "group", kustomize_edit_string(object, STR("group")));
        put(c, source, "version", kustomize_edit_string(object, STR("version")));
    }
    put(c, source, "kind", kustomize_edit_string(object, STR("kind")));
    put(c, source, "name", kustomize_edit_string(object, STR("name")));
    put(c, source, "namespace", kustomize_edit_string(object, STR("namespace")));
    copy_path(kustomize_edit_string(kustomize_edit_field(var, STR("fieldref")), STR("fieldPath")),
              &path);
    put(c, source, "fieldPath", buf_view(&path));
    return source;
}

/* ---- vars */

static void put_placeholders(struct converter *c)
{
    for (size_t i = 0; i < c->files.len; i++) {
        struct touched *file = &c->files.v[i];
        AUTO(buf_done) struct buf out = {0};
        str rest = buf_view(&file->text);
        ssize_t at;

        while ((at = str_find(rest, c->reference)) >= 0) {
            buf_add_str(&out, str_sub(rest, 0, (size_t)at));
            buf_add_str(&out, c->placeholder);
            rest = str_from(rest, (size_t)at + c->reference.len);
            file->is_changed = true;
        }
        buf_add_str(&out, rest);
        buf_clear(&file->text);
        buf_add_str(&file->text, buf_view(&out));
    }
}

static int convert(struct converter *c, const struct doc_node *var, struct doc_node *replacements)
{
    struct doc_set *set = c->edit->set;
    struct doc_node *replacement = doc_new_map(set);

    c->var = kustomize_edit_string(var, STR("name"));
    c->reference = arena_printf(&set->arena, "$(%.*s)", STR_ARG(c->var));
    c->placeholder = arena_printf(&set->arena, "%.*s_PLACEHOLDER", STR_ARG(c->var));
    doc_set_field(set, replacement, STR("source"), source_of(c, var));
    c->targets = doc_set_field(set, replacement, STR("targets"), doc_new_list(set));
    if (find_targets(c) < 0)
        return -1;
    put_placeholders(c);
    if (doc_len(c->targets)) /* a var that nobody uses is no replacement */
        doc_append(replacements, replacement);
    return 0;
}

static int save(const struct converter *c, struct err *e)
{
    for (size_t i = 0; i < c->files.len; i++) {
        const struct touched *file = &c->files.v[i];

        if (file->is_changed && file_replace(file->path, buf_view(&file->text), NULL, e) < 0)
            return -1;
    }
    return 0;
}

int kustomize_edit_fix_vars(struct kustomize_edit *edit, struct err *e)
{
    AUTO(converter_done) struct converter c = {.edit = edit, .e = e};
    struct doc_node *vars = kustomize_edit_field(edit->root, STR("vars")), *replacements;
    struct doc_iter it = doc_children(doc_is_list(vars) ? vars : NULL);

    if (!it.left)
        return 0;
    replacements = kustomize_edit_list(edit, edit->root, STR("replacements"), e);
    if (!replacements)
        return -1;
    gather(&c, edit->root, STR_NONE, 0);
    while (doc_next(&it))
        if (convert(&c, it.value, replacements) < 0)
            return -1;
    kustomize_edit_note(edit, "vars -> replacements");
    kustomize_edit_drop(edit->root, STR("vars"));
    kustomize_edit_drop_empty(edit->root, STR("replacements"));
    return save(&c, e);
}
