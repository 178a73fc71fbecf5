/* configMapGenerator and secretGenerator. */
#include "kustomize/edit/edit_priv.h"
#include "kustomize/edit/parts.h"
#include "kustomize/generate/sources.h"
#include "sys/file.h"

static str namespace_or_default(str ns) { return ns.len ? ns : STR("default"); }

static struct doc_node *find(struct doc_node *list, str name, str ns)
{
    struct doc_iter it = doc_children(doc_is_list(list) ? list : NULL);

    while (doc_next(&it))
        if (str_eq(kustomize_edit_string(it.value, STR("name")), name) &&
            str_eq(namespace_or_default(kustomize_edit_string(it.value, STR("namespace"))),
                   namespace_or_default(ns)))
            return it.value;
    return NULL;
}

/* The keys of literals and files, for telling those that are there twice. Env files have more; they
 * are the build's to judge. */
static int collect_keys(const struct doc_node *entry, struct kustomize_entries *keys, struct err *e)
{
    struct doc_iter it = doc_children(kustomize_edit_field(entry, STR("literals")));

    while (doc_next(&it)) {
        struct kustomize_entry *key = vec_add(keys);

        if (kustomize_source_literal(doc_text(it.value, STR_NONE), key, e) < 0)
            return -1;
    }
    it = doc_children(kustomize_edit_field(entry, STR("files")));
    while (doc_next(&it)) {
        struct kustomize_entry *key = vec_add(keys);
        str path;

        if (kustomize_source_file(doc_text(it.value, STR_NONE), &key->key, &path, e) < 0)
            return -1;
    }
    return 0;
}

static int check_keys(const struct doc_node *entry, str name, struct err *e)
{
    AUTO(kustomize_entries_done) struct kustomize_entries keys = {0};
    str twice;

    if (collect_keys(entry, &keys, e) < 0)
        return -1;
    if (!kustomize_entries_sort(&keys, &twice))
        return err_set(e, ERR_EXISTS, "%.*s has the key '%.*s' twice", STR_ARG(name),
                       STR_ARG(twice));
    return 0;
}

/* One --from-file value: "path", "key=path"; the path may be a pattern, with a key of one match. */
static int expand_file(struct kustomize_edit *edit, str source, struct str_vec *ret, struct err *e)
{
    AUTO(str_vec_done) struct str_vec found = {0};
    ssize_t equals = str_find_char(source, '=');
    str key = equals < 0 ? STR_NONE : str_sub(source, 0, (size_t)equals + 1);

    kustomize_edit_glob(edit, str_from(source, key.len), &found);
    if (key.len && found.len > 1)
        return err_set(e, ERR_USAGE, "'%.*s' matches %zu files, a key has one", STR_ARG(source),
                       found.len);
    for (size_t i = 0; i < found.len; i++) {
        AUTO(buf_done) struct buf text = {0};

        if (!file_exists(found.v[i].p) || file_is_dir(found.v[i].p))
            return err_set(e, ERR_NOT_FOUND, "'%s' is no file", found.v[i].p);
        buf_addf(&text, "%.*s%s", STR_ARG(key), found.v[i].p);
        vec_push(ret, arena_dup(&edit->set->arena, buf_view(&text)));
    }
    if (!found.len)
        kustomize_edit_note(edit, "%.*s has no match", STR_ARG(source));
    return 0;
}

/* The values of --from-file, also several with commas between them. */
static int expand_files(struct kustomize_edit *edit, const struct kustomize_edit_args *args,
                        struct str_vec *ret, struct err *e)
{
    for (size_t i = 0; i < args->files.len; i++) {
        str rest = args->files.v[i];

        while (rest.p) {
            str source = str_cut(rest, ',', &rest);

            if (expand_file(edit, source, ret, e) < 0)
                return -1;
        }
    }
    return 0;
}

