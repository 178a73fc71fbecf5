#include "kustomize/edit/edit.h"

#include <glob.h>

#include "doc/edit.h"
#include "doc/emit.h"
#include "doc/parse.h"
#include "kustomize/edit/edit_priv.h"
#include "sys/file.h"

enum { FILE_LIMIT = 64 << 20 };

const char *const kustomize_edit_names[3] = {"kustomization.yaml", "kustomization.yml",
                                             "Kustomization"};

static int find_file(struct kustomize_edit *edit, struct err *e)
{
    for (size_t i = 0; i < ARRAY_LEN(kustomize_edit_names); i++) {
        if (!file_exists(kustomize_edit_names[i]))
            continue;
        if (edit->path)
            return err_set(e, ERR_INVALID, "found multiple kustomization files: %s, %s", edit->path,
                           kustomize_edit_names[i]);
        edit->path = kustomize_edit_names[i];
    }
    return edit->path ? 0
                      : err_set(e, ERR_NOT_FOUND,
                                "no kustomization.yaml, kustomization.yml or Kustomization is in "
                                "this folder; 'create' makes one");
}

int kustomize_edit_parse(struct kustomize_edit *edit, struct err *e)
{
    struct doc_parse_options options = {.dialect = DOC_KUSTOMIZATION, .flags = DOC_COMMENTS};
    AUTO(doc_list_done) struct doc_list roots = {0};

    edit->set = doc_set_new();
    if (doc_parse_all(edit->set, buf_view(&edit->text), &options, edit->path, &roots, e) < 0)
        return -1;
    if (roots.len) {
        edit->root = roots.v[0];
        edit->source = edit->root->source;
    } else {
        edit->root = doc_new_map(edit->set);
        edit->is_new = true;
    }
    if (!doc_is_map(edit->root))
        return err_set(e, ERR_INVALID, "%s: a kustomization is a map", edit->path);
    return 0;
}

int kustomize_edit_open(struct kustomize_edit *ret, struct err *e)
{
    if (find_file(ret, e) < 0 || file_read(ret->path, FILE_LIMIT, &ret->text, e) < 0)
        return -1;
    return kustomize_edit_parse(ret, e);
}

void kustomize_edit_done(struct kustomize_edit *edit)
{
    doc_set_free(edit->set);
    buf_done(&edit->text);
    buf_done(&edit->notes);
}

/* A kustomization of nothing is an error; upstream always writes these two. */
static void fill_empty(struct kustomize_edit *edit)
{
    if (doc_len(edit->root))
        return;
    doc_set_string(edit->set, edit->root, STR("apiVersion"),
                   STR("kustomize.config.k8s.io/v1beta1"));
    doc_set_string(edit->set, edit->root, STR("kind"), STR("Kustomization"));
}

void kustomize_edit_print(struct kustomize_edit *edit, struct buf *out)
{
    fill_empty(edit);
    if (edit->is_new) {
        buf_add_str(out, buf_view(&edit->text));
        if (out->len && out->p[out->len - 1] != '\n')
            buf_add_char(out, '\n');
        doc_emit(edit->root, DOC_EMIT_ORDERED, out);
    } else {
        doc_edit_emit(edit->set, edit->source, &edit->root, 1, out);
    }
}

/* Whether all lines end with CR LF, as some editors of Windows leave them. */
static bool has_crlf(str text)
{
    bool has_lines = false;

    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] == '\n' && (i == 0 || text.p[i - 1] != '\r'))
            return false;
        has_lines = has_lines || text.p[i] == '\n';
    }
    return has_lines;
}

/* New lines end as the old ones do. */
static void end_lines_with_crlf(struct buf *text)
{
    AUTO(buf_done) struct buf out = {0};
    str line, rest = buf_view(text);

    while (rest.len) {
        line = str_cut(rest, '\n', &rest);
        buf_add_str(&out, line);
        if (rest.p)
            buf_add_cstr(&out, str_ends(line, STR("\r")) ? "\n" : "\r\n");
    }
    buf_done(text);
    *text = out;
    out = (struct buf){0};
}

