/* From rendered files to manifests and hooks in install order (helm spec 6, 7). */
#include <ctype.h>

#include "chart/read_priv.h"
#include "chart/render_priv.h"
#include "chart/yaml.h"
#include "sys/thread.h"

static const char install_order[][32] = {
    "PriorityClass",
    "Namespace",
    "NetworkPolicy",
    "ResourceQuota",
    "LimitRange",
    "PodSecurityPolicy",
    "PodDisruptionBudget",
    "ServiceAccount",
    "Secret",
    "SecretList",
    "ConfigMap",
    "StorageClass",
    "PersistentVolume",
    "PersistentVolumeClaim",
    "CustomResourceDefinition",
    "ClusterRole",
    "ClusterRoleList",
    "ClusterRoleBinding",
    "ClusterRoleBindingList",
    "Role",
    "RoleList",
    "RoleBinding",
    "RoleBindingList",
    "Service",
    "DaemonSet",
    "Pod",
    "ReplicationController",
    "ReplicaSet",
    "Deployment",
    "HorizontalPodAutoscaler",
    "StatefulSet",
    "Job",
    "CronJob",
    "IngressClass",
    "Ingress",
    "APIService",
    "MutatingWebhookConfiguration",
    "ValidatingWebhookConfiguration",
};
static const char hook_events[][16] = {
    "pre-install",  "post-install", "pre-delete",    "post-delete", "pre-upgrade",
    "post-upgrade", "pre-rollback", "post-rollback", "test",        "test-success",
};

/* ---- documents */

/* The offset of the next line that begins with "---", or the end. */
static size_t next_divider(str text)
{
    for (size_t at = 0; at < text.len;) {
        const char *end = memchr(text.p + at, '\n', text.len - at);

        if (str_starts(str_from(text, at), STR("---")))
            return at;
        at = end ? (size_t)(end - text.p) + 1 : text.len;
    }
    return text.len;
}

static str trim_left(str s)
{
    while (s.len && isspace((unsigned char)s.p[0]))
        s = str_from(s, 1);
    return s;
}

bool chart_next_document(str *rest, str *ret)
{
    while (rest->len) {
        size_t end = next_divider(*rest);
        str part = str_sub(*rest, 0, end);

        *rest = str_from(*rest, end + 3);
        part = trim_left(part);
        if (part.len) {
            *ret = part;
            return true;
        }
    }
    return false;
}

/* ---- what a document is */

/* What the JSON of a document cannot be read into; want: the place and its type. */
static int fail_head(str path, const struct doc_node *n, const char *want, struct err *e)
{
    static const char names[][7] = {"null", "bool", "number", "string", "array", "object", ""};

    return err_set(e, ERR_INVALID,
                   "YAML parse error on %.*s: error unmarshaling JSON: while decoding JSON: json: "
                   "cannot unmarshal %s into Go %s",
                   STR_ARG(path), names[doc_type(n)], want);
}

static bool holds_more(const struct doc_node *n) { return doc_is_map(n) || doc_is_list(n); }

static bool is_no_map(const struct doc_node *n) { return !doc_is_map(n) && !doc_is_null(n); }

/* A field of a head: its name counts in any case, the last one in the order of bytes before others,
 * as Go reads the sorted JSON of the document. */
static const struct doc_node *head_field(const struct doc_node *map, str name)
{
    const struct doc_node *found = doc_get(map, name);
    struct doc_iter it = doc_children(map);
    str key = STR_NONE;

    while (!found && doc_is_map(map) && doc_next(&it))
        if (it.key.len == name.len && str_eq_nocase(it.key, name) &&
            (!key.p || str_cmp(it.key, key) > 0))
            key = it.key;
    return key.p ? doc_get(map, key) : found;
}
#define HEAD_FIELD(map, name) head_field(map, STR(name))

