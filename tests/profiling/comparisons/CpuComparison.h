// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <string>
#include <vector>

namespace headroom::collectors {

/// One configuration measured on the CPU and simulated on sim:cpu.
struct ComparedTrial {
    std::string activation;
    std::string splitFfn;
    std::string step;
    std::string dtype;
    std::string shape; ///< "2 x 37 tokens, dim 24, mult 3, 2 layers"
    Bytes measuredBytes = -1; ///< peak allocated; -1: the trial did not complete
    Bytes simulatedBytes = -1;

    double relativeDifference() const
    {
        return static_cast<double>(simulatedBytes - measuredBytes) / static_cast<double>(measuredBytes);
    }
};

/// Inference of all six activations x {off, 4, tokens:4} x {float32, bfloat16} x two shapes drawn from `seed`.
std::vector<ComparedTrial> compareInference(unsigned seed);

/// forward_backward and train, where gradients and saved activations count too: a part of the same grid.
std::vector<ComparedTrial> compareTraining(unsigned seed);

} // namespace headroom::collectors
