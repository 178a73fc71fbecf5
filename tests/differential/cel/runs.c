/* Evaluates CEL expressions as peer/main.go does, line for line. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/escape.h"
#include "doc/emit.h"
#include "doc/parse.h"
#include "expr/cel/cel_priv.h"

static struct doc_node *tagged(struct doc_set *set, struct arena *a, const struct cel_value *v);

static struct doc_node *double_node(struct doc_set *set, double d)
{
    AUTO(buf_done) struct buf text = {0};

    if (isnan(d) || isinf(d))
        cel_add_double(d, &text);
    else
        buf_addf(&text, "%.17e", d);
    return doc_new_string(set, buf_view(&text));
}

static struct doc_node *list_node(struct doc_set *set, struct arena *a, const struct cel_list *list)
{
    struct doc_node *out = doc_new_list(set);

    for (size_t i = 0; i < list->len; i++)
        doc_append(out, tagged(set, a, &list->v[i]));
    return out;
}

static struct doc_node *map_node(struct doc_set *set, struct arena *a, const struct cel_map *map)
{
    const struct cel_entry *entries = cel_map_entries(a, map);
    struct doc_node *out = doc_new_list(set);
    size_t len = cel_map_len(map);

    for (size_t i = 0; i < len; i++) {
        struct doc_node *pair = doc_new_list(set);

        doc_append(pair, tagged(set, a, &entries[i].key));
        doc_append(pair, tagged(set, a, &entries[i].value));
        doc_append(out, pair);
    }
    return out;
}

static struct doc_node *text_node(struct doc_set *set, const struct cel_value *v)
{
    AUTO(buf_done) struct buf text = {0};

    if (v->kind == CEL_BYTES)
        escape_base64(v->s, true, &text);
    else if (v->kind == CEL_TIMESTAMP)
        cel_time_print(&v->time, &text);
    else if (v->kind == CEL_UINT)
        buf_addf(&text, "%llu", (unsigned long long)v->u);
    else
        buf_addf(&text, "%lld", (long long)v->i);
    return doc_new_string(set, buf_view(&text));
}

static struct doc_node *untagged(struct doc_set *set, struct arena *a, const struct cel_value *v,
                                 const char **ret_tag)
{
    static const char *const tags[] = {
        [CEL_ERROR] = "error",   [CEL_NULL] = "null",           [CEL_BOOL] = "bool",
        [CEL_INT] = "int",       [CEL_UINT] = "uint",           [CEL_DOUBLE] = "double",
        [CEL_STRING] = "string", [CEL_BYTES] = "bytes",         [CEL_LIST] = "list",
        [CEL_MAP] = "map",       [CEL_TIMESTAMP] = "timestamp", [CEL_DURATION] = "duration",
        [CEL_TYPE] = "type",     [CEL_OPTIONAL] = "optional",   [CEL_OBJECT] = "object",
    };

    *ret_tag = tags[v->kind];
    switch (v->kind) {
    case CEL_ERROR:
        return doc_new_string(set, v->error->text);
    case CEL_NULL:
        return doc_new_bool(set, true);
    case CEL_BOOL:
        return doc_new_bool(set, v->b);
    case CEL_DOUBLE:
        return double_node(set, v->d);
    case CEL_STRING:
        return doc_new_string(set, v->s);
    case CEL_LIST:
        return list_node(set, a, v->list);
    case CEL_MAP:
        return map_node(set, a, v->map);
    case CEL_TYPE:
        return doc_new_string(set, cel_type_runtime_name(v->type));
    case CEL_OPTIONAL:
        return v->inner ? tagged(set, a, v->inner) : doc_new_null(set);
    case CEL_OBJECT:
        return doc_new_string(set, str_of(v->object->class->name));
    case CEL_INT:
    case CEL_UINT:
    case CEL_BYTES:
    case CEL_TIMESTAMP:
    case CEL_DURATION:
        return text_node(set, v);
    }
    return NULL;
}

/* A value with its type, as peer/tagged.go has it. */
static struct doc_node *tagged(struct doc_set *set, struct arena *a, const struct cel_value *v)
{
    struct doc_node *out = doc_new_map(set);
    const char *tag;
    struct doc_node *value = untagged(set, a, v, &tag);