/* Scalars are read as texts, whatever they are. */
static int check_metadata(str path, const struct doc_node *metadata, struct err *e)
{
    const struct doc_node *annotations = HEAD_FIELD(metadata, "annotations");
    const struct doc_node *name = HEAD_FIELD(metadata, "name");
    struct doc_iter it = doc_children(annotations);

    if (is_no_map(metadata))
        return fail_head(path, metadata,
                         "struct field SimpleHead.metadata of type struct { Name string "
                         "\"json:\\\"name\\\"\"; Annotations map[string]string "
                         "\"json:\\\"annotations\\\"\" }",
                         e);
    if (is_no_map(annotations))
        return fail_head(path, annotations,
                         "struct field .metadata.annotations of type map[string]string", e);
    while (doc_next(&it))
        if (holds_more(it.value))
            return fail_head(path, it.value, "struct field .metadata.annotations of type string",
                             e);
    return holds_more(name) ? fail_head(path, name, "struct field .metadata.name of type string", e)
                            : 0;
}

static int check_head(str path, const struct doc_node *root, struct err *e)
{
    const struct doc_node *version = HEAD_FIELD(root, "apiVersion");
    const struct doc_node *kind = HEAD_FIELD(root, "kind");

    if (is_no_map(root))
        return fail_head(path, root, "value of type util.SimpleHead", e);
    if (holds_more(version))
        return fail_head(path, version, "struct field SimpleHead.apiVersion of type string", e);
    if (holds_more(kind))
        return fail_head(path, kind, "struct field SimpleHead.kind of type string", e);
    return check_metadata(path, HEAD_FIELD(root, "metadata"), e);
}

/* The text of an annotation, which may stand there as a number; STR_NONE: it is not there. */
static str annotation_of(const struct doc_node *metadata, str name, struct buf *number)
{
    const struct doc_node *n = doc_get(HEAD_FIELD(metadata, "annotations"), name);

    return n ? chart_scalar_text(n, number) : STR_NONE;
}

static bool is_event(str word)
{
    for (size_t i = 0; i < ARRAY_LEN(hook_events); i++)
        if (str_eq(word, str_of(hook_events[i])))
            return true;
    return false;
}

/* The events in lower case; false when one of them is unknown. */
static bool read_events(struct arena *arena, str text, str *ret)
{
    AUTO(buf_done) struct buf out = {0};

    for (str rest = text; rest.p;) {
        str word = str_trim(str_cut(rest, ',', &rest));
        size_t at = out.len;

        buf_add_str(&out, word);
        for (size_t i = at; i < out.len; i++)
            out.p[i] = (char)tolower((unsigned char)out.p[i]);
        if (!is_event(str_from(buf_view(&out), at)))
            return false;
        if (rest.p)
            buf_add_char(&out, ',');
    }
    *ret = arena_dup(arena, buf_view(&out));
    return true;
}

/* ---- reading the documents of many outputs, side by side */

struct part {
    VEC(struct chart_manifest) found; /* in the order of the output */
};
struct worker {
    struct doc_set *scratch; /* of one document at a time */
    struct arena arena;      /* kinds, names and events */
};
struct reading {
    const struct chart_files *outputs;
    struct part *parts; /* by output */
    struct worker workers[THREAD_EACH_MOST];
};

static void reading_done(struct reading *r)
{
    for (size_t i = 0; r->parts && i < r->outputs->len; i++)
        vec_done(&r->parts[i].found);
    mem_free(r->parts);
    for (size_t i = 0; i < ARRAY_LEN(r->workers); i++) {
        doc_set_free(r->workers[i].scratch);
        arena_done(&r->workers[i].arena);
    }
}
AUTO_VALUE(struct reading, reading_done)

/* is_last: a NUL follows the text. */
static int read_document(struct worker *w, str path, str text, bool is_last, struct part *ret,
                         struct err *e)
{
    struct doc_node *root = is_last ? chart_parse_yaml_view(w->scratch, text, e)
                                    : chart_parse_yaml(w->scratch, text, e);
    struct chart_manifest m = {.path = path, .text = text};
    const struct doc_node *metadata = HEAD_FIELD(root, "metadata");
    AUTO(buf_done) struct buf hook_number = {0}, weight_number = {0};
    str hook;

    if (e->kind != ERR_NONE)
        return err_wrap(e, "YAML parse error on %.*s", STR_ARG(path));
    if (check_head(path, root, e) < 0)
        return -1;
    m.kind = arena_dup(&w->arena, doc_text(HEAD_FIELD(root, "kind"), STR("")));
    m.name = arena_dup(&w->arena, doc_text(HEAD_FIELD(metadata, "name"), STR("")));
    hook = annotation_of(metadata, STR("helm.sh/hook"), &hook_number);
    if (hook.p && !str_to_int64(annotation_of(metadata, STR("helm.sh/hook-weight"), &weight_number),
                                &m.weight))
        m.weight = 0;
    if (!hook.p || read_events(&w->arena, hook, &m.hooks))
        vec_push(&ret->found, m);
    return 0;
}

