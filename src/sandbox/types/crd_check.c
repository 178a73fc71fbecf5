/* Mistakes in CustomResourceDefinitions, their schemas left to structural.c. */
#include "sandbox/types/crd.h"

static void need(const struct doc_node *root, const char *path, struct sb_causes *c)
{
    AUTO(buf_done) struct buf field = {0};

    if (doc_text(doc_at(root, path), STR_NONE).len)
        return;
    for (const char *p = path; *p; p++)
        buf_add_char(&field, *p == '/' ? '.' : *p);
    sb_cause(c, "FieldValueRequired", buf_view(&field), "Required value");
}

/* ---- names: they become parts of paths and of discovery */

static bool is_old_label(str s) { return sb_is_dns_label(s) && s.p[0] >= 'a' && s.p[0] <= 'z'; }

static void check_label(str name, const char *field, bool is_mixed, struct sb_causes *c)
{
    AUTO(buf_done) struct buf lower = {0};

    for (size_t i = 0; i < name.len; i++)
        buf_add_char(&lower, is_mixed && name.p[i] >= 'A' && name.p[i] <= 'Z'
                                 ? (char)(name.p[i] | 0x20)
                                 : name.p[i]);
    if (!name.len || is_old_label(buf_view(&lower)))
        return;
    sb_cause(c, "FieldValueInvalid", str_of(field),
             "Invalid value: \"%.*s\": %sa DNS-1035 label must consist of lower case alphanumeric "
             "characters or '-', start with an alphabetic character, and end with an alphanumeric "
             "character (e.g. 'my-name',  or 'abc-123', regex used for validation is "
             "'[a-z]([-a-z0-9]*[a-z0-9])?')",
             STR_ARG(name), is_mixed ? "may have mixed case, but should otherwise match: " : "");
}

static void check_labels(const struct doc_node *names, const char *key, struct sb_causes *c)
{
    struct doc_iter it = doc_children(doc_get(names, str_of(key)));

    for (size_t i = 0; doc_next(&it); i++) {
        AUTO(buf_done) struct buf field = {0};

        buf_addf(&field, "spec.names.%s[%zu]", key, i);
        check_label(doc_text(it.value, STR_NONE), buf_cstr(&field), false, c);
    }
}

static void check_group(const struct doc_node *d, struct sb_causes *c)
{
    str group = doc_text(doc_at(d, "spec/group"), STR_NONE);
    const struct doc_node *notes = doc_at(d, "metadata/annotations");

    if (!group.len)
        return;
    if (str_find_char(group, '.') < 0 || !sb_is_dns_subdomain(group))
        sb_cause(c, "FieldValueInvalid", STR("spec.group"), "Invalid value: \"%.*s\": %s",
                 STR_ARG(group),
                 sb_is_dns_subdomain(group) ? "should be a domain with at least one dot"
                                            : "must be a lowercase RFC 1123 subdomain");
    if ((str_ends(group, STR(".k8s.io")) || str_ends(group, STR(".kubernetes.io"))) &&
        !doc_text(doc_get_lit(notes, "api-approved.kubernetes.io"), STR_NONE).len)
        sb_cause(c, "FieldValueRequired", STR("metadata.annotations[api-approved.kubernetes.io]"),
                 "Required value: protected groups must have approval annotation "
                 "\"api-approved.kubernetes.io\", see "
                 "https://github.com/kubernetes/enhancements/pull/1111");
}

static void check_names(const struct doc_node *d, struct sb_causes *c)
{
    static const char *const lists[] = {"shortNames", "categories"};
    const struct doc_node *names = doc_at(d, "spec/names");
    str name = doc_text(doc_at(d, "metadata/name"), STR_NONE);
    str plural = doc_text(doc_get_lit(names, "plural"), STR_NONE);
    str scope = doc_text(doc_at(d, "spec/scope"), STR_NONE);
    AUTO(buf_done) struct buf want = {0};

    buf_addf(&want, "%.*s.%.*s", STR_ARG(plural),
             STR_ARG(doc_text(doc_at(d, "spec/group"), STR_NONE)));
    if (!str_eq(name, buf_view(&want)))
        sb_cause(c, "FieldValueInvalid", STR("metadata.name"),
                 "Invalid value: \"%.*s\": must be spec.names.plural+\".\"+spec.group",
                 STR_ARG(name));
    need(d, "spec/group", c);
    check_group(d, c);
    need(d, "spec/scope", c);
    if (scope.len && !str_eq(scope, STR("Cluster")) && !str_eq(scope, STR("Namespaced")))
        sb_cause(c, "FieldValueNotSupported", STR("spec.scope"),
                 "Unsupported value: \"%.*s\": supported values: \"Cluster\", \"Namespaced\"",
                 STR_ARG(scope));
    need(d, "spec/names/plural", c);
    need(d, "spec/names/kind", c);
    check_label(plural, "spec.names.plural", false, c);
    check_label(doc_text(doc_get_lit(names, "singular"), STR_NONE), "spec.names.singular", false,
                c);
    check_label(doc_text(doc_get_lit(names, "kind"), STR_NONE), "spec.names.kind", true, c);
    check_label(doc_text(doc_get_lit(names, "listKind"), STR_NONE), "spec.names.listKind", true, c);
    for (size_t i = 0; i < ARRAY_LEN(lists); i++)
        check_labels(names, lists[i], c);
}

