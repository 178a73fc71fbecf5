#include "support/test.h"

#include <ftw.h>
#include <signal.h>
#include <stdarg.h>
#include <unistd.h>

static struct test *tests;
static int failures; /* of the running test */
static char tmp_path[64];
static const char *running; /* name of the running test */

enum { LIMIT_S = 600 };

void test_register(struct test *t)
{
    t->next = tests;
    tests = t;
}

void test_fail(const char *file, int line, const char *fmt, ...)
{
    va_list args;

    failures++;
    fprintf(stderr, "%s:%d: ", file, line);
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fputc('\n', stderr);
}

void test_check_str(const char *file, int line, str got, str want, str what)
{
    if (!str_eq(got, want))
        test_fail(file, line, "%.*s\n   got: \"%.*s\"\n  want: \"%.*s\"", STR_ARG(what),
                  STR_ARG(got), STR_ARG(want));
}

void test_check_int(const char *file, int line, long long got, long long want, str what)
{
    if (got != want)
        test_fail(file, line, "%.*s: got %lld, want %lld", STR_ARG(what), got, want);
}

const char *test_tmp(void)
{
    if (!tmp_path[0]) {
        const char *root = getenv("TMPDIR");

        snprintf(tmp_path, sizeof(tmp_path), "%.32s/grapnel-test-XXXXXX", root ? root : "/tmp");
        if (!mkdtemp(tmp_path)) {
            perror(tmp_path);
            exit(1);
        }
    }
    return tmp_path;
}

static int remove_one(const char *path, const struct stat *st UNUSED, int type UNUSED,
                      struct FTW *ftw UNUSED)
{
    return remove(path);
}

static void tmp_remove(void)
{
    if (tmp_path[0])
        nftw(tmp_path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    tmp_path[0] = '\0';
}

/* A test that hangs must not hold up everybody else: the program ends and says which it was. */
static void take_too_long(int signo UNUSED)
{
    static const char text[] = ": takes too long\n";

    if (write(STDERR_FILENO, running, strlen(running)) < 0 ||
        write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
        _exit(2);
    _exit(1);
}

static bool is_kept(const char *variable)
{
    static const char *const kept[] = {"PATH=",  "TMPDIR=", "LD_",   "ASAN_",        "TSAN_",
                                       "UBSAN_", "LSAN_",   "GCOV_", "GRAPNEL_TEST_"};

    for (size_t i = 0; i < ARRAY_LEN(kept); i++)
        if (strncmp(variable, kept[i], strlen(kept[i])) == 0)
            return true;
    return false;
}

/* What the caller's session has set (a proxy, a kubeconfig, git's folder inside a hook, a language)
 * decides nothing. */
static void clean_environment(void)
{
    char **end = environ;

    for (char **v = environ; v && *v; v++)
        if (is_kept(*v))
            *end++ = *v;
    if (end)
        *end = NULL;
    if (setenv("HOME", "/nonexistent", 1) || setenv("LC_ALL", "C.UTF-8", 1) ||
        setenv("TZ", "UTC", 1))
        exit(1);
}

int main(int argc, char **argv)
{
    const char *name = strrchr(argv[0], '/');
    int passed = 0, failed = 0;
    struct test *reversed = NULL;

    clean_environment();
    signal(SIGALRM, take_too_long);
    while (tests) { /* file order */
        struct test *t = tests;

        tests = t->next;
        t->next = reversed;
        reversed = t;
    }
    for (struct test *t = reversed; t; t = t->next) {
        if (argc > 1 && !strstr(t->name, argv[1]))
            continue;
        failures = 0;
        running = t->name;
        alarm(LIMIT_S);
        t->run();
        alarm(0);
        tmp_remove();
        if (failures)
            fprintf(stderr, "FAILED %s (%s)\n", t->name, t->file);
        failed += failures > 0;
        passed += failures == 0;
    }
    printf("%s: %d passed, %d failed\n", name ? name + 1 : argv[0], passed, failed);
    return failed > 0;
}
