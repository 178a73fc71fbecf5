#include "chart/yaml.h"

#include "chart/merge.h"
#include "doc/parse.h"
#include "doc/yaml/scan.h"
#include "expr/gotmpl/gotmpl.h"

static int parse_documents(struct doc_set *set, str text, unsigned flags, struct doc_list *ret,
                           struct err *e)
{
    AUTO(err_done) struct err bad = {0};
    AUTO(buf_done) struct buf why = {0};
    struct doc_yaml_problem problem = {0};
    str said;
    struct doc_parse_options options = {
        .dialect = DOC_VALUES, .flags = DOC_KEEP_EMPTY | flags, .ret_problem = &problem};

    if (doc_parse_all(set, text, &options, "yaml", ret, &bad) == 0)
        return 0;
    said = str_of(err_text(&bad));
    if (tmpl_explain_key(text, said, &why))
        return err_set(e, bad.kind, "%s", buf_cstr(&why));
    if (problem.problem)
        doc_yaml_go_words(&problem, &why);
    str_drop_prefix(&said, STR("yaml:"));
    return err_set(e, bad.kind, "error converting YAML to JSON: yaml: %s",
                   why.len ? buf_cstr(&why) : said.p);
}

static struct doc_node *parse_first(struct doc_set *set, str text, unsigned flags, struct err *e)
{
    AUTO(doc_list_done) struct doc_list roots = {0};

    if (parse_documents(set, text, flags, &roots, e) < 0)
        return NULL;
    return roots.len ? roots.v[0] : NULL;
}

struct doc_node *chart_parse_yaml(struct doc_set *set, str text, struct err *e)
{
    return parse_first(set, text, 0, e);
}

struct doc_node *chart_parse_yaml_view(struct doc_set *set, str text, struct err *e)
{
    return parse_first(set, text, DOC_BORROW, e);
}

struct doc_node *chart_read_values(struct doc_set *set, str text, struct err *e)
{
    static const char names[][7] = {"null", "bool", "number", "string", "array", "", ""};
    AUTO(doc_list_done) struct doc_list roots = {0};
    struct doc_node *values = NULL;

    if (parse_documents(set, text, 0, &roots, e) < 0)
        return NULL;
    for (size_t i = 0; i < roots.len; i++) {
        if (doc_is_map(roots.v[i])) {
            if (values)
                chart_merge_over(set, values, roots.v[i]);
            else
                values = roots.v[i];
        } else if (!doc_is_null(roots.v[i])) {
            err_set(e, ERR_INVALID,
                    "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal %s into "
                    "Go value of type map[string]interface {}",
                    names[doc_type(roots.v[i])]);
            return NULL;
        }
    }
    return values ? values : doc_new_map(set);
}
