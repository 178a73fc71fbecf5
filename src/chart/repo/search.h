/* Looking for charts in the cached indexes of all repositories, as `helm search repo` does. Reads
 * files; any thread, one set at a time. */
#pragma once
#include "base/vec.h"
#include "chart/repo/cache.h"

struct chart_search {
    str term;              /* in name, REPO/NAME, description or keywords; empty: everything */
    bool is_regexp;        /* term is a regular expression */
    str constraint;        /* of versions; empty: releases */
    bool has_all_versions; /* not only the newest one of each chart */
};
struct chart_hit {
    str name; /* "REPO/NAME", in the set */
    const struct chart_index_version *version;
    int score; /* 0: the term is in the name; the lower the better */
};
struct chart_hits {
    struct chart_hit *v;
    size_t len, cap;
};
static inline void chart_hits_done(struct chart_hits *hits) { vec_done(hits); }
AUTO_VALUE(struct chart_hits, chart_hits_done)

/* Indexes are read into the set. Those that are missing are told in the log. Sorted by score, name,
 * and version, newest first. */
int chart_search(const struct chart_repos *repos, const struct chart_dirs *dirs,
                 const struct chart_search *what, struct doc_set *set, struct chart_hits *ret,
                 struct err *e) MUST_CHECK;
