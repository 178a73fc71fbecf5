#include "base/buf.h"
#include "conformance/kyaml_case.h"
#include "doc/emit.h"
#include "doc/kyaml/node.h"
#include "doc/parse.h"
#include "doc/path.h"
#include "re/re.h"
#include "res/fieldspec.h"
#include "res/selector.h"

/* ---- resid */

static struct res_gvk gvk_of(const struct doc_node *n)
{
    return (struct res_gvk){row_text(n, "Group"), row_text(n, "Version"), row_text(n, "Kind")};
}

static struct res_id id_of(const struct doc_node *n)
{
    return (struct res_id){gvk_of(doc_get_lit(n, "Gvk")), row_text(n, "Name"),
                           row_text(n, "Namespace")};
}

static bool flag(const struct doc_node *row, const char *name)
{
    return doc_bool(doc_get(row, str_of(name)), false);
}

static bool prints(void (*print)(const struct res_gvk *, struct buf *), const struct res_gvk *gvk,
                   const struct doc_node *row, const char *name)
{
    AUTO(buf_done) struct buf out = {0};

    print(gvk, &out);
    return str_eq(buf_view(&out), row_text(row, name));
}

static bool reads_back(const struct res_id *id)
{
    AUTO(buf_done) struct buf text = {0};
    struct res_id back;

    res_id_print(id, &text);
    back = res_id_parse(buf_view(&text));
    return res_gvk_eq(&back.gvk, &id->gvk) && str_eq(back.name, id->name) &&
           str_eq(back.ns, id->ns);
}

static bool ids_compare(const struct doc_node *row)
{
    struct res_id a = id_of(doc_get_lit(row, "id1")), b = id_of(doc_get_lit(row, "id2"));

    return res_gvkn_eq(&a, &b) == flag(row, "gVknResult") &&
           res_ns_eq(&a, &b) == flag(row, "nsEquals") && res_id_eq(&a, &b) == flag(row, "equals");
}

static bool selects_all(const struct doc_node *row)
{
    struct res_id filter = id_of(doc_get_lit(row, "selector"));
    struct doc_iter it = doc_children(doc_get_lit(row, "selectables"));

    while (doc_next(&it)) {
        struct res_id id = id_of(doc_get_lit(it.value, "id"));

        if (res_id_selected(&id, &filter) != flag(it.value, "expectSelected"))
            return false;
    }
    return true;
}

static bool splits(const struct doc_node *row)
{
    str group, version;

    res_split_api_version(row_text(row, "input"), &group, &version);
    return str_eq(group, row_text(row, "g")) && str_eq(version, row_text(row, "v"));
}

static bool reads_gvk(const struct doc_node *row)
{
    struct res_gvk want = gvk_of(doc_get_lit(row, "x")), got = res_gvk_parse(row_text(row, "s"));

    return res_gvk_eq(&want, &got);
}

static bool has_scope(const struct res_gvk *gvk, const struct doc_node *row)
{
    return res_is_cluster_scoped(gvk) == flag(row, "isClusterScoped");
}

