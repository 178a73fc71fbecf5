/* Other spellings of a text: in JSON strings, in URLs, as base64, quoted for a log line. Pure; any
 * thread. Reading base64 is in here too. */
#pragma once
#include "base/buf.h"

/* The inside of a JSON string, without its quotes. html: < > & U+2028 U+2029 are escaped too, as
 * Go's encoding/json does. Bytes that are not UTF-8 become U+FFFD. */
void escape_json(str text, bool html, struct buf *out);
/* All but A-Z a-z 0-9 - . _ ~ and what also_safe lists. */
void escape_percent(str text, const char *also_safe, struct buf *out);
void escape_base64(str text, bool padded, struct buf *out); /* standard alphabet */
/* Standard alphabet, padded, line ends inside skipped (as Go reads it). False on anything else;
 * out is then as before. */
bool unescape_base64(str text, struct buf *out);
/* A double-quoted text as Go's strconv.Quote writes it; bytes that are not UTF-8 as \xNN. */
void escape_quoted(str text, struct buf *out);
