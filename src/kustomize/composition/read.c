#include "kustomize/composition/composition.h"

#include "base/ascii.h"

int kustomize_refuse(struct kustomize_level *level, const struct doc_node *node, struct err *e,
                     const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    err_setv(e, ERR_INVALID, fmt, args);
    va_end(args);
    return kustomize_fail_at(&level->b, node, e);
}

int kustomize_refuse_field(struct kustomize_level *level, const struct doc_node *value,
                           const char *where, struct err *e)
{
    struct doc_place place = doc_key_place(level->b.set, value);
    str key = doc_key(value);

    if (!place.line)
        return kustomize_refuse(level, value, e, "unknown field \"%.*s\" in %s", STR_ARG(key),
                                where);
    err_set(e, ERR_INVALID, "unknown field \"%.*s\" in %s", STR_ARG(key), where);
    return kustomize_fail_at_place(&place, e);
}

void kustomize_kebab(str kind, struct buf *out)
{
    for (size_t i = 0; i < kind.len; i++) {
        char c = kind.p[i], before = i ? kind.p[i - 1] : 0;
        bool is_word_next = i + 1 < kind.len && ascii_is_lower(kind.p[i + 1]);

        if (ascii_is_upper(c) && (ascii_is_lower(before) || ascii_is_digit(before) ||
                                  (ascii_is_upper(before) && is_word_next)))
            buf_add_char(out, '-');
        buf_add_char(out, ascii_is_upper(c) ? (char)(c - 'A' + 'a') : c);
    }
}

/* DNS-1123: labels of lower-case letters, digits and '-' inside, divided by dots. */
static bool is_subdomain(str name)
{
    str rest = name;

    if (!name.len || name.len > 253)
        return false;
    while (rest.p) {
        str label = str_cut(rest, '.', &rest);

        if (!label.len || label.p[0] == '-' || label.p[label.len - 1] == '-')
            return false;
        for (size_t i = 0; i < label.len; i++)
            if (!ascii_is_lower(label.p[i]) && !ascii_is_digit(label.p[i]) && label.p[i] != '-')
                return false;
    }
    return true;
}

static bool is_api_version(str text)
{
    str version, group = str_cut(text, '/', &version);

    for (size_t i = 0; i < version.len; i++)
        if (!ascii_is_lower(version.p[i]) && !ascii_is_digit(version.p[i]))
            return false;
    return is_subdomain(group) && version.len;
}

int kustomize_check_fields(struct kustomize_level *level, const struct doc_node *map,
                           const char *where, const char *const *names, struct err *e)
{
    struct doc_iter it = doc_children(map);

    if (!doc_is_map(map))
        return kustomize_refuse(level, map, e, "%s must be an object", where);
    while (doc_next(&it)) {
        size_t i = 0;

        while (names[i] && !str_eq(it.key, str_of(names[i])))
            i++;
        if (!names[i])
            return kustomize_refuse_field(level, it.value, where, e);
    }
    return 0;
}

static int check_runtime(struct kustomize_level *level, const struct doc_node *config,
                         struct err *e)
{
    static const char *const kinds[] = {"container", "exec", NULL};
    static const char *const container[] = {"image", "network", "mounts", "envs", NULL};
    static const char *const exec[] = {"path", "args", "envs", NULL};
    const struct doc_node *runtime = doc_get_lit(config, "runtime"), *c, *x;

    if (!runtime)
        return 0;
    if (kustomize_check_fields(level, runtime, "runtime", kinds, e) < 0)
        return -1;
    c = doc_get_lit(runtime, "container");
    x = doc_get_lit(runtime, "exec");
    if (doc_is_null(c) == doc_is_null(x))
        return kustomize_refuse(level, runtime, e,
                                "runtime must have exactly one of container and exec");
    if (!doc_is_null(c) && kustomize_check_fields(level, c, "runtime.container", container, e) < 0)
        return -1;
    if (!doc_is_null(x) && kustomize_check_fields(level, x, "runtime.exec", exec, e) < 0)
        return -1;
    if (!doc_is_null(c) && !doc_is_string(doc_get_lit(c, "image")))
        return kustomize_refuse(level, c, e, "runtime.container.image is required");
    if (!doc_is_null(x) && !doc_is_string(doc_get_lit(x, "path")))
        return kustomize_refuse(level, x, e, "runtime.exec.path is required");
    return 0;
}

static int check_api(struct kustomize_level *level, struct doc_node *config,
                     struct kustomize_step *step, struct err *e)
{
    const struct doc_node *api = doc_get_lit(config, "apiVersion");
    const struct doc_node *kind = doc_get_lit(config, "kind");

    step->kind = doc_string(kind, STR_NONE);
    if (!step->kind.len)
        return kustomize_refuse(level, kind ? kind : config, e,
                                "a transformer needs a kind that is a text");
    if (!api && str_eq(step->kind, STR("Kustomization")))
        api = doc_set_string(level->b.set, config, STR("apiVersion"), STR(KUSTOMIZE_API));
    step->api_version = doc_string(api, STR_NONE);
    if (!str_eq(step->api_version, STR("builtin")) && !is_api_version(step->api_version))
        return kustomize_refuse(level, api ? api : config, e,
                                "transformer of kind %.*s: apiVersion must be \"builtin\" or "
                                "\"group/version\"",
                                STR_ARG(step->kind));
    return 0;
}