static bool resid_holds(str id, const struct doc_node *row)
{
    struct res_gvk x = gvk_of(doc_get_lit(row, "x")), x1 = gvk_of(doc_get_lit(row, "x1"));
    struct res_gvk x2 = gvk_of(doc_get_lit(row, "x2")), in = gvk_of(doc_get_lit(row, "in"));
    struct res_gvk gvk = gvk_of(doc_get_lit(row, "gvk")),
                   filter = gvk_of(doc_get_lit(row, "filter"));
    struct res_id own = id_of(row), named = id_of(doc_get_lit(row, "id"));
    str rest, test = str_cut(str_from(id, strlen("resid/")), '/', &rest);

    if (str_eq(test, STR("TestEquals")))
        return res_gvk_eq(&x1, &x2);
    if (str_eq(test, STR("TestIsLessThan1")))
        return res_gvk_order(&x1, &x2) < 0 && res_gvk_order(&x2, &x1) > 0;
    if (str_eq(test, STR("TestString")) || str_eq(test, STR("TestStringWoEmptyField")))
        return prints(res_gvk_print, &x, row, "s") && prints(res_gvk_print_short, &x, row, "r");
    if (str_eq(test, STR("TestGvkFromString")))
        return reads_gvk(row);
    if (str_eq(test, STR("TestApiVersion")))
        return prints(res_api_version, &x, row, "exp");
    if (str_eq(test, STR("TestParseGroupVersion")))
        return splits(row);
    if (str_eq(test, STR("TestSelectByGVK")))
        return res_gvk_selected(&in, doc_get_lit(row, "filter") ? &filter : NULL) ==
               flag(row, "expected");
    if (str_eq(test, STR("TestIsClusterScoped")))
        return has_scope(&gvk, row);
    if (str_eq(test, STR("TestResIdString"))) {
        AUTO(buf_done) struct buf out = {0};
        struct res_id printed_id = id_of(doc_get_lit(row, "x"));

        res_id_print(&printed_id, &out);
        return str_eq(buf_view(&out), row_text(row, "s"));
    }
    if (str_eq(test, STR("TestResIdEquals")))
        return ids_compare(row);
    if (str_eq(test, STR("TestResIdIsSelected")))
        return selects_all(row);
    if (str_eq(test, STR("TestFromString")))
        return reads_back(&own);
    if (str_eq(test, STR("TestEffectiveNamespace")))
        return str_eq(res_effective_ns(&named), row_text(row, "expected"));
    return false;
}

void judge_resid(struct suite *s, str id, const struct doc_node *row)
{
    suite_end(s, resid_holds(id, row), "does not hold");
}

/* ---- fieldspec */

static int set_value(void *ctx, struct doc_set *set, struct doc_node *field, struct err *e UNUSED)
{
    doc_replace(field, doc_new_string(set, *(const str *)ctx));
    return 0;
}

static enum doc_type type_named(str kind)
{
    return str_eq(kind, STR("mapping"))    ? DOC_MAP
           : str_eq(kind, STR("sequence")) ? DOC_LIST
           : str_eq(kind, STR("scalar"))   ? DOC_STRING
                                           : DOC_NULL;
}

void judge_fieldspec(struct suite *s, const struct doc_node *row)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(err_done) struct err e = {0};
    struct doc_node *spec = row_yaml(s, set, row, "fieldSpec");
    struct doc_node *input = spec ? row_yaml(s, set, row, "input") : NULL;
    str value = row_text(row, "setValue");
    struct res_field_spec f;

    if (!input)
        return;
    f = (struct res_field_spec){
        {row_text(spec, "group"), row_text(spec, "version"), row_text(spec, "kind")},
        row_text(spec, "path"),
        flag(spec, "create")};
    if (res_field_spec_visit(set, input, &f, type_named(row_text(row, "createKind")), set_value,
                             &value, &e) < 0)
        end_error(s, row, "error", &e);
    else
        end_text(s, row, "expected", printed(set, input));
}

/* ---- pathsplitter */

void judge_pathsplitter(struct suite *s, str id, const struct doc_node *row)
{
    AUTO(arena_done) struct arena arena = {0};
    AUTO(doc_path_done) struct doc_path path = {0};
    const struct doc_node *want = doc_get_lit(row, "exp");
    struct doc_iter it;
    size_t i = 0;
    bool equal = true;

    if (str_contains(id, STR("Smarter"))) {
        want = doc_get_lit(row, "expected");
        doc_path_split_smart(&arena, row_text(row, "input"), '.', &path);
    } else {
        doc_path_split(&arena, row_text(row, "path"), '/', &path);
    }
    it = doc_children(want);
    for (; doc_next(&it); i++)
        equal = equal && i < path.len && str_eq(path.v[i], doc_text(it.value, STR_NONE));
    suite_end(s, equal && i == path.len, "%zu parts", path.len);
}

/* ---- yaml */

static void read_path(const struct doc_node *steps, struct doc_path *ret)
{
    struct doc_iter it = doc_children(steps);

    while (doc_next(&it))
        vec_push(ret, doc_text(it.value, STR_NONE));
}

