/* Libraries loaded on first use, so that commands that do not need one do not pay for its start
 * (design 5). One row a function; the compiler takes the prototypes from the library's own header.
 *
 *     #include <curl/curl.h>                               in the one file that hides the library
 *     #define CURL_FUNCTIONS(X) X(curl_easy_init) X(curl_easy_perform)
 *     DL_LIBRARY(curl, CURL_FUNCTIONS, SONAME_curl, "libcurl4")
 *
 *     const struct curl_dl *curl = curl_load(e);           any thread; the first call loads
 *     if (!curl)
 *         return -1;
 *     handle = curl->curl_easy_init();
 *
 * When several files call it, the header has DL_DECLARE(curl, CURL_FUNCTIONS) and one source file
 * DL_DEFINE(curl, CURL_FUNCTIONS, SONAME_curl, "libcurl4"). The sonames are read at build time from
 * the development files (LOADED in the Makefile: a new library is a word there).
 *
 * A table lives until the process ends: libraries are never unloaded. A library or function that is
 * missing is ERR_UNSUPPORTED with the name of the Debian package; the next call tries again. */
#pragma once
#include <pthread.h>
#include <stdatomic.h>

#include "base/err.h"
#include "sonames.h" /* generated: SONAME_curl "libcurl.so.4", ... */

struct dl_library {
    const char *soname, *package;
    const char *names; /* of the functions, one behind the other, in the order of the table */
    size_t count;
    void *table; /* count function pointers */
    pthread_mutex_t lock;
    atomic_bool is_loaded;
};
int dl_load(struct dl_library *lib, struct err *e);

#define DL_FIELD_(function) typeof(function) *function;
#define DL_NAME_(function) #function "\0"
#define DL_ONE_(function) +1

#define DL_TABLE_(lib, FUNCTIONS) \
    struct lib##_dl {             \
        FUNCTIONS(DL_FIELD_)      \
    }
#define DL_LOADER_(linkage, lib, FUNCTIONS, so, deb)                            \
    linkage const struct lib##_dl *lib##_load(struct err *e)                    \
    {                                                                           \
        static const char names[] = FUNCTIONS(DL_NAME_);                        \
        static struct lib##_dl table;                                           \
        static struct dl_library library = {.soname = so,                       \
                                            .package = deb,                     \
                                            .names = names,                     \
                                            .count = 0 FUNCTIONS(DL_ONE_),      \
                                            .table = &table,                    \
                                            .lock = PTHREAD_MUTEX_INITIALIZER}; \
                                                                                \
        return dl_load(&library, e) < 0 ? NULL : &table;                        \
    }

#define DL_DECLARE(lib, FUNCTIONS) \
    DL_TABLE_(lib, FUNCTIONS);     \
    const struct lib##_dl *lib##_load(struct err *e);
#define DL_DEFINE(lib, FUNCTIONS, so, deb) DL_LOADER_(, lib, FUNCTIONS, so, deb)
#define DL_LIBRARY(lib, FUNCTIONS, so, deb) \
    DL_TABLE_(lib, FUNCTIONS);              \
    DL_LOADER_(static, lib, FUNCTIONS, so, deb)
