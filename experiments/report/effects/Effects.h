// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/effects/EffectGrid.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom::report {

/// What a setting changes, as the mean over combinations of the other techniques: of the peak, of what it consists of,
/// and of the step time. Below 0: less.
struct Change {
    std::optional<Bytes> peakBytes;
    std::optional<double> stepSeconds;
    /// Of the allocated peak, by category; empty if not all trials know it that have the peak. Only those that change.
    std::map<std::string, Bytes> categories;

    bool operator==(const Change&) const = default;
};

/// How many combinations an estimate rests on: fewer than expected if trials are missing or ran out of memory.
struct Support {
    std::size_t peaks = 0;
    std::size_t steps = 0;
    std::size_t expected = 0;

    bool isWhole() const { return peaks == expected && steps == expected; }
    bool operator==(const Support&) const = default;
};

/// A technique's setting.
struct EffectLevel {
    std::string technique;
    std::string notation; ///< with options that differ from their defaults

    std::string text() const { return technique + " " + notation; }
    bool operator==(const EffectLevel&) const = default;
};

/// What a setting does. For pairs of trials that differ in the setting alone, y(setting) - y(reference) is the change;
/// the effect is its mean over the pairs.
struct MainEffect {
    EffectLevel level;
    std::string reference; ///< the notation it is compared with
    Change mean;
    Change alone; ///< of the pair in which every other technique is at its first level
    std::optional<Bytes> referencePeakBytes; ///< mean peak with the reference, over the same pairs
    std::optional<double> referenceStepSeconds;
    Support support;
};

/// How two settings act on each other. For four trials that differ in these two techniques alone, the interaction is
/// y(a, b) - y(a) - y(b) + y(neither): what both do, beyond the sum of what each does by itself. All figures are means
/// over the quadruples.
struct Interaction {
    EffectLevel a;
    EffectLevel b;
    Change together; ///< the interaction
    Change aWithoutB;
    Change aWithB; ///< aWithoutB and the interaction
    Change bWithoutA;
    Change bWithA;
    std::optional<Bytes> neitherPeakBytes; ///< mean with neither
    std::optional<double> neitherStepSeconds;
    Support support;
};

struct Effects {
    const EffectGrid* grid = nullptr; ///< that they are of
    EffectPeak peak = EffectPeak::Allocated;
    std::vector<MainEffect> main; ///< in the order of the catalogue and of the levels
    std::vector<Interaction> interactions; ///< of each pair of settings of two techniques, in the same order
    std::vector<std::string> missing; ///< combinations without a peak: not in the sweep, or without a result
};

/// `grid` must outlive the result.
Effects effectsOf(const EffectGrid& grid, EffectPeak peak);

/// A change relative to what it is a change of; nullopt if one is unknown or the whole is 0.
std::optional<double> relative(const std::optional<Bytes>& change, const std::optional<Bytes>& whole);
std::optional<double> relative(const std::optional<double>& change, const std::optional<double>& whole);

} // namespace headroom::report
