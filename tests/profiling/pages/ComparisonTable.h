// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/profiling/comparisons/TechniqueComparison.h"

namespace headroom::collectors {

/// What is said of many comparisons at once.
struct Differences {
    std::vector<double> relative; ///< absolute values, sorted
    int exact = 0; ///< equal to the byte
    int hostDiffers = 0; ///< whose peak of the host pool differs

    double largest() const { return relative.back(); }
    double median() const { return relative[relative.size() / 2]; }
};

/// Of at least one trial.
Differences differencesOf(const std::vector<ComparedCombination>& trials);

/// Writes one row of Markdown for each to standard output, under a head. False if any of them did not complete.
bool printTable(const std::vector<ComparedCombination>& trials);

/// "LibTorch 2.11.0, CPU capability AVX512, 2 thread(s)"
std::string measuredWith();

} // namespace headroom::collectors
