#include "cli/chart/prompt.h"

#include <errno.h>
#include <termios.h>
#include <unistd.h>

#include "cli/output.h"
#include "sys/file.h"

enum { LONGEST_LINE = 4096, LONGEST_SECRET = 1 << 20 };

static int read_line(struct buf *ret, struct err *e)
{
    for (size_t i = 0; i < LONGEST_LINE; i++) {
        char c;
        ssize_t n = read(STDIN_FILENO, &c, 1);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_errno(e, errno, "reading from the terminal");
        if (n == 0 || c == '\n')
            return 0;
        buf_add_char(ret, c);
    }
    return err_set(e, ERR_LIMIT, "the line is too long");
}

int cli_ask(const char *question, bool is_secret, const char *remedy, struct buf *ret,
            struct err *e)
{
    struct termios shown, hidden;
    int rc;

    if (tcgetattr(STDIN_FILENO, &shown) < 0)
        return err_set(e, ERR_USAGE, "nobody is there to ask: %s", remedy);
    hidden = shown;
    hidden.c_lflag &= ~(tcflag_t)ECHO;
    cli_say(str_of(question));
    if (is_secret)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden);
    rc = read_line(ret, e);
    if (is_secret) {
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown);
        cli_say(STR("\n"));
    }
    return rc;
}

int cli_read_secret(const char *path, struct buf *ret, struct err *e)
{
    if (file_read(path, LONGEST_SECRET, ret, e) < 0)
        return -1;
    buf_trunc(ret, str_trim_right(buf_view(ret), "\r\n").len);
    return 0;
}
