/* Key and value sources of generators: literals, env files, files (kustomize spec 6).
 *
 * Keys and values are views into the texts given, which must outlive the entries. Errors are
 * ERR_INVALID with kustomize's words. Pure; any thread. */
#pragma once
#include "base/err.h"
#include "base/vec.h"

struct kustomize_entry {
    str key, value;
};
struct kustomize_entries {
    struct kustomize_entry *v;
    size_t len, cap;
};
void kustomize_entries_done(struct kustomize_entries *entries); /* leaves {0} */
AUTO_VALUE(struct kustomize_entries, kustomize_entries_done)

/* "key=value"; one entry of equal quotes around the value is taken off. */
int kustomize_source_literal(str source, struct kustomize_entry *ret, struct err *e) MUST_CHECK;
/* "path" or "key=path": the key and the path. */
int kustomize_source_file(str source, str *ret_key, str *ret_path, struct err *e) MUST_CHECK;
/* Appends the entries of an env file. The text of the error begins with the line's number. Upstream
 * reads no further than to a line of 64 KiB, and says nothing: its number in *ret_cut, else 0. */
int kustomize_source_env(str text, struct kustomize_entries *ret, unsigned *ret_cut,
                         struct err *e) MUST_CHECK;
/* By bytes of the key; false and the key when one is there twice. */
bool kustomize_entries_sort(struct kustomize_entries *entries, str *ret_twice);