    doc_set_field(set, out, str_of(tag), value);
    return out;
}

struct input {
    struct arena *arena;
    const struct doc_node *self;
};

static bool look_up(void *ctx, str name, struct cel_value *ret)
{
    const struct input *input = ctx;
    const struct doc_node *n = str_eq(name, STR("self")) ? input->self : doc_get(input->self, name);

    if (!n)
        return false;
    *ret = cel_of_node(input->arena, n);
    if (str_eq(name, STR("u")))
        *ret = cel_make_uint((uint64_t)ret->i);
    return true;
}

static void put(struct doc_set *set, struct doc_node *out, const char *key, str text)
{
    doc_set_field(set, out, str_of(key), doc_new_string(set, text));
}

static void evaluate(const struct cel_program *program, const struct doc_node *self,
                     struct doc_set *set, struct doc_node *out)
{
    AUTO(arena_done) struct arena arena = {0};
    AUTO(buf_done) struct buf type = {0};
    struct input input = {&arena, self};
    struct cel_value value = cel_eval(program, look_up, &input, &arena);

    cel_program_type(program, &type);
    put(set, out, "type", buf_view(&type));
    if (value.kind == CEL_ERROR) {
        put(set, out, "stage", STR("run"));
        put(set, out, "error", value.error->text);
    } else {
        doc_set_field(set, out, STR("value"), tagged(set, &arena, &value));
    }
}

static void answer(struct cel_env *const env[2], const struct doc_node *self, str line)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(err_done) struct err e = {0};
    AUTO(cel_program_free) struct cel_program *program = NULL;
    AUTO(buf_done) struct buf text = {0};
    struct doc_node *out = doc_new_map(set);
    struct doc_node *question = doc_parse_json(set, line, "line", &e);
    bool is_kubernetes = doc_bool(doc_get_lit(question, "kubernetes"), false);

    program = question ? cel_compile(env[is_kubernetes],
                                     doc_string(doc_get_lit(question, "expr"), STR_NONE), NULL, &e)
                       : NULL;
    if (program) {
        evaluate(program, self, set, out);
    } else {
        put(set, out, "stage", STR("compile"));
        put(set, out, "error", str_of(err_text(&e)));
    }
    doc_emit_json(out, 0, &text);
    printf("%s\n", buf_cstr(&text));
    (void)fflush(stdout);
}

static struct cel_env *environment(unsigned flags)
{
    static const char *const variables[][2] = {
        {"self", "dyn"},
        {"b", "bool"},
        {"i", "int"},
        {"u", "uint"},
        {"d", "double"},
        {"s", "string"},
        {"l", "list(int)"},
        {"ls", "list(string)"},
        {"m", "map(string, int)"},
        {"unset", "int"},
        {"vars", "map(string, string)"},
    };
    struct cel_env *env = cel_env_new(flags, STR_NONE);

    for (size_t i = 0; i < ARRAY_LEN(variables); i++) {
        AUTO(err_done) struct err e = {0};

        if (cel_env_declare(env, str_of(variables[i][0]), str_of(variables[i][1]), &e) < 0)
            abort();
    }
    return env;
}

int main(void)
{
    AUTO(cel_env_free) struct cel_env *wide = environment(0);
    AUTO(cel_env_free) struct cel_env *narrow = environment(CEL_STRICT | CEL_KUBERNETES);
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(err_done) struct err e = {0};
    struct cel_env *const env[2] = {wide, narrow};
    struct doc_node *self = NULL;
    char *line = NULL;
    size_t size = 0;
    ssize_t len;

    while ((len = getline(&line, &size, stdin)) > 0) {
        str text = {line, (size_t)len};

        if (self)
            answer(env, self, text);
        else if (!(self = doc_parse_json(set, text, "self", &e)))
            break;
    }
    free(line);
    return self ? 0 : 1;
}
