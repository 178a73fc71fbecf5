/* render-helm-chart: the native function that needs the chart engine, and so is no program of its
 * own (KRM functions spec 9, kustomize spec 16). Any thread, one list at a time. */
#pragma once
#include "fn/native.h"

extern const struct fn_native fnlib_render_helm_chart;
