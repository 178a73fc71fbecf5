#include "res/openapi.h"

#include "base/mem.h"
#include "res/schema_priv.h"

static const struct res_table *const table = &res_kubernetes_table;

static str word(uint32_t offset) { return str_of(table->words + offset); }

void res_openapi_done(struct res_openapi *o)
{
    mem_free(o->wanted);
    o->wanted = NULL;
}

/* ---- what is asked for, and what that refers to */

typedef VEC(uint16_t) row_vec;

static void want_row(struct res_openapi *o, uint16_t row, row_vec *open)
{
    if (o->wanted[row])
        return;
    o->wanted[row] = true;
    vec_push(open, row);
}

/* Below lists and maps stands a definition, or a value that needs none. */
static void want_place(struct res_openapi *o, uint16_t shape, row_vec *open)
{
    while (!table->references[shape].definition && table->shapes[shape].child)
        shape = table->shapes[shape].child;
    if (table->references[shape].definition)
        want_row(o, (uint16_t)(table->references[shape].definition - 1), open);
}

static void want(struct res_openapi *o, uint16_t row)
{
    row_vec open = {0};

    if (!o->wanted)
        o->wanted = mem_zalloc(table->definition_count * sizeof(bool));
    want_row(o, row, &open);
    while (open.len) {
        const struct res_shape *s = &table->shapes[table->definitions[open.v[--open.len]].shape];

        for (size_t i = 0; i < s->field_count; i++)
            want_place(o, table->fields[s->first_field + i].shape, &open);
    }
    vec_done(&open);
}

bool res_openapi_want(struct res_openapi *o, str definition)
{
    uint16_t shape = (uint16_t)res_schema_definition(&table->schema, definition);

    if (!shape)
        return false;
    want(o, (uint16_t)(table->references[shape].definition - 1));
    return true;
}

bool res_openapi_want_kind(struct res_openapi *o, str group, str version, str kind)
{
    uint16_t shape = (uint16_t)res_schema_root(&table->schema, group, version, kind);

    if (!shape)
        return false;
    want(o, (uint16_t)(table->references[shape].definition - 1));
    return true;
}

/* ---- places: fields, items, values */

static void member(struct buf *out, const char *text)
{
    if (out->p[out->len - 1] != '{')
        buf_add_char(out, ',');
    buf_add_cstr(out, text);
}

static void print_format(uint16_t shape, struct buf *out)
{
    static const char names[][14] = {"",     "int32",     "int64",        "double",
                                     "byte", "date-time", "int-or-string"};
    uint8_t format = table->references[shape].format;

    if (!format)
        return;
    member(out, "\"format\":\"");
    buf_addf(out, "%s\"", names[format]);
}

static void print_list_keys(const struct res_shape *s, struct buf *out)
{
    member(out, "\"x-kubernetes-list-map-keys\":[");
    for (size_t i = 0; i < s->key_count; i++)
        buf_addf(out, "%s\"%s\"", i ? "," : "", word(table->keys[s->keys + i]).p);
    buf_add_cstr(out, "],\"x-kubernetes-list-type\":\"map\"");
}

static void print_patch_strategy(uint8_t flags, struct buf *out)
{
    static const struct {
        uint8_t flag;
        char name[12];
    } rows[] = {{RES_MERGE, "merge"}, {RES_REPLACE, "replace"}, {RES_RETAIN_KEYS, "retainKeys"}};
    bool is_first = true;

    if (!(flags & (RES_MERGE | RES_REPLACE | RES_RETAIN_KEYS)))
        return;
    member(out, "\"x-kubernetes-patch-strategy\":\"");
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        if (!(flags & rows[i].flag))
            continue;
        buf_addf(out, "%s%s", is_first ? "" : ",", rows[i].name);
        is_first = false;
    }
    buf_add_char(out, '"');
}

static void print_merging(const struct res_shape *s, struct buf *out)
{
    bool is_list = s->kind == DOC_SHAPE_LIST;

    if (s->key_count)
        print_list_keys(s, out);
    else if (is_list && (s->flags & (RES_SET | RES_ATOMIC)))
        member(out, s->flags & RES_SET ? "\"x-kubernetes-list-type\":\"set\""
                                       : "\"x-kubernetes-list-type\":\"atomic\"");
    else if (s->flags & RES_ATOMIC)
        member(out, "\"x-kubernetes-map-type\":\"atomic\"");
    if (s->merge_key) {
        member(out, "\"x-kubernetes-patch-merge-key\":\"");
        buf_addf(out, "%s\"", word(s->merge_key).p);
    }
    print_patch_strategy(s->flags, out);
}

void res_openapi_print_reference(enum res_openapi_version version, str definition, struct buf *out)
{
    buf_addf(out, "{\"$ref\":\"#/%s/%.*s\"}",
             version == RES_OPENAPI_V2 ? "definitions" : "components/schemas", STR_ARG(definition));
}