/* ---- versions */

/* As upstream prints them: schemas and the like have moved elsewhere by then. */
static void print_versions(const struct doc_node *versions, struct buf *out)
{
    struct doc_iter it = doc_children(versions);

    buf_add_char(out, '[');
    for (size_t i = 0; doc_next(&it); i++)
        buf_addf(out,
                 "%s{\"Name\":\"%.*s\",\"Served\":%s,\"Storage\":%s,\"Deprecated\":%s,"
                 "\"DeprecationWarning\":null,\"Schema\":null,\"Subresources\":null,"
                 "\"AdditionalPrinterColumns\":null,\"SelectableFields\":null}",
                 i ? "," : "", STR_ARG(doc_text(doc_get_lit(it.value, "name"), STR_NONE)),
                 doc_bool(doc_get_lit(it.value, "served"), false) ? "true" : "false",
                 doc_bool(doc_get_lit(it.value, "storage"), false) ? "true" : "false",
                 doc_bool(doc_get_lit(it.value, "deprecated"), false) ? "true" : "false");
    buf_add_char(out, ']');
}

static void check_stored(const struct doc_node *versions, struct sb_causes *c)
{
    AUTO(buf_done) struct buf printed = {0};
    AUTO(map_done) struct map seen = {0};
    struct doc_iter it = doc_children(versions);
    size_t stored = 0;
    bool is_twice = false;

    print_versions(versions, &printed);
    while (doc_next(&it)) {
        str name = doc_text(doc_get_lit(it.value, "name"), STR_NONE);

        stored += doc_bool(doc_get_lit(it.value, "storage"), false);
        is_twice |= map_put(&seen, name, &seen) != NULL;
    }
    if (is_twice)
        sb_cause(c, "FieldValueInvalid", STR("spec.versions"),
                 "Invalid value: %s: must contain unique version names", buf_cstr(&printed));
    if (stored != 1)
        sb_cause(c, "FieldValueInvalid", STR("spec.versions"),
                 "Invalid value: %s: must have exactly one version marked as storage version",
                 buf_cstr(&printed));
    if (!stored)
        sb_cause(c, "FieldValueInvalid", STR("status.storedVersions"),
                 "Invalid value: null: must have at least one stored version");
}

/* What all versions have alike is told in the place of the definition's first format. */
static bool is_shared(const struct doc_node *versions, const char *path)
{
    const struct doc_node *first = doc_at(doc_first(versions), path);
    struct doc_iter it = doc_children(versions);

    while (doc_next(&it))
        if (!doc_equal(doc_at(it.value, path), first))
            return false;
    return true;
}

static bool is_simple_path(str path)
{
    return path.len > 1 && path.p[0] == '.' && str_find_char(path, '{') < 0;
}

static void check_path(const struct doc_node *scale, const char *key, const char *place,
                       const char *roots, struct sb_causes *c)
{
    str path = doc_text(doc_get(scale, str_of(key)), STR_NONE);
    bool is_label = strcmp(key, "labelSelectorPath") == 0;
    AUTO(buf_done) struct buf field = {0};
    bool is_below =
        (str_starts(path, STR(".spec.")) && str_contains(str_of(roots), STR(".spec"))) ||
        (str_starts(path, STR(".status.")) && str_contains(str_of(roots), STR(".status")));

    buf_addf(&field, "%s.scale.%s", place, key);
    if (!path.len && !is_label)
        sb_cause(c, "FieldValueRequired", buf_view(&field), "Required value");
    else if (path.len && !is_simple_path(path))
        sb_cause(c, "FieldValueInvalid", buf_view(&field),
                 "Invalid value: \"%.*s\": must be a simple json path starting with .",
                 STR_ARG(path));
    else if (path.len && !is_below)
        sb_cause(c, "FieldValueInvalid", buf_view(&field),
                 "Invalid value: \"%.*s\": should be a json path under %s", STR_ARG(path), roots);
}

static void check_subresources(const struct doc_node *version, const char *place,
                               struct sb_causes *c)
{
    const struct doc_node *scale = doc_at(version, "subresources/scale");

    if (!scale)
        return;
    check_path(scale, "specReplicasPath", place, ".spec", c);
    check_path(scale, "statusReplicasPath", place, ".status", c);
    check_path(scale, "labelSelectorPath", place, "either .spec or .status", c);
}

static bool is_one_of(str word, const char *words)
{
    AUTO(buf_done) struct buf with = {0};
    AUTO(buf_done) struct buf all = {0};

    buf_addf(&with, ",%.*s,", STR_ARG(word));
    buf_addf(&all, ",%s,", words);
    return str_contains(buf_view(&all), buf_view(&with));
}

