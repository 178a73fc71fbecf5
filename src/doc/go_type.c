#include "doc/go_type.h"

const char *doc_go_type(const struct doc_node *n)
{
    switch (doc_type(n)) {
    case DOC_BOOL:
        return "bool";
    case DOC_NUMBER:
        return "float64";
    case DOC_STRING:
        return "string";
    case DOC_LIST:
        return "[]interface {}";
    case DOC_MAP:
        return "map[string]interface {}";
    case DOC_NULL:
    case DOC_ALIAS:
        break;
    }
    return "<nil>";
}
