#include "sandbox/types/typed.h"

#include "res/quantity.h"
#include "res/schema.h"
#include "sandbox/protobuf/protobuf_priv.h"
#include "sandbox/types/type.h"

struct findings {
    struct str_vec unknown; /* paths, "spec.foo"; in the arena */
    str mismatch;           /* the first value of a wrong type: message, or empty */
    struct doc_set *set;
    struct arena arena;
};
static void findings_done(struct findings *t)
{
    str_vec_done(&t->unknown);
    arena_done(&t->arena);
}
AUTO_VALUE(struct findings, findings_done)

static void note_unknown(struct findings *t, str path)
{
    if (t->unknown.len < 64)
        vec_push(&t->unknown, arena_dup(&t->arena, path));
}

static void add_step(struct buf *path, const struct doc_node *around, str key, size_t index)
{
    if (doc_is_list(around))
        buf_addf(path, "[%zu]", index);
    else
        buf_addf(path, "%s%.*s", path->len ? "." : "", STR_ARG(key));
}

/* ---- fields and values */

static const char *json_name(const struct doc_node *n)
{
    static const char names[][7] = {"null", "bool", "number", "string", "array", "object", ""};

    return names[doc_type(n)];
}

static bool fits(str type, const struct doc_node *n)
{
    int64_t i;

    if (doc_is_null(n) || !type.len)
        return true;
    if (str_eq(type, STR("string")))
        return doc_is_string(n);
    if (str_eq(type, STR("integer")))
        return doc_to_int64(n, &i);
    if (str_eq(type, STR("number")))
        return n->type == DOC_NUMBER;
    if (str_eq(type, STR("boolean")))
        return n->type == DOC_BOOL;
    if (str_eq(type, STR("array")))
        return doc_is_list(n);
    return !str_eq(type, STR("object")) || doc_is_map(n);
}

static bool is_required(const struct sb_type *around, str key)
{
    str required[16];
    size_t count =
        res_schema_required(res_kubernetes_schema(), around->shape, required, ARRAY_LEN(required));

    for (size_t i = 0; i < MIN(count, ARRAY_LEN(required)); i++)
        if (str_eq(required[i], key))
            return true;
    return false;
}

/* "", 0 and false where Go has a plain field and no pointer. */
static bool is_plain_zero(const struct sb_pb_field *f, const struct doc_node *n)
{
    int64_t number;

    if (!f || f->how != SB_PB_PLAIN)
        return false;
    if (f->type == SB_PB_BOOL)
        return doc_type(n) == DOC_BOOL && !doc_bool(n, true);
    if (f->type == SB_PB_INT)
        return doc_type(n) == DOC_NUMBER && doc_to_int64(n, &number) && number == 0;
    return f->type == SB_PB_STRING && doc_is_string(n) && doc_text(n, STR_NONE).len == 0;
}

/* Built-in types write neither null nor lists and maps without members nor plain zeros, but for
 * what every object must have; `emptyDir: {}` is no map, it has fields. */
static bool is_omitted(const struct sb_type *around, const struct sb_type *t,
                       const struct sb_pb_field *f, str key, const struct doc_node *n)
{
    if (t->is_custom)
        return false;
    if (is_plain_zero(f, n))
        return !is_required(around, key);
    if (sb_type_is_any(t) || !(doc_is_null(n) || doc_is_list(n) || doc_is_map(n)))
        return false;
    if (doc_is_null(n))
        return true;
    if (doc_len(n) > 0 || (doc_is_map(n) && sb_type_is_struct(t)) || !sb_type_name(t).len)
        return false;
    return !is_required(around, key) && !str_eq(key, STR("rules")); /* of roles: always written */
}

/* Amounts are answered in their canonical form. */
static void check_quantity(struct doc_node *n, const struct sb_pb_field *f, struct findings *ret)
{
    static const char *const why[] = {
        [RES_QUANTITY_BAD_FORM] = "quantities must match the regular expression "
                                  "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
        [RES_QUANTITY_BAD_SUFFIX] = "unable to parse quantity's suffix",
    };
    AUTO(buf_done) struct buf text = {0};
    enum res_quantity_error rc;

    if (!doc_is_scalar(n) || doc_is_null(n))
        return;
    rc = res_quantity_print(doc_text(n, STR_NONE), f && f->how == SB_PB_MAP ? 3 : 9, &text);
    if (rc == RES_QUANTITY_FINE)
        doc_replace(n, doc_new_string(ret->set, buf_view(&text)));
    else if (!ret->mismatch.len)
        ret->mismatch = str_of(why[rc]);
}

/* The field of a map's entry, or of a list's item: of its own or, without one, that of all. */
static const struct sb_pb_field *field_below(const struct sb_pb_field *f, const struct doc_node *n,
                                             str key, struct sb_pb_field *item)
{
    if (!f)
        return NULL;
    if (f->how != SB_PB_MAP && f->how != SB_PB_REPEATED)
        return f->type == SB_PB_MESSAGE && doc_is_map(n) ? sb_pb_field_of(f->message, key) : NULL;
    *item = *f;
    item->how = f->type == SB_PB_QUANTITY ? SB_PB_MAP : SB_PB_POINTER; /* stays, whatever it is */
    return item;
}

/* Notes what does not fit, takes unknown fields out, and puts values into the one form that typed
 * objects have. f: what Go has there, or NULL. */
