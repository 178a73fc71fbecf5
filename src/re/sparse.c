#include "re/re_priv.h"

void re_sparse_init(struct re_sparse *s, uint32_t size)
{
    s->dense = mem_zalloc(sizeof(*s->dense) * size);
    s->sparse = mem_zalloc(sizeof(*s->sparse) * size);
    s->len = 0;
    s->size = size;
}

void re_sparse_done(struct re_sparse *s)
{
    mem_free(s->dense);
    mem_free(s->sparse);
    *s = (struct re_sparse){0};
}
