/* Resources as a tree of folders, or of owners. */
#include "base/map.h"
#include "doc/emit.h"
#include "fn/annotate.h"
#include "kustomize/cfg/cfg.h"

/* A line of the tree, in the arena of the set. */
struct branch {
    str text;  /* further lines of it are set below the first */
    str label; /* of a field */
    VEC(struct branch *) children;
    str folder; /* of a folder */
};

struct tree {
    struct doc_set *set;
    const struct kustomize_tree_options *options;
    VEC(struct branch *) all; /* for freeing */
    VEC(struct kustomize_path) paths;
};

static void tree_done(struct tree *t)
{
    for (size_t i = 0; i < t->all.len; i++)
        vec_done(&t->all.v[i]->children);
    for (size_t i = 0; i < t->paths.len; i++)
        kustomize_path_done(&t->paths.v[i]);
    vec_done(&t->all);
    vec_done(&t->paths);
}
AUTO_VALUE(struct tree, tree_done)

static struct branch *branch_new(struct tree *t, struct branch *parent, str text)
{
    struct branch *b = ARENA_NEW(&t->set->arena, struct branch);

    b->text = arena_dup(&t->set->arena, text);
    vec_push(&t->all, b);
    if (parent)
        vec_push(&parent->children, b);
    return b;
}

/* ---- fields */

/* "name: value", collections in one line. */
static void add_value(struct tree *t, struct branch *parent, str label, const struct doc_node *n)
{
    AUTO(buf_done) struct buf text = {0};
    struct doc_node *copy;

    buf_addf(&text, "%.*s: ", STR_ARG(label));
    if (doc_is_map(n) || doc_is_list(n)) {
        copy = doc_copy(t->set, n);
        copy->style = DOC_FLOW;
        doc_emit(copy, DOC_EMIT_KYAML, &text);
    } else if (doc_is_string(n)) {
        doc_emit(doc_new_string(t->set, doc_string(n, STR_NONE)), DOC_EMIT_SORTED, &text);
    } else {
        buf_add_str(&text, doc_text(n, STR_NONE));
    }
    branch_new(t, parent, str_trim_right(buf_view(&text), "\n"))->label =
        arena_dup(&t->set->arena, label);
}

static void add_container(struct tree *t, struct branch *parent, size_t index,
                          const struct doc_node *container)
{
    const struct str_vec *fields = &t->options->of_containers;
    AUTO(buf_done) struct buf text = {0};
    struct branch *b = NULL;

    for (size_t i = 0; i < fields->len; i++) {
        const struct doc_node *value = doc_get(container, fields->v[i]);

        if (!value)
            continue;
        if (!b) {
            buf_addf(&text, "%zu", index);
            b = branch_new(t, parent, buf_view(&text));
        }
        add_value(t, b, fields->v[i], value);
    }
}

static void add_containers(struct tree *t, struct branch *parent, const struct doc_node *item)
{
    static const char places[][30] = {"spec.containers", "spec.template.spec.containers"};
    static const char paths[][30] = {"spec/containers", "spec/template/spec/containers"};

    for (size_t i = 0; t->options->of_containers.len && i < ARRAY_LEN(places); i++) {
        struct doc_iter it = doc_children(doc_at(item, paths[i]));
        struct branch *b = NULL;
        size_t index = 0;

        while (doc_next(&it)) {
            if (!b) {
                b = branch_new(t, parent, str_of(places[i]));
                b->label = b->text;
            }
            add_container(t, b, index++, it.value);
        }
        if (b && !b->children.len)
            parent->children.len--;
    }
}

static void label_of(const struct kustomize_path *path, struct buf *out)
{
    for (size_t i = 0; i < path->parts.len; i++)
        buf_addf(out, "%s%.*s", i ? "." : "", STR_ARG(path->parts.v[i]));
}

static int by_label(const void *a, const void *b)
{
    return str_cmp((*(struct branch *const *)a)->label, (*(struct branch *const *)b)->label);
}

static void add_fields(struct tree *t, struct branch *parent, const struct doc_node *item)
{
    for (size_t i = 0; i < t->paths.len; i++) {
        const struct doc_node *value = kustomize_path_find(&t->paths.v[i], item);
        AUTO(buf_done) struct buf label = {0};

        if (!value)
            continue;
        label_of(&t->paths.v[i], &label);
        add_value(t, parent, buf_view(&label), value);
    }
    add_containers(t, parent, item);
    vec_sort(&parent->children, by_label);
}

/* ---- resources */

static str name_of(const struct doc_node *item)
{
    return doc_text(doc_at(item, "metadata/name"), STR_NONE);
}

