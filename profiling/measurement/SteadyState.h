// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headroom::collectors {

/// What the allocator has come to since the first step.
struct MemoryMark {
    std::optional<Bytes> peakAllocated;
    std::optional<Bytes> peakReserved;
    std::optional<std::int64_t> allocRetries;

    bool operator==(const MemoryMark&) const = default;
};

/// Decides when warm-up is over and whether what was timed can be believed (docs/measuring.md gives the reasons).
///
/// Warm-up ends with the first window of steps that shows neither a trend nor two halves of different medians nor
/// growing memory, at a level of evidence that stationary noise passes nine times in ten. Timed steps that lie beyond
/// what this window showed are no figure: they become warm-up, and it goes on, until a cap is reached.
/// An objection to the figures is a different question: it takes strong evidence of a change that is large beside the
/// tolerance. Noise is shown by the interval of the samples and is no objection.
class SteadyState {
public:
    explicit SteadyState(const config::MeasurementProtocol& protocol);

    /// One full step of the warm-up.
    void add(double seconds, const MemoryMark& memory);

    /// Whether timing may begin: steady, or at a cap. Asked after every step.
    bool warmUpIsOver();

    /// Whether the timed steps are the figure: they belong to the window before them, or a cap is reached.
    bool accepts(std::span<const double> timed) const;
    /// They are not: they are warm-up, which goes on.
    void resume(std::span<const double> timed);

    /// True: a steady window was seen. False: there are objections. Nothing: neither was shown, or no test was asked
    /// for. Final once the timed steps are known.
    std::optional<bool> verdict(std::span<const double> timed) const;
    /// What speaks against the figures, in words; empty when nothing does.
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