/* Before 3.1 nothing may stand beside a $ref, though version 2 of the API server has it so. */
static void print_link(const struct res_openapi *o, uint16_t row, struct buf *out)
{
    str name = word(table->definitions[row].name);

    if (o->version == RES_OPENAPI_V2) {
        buf_addf(out, "\"$ref\":\"#/definitions/%s\"", name.p);
        return;
    }
    buf_add_cstr(out, "\"allOf\":[");
    res_openapi_print_reference(o->version, name, out);
    buf_add_char(out, ']');
}

static void print_place(const struct res_openapi *o, uint16_t shape, struct buf *out)
{
    static const char types[][8] = {"",        "string", "integer", "number",
                                    "boolean", "array",  "object"};
    const struct res_shape *s = &table->shapes[shape];
    struct res_shape own = *s;
    uint16_t definition = table->references[shape].definition;

    buf_add_char(out, '{');
    if (definition) {
        print_link(o, (uint16_t)(definition - 1), out);
        own.flags &= (uint8_t)~table->shapes[table->definitions[definition - 1].shape].flags;
    } else if (s->type != RES_ANY) {
        buf_addf(out, "\"type\":\"%s\"", types[s->type]);
        print_format(shape, out);
    }
    if (!definition && s->child) {
        buf_addf(out, ",\"%s\":", s->kind == DOC_SHAPE_LIST ? "items" : "additionalProperties");
        print_place(o, s->child, out);
    }
    print_merging(&own, out);
    buf_add_char(out, '}');
}

/* ---- definitions */

static void print_required(const struct res_shape *s, struct buf *out)
{
    bool is_first = true;

    for (size_t i = 0; i < s->field_count; i++) {
        const struct res_field *f = &table->fields[s->first_field + i];

        if (!f->is_required)
            continue;
        buf_addf(out, "%s\"%s\"", is_first ? ",\"required\":[" : ",", word(f->name).p);
        is_first = false;
    }
    if (!is_first)
        buf_add_char(out, ']');
}

static void print_fields(const struct res_openapi *o, const struct res_shape *s, struct buf *out)
{
    buf_add_cstr(out, "\"type\":\"object\"");
    print_required(s, out);
    buf_add_cstr(out, ",\"properties\":{");
    for (size_t i = 0; i < s->field_count; i++) {
        const struct res_field *f = &table->fields[s->first_field + i];

        buf_addf(out, "%s\"%s\":", i ? "," : "", word(f->name).p);
        print_place(o, f->shape, out);
    }
    buf_add_char(out, '}');
}

/* Quantities and numbers or texts: a string with a format, said in the old way; the types that it
 * may have, said in the new one. */
static void print_either(const struct res_openapi *o, uint16_t shape, struct buf *out)
{
    bool is_port = table->references[shape].format == RES_INT_OR_STRING;

    if (o->version == RES_OPENAPI_V2)
        buf_add_cstr(out, "\"type\":\"string\"");
    else
        buf_add_cstr(out, is_port ? "\"oneOf\":[{\"type\":\"integer\"},{\"type\":\"string\"}]"
                                  : "\"oneOf\":[{\"type\":\"string\"},{\"type\":\"number\"}]");
    print_format(shape, out);
}

static void print_value(const struct res_openapi *o, uint16_t shape, struct buf *out)
{
    const struct res_shape *s = &table->shapes[shape];

    if (s->type == RES_ANY && s->kind == DOC_SHAPE_SCALAR) {
        print_either(o, shape, out);
        return;
    }
    if (s->type == RES_ANY) /* any JSON */
        return;
    buf_add_cstr(out, s->type == RES_STRING ? "\"type\":\"string\"" : "\"type\":\"object\"");
    print_format(shape, out);
}

static void print_kinds(uint16_t shape, struct buf *out)
{
    bool is_first = true;

    for (size_t i = 0; i < table->root_count; i++) {
        const struct res_root *r = &table->roots[i];

        if (r->shape != shape)
            continue;
        if (is_first)
            member(out, "\"x-kubernetes-group-version-kind\":[");
        buf_addf(out, "%s{\"group\":\"%s\",\"kind\":\"%s\",\"version\":\"%s\"}",
                 is_first ? "" : ",", word(r->group).p, word(r->kind).p, word(r->version).p);
        is_first = false;
    }
    if (!is_first)
        buf_add_char(out, ']');
}

static void print_definition(const struct res_openapi *o, size_t row, struct buf *out)
{
    uint16_t shape = table->definitions[row].shape;
    const struct res_shape *s = &table->shapes[shape];

    buf_addf(out, "\"%s\":{", word(table->definitions[row].name).p);
    if (s->field_count)
        print_fields(o, s, out);
    else
        print_value(o, shape, out);
    print_merging(s, out);
    print_kinds(shape, out);
    buf_add_char(out, '}');
}

void res_openapi_print(const struct res_openapi *o, struct buf *out)
{
    for (size_t i = 0; o->wanted && i < table->definition_count; i++) {
        if (!o->wanted[i])
            continue;
        if (out->p[out->len - 1] != '{')
            buf_add_char(out, ',');
        print_definition(o, i, out);
    }
}
