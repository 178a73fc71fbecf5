#include "res/replace.h"

#include "doc/emit.h"
#include "doc/parse.h"
#include "res/scalar.h"

/* ---- setting */

/* "delimiter option can only be used with scalar nodes" */
static int res_value_refuse_delimiter(struct err *e)
{
    return err_set(e, ERR_INVALID, "delimiter option can only be used with scalar nodes");
}

int res_value_take_part(struct res_value *value, const struct res_replace_options *o, struct err *e)
{
    str rest = value->text;

    if (!doc_is_scalar(value->node))
        return res_value_refuse_delimiter(e);
    for (int64_t at = 0; o->index >= 0; at++) {
        ssize_t len = str_find(rest, o->delimiter);

        value->is_part = true;
        if (at == o->index) {
            value->text = len < 0 ? rest : str_sub(rest, 0, (size_t)len);
            return 0;
        }
        if (len < 0)
            break;
        rest = str_from(rest, (size_t)len + o->delimiter.len);
    }
    return err_set(e, ERR_INVALID, "options.index %lld is out of bounds for value %.*s",
                   (long long)o->index, STR_ARG(value->text));
}

/* The parts of a text with one of them replaced, or one more in front or behind. */
static str splice(struct doc_set *set, str text, str value, const struct res_replace_options *o)
{
    AUTO(buf_done) struct buf out = {0};
    int64_t at = 0;
    bool is_done = o->index < 0;

    if (is_done) {
        buf_add_str(&out, value);
        buf_add_str(&out, o->delimiter);
    }
    for (ssize_t len = 0; len >= 0; at++) {
        str part;

        len = str_find(text, o->delimiter);
        part = len < 0 ? text : str_sub(text, 0, (size_t)len);
        buf_add_str(&out, at ? o->delimiter : STR_NONE);
        buf_add_str(&out, at == o->index ? value : part);
        is_done |= at == o->index;
        if (len >= 0)
            text = str_from(text, (size_t)len + o->delimiter.len);
    }
    if (!is_done) {
        buf_add_str(&out, o->delimiter);
        buf_add_str(&out, value);
    }
    return arena_dup(&set->arena, buf_view(&out));
}

/* A copy of the value's node, with the text it has now. */
static struct doc_node *copy_value(struct doc_set *set, const struct res_value *value, str text)
{
    bool is_plain = doc_is_scalar(value->node) && value->node->type != DOC_STRING;
    struct doc_node *copy;

    if (!doc_is_scalar(value->node))
        return doc_copy(set, value->node);
    if (res_scalar_is_loose(value->node))
        return res_scalar_new_loose(set, text, (enum doc_style)value->node->style);
    copy = is_plain ? doc_new_plain(set, text, DOC_RESOURCE) : doc_new_string(set, text);
    copy->style = value->node->style;
    return copy;
}

/* The text that the value makes of a place, as a scalar. */
static str text_for(struct doc_set *set, const struct res_place *place,
                    const struct res_value *value, const struct res_replace_options *options)
{
    if (!options->delimiter.len)
        return value->text;
    return splice(set, place->is_new ? STR("") : res_scalar_text(set, place->node), value->text,
                  options);
}

int res_value_set(struct doc_set *set, const struct res_place *place, const struct res_value *value,
                  const struct res_replace_options *options, struct err *e)
{
    struct doc_node *n = place->node;
    str text;

    if (options->delimiter.len && !doc_is_scalar(n))
        return res_value_refuse_delimiter(e);
    text = text_for(set, place, value, options);
    if (!doc_is_scalar(n))
        doc_replace(n, copy_value(set, value, text));
    else if (place->is_new)
        doc_replace(n, res_scalar_new_loose(set, text, DOC_PLAIN));
    else
        return res_scalar_set(set, n, text, e);
    return 0;
}

/* ---- inside of texts */

struct inside {
    const struct doc_path *path;
    const struct res_path_options *find;
    const struct res_value *value;
    const struct res_replace_options *options;
    struct err *e;
};

static bool is_json(str text)
{
    text = str_trim(text);
    return text.len && (text.p[0] == '{' || text.p[0] == '[');
}

/* As upstream tells that JSON was laid out for people. */
static bool is_pretty(str text)
{
    return str_find_char(text, '\n') >= 0 && str_contains(text, STR("  "));
}

/* A number that cannot take the text becomes a text with the number's tag, as upstream prints it.
 */
static void force(struct doc_set *set, struct doc_node *n, str text)
{
    const char *tag = res_scalar_tag(n);
    struct doc_node *with = doc_new_string(set, text);

    doc_keep_comments(set, n, with);
    doc_replace(n, with);
    doc_extra(set, n)->tag = arena_printf(&set->arena, "tag:yaml.org,2002:%s", tag + 2);
}

