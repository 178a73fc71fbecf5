/* Calls that lose bounds, errors or thread safety: using one does not compile. */
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC poison strcpy strcat strncpy strncat sprintf vsprintf strtok gets
#pragma GCC poison atoi atol atoll atof
