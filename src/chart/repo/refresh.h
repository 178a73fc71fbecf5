/* Fetching the indexes of several repositories at once. Each is fetched on a thread of its own, 8
 * at once; lines are told on the caller's. Blocking; any thread. */
#pragma once
#include "chart/repo/cache.h"

/* Fetches and keeps the index of each, and tells it in helm's words, in the order given:
 * `...Successfully got an update from the "web" chart repository`. ERR_UNAVAILABLE with the URLs of
 * those that failed, when all have been tried. */
int chart_refresh(const struct chart_repo *repos, size_t count, const struct chart_dirs *dirs,
                  const struct chart_access *access, chart_line_fn *line, void *ctx,
                  struct err *e) MUST_CHECK;
/* The same for repositories without names, called by their URLs; failures are only told. */
void chart_refresh_unnamed(const struct chart_repo *repos, size_t count,
                           const struct chart_dirs *dirs, const struct chart_access *access,
                           chart_line_fn *line, void *ctx);
