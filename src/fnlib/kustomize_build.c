#include "fnlib/kustomize_build.h"

#include "doc/parse.h"
#include "fnlib/table.h"
#include "kustomize/build.h"

static const char doc[] =
    "Builds a kustomization of the package, as `grapnel build` does, and puts the resources it "
    "gives\n"
    "in the place of all items. Remote bases need the network gate.\n"
    "\n"
    "functionConfig: a v1 ConfigMap with data.path, relative to the package; \".\" is the default.";

/* A path that stays in the package. */
static bool is_inside(str path)
{
    if (path.len && path.p[0] == '/')
        return false;
    while (path.len)
        if (str_eq(str_cut(path, '/', &path), STR("..")))
            return false;
    return true;
}

static int read_path(const struct fn_list *io, str *ret, struct err *e)
{
    const struct doc_node *config = io->function_config;

    *ret = STR(".");
    if (!config)
        return 0;
    if (!str_eq(doc_text(doc_get_lit(config, "kind"), STR_NONE), STR("ConfigMap")))
        return err_set(e, ERR_INVALID,
                       "kustomize-build: functionConfig must be a v1 ConfigMap, found %.*s",
                       STR_ARG(doc_text(doc_get_lit(config, "kind"), STR("no kind"))));
    *ret = doc_text(doc_at(config, "data/path"), *ret);
    if (!is_inside(*ret))
        return err_set(e, ERR_INVALID,
                       "kustomize-build: path must not be outside the package: %.*s",
                       STR_ARG(*ret));
    return 0;
}

static void take_warnings(struct fn_list *io, const struct diag_list *warnings)
{
    for (size_t i = 0; i < warnings->len; i++) {
        AUTO(buf_done) struct buf text = {0};

        diag_format(&warnings->v[i], &text);
        fn_list_result(io, "warning", NULL, NULL, buf_view(&text));
    }
}

/* Printed and read, so that what a build keeps to itself stays behind. */
static int take_items(struct fn_list *io, const struct kustomize_result *result, struct err *e)
{
    static const struct doc_parse_options options = {.dialect = DOC_KYAML, .flags = DOC_COMMENTS};
    AUTO(buf_done) struct buf text = {0};
    AUTO(doc_list_done) struct doc_list items = {0};

    if (kustomize_result_print(result, &text, e) < 0 ||
        doc_parse_all(io->set, buf_view(&text), &options, "build", &items, e) < 0)
        return err_wrap(e, "kustomize-build");
    doc_list_done(&io->items);
    io->items = items;
    items = (struct doc_list){0};
    return 0;
}

static int run(struct fn_list *io, struct err *e)
{
    AUTO(kustomize_result_done) struct kustomize_result result = {0};
    AUTO(buf_done) struct buf target = {0};
    struct kustomize_options options = {
        .is_offline = !io->allows_network,
        .functions = {.natives = fnlib_all},
    };
    str path;

    if (read_path(io, &path, e) < 0)
        return -1;
    if (!io->dir)
        return err_set(e, ERR_INVALID,
                       "kustomize-build: there is no package directory to build in");
    buf_addf(&target, "%s/%.*s", io->dir, STR_ARG(path));
    if (kustomize_build_run(buf_cstr(&target), &options, &result, e) < 0) {
        take_warnings(io, &result.warnings);
        return err_wrap(e, "kustomize-build");
    }
    take_warnings(io, &result.warnings);
    return take_items(io, &result, e);
}

const struct fn_native fnlib_kustomize_build = {
    .name = "kustomize-build",
    .kinds = "",
    .short_doc = "builds a kustomization of the package in the place of the items",
    .doc = doc,
    .run = run,
};
