/* KRM functions: native ones as processes (fn-*), the orchestrator (orch-*). */
#include "conformance/txtar.h"

SUITE(krm) { txtar_run_all(s); }
