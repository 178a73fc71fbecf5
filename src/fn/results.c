#include "fn/results.h"

#include "base/escape.h"
#include "doc/emit.h"
#include "sys/file.h"

enum { SHORT_LINES = 4 };

/* ---- the console */

static str field(const struct doc_node *map, const char *name)
{
    return doc_text(doc_get(map, str_of(name)), STR_NONE);
}

/* "[severity] apiVersion/kind/ns/name field: message" */
static void print_result(const struct doc_node *result, struct buf *out)
{
    const struct doc_node *ref = doc_get_lit(result, "resourceRef");
    str severity = field(result, "severity"), path = field(doc_get_lit(result, "field"), "path");
    static const char parts[][11] = {"apiVersion", "kind", "namespace", "name"};

    buf_addf(out, "[%.*s]", STR_ARG(severity.len ? severity : STR("info")));
    for (size_t i = 0, count = 0; i < ARRAY_LEN(parts); i++)
        if (field(ref, parts[i]).len)
            buf_addf(out, "%s%.*s", count++ ? "/" : " ", STR_ARG(field(ref, parts[i])));
    if (path.len)
        buf_addf(out, " %.*s", STR_ARG(path));
    buf_addf(out, "%s %.*s", doc_len(ref) || path.len ? ":" : "",
             STR_ARG(field(result, "message")));
}

struct block {
    struct buf *out;
    bool is_short;
    size_t lines;
};

/* True while lines are still shown. */
static bool block_line(struct block *b) { return ++b->lines <= SHORT_LINES || !b->is_short; }

static void block_end(const struct block *b)
{
    if (b->is_short && b->lines > SHORT_LINES)
        buf_addf(b->out,
                 "    ...(%zu line(s) truncated, use '--truncate-output=false' to disable)\n",
                 b->lines - SHORT_LINES);
}

static void print_results(const struct doc_node *results, bool is_short, struct buf *out)
{
    struct block b = {out, is_short, 0};
    struct doc_iter it = doc_children(results);

    if (!doc_len(results))
        return;
    buf_add_cstr(out, "  Results:\n");
    while (doc_next(&it)) {
        AUTO(buf_done) struct buf text = {0};
        str rest, line;

        print_result(it.value, &text);
        for (rest = buf_view(&text); str_next_line(&rest, &line);)
            if (block_line(&b))
                buf_addf(out, "    %.*s\n", STR_ARG(line));
    }
    block_end(&b);
}

static void print_stderr(str text, bool is_short, struct buf *out)
{
    struct block b = {out, is_short, 0};
    str line;

    text = str_trim_right(text, " \t\r\n");
    if (!text.len)
        return;
    buf_add_cstr(out, "  Stderr:\n");
    while (str_next_line(&text, &line)) {
        if (!block_line(&b))
            continue;
        buf_add_cstr(out, "    ");
        escape_quoted(line, out);
        buf_add_char(out, '\n');
    }
    block_end(&b);
}

static void print_time(int64_t ms, struct buf *out)
{
    if (ms < 1000)
        buf_add_cstr(out, "0s");
    else
        buf_addf(out, "%lld.%llds", (long long)ms / 1000, (long long)ms % 1000 / 100);
}

void fn_event_print(const struct fn_event *event, bool is_short, struct buf *out)
{
    switch (event->type) {
    case FN_EVENT_PACKAGE:
        buf_addf(out, "Package \"%.*s\":\n", STR_ARG(event->name));
        break;
    case FN_EVENT_RUNNING:
        buf_addf(out, "[RUNNING] \"%.*s\"", STR_ARG(event->name));
        if (event->selected >= 0)
            buf_addf(out, " on %zd resource(s)", event->selected);
        buf_add_char(out, '\n');
        break;
    case FN_EVENT_DONE:
        buf_addf(out, "[%s] \"%.*s\" in ", event->has_failed ? "FAIL" : "PASS",
                 STR_ARG(event->name));
        print_time(event->outcome->duration_ms, out);
        buf_add_char(out, '\n');
        print_results(event->results, is_short, out);
        print_stderr(buf_view(&event->outcome->err), is_short, out);
        if (event->has_failed)
            buf_addf(out, "  Exit code: %d\n", event->outcome->exit_code);
        break;
    }
}

/* ---- the file */

void fn_results_init(struct fn_results *r)
{
    r->set = doc_set_new();
    r->items = doc_new_list(r->set);
    r->has_failed = false;
}

void fn_results_done(struct fn_results *r)
{
    doc_set_free(r->set);
    *r = (struct fn_results){0};
}

/* The value as a program prints it that has read it: block style, no quotes but those it needs, no
 * comments. Depth is that of the tree, whose reader has bounded it. */
