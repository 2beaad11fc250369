// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headroom::collectors {

/// How far the allocator has grown since the first step.
struct MemoryMark {
    std::optional<Bytes> peakAllocated;
    std::optional<Bytes> peakReserved;
    std::optional<std::int64_t> allocRetries;

    bool operator==(const MemoryMark&) const = default;
};

/// Decides when warm-up is over and whether the timed steps can be trusted (docs/measuring.md gives the reasons).
///
/// Warm-up ends with the first window of steps that shows no trend, no difference between the medians of its halves and
/// no growing memory, at a significance level that stationary noise passes nine times in ten. If the timed steps lie
/// outside the range that this window showed, they are not the result: they become warm-up, which continues until a cap
/// is reached. Objecting to the figures is a different question: it takes strong evidence of a change that is large
/// relative to the tolerance. Noise is shown by the confidence interval of the samples and is not an objection.
class SteadyState {
public:
    explicit SteadyState(const config::MeasurementProtocol& protocol);

    /// Adds one full step of the warm-up.
    void add(double seconds, const MemoryMark& memory);

    /// Whether timing may begin: steady, or at a cap. Called after every step.
    bool warmUpIsOver();

    /// Whether the timed steps are the result: they agree with the window before them, or a cap is reached.
    bool accepts(std::span<const double> timed) const;
    /// Counts rejected timed steps as warm-up, which continues.
    void resume(std::span<const double> timed);

    /// True: a steady window was seen. False: there are objections. Nullopt: neither could be shown, or no test was
    /// requested. Final once the timed steps are known.
    std::optional<bool> verdict(std::span<const double> timed) const;
    /// The objections to the figures, in words; empty if there are none.
    std::vector<std::string> objections(std::span<const double> timed) const;

    const std::vector<double>& seconds() const { return m_seconds; }

private:
    bool isCapped() const;
    std::size_t leastSteps() const;
    std::span<const double> window() const;
    bool isSteady() const;
    bool isTested() const;
    bool isBeyondWindow(std::span<const double> timed, double factor) const;
    void objectToWarmUp(std::vector<std::string>& objections) const;
    void objectToGrowth(std::vector<std::string>& objections) const;
    void objectToDrift(std::span<const double> timed, std::vector<std::string>& objections) const;

    config::MeasurementProtocol m_protocol;
    std::vector<double> m_seconds;
    double m_totalSeconds = 0;
    MemoryMark m_memory;
    std::vector<std::size_t> m_growths; ///< steps after which the allocator had grown
    std::size_t m_nextLook = 0;
    bool m_isSteady = false;
};

} // namespace headroom::collectors