static int read_name(struct kustomize_level *level, struct doc_node *config,
                     struct kustomize_step *step, struct err *e)
{
    AUTO(buf_done) struct buf kebab = {0};
    const struct doc_node *given = doc_get_lit(config, "metadata");
    struct doc_node *metadata, *name;

    if (given && !doc_is_null(given) && !doc_is_map(given))
        return kustomize_refuse(level, given, e, "metadata must be an object");
    if (doc_is_null(given))
        doc_remove(config, STR("metadata"));
    metadata = doc_ensure_map(level->b.set, config, STR("metadata"));
    name = doc_get_lit(metadata, "name");
    if (!doc_is_null(name) && !doc_is_string(name))
        return kustomize_refuse(level, name, e, "metadata.name must be a text");
    if (!doc_string(name, STR_NONE).len) {
        kustomize_kebab(step->kind, &kebab);
        name = doc_set_string(level->b.set, metadata, STR("name"), buf_view(&kebab));
    }
    step->name = doc_string(name, STR_NONE);
    if (!str_eq(step->api_version, STR("builtin")) && !is_subdomain(step->name))
        return kustomize_refuse(level, kebab.len ? doc_get_lit(config, "kind") : name, e,
                                "metadata.name \"%.*s\"%s must be a lower-case DNS-1123 subdomain "
                                "of at most 253 characters",
                                STR_ARG(step->name), kebab.len ? ", made of the kind," : "");
    return 0;
}

int kustomize_step_read(struct kustomize_level *level, struct doc_node *config,
                        struct kustomize_step *ret, struct err *e)
{
    *ret = (struct kustomize_step){.config = config, .level = level};
    if (!doc_is_map(config))
        return kustomize_refuse(level, config, e,
                                "a transformer must be an object, or the path of a file");
    if (check_api(level, config, ret, e) < 0 || read_name(level, config, ret, e) < 0)
        return -1;
    return check_runtime(level, config, e);
}

static int check_kind(struct kustomize_level *level, const struct doc_node *root, struct err *e)
{
    const struct doc_node *kind = doc_get_lit(root, "kind"), *api = doc_get_lit(root, "apiVersion");
    const struct doc_node *metadata = doc_get_lit(root, "metadata");

    if (!str_eq(doc_string(kind, STR_NONE), STR("Composition")))
        return kustomize_refuse(level, kind ? kind : root, e,
                                "kind of a %s must be Composition, found %.*s",
                                KUSTOMIZE_COMPOSITION_FILE, STR_ARG(doc_text(kind, STR("none"))));
    if (metadata && !doc_is_null(metadata) && !doc_is_map(metadata))
        return kustomize_refuse(level, metadata, e, "metadata must be an object");
    if (!doc_is_null(api) && !str_eq(doc_string(api, STR_NONE), STR(KUSTOMIZE_COMPOSITION_API)))
        return kustomize_refuse(level, api, e,
                                "apiVersion for Composition should be %s, found \"%.*s\"",
                                KUSTOMIZE_COMPOSITION_API, STR_ARG(doc_text(api, STR("{}"))));
    return 0;
}

static int check_lists(struct kustomize_level *level, const struct doc_node *root, struct err *e)
{
    static const char lists[][21] = {"transformersFrom", "transformerOverrides", "transformers",
                                     "transformerOrder"};

    for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
        const struct doc_node *list = doc_get(root, str_of(lists[i]));

        if (!doc_is_null(list) && !doc_is_list(list))
            return kustomize_refuse(level, list, e, "%s must be a list", lists[i]);
    }
    return 0;
}

int kustomize_composition_read(struct kustomize_level *level, struct doc_node **ret_root,
                               struct err *e)
{
    static const char *const fields[] = {"apiVersion",
                                         "kind",
                                         "metadata",
                                         "transformersFrom",
                                         "transformers",
                                         "transformerOrder",
                                         "transformerOverrides",
                                         NULL};
    AUTO(doc_list_done) struct doc_list documents = {0};

    if (kustomize_load_documents(&level->b, STR(KUSTOMIZE_COMPOSITION_FILE), &documents, e) < 0)
        return -1;
    if (documents.len != 1)
        return kustomize_refuse(level, documents.len ? documents.v[1] : NULL, e,
                                "%s must hold exactly one document", KUSTOMIZE_COMPOSITION_FILE);
    *ret_root = documents.v[0];
    if (!doc_is_map(*ret_root))
        return kustomize_refuse(level, *ret_root, e, "a Composition must be an object");
    if (check_kind(level, *ret_root, e) < 0 ||
        kustomize_check_fields(level, *ret_root, "Composition", fields, e) < 0)
        return -1;
    return check_lists(level, *ret_root, e);
}
