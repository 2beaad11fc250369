// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/Model.h"

namespace headroom::models {

/// Undefined where it is not given.
inline at::Tensor optionalInput(const Inputs& inputs, const char* name)
{
    const auto found = inputs.find(name);
    return found == inputs.end() ? at::Tensor() : found->second;
}

} // namespace headroom::models
