/* The JSON Schema of specs as their authors write them, before substitution (khook spec 1.2, 18.9),
 * printed from the field tables. Pure. */
#pragma once
#include "base/buf.h"

#define KHOOK_SCHEMA_ID "https://khook.io/schema/v1/khook.json"

/* Appends it with two blanks of indent and a line end. */
void khook_schema(struct buf *out);
