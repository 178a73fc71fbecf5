/* What scalars and keys mean in each dialect: one table (design 3). Facts: go-yaml v2 as
 * sigs.k8s.io/yaml uses it, go-yaml v3 as kyaml uses it, khook spec 1.1, kustomize spec 18. Pure.
 */
#pragma once
#include "doc/parse.h"
#include "doc/yaml/scan.h"

enum dialect_keys {
    KEYS_AS_WRITTEN, /* scalars of any type: their text */
    KEYS_AS_JSON,    /* converted as sigs.k8s.io/yaml does: 0x10 is "16", yes is "true"; null is
                        refused */
    KEYS_STRINGS,    /* others are refused */
};

struct dialect {
    const char *name;
    bool has_old_words;  /* yes, no, on, off, y, n are booleans (YAML 1.1), and "! 12" is a string
                            (go-yaml v2) */
    bool has_timestamps; /* ISO dates become RFC 3339 strings; else they stay the string they are */
    bool decodes_binary; /* !!binary */
    bool last_wins;      /* of duplicate keys; else they are refused */
    bool merge_overrides; /* "<<" replaces keys written before it (go-yaml v2); else what is written
                             wins */
    enum dialect_keys keys;
};
const struct dialect *dialect_row(enum doc_dialect dialect);

/* Whether a plain scalar that begins with the byte may be anything but a string. */
extern const bool dialect_may_resolve[256];
/* The same for the whole scalar, which is not empty: a quick look that lets most words pass as
 * strings. */
static inline bool dialect_needs_look(str s)
{
    char second;

    if (!dialect_may_resolve[(uint8_t)s.p[0]])
        return false;
    if (s.p[0] < 'A' || s.p[0] == '~' || s.len == 1)
        return true;
    second = (char)(s.p[1] | 0x20);
    switch (s.p[0] | 0x20) {
    case 'n': /* no, null */
        return s.len <= 4 && (second == 'o' || second == 'u');
    case 't': /* true */
        return s.len == 4 && second == 'r';
    case 'f': /* false */
        return s.len == 5 && second == 'a';
    case 'y': /* yes */
        return s.len == 3 && second == 'e';
    default: /* on, off */
        return s.len <= 3 && (second == 'n' || second == 'f');
    }
}
void dialect_plain(const struct dialect *d, str s, struct arena *arena, struct doc_node *n);
/* Gives n the type and text of the scalar ev. NULL, or why that is not possible: a static text
 * about the scalar's value and tag. */
const char *dialect_scalar(const struct dialect *d, const struct doc_yaml_event *ev,
                           struct arena *arena, struct doc_node *n);
/* The key that the scalar ev is. */
const char *dialect_key(const struct dialect *d, const struct doc_yaml_event *ev,
                        struct arena *arena, str *ret);
/* The text of a resolved node as a key, for aliases. */
const char *dialect_key_of(const struct dialect *d, const struct doc_node *n, struct arena *arena,
                           str *ret);