static void check(const struct sb_type *t, const struct sb_pb_field *f, struct doc_node *n,
                  struct buf *path, struct findings *ret)
{
    struct doc_iter it = doc_children(n);
    str type = t->is_custom ? STR_NONE : sb_type_name(t);
    size_t index = 0;

    if (!t->is_custom && sb_type_is_quantity(t)) {
        check_quantity(n, f, ret);
        return;
    }
    if (!fits(type, n)) {
        if (!ret->mismatch.len)
            ret->mismatch = arena_printf(&ret->arena,
                                         "json: cannot unmarshal %s into Go struct field .%s of "
                                         "type %.*s",
                                         json_name(n), buf_cstr(path), STR_ARG(type));
        return;
    }
    while (doc_next(&it)) {
        bool is_map = doc_is_map(n);
        struct sb_type below = is_map ? sb_type_field(t, it.key) : sb_type_item(t);
        struct sb_pb_field item;
        const struct sb_pb_field *of = field_below(f, n, it.key, &item);
        size_t before = path->len;

        add_step(path, n, it.key, index++);
        if (is_map && !sb_type_declares(t, it.key)) {
            note_unknown(ret, buf_view(path));
            doc_remove(n, it.key);
        } else {
            check(&below, of, it.value, path, ret);
            if (is_map && is_omitted(t, &below, of, it.key, it.value))
                doc_remove(n, it.key);
        }
        buf_trunc(path, before);
    }
}

/* ---- bytes */

static bool is_base64(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' ||
           c == '/';
}

/* Where Go's decoder stops, or -1. */
static ssize_t bad_base64(str s)
{
    size_t digits = 0, i = 0;

    for (; i < s.len && (is_base64(s.p[i]) || s.p[i] == '\n' || s.p[i] == '\r'); i++)
        digits += is_base64(s.p[i]);
    if (i == s.len)
        return digits % 4 ? (ssize_t)(s.len - digits % 4) : -1;
    if (s.p[i] != '=' || digits % 4 < 2)
        return (ssize_t)i;
    if (digits % 4 == 2 && ++i < s.len && s.p[i] != '=')
        return (ssize_t)i;
    for (i++; i < s.len && (s.p[i] == '\n' || s.p[i] == '\r'); i++)
        ;
    return i == s.len ? -1 : (ssize_t)i;
}

bool sb_typed_bad_bytes(const struct sb_kind *kind, const struct doc_node *object, size_t *ret_at)
{
    const char *field = str_eq(kind->kind, STR("Secret"))      ? "data"
                        : str_eq(kind->kind, STR("ConfigMap")) ? "binaryData"
                                                               : NULL;
    struct doc_iter it = doc_children(field ? doc_get(object, str_of(field)) : NULL);

    if (kind->is_custom || kind->group.len)
        return false;
    while (doc_next(&it)) {
        ssize_t at = bad_base64(doc_text(it.value, STR_NONE));

        if (at >= 0) {
            *ret_at = (size_t)at;
            return true;
        }
    }
    return false;
}

/* ---- requests */

static void join(const struct findings *t, const char *format_before, struct buf *out)
{
    for (size_t i = 0; i < t->unknown.len; i++)
        buf_addf(out, "%s%s\"%.*s\"", i ? ", " : "", format_before, STR_ARG(t->unknown.v[i]));
}

/* What a patch makes is Invalid, what was sent is a BadRequest. */
static int fail_decoding(struct sb_req *r, const struct sb_kind *kind, str why)
{
    return sb_fail(r, r->verb == SB_PATCH ? 422 : 400, NULL,
                   "%.*s in version \"%.*s\" cannot be handled as a %.*s: %.*s",
                   STR_ARG(kind->kind), STR_ARG(kind->version), STR_ARG(kind->kind), STR_ARG(why));
}

int sb_typed_admit(struct sb_req *r, const struct sb_kind *kind, struct doc_node *object)
{
    AUTO(findings_done) struct findings t = {.set = r->set};
    AUTO(buf_done) struct buf path = {0};
    const struct sb_pb_root *known =
        kind->is_custom ? NULL : sb_pb_root_of(kind->group, kind->version, kind->kind);
    struct sb_pb_field whole = {.type = SB_PB_MESSAGE, .how = SB_PB_POINTER};
    str validation = sb_param(r, "fieldValidation");
    struct sb_type root = sb_type_root(kind);
    size_t at;

    if (known)
        whole.message = known->message;
    check(&root, known ? &whole : NULL, object, &path, &t);
    if (!t.mismatch.len && sb_typed_bad_bytes(kind, object, &at))
        t.mismatch = arena_printf(&t.arena, "illegal base64 data at input byte %zu", at);
    if (t.mismatch.len)
        return fail_decoding(r, kind, t.mismatch);
    if (t.unknown.len == 0 || str_eq(validation, STR("Ignore")))
        return 0;
    if (str_eq(validation, STR("Strict"))) {
        AUTO(buf_done) struct buf text = {0};

        buf_add_cstr(&text, "strict decoding error: ");
        join(&t, "unknown field ", &text);
        return fail_decoding(r, kind, buf_view(&text));
    }
    for (size_t i = 0; i < t.unknown.len && i < ARRAY_LEN(r->warnings); i++)
        r->warnings[r->warning_count++] =
            arena_printf(&r->arena, "unknown field \"%.*s\"", STR_ARG(t.unknown.v[i]));
    return 0;
}
