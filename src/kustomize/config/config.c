#include "kustomize/config/config.h"

#include "base/diag.h"
#include "doc/parse.h"

/* The lists of field specs; `name` as upstream's messages write it, `key` in files. */
static const struct section {
    size_t offset;
    char key[26], name[26];
} sections[] = {
#define SECTION(member, key, name)                           \
    {                                                        \
        offsetof(struct kustomize_config, member), key, name \
    }
    SECTION(name_prefix, "namePrefix", "NamePrefix"),
    SECTION(name_suffix, "nameSuffix", "NameSuffix"),
    SECTION(ns, "namespace", "NameSpace"),
    SECTION(common_labels, "commonLabels", "CommonLabels"),
    SECTION(labels, "labels", "Labels"),
    SECTION(template_labels, "templateLabels", "TemplateLabels"),
    SECTION(volume_claim_labels, "volumeClaimTemplateLabels", "VolumeClaimTemplateLabels"),
    SECTION(common_annotations, "commonAnnotations", "CommonAnnotations"),
    SECTION(images, "images", "Images"),
    SECTION(replicas, "replicas", "Replicas"),
    SECTION(var_reference, "varReference", "VarReference"),
#undef SECTION
};

static struct kustomize_specs *specs_at(const struct kustomize_config *c, const struct section *s)
{
    return (struct kustomize_specs *)((char *)c + s->offset);
}

void kustomize_config_done(struct kustomize_config *c)
{
    for (size_t i = 0; i < ARRAY_LEN(sections); i++)
        kustomize_specs_done(specs_at(c, &sections[i]));
    for (size_t i = 0; i < c->name_reference.len; i++)
        kustomize_specs_done(&c->name_reference.v[i].referrers);
    vec_done(&c->name_reference);
    vec_done(&c->crds);
}

static void copy_specs(struct kustomize_specs *to, const struct kustomize_specs *from)
{
    *to = (struct kustomize_specs){0};
    if (from->len == 0)
        return;
    vec_reserve(to, from->len);
    memcpy(to->v, from->v, from->len * sizeof(*from->v));
    to->len = from->len;
}

void kustomize_config_copy(struct kustomize_config *to, const struct kustomize_config *from)
{
    for (size_t i = 0; i < ARRAY_LEN(sections); i++)
        copy_specs(specs_at(to, &sections[i]), specs_at(from, &sections[i]));
    to->has_default_refs = from->has_default_refs;
    to->has_default_fields = from->has_default_fields;
    for (size_t i = 0; i < from->crds.len; i++)
        vec_push(&to->crds, from->crds.v[i]);
    to->name_reference = (struct kustomize_backrefs){0};
    for (size_t i = 0; i < from->name_reference.len; i++) {
        struct kustomize_backref *ref = vec_add(&to->name_reference);

        ref->target = from->name_reference.v[i].target;
        copy_specs(&ref->referrers, &from->name_reference.v[i].referrers);
    }
}

/* ---- merging */

int kustomize_specs_add(struct kustomize_specs *specs, const struct res_field_spec *spec,
                        struct err *e)
{
    for (size_t i = 0; i < specs->len; i++) {
        const struct res_field_spec *old = &specs->v[i];

        if (!str_eq(old->path, spec->path) || !res_gvk_selected(&old->gvk, &spec->gvk))
            continue;
        if (old->create == spec->create)
            return 0;
        return err_set(e, ERR_CONFLICT,
                       "conflicting fieldspecs: '%.*s' is given twice, once with create and once "
                       "without",
                       STR_ARG(spec->path));
    }
    vec_push(specs, *spec);
    return 0;
}

int kustomize_specs_add_all(struct kustomize_specs *specs, const struct res_field_spec *more,
                            size_t count, struct err *e)
{
    for (size_t i = 0; i < count; i++)
        if (kustomize_specs_add(specs, &more[i], e) < 0)
            return -1;
    return 0;
}

static struct kustomize_backref *find_target(struct kustomize_backrefs *refs,
                                             const struct res_gvk *target)
{
    for (size_t i = 0; i < refs->len; i++)
        if (res_gvk_eq(&refs->v[i].target, target))
            return &refs->v[i];
    return NULL;
}

