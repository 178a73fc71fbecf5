/* Which function a config names, and how it is to be run. */
#include "doc/parse.h"
#include "fn/runner.h"

void fn_spec_done(struct fn_spec *spec)
{
    vec_done(&spec->argv);
    vec_done(&spec->envs);
    vec_done(&spec->mounts);
    *spec = (struct fn_spec){0};
}

void fn_outcome_done(struct fn_outcome *o)
{
    buf_done(&o->err);
    *o = (struct fn_outcome){0};
}

static int unknown(struct err *e, const char *where, str field)
{
    return err_set(e, ERR_INVALID, "%s: unknown field \"%.*s\"", where, STR_ARG(field));
}

static int wants(struct err *e, const char *where, str field, const char *what)
{
    return err_set(e, ERR_INVALID, "%s: %.*s must be %s", where, STR_ARG(field), what);
}

static int read_texts(struct str_vec *ret, const struct doc_node *list, const char *where,
                      str field, struct err *e)
{
    struct doc_iter it = doc_children(list);

    if (!doc_is_null(list) && !doc_is_list(list))
        return wants(e, where, field, "a list");
    while (doc_next(&it)) {
        if (!doc_is_scalar(it.value) || doc_is_null(it.value))
            return wants(e, where, field, "a list of texts");
        vec_push(ret, doc_text(it.value, STR_NONE));
    }
    return 0;
}

/* ---- mounts */

static int check_mount(const struct fn_mount *m, struct err *e)
{
    bool is_bind = str_eq(m->type, STR("bind")), is_tmpfs = str_eq(m->type, STR("tmpfs"));

    if (!is_bind && !is_tmpfs && !str_eq(m->type, STR("volume")))
        return err_set(e, ERR_INVALID, "mount type \"%.*s\" is none of bind, volume, tmpfs",
                       STR_ARG(m->type));
    if (!m->target.len)
        return err_set(e, ERR_INVALID, "a mount needs a target");
    if (!m->source.len && !is_tmpfs)
        return err_set(e, ERR_INVALID, "a mount of type %.*s needs a source", STR_ARG(m->type));
    /* They become one argument whose parts are divided by commas. */
    if (str_find_char(m->source, ',') >= 0 || str_find_char(m->target, ',') >= 0)
        return err_set(e, ERR_INVALID, "a mount's source and target cannot hold a comma");
    return 0;
}

static bool mount_part(struct fn_mount *m, str key, str value, bool is_true)
{
    if (str_eq(key, STR("type")))
        m->type = value;
    else if (str_eq(key, STR("src")) || str_eq(key, STR("source")))
        m->source = value;
    else if (str_eq(key, STR("dst")) || str_eq(key, STR("target")))
        m->target = value;
    else if (str_eq(key, STR("rw")))
        m->is_writable = is_true;
    else
        return false;
    return true;
}

int fn_mount_parse(str text, struct fn_mount *ret, struct err *e)
{
    str rest = text;

    *ret = (struct fn_mount){0};
    while (rest.p) {
        str value, part = str_cut(rest, ',', &rest), key = str_cut(part, '=', &value);

        if (!mount_part(ret, key, value, str_eq(value, STR("true"))))
            return err_set(e, ERR_INVALID, "mount \"%.*s\": unknown option \"%.*s\"", STR_ARG(text),
                           STR_ARG(key));
    }
    return check_mount(ret, e) < 0 ? err_wrap(e, "mount \"%.*s\"", STR_ARG(text)) : 0;
}

static int read_mounts(struct fn_spec *ret, const struct doc_node *list, struct err *e)
{
    struct doc_iter it = doc_children(list);

    if (!doc_is_null(list) && !doc_is_list(list))
        return wants(e, "container", STR("mounts"), "a list");
    while (doc_next(&it)) {
        struct fn_mount *m = vec_add(&ret->mounts);
        struct doc_iter fields = doc_children(it.value);

        while (doc_next(&fields))
            if (!mount_part(m, fields.key, doc_text(fields.value, STR_NONE),
                            doc_bool(fields.value, false)))
                return unknown(e, "container.mounts", fields.key);
        if (check_mount(m, e) < 0)
            return -1;
    }
    return 0;
}

/* ---- container, exec */

static int read_container(struct fn_spec *ret, const struct doc_node *container, struct err *e)
{
    struct doc_iter it = doc_children(container);

    while (doc_next(&it)) {
        if (str_eq(it.key, STR("image"))) {
            ret->image = doc_text(it.value, STR_NONE);
        } else if (str_eq(it.key, STR("network"))) { /* once {required: true} */
            ret->wants_network = doc_bool(
                doc_is_map(it.value) ? doc_get_lit(it.value, "required") : it.value, false);
        } else if (str_eq(it.key, STR("mounts"))) {
            if (read_mounts(ret, it.value, e) < 0)
                return -1;
        } else if (str_eq(it.key, STR("envs"))) {
            if (read_texts(&ret->envs, it.value, "container", it.key, e) < 0)
                return -1;
        } else {
            return unknown(e, "container", it.key);
        }
    }
    return ret->image.len ? 0 : err_set(e, ERR_INVALID, "container: image is missing");
}

