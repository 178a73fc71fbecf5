/* Loading kubeconfig files: what its steps share. */
#pragma once
#include "base/diag.h"
#include "base/vec.h"
#include "doc/node.h"
#include "kube/config_priv.h"

struct kubeconfig_file {
    str path, folder;
    struct doc_set *set;
    struct doc_node *root;
};

struct kubeconfig {
    struct arena arena;                /* names of files */
    VEC(struct kubeconfig_file) files; /* in order of precedence */
    struct str_vec sought;             /* where files were looked for */
    str empty;                         /* one of them that was there, but empty */
    struct diag_list diags;
};

/* An entry of clusters, users or contexts. */
struct kubeconfig_entry {
    const struct kubeconfig_file *file;
    struct doc_node *node, *body; /* {name, cluster: body} */
};

/* kubeconfig.c: reads --kubeconfig, or the list of KUBECONFIG, or the home file. Files of a list
 * that are not there are skipped; no file at all is success with files.len 0. */
int kubeconfig_read(struct kubeconfig *k, const struct kube_config_flags *flags, struct err *e);
/* For tests and fuzzing: one file's text. */
int kubeconfig_add_text(struct kubeconfig *k, str path, str text, struct err *e);
void kubeconfig_done(struct kubeconfig *k);
AUTO_VALUE(struct kubeconfig, kubeconfig_done)
/* The first file that has the name wins, as in kubectl. list is "clusters", field "cluster". False
 * when there is none. */
bool kubeconfig_find(struct kubeconfig *k, const char *list, const char *field, str name,
                     struct kubeconfig_entry *ret);
/* Names of a list's entries, for messages. */
void kubeconfig_names(const struct kubeconfig *k, const char *list, struct str_vec *ret);
/* The first current-context that is not empty. */
str kubeconfig_current_context(const struct kubeconfig *k);

/* A text field of an entry's body; something else there is a diagnostic. Empty when absent. */
str kubeconfig_text(struct kubeconfig *k, const struct kubeconfig_entry *at, const char *name);
bool kubeconfig_bool(struct kubeconfig *k, const struct kubeconfig_entry *at, const char *name);
/* PEM from NAME-data (base64) or, without it, from the file that NAME names, relative to the
 * kubeconfig; copied into out. what is "certificate" or the like. */
str kubeconfig_pem(struct kubeconfig *k, const struct kubeconfig_entry *at, const char *name,
                   struct arena *out);
/* A path of a kubeconfig, relative to its folder, in the arena. */
str kubeconfig_path(const struct kubeconfig_file *file, str path, struct arena *a);

/* config.c: the configuration of the context that files and flags choose; without files and a
 * --server the service account of a Pod. */
struct kube_config *kube_config_of(struct kubeconfig *k, const struct kube_config_flags *flags,
                                   struct err *e);

/* config_user.c: fills the credentials from a user's entry. */
void kube_config_fill_user(struct kube_config *c, struct kubeconfig *k,
                           const struct kubeconfig_entry *user,
                           const struct kubeconfig_entry *cluster, bool is_foreign);
