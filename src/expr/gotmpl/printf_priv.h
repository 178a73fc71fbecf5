/* printf with Go's verbs (template spec 11). */
#pragma once
#include "expr/gotmpl/run_priv.h"

/* Mistakes of the format show in the text; only budgets fail (r->e). */
void printf_run(struct tmpl_run *r, str format, const struct tmpl_value *args, size_t count,
                struct buf *out);
/* One value by a verb without flags; for messages. */
void printf_value(struct tmpl_run *r, char verb, struct tmpl_value v, struct buf *out);

/* ---- what the files of printf share */
struct verb {
    bool plus, minus, sharp, space, zero, plus_v, sharp_v, has_width, has_precision;
    size_t width, precision;
    uint32_t letter;
    struct buf *out;
};
void verb_pad(const struct verb *f, str text, bool zero); /* to the width, in characters */
void verb_int(const struct verb *f, uint64_t u, bool is_signed, unsigned base, bool upper);
void verb_float(const struct verb *f, double value, char letter, int precision);
void verb_text(const struct verb *f, str s);
void verb_quoted(const struct verb *f, str s);
void verb_hex(const struct verb *f, str s, bool upper);
void verb_char(const struct verb *f, uint32_t c);
void verb_quoted_char(const struct verb *f, uint32_t c);
void verb_unicode(const struct verb *f, uint64_t c);
