#include "cli/kustomize/fetch_flags.h"

#include <unistd.h>

#include "cli/kustomize/edit_notes.h"
#include "cli/output.h"

const struct cli_flag cli_fetch_flags[] = {
    {"cache", CLI_TEXT, "DIR", "keep repositories by commit, and files by URL, in this folder", 0,
     "", "", false},
    {"offline", CLI_SWITCH, "", "open no connection: what is remote comes from --cache", 0, "", "",
     false},
    {"lock", CLI_TEXT, "FILE",
     "hold remote sources against the digests in this file, and add those it does not know", 0, "",
     "", false},
    {.name = ""},
};

/* Cloning takes its time: people are told, logs are not. */
static void note(void *ctx UNUSED, enum fetch_note kind, str text)
{
    AUTO(buf_done) struct buf line = {0};

    if (kind == FETCH_WARNING) {
        cli_print_notes(text);
    } else if (isatty(STDERR_FILENO)) {
        buf_addf(&line, "%.*s\n", STR_ARG(text));
        cli_say(buf_view(&line));
    }
}

int cli_fetch_read(const struct cli *cli, struct cli_fetch *ret, struct kustomize_options *options,
                   struct err *e)
{
    if (cli_given(cli, "lock")) {
        ret->lock = fetch_lock_load(cli_text(cli, "lock").p, e);
        if (!ret->lock)
            return -1;
    }
    options->lock = ret->lock;
    options->cache_dir = cli_given(cli, "cache") ? cli_text(cli, "cache").p : NULL;
    options->is_offline = cli_switch(cli, "offline");
    options->note = note;
    return 0;
}

int cli_fetch_save(struct cli_fetch *fetch, struct err *e)
{
    return fetch->lock ? fetch_lock_save(fetch->lock, e) : 0;
}

void cli_fetch_done(struct cli_fetch *fetch) { fetch_lock_free(fetch->lock); }
