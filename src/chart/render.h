/* Rendering a chart: what `helm template` prints (helm spec 5, 6). Reaches a cluster or the network
 * only through what the options name. Pure apart from that, clock and randomness; one thread at a
 * time. */
#pragma once
#include "chart/chart.h"

struct chart_render_options;
/* What lies outside of rendering; each may be NULL. Called on the rendering thread, the first
 * argument is ctx. */
struct chart_host {
    void *ctx;
    /* Told the files of crds/ before capabilities are read (helm spec 8): installs them, and may
     * fill in kube_version, api_versions of the options. */
    int (*crds)(void *ctx, const struct chart_files *crds, struct chart_render_options *options,
                struct err *e);
    /* As in struct tmpl_host: lookup and getHostByName. NULL: nothing is ever there. */
    int (*lookup)(void *ctx, str api_version, str kind, str ns, str name,
                  const struct doc_node **ret, struct err *e);
    int (*resolve)(void *ctx, str name, struct buf *out, struct err *e);
    /* Not NULL (lint): required and fail say their message here and give the empty text. */
    void (*lint)(void *ctx, str place, str message);
    /* Changes the outputs before they are split: a post-renderer. */
    int (*filter)(void *ctx, struct doc_set *set, struct chart_files *outputs, struct err *e);
};

struct chart_render_options { /* borrowed */
    str release, ns;
    str kube_version;           /* "1.33.0", empty: the newest known */
    str kube_major, kube_minor; /* with has_all_apis: "1", "34+" */
    const str *api_versions;
    size_t api_version_count; /* besides those built in */
    bool has_all_apis;        /* api_versions are all there are: a cluster's */
    bool is_upgrade, skips_schema, renders_subchart_notes;
    bool leaves_crds;              /* the release has none, those that are not read yet stay so */
    int64_t revision;              /* 0: 1 */
    const struct chart_host *host; /* or NULL */
};

struct chart_manifest {
    str path, text, kind, name; /* "top/templates/a.yaml" */
    str hooks;                  /* of a hook: its events, "pre-install,test" */
    int64_t weight;
};
struct chart_release {                           /* texts live in the set given */
    VEC(struct chart_manifest) manifests, hooks; /* in install order */
    struct chart_files crds;
    str notes;
};
void chart_release_done(struct chart_release *r); /* leaves {0} */
AUTO_VALUE(struct chart_release, chart_release_done)

/* Resolves dependencies of c (which changes it), coalesces, judges by schemas, renders, sorts. */
int chart_render(struct doc_set *set, struct chart *c, const struct doc_node *values,
                 const struct chart_render_options *options, struct chart_release *ret,
                 struct err *e) MUST_CHECK;
bool chart_is_test(const struct chart_manifest *hook);

enum chart_print_flags {
    CHART_PRINT_CRDS = 1 << 0,
    CHART_PRINT_NO_HOOKS = 1 << 1,
    CHART_PRINT_NO_TESTS = 1 << 2,
};
/* The manifests behind "---\n# Source: PATH\n" each, as `helm template` prints them. */
void chart_release_print(const struct chart_release *r, unsigned flags, struct buf *out);
/* Only the documents of files whose path inside the chart matches one of the patterns.
 * ERR_NOT_FOUND: "could not find template X in chart". */
int chart_print_only(str printed, const struct str_vec *patterns, struct buf *out,
                     struct err *e) MUST_CHECK;
