/* Input: a pattern, a NUL, a text. Setter patterns, path patterns, globs and replacements of groups
 * end on everything; what a setter pattern takes apart gives the text back, a path matches itself.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "fnlib/path_pattern.h"
#include "fnlib/setters.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_setter(gfn_ctx *ctx, const char *pattern, const char *text)
{
    fnlib_pattern p;
    const char *again;

    if (!fnlib_pattern_read(ctx, pattern, &p))
        return;
    fnlib_pattern_match(ctx, &p, text);
    again = p.before[0];
    for (size_t i = 0; i < p.count; i++) {
        if (!p.values[i])
            return; /* no match, or an empty part */
        again = gfn_printf(ctx, "%s%s%s", again, p.values[i], p.before[i + 1]);
    }
    assert(strcmp(again, text) == 0);
}

static void try_path(const char *pattern, const char *path)
{
    fnlib_path *p = fnlib_path_new(pattern), *self = fnlib_path_new(path);

    if (p)
        fnlib_path_matches(p, path);
    if (self && fnlib_path_is_plain(self))
        assert(fnlib_path_matches(self, path));
    fnlib_path_free(p);
    fnlib_path_free(self);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *input = malloc(size + 2);
    const char *pattern = input, *text;
    gfn_ctx *ctx = gfn_read("", 0);
    gfn_node list;

    assert(input);
    memcpy(input, data, size);
    input[size] = input[size + 1] = '\0';
    text = input + strlen(input) + 1;
    try_setter(ctx, pattern, text);
    try_path(pattern, text);
    gfn_glob(pattern, text);
    list = fnlib_setter_list(ctx, text);
    assert(!gfn_exists(list) || gfn_is_list(list));
    gfn_get(list, pattern);
    gfn_free(ctx);
    free(input);
    return 0;
}
