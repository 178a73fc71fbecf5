/* Go's view of text: which characters are letters, spaces or printable, quoting and unquoting,
 * numbers as strconv reads them. Pure; any thread. */
#pragma once
#include "base/buf.h"

bool text_is_alnum(uint32_t c); /* letter, digit or '_' */
bool text_is_digit(uint32_t c);
bool text_is_upper(uint32_t c);
bool text_is_lower(uint32_t c);
bool text_is_punct(uint32_t c);
bool text_is_space(uint32_t c); /* unicode.IsSpace */
bool text_is_print(uint32_t c);
uint32_t text_upper(uint32_t c);
uint32_t text_lower(uint32_t c);
uint32_t text_title(uint32_t c);

str text_chars(str s, size_t count); /* the first count characters */
size_t text_count(str s);            /* characters, each bad byte one */
str text_trim_space(str s);          /* of Unicode, both sides */

/* strconv.Quote, with ascii QuoteToASCII. */
void text_quote(str s, bool ascii, struct buf *out);
/* As package time quotes: what is no ASCII, or a control, as \xNN, byte for byte. */
void text_quote_time(str s, struct buf *out);
void text_quote_char(uint32_t c, bool ascii, struct buf *out); /* 'x' */
bool text_can_backquote(str s);
/* "U+0041", with shown "U+0041 'A'". */
void text_add_code_point(uint32_t c, bool shown, struct buf *out);
/* A quoted or raw literal, its quotes included. False: invalid syntax; out is then as before. */
bool text_unquote(str literal, struct buf *out);
bool text_unquote_char(str literal, uint32_t *ret); /* 'x' */

/* strconv.ParseInt and ParseUint with base 0 (prefixes, underscores) or 10. False on bad syntax or
 * range. */
bool text_to_int(str s, int base, int64_t *ret);
bool text_to_uint(str s, int base, uint64_t *ret);
bool text_to_float(str s, double *ret); /* strconv.ParseFloat; out of range is false */
