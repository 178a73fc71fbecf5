/* Questions to a person at the terminal. Main thread. */
#pragma once
#include "base/buf.h"
#include "base/err.h"

/* Prints the question on stderr and appends the line that is typed; what is secret is not shown.
 * ERR_USAGE when standard input is no terminal, with the remedy. */
int cli_ask(const char *question, bool is_secret, const char *remedy, struct buf *ret,
            struct err *e) MUST_CHECK;
/* Appends a file ("-": standard input) without the line ends behind it: --password-stdin,
 * --passphrase-file. */
int cli_read_secret(const char *path, struct buf *ret, struct err *e) MUST_CHECK;
