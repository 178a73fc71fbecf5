#include "fn/kptfile.h"

#include "doc/edit.h"
#include "doc/parse.h"
#include "fn/become.h"
#include "fn/container.h"
#include "fn/package.h"
#include "fn/tag.h"

void fn_step_done(struct fn_step *step)
{
    fn_spec_done(&step->spec);
    fn_selection_done(&step->selection);
}

void fn_kptfile_done(struct fn_kptfile *k)
{
    for (size_t i = 0; i < k->mutators.len; i++)
        fn_step_done(&k->mutators.v[i]);
    for (size_t i = 0; i < k->validators.len; i++)
        fn_step_done(&k->validators.v[i]);
    vec_done(&k->mutators);
    vec_done(&k->validators);
}

/* ---- reading */

struct reader {
    struct doc_set *set;
    struct err *e;
    const char *list; /* "mutators" */
    size_t index;     /* of the step in it */
};

static int invalid_at(const struct reader *r, struct doc_place place, const char *field,
                      const char *why)
{
    AUTO(buf_done) struct buf path = {0};

    if (r->list)
        buf_addf(&path, "pipeline.%s[%zu]%s", r->list, r->index, *field ? "." : "");
    buf_add_cstr(&path, field);
    if (!place.line)
        return err_set(r->e, ERR_INVALID, "Kptfile is invalid: %s: %s", buf_cstr(&path), why);
    return err_set(r->e, ERR_INVALID, "Kptfile is invalid: %s: %s (%.*s:%u:%u)", buf_cstr(&path),
                   why, STR_ARG(place.origin), place.line, place.column);
}

static int invalid(const struct reader *r, const struct doc_node *at, const char *field,
                   const char *why)
{
    return invalid_at(r, doc_place(r->set, at), field, why);
}

/* Every field must be one of names, NULL at the end. */
static int check_fields(const struct reader *r, const struct doc_node *map, const char *where,
                        const char *const *names)
{
    struct doc_iter it = doc_children(map);

    if (!doc_is_map(map))
        return invalid(r, map, where, "must be a map");
    while (doc_next(&it)) {
        size_t i = 0;

        while (names[i] && !str_eq(str_of(names[i]), it.key))
            i++;
        if (!names[i]) {
            AUTO(buf_done) struct buf field = {0};

            buf_addf(&field, "%s%s%.*s", where, *where ? "." : "", STR_ARG(it.key));
            return invalid_at(r, doc_key_place(r->set, it.value), buf_cstr(&field),
                              "unknown field");
        }
    }
    return 0;
}

/* A map of texts; a number or a boolean is its text. */
static int check_texts(const struct reader *r, const struct doc_node *map, const char *where)
{
    struct doc_iter it = doc_children(map);

    if (!doc_is_null(map) && !doc_is_map(map))
        return invalid(r, map, where, "must be a map");
    while (doc_next(&it)) {
        AUTO(buf_done) struct buf field = {0};

        buf_addf(&field, "%s.%.*s", where, STR_ARG(it.key));
        if (!doc_is_scalar(it.value))
            return invalid(r, it.value, buf_cstr(&field), "must be a string");
    }
    return 0;
}

static int read_text(const struct reader *r, const struct doc_node *map, const char *where,
                     const char *key, str *ret)
{
    const struct doc_node *n = doc_get(map, str_of(key));
    AUTO(buf_done) struct buf field = {0};

    *ret = doc_text(n, STR_NONE);
    if (!n || doc_is_scalar(n))
        return 0;
    buf_addf(&field, "%s%s%s", where, *where ? "." : "", key);
    return invalid(r, n, buf_cstr(&field), "must be a string");
}

static int read_pairs(const struct reader *r, const struct doc_node *n, const char *where,
                      const char *key, struct fn_selector *s, bool is_label)
{
    const struct doc_node *map = doc_get(n, str_of(key));
    struct doc_iter it = doc_children(map);
    AUTO(buf_done) struct buf field = {0};

    buf_addf(&field, "%s.%s", where, key);
    if (check_texts(r, map, buf_cstr(&field)) < 0)
        return -1;
    while (doc_next(&it)) {
        struct fn_pair pair = {it.key, doc_text(it.value, STR_NONE)};

        if (is_label)
            vec_push(&s->labels, pair);
        else
            vec_push(&s->annotations, pair);
    }
    return 0;
}

static int read_selector(const struct reader *r, const struct doc_node *n, const char *field,
                         struct fn_selector *ret)
{
    static const char *const names[] = {"apiVersion", "kind",        "name", "namespace",
                                        "labels",     "annotations", NULL};

