/* The order in which go-yaml v3 writes the keys of a map: digits by their number, letters behind
 * the rest, but in front of it behind a digit ("a1b", "a1-", "a10"). Less than, equal to or greater
 * than 0. Like upstream's, not transitive for numbers with zeros in front. Pure. */
#pragma once
#include "base/str.h"

int doc_compare_keys(str a, str b);
