/* eq, ne, lt, le, gt, ge (template spec 9). */
#pragma once
#include "expr/gotmpl/func_priv.h"

tmpl_fn compare_eq, compare_ne, compare_lt, compare_le, compare_gt, compare_ge;
