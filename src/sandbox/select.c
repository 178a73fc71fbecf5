/* Label and field selectors. */
#include "sandbox/priv.h"

enum op { OP_EQUAL, OP_NOT_EQUAL, OP_IN, OP_NOT_IN, OP_EXISTS, OP_ABSENT, OP_GREATER, OP_LESS };

struct term {
    enum op op;
    str key;
    struct str_vec values;
};

struct sb_selector {
    struct arena arena;
    VEC(struct term) labels;
    VEC(struct term) fields; /* key: path with '.' */
};

void sb_selector_free(struct sb_selector *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->labels.len; i++)
        str_vec_done(&s->labels.v[i].values);
    for (size_t i = 0; i < s->fields.len; i++)
        str_vec_done(&s->fields.v[i].values);
    vec_done(&s->labels);
    vec_done(&s->fields);
    arena_done(&s->arena);
    mem_free(s);
}

bool sb_selector_is_all(const struct sb_selector *s)
{
    return s->labels.len == 0 && s->fields.len == 0;
}

str sb_selector_name(const struct sb_selector *s)
{
    for (size_t i = 0; i < s->fields.len; i++)
        if (s->fields.v[i].op == OP_EQUAL && str_eq(s->fields.v[i].key, STR("metadata.name")))
            return s->fields.v[i].values.v[0];
    return STR_NONE;
}

/* ---- parsing */

struct scan {
    str rest;
};

static void skip_blanks(struct scan *s)
{
    while (s->rest.len && (s->rest.p[0] == ' ' || s->rest.p[0] == '\t'))
        s->rest = str_from(s->rest, 1);
}

static str word(struct scan *s)
{
    size_t n = 0;

    skip_blanks(s);
    while (n < s->rest.len && !strchr(" \t,=!()<>", s->rest.p[n]))
        n++;
    s->rest.p += n;
    s->rest.len -= n;
    return (str){s->rest.p - n, n};
}

static bool take(struct scan *s, const char *token)
{
    skip_blanks(s);
    return str_drop_prefix(&s->rest, str_of(token));
}

static bool parse_set(struct scan *s, struct term *t)
{
    if (!take(s, "("))
        return false;
    do {
        vec_push(&t->values, word(s));
    } while (take(s, ","));
    return take(s, ")");
}

static bool is_label_key(str key)
{
    ssize_t slash = str_find_char(key, '/');
    str name = slash < 0 ? key : str_from(key, (size_t)slash + 1);

    if (!name.len || name.len > 63 || slash == 0)
        return false;
    for (size_t i = 0; i < name.len; i++) {
        char c = name.p[i];
        bool is_alnum = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');

        if (!is_alnum && (i == 0 || i + 1 == name.len || !strchr("-_.", c)))
            return false;
    }
    return true;
}

static bool parse_operator(struct scan *s, struct term *t)
{
    static const struct {
        const char *token;
        enum op op;
    } ops[] = {
        {"==", OP_EQUAL}, {"=", OP_EQUAL}, {"!=", OP_NOT_EQUAL}, {">", OP_GREATER}, {"<", OP_LESS}};
    str name;

    skip_blanks(s);
    if (s->rest.len == 0 || s->rest.p[0] == ',') {
        t->op = OP_EXISTS;
        return true;
    }
    for (size_t i = 0; i < ARRAY_LEN(ops); i++)
        if (take(s, ops[i].token)) {
            t->op = ops[i].op;
            vec_push(&t->values, word(s));
            return true;
        }
    name = word(s);
    t->op = str_eq(name, STR("in")) ? OP_IN : OP_NOT_IN;
    return (t->op == OP_IN || str_eq(name, STR("notin"))) && parse_set(s, t);
}

static bool parse_labels(struct sb_selector *sel, str text)
{
    struct scan s = {arena_dup(&sel->arena, text)};

    skip_blanks(&s);
    while (s.rest.len) {
        struct term *t = vec_add(&sel->labels);

        if (take(&s, "!")) {
            t->op = OP_ABSENT;
            t->key = word(&s);
        } else {
            t->key = word(&s);
            if (!parse_operator(&s, t))
                return false;
        }
        if (!is_label_key(t->key))
            return false;
        skip_blanks(&s);
        if (s.rest.len && (!take(&s, ",") || s.rest.len == 0))
            return false;
    }
    return true;
}

static bool parse_fields(struct sb_selector *sel, str text)
{
    str rest = arena_dup(&sel->arena, text);

    while (rest.len) {
        str part = str_cut(rest, ',', &rest);
        ssize_t at = str_find_char(part, '=');
        struct term *t;
        str value;

        if (!part.len)
            continue;
        if (at <= 0)
            return false;
        t = vec_add(&sel->fields);
        t->op = part.p[at - 1] == '!' ? OP_NOT_EQUAL : OP_EQUAL;
        t->key = str_sub(part, 0, (size_t)at - (t->op == OP_NOT_EQUAL));
        value = str_from(part, (size_t)at + 1);
        str_drop_prefix(&value, STR("="));
        vec_push(&t->values, value);
    }
    return true;
}

