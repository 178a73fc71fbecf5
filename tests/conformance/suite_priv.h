/* What the runner (main.c), the suites' side (suite.c) and the counters of engines that are not
 * built share. */
#pragma once
#include <stdarg.h>

#include "conformance/suite.h"

enum { SUITE_MAX_TABLES = 64, SUITE_MAX_ID = 200, SUITE_ABORTED = 3 };

struct suite_table {
    char name[64]; /* "" for the suite's own line */
    unsigned passed, failed;
};

/* Lives in memory shared by the runner and the suite's process: it outlives a crash. */
struct suite_tally {
    struct suite_table tables[SUITE_MAX_TABLES];
    unsigned table_count;
    unsigned current;      /* index of the table that counts now */
    unsigned begun;        /* cases that began, over all attempts */
    bool in_case;          /* between begin and end */
    char id[SUITE_MAX_ID]; /* of the case that began last */
};

struct suite {
    const char *name, *folder; /* folder of its data */
    const char *program, *only;
    suite_run_fn *run;
    struct suite_tally *tally;
    int log;          /* descriptor, appending */
    unsigned skip;    /* cases that ran in earlier attempts */
    unsigned seen;    /* cases met in this attempt */
    unsigned limit_s; /* for one case */
    struct doc_set *set;
};

/* Writes a line about a failed case to the suite's log. */
void suite_log(struct suite *s, const char *id, const char *fmt, va_list args) PRINTF(3, 0);
/* Counts the current table's case. */
void suite_count(struct suite *s, bool passed);

/* Counts every case of a folder whose engine is not built as failed, by the format its README
 * states; NULL for a folder that holds none we know. */
suite_run_fn *pending_suite(const char *name);
