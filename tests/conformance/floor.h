/* The floor: how many cases of each line passed when it was last raised. Text lines `NAME PASSED`,
 * sorted. */
#pragma once
#include "base/arena.h"
#include "base/str.h"

struct floor_line {
    const char *name;
    unsigned passed;
};
struct floor {
    struct floor_line *v;
    size_t len, cap;
    struct arena arena; /* the names */
};

/* A missing file is an empty floor; a malformed line ends the program: a floor that is not read
 * protects nothing. */
void floor_load(struct floor *f, const char *path);
unsigned floor_of(const struct floor *f, const char *name); /* 0 when there is none */
void floor_raise(struct floor *f, const char *name, unsigned passed);
void floor_save(struct floor *f, const char *path);
void floor_done(struct floor *f);
AUTO_VALUE(struct floor, floor_done)