static int append_all(struct kustomize_edit *edit, struct doc_node *entry, str field,
                      const struct str_vec *texts, struct err *e)
{
    struct doc_node *list = NULL;

    for (size_t i = 0; i < texts->len; i++) {
        list = kustomize_edit_list(edit, entry, field, e);
        if (!list)
            return -1;
        kustomize_edit_append(edit, list, texts->v[i]);
    }
    return 0;
}

static int check_args(const struct kustomize_edit_args *args, const struct str_vec *files,
                      struct err *e)
{
    static const char behaviors[][8] = {"", "create", "merge", "replace"};
    bool is_behavior = false;

    for (size_t i = 0; i < ARRAY_LEN(behaviors); i++)
        is_behavior |= str_eq(args->behavior, str_of(behaviors[i]));
    if (!is_behavior)
        return err_set(e, ERR_USAGE, "the behavior is create, merge or replace, not '%.*s'",
                       STR_ARG(args->behavior));
    if (args->env_file.len && (args->literals.len || args->files.len))
        return err_set(e, ERR_USAGE,
                       "from-env-file cannot be combined with from-file or from-literal");
    if (!args->env_file.len && !args->literals.len && !files->len)
        return err_set(e, ERR_USAGE, "give --from-literal, --from-file or --from-env-file");
    return 0;
}

static int check_name(const struct kustomize_edit_args *args, struct err *e)
{
    if (args->names.len != 1 || !args->names.v[0].len)
        return err_set(e, ERR_USAGE, "name must be specified once");
    return 0;
}

static struct doc_node *add_entry(struct kustomize_edit *edit, struct doc_node *list,
                                  const struct kustomize_edit_args *args, bool is_secret)
{
    struct doc_node *entry = doc_append(list, doc_new_map(edit->set));

    doc_set_string(edit->set, entry, STR("name"), args->names.v[0]);
    kustomize_edit_text(edit, entry, STR("namespace"), args->ns);
    if (is_secret)
        doc_set_string(edit->set, entry, STR("type"), args->type.len ? args->type : STR("Opaque"));
    return entry;
}

static int fill_entry(struct kustomize_edit *edit, struct doc_node *entry,
                      const struct kustomize_edit_args *args, const struct str_vec *files,
                      struct err *e)
{
    struct str_vec env = {.v = (str *)&args->env_file, .len = args->env_file.len != 0};
    struct doc_node *options;

    if (append_all(edit, entry, STR("literals"), &args->literals, e) < 0 ||
        append_all(edit, entry, STR("files"), files, e) < 0 ||
        append_all(edit, entry, STR("envs"), &env, e) < 0)
        return -1;
    if (args->behavior.len)
        kustomize_edit_text(edit, entry, STR("behavior"), args->behavior);
    if (args->has_name_suffix_off) {
        options = kustomize_edit_map(edit, entry, STR("options"), e);
        if (!options)
            return -1;
        doc_set_bool(edit->set, options, STR("disableNameSuffixHash"), true);
    }
    return check_keys(entry, args->names.v[0], e);
}

static int add(struct kustomize_edit *edit, const struct kustomize_edit_args *args, str field,
               bool is_secret, struct err *e)
{
    AUTO(str_vec_done) struct str_vec files = {0};
    struct doc_node *list, *entry;

    if (check_name(args, e) < 0 || expand_files(edit, args, &files, e) < 0 ||
        check_args(args, &files, e) < 0)
        return -1;
    if (args->env_file.len && !file_exists(arena_dup(&edit->set->arena, args->env_file).p))
        return err_set(e, ERR_NOT_FOUND, "'%.*s' is no file", STR_ARG(args->env_file));
    list = kustomize_edit_list(edit, edit->root, field, e);
    if (!list)
        return -1;
    entry = find(list, args->names.v[0], args->ns);
    if (!entry)
        entry = add_entry(edit, list, args, is_secret);
    return fill_entry(edit, entry, args, &files, e);
}

