#include "cli/output.h"

#include <errno.h>
#include <unistd.h>

#include "base/log.h"

static int write_all(int fd, str text)
{
    while (text.len) {
        ssize_t n = write(fd, text.p, text.len);

        if (n < 0 && errno != EINTR)
            return errno == EPIPE ? 0 : -errno;
        if (n > 0)
            text = str_from(text, (size_t)n);
    }
    return 0;
}

int cli_print_raw(str text, struct err *e)
{
    int rc = write_all(STDOUT_FILENO, text);

    return rc < 0 ? err_errno(e, -rc, "write to standard output") : 0;
}

int cli_print(str text, struct err *e)
{
    AUTO(buf_done) struct buf masked = {0};

    secret_mask(text, &masked);
    return cli_print_raw(buf_view(&masked), e);
}

void cli_say(str text)
{
    AUTO(buf_done) struct buf masked = {0};

    secret_mask(text, &masked);
    (void)write_all(STDERR_FILENO, buf_view(&masked));
}

void cli_print_diags(const struct diag_list *list)
{
    AUTO(buf_done) struct buf text = {0};
    bool color = list->len && cli_wants_color(STDERR_FILENO);

    for (size_t i = 0; i < list->len; i++)
        diag_format_long(&list->v[i], color, &text);
    cli_say(buf_view(&text));
}

/* What stands before the first problem's text, and their count. */
static void several(const struct err *e, struct buf *text)
{
    AUTO(buf_done) struct buf first = {0};
    str whole = str_of(err_text(e));
    ssize_t at;

    for (size_t i = 0; i < e->diags->len && !first.len; i++)
        if (e->diags->v[i].severity == DIAG_ERROR)
            diag_format(&e->diags->v[i], &first);
    at = str_find(whole, buf_view(&first));
    if (at > 0)
        buf_add_str(text, str_sub(whole, 0, (size_t)at));
    buf_addf(text, "%zu problems", e->diags->errors);
}

static bool has_chain(const struct diag_list *diags)
{
    for (size_t i = 0; i < diags->len; i++)
        if (diags->v[i].chain.len)
            return true;
    return false;
}

void cli_print_error(const struct err *e)
{
    AUTO(buf_done) struct buf text = {0};

    if (e->diags && (isatty(STDERR_FILENO) || e->diags->errors > 1 || has_chain(e->diags)))
        cli_print_diags(e->diags);
    buf_add_cstr(&text, "Error: ");
    if (e->diags && e->diags->errors > 1)
        several(e, &text);
    else
        buf_add_cstr(&text, err_text(e));
    buf_add_char(&text, '\n');
    cli_say(buf_view(&text));
}

bool cli_wants_color(int fd)
{
    const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");

    return term && strcmp(term, "dumb") != 0 && (!no_color || !*no_color) && isatty(fd);
}
