// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/kernels/OpSupport.h"

#include <string>
#include <vector>

namespace headroom::collectors {

/// Ops that run when this one does and that its name does not tell: those that LibTorch takes it apart into, and with a
/// backward pass those of its gradient. Only ops that a simulated device does not fully support are listed. `op`:
/// "aten::linspace.Tensor_Scalar".
std::vector<std::string> opsBehind(const std::string& op, Passes passes);

/// Whether LibTorch's composite kernel for the op does not run on meta, as it reads values or ends in a kernel that is
/// not there.
bool failsOnMeta(const std::string& op);

} // namespace headroom::collectors