static bool matches(void *ctx UNUSED, str wanted, str value)
{
    AUTO(err_done) struct err e = {0};
    AUTO(re_free) struct re *re = re_compile(wanted, 0, &e);

    return re && re_match(re, value);
}

static void judge_find(struct suite *s, struct doc_set *set, const struct doc_node *row)
{
    AUTO(doc_list_done) struct doc_list found = {0};
    AUTO(doc_path_done) struct doc_path path = {0};
    AUTO(err_done) struct err e = {0};
    struct doc_path_options options = {.match = matches};
    struct doc_node *input = row_yaml(s, set, row, "input"), *list = doc_new_list(set);

    if (!input)
        return;
    read_path(doc_get_lit(row, "path"), &path);
    if (doc_path_find(input, &path, &options, &found, &e) < 0) {
        suite_end(s, false, "failed: %s", err_text(&e));
        return;
    }
    for (size_t i = 0; i < found.len; i++)
        doc_append(list, doc_copy(set, found.v[i]));
    end_text(s, row, "value", printed(set, list));
}

/* The nodes found print as the rows of `matches`, and are of the kind that was to be made. */
static bool found_as_wanted(struct doc_set *set, const struct doc_node *row,
                            const struct doc_list *found)
{
    struct doc_iter it = doc_children(doc_get_lit(row, "matches"));
    size_t i = 0;

    for (; doc_next(&it); i++)
        if (i >= found->len || !str_eq(printed(set, doc_copy(set, found->v[i])),
                                       str_trim(doc_text(it.value, STR_NONE))))
            return false;
    return i == found->len;
}

static void judge_create(struct suite *s, struct doc_set *set, const struct doc_node *row)
{
    AUTO(doc_list_done) struct doc_list found = {0};
    AUTO(doc_path_done) struct doc_path path = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf text = {0};
    struct doc_path_options options = {matches, NULL, set, type_named(row_text(row, "create"))};
    struct doc_node *input = row_yaml(s, set, row, "input");

    if (!input)
        return;
    read_path(doc_get_lit(row, "path"), &path);
    if (doc_path_find(input, &path, &options, &found, &e) < 0)
        end_error(s, row, "expectErr", &e);
    else if (!found_as_wanted(set, row, &found))
        suite_end(s, false, "%zu found", found.len);
    else {
        doc_emit(input, DOC_EMIT_KYAML, &text);
        suite_end(s, str_contains(buf_view(&text), row_text(row, "modifiedNodeMustContain")),
                  "is now:\n%s", buf_cstr(&text));
    }
}

static void judge_first_match(struct suite *s, struct doc_set *set, const struct doc_node *row)
{
    struct doc_node *input = row_yaml(s, set, row, "input");
    struct doc_iter it = doc_children(doc_get_lit(row, "paths"));
    const struct doc_node *first = NULL;

    while (input && !first && doc_next(&it)) {
        AUTO(doc_list_done) struct doc_list found = {0};
        AUTO(doc_path_done) struct doc_path path = {0};
        AUTO(err_done) struct err e = {0};

        read_path(it.value, &path);
        if (doc_path_find(input, &path, NULL, &found, &e) == 0 && found.len)
            first = it.value;
    }
    if (input)
        suite_end(s,
                  first ? doc_equal(first, doc_get_lit(row, "wantPath"))
                        : !doc_get_lit(row, "wantPath"),
                  "another path");
}

static uint32_t style_named(str style)
{
    return str_eq(style, STR("double-quoted"))   ? DOC_DOUBLE
           : str_eq(style, STR("single-quoted")) ? DOC_SINGLE
                                                 : DOC_PLAIN;
}

