// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Workload.h"

#include <string>

namespace headroom::config {

/// Whether a simulated device has no kernel for an operator of ATen ("torch.ops.aten.geqrf.default", "geqrf.out"), or
/// for one that runs with it in such a step: of LibTorch 2.11 with Headroom's kernels. So what cannot be simulated is
/// told without a worker; a test holds the list to what the worker has.
bool lacksKernel(const std::string& op, StepKind step);

} // namespace headroom::config
