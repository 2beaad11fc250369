// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Statistics.h"
#include "experiments/comparison/ComparedRun.h"
#include "experiments/comparison/DifferenceOverTime.h"
#include "experiments/results/OrderedJson.h"
#include "experiments/results/TrialResult.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// Something that was set, or found, differently. A side without it is "".
struct SettingDifference {
    std::string key; ///< "device", "allocator", "workload.batch", "techniques.casting"
    std::string a;
    std::string b;
};

/// How two trials were set differently: device, allocator, model and its fields, workload, techniques and their
/// options.
std::vector<SettingDifference> settingDifferences(const TrialResult& a, const TrialResult& b);

/// Where two runs were done differently, by the keys of an environment record; empty where one is not known.
std::vector<SettingDifference> environmentDifferences(const OrderedJson& a, const OrderedJson& b);

/// What a second result is beside a first one.
enum class PairVerdict {
    Worse, ///< more memory or slower, and in nothing better
    Differs, ///< better in one and worse in the other, or another outcome
    Better,
    CannotTell, ///< a side has no peak
    Same
};

/// "worse", "differs", "better", "cannot_tell", "same".
std::string toText(PairVerdict verdict);

/// Two results side by side.
struct TrialPair {
    TrialResult a;
    TrialResult b;
    PairVerdict verdict = PairVerdict::Same;
    bool isReserved = false; ///< peaks are of reserved memory, which both sides have
    std::optional<Bytes> peakA;
    std::optional<Bytes> peakB;
    std::optional<double> speedRatio; ///< steps per second of b over those of a
    std::optional<Interval> speedRatio95; ///< of measured ones
    std::vector<SettingDifference> settings; ///< of results that are not of the same trial
    /// What the peaks of allocated memory consist of differently; nothing until explainPeaks() has found it.
    std::optional<PeakExplanation> atPeaks;
    /// Nothing until layOverTime() has found it, and where a side has no trace.
    std::optional<DifferenceOverTime> overTime;
    std::string text; ///< for people

    bool hasTraces() const { return overTime.has_value(); }
    std::optional<Bytes> difference() const { return peakA && peakB ? std::optional(*peakB - *peakA) : std::nullopt; }
};

struct ResultComparison {
    std::vector<TrialPair> pairs; ///< changes first: the worse, the larger
    std::vector<TrialResult> onlyInA;
    std::vector<TrialResult> onlyInB;

    bool hasVerdict(PairVerdict verdict) const;
};

/// Finds what held the difference, for each pair whose peaks differ, or of which one ran out of memory. Reads traces.
/// Throws FileError.
void explainPeaks(ResultComparison& comparison, const ComparedRun& a, const ComparedRun& b);

/// Matches by trial id; what is left, one on each side of a device, by that device; and two single results in any case.
/// With a tolerance (0.02 for 2 %) peaks and speeds differ where they are further apart than that, and what is worse in
/// one of them is Worse, whatever the other gained: that is what a gate asks.
ResultComparison compareResults(
    std::vector<TrialResult> a, std::vector<TrialResult> b, std::optional<double> tolerance = std::nullopt);

} // namespace headroom::experiments