    if (check_fields(r, n, field, names) < 0)
        return -1;
    if (read_text(r, n, field, "apiVersion", &ret->api_version) < 0 ||
        read_text(r, n, field, "kind", &ret->kind) < 0 ||
        read_text(r, n, field, "name", &ret->name) < 0 ||
        read_text(r, n, field, "namespace", &ret->ns) < 0 ||
        read_pairs(r, n, field, "labels", ret, true) < 0)
        return -1;
    return read_pairs(r, n, field, "annotations", ret, false);
}

static int read_selection(const struct reader *r, const struct doc_node *step,
                          struct fn_selection *ret)
{
    for (int exclude = 0; exclude < 2; exclude++) {
        const char *field = exclude ? "exclude" : "selectors";
        const struct doc_node *list = doc_get(step, str_of(field));
        struct doc_iter it = doc_children(list);

        if (!doc_is_null(list) && !doc_is_list(list))
            return invalid(r, list, field, "must be a list");
        for (size_t i = 0; doc_next(&it); i++) {
            struct fn_selector *s = exclude ? vec_add(&ret->exclude) : vec_add(&ret->selectors);
            AUTO(buf_done) struct buf one = {0};

            buf_addf(&one, "%s[%zu]", field, i);
            if (read_selector(r, it.value, buf_cstr(&one), s) < 0)
                return -1;
        }
    }
    return 0;
}

static int read_config(const struct reader *r, const struct doc_node *step, struct fn_step *ret)
{
    AUTO(err_done) struct err ignored = {0};
    const struct doc_node *path = doc_get_lit(step, "configPath");
    const struct doc_node *map = doc_get_lit(step, "configMap");

    if (!doc_is_null(path) && !doc_is_null(map))
        return invalid(r, path, "configPath", "must not specify both `configPath` and `configMap`");
    if (check_texts(r, map, "configMap") < 0)
        return -1;
    ret->config_map = doc_is_null(map) ? NULL : map;
    if (doc_is_null(path))
        return 0;
    if (fn_clean_path(r->set, doc_text(path, STR_NONE), &ret->config_path, &ignored) < 0)
        return invalid(r, path, "configPath", "path must not be outside the package");
    return ret->config_path.len ? 0 : invalid(r, path, "configPath", "must name a file");
}

static int read_tag(const struct reader *r, const struct doc_node *tag, struct fn_step *ret)
{
    AUTO(err_done) struct err why = {0};

    if (fn_use_tag(&r->set->arena, &ret->spec, doc_text(tag, STR_NONE), &why) < 0)
        return invalid(r, tag, "tag", err_text(&why));
    return 0;
}

static int read_step(const struct reader *r, const struct doc_node *n, struct fn_step *ret)
{
    static const char *const names[] = {"image", "exec",      "configPath", "configMap", "name",
                                        "tag",   "selectors", "exclude",    NULL};
    const struct doc_node *tag = doc_get_lit(n, "tag");

    if (check_fields(r, n, "", names) < 0)
        return -1;
    if (read_text(r, n, "", "image", &ret->spec.image) < 0 ||
        read_text(r, n, "", "exec", &ret->spec.exec) < 0)
        return -1;
    ret->name = ret->spec.image.len ? ret->spec.image : ret->spec.exec;
    if (ret->spec.image.len && ret->spec.exec.len)
        return invalid(r, n, "", "must not specify both `image` and `exec`");
    if (!ret->name.len)
        return invalid(r, n, "", "must specify `image` or `exec`");
    if (ret->spec.image.len && !fn_is_image(fn_image_name(&r->set->arena, ret->spec.image))) {
        AUTO(buf_done) struct buf why = {0};

        buf_addf(&why, "function name \"%.*s\" is invalid", STR_ARG(ret->spec.image));
        return invalid(r, doc_get_lit(n, "image"), "image", buf_cstr(&why));
    }
    if (doc_text(tag, STR_NONE).len && ret->spec.image.len && read_tag(r, tag, ret) < 0)
        return -1;
    if (read_config(r, n, ret) < 0)
        return -1;
    return read_selection(r, n, &ret->selection);
}

static int read_steps(struct reader *r, const struct doc_node *list, const char *name,
                      struct fn_kptfile *ret)
{
    struct doc_iter it = doc_children(list);

    if (!doc_is_null(list) && !doc_is_list(list))
        return invalid(r, list, *name == 'm' ? "pipeline.mutators" : "pipeline.validators",
                       "must be a list");
    r->list = name;
    for (r->index = 0; doc_next(&it); r->index++) {
        struct fn_step *step = *name == 'm' ? vec_add(&ret->mutators) : vec_add(&ret->validators);

        if (read_step(r, it.value, step) < 0)
            return -1;
    }
    r->list = NULL;
    return 0;
}

