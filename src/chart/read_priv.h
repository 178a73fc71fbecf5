/* What reads the files of charts: a folder, an archive, Chart.yaml. */
#pragma once
#include "chart/chart.h"

/* What has been read, against the bounds of a whole chart, archives inside included. */
struct chart_budget {
    size_t bytes, files;
    unsigned depth; /* of subcharts */
    bool is_strict; /* links that lead out of the folder are refused */
    bool is_late;   /* as chart_load_late has it */
};
/* Counts a file of that size; ERR_LIMIT names it. */
int chart_budget_take(struct chart_budget *budget, str name, size_t size, struct err *e) MUST_CHECK;

/* What was written to a buffer, in the set and with a NUL behind it; takes the buffer's block if it
 * is large: a copy would cost memory twice. Else the buffer keeps it, empty, for the next text. */
str chart_keep_text(struct doc_set *set, struct buf *text);
/* A subchart that the thread which read its folder has loaded, or why that failed. */
struct chart_early {
    str name;        /* of the folder in charts/ */
    struct chart *c; /* or NULL */
    struct err e;
};
struct chart_earlies {
    struct chart_early *v; /* the charts live in the set, the vector is the owner's */
    size_t len, cap;
};
void chart_earlies_done(struct chart_earlies *list);
AUTO_VALUE(struct chart_earlies, chart_earlies_done)

/* Loads a subchart of the top chart from files that hold no archives, on the thread which read
 * them, into a set that no other thread has meanwhile. */
typedef struct chart *chart_early_fn(struct doc_set *set, const struct chart_files *files,
                                     struct err *e);
/* Appends the files of a folder that .helmignore lets through, in the order of a walk. Links are
 * followed; what leads out of the folder is refused or told in the log. Subcharts that could be
 * loaded early are in ret_early; their files are left out. */
int chart_read_folder(struct doc_set *set, const char *path, struct chart_budget *budget,
                      chart_early_fn *load_early, struct chart_files *ret,
                      struct chart_earlies *ret_early, struct err *e) MUST_CHECK;
/* Appends the files of a gzip-compressed tar; their top folder is dropped. */
int chart_read_archive(struct doc_set *set, str bytes, struct chart_budget *budget,
                       struct chart_files *ret, struct err *e) MUST_CHECK;
/* Fills in what Chart.yaml (and requirements.yaml) say, and judges it. */
int chart_read_metadata(struct doc_set *set, struct chart *c, const struct chart_files *files,
                        struct err *e) MUST_CHECK;
/* Whether the members of a Chart.yaml are of the types that they have to be; ERR_INVALID: "error
 * unmarshaling JSON: …". */
int chart_check_members(struct doc_set *set, const struct doc_node *root, struct err *e) MUST_CHECK;
/* What every chart's metadata must have: "validation: chart.metadata.name is required". */
int chart_check_basics(str name, str version, str type, struct err *e) MUST_CHECK;
/* White space becomes blanks, what cannot be printed goes: as every text of metadata is. */
str chart_clean_text(struct doc_set *set, str text);
/* A scalar as JSON made of the YAML has it: 1.10 is "1.1"; number (empty) keeps what is made. */
str chart_scalar_text(const struct doc_node *n, struct buf *number);
