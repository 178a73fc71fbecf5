/* What functions are written with. */
#pragma once
#include "expr/gotmpl/run_priv.h"
#include "expr/gotmpl/text_priv.h"

static inline str arg_text(const struct tmpl_call *c, size_t i) { return tmpl_text(c->args[i]); }

/* *ret is a copy of the text of a buffer from trun_borrow, which goes back. 0, or -1 when a budget
 * is used up. */
static inline int ret_text(struct tmpl_call *c, struct buf *b, struct tmpl_value *ret)
{
    int rc = trun_room(c->run, b->len);

    *ret = rc < 0 ? TMPL_NOTHING : trun_string(c->run, b);
    trun_give(c->run, b);
    return rc;
}

static inline int ret_view(struct tmpl_value *ret, str text) /* part of an argument or constant */
{
    *ret = tmpl_string(text);
    return 0;
}

static inline int ret_bool(struct tmpl_value *ret, bool b)
{
    *ret = tmpl_bool(b);
    return 0;
}

static inline int ret_list(struct tmpl_value *ret, enum tmpl_elem elem,
                           const struct tmpl_value *items, size_t count)
{
    *ret = tmpl_list(elem, items, count);
    return 0;
}

/* N of the specification: numbers, texts, booleans; failure is 0. */
int64_t fn_to_int(struct tmpl_value v);
double fn_to_float(struct tmpl_value v);
/* The type as sprig's messages name it: of a nil "%!s(<nil>)". */
const char *fn_type(struct tmpl_value v);
/* Appends the bytes that base64 stands for; the offset of what Go finds wrong, -1 for nothing. */
ssize_t fn_decode_base64(str s, struct buf *out);
