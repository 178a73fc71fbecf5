/* Doubles as text: the shortest decimal that reads back as the same double, in the notations of the
 * tools whose bytes we match. Pure; any thread. */
#pragma once
#include "base/buf.h"

enum num_notation {
    NUM_GO,   /* Go's %v: 1.5, 1e+21, 1e-05; exponent below 1e-4 and from 1e21; +Inf, -Inf, NaN */
    NUM_JSON, /* Go's encoding/json: 1.5, 1e+21, 1e-7; exponent below 1e-6 and from 1e21; no
                 infinities */
    NUM_G,    /* Go's 'g': as NUM_GO with an exponent from 1e6 on, as yaml.v2 prints floats */
};

/* 10^exponent as the nearest double, as Go's math.Pow10 has it; 0 or infinity out of range. */
double num_pow10(int64_t exponent);

void num_add_double(struct buf *out, double value, enum num_notation notation);