static void check_columns(const struct doc_node *version, const char *place, struct sb_causes *c)
{
    static const char types[] = "boolean,date,integer,number,string";
    static const char formats[] = "byte,date,date-time,double,float,int32,int64,password";
    struct doc_iter it = doc_children(doc_get_lit(version, "additionalPrinterColumns"));

    for (size_t i = 0; doc_next(&it); i++) {
        static const char *const keys[] = {"name", "type", "jsonPath", "format"};
        static const char *const told[] = {"name", "type", "JSONPath", "format"};

        for (size_t k = 0; k < ARRAY_LEN(keys); k++) {
            str value = doc_text(doc_get(it.value, str_of(keys[k])), STR_NONE);
            const char *of = k == 1 ? types : k == 3 ? formats : NULL;
            AUTO(buf_done) struct buf field = {0};

            buf_addf(&field, "%s[%zu].%s", place, i, told[k]);
            if (!value.len && k != 3)
                sb_cause(c, "FieldValueRequired", buf_view(&field), "Required value");
            else if (value.len && of && !is_one_of(value, of))
                sb_cause(c, "FieldValueInvalid", buf_view(&field),
                         "Invalid value: \"%.*s\": must be one of %s", STR_ARG(value), of);
            else if (k == 2 && !is_simple_path(value))
                sb_cause(c, "FieldValueInvalid", buf_view(&field),
                         "Invalid value: \"%.*s\": must be a simple json path starting with .",
                         STR_ARG(value));
        }
    }
}

static void check_version(const struct doc_node *versions, const struct doc_node *version, size_t i,
                          struct sb_causes *c)
{
    static const struct {
        const char *path, *shared;
    } rows[] = {{"schema", "spec.validation.openAPIV3Schema"},
                {"subresources", "spec.subresources"},
                {"additionalPrinterColumns", "spec.additionalPrinterColumns"}};
    const struct doc_node *schema = doc_at(version, "schema/openAPIV3Schema");
    str name = doc_text(doc_get_lit(version, "name"), STR_NONE);

    for (size_t row = 0; row < ARRAY_LEN(rows); row++) {
        bool once = is_shared(versions, rows[row].path);
        AUTO(buf_done) struct buf place = {0};

        buf_addf(&place, "spec.versions[%zu].%s%s", i, rows[row].path,
                 row ? "" : ".openAPIV3Schema");
        if (row == 0 && !schema)
            sb_cause(c, "FieldValueRequired", buf_view(&place), "Required value");
        if (once) {
            buf_clear(&place);
            buf_add_cstr(&place, rows[row].shared);
        }
        if (once && i)
            continue;
        if (row == 0 && schema)
            sb_structural_check(schema, buf_view(&place), c);
        else if (row == 1)
            check_subresources(version, buf_cstr(&place), c);
        else if (row == 2)
            check_columns(version, buf_cstr(&place), c);
    }
    if (!is_old_label(name)) {
        AUTO(buf_done) struct buf field = {0};

        buf_addf(&field, "spec.versions[%zu].name", i);
        check_label(name.len ? name : STR("-"), buf_cstr(&field), false, c);
        if (i == 0)
            check_label(name.len ? name : STR("-"), "spec.version", false, c);
    }
}

static void check_conversion(const struct doc_node *d, struct sb_causes *c)
{
    const struct doc_node *conversion = doc_at(d, "spec/conversion");
    str strategy = doc_text(doc_get_lit(conversion, "strategy"), STR("None"));

    if (doc_bool(doc_at(d, "spec/preserveUnknownFields"), false))
        sb_cause(
            c, "FieldValueInvalid", STR("spec.preserveUnknownFields"),
            "Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields "
            "to true in spec.versions[*].schema instead");
    if (str_eq(strategy, STR("Webhook"))) {
        if (!doc_at(conversion, "webhook/clientConfig"))
            sb_cause(c, "FieldValueRequired", STR("spec.conversion.webhookClientConfig"),
                     "Required value: required when strategy is set to Webhook");
        if (!doc_len(doc_at(conversion, "webhook/conversionReviewVersions")))
            sb_cause(c, "FieldValueRequired", STR("spec.conversion.conversionReviewVersions"),
                     "Required value");
    } else if (!str_eq(strategy, STR("None"))) {
        sb_cause(c, "FieldValueNotSupported", STR("spec.conversion.strategy"),
                 "Unsupported value: \"%.*s\": supported values: \"None\", \"Webhook\"",
                 STR_ARG(strategy));
    }
}

void sb_crd_validate(const struct doc_node *d, struct sb_causes *c)
{
    const struct doc_node *versions = doc_at(d, "spec/versions");
    struct doc_iter it = doc_children(versions);

    check_names(d, c);
    for (size_t i = 0; doc_next(&it); i++)
        check_version(versions, it.value, i, c);
    check_stored(versions, c);
    check_conversion(d, c);
}
