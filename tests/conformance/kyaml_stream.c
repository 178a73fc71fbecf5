/* kyaml's tables of streams and of functions: byteio, function-filter. */
#include "base/buf.h"
#include "conformance/kyaml_case.h"
#include "doc/parse.h"
#include "fn/pipeline.h"
#include "fn/stream.h"
#include "fn/wire.h"

static bool flag(const struct doc_node *row, const char *name)
{
    return doc_bool(doc_get(doc_get_lit(row, "instance"), str_of(name)), false) ||
           doc_bool(doc_get(row, str_of(name)), false);
}

/* ---- texts of lists of items */

static bool is_same_text(struct doc_set *set, const struct doc_node *item, str wanted,
                         struct buf *why)
{
    str got = printed(set, item);

    if (str_eq(got, str_trim(wanted)))
        return true;
    buf_addf(why, "item is:\n%.*s\nwanted:\n%.*s\n", STR_ARG(got), STR_ARG(str_trim(wanted)));
    return false;
}

static void check_items(struct doc_set *set, const struct doc_list *items,
                        const struct doc_node *wanted, struct buf *why)
{
    struct doc_iter it = doc_children(wanted);

    if (doc_len(wanted) != items->len)
        buf_addf(why, "%zu items, wanted %zu\n", items->len, doc_len(wanted));
    for (size_t i = 0; doc_next(&it) && i < items->len; i++)
        is_same_text(set, items->v[i], doc_text(it.value, STR_NONE), why);
}

static void end(struct suite *s, struct buf *why)
{
    suite_end(s, why->len == 0, "%s", buf_cstr(why));
}

/* ---- reading */

static int read_row(struct doc_set *set, const struct doc_node *row,
                    const struct fn_stream_options *options, struct fn_stream *ret, struct err *e)
{
    struct doc_iter it = doc_children(doc_get_lit(doc_get_lit(row, "instance"), "SetAnnotations"));

    if (fn_stream_read(set, row_text(row, "input"), options, "input", ret, e) < 0)
        return -1;
    while (doc_next(&it))
        for (size_t i = 0; i < ret->list.items.len; i++)
            fn_annotate(set, ret->list.items.v[i], it.key, doc_text(it.value, STR_NONE));
    return 0;
}

static void judge_reader(struct suite *s, const struct doc_node *row)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(fn_stream_done) struct fn_stream stream = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf why = {0};
    struct fn_stream_options options = {.adds_index = !flag(row, "OmitReaderAnnotations")};

    if (read_row(set, row, &options, &stream, &e) < 0) {
        end_error(s, row, "err", &e);
        return;
    }
    check_items(set, &stream.list.items, doc_get_lit(row, "expectedItems"), &why);
    if (!str_eq(stream.kind, row_text(row, "wrappingAPIKind")) ||
        !str_eq(stream.api_version, row_text(row, "wrappingAPIVersion")))
        buf_addf(&why, "the outer kind is %.*s\n", STR_ARG(stream.kind));
    if (doc_get_lit(row, "expectedFunctionConfig"))
        is_same_text(set, stream.list.function_config, row_text(row, "expectedFunctionConfig"),
                     &why);
    end(s, &why);
}

static void judge_indent(struct suite *s, const struct doc_node *row)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(fn_stream_done) struct fn_stream stream = {0};
    AUTO(err_done) struct err e = {0};
    struct fn_stream_options options = {.adds_index = !flag(row, "OmitReaderAnnotations"),
                                        .adds_seqindent = true};

    if (read_row(set, row, &options, &stream, &e) < 0)
        end_error(s, row, "err", &e);
    else
        end_text(s, row, "expectedAnnoValue",
                 stream.list.items.len ? fn_annotation(stream.list.items.v[0], STR(FN_SEQINDENT))
                                       : STR_NONE);
}

static void judge_bytes(struct suite *s, const struct doc_node *row)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(fn_stream_done) struct fn_stream stream = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf why = {0};
    const struct doc_node *exp = doc_get_lit(row, "exp");
    bool fails = doc_bool(doc_get_lit(exp, "isErr"), false);
    struct fn_stream_options options = {.resolves_anchors = true};

    if (read_row(set, row, &options, &stream, &e) < 0) {
        suite_end(s, fails, "failed: %s", err_text(&e));
        return;
    }
    if (fails)
        buf_add_cstr(&why, "was read\n");
    check_items(set, &stream.list.items, doc_get_lit(exp, "sOut"), &why);
    end(s, &why);
}

/* ---- writing */

