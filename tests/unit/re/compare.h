/* One pattern and one text through ours and libre2: the same verdicts, bounds and groups. */
#pragma once
#include "base/str.h"

/* Empty text when both agree, else what differs; borrowed until the next call. */
const char *compare_with_oracle(str pattern, str text);
