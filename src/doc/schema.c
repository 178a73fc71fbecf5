#include "doc/schema.h"

#include "doc/node.h"

doc_shape doc_schema_of(const struct doc_schema *s, const struct doc_node *object)
{
    str group, version = STR_NONE;

    if (!s)
        return 0;
    group = str_cut(doc_string(doc_get_lit(object, "apiVersion"), STR_NONE), '/', &version);
    if (!version.p) { /* "v1": the core group */
        version = group;
        group = STR_NONE;
    }
    return s->root(s, group, version, doc_string(doc_get_lit(object, "kind"), STR_NONE));
}