static void judge_round_trip(struct suite *s, str id, const struct doc_node *row)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(fn_stream_done) struct fn_stream stream = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf out = {0};
    bool retains = str_contains(id, STR("_RetainSeqIndent"));
    bool wraps_lists = str_contains(id, STR("_WrapBareSeqNode"));
    struct fn_stream_options options = {.adds_index = true,
                                        .adds_seqindent = retains || wraps_lists,
                                        .wraps_lists = flag(row, "wrapBareSeqNode")};
    struct fn_stream_format format = {.keeps_index = flag(row, "KeepReaderAnnotations"),
                                      .uses_seqindent = retains || wraps_lists};

    if (read_row(set, row, &options, &stream, &e) < 0) {
        end_error(s, row, "readerErr", &e);
        return;
    }
    if (doc_get_lit(doc_get_lit(row, "instance"), "FunctionConfig"))
        stream.list.function_config =
            row_yaml(s, set, doc_get_lit(row, "instance"), "FunctionConfig");
    if (!flag(row, "NoWrap") && !flag(row, "noWrap") && !retains && !wraps_lists) {
        format.kind = row_text(row, "wrapKind");
        format.api_version = row_text(row, "wrapAPIVersion");
        if (!format.kind.len) {
            format.kind = stream.kind;
            format.api_version = stream.api_version;
        }
    }
    fn_stream_write(&stream.list, &format, &out);
    end_text(s, row, doc_get_lit(row, "want") ? "want" : "expectedOutput", buf_view(&out));
}

static void judge_writer(struct suite *s, const struct doc_node *row)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(fn_list_done) struct fn_list list = {.set = set};
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf out = {0};
    static const struct doc_parse_options options = {.dialect = DOC_KYAML, .flags = DOC_COMMENTS};
    const struct doc_node *instance = doc_get_lit(row, "instance");
    struct doc_iter it = doc_children(doc_get_lit(row, "items"));
    struct fn_stream_format format = {.kind = row_text(instance, "WrappingKind"),
                                      .api_version = row_text(instance, "WrappingAPIVersion"),
                                      .keeps_index = flag(row, "KeepReaderAnnotations"),
                                      .sorts = flag(row, "Sort")};

    while (doc_next(&it))
        if (doc_parse_all(set, doc_text(it.value, STR_NONE), &options, "item", &list.items, &e) <
            0) {
            suite_end(s, false, "%s", err_text(&e));
            return;
        }
    if (doc_get_lit(row, "functionConfig"))
        list.function_config = row_yaml(s, set, row, "functionConfig");
    fn_stream_write(&list, &format, &out);
    end_text(s, row, "expectedOutput", buf_view(&out));
}

/* ---- the spellings of annotations */

static int run_filter(struct fn_list *list, const struct doc_node *filter, struct err *e)
{
    AUTO(fn_wire_done) struct fn_wire wire = {0};
    struct doc_iter it = doc_children(doc_get_lit(filter, "setAnnotations"));

    if (fn_wire_begin(&wire, list, e) < 0)
        return -1;
    for (size_t i = 0; i < list->items.len; i++)
        fn_spellings_complete(list->set, list->items.v[i]);
    while (doc_next(&it))
        for (size_t i = 0; i < list->items.len; i++)
            fn_annotate(list->set, list->items.v[i], it.key, doc_text(it.value, STR_NONE));
    return fn_wire_settle(&wire, e);
}

static void judge_spellings(struct suite *s, const struct doc_node *row)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(fn_stream_done) struct fn_stream stream = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf out = {0};
    struct fn_stream_options options = {0};
    struct fn_stream_format format = {.keeps_index = true};
    struct doc_iter it = doc_children(doc_get_lit(row, "filters"));
    int rc = read_row(set, row, &options, &stream, &e);

    while (rc == 0 && doc_next(&it))
        rc = run_filter(&stream.list, it.value, &e);
    if (rc < 0) {
        end_error(s, row, "expectedErr", &e);
        return;
    }
    fn_stream_write(&stream.list, &format, &out);
    end_text(s, row, "expected", buf_view(&out));
}

void judge_byteio(struct suite *s, str id, const struct doc_node *row)
{
    if (str_contains(id, STR("AddSeqIndentAnnotation")))
        judge_indent(s, row);
    else if (str_contains(id, STR("TestByteReader/")))
        judge_reader(s, row);
    else if (str_contains(id, STR("TestFromBytes")))
        judge_bytes(s, row);
    else if (str_contains(id, STR("TestByteWriter")))
        judge_writer(s, row);
    else if (str_contains(id, STR("TestLegacyAnnotationReconciliation")))
        judge_spellings(s, row);
    else
        judge_round_trip(s, id, row);
}

/* ---- functions */

static struct doc_node *spec_tree(struct doc_set *set, const struct fn_spec *spec)
{
    struct doc_node *root = doc_new_map(set), *container;

