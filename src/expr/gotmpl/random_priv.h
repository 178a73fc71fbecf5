/* Random numbers of the host, for functions. */
#pragma once
#include "expr/gotmpl/func_priv.h"

int random_fill(struct tmpl_call *c, void *p, size_t len); /* -1: the host gives none */
