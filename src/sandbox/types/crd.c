#include "sandbox/types/crd.h"

static struct sb_crd *keep(struct sandbox *sb, const struct doc_node *definition)
{
    struct sb_crd *crd = NEW(struct sb_crd);

    crd->set = doc_set_new();
    crd->root = doc_copy(crd->set, definition);
    crd->next = sb->crds;
    sb->crds = crd;
    return crd;
}

void sb_crd_done(struct sandbox *sb)
{
    while (sb->crds) {
        struct sb_crd *next = sb->crds->next;

        sb_compiled_done(&sb->crds->compiled);
        doc_set_free(sb->crds->set);
        mem_free(sb->crds);
        sb->crds = next;
    }
}

static str words(struct arena *a, const struct doc_node *list)
{
    AUTO(buf_done) struct buf out = {0};
    struct doc_iter it = doc_children(list);

    while (doc_next(&it))
        buf_addf(&out, "%s%.*s", out.len ? " " : "", STR_ARG(doc_text(it.value, STR_NONE)));
    return arena_dup(a, buf_view(&out));
}

static str lower(struct arena *a, str s)
{
    char *out = arena_alloc(a, s.len + 1);

    for (size_t i = 0; i < s.len; i++)
        out[i] = (char)(s.p[i] >= 'A' && s.p[i] <= 'Z' ? s.p[i] | 0x20 : s.p[i]);
    return (str){out, s.len};
}

/* All versions of the definition stop being served; those that it still has are registered anew. */
static void retire(struct sandbox *sb, const struct doc_node *definition)
{
    struct sb_res *res = sb_res_of(sb, doc_text(doc_at(definition, "spec/group"), STR_NONE),
                                   doc_text(doc_at(definition, "spec/names/plural"), STR_NONE));

    for (size_t i = 0; res && i < res->kinds.len; i++)
        if (res->kinds.v[i]->crd)
            res->kinds.v[i]->is_served = false;
    sb->discovery_changes++;
}

static void serve_version(struct sandbox *sb, struct sb_crd *crd, const struct doc_node *version)
{
    const struct doc_node *spec = doc_get_lit(crd->root, "spec");
    const struct doc_node *names = doc_get_lit(spec, "names");
    const struct doc_node *subs = doc_get_lit(version, "subresources");
    str kind = doc_text(doc_get_lit(names, "kind"), STR_NONE);
    struct sb_kind k = {
        .group = doc_text(doc_get_lit(spec, "group"), STR_NONE),
        .version = doc_text(doc_get_lit(version, "name"), STR_NONE),
        .kind = kind,
        .singular = doc_text(doc_get_lit(names, "singular"), lower(&sb->arena, kind)),
        .short_names = words(&sb->arena, doc_get_lit(names, "shortNames")),
        .categories = words(&sb->arena, doc_get_lit(names, "categories")),
        .namespaced = str_eq(doc_text(doc_get_lit(spec, "scope"), STR_NONE), STR("Namespaced")),
        .has_status = doc_get_lit(subs, "status") != NULL,
        .has_scale = doc_get_lit(subs, "scale") != NULL,
        .is_custom = true,
        .is_served = doc_bool(doc_get_lit(version, "served"), false),
        .crd = crd,
        .schema = doc_at(version, "schema/openAPIV3Schema")};

    k.has_rules = sb_schema_has_rules(k.schema);
    sb_kind_add(sb, &k, doc_text(doc_get_lit(names, "plural"), STR_NONE));
}

static void add_condition(struct sandbox *sb, struct doc_set *set, struct doc_node *status,
                          const char *type, const char *reason, const char *message)
{
    struct doc_node *list = doc_ensure_list(set, status, STR("conditions")), *n;
    struct doc_iter it = doc_children(list);
    AUTO(buf_done) struct buf now = {0};

    while (doc_next(&it))
        if (str_eq(doc_text(doc_get_lit(it.value, "type"), STR_NONE), str_of(type)))
            return;
    sb_now(sb, &now);
    n = doc_append(list, doc_new_map(set));
    doc_set_string(set, n, STR("type"), str_of(type));
    doc_set_string(set, n, STR("status"), STR("True"));
    doc_set_string(set, n, STR("lastTransitionTime"), buf_view(&now));
    doc_set_string(set, n, STR("reason"), str_of(reason));
    doc_set_string(set, n, STR("message"), str_of(message));
}

