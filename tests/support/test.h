/* The test runner: TEST(name) { } registers itself; a program of a folder's tests runs them all, or
 * those whose names contain an argument. Names are sentences; a failing row prints its input. Tests
 * run one after another. */
#pragma once
#include "base/err.h"
#include "base/str.h"

struct test {
    const char *name, *file;
    void (*run)(void);
    struct test *next;
};
void test_register(struct test *t);
void test_fail(const char *file, int line, const char *fmt, ...) PRINTF(3, 4);
/* Counts the failure of one test only once; use the macros. */
void test_check_str(const char *file, int line, str got, str want, str what);
void test_check_int(const char *file, int line, long long got, long long want, str what);
/* How long a test waits for what has to come: as only a failure takes that long, a loaded machine
 * is no reason for one. */
#define TEST_PATIENCE_MS INT64_C(120000)
/* A fresh folder for the running test, removed with everything in it when the test ends. */
const char *test_tmp(void);

#define TEST(id)                                                 \
    static void test_##id(void);                                 \
    __attribute__((constructor)) static void register_##id(void) \
    {                                                            \
        static struct test t = {#id, __FILE__, test_##id, NULL}; \
        test_register(&t);                                       \
    }                                                            \
    static void test_##id(void)

#define CHECK(cond)                                               \
    do {                                                          \
        if (!(cond))                                              \
            test_fail(__FILE__, __LINE__, "not true: %s", #cond); \
    } while (0)
#define CHECK_STR(got, want, what) test_check_str(__FILE__, __LINE__, got, want, str_of(what))
#define CHECK_INT(got, want, what) test_check_int(__FILE__, __LINE__, got, want, str_of(what))
/* The call must succeed (>= 0 or non-NULL is tested by the caller): prints the error when e holds
 * one. */
#define CHECK_OK(e)                                                             \
    do {                                                                        \
        if ((e)->kind != ERR_NONE)                                              \
            test_fail(__FILE__, __LINE__, "unexpected error: %s", err_text(e)); \
    } while (0)
