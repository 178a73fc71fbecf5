/* Writing KRM functions in C: a program that reads a ResourceList from standard input and writes
 * one to standard output (KRM Functions Specification v1).
 *
 *     #include <grapnel/fn.h>
 *
 *     static int run(gfn_ctx *ctx)
 *     {
 *         gfn_iter it = gfn_items(ctx);
 *
 *         while (gfn_next(&it))
 *             if (gfn_is(it.node, "apps", "Deployment"))
 *                 gfn_set_int(it.node, "spec.replicas", 3);
 *         return 0;
 *     }
 *     int main(int argc, char **argv)
 *     {
 *         static const gfn_desc desc = {.name = "three", .summary = "sets replicas", .run = run};
 *         return gfn_main(argc, argv, &desc);
 *     }
 *
 *     cc three.c $(pkg-config --cflags --libs grapnel-fn)
 *
 * A context (gfn_ctx) owns everything: items, configuration, results, every text a function of this
 * header returns. All of it lives until gfn_free, which gfn_main calls. Nodes are small handles,
 * passed by value; a handle to nothing (gfn_exists is false) may be given to every function, reads
 * as nothing, and setting it is an error, so lookups chain. No function stops the program, except
 * when memory runs out. One thread at a time per context; there are no globals.
 *
 * What stays: comments, styles, the order of keys, whatever a function does not touch. Setting a
 * value equal to the old one changes nothing. New fields go to the end of their mapping. What
 * returns int gives 0, or -1 after it added a result of severity error that names the place, so
 * that `return gfn_set_str(...)` is enough; texts go in and out as UTF-8 that ends in a NUL. */
#ifndef GRAPNEL_FN_H
#define GRAPNEL_FN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#define GFN_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define GFN_PRINTF(fmt, args)
#endif

typedef struct gfn_ctx gfn_ctx;

/* A value in an item or in the configuration: mapping, list or scalar. */
typedef struct gfn_node {
    gfn_ctx *ctx;
    void *at; /* NULL: nothing */
} gfn_node;

enum gfn_type { GFN_NONE, GFN_NULL, GFN_BOOL, GFN_NUMBER, GFN_STRING, GFN_LIST, GFN_MAP };
enum gfn_style { GFN_PLAIN, GFN_SINGLE, GFN_DOUBLE, GFN_LITERAL, GFN_FOLDED, GFN_FLOW };
enum gfn_severity { GFN_ERROR, GFN_WARNING, GFN_INFO };

/* ---- the program */

/* A kind of functionConfig, for instance {"v1", "ConfigMap"}. */
typedef struct gfn_kind_of {
    const char *api_version, *kind;
} gfn_kind_of;

typedef struct gfn_desc {
    const char *name;    /* "set-labels" */
    const char *summary; /* one line */
    const char *doc;     /* what --help prints below the summary */
    /* Changes the items. Anything but 0 is failure: return gfn_fail(ctx, "why"). */
    int (*run)(gfn_ctx *ctx);
    const gfn_kind_of *kinds; /* kinds of functionConfig that are understood; NULL: not checked */
    size_t kind_count;
    bool is_config_optional; /* with kinds: may be missing */
} gfn_desc;

/* All a main needs. Reads standard input, runs, writes standard output: exit status 0, or 1 when
 * the function failed or a result is an error; the results are written all the same. `--help`
 * prints the documentation. With a directory (and --fn-config FILE or key=value arguments) it has
 * `grapnel fn eval` run this program on the directory. */
int gfn_main(int argc, char **argv, const gfn_desc *d);

/* The parts of gfn_main, for tests and for other programs around a function. gfn_read never gives
 * NULL; when the text is no ResourceList the error is a result and gfn_has_failed is true. */
gfn_ctx *gfn_read(const char *text, size_t len);
int gfn_run(gfn_ctx *ctx, const gfn_desc *d); /* checks the kind of functionConfig, then runs */
const char *gfn_write(gfn_ctx *ctx, size_t *ret_len); /* the ResourceList as YAML */
bool gfn_has_failed(const gfn_ctx *ctx);              /* is there a result of severity error? */
void gfn_free(gfn_ctx *ctx);                          /* NULL is fine */

/* ---- items */

/* gfn_iter it = gfn_items(ctx); while (gfn_next(&it)) use(it.node);
 * The current one may be removed, others may be added: they are met too. */
