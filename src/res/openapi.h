/* The API server's table of built-in kinds (res/schema.h), printed as OpenAPI definitions: types,
 * references, required fields, formats and how lists and maps merge. The table keeps neither
 * descriptions nor defaults and values of enumerations.
 *
 * Used by one thread; constant data otherwise. */
#pragma once
#include "base/buf.h"
#include "base/vec.h"

enum res_openapi_version { RES_OPENAPI_V2, RES_OPENAPI_V3 };

struct res_openapi { /* {.version = …}; res_openapi_done */
    enum res_openapi_version version;
    bool *wanted; /* by row of the table; or NULL */
};
void res_openapi_done(struct res_openapi *o);
AUTO_VALUE(struct res_openapi, res_openapi_done)

/* Asks for a definition ("io.k8s.api.core.v1.Pod"), or that of a kind, with all that it refers to.
 * False: the table has none. */
bool res_openapi_want(struct res_openapi *o, str definition);
bool res_openapi_want_kind(struct res_openapi *o, str group, str version, str kind);
/* Appends what was asked for as members of a JSON object, in order of name, a comma before each but
 * the first of the object. */
void res_openapi_print(const struct res_openapi *o, struct buf *out);
/* Appends a schema that refers to a definition: {"$ref":…} */
void res_openapi_print_reference(enum res_openapi_version version, str definition, struct buf *out);
