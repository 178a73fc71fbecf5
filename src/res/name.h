/* Names as Kubernetes wants them (RFC 1123), their length apart. Pure; any thread. */
#pragma once
#include "base/str.h"

bool res_is_label(str s);     /* [a-z0-9]([-a-z0-9]*[a-z0-9])? */
bool res_is_subdomain(str s); /* labels joined by dots */