typedef struct gfn_iter {
    gfn_node node;
    size_t index; /* of node */
    gfn_node of;
    void *next;
    size_t left;
} gfn_iter;
gfn_iter gfn_items(gfn_ctx *ctx);
bool gfn_next(gfn_iter *it);
size_t gfn_item_count(gfn_ctx *ctx);
gfn_node gfn_item(gfn_ctx *ctx, size_t index);
gfn_node gfn_add_item(gfn_ctx *ctx, gfn_node object); /* at the end; a copy when it has a place */
int gfn_remove_item(gfn_ctx *ctx, gfn_node item);
int gfn_replace_item(gfn_ctx *ctx, gfn_node item, gfn_node with);
/* The first item of a group, kind, namespace and name (NULL: any); found through an index of the
 * items as they were when it was first asked for, until gfn_forget_index. */
gfn_node gfn_find(gfn_ctx *ctx, const char *group, const char *kind, const char *ns,
                  const char *name);
void gfn_forget_index(gfn_ctx *ctx);

/* ---- results */

/* Adds a result. object may be nothing; path (may be NULL) is the field in it. */
int gfn_result(gfn_ctx *ctx, enum gfn_severity severity, gfn_node object, const char *path,
               const char *fmt, ...) GFN_PRINTF(5, 6);
/* Completes the last result: values are copied, nothing leaves a field out. */
void gfn_result_values(gfn_ctx *ctx, gfn_node current, gfn_node proposed);
void gfn_result_tag(gfn_ctx *ctx, const char *key, const char *value);
void gfn_result_file(gfn_ctx *ctx, const char *path, int64_t index);
/* A result of severity error about no object; returns -1. */
int gfn_fail(gfn_ctx *ctx, const char *fmt, ...) GFN_PRINTF(2, 3);
gfn_node gfn_results(gfn_ctx *ctx); /* the list so far */

/* ---- configuration */

gfn_node gfn_config(gfn_ctx *ctx); /* functionConfig, or nothing */
/* data[key] of a ConfigMap as text, a number as it is written; NULL when it is not there. */
const char *gfn_config_map(gfn_ctx *ctx, const char *key);
/* Where the arguments are: `data` of a v1 ConfigMap, else the configuration itself. */
gfn_node gfn_config_fields(gfn_ctx *ctx);
bool gfn_config_is(gfn_ctx *ctx, const char *kind);

typedef struct gfn_field {
    const char *name;   /* a field of gfn_config_fields */
    enum gfn_type type; /* GFN_NONE: any; GFN_STRING: any scalar */
    bool is_required;   /* missing, null and empty text are errors */
} gfn_field;
/* Every field must be in the table, every required one there: an error result for each that is not.
 * -1 when there was one. */
int gfn_config_strict(gfn_ctx *ctx, const gfn_field *table, size_t count);

/* ---- reading values */

static inline bool gfn_exists(gfn_node n) { return n.at != NULL; }
static inline gfn_node gfn_nothing(gfn_ctx *ctx)
{
    gfn_node n = {ctx, NULL};
    return n;
}
enum gfn_type gfn_type(gfn_node n);
static inline bool gfn_is_map(gfn_node n) { return gfn_type(n) == GFN_MAP; }
static inline bool gfn_is_list(gfn_node n) { return gfn_type(n) == GFN_LIST; }
bool gfn_is_scalar(gfn_node n);                      /* null is one */
size_t gfn_len(gfn_node n);                          /* of a list or mapping, else 0 */
gfn_iter gfn_children(gfn_node n);                   /* fields of a mapping, items of a list */
const char *gfn_key(gfn_node field);                 /* of a field of a mapping, else "" */
const char *gfn_text(gfn_node scalar);               /* "" for what is none */
bool gfn_text_is(gfn_node scalar, const char *text); /* a scalar of this text */
const char *gfn_yaml(gfn_node n);                    /* as YAML text */
bool gfn_equal(gfn_node a, gfn_node b); /* values; order of keys, styles, comments do not count */

/* A path: keys divided by dots, [N] the Nth item of a list, [key=value] the first item whose field
 * has the value, \. a dot inside a key, ["a.b"] a key as it is. "" is the node itself. */
gfn_node gfn_get(gfn_node n, const char *path);
gfn_node gfn_child(gfn_node map, const char *key); /* the field of this very name */
const char *gfn_get_str(gfn_node n, const char *path, const char *fallback); /* any scalar's text */
int64_t gfn_get_int(gfn_node n, const char *path, int64_t fallback);
bool gfn_get_bool(gfn_node n, const char *path, bool fallback);
gfn_node gfn_get_list(gfn_node n, const char *path); /* nothing when it is no list */

/* Visits a node and everything in it, parents first. path is the way from where the walk began and
 * lives until the visitor returns, which may change the node and what is in it. */
