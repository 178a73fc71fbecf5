/* What was fetched before, in helm's folders: indexes as NAME-index.yaml, archives by their SHA-256
 * (helm spec 14). Files are replaced as a whole, so processes may work side by side. Blocking; any
 * thread. */
#pragma once
#include "chart/repo/config.h"
#include "chart/repo/index.h"

/* Appends the path of the archive (kind "chart") or its provenance ("prov") of that digest. */
void chart_cache_path(const struct chart_dirs *dirs, str digest, const char *kind, struct buf *ret);
/* Appends what is kept there, if it still has that digest (64 hex digits); false: it must be
 * fetched. */
bool chart_cache_get(const struct chart_dirs *dirs, str digest, const char *kind, struct buf *ret);
/* Writes it; appends its path. */
int chart_cache_put(const struct chart_dirs *dirs, str digest, const char *kind, str bytes,
                    struct buf *ret_path, struct err *e) MUST_CHECK;

/* Appends "CACHE/NAME-FILE": "index.yaml", "charts.txt". */
void chart_index_path(const struct chart_dirs *dirs, str name, const char *file, struct buf *ret);
/* The index of a repository as it was fetched last. ERR_NOT_FOUND when it never was. */
int chart_index_load(const struct chart_dirs *dirs, str name, struct doc_set *set,
                     struct chart_index *ret, struct err *e) MUST_CHECK;
/* The index at a repository's URL. raw (may be NULL) gets its text. */
int chart_index_fetch(str url, const struct chart_access *access, struct doc_set *set,
                      struct chart_index *ret, struct buf *raw, struct err *e) MUST_CHECK;
/* Fetches the index of a repository and keeps it. */
int chart_index_update(const struct chart_repo *repo, const struct chart_dirs *dirs,
                       const struct chart_access *access, struct err *e) MUST_CHECK;
