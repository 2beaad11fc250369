// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <string>
#include <vector>

namespace headroom::collectors {

/// A small LTX-Video measured on the CPU and simulated on sim:cpu under one checkpointing policy.
struct LtxComparedTrial {
    std::string policy;
    std::string step;
    std::string dtype;
    std::string shape;
    Bytes measuredBytes = -1; ///< peak allocated; -1: the trial did not complete
    Bytes simulatedBytes = -1;

    double relativeDifference() const
    {
        return static_cast<double>(simulatedBytes - measuredBytes) / static_cast<double>(measuredBytes);
    }
};

/// Every form of policy x forward_backward and train x float32 and bfloat16, on `shapes` shapes drawn from `seed`.
std::vector<LtxComparedTrial> compareLtx(unsigned seed, int shapes);

} // namespace headroom::collectors