/* "key=value" in place of the literal with that key. */
static int set_literal(struct kustomize_edit *edit, struct doc_node *entry, str source,
                       struct err *e)
{
    struct doc_iter it = doc_children(kustomize_edit_field(entry, STR("literals")));
    struct kustomize_entry wanted, have;

    if (kustomize_source_literal(source, &wanted, e) < 0)
        return -1;
    while (doc_next(&it)) {
        AUTO(err_done) struct err ignored = {0};

        if (kustomize_source_literal(doc_text(it.value, STR_NONE), &have, &ignored) < 0 ||
            !str_eq(have.key, wanted.key))
            continue;
        doc_replace(it.value, doc_new_string(edit->set, source));
        return 0;
    }
    return err_set(e, ERR_NOT_FOUND, "key '%.*s' not found in resource", STR_ARG(wanted.key));
}

static int set(struct kustomize_edit *edit, const struct kustomize_edit_args *args, str field,
               struct err *e)
{
    struct doc_node *entry;

    if (check_name(args, e) < 0)
        return -1;
    if (!args->literals.len && !args->new_ns.len)
        return err_set(e, ERR_USAGE, "give --from-literal or --new-namespace");
    entry = find(kustomize_edit_field(edit->root, field), args->names.v[0], args->ns);
    if (!entry)
        return err_set(e, ERR_NOT_FOUND, "%.*s has no '%.*s' in namespace %.*s", STR_ARG(field),
                       STR_ARG(args->names.v[0]), STR_ARG(namespace_or_default(args->ns)));
    for (size_t i = 0; i < args->literals.len; i++)
        if (set_literal(edit, entry, args->literals.v[i], e) < 0)
            return -1;
    if (args->new_ns.len)
        kustomize_edit_text(edit, entry, STR("namespace"), args->new_ns);
    return 0;
}

static int remove_named(struct kustomize_edit *edit, const struct kustomize_edit_args *args,
                        str field, const char *what, struct err *e)
{
    AUTO(str_vec_done) struct str_vec names = {0};
    struct doc_node *list = kustomize_edit_field(edit->root, field);
    size_t found = 0;

    if (kustomize_edit_words(args, what, &names, e) < 0)
        return -1;
    for (size_t i = 0; i < names.len; i++) {
        struct doc_node *entry = find(list, names.v[i], args->ns);

        if (!entry) {
            kustomize_edit_note(edit, "%s %.*s doesn't exist in kustomization file", what,
                                STR_ARG(names.v[i]));
            continue;
        }
        doc_remove_item(list, entry);
        found++;
    }
    kustomize_edit_drop_empty(edit->root, field);
    return found ? 0
                 : err_set(e, ERR_NOT_FOUND, "no specified %s was found in %s", what, edit->path);
}

int kustomize_edit_add_configmap(struct kustomize_edit *edit,
                                 const struct kustomize_edit_args *args, struct err *e)
{
    return add(edit, args, STR("configMapGenerator"), false, e);
}

int kustomize_edit_add_secret(struct kustomize_edit *edit, const struct kustomize_edit_args *args,
                              struct err *e)
{
    return add(edit, args, STR("secretGenerator"), true, e);
}

int kustomize_edit_set_configmap(struct kustomize_edit *edit,
                                 const struct kustomize_edit_args *args, struct err *e)
{
    return set(edit, args, STR("configMapGenerator"), e);
}

int kustomize_edit_set_secret(struct kustomize_edit *edit, const struct kustomize_edit_args *args,
                              struct err *e)
{
    return set(edit, args, STR("secretGenerator"), e);
}

int kustomize_edit_remove_configmap(struct kustomize_edit *edit,
                                    const struct kustomize_edit_args *args, struct err *e)
{
    return remove_named(edit, args, STR("configMapGenerator"), "configmap", e);
}

int kustomize_edit_remove_secret(struct kustomize_edit *edit,
                                 const struct kustomize_edit_args *args, struct err *e)
{
    return remove_named(edit, args, STR("secretGenerator"), "secret", e);
}
