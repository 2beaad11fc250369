// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/config/catalogue/CombinationDraw.h"
#include "core/config/catalogue/Configuration.h"

#include <map>
#include <string>
#include <vector>

namespace headroom::collectors {

using config::CombinationDraw;

/// Notations by technique; the others are off.
using Notations = std::map<std::string, std::string>;

/// Combinations for a training step that are the same for every family: none, and five of several techniques.
const std::vector<Notations>& trainingCombinations();

/// One combination of techniques, model and workload measured on the CPU and simulated on sim:cpu.
struct ComparedCombination {
    std::string model;
    std::string workload; ///< step, dtype and shapes in words
    std::string techniques; ///< the label
    Bytes measuredBytes = -1; ///< peak allocated; -1: the trial did not complete
    Bytes simulatedBytes = -1;
    Bytes measuredHostBytes = 0; ///< peak of the host pool, pinned and pageable
    Bytes simulatedHostBytes = 0;
    std::string reason{}; ///< why a trial did not complete

    double relativeDifference() const
    {
        return static_cast<double>(simulatedBytes - measuredBytes) / static_cast<double>(measuredBytes);
    }
};

ComparedCombination compareCombination(const config::Configuration& configuration);

/// Every family's smallest model, training and inferring in 32 and in 16 bits: without techniques, and with
/// combinations that are the same for all.
std::vector<config::Configuration> familyCombinations();

/// `count` combinations drawn from `seed`.
std::vector<ComparedCombination> compareCombinations(unsigned seed, int count);

} // namespace headroom::collectors
