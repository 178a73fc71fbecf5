/* What the loader's sources share: clones and files. */
#pragma once
#include "fetch/loader.h"

struct fetch_source {
    bool is_offline;
    const char *cache_dir;
    struct fetch_lock *lock;
    struct cancel *cancel;
    fetch_note_fn *note;
    void *ctx;
};
