/* Charts: metadata, values, templates and subcharts of a folder or archive (helm spec 1, 2).
 *
 * A chart lives in the document set it was loaded into (its arena), with all its subcharts; nothing
 * is freed singly. Dependencies and rendering change it (subcharts go, values are imported): load
 * afresh to render twice. One thread at a time.
 *
 * Outside data is bounded: 5 MiB a file, 100 MiB and 20,000 files a chart, subcharts 64 deep.
 * Errors are ERR_INVALID with helm's text, ERR_LIMIT for a bound, ERR_DENIED for what leads out of
 * the folder, where that is refused. */
#pragma once
#include "base/buf.h"
#include "base/err.h"
#include "base/vec.h"
#include "doc/node.h"

#define CHART_MAX_FILE ((size_t)5 << 20)
#define CHART_MAX_BYTES ((size_t)100 << 20)
#define CHART_MAX_FILES 20000
#define CHART_MAX_DEPTH 64

struct chart_file {
    str name, text;      /* name below the chart, "templates/a.yaml" */
    int64_t modified_us; /* since 1970; 0: not known */
    const char *late;    /* where the text is that chart_load_late did not read, or NULL */
};
struct chart_files {
    struct chart_file *v; /* the texts live in the set, the vector is the owner's */
    size_t len, cap;
};
static inline void chart_files_done(struct chart_files *files) { vec_done(files); }
AUTO_VALUE(struct chart_files, chart_files_done)

struct chart_dependency { /* an entry of "dependencies" */
    str name, version, repository, condition, alias;
    bool is_enabled;
    const struct doc_node *tags, *imports; /* lists, or NULL */
};

struct chart {
    struct chart *parent; /* NULL: the top chart */
    str name, version, api_version, kube_version, type;
    bool is_deprecated;
    const struct doc_node *metadata;         /* Chart.yaml, member names in helm's spelling */
    struct doc_node *values;                 /* a map */
    str values_text;                         /* of values.yaml, comments and all, or empty */
    str schema;                              /* text of values.schema.json, or empty */
    str lock_text;                           /* of Chart.lock (requirements.lock), or empty */
    int64_t modified_us, schema_modified_us; /* of Chart.yaml and the schema */
    struct chart_file *templates, *files;    /* in the arena */
    size_t template_count, file_count;
    struct chart **children; /* in the arena, by folder name */
    size_t child_count;
    struct chart_dependency *dependencies; /* in the arena */
    size_t dependency_count;
};

/* A folder or a .tgz. Links that lead out of the folder are followed, and told in the log. */
struct chart *chart_load(struct doc_set *set, const char *path, struct err *e) MUST_CHECK;
/* The same, such links refused (ERR_DENIED): for charts that somebody else wrote. */
struct chart *chart_load_strict(struct doc_set *set, const char *path, struct err *e) MUST_CHECK;
/* The same for those who only render: no times are kept, and files of a folder that are in a folder
 * of their own which is not templates/ (crds/ is the largest part of many charts) have no text
 * before chart_read_late. */
struct chart *chart_load_late(struct doc_set *set, const char *path, struct err *e) MUST_CHECK;
/* Reads what is not read yet of the files of c; those of subcharts are theirs. */
int chart_read_late(struct doc_set *set, const struct chart *c, struct err *e) MUST_CHECK;
/* The same of the bytes of a .tgz. */
struct chart *chart_load_bytes(struct doc_set *set, str archive, struct err *e) MUST_CHECK;
/* The same of files that were read: names with '/', below the chart's folder. */
struct chart *chart_from_files(struct doc_set *set, const struct chart_files *files,
                               struct err *e) MUST_CHECK;
/* What Chart.yaml says, as helm writes it: JSON's names, empty members left out, in the order of
 * its struct. A new map in the set. */
struct doc_node *chart_metadata_json(struct doc_set *set, const struct chart *c);
/* The same of entry i of "dependencies", as Chart.yaml has it. */
struct doc_node *chart_dependency_json(struct doc_set *set, const struct chart *c, size_t i);
/* "top/charts/sub", in the set's arena. */
str chart_full_name(struct doc_set *set, const struct chart *c);
/* "library" charts give only their partials. */
static inline bool chart_is_library(const struct chart *c)
{
    return str_eq(c->type, STR("library"));
}
/* Whether a version satisfies a constraint as helm judges dependencies: neither reads, no. */
bool chart_is_compatible(str constraint, str version);
bool chart_is_crd(str name); /* a manifest in crds/ */
/* Appends the files of crds/ of the chart and its subcharts, under their full names. */
void chart_collect_crds(struct doc_set *set, const struct chart *c, struct chart_files *ret);
/* By name, as Chart.yaml of the subchart or of c has it. */
bool chart_has_child(const struct chart *c, str name);
bool chart_has_dependency(const struct chart *c, str name);
/* Has every dependency a subchart? The message lists those without. */
int chart_check_dependencies(const struct chart *c, struct err *e) MUST_CHECK;
