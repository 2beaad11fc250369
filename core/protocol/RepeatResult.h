// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/base/Outcome.h"
#include "core/config/SegmentAddresses.h"
#include "core/protocol/Json.h"
#include "core/protocol/MemoryBreakdown.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom::protocol {

/// One set of memory figures; a figure is unknown if it was not measured or the device does not have it.
struct MemoryFigures {
    std::optional<Bytes> allocated = {};
    std::optional<Bytes> reserved = {};
    std::optional<Bytes> requested = {};
    std::optional<Bytes> device = {};
    std::optional<Bytes> hostRss = {};
    std::optional<Bytes> hostPinned = {}; ///< what techniques keep on the host; the same for pageable
    std::optional<Bytes> hostPageable = {};
    /// Predicted reserved bytes for the other order of segment addresses. If that runs out of memory: a lower bound.
    std::optional<Bytes> reservedOtherAddresses = {};

    bool operator==(const MemoryFigures&) const = default;
};

/// Something that the measurement itself keeps alive at the peak.
struct HarnessItem {
    std::string name;
    Bytes bytes = 0;

    bool operator==(const HarnessItem&) const = default;
};

Bytes totalBytes(const std::vector<HarnessItem>& items);

/// The request that failed, and the allocator's state then. On a GPU the request is the segment that the driver was
/// asked for.
struct OutOfMemoryFacts {
    std::string phase;
    std::optional<Bytes> requestedBytes;
    std::optional<Bytes> missingBytes; ///< by how much the limit would have to be raised for this one request
    std::optional<Bytes> freeBytes = {}; ///< what the device, or the limit, still had
    std::optional<Bytes> allocatedBytes = {};
    std::optional<Bytes> reservedBytes = {};

    bool operator==(const OutOfMemoryFacts&) const = default;
};

/// Memory of a rehearsed trial that a library would take on a card, and that cannot be known without one.
struct UncountedMemory {
    std::string library;
    std::string function;
    Bytes low = 0;
    Bytes high = 0;

    bool operator==(const UncountedMemory&) const = default;
};

struct RepeatMemory {
    MemoryFigures afterLoad;
    MemoryFigures firstStepPeak;
    MemoryFigures peak; ///< after warm-up
    MemoryFigures wholeRunPeak;
    MemoryFigures resting; ///< between steps
    MemoryFigures restingCleared; ///< the same once gradients are cleared
    std::map<std::string, MemoryFigures> phasePeaks;
    std::vector<HarnessItem> harness;
    std::optional<Bytes> savedForBackward;
    std::optional<std::int64_t> allocRetries;
    std::optional<Bytes> limit;
    std::optional<config::SegmentAddresses> segmentAddresses; ///< of a simulated device with reserved memory
    std::vector<UncountedMemory> notCounted; ///< the largest of each function

    /// The most that may be missing from the figures: no two functions need be at work at the same time.
    Bytes notCountedHigh() const;

    bool operator==(const RepeatMemory&) const = default;
};

/// Difference from the same model without techniques.
struct Numerics {
    std::optional<double> outputMaxAbs;
    std::optional<double> outputMeanAbs;
    std::optional<double> outputRelL2;
    std::optional<double> loss;
    std::optional<double> lossAbsDiff;
    std::optional<double> gradNorm;
    std::optional<double> gradNormRelDiff;

    bool operator==(const Numerics&) const = default;
};

/// What a simulated trial needs on its device without the limit that it exceeded.
struct UnlimitedNeed {
    MemoryFigures most; ///< the largest value of each figure, from load to the last step
    std::vector<double> stepSeconds;

    bool operator==(const UnlimitedNeed&) const = default;
};

/// The result of one worker process for one trial.
struct RepeatResult {
    Outcome outcome = Outcome::Failed;
    std::string reason; ///< empty if completed
    std::string phase; ///< where it ended, if it did not complete
    std::optional<OutOfMemoryFacts> outOfMemory;
    std::optional<UnlimitedNeed> need; ///< of a simulated trial that ran out of memory
    std::optional<std::int64_t> parameters;
    std::optional<Bytes> weightBytes;
    RepeatMemory memory;
    std::vector<double> stepSeconds; ///< timed steps, in order; one predicted value on a simulated device
    std::vector<double> warmupSeconds; ///< full steps before them, the first one included; none on a simulated device
    std::optional<double> firstStepSeconds;
    /// Whether a steady state was shown (true) or something contradicts the figures (false); see docs/measuring.md.
    std::optional<bool> isSteady;
    std::vector<std::string> objections; ///< what contradicts the figures
    std::optional<Numerics> numerics;
    std::optional<MemoryBreakdown> breakdown; ///< if the peak was analysed
    std::map<std::string, std::map<std::string, std::int64_t>> engagement;
    std::map<std::string, std::string> effective; ///< how each technique was really carried out
    /// Notations that were planned before the trial ran, by technique: checkpointing's in place of a budget.
    std::map<std::string, std::string> resolved;
    std::vector<std::string> opsWithoutRule; ///< of a simulated trial: ops counted as one pass over their tensors
    std::vector<std::string> opsWithoutMeta; ///< of an inspected model: ops that no simulated device can run
    std::vector<std::string> diagnostics; ///< remarks for the store: lost events, ops without a rule

    bool operator==(const RepeatResult&) const = default;
};

/// What `unlimited` shows about the same trial with a limit, which ended in `failure`. A baseline that a comparison
/// runs first counts if it was what failed. Nothing if `unlimited` did not complete.
std::optional<UnlimitedNeed> needOf(const RepeatResult& unlimited, const OutOfMemoryFacts& failure);

/// The larger value of each figure; a figure that only one side has is taken from that side.
MemoryFigures largerOf(const MemoryFigures& left, const MemoryFigures& right);

Json toJson(const MemoryFigures& figures);
Json toJson(const std::vector<UncountedMemory>& notCounted);
Json toJson(const RepeatResult& result);
RepeatResult repeatResultFromJson(const Json& json);

// Parts of a result that have the same form in the trial record. Nothing for null.
RepeatMemory repeatMemoryFromJson(const Json& json);
std::optional<Numerics> numericsFromJson(const Json& json);
std::optional<OutOfMemoryFacts> outOfMemoryFromJson(const Json& json);

} // namespace headroom::protocol
