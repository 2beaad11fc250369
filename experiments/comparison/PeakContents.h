// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/RepeatResult.h"
#include "profiling/recordings/Recording.h"
#include "profiling/trace/peaks/LiveHoldings.h"

#include <map>
#include <string>
#include <vector>

namespace headroom::experiments {

/// What was allocated when a run had the most, in three ways of naming it. Each sums to the whole; memory that has no
/// name in one way is "" in it.
struct PeakContents {
    std::map<std::string, Bytes> categories; ///< "saved_activations"
    std::map<std::string, Bytes> modules; ///< parts of the model, "transformer_blocks.*"
    std::map<std::string, Bytes> frames; ///< the program's innermost call, "model.py:41 forward"; empty: not recorded
};

PeakContents peakContentsOf(const trace::Holdings& holdings, const trace::OwnerTable& owners);
/// What a recording's device held when most was allocated.
trace::Holdings holdingsAtPeak(const recordings::Recording& recording, const recordings::DeviceRecording& device);
/// At the peak of a recording's device.
PeakContents peakContentsOf(const recordings::Recording& recording, const recordings::DeviceRecording& device);
/// As a trial's record has them: without frames.
PeakContents peakContentsOf(const protocol::MemoryBreakdown& breakdown);

/// What two peaks hold under one name.
struct NamedDifference {
    std::string name;
    Bytes aBytes = 0;
    Bytes bBytes = 0;

    Bytes difference() const { return bBytes - aBytes; }
};

/// Why one peak is higher than another. Each list sums to the difference of the peaks; the largest come first.
struct PeakExplanation {
    std::vector<NamedDifference> categories;
    std::vector<NamedDifference> modules;
    std::vector<NamedDifference> frames; ///< empty where a side has none
};

PeakExplanation explanationOf(const PeakContents& a, const PeakContents& b);

} // namespace headroom::experiments