int kustomize_backrefs_add(struct kustomize_backrefs *refs, const struct res_gvk *target,
                           const struct kustomize_specs *referrers, struct err *e)
{
    struct kustomize_backref *ref = find_target(refs, target);

    if (!ref) {
        vec_push(refs, {.target = *target});
        ref = &vec_last(refs);
    }
    return kustomize_specs_add_all(&ref->referrers, referrers->v, referrers->len, e);
}

static int merge_default_refs(struct kustomize_config *c, struct err *e)
{
    AUTO(kustomize_config_done) struct kustomize_config refs = {.has_default_refs = true};

    kustomize_config_own_refs(&refs);
    return kustomize_config_merge(c, &refs, e);
}

static int by_target(const void *a, const void *b)
{
    const struct kustomize_backref *x = a, *y = b;

    return res_gvk_order(&x->target, &y->target);
}

/* The first kind that fits a field gets it, in the order of kinds and not in that of files. */
static void sort_backrefs(struct kustomize_backrefs *refs)
{
    if (refs->len)
        qsort(refs->v, refs->len, sizeof(*refs->v), by_target);
}

int kustomize_config_merge(struct kustomize_config *c, const struct kustomize_config *from,
                           struct err *e)
{
    if (from->name_reference.len || from->var_reference.len)
        kustomize_config_own_refs(c);
    kustomize_config_own_fields(c);
    for (size_t i = 0; i < ARRAY_LEN(sections); i++) {
        AUTO(kustomize_specs_done)
        struct kustomize_specs more = kustomize_config_specs(from, specs_at(from, &sections[i]));

        if (kustomize_specs_add_all(specs_at(c, &sections[i]), more.v, more.len, e) < 0)
            return err_wrap(e, "failed to merge %s fieldSpec", sections[i].name);
    }
    for (size_t i = 0; i < from->name_reference.len; i++) {
        const struct kustomize_backref *ref = &from->name_reference.v[i];

        if (kustomize_backrefs_add(&c->name_reference, &ref->target, &ref->referrers, e) < 0)
            return err_wrap(e, "failed to merge NameReference fieldSpec");
    }
    sort_backrefs(&c->name_reference);
    for (size_t i = 0; i < from->crds.len; i++)
        vec_push(&c->crds, from->crds.v[i]);
    return from->has_default_refs && !c->has_default_refs ? merge_default_refs(c, e) : 0;
}

/* ---- reading `configurations` */

static int fail_at(const struct doc_set *set, const struct doc_node *n, bool at_key, struct err *e,
                   const char *fmt, ...) PRINTF(5, 6);
static int fail_at(const struct doc_set *set, const struct doc_node *n, bool at_key, struct err *e,
                   const char *fmt, ...)
{
    AUTO(diag_list_done) struct diag_list diags = {0};
    AUTO(buf_done) struct buf text = {0};
    va_list args;

    va_start(args, fmt);
    buf_addv(&text, fmt, args);
    va_end(args);
    doc_diag(&diags, set, n, at_key, "kustomize.configuration", "%s", buf_cstr(&text));
    return err_diags(e, &diags);
}

/* Go's decoder takes any scalar for a text here, and does not tell keys by case. */
static int read_text(const struct doc_set *set, const struct doc_node *n, str *ret, struct err *e)
{
    *ret = doc_text(n, STR_NONE);
    return doc_is_scalar(n) ? 0 : fail_at(set, n, false, e, "a text is expected here");
}

static int unknown_field(const struct doc_set *set, const struct doc_node *n, const str *names,
                         size_t count, struct err *e)
{
    str nearest = diag_nearest(doc_key(n), names, count);

    if (nearest.len)
        return fail_at(set, n, true, e, "unknown field \"%.*s\"; did you mean \"%.*s\"?",
                       STR_ARG(doc_key(n)), STR_ARG(nearest));
    return fail_at(set, n, true, e, "unknown field \"%.*s\"", STR_ARG(doc_key(n)));
}

static int need(const struct doc_set *set, const struct doc_node *n, enum doc_type type,
                struct err *e)
{
    if (doc_is_null(n) || doc_type(n) == type)
        return 0;
    return fail_at(set, n, false, e, "a %s is expected here", type == DOC_MAP ? "map" : "list");
}

