/* Calls that lose bounds, errors or thread safety: using one does not compile. */
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __clang__ /* there, fortified headers define these as macros, which cannot be poisoned */
#undef sprintf
#undef vsprintf
#undef strcpy
#undef strcat
#undef strncpy
#undef strncat
#endif
#pragma GCC poison strcpy strcat strncpy strncat sprintf vsprintf strtok gets
#pragma GCC poison atoi atol atoll atof
