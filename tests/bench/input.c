#include "bench/input.h"

bool input_read(const char *path, struct buf *out)
{
    FILE *f = fopen(path, "re");
    size_t n;

    if (!f) {
        perror(path);
        return false;
    }
    do {
        buf_grow(out, 1 << 20);
        n = fread(out->p + out->len, 1, 1 << 20, f);
        out->len += n;
    } while (n > 0);
    buf_add(out, "", 0);
    fclose(f);
    return true;
}