enum gfn_walk { GFN_WALK_ON, GFN_WALK_SKIP /* not into this node */, GFN_WALK_END = -1 };
typedef int gfn_walk_fn(void *user, gfn_node node, const char *path);
int gfn_walk(gfn_node n, gfn_walk_fn *visit, void *user); /* GFN_WALK_END when a visitor said so */

/* ---- changing values */

/* Missing mappings on the way are made; [N] may be the length of its list. A scalar keeps its
 * comments, and its quotes if it had some. */
int gfn_set_str(gfn_node n, const char *path, const char *text);
int gfn_set_int(gfn_node n, const char *path, int64_t value);
int gfn_set_bool(gfn_node n, const char *path, bool value);
/* The value as a person would type it: 5 becomes a number, unless the field is quoted. */
int gfn_set_plain(gfn_node n, const char *path, const char *text);
/* The value takes the place of what is there, comments included; a copy when it has a place, and
 * else not to be used afterwards. */
int gfn_set_node(gfn_node n, const char *path, gfn_node value);
int gfn_delete(gfn_node n, const char *path);          /* 0 also when there was nothing */
gfn_node gfn_ensure_map(gfn_node n, const char *path); /* nothing, and an error, if not a mapping */
gfn_node gfn_set_child(gfn_node map, const char *key, gfn_node value); /* the field of this name */
gfn_node gfn_append(gfn_node list, gfn_node value);
void gfn_clear(gfn_node collection);                  /* takes everything out of it */
void gfn_set_style(gfn_node n, enum gfn_style style); /* collections: GFN_PLAIN is block style */
enum gfn_style gfn_style(gfn_node n);

gfn_node gfn_new_map(gfn_ctx *ctx);
gfn_node gfn_new_list(gfn_ctx *ctx);
gfn_node gfn_new_str(gfn_ctx *ctx, const char *text);
gfn_node gfn_new_int(gfn_ctx *ctx, int64_t value);
gfn_node gfn_new_bool(gfn_ctx *ctx, bool value);
gfn_node gfn_new_plain(gfn_ctx *ctx, const char *text); /* as a person would type it */
gfn_node gfn_copy(gfn_ctx *ctx, gfn_node n);
gfn_node gfn_parse(gfn_ctx *ctx, const char *yaml); /* nothing when it is not one YAML document */
const char *gfn_printf(gfn_ctx *ctx, const char *fmt, ...) GFN_PRINTF(2, 3);

/* Comments without '#' and the blank behind it; NULL: none. The line comment of a block list or
 * mapping is the one behind its key. Setting NULL or "" takes it away. */
const char *gfn_line_comment(gfn_node n);
const char *gfn_head_comment(gfn_node n);
const char *gfn_foot_comment(gfn_node n);
void gfn_set_line_comment(gfn_node n, const char *text);
void gfn_set_head_comment(gfn_node n, const char *text);
void gfn_set_foot_comment(gfn_node n, const char *text);

/* ---- Kubernetes objects: "" for what is missing, NULL for missing labels and annotations */

const char *gfn_api_version(gfn_node object);
const char *gfn_group(gfn_node object); /* of its apiVersion; "" for the core group */
const char *gfn_kind(gfn_node object);
const char *gfn_name(gfn_node object);
const char *gfn_namespace(gfn_node object);
const char *gfn_label(gfn_node object, const char *key);
const char *gfn_annotation(gfn_node object, const char *key);
int gfn_set_api_version(gfn_node object, const char *api_version);
int gfn_set_kind(gfn_node object, const char *kind);
int gfn_set_name(gfn_node object, const char *name);
int gfn_set_namespace(gfn_node object, const char *ns);
int gfn_set_label(gfn_node object, const char *key, const char *value); /* NULL: removes it */
int gfn_set_annotation(gfn_node object, const char *key, const char *value);
const char *gfn_path(gfn_node object); /* of its file, "" when unknown */
int64_t gfn_index(gfn_node object);    /* in its file */
bool gfn_is(gfn_node object, const char *group, const char *kind); /* NULL: any */
bool gfn_is_local_config(gfn_node object); /* annotated, with anything but "false" */
/* 1: it has a namespace, 0: it is cluster-scoped, -1: no built-in kind. */
int gfn_is_namespaced(gfn_node object);

/* ---- selecting */

