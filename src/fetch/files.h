/* The files of one run that lie at http(s) URLs, beside the cache of them by URL:
 *
 *     CACHE/http/SHA256-OF-URL
 *
 * What comes is asked for anew in each run; the cache answers offline. Any thread. */
#pragma once
#include "fetch/source_priv.h"

struct fetch_files;
struct fetch_files *fetch_files_new(const struct fetch_source *source); /* copied */
void fetch_files_free(struct fetch_files *files);
/* As fetch_loader_read for a URL. */
int fetch_files_get(struct fetch_files *files, str url, size_t limit, struct buf *out,
                    struct err *e);
