// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Workload.h"
#include "core/tensor/Torch.h"

namespace headroom::training {

/// What a loss compares the output with; undefined for losses that look at the output alone.
at::Tensor makeTarget(config::Loss loss, const at::Tensor& output);

/// A scalar: the mean of the output, of its squares, or of the squared distance from the target.
/// Throws UsageError for a loss that the output has no meaning for.
at::Tensor lossOf(config::Loss loss, const at::Tensor& output, const at::Tensor& target);

} // namespace headroom::training