typedef struct gfn_labels gfn_labels; /* a parsed label selector, owned by the context */
/* "app=web,tier in (a, b),!old"; NULL, and an error result, when it does not parse. */
const gfn_labels *gfn_labels_parse(gfn_ctx *ctx, const char *text);
typedef struct gfn_selector {
    const char *api_version, *kind, *name, *ns; /* NULL: any */
    const gfn_labels *labels, *annotations;     /* NULL: any */
} gfn_selector;
bool gfn_match(gfn_node object, const gfn_selector *s);

/* ---- tools */

/* A text that grows, owned by the context. */
typedef struct gfn_buf gfn_buf;
gfn_buf *gfn_buf_new(gfn_ctx *ctx);
void gfn_buf_clear(gfn_buf *b);
void gfn_buf_add(gfn_buf *b, const char *text);
void gfn_buf_add_part(gfn_buf *b, const char *text, size_t len);
size_t gfn_buf_len(const gfn_buf *b);
const char *gfn_buf_text(const gfn_buf *b); /* until the next change; a copy: gfn_printf */

/* Regular expressions in RE2's syntax, owned by the context; NULL, and an error result. */
typedef struct gfn_regex gfn_regex;
gfn_regex *gfn_regex_new(gfn_ctx *ctx, const char *pattern);
bool gfn_regex_match(const gfn_regex *re, const char *text); /* somewhere in the text */
size_t gfn_regex_groups(const gfn_regex *re);
/* The first match: groups[0] all of it, then its groups in parentheses, NULL for one that took no
 * part; the others of count are NULL. */
bool gfn_regex_find(const gfn_regex *re, const char *text, const char **groups, size_t count);
/* The text with every match replaced; ${1} in `with` is a group, $$ a dollar. */
const char *gfn_regex_replace(const gfn_regex *re, const char *text, const char *with);
/* A glob over paths: '*' and '?' inside a name, '**' any number of names, [a-z], {a,b}. */
bool gfn_glob(const char *pattern, const char *path);

/* Fields by kind: a path divided by '/', "\/" a slash, "name[]" must be a list; lists on the way
 * are gone through. Empty selector parts (NULL too) match anything. */
typedef struct gfn_field_spec {
    const char *group, *version, *kind, *path;
    bool create; /* make what is missing */
} gfn_field_spec;
/* Many specs for many objects; owned by the context, as are the texts of the specs. */
typedef struct gfn_fields gfn_fields;
gfn_fields *gfn_fields_new(gfn_ctx *ctx, const gfn_field_spec *specs, size_t count);
typedef int gfn_field_fn(void *user, gfn_node field); /* -1 ends */
/* Visits the fields of an object. made: the type of a last field that create makes; GFN_NONE:
 * nothing is made. */
int gfn_fields_each(gfn_fields *fields, gfn_node object, enum gfn_type made, gfn_field_fn *visit,
                    void *user);
/* Reads a list of field specs, {group, version, kind, path, create}, behind those in *specs; -1,
 * and an error result, for a bad one. */
int gfn_field_specs_read(gfn_node list, const gfn_field_spec **specs, size_t *count);
/* Where a kustomization's commonAnnotations go. */
const gfn_field_spec *gfn_annotation_fields(gfn_ctx *ctx, size_t *ret_count);

/* An entry of a kustomization's `images`: name is a pattern for whole names; parts that are not to
 * change are NULL or "". Owned by the context. */
typedef struct gfn_image gfn_image;
gfn_image *gfn_image_new(gfn_ctx *ctx, const char *name, const char *new_name, const char *new_tag,
                         const char *digest);
const char *gfn_image_apply(gfn_image *rule, const char *image); /* NULL: another image */

/* Gives an item another name; gfn_rename_done lets the references among the items follow, by the
 * built-in table of kustomize's nameReference. */
int gfn_rename(gfn_node item, const char *name);
int gfn_rename_done(gfn_ctx *ctx);

/* Carries out a list of replacements, {source, targets}, as a kustomization's are. */
int gfn_replace(gfn_ctx *ctx, gfn_node replacements);

/* Judges an object by the built-in schema of its kind, or that of a CustomResourceDefinition among
 * the items; or by a JSON Schema. 1: valid; 0: not, an error result says why, one for each problem;
 * -1: there is no schema for it. is_strict: unknown fields are problems. */
int gfn_validate(gfn_node object, bool is_strict);
int gfn_validate_by(gfn_node object, gfn_node schema, bool is_strict);

/* Puts the fields of a mapping in the order of compare. */
void gfn_sort(gfn_node map, int (*compare)(const char *a, const char *b));
void gfn_touch(gfn_node n); /* is written anew, not as it stood in its file */

#ifdef __cplusplus
}
#endif
#endif