static void fill_status(struct sandbox *sb, struct doc_set *set, struct doc_node *definition)
{
    struct doc_node *status = doc_ensure_map(set, definition, STR("status"));
    struct doc_node *names = doc_at(definition, "spec/names");
    struct doc_iter it = doc_children(doc_at(definition, "spec/versions"));
    struct doc_node *stored;

    if (!doc_get_lit(names, "singular"))
        doc_set_string(set, names, STR("singular"),
                       lower(&set->arena, doc_text(doc_get_lit(names, "kind"), STR_NONE)));
    if (!doc_get_lit(names, "listKind"))
        doc_set_field(set, names, STR("listKind"),
                      doc_new_string(set, arena_printf(&set->arena, "%.*sList",
                                                       STR_ARG(doc_text(doc_get_lit(names, "kind"),
                                                                        STR_NONE)))));
    doc_set_field(set, status, STR("acceptedNames"), doc_copy(set, names));
    add_condition(sb, set, status, "NamesAccepted", "NoConflicts", "no conflicts found");
    add_condition(sb, set, status, "Established", "InitialNamesAccepted",
                  "the initial names have been accepted");
    if (doc_get_lit(status, "storedVersions"))
        return;
    stored = doc_ensure_list(set, status, STR("storedVersions"));
    while (doc_next(&it))
        if (doc_bool(doc_get_lit(it.value, "storage"), false))
            doc_append(stored,
                       doc_new_string(set, doc_text(doc_get_lit(it.value, "name"), STR_NONE)));
}

static bool is_kind_name(str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!((s.p[i] | 0x20) >= 'a' && (s.p[i] | 0x20) <= 'z') &&
            !(i && s.p[i] >= '0' && s.p[i] <= '9'))
            return false;
    return s.len > 0 && s.len <= 63;
}

static bool are_labels(const struct doc_node *list)
{
    struct doc_iter it = doc_children(list);

    while (doc_next(&it))
        if (!sb_is_dns_label(doc_text(it.value, STR_NONE)))
            return false;
    return true;
}

/* Names become parts of paths and of discovery. */
static bool has_good_names(const struct doc_node *d)
{
    const struct doc_node *names = doc_at(d, "spec/names");
    struct doc_iter it = doc_children(doc_at(d, "spec/versions"));

    while (doc_next(&it))
        if (!sb_is_dns_label(doc_text(doc_get_lit(it.value, "name"), STR_NONE)))
            return false;
    return sb_is_dns_subdomain(doc_text(doc_at(d, "spec/group"), STR_NONE)) &&
           sb_is_dns_label(doc_text(doc_get_lit(names, "plural"), STR_NONE)) &&
           sb_is_dns_label(doc_text(doc_get_lit(names, "singular"), STR("x"))) &&
           is_kind_name(doc_text(doc_get_lit(names, "kind"), STR_NONE)) &&
           are_labels(doc_get_lit(names, "shortNames")) &&
           are_labels(doc_get_lit(names, "categories"));
}

void sb_crd_apply(struct sandbox *sb, struct doc_set *set, struct doc_node *definition)
{
    struct sb_crd *crd;
    struct doc_iter it;

    if (!has_good_names(definition))
        return;
    fill_status(sb, set, definition);
    crd = keep(sb, definition);
    retire(sb, definition);
    it = doc_children(doc_at(crd->root, "spec/versions"));
    while (doc_next(&it))
        serve_version(sb, crd, it.value);
}

void sb_crd_removed(struct sandbox *sb, const struct doc_node *definition)
{
    struct sb_res *res = sb_res_of(sb, doc_text(doc_at(definition, "spec/group"), STR_NONE),
                                   doc_text(doc_at(definition, "spec/names/plural"), STR_NONE));

    retire(sb, definition);
    while (res && res->slots.len) {
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        struct sb_slot *slot = res->slots.v[res->slots.len - 1];

        sb_drop(sb, slot, set, sb_load(set, res->kinds.v[0], slot->obj));
    }
}

const struct doc_node *sb_crd_version(const struct sb_kind *kind)
{
    struct doc_iter it = doc_children(kind->crd ? doc_at(kind->crd->root, "spec/versions") : NULL);

    while (doc_next(&it))
        if (str_eq(doc_text(doc_get_lit(it.value, "name"), STR_NONE), kind->version))
            return it.value;
    return NULL;
}

const struct doc_node *sb_crd_columns(const struct sb_kind *kind)
{
    return doc_get_lit(sb_crd_version(kind), "additionalPrinterColumns");
}
