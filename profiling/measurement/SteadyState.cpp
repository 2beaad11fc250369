// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/SteadyState.h"

#include "core/base/Quantities.h"
#include "core/base/Statistics.h"
#include "core/base/Trend.h"

#include <algorithm>
#include <cmath>

namespace headroom::collectors {
namespace {

/// Steps of the shortest window: it has two halves of five, and in ten steps a trend can be distinguished from noise.
constexpr std::size_t kShortestWindow = 10;
/// With fewer steps nothing is significant enough for an objection.
constexpr std::size_t kFewestForObjection = 8;
/// Short steps are cheap: at least a tenth of a second of them, but at most a hundred, are run before any test.
constexpr double kShortestWarmUpSeconds = 0.1;
constexpr std::size_t kMostStepsForShortest = 100;
/// Probability that stationary steps look unsteady to one check of the warm-up, and to an objection.
constexpr double kLookLevel = 0.05;
constexpr double kObjectionLevel = 0.001;
/// How much larger than the tolerance a change has to be for an objection.
constexpr double kObjectionFactor = 2;
/// How far beyond the range of the window before them timed steps may lie: to be accepted, and before there is an
/// objection.
constexpr double kAcceptedFactor = 1.25;
constexpr double kDriftFactor = 2;
/// Steps with growth from which memory counts as growing: a cache that settles takes one or two.
constexpr std::size_t kGrowths = 3;

struct Change {
    double relative = 0;
    double probability = 1;

