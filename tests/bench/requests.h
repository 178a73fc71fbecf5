/* What a client sent to an API server, in groups: those of one group may be on their way at once,
 * the next begins when all are answered. A file of them is text: for each a line
 * "GROUP METHOD TARGET LENGTH ACCEPT;CONTENT-TYPE", the body and a line end. */
#pragma once
#include "base/buf.h"
#include "base/vec.h"

struct request {
    int group;
    str method, target, accept, content_type, body;
};
struct requests {
    struct request *v;
    size_t len, cap;
};
static inline void requests_done(struct requests *r) { vec_done(r); }
AUTO_VALUE(struct requests, requests_done)
void request_write(const struct request *r, struct buf *out);
/* Views into text. False: no such file. */
bool requests_read(str text, struct requests *ret);
