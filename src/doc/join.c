#include "doc/join.h"

void doc_set_join(struct doc_set *set, struct doc_set *from)
{
    /* What the nodes name is there, though it says nothing. */
    while (set->source_count < from->source_count)
        doc_set_add_source(set, STR(""), STR(""), false);
    arena_join(&set->arena, &from->arena);
    from->source_count = 1;
}
