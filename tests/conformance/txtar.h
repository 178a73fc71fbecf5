/* Cases in the format of the krm and composition folders (conformance/krm/README.md, "File
 * format"): one text file with the input files, what to run, and the wanted output. */
#pragma once
#include "conformance/suite.h"

/* Runs every *.txtar file of the suite's folder through the built program, a case each. */
void txtar_run_all(struct suite *s);