static void judge_set_entry(struct suite *s, struct doc_set *set, const struct doc_node *row)
{
    AUTO(err_done) struct err e = {0};
    const struct doc_node *setter = doc_get_lit(row, "setter");
    const struct doc_node *key = doc_get_lit(setter, "Key"), *value = doc_get_lit(setter, "Value");
    struct doc_node *input = row_yaml(s, set, row, "input"), *scalar;

    if (!input)
        return;
    scalar = doc_new_number(set, row_text(value, "value")); /* printed as it stands */
    scalar->style = style_named(row_text(value, "style")) & 7;
    if (scalar->style != DOC_PLAIN)
        scalar->type = DOC_STRING;
    if (doc_set_entry(set, input, row_text(setter, "Name"), row_text(key, "value"),
                      style_named(row_text(key, "style")), scalar, &e) < 0)
        end_error(s, row, "expectedErr", &e);
    else
        end_text(s, row, "expected", printed(set, input));
}

static void judge_metadata(struct suite *s, const struct doc_node *row)
{
    AUTO(err_done) struct err e = {0};
    const struct doc_node *want = doc_at(row, "rsExp/out");
    struct res_id id;
    AUTO(buf_done) struct buf version = {0};

    if (res_id_read(doc_get_lit(row, "theMap"), &id, &e) < 0) {
        end_error(s, doc_get_lit(row, "rsExp"), "errMsg", &e);
        return;
    }
    res_api_version(&id.gvk, &version);
    suite_end(
        s,
        want && str_eq(id.name, doc_text(doc_at(want, "NameMeta/Name"), STR_NONE)) &&
            str_eq(id.gvk.kind, doc_text(doc_at(want, "TypeMeta/Kind"), STR_NONE)) &&
            str_eq(buf_view(&version), doc_text(doc_at(want, "TypeMeta/APIVersion"), STR_NONE)),
        "another kind or name");
}

static void judge_selector(struct suite *s, struct doc_set *set, const struct doc_node *row,
                           const char *path)
{
    AUTO(err_done) struct err e = {0};
    AUTO(res_selector_done) struct res_selector selector = {0};
    struct doc_node *input = row_yaml(s, set, row, "input");

    if (!input)
        return;
    if (res_label_selector_parse(row_text(row, "selector"), &selector, &e) < 0)
        end_error(s, row, "errMsg", &e);
    else
        suite_end(s,
                  !doc_get_lit(row, "errMsg") &&
                      res_selector_matches(&selector, doc_at(input, path)) == flag(row, "matches"),
                  "not as wanted");
}

static void judge_anchors(struct suite *s, struct doc_set *set, const struct doc_node *row)
{
    static const struct doc_parse_options options = {.dialect = DOC_KYAML,
                                                     .flags = DOC_COMMENTS | DOC_KEEP_ALIASES};
    AUTO(err_done) struct err e = {0};
    AUTO(doc_list_done) struct doc_list list = {0};

    if (doc_parse_all(set, row_text(row, "input"), &options, "input", &list, &e) < 0 ||
        (list.len && doc_resolve_anchors(set, list.v[0], &e) < 0))
        end_error(s, row, "expectedErr", &e);
    else
        end_text(s, row, "expected", list.len ? printed(set, list.v[0]) : STR(""));
}

void judge_yaml(struct suite *s, str id, const struct doc_node *row)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();

    if (str_contains(id, STR("TestLookupFirstMatch")))
        judge_first_match(s, set, row);
    else if (str_contains(id, STR("TestMapEntrySetter")))
        judge_set_entry(s, set, row);
    else if (str_contains(id, STR("TestPathMatcher_Filter_Create")))
        judge_create(s, set, row);
    else if (str_contains(id, STR("TestPathMatcher_Filter")))
        judge_find(s, set, row);
    else if (str_contains(id, STR("TestRNodeGetValidatedMetadata")))
        judge_metadata(s, row);
    else if (str_contains(id, STR("TestDeAnchorMerge")))
        judge_anchors(s, set, row);
    else if (str_contains(id, STR("MatchesAnnotationSelector")))
        judge_selector(s, set, row, "metadata/annotations");
    else if (str_contains(id, STR("MatchesLabelSelector")))
        judge_selector(s, set, row, "metadata/labels");
    else
        suite_end(s,
                  str_eq(row_text(row, "expectedOutput"),
                         doc_has_wide_lists(row_text(row, "input")) ? STR("wide") : STR("compact")),
                  "the other style");
}
