#include <stdio.h>

#include "base/base.h"

int main(void)
{
    puts("grapnel " GRAPNEL_VERSION);
    return 0;
}