/* Which fields a kind lets select by: all have the first two. */
static bool is_known_field(const struct sb_kind *kind, str key)
{
    static const struct {
        const char *kind, *fields;
    } rows[] = {
        {"", "metadata.name metadata.namespace"},
        {"Pod", "spec.nodeName spec.restartPolicy spec.schedulerName spec.serviceAccountName "
                "spec.hostNetwork status.phase status.podIP status.nominatedNodeName"},
        {"Event", "involvedObject.kind involvedObject.namespace involvedObject.name "
                  "involvedObject.uid involvedObject.apiVersion involvedObject.resourceVersion "
                  "involvedObject.fieldPath reason reportingComponent source type"},
        {"Secret", "type"},
        {"Namespace", "status.phase"},
        {"ReplicaSet", "status.replicas"},
        {"ReplicationController", "status.replicas"},
        {"Job", "status.successful"},
        {"Node", "spec.unschedulable"},
        {"CertificateSigningRequest", "spec.signerName"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        str rest = str_of(rows[i].fields);

        if (rows[i].kind[0] && !str_eq(kind->kind, str_of(rows[i].kind)))
            continue;
        while (rest.p)
            if (str_eq(str_cut(rest, ' ', &rest), key))
                return true;
    }
    return false;
}

struct sb_selector *sb_selector_parse(struct sb_req *r, str labels, str fields)
{
    AUTO(sb_selector_free) struct sb_selector *s = NEW(struct sb_selector);

    if (!parse_labels(s, labels)) {
        sb_fail(r, 400, NULL,
                "unable to parse requirement: found '%.*s', expected a label selector",
                STR_ARG(labels));
        return NULL;
    }
    if (!parse_fields(s, fields)) {
        sb_fail(r, 400, NULL, "invalid selector: '%.*s'; can't understand '%.*s'", STR_ARG(fields),
                STR_ARG(fields));
        return NULL;
    }
    for (size_t i = 0; i < s->fields.len; i++) {
        str key = s->fields.v[i].key;

        if (!is_known_field(r->kind, key)) {
            sb_fail(r, 400, NULL, "field label not supported: %.*s", STR_ARG(key));
            return NULL;
        }
    }
    return TAKE(s);
}

/* ---- matching */

static bool holds(const struct term *t, str value)
{
    for (size_t i = 0; i < t->values.len; i++)
        if (str_eq(t->values.v[i], value))
            return true;
    return false;
}

static bool compare_numbers(const struct term *t, str value)
{
    int64_t have, want;

    if (!str_to_int64(value, &have) || !str_to_int64(t->values.v[0], &want))
        return false;
    return t->op == OP_GREATER ? have > want : have < want;
}

static bool match_term(const struct term *t, const struct doc_node *labels)
{
    const struct doc_node *n = doc_get(labels, t->key);
    str value = doc_text(n, STR_NONE);

    switch (t->op) {
    case OP_EQUAL:
    case OP_IN:
        return n && holds(t, value);
    case OP_NOT_EQUAL:
    case OP_NOT_IN:
        return !n || !holds(t, value);
    case OP_EXISTS:
        return n != NULL;
    case OP_ABSENT:
        return n == NULL;
    case OP_GREATER:
    case OP_LESS:
        return n && compare_numbers(t, value);
    }
    return false;
}

static str field_value(const struct doc_node *object, str path)
{
    const struct doc_node *n = object;
    str rest = path;

    if (str_eq(path, STR("status.successful"))) {
        n = doc_at(object, "status/succeeded");
        return n ? doc_text(n, STR_NONE) : STR("0");
    }
    if (str_eq(path, STR("source")))
        return doc_text(doc_at(object, "source/component"), STR_NONE);
    while (rest.p && n)
        n = doc_get(n, str_cut(rest, '.', &rest));
    if (!n && str_eq(path, STR("spec.unschedulable")))
        return STR("false");
    return doc_text(n, STR_NONE);
}

bool sb_selector_match(const struct sb_selector *s, const struct doc_node *object)
{
    const struct doc_node *labels = doc_at(object, "metadata/labels");

    for (size_t i = 0; i < s->labels.len; i++)
        if (!match_term(&s->labels.v[i], labels))
            return false;
    for (size_t i = 0; i < s->fields.len; i++) {
        const struct term *t = &s->fields.v[i];

        if (str_eq(field_value(object, t->key), t->values.v[0]) != (t->op == OP_EQUAL))
            return false;
    }
    return true;
}

bool sb_labels_contain(const struct doc_node *want, const struct doc_node *labels)
{
    struct doc_iter it = doc_children(want);

    while (doc_next(&it)) {
        const struct doc_node *n = doc_get(labels, it.key);

        if (!n || !str_eq(doc_text(n, STR_NONE), doc_text(it.value, STR_NONE)))
            return false;
    }
    return true;
}

static bool match_expression(const struct doc_node *x, const struct doc_node *labels)
{
    str op = doc_text(doc_get_lit(x, "operator"), STR_NONE);
    const struct doc_node *n = doc_get(labels, doc_text(doc_get_lit(x, "key"), STR_NONE));
    struct doc_iter it = doc_children(doc_get_lit(x, "values"));
    bool is_in = false;

    if (str_eq(op, STR("Exists")))
        return n != NULL;
    if (str_eq(op, STR("DoesNotExist")))
        return n == NULL;
    while (doc_next(&it))
        if (n && str_eq(doc_text(it.value, STR_NONE), doc_text(n, STR_NONE)))
            is_in = true;
    return str_eq(op, STR("In")) ? is_in : !is_in;
}

bool sb_labels_match(const struct doc_node *label_selector, const struct doc_node *labels)
{
    struct doc_iter it = doc_children(doc_get_lit(label_selector, "matchExpressions"));

    if (!sb_labels_contain(doc_get_lit(label_selector, "matchLabels"), labels))
        return false;
    while (doc_next(&it))
        if (!match_expression(it.value, labels))
            return false;
    return true;
}