static struct doc_node *fresh(struct doc_set *set, const struct doc_node *n)
{
    struct doc_iter it = doc_children(n);
    struct doc_node *copy;

    if (!doc_is_map(n) && !doc_is_list(n))
        return doc_is_string(n) ? doc_new_string(set, doc_text(n, STR_NONE)) : doc_copy(set, n);
    copy = doc_is_map(n) ? doc_new_map(set) : doc_new_list(set);
    while (doc_next(&it)) {
        if (doc_is_map(n))
            doc_set_field(set, copy, it.key, fresh(set, it.value));
        else
            doc_append(copy, fresh(set, it.value));
    }
    return copy;
}

/* The fields named, NULL at the end, come first. */
static struct doc_node *in_order(struct doc_set *set, struct doc_node *map,
                                 const char *const *names)
{
    struct doc_node *ordered = doc_new_map(set);
    struct doc_iter it = doc_children(map);

    for (; *names; names++)
        if (doc_get(map, str_of(*names)))
            doc_set_field(set, ordered, str_of(*names),
                          doc_copy(set, doc_get(map, str_of(*names))));
    while (doc_next(&it))
        if (!doc_get(ordered, it.key))
            doc_set_field(set, ordered, it.key, doc_copy(set, it.value));
    return ordered;
}

static struct doc_node *copy_result(struct doc_set *set, const struct doc_node *result)
{
    static const struct {
        const char *field, *names[5];
    } parts[] = {
        {"resourceRef", {"apiVersion", "kind", "name", "namespace", NULL}},
        {"field", {"path", "currentValue", "proposedValue", NULL}},
        {"file", {"path", "index", NULL}},
    };
    static const char *const names[] = {"message", "severity", "resourceRef", "field",
                                        "file",    "tags",     NULL};
    struct doc_node *copy = fresh(set, result);

    for (size_t i = 0; doc_is_map(copy) && i < ARRAY_LEN(parts); i++) {
        str field = str_of(parts[i].field);
        struct doc_node *part = doc_get(copy, field);

        /* An index of 0 says nothing. */
        if (doc_is_map(part) && doc_int(doc_get_lit(part, "index"), 1) == 0)
            doc_remove(part, STR("index"));
        if (doc_is_map(part))
            doc_set_field(set, copy, field, in_order(set, part, parts[i].names));
    }
    return doc_is_map(copy) ? in_order(set, copy, names) : copy;
}

static struct doc_node *copy_results(struct doc_set *set, const struct doc_node *results)
{
    struct doc_node *copy = doc_new_list(set);
    struct doc_iter it = doc_children(results);

    while (doc_next(&it))
        doc_append(copy, copy_result(set, it.value));
    return copy;
}

void fn_results_add(struct fn_results *r, const struct fn_event *event)
{
    struct doc_node *item = doc_new_map(r->set);
    str err = str_trim_right(buf_view(&event->outcome->err), "\r\n");

    if (event->type != FN_EVENT_DONE)
        return;
    r->has_failed |= event->has_failed;
    doc_set_string(r->set, item, event->is_exec ? STR("exec") : STR("image"), event->name);
    if (err.len)
        doc_set_string(r->set, item, STR("stderr"), err);
    doc_set_int(r->set, item, STR("exitCode"), event->outcome->exit_code);
    if (doc_len(event->results))
        doc_set_field(r->set, item, STR("results"), copy_results(r->set, event->results));
    doc_append(r->items, item);
}

static void fn_results_print(const struct fn_results *r, struct buf *out)
{
    struct doc_set *set = r->set;
    struct doc_node *root = doc_new_map(set);

    doc_set_string(set, root, STR("apiVersion"), STR("kpt.dev/v1"));
    doc_set_string(set, root, STR("kind"), STR("FunctionResultList"));
    doc_set_string(set, doc_ensure_map(set, root, STR("metadata")), STR("name"), STR("fnresults"));
    doc_set_int(set, root, STR("exitCode"), r->has_failed ? 1 : 0);
    if (doc_len(r->items))
        doc_set_field(set, root, STR("items"), doc_copy(set, r->items));
    doc_emit(root, DOC_EMIT_KYAML_WIDE, out);
}

int fn_results_save(const struct fn_results *r, const char *dir, struct err *e)
{
    AUTO(buf_done) struct buf text = {0}, path = {0};

    fn_results_print(r, &text);
    buf_addf(&path, "%s/results.yaml", dir);
    if (file_mkdirs(dir, 0777, e) < 0)
        return -1;
    return file_replace(buf_cstr(&path), buf_view(&text), NULL, e);
}
