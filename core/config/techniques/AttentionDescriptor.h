// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/TechniqueDescriptor.h"

namespace headroom::config {

/// Kernels of scaled dot-product attention, as LibTorch has them.
enum class AttentionKernel { Math, Flash, Efficient, Cudnn };

/// "math", "flash", "efficient", "cudnn": the notation and the counters' names.
std::string toText(AttentionKernel kernel);
/// All of them, in that order.
const std::vector<AttentionKernel>& attentionKernels();

/// Parses `auto` (no kernel) or a kernel's name; throws UsageError at `where`.
std::optional<AttentionKernel> parseAttention(const std::string& notation, const std::string& where);

/// Which kernel computes attention.
TechniqueDescriptor attentionDescriptor();

} // namespace headroom::config