int kustomize_edit_save(struct kustomize_edit *edit, struct err *e)
{
    AUTO(buf_done) struct buf out = {0};

    kustomize_edit_print(edit, &out);
    if (has_crlf(buf_view(&edit->text)))
        end_lines_with_crlf(&out);
    if (str_eq(buf_view(&out), buf_view(&edit->text)))
        return 0;
    return file_replace(edit->path, buf_view(&out), NULL, e);
}

struct doc_node *kustomize_edit_field(const struct doc_node *map, str name)
{
    struct doc_iter it = doc_children(doc_is_map(map) ? map : NULL);

    while (doc_next(&it))
        if (str_eq_nocase(it.key, name))
            return it.value;
    return NULL;
}

static struct doc_node *ensure(struct kustomize_edit *edit, struct doc_node *map, str name,
                               enum doc_type type, struct err *e)
{
    struct doc_node *field = kustomize_edit_field(map, name);
    str key = field ? doc_key(field) : name;

    /* an empty one is written anew, in block style */
    if (doc_is_null(field) || (doc_type(field) == type && doc_len(field) == 0))
        return doc_set_field(edit->set, map, key,
                             type == DOC_LIST ? doc_new_list(edit->set) : doc_new_map(edit->set));
    if (doc_type(field) == type)
        return field;
    err_set(e, ERR_INVALID, "%s: %.*s is no %s", edit->path, STR_ARG(name),
            type == DOC_LIST ? "list" : "map");
    return NULL;
}

struct doc_node *kustomize_edit_list(struct kustomize_edit *edit, struct doc_node *map, str name,
                                     struct err *e)
{
    return ensure(edit, map, name, DOC_LIST, e);
}

struct doc_node *kustomize_edit_map(struct kustomize_edit *edit, struct doc_node *map, str name,
                                    struct err *e)
{
    return ensure(edit, map, name, DOC_MAP, e);
}

void kustomize_edit_drop(struct doc_node *map, str name)
{
    struct doc_node *field = kustomize_edit_field(map, name);

    if (field)
        doc_remove(map, doc_key(field));
}

void kustomize_edit_drop_empty(struct doc_node *map, str name)
{
    struct doc_node *field = kustomize_edit_field(map, name);

    if (field && !doc_is_scalar(field) && doc_len(field) == 0)
        doc_remove(map, doc_key(field));
}

void kustomize_edit_text(struct kustomize_edit *edit, struct doc_node *map, str name, str text)
{
    struct doc_node *field = kustomize_edit_field(map, name);

    if (!text.len)
        kustomize_edit_drop(map, name);
    else if (!doc_is_string(field) || !str_eq(doc_string(field, STR_NONE), text))
        doc_set_string(edit->set, map, field ? doc_key(field) : name, text);
}

bool kustomize_edit_has_text(const struct doc_node *list, str text)
{
    struct doc_iter it = doc_children(list);

    while (doc_next(&it))
        if (doc_is_string(it.value) && str_eq(doc_string(it.value, STR_NONE), text))
            return true;
    return false;
}

void kustomize_edit_append(struct kustomize_edit *edit, struct doc_node *list, str text)
{
    doc_append(list, doc_new_string(edit->set, text));
}

str kustomize_edit_string(const struct doc_node *map, str name)
{
    return doc_text(kustomize_edit_field(map, name), STR_NONE);
}

void kustomize_edit_note(struct kustomize_edit *edit, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    buf_addv(&edit->notes, fmt, args);
    va_end(args);
    buf_add_char(&edit->notes, '\n');
}

void kustomize_edit_glob(struct kustomize_edit *edit, str pattern, struct str_vec *ret)
{
    const char *text = arena_dup(&edit->set->arena, pattern).p;
    glob_t found;

    if (!strpbrk(text, "*?[")) {
        vec_push(ret, str_of(text));
        return;
    }
    if (glob(text, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            vec_push(ret, arena_dup(&edit->set->arena, str_of(found.gl_pathv[i])));
        globfree(&found);
    }
}
