/* The language of --set (helm spec 4.2): assignments into a tree of values. The tree is changed in
 * place; texts are copied into its set. Nesting is at most 30 levels, an index at most 65536.
 * As thread-safe as the set. */
#pragma once
#include "base/buf.h"
#include "base/err.h"
#include "doc/node.h"

enum chart_set_kind {
    CHART_SET_TYPED,   /* --set: a=1,b={x,y} */
    CHART_SET_STRING,  /* --set-string: every value is text */
    CHART_SET_FILE,    /* --set-file: values are paths, their content is set */
    CHART_SET_JSON,    /* --set-json: a={"b":1},c=[] or one map */
    CHART_SET_LITERAL, /* --set-literal: the whole rest is the text */
};

/* ERR_INVALID with helm's words: `key "a" has no value`. On failure values may be changed. */
int chart_set(struct doc_set *set, struct doc_node *values, enum chart_set_kind kind, str text,
              struct err *e) MUST_CHECK;
