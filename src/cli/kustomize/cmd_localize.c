/* grapnel localize */
#include "cli/kustomize/edit_notes.h"
#include "cli/kustomize/fetch_flags.h"
#include "kustomize/localize/localize.h"

static const struct cli_flag flags[] = {
    {"scope", CLI_TEXT, "DIR", "folder whose folders may be copied; the target if not given", 0, "",
     "", false},
    {"no-verify", CLI_SWITCH, "", "do not build target and copy to compare them", 0, "", "", false},
    {"stack-trace", CLI_SWITCH, "", "accepted", 0, "", "", false},
    {.name = ""},
};
static const struct cli_flag *const flag_tables[] = {flags, cli_fetch_flags, NULL};

static int build(const char *target, const struct kustomize_options *options, struct buf *out,
                 struct err *e)
{
    AUTO(kustomize_result_done) struct kustomize_result result = {0};

    if (kustomize_build_run(target, options, &result, e) < 0)
        return -1;
    return kustomize_result_print(&result, out, e);
}

/* What needs flags to build cannot be compared: a note, no failure. */
static int verify(const char *target, const char *copy, const struct kustomize_options *options,
                  struct err *e)
{
    AUTO(buf_done) struct buf before = {0}, after = {0}, text = {0};
    AUTO(err_done) struct err why = {0};
    struct kustomize_options alone = {.is_offline = true, .cancel = options->cancel};

    if (build(target, options, &before, &why) < 0) {
        buf_addf(&text, "not verified, the target does not build: %s", err_text(&why));
        cli_print_notes(buf_view(&text));
        return 0;
    }
    if (build(copy, &alone, &after, e) < 0)
        return err_wrap(e, "the copy does not build");
    return str_eq(buf_view(&before), buf_view(&after))
               ? 0
               : err_set(e, ERR_INVALID, "the copy in %s builds something else than %s", copy,
                         target);
}

static int localize(struct cli *cli, const struct kustomize_options *options, struct err *e)
{
    const struct fetch_loader_options loading = {.is_offline = options->is_offline,
                                                 .cache_dir = options->cache_dir,
                                                 .lock = options->lock,
                                                 .note = options->note,
                                                 .ctx = options->note_ctx};
    AUTO(fetch_loader_free) struct fetch_loader *loader = fetch_loader_new(&loading);
    AUTO(buf_done) struct buf dest = {0}, copy = {0}, text = {0};
    struct kustomize_localize run = {
        .target = cli->arguments.len ? cli->arguments.v[0].p : ".",
        .dest = cli->arguments.len > 1 ? cli->arguments.v[1].p : NULL,
        .scope = cli_given(cli, "scope") ? cli_text(cli, "scope").p : NULL,
        .loader = loader,
    };

    if (kustomize_localize_run(&run, &dest, &copy, e) < 0)
        return -1;
    if (!cli_switch(cli, "no-verify") && verify(run.target, buf_cstr(&copy), options, e) < 0)
        return -1;
    buf_addf(&text, "localized \"%s\" to directory %s\n", run.target, buf_cstr(&dest));
    return cli_print(buf_view(&text), e);
}

static int run(struct cli *cli, struct err *e)
{
    AUTO(cli_fetch_done) struct cli_fetch fetch = {0};
    struct kustomize_options options = {0};

    if (cli_fetch_read(cli, &fetch, &options, e) < 0 || localize(cli, &options, e) < 0)
        return -1;
    return cli_fetch_save(&fetch, e);
}

const struct cli_command cli_localize = {
    .name = "localize",
    .names = CLI_GRAPNEL | CLI_KUSTOMIZE,
    .summary = "Copy a kustomization with everything remote made local",
    .arguments = "[TARGET [DEST]]",
    .about =
        "Copies a kustomization and all that it names into a new folder. Remote files and folders "
        "are fetched into localized-files/ beside the kustomization that names them, and named "
        "there. Folders outside of the scope are refused. TARGET is a folder or a git URL with a "
        "ref; DEST must not exist, and is \"localized-\" and the target's name if not given. "
        "Target and copy are built and compared. The folder that holds charts is copied whole; "
        "charts "
        "that are to be fetched stay as they are, and so do the files that functions name.",
    .flags = flag_tables,
    .examples = "$ grapnel localize overlays/prod vendored --scope .\n"
                "$ grapnel localize 'https://github.com/org/repo//deploy?ref=v1'\n",
    .max_arguments = 2,
    .fails_with_one = true,
    .run = run,
};
