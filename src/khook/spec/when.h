/* Conditions of `when`, in CEL (khook spec 9a; cel spec 12): the environment has `vars`, a map of
 * texts, and its function get. Any thread. */
#pragma once
#include "khook/spec/spec.h"

/* A khook_condition_fn; ctx is not used. Values of variables never show in a message. */
khook_condition_fn khook_when_run;
