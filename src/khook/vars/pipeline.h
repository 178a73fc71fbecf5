/* Pipelines of references, "${NAME|upper|quote}", by the template engine with the functions of
 * khook spec 2.5.1. Any thread. */
#pragma once
#include "khook/vars/subst.h"

/* A khook_pipeline_fn; ctx is not used. What a function says about its arguments is left out of the
 * message: it may hold the value. */
khook_pipeline_fn khook_pipeline_run;
