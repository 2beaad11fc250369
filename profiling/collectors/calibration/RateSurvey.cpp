// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/calibration/RateSurvey.h"

#include "core/base/Error.h"

#include <algorithm>

namespace headroom::collectors {
namespace {

using protocol::CalibratedPoint;
using protocol::CalibratedRates;

// Larger sizes of that kind would take longer still.
constexpr double kLongestCall = 0.4;

double amountOf(const RateProbe& probe, const PreparedProbe& prepared)
{
    if (prepared.operations)
        return *prepared.operations;
    double amount = 0;
    for (const simulator::OpCost& cost : costsOf(prepared.call))
        if (cost.work == probe.work && cost.type == probe.type && cost.launches > 0)
            amount += simulator::isArithmetic(cost.work) ? cost.flops
                                                         : static_cast<double>(cost.bytesRead + cost.bytesWritten);
    if (amount <= 0)
        throw TrialError("the op " + probe.how + " did not run as " + simulator::nameOf(probe.work), "calibration");
    return amount;
}

template <typename Better>
std::optional<CalibratedPoint> bestOf(
    const std::vector<CalibratedRates>& rates, simulator::Work work, simulator::MathType type, const Better& better)
{
    std::optional<CalibratedPoint> best;
    for (const CalibratedRates& table : rates)
        if (table.work == simulator::nameOf(work) && table.type == simulator::nameOf(type))
            for (const CalibratedPoint& point : table.points)
                if (!best || better(point, *best))
                    best = point;
    return best;
}

} // namespace

std::vector<simulator::OpCost> costsOf(const std::function<void()>& program)
{
    std::vector<simulator::OpCost> costs;
    OpCostCollector collector(
        [&](const simulator::OpCost& cost) { costs.push_back(cost); }, OpCostCollector::Views::Reported);
    tensor::OpInterceptor interceptor;
    interceptor.addObserver(collector);
    const tensor::OpInterceptor::Scope scope(interceptor);
    program();
    return costs;
}

RateSurvey::RateSurvey(DeviceTimer& timer, const TimingEffort& effort)
    : m_timer(timer)
    , m_effort(effort)
{
}

CalibratedRates RateSurvey::ratesOf(const RateProbe& probe)
{
    CalibratedRates rates{
        simulator::nameOf(probe.work), simulator::nameOf(probe.type), probe.smallestDimension, {}, probe.how};
    for (const std::int64_t size : probe.sizes)
        if (!addPoint(probe, size, rates))
            break;
    if (rates.points.empty())
        throw TrialError("there is no memory for the smallest size of " + probe.how, "calibration");
    return rates;
}

// Whether larger sizes are worth trying.
bool RateSurvey::addPoint(const RateProbe& probe, std::int64_t size, CalibratedRates& rates)
{
    try {
        const PreparedProbe prepared = probe.prepare(size);
        const double amount = amountOf(probe, prepared);
        const Timing timing = m_timer.time(prepared.call, m_effort);
        rates.points.push_back({amount, amount / timing.seconds, timing.spread});
        return timing.seconds < kLongestCall;
    } catch (const c10::OutOfMemoryError&) {
        return false;
    }
}

std::optional<CalibratedPoint> largestOf(
    const std::vector<CalibratedRates>& rates, simulator::Work work, simulator::MathType type)
{
    return bestOf(rates, work, type, [](const auto& a, const auto& b) { return a.size > b.size; });
}

std::optional<CalibratedPoint> fastestOf(
    const std::vector<CalibratedRates>& rates, simulator::Work work, simulator::MathType type)
{
    return bestOf(rates, work, type, [](const auto& a, const auto& b) { return a.perSecond > b.perSecond; });
}

} // namespace headroom::collectors