    container = doc_ensure_map(set, root, STR("container"));
    doc_set_string(set, container, STR("image"), spec->image);
    if (spec->wants_network)
        doc_set_bool(set, container, STR("network"), true);
    for (size_t i = 0; i < spec->mounts.len; i++) {
        const struct fn_mount *m = &spec->mounts.v[i];
        struct doc_node *mount =
            doc_append(doc_ensure_list(set, container, STR("mounts")), doc_new_map(set));

        doc_set_string(set, mount, STR("type"), m->type);
        if (m->source.len)
            doc_set_string(set, mount, STR("src"), m->source);
        doc_set_string(set, mount, STR("dst"), m->target);
    }
    return root;
}

static void judge_spec(struct suite *s, const struct doc_node *row)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(fn_spec_done) struct fn_spec spec = {0};
    AUTO(err_done) struct err e = {0};
    struct fn_runner runner = {0};
    struct doc_node *resource = row_yaml(s, set, row, "resource"), *want;
    int found;

    if (!resource)
        return;
    found = fn_spec_of_config(&runner, set, resource, &spec, &e);
    if (doc_bool(doc_get_lit(row, "missingFn"), false)) {
        suite_end(s, found != 1, "found a function");
        return;
    }
    want = row_yaml(s, set, row, "expectedFn");
    if (want)
        suite_end(s, found == 1 && doc_equal(want, spec_tree(set, &spec)), "found:\n%.*s%s",
                  STR_ARG(printed(set, spec_tree(set, &spec))), err_text(&e));
}

struct filter {
    struct doc_set *set;
    struct fn_list all, inside, output;
    struct doc_list outside;
};
static void filter_done(struct filter *f)
{
    fn_list_done(&f->all);
    fn_list_done(&f->inside);
    fn_list_done(&f->output);
    doc_list_done(&f->outside);
    doc_set_free(f->set);
}
AUTO_VALUE(struct filter, filter_done)

static void split(struct filter *f, bool is_global)
{
    str path = fn_path_of(f->all.function_config);

    f->inside.set = f->set;
    f->inside.function_config = f->all.function_config;
    for (size_t i = 0; i < f->all.items.len; i++) {
        struct doc_node *item = f->all.items.v[i];

        if (is_global || !path.len || fn_is_in_scope(path, fn_path_of(item)))
            vec_push(&f->inside.items, item);
        else
            vec_push(&f->outside, item);
    }
}

static int run_row(struct filter *f, const struct doc_node *row, struct buf *why, struct err *e)
{
    AUTO(fn_wire_done) struct fn_wire wire = {0};
    AUTO(buf_done) struct buf sent = {0};
    const struct doc_node *run = doc_get_lit(row, "run");

    if (fn_wire_begin(&wire, &f->inside, e) < 0)
        return -1;
    fn_wire_send(&wire, false);
    fn_list_emit(&f->inside, &sent);
    if (doc_get_lit(run, "expectedInput") &&
        !str_eq(str_trim(buf_view(&sent)), str_trim(row_text(run, "expectedInput"))))
        buf_addf(why, "sent:\n%swanted:\n%.*s", buf_cstr(&sent),
                 STR_ARG(row_text(run, "expectedInput")));
    if (fn_list_read(f->set, row_text(run, "output"), "output", &f->output, e) < 0)
        return -1;
    return fn_wire_receive(&wire, &f->output, e);
}

static void judge_filter(struct suite *s, const struct doc_node *row)
{
    AUTO(filter_done) struct filter f = {.set = doc_set_new()};
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf why = {0};
    static const struct doc_parse_options options = {.dialect = DOC_KYAML, .flags = DOC_COMMENTS};
    struct doc_iter it = doc_children(doc_get_lit(row, "input"));

    while (doc_next(&it))
        if (doc_parse_all(f.set, doc_text(it.value, STR_NONE), &options, "input", &f.all.items,
                          &e) < 0)
            break;
    if (doc_get_lit(row, "functionConfig"))
        f.all.function_config = row_yaml(s, f.set, row, "functionConfig");
    split(&f, flag(row, "GlobalScope"));
    if (run_row(&f, row, &why, &e) < 0) {
        suite_end(s, false, "failed: %s", err_text(&e));
        return;
    }
    fn_place(f.set, &f.inside.items, STR_NONE);
    for (size_t i = 0; i < f.inside.items.len; i++) /* as items of folders have them */
        fn_spellings_complete(f.set, f.inside.items.v[i]);
    for (size_t i = 0; i < f.outside.len; i++)
        vec_push(&f.inside.items, f.outside.v[i]);
    check_items(f.set, &f.inside.items, doc_get_lit(row, "expectedOutput"), &why);
    end(s, &why);
}

void judge_function(struct suite *s, str id, const struct doc_node *row)
{
    if (str_contains(id, STR("Test_GetFunction")))
        judge_spec(s, row);
    else
        judge_filter(s, row);
}
