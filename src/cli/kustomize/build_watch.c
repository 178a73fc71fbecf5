#include "cli/kustomize/build_watch.h"

#include <fcntl.h>
#include <unistd.h>

#include "cli/output.h"
#include "kustomize/incremental/incremental.h"
#include "sys/file.h"
#include "sys/signal.h"
#include "sys/watch.h"

enum { PIPE_SIZE = 1 << 20 };

struct watching {
    const char *target, *output; /* output: a file, a folder, or NULL */
    struct kustomize_session *session;
    struct watch *watch;
    struct cancel *cancel;
    bool had_namespaces, has_written; /* in the folder: the names of its files depend on that */
    char *failure;                    /* the text of the last build's error, or NULL */
};

static void watching_done(struct watching *w)
{
    kustomize_session_free(w->session);
    watch_free(w->watch);
    cancel_free(w->cancel);
    mem_free(w->failure);
}
AUTO_VALUE(struct watching, watching_done)

/* ---- writing */

static int write_resource(void *ctx, const struct kustomize_resource *r, str text, struct err *e)
{
    const struct watching *w = ctx;
    AUTO(buf_done) struct buf path = {0};

    buf_addf(&path, "%s/", w->output);
    kustomize_file_name(r, w->had_namespaces, &path);
    return file_replace(buf_cstr(&path), text, NULL, e);
}

/* Only what changed, unless the names of all files do. */
static int write_folder(struct watching *w, struct err *e)
{
    bool has_namespaces = kustomize_session_has_namespaces(w->session);
    bool only_new = w->has_written && has_namespaces == w->had_namespaces;

    w->had_namespaces = has_namespaces;
    w->has_written = true;
    return kustomize_session_each(w->session, only_new, write_resource, w, e);
}

static int write_file(const char *path, const struct str_vec *pieces, struct err *e)
{
    AUTO(buf_done) struct buf text = {0};

    for (size_t i = 0; i < pieces->len; i++)
        buf_add_str(&text, pieces->v[i]);
    return file_replace(path, buf_view(&text), NULL, e);
}

static int write_output(struct watching *w, struct err *e)
{
    AUTO(str_vec_done) struct str_vec pieces = {0};

    if (w->output && file_is_dir(w->output))
        return write_folder(w, e);
    kustomize_session_text(w->session, &pieces);
    if (w->output)
        return write_file(w->output, &pieces, e);
    for (size_t i = 0; i < pieces.len; i++)
        if (cli_print_raw(pieces.v[i], e) < 0)
            return -1;
    return 0;
}

/* ---- building */

/* A build that fails is told; the next change may mend it. */
static void tell_failure(struct watching *w, const struct err *e, bool is_again)
{
    if (!is_again || !w->failure || strcmp(w->failure, err_text(e)) != 0)
        cli_print_error(e);
    mem_free(w->failure);
    w->failure = mem_strdup(err_text(e));
}

/* is_again: only since the watch may have come too late; what is as it was is not told again. */
static int build(struct watching *w, bool is_again, struct err *e)
{
    AUTO(diag_list_done) struct diag_list warnings = {0};
    AUTO(err_done) struct err bad = {0};

    if (kustomize_session_build(w->session, &warnings, &bad) < 0) {
        if (cancel_is_set(w->cancel))
            return 0;
        cli_print_diags(&warnings);
        tell_failure(w, &bad, is_again);
        return 0;
    }
    mem_free(w->failure);
    w->failure = NULL;
    if (is_again && !kustomize_session_is_changed(w->session))
        return 0;
    cli_print_diags(&warnings);
    return write_output(w, e);
}

/* ---- watching */

static void touch(void *ctx, str folder, str name)
{
    const struct watching *w = ctx;

    kustomize_session_touch(w->session, folder.len ? folder : STR_NONE, name);
}

static void free_texts(struct str_vec *texts)
{
    for (size_t i = 0; i < texts->len; i++)
        mem_free((char *)texts->v[i].p);
    str_vec_done(texts);
}
AUTO_VALUE(struct str_vec, free_texts)

/* 1 when the build has to be looked at again, since something could change unseen. */
static int watch_all(struct watching *w, struct err *e)
{
    AUTO(free_texts) struct str_vec folders = {0};
    bool with_below = kustomize_session_folders(w->session, &folders);
    bool is_new = false;

    if (!folders.len && with_below)
        vec_push(&folders, {mem_strdup(w->target), strlen(w->target)});
    for (size_t i = 0; i < folders.len; i++) {
        int rc = watch_add(w->watch, folders.v[i].p, with_below, e);

        if (rc < 0)
            return -1;
        is_new |= rc > 0;
    }
    kustomize_session_watched(w->session, is_new);
    if (with_below && is_new)
        touch(w, STR_NONE, STR_NONE);
    return kustomize_session_is_touched(w->session);
}

static int wait(struct watching *w, struct err *e)
{
    int rc;

    do
        rc = watch_wait(w->watch, w->cancel, touch, w, e);
    while (rc > 0 && !kustomize_session_is_touched(w->session));
    return rc;
}

int cli_build_watch(const struct cli *cli, const char *target,
                    const struct kustomize_options *options, struct err *e)
{
    AUTO(watching_done)
    struct watching w = {.target = target,
                         .output = cli_given(cli, "output") ? cli_text(cli, "output").p : NULL,
                         .cancel = cancel_new(NULL, CLOCK_NEVER)};
    AUTO(signal_stop) struct signal_guard *signals = signal_start(w.cancel, NULL, NULL, e);
    struct kustomize_options own = *options;
    bool is_again = false;
    int rc = 1;

    own.cancel = w.cancel;
    (void)fcntl(STDOUT_FILENO, F_SETPIPE_SZ, PIPE_SIZE); /* fewer turns with who reads */
    w.session = kustomize_session_new(target, &own);
    w.watch = signals ? watch_new(e) : NULL;
    if (!w.watch)
        return -1;
    while (rc > 0) {
        if (build(&w, is_again, e) < 0)
            return -1;
        rc = watch_all(&w, e);
        is_again = rc > 0 && !cancel_is_set(w.cancel);
        if (rc == 0 || (rc > 0 && !is_again))
            rc = wait(&w, e);
    }
    return rc;
}