static int check_version(const struct reader *r, const struct doc_node *root)
{
    const struct doc_node *n = doc_get_lit(root, "apiVersion");
    str version = doc_text(n, STR_NONE);

    if (!str_eq(doc_text(doc_get_lit(root, "kind"), STR_NONE), STR("Kptfile")))
        return invalid(r, root, "kind", "must be Kptfile");
    if (str_eq(version, STR("kpt.dev/v1")))
        return 0;
    if (str_eq(version, STR("kpt.dev/v1alpha1")) || str_eq(version, STR("kpt.dev/v1alpha2")))
        return invalid(r, n, "apiVersion", "an older version of Kptfiles; update it to kpt.dev/v1");
    return invalid(r, n, "apiVersion", "must be kpt.dev/v1");
}

int fn_kptfile_read(struct doc_set *set, const struct doc_node *root, struct fn_kptfile *ret,
                    struct err *e)
{
    static const char *const fields[] = {"apiVersion",   "kind", "metadata", "upstream",
                                         "upstreamLock", "info", "pipeline", "inventory",
                                         "status",       NULL};
    static const char *const lists[] = {"mutators", "validators", NULL};
    struct reader r = {.set = set, .e = e};
    const struct doc_node *pipeline = doc_get_lit(root, "pipeline");

    if (check_version(&r, root) < 0 || check_fields(&r, root, "", fields) < 0)
        return -1;
    if (doc_is_null(pipeline))
        return 0;
    if (check_fields(&r, pipeline, "pipeline", lists) < 0 ||
        read_steps(&r, doc_get_lit(pipeline, "mutators"), "mutators", ret) < 0)
        return -1;
    return read_steps(&r, doc_get_lit(pipeline, "validators"), "validators", ret);
}

struct doc_node *fn_config_map(struct doc_set *set, const struct doc_node *data)
{
    struct doc_node *config = doc_new_map(set), *texts;
    struct doc_iter it = doc_children(data);

    doc_set_string(set, config, STR("apiVersion"), STR("v1"));
    doc_set_string(set, config, STR("kind"), STR("ConfigMap"));
    doc_set_string(set, doc_ensure_map(set, config, STR("metadata")), STR("name"),
                   STR("function-input"));
    texts = doc_ensure_map(set, config, STR("data"));
    while (doc_next(&it))
        doc_set_string(set, texts, it.key, doc_text(it.value, STR_NONE));
    return config;
}

/* ---- writing */

static bool is_same_function(const struct doc_node *a, const struct doc_node *b)
{
    str image = fn_without_tag(doc_text(doc_get_lit(a, "image"), STR_NONE));
    str exec = doc_text(doc_get_lit(a, "exec"), STR_NONE);

    return (image.len &&
            str_eq(image, fn_without_tag(doc_text(doc_get_lit(b, "image"), STR_NONE)))) ||
           (exec.len && str_eq(exec, doc_text(doc_get_lit(b, "exec"), STR_NONE)));
}

static void update(struct doc_set *set, struct doc_node *old, const struct doc_node *entry)
{
    static const char given[][11] = {"configPath", "configMap", "selectors", "exclude"};
    struct doc_iter it = doc_children(entry);

    for (size_t i = 0; i < ARRAY_LEN(given); i++)
        if (!doc_get(entry, str_of(given[i])))
            doc_remove(old, str_of(given[i]));
    while (doc_next(&it))
        if (!doc_equal(doc_get(old, it.key), it.value))
            doc_set_field(set, old, it.key, fn_copy_in_blocks(set, it.value));
}

int fn_kptfile_save(str text, const char *list, const struct doc_node *entry, struct buf *out,
                    struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(fn_kptfile_done) struct fn_kptfile checked = {0};
    struct doc_node *root = doc_parse(set, text, DOC_KYAML, "Kptfile", e), *steps;
    struct doc_iter it;

    if (!root || fn_kptfile_read(set, root, &checked, e) < 0)
        return -1;
    steps = doc_ensure_list(set, doc_ensure_map(set, root, STR("pipeline")), str_of(list));
    for (it = doc_children(steps); doc_next(&it);)
        if (is_same_function(it.value, entry))
            break;
    if (it.value && is_same_function(it.value, entry))
        update(set, it.value, entry);
    else
        doc_append(steps, fn_copy_in_blocks(set, entry));
    doc_edit_emit(set, root->source, &root, 1, out);
    return 0;
}
