// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/validation/ValidationRun.h"

#include <string>
#include <vector>

namespace headroom::experiments {

/// What both sides hold of one category in one part of the model at their peaks.
struct PeakShareError {
    config::MemoryCategory category = config::MemoryCategory::Unknown;
    std::string part{}; ///< "transformer_blocks.*"; empty: of no module
    Bytes measured = 0;
    Bytes predicted = 0;

    bool operator==(const PeakShareError&) const = default;
};

/// Why the prediction of one trial's peak is wrong.
struct PeakCause {
    std::string trialId{}; ///< of the row
    std::string text{}; ///< for people, in a sentence or two
    std::vector<PeakShareError> shares{}; ///< the largest difference first, equal ones left out
    std::vector<std::string> opsWithoutRule{}; ///< of the row

    bool operator==(const PeakCause&) const = default;
};

/// The rows whose allocated peak is predicted worst, worst first, exact ones left out; their indices.
std::vector<std::size_t> worstRows(const std::vector<ValidationRow>& rows, std::size_t count);

/// For each of the `count` worst rows: measures the trial once more with a trace, so that it says what its peak
/// consists of, and compares that with the prediction's. Ends early once a stop is requested. Throws FileError where
/// no file for a trace can be made.
std::vector<PeakCause> peakCauses(const std::vector<ValidationPair>& pairs, const ValidationRows& rows,
    std::size_t count, const ValidationOptions& options);

/// The same of one row, from what both peaks consist of.
PeakCause causeOf(
    const ValidationRow& row, const protocol::MemoryBreakdown& measured, const protocol::MemoryBreakdown& predicted);

OrderedJson toJson(const PeakCause& cause);

} // namespace headroom::experiments
