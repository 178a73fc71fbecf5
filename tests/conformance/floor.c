#include "conformance/floor.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/vec.h"

static struct floor_line *find(const struct floor *f, const char *name)
{
    for (size_t i = 0; i < f->len; i++)
        if (strcmp(f->v[i].name, name) == 0)
            return &f->v[i];
    return NULL;
}

void floor_raise(struct floor *f, const char *name, unsigned passed)
{
    struct floor_line *l = find(f, name);

    if (!l) {
        l = vec_add(f);
        l->name = arena_cstr(&f->arena, str_of(name));
    }
    l->passed = MAX(l->passed, passed);
}

void floor_load(struct floor *f, const char *path)
{
    FILE *in = fopen(path, "re");
    char line[256];

    while (in && fgets(line, sizeof(line), in)) {
        uint64_t passed;
        str count, name = str_cut(str_trim(str_of(line)), ' ', &count);

        if (!name.len || name.p[0] == '#')
            continue;
        if (!str_to_uint64(count, &passed) || passed > UINT32_MAX) {
            fprintf(stderr, "%s: not `NAME PASSED`: %s", path, line);
            exit(2);
        }
        floor_raise(f, arena_cstr(&f->arena, name), (unsigned)passed);
    }
    if (in)
        fclose(in);
}

unsigned floor_of(const struct floor *f, const char *name)
{
    const struct floor_line *l = find(f, name);

    return l ? l->passed : 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct floor_line *)a)->name, ((const struct floor_line *)b)->name);
}

void floor_save(struct floor *f, const char *path)
{
    FILE *out = fopen(path, "we");

    if (!out) {
        perror(path);
        exit(2);
    }
    fprintf(out, "# Cases that pass, by line of `make conformance`; never lowered. `make "
                 "conformance UPDATE=1` raises it.\n");
    vec_sort(f, by_name);
    for (size_t i = 0; i < f->len; i++)
        if (f->v[i].passed)
            fprintf(out, "%s %u\n", f->v[i].name, f->v[i].passed);
    fclose(out);
}

void floor_done(struct floor *f)
{
    vec_done(f);
    arena_done(&f->arena);
}