    bool isBeyond(double tolerance, double level) const
    {
        return std::abs(relative) > tolerance && probability <= level;
    }
};

// From the first to the last step, by the robust slope estimate.
Change trendOf(std::span<const double> window)
{
    const double change = theilSenSlope(window) * static_cast<double>(window.size() - 1);
    return {change / *median(window), mannKendallProbability(window)};
}

Change shiftOf(std::span<const double> window)
{
    const auto first = window.first(window.size() / 2);
    const auto second = window.subspan(first.size());
    return {*median(second) / *median(first) - 1, mannWhitneyProbability(first, second)};
}

bool hasGrown(const MemoryMark& from, const MemoryMark& to)
{
    return to.peakAllocated > from.peakAllocated || to.peakReserved > from.peakReserved
        || to.allocRetries > from.allocRetries;
}

// Lowest and highest median of as many successive steps as were timed.
std::pair<double, double> rangeOfMedians(std::span<const double> window, std::size_t steps)
{
    std::pair<double, double> range{*median(window.first(steps)), 0};
    for (std::size_t begin = 0; begin + steps <= window.size(); ++begin) {
        const double middle = *median(window.subspan(begin, steps));
        range = {std::min(range.first, middle), std::max(range.second, middle)};
    }
    return range;
}

} // namespace

SteadyState::SteadyState(const config::MeasurementProtocol& protocol)
    : m_protocol(protocol)
{
}

void SteadyState::add(double seconds, const MemoryMark& memory)
{
    if (!m_seconds.empty() && hasGrown(m_memory, memory))
        m_growths.push_back(m_seconds.size());
    m_memory = memory;
    m_seconds.push_back(seconds);
    m_totalSeconds += seconds;
}

bool SteadyState::warmUpIsOver()
{
    const std::size_t steps = m_seconds.size();
    if (steps < static_cast<std::size_t>(m_protocol.warmupSteps))
        return false;
    if (isTested() && steps >= m_nextLook && steps >= leastSteps()) {
        m_nextLook = steps + std::max<std::size_t>(kShortestWindow / 2, steps / 10);
        m_isSteady = isSteady();
    }
    return m_isSteady || isCapped();
}

bool SteadyState::isTested() const
{
    return m_protocol.maxWarmupSteps > m_protocol.warmupSteps;
}

bool SteadyState::isCapped() const
{
    return m_seconds.size() >= static_cast<std::size_t>(m_protocol.maxWarmupSteps)
        || m_totalSeconds >= m_protocol.maxWarmupSeconds;
}

std::size_t SteadyState::leastSteps() const
{
    if (m_seconds.size() < kShortestWindow)
        return kShortestWindow;
    const double inTime = kShortestWarmUpSeconds / std::max(*median(m_seconds), 1e-9);
    return static_cast<std::size_t>(
        std::clamp(std::ceil(inTime), double{kShortestWindow}, double{kMostStepsForShortest}));
}

// The later half: after a long transient, as much time must be steady as the transient took.
std::span<const double> SteadyState::window() const
{
    const std::span<const double> all(m_seconds);
    const std::size_t length = std::max(kShortestWindow, all.size() / 2);
    return all.last(std::min(length, all.size()));
}

bool SteadyState::isSteady() const
{
    const auto steps = window();
    const bool grew = !m_growths.empty() && m_growths.back() >= m_seconds.size() - steps.size();
    return !grew && !trendOf(steps).isBeyond(m_protocol.steadyWithin, kLookLevel)
        && !shiftOf(steps).isBeyond(m_protocol.steadyWithin, kLookLevel);
}

std::optional<bool> SteadyState::verdict(std::span<const double> timed) const
{
    if (!objections(timed).empty())
        return false;
    return m_isSteady ? std::optional(true) : std::nullopt;
}

std::vector<std::string> SteadyState::objections(std::span<const double> timed) const
{
    std::vector<std::string> found;
    if (!isTested())
        return found;
    if (!m_isSteady) {
        objectToWarmUp(found);
        objectToGrowth(found);
    }
    objectToDrift(timed, found);
    return found;
}

// The first step is always cold and is not evidence.
void SteadyState::objectToWarmUp(std::vector<std::string>& objections) const
{
    const std::size_t length = std::min(window().size(), m_seconds.size() - 1);
    const auto steps = std::span<const double>(m_seconds).last(length);
    if (length < kFewestForObjection)
        return;
    const double tolerance = kObjectionFactor * m_protocol.steadyWithin;
    const std::string after = " after " + std::to_string(m_seconds.size()) + " warm-up steps";
    if (const Change trend = trendOf(steps); trend.isBeyond(tolerance, kObjectionLevel))
        objections.push_back("the step time still changed by " + signedPercentText(trend.relative / double(length - 1))
            + " per step" + after);
    else if (const Change shift = shiftOf(steps); shift.isBeyond(tolerance, kObjectionLevel))
        objections.push_back("the medians of two successive windows of " + std::to_string(length / 2)
            + " steps still differed by " + signedPercentText(shift.relative) + after);
}

void SteadyState::objectToGrowth(std::vector<std::string>& objections) const
{
    const std::size_t begin = m_seconds.size() - window().size();
    const auto first = std::lower_bound(m_growths.begin(), m_growths.end(), begin);
    const auto count = static_cast<std::size_t>(m_growths.end() - first);
    const bool isRecent = count > 0 && m_growths.back() >= m_seconds.size() - window().size() / 4 - 1;
    if (count >= kGrowths && isRecent)
        objections.push_back("memory was still growing after " + std::to_string(m_seconds.size())
            + " warm-up steps, in " + std::to_string(count) + " of the last " + std::to_string(window().size()));
}

void SteadyState::objectToDrift(std::span<const double> timed, std::vector<std::string>& objections) const
{
    if (isBeyondWindow(timed, kDriftFactor))
        objections.push_back("the timed steps do not belong to the warm-up before them: their median differs by "
            + signedPercentText(*median(timed) / *median(window()) - 1));
}

// Successive steps are correlated, so the test compares with the spread between stretches of the same length.
bool SteadyState::isBeyondWindow(std::span<const double> timed, double factor) const
{
    const auto steps = window();
    if (timed.empty() || steps.size() < kShortestWindow)
        return false;
    const auto [low, high] = rangeOfMedians(steps, std::min(timed.size(), steps.size() / 2));
    const double middle = *median(timed);
    return middle > high * factor || middle < low / factor;
}

bool SteadyState::accepts(std::span<const double> timed) const
{
    return !isTested() || isCapped() || !isBeyondWindow(timed, kAcceptedFactor);
}

void SteadyState::resume(std::span<const double> timed)
{
    for (const double seconds : timed)
        add(seconds, m_memory);
    m_isSteady = false;
}

} // namespace headroom::collectors
