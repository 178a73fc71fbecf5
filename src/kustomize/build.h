/* `grapnel build`: from a folder or URL with a kustomization to the text of its resources
 * (kustomize spec, all). One call a build; any thread, also several builds at once. Reads files,
 * and nothing else unless the options allow it; never writes. */
#pragma once
#include "base/buf.h"
#include "base/diag.h"
#include "base/err.h"
#include "fetch/loader.h"
#include "fn/runner.h"
#include "kustomize/resmap.h"
#include "sys/cancel.h"

/* kustomize's version whose bytes are printed, as `kustomize version` prints it. */
#define KUSTOMIZE_VERSION "v5.8.2"

enum kustomize_reorder {
    KUSTOMIZE_REORDER_UNSET,
    KUSTOMIZE_REORDER_NONE,
    KUSTOMIZE_REORDER_LEGACY
};

struct kustomize_build;
/* Called after each generator and transformer, on the thread of the level, with what was run: its
 * kind ("PatchTransformer") and the node it was decoded from, or NULL; also when a file was read,
 * with kind NULL, and after the steps at the end ("name references"). For --explain. */
typedef void kustomize_step_fn(void *ctx, struct kustomize_build *b, struct kustomize_resmap *m,
                               const char *kind, const struct doc_node *node);

struct kustomize_options {
    enum fetch_restriction restriction;
    enum kustomize_reorder reorder;
    bool managed_by_label;
    bool plugins, exec; /* --enable-alpha-plugins, --enable-exec */
    bool helm;
    str helm_command, helm_kube_version; /* helm_command empty: our own engine */
    struct str_vec helm_api_versions;
    bool helm_debug;
    bool is_fixed;              /* --compat fixed */
    bool is_strict;             /* YAML surprises are warnings, and a warning fails the build */
    unsigned jobs;              /* threads that read bases; 0: one for each core */
    struct fn_runner functions; /* natives, network, mounts, environment; gates as above */
    /* Remote files and repositories: see fetch/loader.h. */
    bool is_offline;
    const char *cache_dir;
    struct fetch_lock *lock;
    fetch_note_fn *note;
    void *note_ctx;
    struct cancel *cancel;      /* or NULL */
    kustomize_step_fn *on_step; /* or NULL */
    void *on_step_ctx;
    struct kustomize_plan *plan; /* of a session (incremental.h), or NULL */
    bool is_part; /* with few things to make: threads would cost more than they save */
};

/* What a build gives: the resources, sorted and ready to print. Owns everything they point to. */
struct kustomize_shared;
struct kustomize_result {
    struct kustomize_resmap resources;
    struct diag_list warnings; /* in order of discovery */
    struct kustomize_shared *shared;
};
void kustomize_result_done(struct kustomize_result *r); /* leaves {0} */
AUTO_VALUE(struct kustomize_result, kustomize_result_done)

/* target: a folder, or a URL. On failure the result holds the warnings only. Messages are
 * upstream's where they are known, with the place of what is at fault and the chain of
 * kustomizations that led there. */
int kustomize_build_run(const char *target, const struct kustomize_options *options,
                        struct kustomize_result *ret, struct err *e) MUST_CHECK;
/* Appends the documents as kustomize prints them. ERR_INVALID for what cannot be printed: an
 * infinite number, a key that is no text. */
int kustomize_result_print(const struct kustomize_result *r, struct buf *out,
                           struct err *e) MUST_CHECK;
/* The same in pieces of some tens of kilobytes, so that the text of a large build is never whole in
 * memory; nothing is written when something cannot be printed. text lives until write returns; its
 * -1 ends the writing. */
typedef int kustomize_write_fn(void *ctx, str text, struct err *e);
int kustomize_result_write(const struct kustomize_result *r, kustomize_write_fn *write, void *ctx,
                           struct err *e) MUST_CHECK;
/* The same of one resource. */
int kustomize_resource_print(const struct kustomize_resource *r, struct buf *out,
                             struct err *e) MUST_CHECK;
/* Appends the file name of a resource in an output folder:
 * "[<ns>_]<apiVersion>_<kind>_<name>.yaml", lower case; the namespace is in it when with_ns is set.
 */
void kustomize_file_name(const struct kustomize_resource *r, bool with_ns, struct buf *out);
bool kustomize_has_namespaces(const struct kustomize_result *r); /* two or more */
/* The folders of all kustomizations that were looked at, also by a build that failed; absolute,
 * maybe with repetitions. Borrowed. */
const struct str_vec *kustomize_result_folders(const struct kustomize_result *r);
