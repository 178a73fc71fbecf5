/* Operations on releases in this process, against the sandbox. */
#pragma once
#include "chart/release/operations.h"
#include "sandbox/sandbox.h"

struct world {
    struct sandbox *sb;
    struct kube *kube;
    struct err e;
    struct buf told;    /* steps and warnings, a line each */
    struct buf missing; /* what waits said last */
    /* A Deployment has been seen that is not available; may be NULL. On a thread of the wait. */
    void (*on_unavailable)(struct world *w);
    struct cancel *soon; /* for that */
};
/* The sandbox and a client of it; hooks and faults are the test's. options may be NULL. */
void world_start(struct world *w, const struct sandbox_options *options);
void world_done(struct world *w);
AUTO_VALUE(struct world, world_done)

struct plan { /* an operation on a chart of few files */
    struct doc_set *set;
    struct chart_operation op;
    struct chart_record record;
};
/* The release "web" in "default". manifest: of templates/a.yaml; hooks and crd may be NULL; values
 * is YAML, or NULL. */
void plan(struct world *w, struct plan *p, const char *manifest, const char *hooks, const char *crd,
          const char *values);
void plan_done(struct plan *p);
AUTO_VALUE(struct plan, plan_done)

/* Installs it; it must succeed. */
void install(struct world *w, const char *manifest);
/* An object in the default namespace: its JSON has the text. */
bool has(struct world *w, const char *api_version, const char *kind, const char *name,
         const char *text);
#define HAS_CM(w, name, text) has(w, "v1", "ConfigMap", name, text)
/* Of a revision of the release, 0: the newest; CHART_UNKNOWN: there is none. */
enum chart_status status_of(struct world *w, int64_t revision);

#define CM(name, color) \
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " name "}\ndata: {color: '" color "'}\n"
#define COLORED CM("cm", "{{ .Values.color }}")
#define DEPLOYMENT(fate)                                                                          \
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec: {selector: {matchLabels: " \
    "{a: b}}, template: {metadata: {labels: {a: b, fate: " fate "}}, spec: {containers: [{name: " \
    "c, image: i}]}}}\n"
