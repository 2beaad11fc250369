// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>

namespace headroom::simulator {

/// A CUDA compute capability, e.g. 9.0.
struct ComputeCapability {
    int major = 0;
    int minor = 0;

    auto operator<=>(const ComputeCapability&) const = default;
};

} // namespace headroom::simulator
