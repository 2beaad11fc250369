// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

#include <string>
#include <vector>

namespace headroom::models {

/// Arithmetic on sizes that an export leaves outside of ATen (`_operator.mul`, `torch.sym_sum`, `math.ceil`), with
/// Python's rules: a quotient of integers is rounded down. Throws TrialError for an operation that is not known.
c10::IValue sizeOperation(const std::string& target, const std::vector<c10::IValue>& arguments);

} // namespace headroom::models