static int read_exec(struct fn_spec *ret, const struct doc_node *exec, struct err *e)
{
    struct doc_iter it = doc_children(exec);

    ret->exec = doc_text(doc_get_lit(exec, "path"), STR_NONE);
    if (!ret->exec.len)
        return err_set(e, ERR_INVALID, "exec: path is missing");
    vec_push(&ret->argv, ret->exec);
    while (doc_next(&it)) {
        int rc = 0;

        if (str_eq(it.key, STR("args")))
            rc = read_texts(&ret->argv, it.value, "exec", it.key, e);
        else if (str_eq(it.key, STR("envs")))
            rc = read_texts(&ret->envs, it.value, "exec", it.key, e);
        else if (!str_eq(it.key, STR("path")))
            rc = unknown(e, "exec", it.key);
        if (rc < 0)
            return -1;
    }
    return 0;
}

static int read_runtime(const struct doc_node *runtime, struct fn_spec *ret, struct err *e)
{
    struct doc_iter it = doc_children(runtime);

    while (doc_next(&it)) {
        int rc = 0;

        if (str_eq(it.key, STR("container")) && doc_is_map(it.value))
            rc = read_container(ret, it.value, e);
        else if (str_eq(it.key, STR("exec")) && doc_is_map(it.value))
            rc = read_exec(ret, it.value, e);
        else if (str_eq(it.key, STR("deferFailure")))
            ret->defers_failure = doc_bool(it.value, false);
        else if (str_eq(it.key, STR("starlark")))
            rc = err_set(e, ERR_UNSUPPORTED, "starlark functions are not supported");
        else
            rc = unknown(e, "function", it.key);
        if (rc < 0)
            return -1;
    }
    if (!ret->image.len && !ret->exec.len)
        return err_set(e, ERR_INVALID, "function: neither container nor exec is given");
    if (ret->image.len && ret->exec.len)
        return err_set(e, ERR_INVALID, "function: both container and exec are given");
    return 0;
}

int fn_spec_of_runtime(struct doc_set *set, const struct doc_node *runtime, struct fn_spec *ret,
                       struct err *e)
{
    if (!doc_is_map(runtime))
        return err_set(e, ERR_INVALID, "runtime must be a map with container or exec");
    if (doc_get_lit(runtime, "deferFailure"))
        return unknown(e, "runtime", STR("deferFailure"));
    return read_runtime(doc_copy(set, runtime), ret, e);
}

/* ---- configs */

static struct doc_node *parse_annotation(struct doc_set *set, str text, struct err *e)
{
    struct doc_node *n = doc_parse(set, text, DOC_KYAML, "function annotation", e);

    if (n && !doc_is_map(n)) {
        err_set(e, ERR_INVALID, "function annotation: not a map");
        return NULL;
    }
    return n;
}

/* The function as an annotation or field describes it; *ret NULL when there is none. */
static int find_description(struct doc_set *set, const struct doc_node *config,
                            struct doc_node **ret, struct err *e)
{
    static const char names[][30] = {"config.kubernetes.io/function", "config.k8s.io/function"};
    const struct doc_node *metadata = doc_get_lit(config, "metadata");
    const struct doc_node *annotations = doc_get_lit(metadata, "annotations");
    str image;

    *ret = NULL;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        str text = doc_text(doc_get(annotations, str_of(names[i])), STR_NONE);

        if (text.len)
            return (*ret = parse_annotation(set, text, e)) ? 0 : -1;
    }
    if (doc_is_map(doc_get_lit(metadata, "configFn"))) {
        *ret = doc_copy(set, doc_get_lit(metadata, "configFn"));
        return 0;
    }
    image = doc_text(doc_get_lit(annotations, "config.kubernetes.io/container"), STR_NONE);
    if (!image.len)
        return 0;
    *ret = doc_new_map(set);
    doc_set_string(set, doc_ensure_map(set, *ret, STR("container")), STR("image"), image);
    return 0;
}

int fn_spec_of_config(const struct fn_runner *r, struct doc_set *set,
                      const struct doc_node *function_config, struct fn_spec *ret, struct err *e)
{
    struct doc_node *description;

    if (find_description(set, function_config, &description, e) < 0)
        return -1;
    if (!description) {
        ret->native = fn_native_by_config(r->natives, function_config);
        return ret->native != NULL;
    }
    if (read_runtime(description, ret, e) < 0)
        return -1;
    if (ret->image.len)
        ret->native = fn_native_by_image(r->natives, ret->image);
    return 1;
}