static str ns_of(const struct doc_node *item)
{
    return doc_text(doc_at(item, "metadata/namespace"), STR_NONE);
}

static str kind_of(const struct doc_node *item)
{
    return doc_text(doc_get_lit(item, "kind"), STR_NONE);
}

static int by_id(const void *a, const void *b)
{
    const struct doc_node *x = *(struct doc_node *const *)a, *y = *(struct doc_node *const *)b;
    int order = str_cmp(ns_of(x), ns_of(y));

    if (!order)
        order = str_cmp(name_of(x), name_of(y));
    if (!order)
        order = str_cmp(kind_of(x), kind_of(y));
    if (!order) {
        int64_t i = fn_index_of(x), j = fn_index_of(y);

        order = i < j ? -1 : i > j;
    }
    return order;
}

static str file_of(const struct doc_node *item)
{
    str path = fn_path_of(item);

    return str_from(path, (size_t)(str_rfind_char(path, '/') + 1));
}

static struct branch *add_item(struct tree *t, struct branch *parent, const struct doc_node *item)
{
    AUTO(buf_done) struct buf text = {0};
    str file = t->options->by_owner ? STR_NONE : file_of(item), ns = ns_of(item);
    struct branch *b;

    buf_addf(&text, "[%.*s]  %.*s %.*s%s%.*s", STR_ARG(file.len ? file : STR("Resource")),
             STR_ARG(kind_of(item)), STR_ARG(ns), ns.len ? "/" : "", STR_ARG(name_of(item)));
    b = branch_new(t, parent, buf_view(&text));
    add_fields(t, b, item);
    return b;
}

/* ---- folders */

static str folder_of(const struct doc_node *item)
{
    str path = fn_path_of(item);
    ssize_t slash = str_rfind_char(path, '/');

    return slash < 0 ? STR_NONE : str_sub(path, 0, (size_t)slash);
}

/* What lies in a folder comes right behind it: a slash sorts before every other byte. */
static int compare_folders(str a, str b)
{
    size_t i = 0;

    while (i < a.len && i < b.len && a.p[i] == b.p[i])
        i++;
    if (i == a.len || i == b.len)
        return (i < a.len) - (i < b.len);
    if (a.p[i] == '/' || b.p[i] == '/')
        return a.p[i] == '/' ? -1 : 1;
    return (unsigned char)a.p[i] < (unsigned char)b.p[i] ? -1 : 1;
}

static int by_folder(const void *a, const void *b)
{
    const struct doc_node *x = *(struct doc_node *const *)a, *y = *(struct doc_node *const *)b;
    int order = compare_folders(folder_of(x), folder_of(y));

    if (!order)
        order = str_cmp(file_of(x), file_of(y));
    return order ? order : by_id(a, b);
}

/* The branch of a folder below the closest one that there is; folders come in order. */
static struct branch *find_folder(struct tree *t, struct branch *root, str folder)
{
    struct branch *at = root;

    for (;;) {
        struct branch *last = at->children.len ? vec_last(&at->children) : NULL;
        str rest = folder;

        if (str_eq(at->folder, folder))
            return at;
        if (last && last->folder.len && str_drop_prefix(&rest, last->folder) &&
            (!rest.len || rest.p[0] == '/')) {
            at = last;
            continue;
        }
        last = branch_new(t, at, str_from(folder, at->folder.len ? at->folder.len + 1 : 0));
        last->folder = folder;
        return last;
    }
}

static void add_by_folder(struct tree *t, struct branch *root, struct doc_list *items)
{
    vec_sort(items, by_folder);
    for (size_t i = 0; i < items->len; i++)
        add_item(t, find_folder(t, root, folder_of(items->v[i])), items->v[i]);
}

/* ---- owners */

/* Items by kind, namespace and name; and who is owned by whom, as lists of indexes. */
struct owners {
    struct map by_id;
    struct arena arena;             /* of the keys */
    VEC(size_t) owner, first, next; /* index + 1; [0] of first is of those without owner */
};
static void owners_done(struct owners *o)
{
    map_done(&o->by_id);
    arena_done(&o->arena);
    vec_done(&o->owner);
    vec_done(&o->first);
    vec_done(&o->next);
}
AUTO_VALUE(struct owners, owners_done)

static str id_key(struct owners *o, str kind, str ns, str name)
{
    AUTO(buf_done) struct buf key = {0};

    buf_addf(&key, "%.*s\n%.*s\n%.*s", STR_ARG(kind), STR_ARG(ns), STR_ARG(name));
    return arena_dup(&o->arena, buf_view(&key));
}