static int read_output(void *ctx, size_t at, unsigned worker, struct err *e)
{
    struct reading *r = ctx;
    struct worker *w = &r->workers[worker];
    const struct chart_file *output = &r->outputs->v[at];
    str text, rest = output->text;
    const char *end = rest.p + rest.len;

    if (!w->scratch)
        w->scratch = doc_set_new();
    while (chart_next_document(&rest, &text)) {
        if (read_document(w, output->name, text, text.p + text.len == end, &r->parts[at], e) < 0)
            return -1;
        doc_set_clear(w->scratch);
    }
    return 0;
}

static void take_manifest(const struct chart_manifest *m, struct chart_release *ret)
{
    if (m->hooks.p)
        vec_push(&ret->hooks, *m);
    else
        vec_push(&ret->manifests, *m);
}

static int read_outputs(struct doc_set *set, const struct chart_files *outputs,
                        struct chart_release *ret, struct err *e)
{
    enum { WORTH_A_THREAD = 128 << 10 };
    AUTO(reading_done) struct reading r = {.outputs = outputs};
    size_t bytes = 0;

    r.parts = mem_zalloc(outputs->len * sizeof(*r.parts));
    for (size_t i = 0; i < outputs->len; i++)
        bytes += outputs->v[i].text.len;
    if (thread_each("manifests", outputs->len, bytes / WORTH_A_THREAD, read_output, &r, e) < 0)
        return -1;
    for (size_t i = 0; i < outputs->len; i++)
        for (size_t k = 0; k < r.parts[i].found.len; k++)
            take_manifest(&r.parts[i].found.v[k], ret);
    for (size_t i = 0; i < ARRAY_LEN(r.workers); i++)
        arena_join(&set->arena, &r.workers[i].arena);
    return 0;
}

/* ---- order */

static size_t rank_of(str kind)
{
    size_t i = 0;

    while (i < ARRAY_LEN(install_order) && !str_eq(kind, str_of(install_order[i])))
        i++;
    return i;
}

struct ranked {
    struct chart_manifest manifest;
    size_t rank;
};

static int compare(const struct ranked *a, const struct ranked *b)
{
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return a->rank == ARRAY_LEN(install_order) ? str_cmp(a->manifest.kind, b->manifest.kind) : 0;
}

/* Stable: those of one kind stay in the order of their files. */
static void sort_stable(struct ranked *v, struct ranked *spare, size_t count)
{
    size_t half = count / 2, a = 0, b = half;

    if (count < 2)
        return;
    sort_stable(v, spare, half);
    sort_stable(v + half, spare, count - half);
    for (size_t i = 0; i < count; i++)
        spare[i] = a < half && (b == count || compare(&v[a], &v[b]) <= 0) ? v[a++] : v[b++];
    memcpy(v, spare, count * sizeof(*v));
}

static void sort_manifests(struct chart_manifest *v, size_t count)
{
    struct ranked *ranked = mem_alloc(2 * count * sizeof(*ranked));

    for (size_t i = 0; i < count; i++)
        ranked[i] = (struct ranked){v[i], rank_of(v[i].kind)};
    sort_stable(ranked, ranked + count, count);
    for (size_t i = 0; i < count; i++)
        v[i] = ranked[i].manifest;
    mem_free(ranked);
}

int chart_sort_manifests(struct doc_set *set, const struct chart_files *outputs,
                         struct chart_release *ret, struct err *e)
{
    if (read_outputs(set, outputs, ret, e) < 0)
        return -1;
    sort_manifests(ret->manifests.v, ret->manifests.len);
    sort_manifests(ret->hooks.v, ret->hooks.len);
    return 0;
}

bool chart_is_test(const struct chart_manifest *hook)
{
    for (str rest = hook->hooks; rest.p;) {
        str word = str_cut(rest, ',', &rest);

        if (str_eq(word, STR("test")) || str_eq(word, STR("test-success")))
            return true;
    }
    return false;
}