/* 0; 1: JSON cannot hold the result, and upstream leaves the text as it was. */
static int set_all(struct inside *in, struct doc_set *set, const struct res_places *places,
                   bool json)
{
    for (size_t i = 0; i < places->len; i++) {
        AUTO(err_done) struct err e = {0};
        const struct res_place *place = &places->v[i];

        if (res_value_set(set, place, in->value, in->options, &e) == 0)
            continue;
        if (!doc_is_scalar(place->node)) {
            err_move(in->e, &e);
            return -1;
        }
        if (json)
            return 1;
        force(set, place->node, text_for(set, place, in->value, in->options));
    }
    return 0;
}

static void print(struct doc_set *inner, struct doc_node *root, struct doc_set *set,
                  struct doc_node *text)
{
    AUTO(buf_done) struct buf out = {0};
    str old = doc_string(text, STR_NONE);
    struct doc_node *with;
    unsigned flags = DOC_JSON_SORTED | DOC_JSON_HTML | DOC_JSON_CANON;

    res_scalar_settle(inner, root);
    if (is_json(old))
        doc_emit_json(root, is_pretty(old) ? flags | DOC_JSON_PRETTY : flags, &out);
    else
        doc_emit(root, DOC_EMIT_KYAML, &out);
    with = doc_new_string(set, is_json(old) ? buf_view(&out) : str_trim(buf_view(&out)));
    with->bool_val = text->bool_val;
    with->style = text->style;
    doc_replace(text, with);
}

/* The text that a path runs into: NULL when it does not; *ret_at is the step behind it. */
static struct doc_node *text_on_way(const struct doc_set *set, struct doc_node *root,
                                    const struct doc_path *path, size_t from, size_t *ret_at)
{
    AUTO(err_done) struct err e = {0};
    struct doc_path rest = {path->v + from, path->len - from, 0};

    for (size_t steps = 1; steps < rest.len; steps++) {
        struct doc_node *n;

        if (res_path_lookup(set, root, &rest, steps, &n, &e) < 0 || !n)
            return NULL;
        *ret_at = from + steps;
        if (doc_is_scalar(n))
            return doc_is_string(n) ? n : NULL;
    }
    return NULL;
}

/* keep: the text gets what its document became. */
static int set_inside(struct inside *in, struct doc_set *set, struct doc_node *root, size_t from,
                      bool keep);

/* Puts the value into the document of a text; *ret_changed is false when nothing is to be printed.
 */
static int set_parsed(struct inside *in, struct doc_set *set, struct doc_node *root, bool json,
                      size_t at, bool *ret_changed)
{
    struct res_places places = {0};
    struct res_path_options options = *in->find;
    /* a text in the text is only looked at by upstream */
    int rc = set_inside(in, set, root, at, in->find->is_fixed);

    *ret_changed = true;
    if (rc)
        return rc;
    options.set = set;
    if (res_path_find(root, in->path, at, &options, &places, in->e) < 0 || !places.len) {
        rc = RES_INSIDE_MISSING;
    } else {
        rc = set_all(in, set, &places, json);
        *ret_changed = rc == 0;
        rc = rc < 0 ? -1 : RES_INSIDE_DONE;
    }
    vec_done(&places);
    return rc;
}

static int set_inside(struct inside *in, struct doc_set *set, struct doc_node *root, size_t from,
                      bool keep)
{
    static const struct doc_parse_options parse = {.dialect = DOC_KYAML,
                                                   .flags = DOC_COMMENTS | DOC_KEEP_ALIASES};
    AUTO(doc_set_free) struct doc_set *inner = doc_set_new();
    AUTO(doc_list_done) struct doc_list documents = {0};
    AUTO(err_done) struct err e = {0};
    size_t at;
    struct doc_node *text = text_on_way(set, root, in->path, from, &at);
    bool json = is_json(doc_string(text, STR_NONE)), is_changed;
    int rc;

    if (!text ||
        doc_parse_all(inner, doc_string(text, STR_NONE), &parse, "text", &documents, &e) < 0)
        return 0;
    if (!documents.len || !(doc_is_map(documents.v[0]) || doc_is_list(documents.v[0])))
        return 0;
    rc = set_parsed(in, inner, documents.v[0], json, at, &is_changed);
    if (rc == RES_INSIDE_DONE && keep && is_changed)
        print(inner, documents.v[0], set, text);
    return rc;
}

int res_value_set_inside(struct doc_set *set, struct doc_node *root, const struct doc_path *path,
                         const struct res_path_options *find, const struct res_value *value,
                         const struct res_replace_options *options, struct err *e)
{
    struct inside in = {path, find, value, options, e};

    return set_inside(&in, set, root, 0, true);
}
