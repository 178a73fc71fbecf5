/* Names of releases (helm spec 9.5). Pure. */
#pragma once
#include "base/arena.h"
#include "base/err.h"

#define CHART_DEFAULT_RELEASE STR("release-name")
/* At most 53 bytes, a DNS subdomain in lower case. */
int chart_check_release_name(str name, struct err *e) MUST_CHECK;
/* Executes --name-template; the text lives in the arena. */
int chart_name_from_template(struct arena *arena, str text, str *ret, struct err *e) MUST_CHECK;
