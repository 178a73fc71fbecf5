/* Conformance suites: one C file each, named as the folder of the data it reads.
 *
 *     SUITE(jsonpatch)
 *     {
 *         struct doc_iter it = doc_children(suite_json(s, "tests.json"));
 *
 *         while (doc_next(&it)) {
 *             AUTO(err_done) struct err e = {0};
 *
 *             if (!suite_begin(s, name_of(it.value)))
 *                 continue;
 *             ... suite_end(s, is_right, "got %s", text);
 *         }
 *     }
 *
 * Each suite runs in a process of its own. A case that crashes, or takes longer than 60 s (200 s
 * under sanitizers), fails; the suite is then started again behind it, which is why a suite must
 * begin its cases in the same order each time. Everything handed out lives until the suite ends. */
#pragma once
#include "base/base.h"
#include "base/str.h"
#include "base/vec.h"
#include "doc/node.h"

struct suite;
typedef void suite_run_fn(struct suite *s);

struct suite_entry {
    const char *name; /* as written in SUITE; '_' stands for the '-' of the folder */
    suite_run_fn *run;
    struct suite_entry *next;
};
void suite_register(struct suite_entry *entry);

#define SUITE(id)                                                      \
    static void run_suite_##id(struct suite *s);                       \
    __attribute__((constructor)) static void register_suite_##id(void) \
    {                                                                  \
        static struct suite_entry entry = {#id, run_suite_##id, NULL}; \
        suite_register(&entry);                                        \
    }                                                                  \
    static void run_suite_##id(struct suite *s)

/* The cases that follow count in a line of their own, `SUITE/TABLE: …`; without a call, in `SUITE:
 * …`. */
void suite_table(struct suite *s, const char *table);
/* False when the case is not to be run: it is not the one asked for, or ran before a crash. */
bool suite_begin(struct suite *s, str id);
/* The verdict on the case that began last; the text says why it failed and goes to the log. */
void suite_end(struct suite *s, bool passed, const char *why, ...) PRINTF(3, 4);
/* Both in one, for cases that are cheap to run and cannot crash. */
void suite_case(struct suite *s, str id, bool passed, const char *why);

const char *suite_path(struct suite *s,
                       const char *file); /* below the suite's folder of the data */
bool suite_has(struct suite *s, const char *file);
/* A data file, read and parsed. One that cannot be read fails the whole suite. */
struct doc_node *suite_json(struct suite *s, const char *file);
struct doc_node *suite_yaml(struct suite *s, const char *file);
str suite_text(struct suite *s, const char *file);
/* Names of the entries of a folder below the suite's that end in suffix, sorted. */
struct str_vec suite_list(struct suite *s, const char *folder, const char *suffix);
struct doc_set *
suite_set(struct suite *s); /* the data's set, for text and nodes that live as long */
/* The program under test, as an absolute path. */
const char *suite_program(struct suite *s);
/* Ends the suite: nothing more can be judged. */
__attribute__((noreturn)) void suite_abort(struct suite *s, const char *why, ...) PRINTF(2, 3);
