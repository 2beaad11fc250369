// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/comparison/TrialPairs.h"

#include <optional>
#include <string>

namespace headroom::experiments {

/// "phase", "step", "start", "share".
std::string toText(figures::Alignment alignment);
/// Nothing for any other word.
std::optional<figures::Alignment> alignmentFromText(const std::string& text);

/// Lays the traces of each pair over each other: as wished where that is possible, else in the best way that is. Reads
/// both traces. Throws FileError.
void layOverTime(ResultComparison& comparison, const ComparedRun& a, const ComparedRun& b,
    std::optional<figures::Alignment> wish, std::size_t stretches);

} // namespace headroom::experiments