/* group, version and kind, which specs and references to kinds share; false: another field. */
static bool read_gvk_field(const struct doc_set *set, const struct doc_node *n, struct res_gvk *gvk,
                           int *rc, struct err *e)
{
    str key = doc_key(n);
    str *text = str_eq_nocase(key, STR("group"))     ? &gvk->group
                : str_eq_nocase(key, STR("version")) ? &gvk->version
                : str_eq_nocase(key, STR("kind"))    ? &gvk->kind
                                                     : NULL;

    if (text)
        *rc = read_text(set, n, text, e);
    return text != NULL;
}

static int read_spec(const struct doc_set *set, const struct doc_node *n,
                     struct res_field_spec *spec, struct err *e)
{
    static const str names[] = {STR_INIT("group"), STR_INIT("version"), STR_INIT("kind"),
                                STR_INIT("path"), STR_INIT("create")};
    struct doc_iter it = doc_children(n);
    int rc = need(set, n, DOC_MAP, e);

    while (rc == 0 && doc_next(&it)) {
        if (read_gvk_field(set, it.value, &spec->gvk, &rc, e))
            continue;
        if (str_eq_nocase(it.key, STR("path")))
            rc = read_text(set, it.value, &spec->path, e);
        else if (!str_eq_nocase(it.key, STR("create")))
            rc = unknown_field(set, it.value, names, ARRAY_LEN(names), e);
        else if (doc_type(it.value) == DOC_BOOL)
            spec->create = doc_bool(it.value, false);
        else if (!doc_is_null(it.value))
            rc = fail_at(set, it.value, false, e, "true or false is expected here");
    }
    return rc;
}

int kustomize_specs_read(struct kustomize_specs *specs, const struct doc_set *set,
                         const struct doc_node *list, struct err *e)
{
    struct doc_iter it = doc_children(list);
    int rc = need(set, list, DOC_LIST, e);

    while (rc == 0 && doc_next(&it))
        rc = read_spec(set, it.value, vec_add(specs), e);
    return rc;
}

static int read_backref(const struct doc_set *set, const struct doc_node *n,
                        struct kustomize_backrefs *refs, struct err *e)
{
    static const str names[] = {STR_INIT("group"), STR_INIT("version"), STR_INIT("kind"),
                                STR_INIT("fieldSpecs")};
    struct kustomize_backref *ref = vec_add(refs);
    struct doc_iter it = doc_children(n);
    int rc = need(set, n, DOC_MAP, e);

    while (rc == 0 && doc_next(&it)) {
        if (read_gvk_field(set, it.value, &ref->target, &rc, e))
            continue;
        if (str_eq_nocase(it.key, STR("fieldSpecs")))
            rc = kustomize_specs_read(&ref->referrers, set, it.value, e);
        else
            rc = unknown_field(set, it.value, names, ARRAY_LEN(names), e);
    }
    return rc;
}

static int read_section(struct kustomize_config *c, const struct doc_set *set,
                        const struct doc_node *n, struct err *e)
{
    str names[ARRAY_LEN(sections) + 1] = {[ARRAY_LEN(sections)] = STR_INIT("nameReference")};
    struct doc_iter it = doc_children(n);
    int rc = 0;

    for (size_t i = 0; i < ARRAY_LEN(sections); i++) {
        if (str_eq_nocase(str_of(sections[i].key), doc_key(n)))
            return kustomize_specs_read(specs_at(c, &sections[i]), set, n, e);
        names[i] = str_of(sections[i].key);
    }
    if (!str_eq_nocase(doc_key(n), STR("nameReference")))
        return unknown_field(set, n, names, ARRAY_LEN(names), e);
    rc = need(set, n, DOC_LIST, e);
    while (rc == 0 && doc_next(&it))
        rc = read_backref(set, it.value, &c->name_reference, e);
    return rc;
}

int kustomize_config_read(struct kustomize_config *c, const struct doc_set *set,
                          const struct doc_node *document, struct err *e)
{
    struct doc_iter it = doc_children(document);
    int rc = need(set, document, DOC_MAP, e);

    while (rc == 0 && doc_next(&it))
        rc = read_section(c, set, it.value, e);
    return rc;
}
