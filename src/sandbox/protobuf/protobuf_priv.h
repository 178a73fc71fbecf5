/* The layout of the generated table of protobuf messages (tools/gen-protobuf.py). Texts are offsets
 * into sb_pb_words. */
#pragma once
#include "base/str.h"

enum sb_pb_type {
    SB_PB_BOOL,
    SB_PB_INT,
    SB_PB_STRING,
    SB_PB_BYTES,
    SB_PB_MESSAGE,
    SB_PB_QUANTITY,
    SB_PB_TIME,
    SB_PB_INT_OR_STRING,
    SB_PB_RAW,
    SB_PB_DURATION,
};
enum sb_pb_how {
    SB_PB_PLAIN,    /* left out of the JSON when it is zero */
    SB_PB_POINTER,  /* zero counts when it is there */
    SB_PB_REPEATED, /* a list */
    SB_PB_MAP,      /* keys are texts; the type is the values' */
    SB_PB_INLINE,   /* its fields stand in the JSON of the one around it */
};
struct sb_pb_field {
    uint16_t name;
    uint16_t message; /* of SB_PB_MESSAGE */
    uint16_t number;
    uint8_t type, how;
};
struct sb_pb_message {
    uint16_t first, count;
};
struct sb_pb_root {
    uint16_t group, version, kind, message;
};
extern const struct sb_pb_root sb_pb_roots[];
extern const size_t sb_pb_root_count;
extern const struct sb_pb_message sb_pb_messages[];
extern const struct sb_pb_field sb_pb_fields[];
extern const char sb_pb_words[];

/* The message of a kind, or NULL. */
const struct sb_pb_root *sb_pb_root_of(str group, str version, str kind);
/* Its field of that name in JSON, those of messages that stand inside it included; or NULL. */
const struct sb_pb_field *sb_pb_field_of(unsigned message, str name);
