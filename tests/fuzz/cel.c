/* Whatever is read as CEL is checked and run to an end, with and without types. */
#include "expr/cel/cel.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct cel_env *envs[2];
    str text = {(const char *)data, size};

    for (unsigned i = 0; i < 2; i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(arena_done) struct arena arena = {0};
        AUTO(cel_program_free) struct cel_program *p = NULL;

        if (!envs[i])
            envs[i] = cel_env_new(i ? CEL_NO_CHECK : 0, STR_NONE);
        p = cel_compile(envs[i], text, NULL, &e);
        if (p)
            (void)cel_eval(p, NULL, NULL, &arena);
    }
    return 0;
}