/* Index + 1 of the item's owner, in its namespace or in none; 0 when it is not there. */
static size_t owner_of(struct owners *o, const struct doc_node *item)
{
    struct doc_iter it = doc_children(doc_at(item, "metadata/ownerReferences"));

    while (doc_next(&it)) {
        str kind = kind_of(it.value), name = doc_text(doc_get_lit(it.value, "name"), STR_NONE);
        void *found = map_get(&o->by_id, id_key(o, kind, ns_of(item), name));

        if (!found)
            found = map_get(&o->by_id, id_key(o, kind, STR_NONE, name));
        if (found)
            return (size_t)(uintptr_t)found;
    }
    return 0;
}

enum { MOST_OWNERS = 64 };

/* What owns itself in a circle, or has more owners above it than any real thing, has none. */
static bool is_rooted(const struct owners *o, size_t item)
{
    for (int depth = 0; item; depth++) {
        if (depth > MOST_OWNERS)
            return false;
        item = o->owner.v[item - 1];
    }
    return true;
}

static void find_owners(struct owners *o, const struct doc_list *items)
{
    for (size_t i = 0; i < items->len; i++)
        map_put(&o->by_id,
                id_key(o, kind_of(items->v[i]), ns_of(items->v[i]), name_of(items->v[i])),
                (void *)(uintptr_t)(i + 1));
    for (size_t i = 0; i < items->len; i++)
        vec_push(&o->owner, owner_of(o, items->v[i]));
    for (size_t i = 0; i < items->len; i++)
        if (!is_rooted(o, i + 1))
            o->owner.v[i] = 0;
    for (size_t i = 0; i <= items->len; i++) {
        vec_push(&o->first, 0);
        vec_push(&o->next, 0);
    }
    for (size_t i = items->len; i-- > 0;) {
        o->next.v[i] = o->first.v[o->owner.v[i]];
        o->first.v[o->owner.v[i]] = i + 1;
    }
}

static void add_owned(struct tree *t, struct branch *parent, const struct doc_list *items,
                      const struct owners *o, size_t owner)
{
    for (size_t i = o->first.v[owner]; i; i = o->next.v[i - 1])
        add_owned(t, add_item(t, parent, items->v[i - 1]), items, o, i);
}

static void add_by_owner(struct tree *t, struct branch *root, struct doc_list *items)
{
    AUTO(owners_done) struct owners o = {0};

    vec_sort(items, by_id);
    find_owners(&o, items);
    add_owned(t, root, items, &o, 0);
}

bool kustomize_tree_has_owners(const struct doc_list *items)
{
    for (size_t i = 0; i < items->len; i++)
        if (doc_len(doc_at(items->v[i], "metadata/ownerReferences")))
            return true;
    return false;
}

/* ---- printing */

static void print_text(str text, str indent, struct buf *out)
{
    str line;

    for (bool is_first = true; str_next_line(&text, &line); is_first = false)
        buf_addf(out, "%.*s%.*s\n", STR_ARG(is_first ? STR_NONE : indent), STR_ARG(line));
}

static void print_children(const struct branch *b, struct buf *indent, struct buf *out)
{
    size_t before = indent->len;

    for (size_t i = 0; i < b->children.len; i++) {
        bool is_last = i + 1 == b->children.len;

        buf_addf(out, "%s%s ", buf_cstr(indent), is_last ? "└──" : "├──");
        buf_add_cstr(indent, is_last ? "    " : "│   ");
        print_text(b->children.v[i]->text, buf_view(indent), out);
        print_children(b->children.v[i], indent, out);
        buf_trunc(indent, before);
    }
}

static int parse_paths(struct tree *t, struct err *e)
{
    for (size_t i = 0; i < t->options->fields.len; i++)
        if (kustomize_path_parse(t->options->fields.v[i], vec_add(&t->paths), e) < 0)
            return -1;
    return 0;
}

int kustomize_tree_print(struct doc_set *set, const struct doc_list *items,
                         const struct kustomize_tree_options *options, struct buf *out,
                         struct err *e)
{
    AUTO(tree_done) struct tree t = {.set = set, .options = options};
    AUTO(doc_list_done) struct doc_list shown = {0};
    AUTO(buf_done) struct buf indent = {0};
    struct branch *root = branch_new(&t, NULL, options->root);

    if (parse_paths(&t, e) < 0)
        return -1;
    for (size_t i = 0; i < items->len; i++)
        if (kind_of(items->v[i]).len)
            vec_push(&shown, items->v[i]);
    if (options->by_owner)
        add_by_owner(&t, root, &shown);
    else
        add_by_folder(&t, root, &shown);
    print_text(root->text, STR_NONE, out);
    print_children(root, &indent, out);
    return 0;
}
