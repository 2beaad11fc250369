// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/calibration/ProbeRun.h"

#include "profiling/measurement/Ending.h"

#include <algorithm>
#include <iterator>

namespace headroom::collectors {
namespace {

using protocol::CalibratedConstant;
using protocol::CalibratedRates;
using simulator::MathType;
using simulator::Work;

constexpr const char* kNoFraction = "rates are measured, not derived from a peak";

// The shortest op of its table: the time of its smallest size.
CalibratedConstant floorOf(const CalibratedRates& table)
{
    const protocol::CalibratedPoint& point = table.points.front();
    return {"speed.kernel_floor_seconds", point.size / point.perSecond, CalibratedConstant::Kind::Real, point.spread,
        table.how + " of the smallest size"};
}

} // namespace

TimingEffort timingEffort(protocol::CalibrationEffort effort)
{
    if (effort == protocol::CalibrationEffort::Short)
        return {3, 0.5e-3, 0.05};
    return {};
}

std::vector<CalibratedRates> measureRates(const ProbeScope& scope, DeviceTimer& timer, CalibrationListener& listener)
{
    std::vector<RateProbe> probes = arithmeticProbes(scope);
    std::ranges::move(trafficProbes(scope), std::back_inserter(probes));
    RateSurvey survey(timer, timingEffort(scope.effort));
    std::vector<CalibratedRates> rates;
    for (const RateProbe& probe : probes) {
        if (listener.isCancelled())
            throw Cancelled{};
        listener.measuring(simulator::nameOf(probe.work) + " in " + simulator::nameOf(probe.type),
            static_cast<int>(rates.size()), static_cast<int>(probes.size()));
        rates.push_back(survey.ratesOf(probe));
    }
    return rates;
}

std::vector<CalibratedConstant> constantsOf(const std::vector<CalibratedRates>& rates)
{
    using Kind = CalibratedConstant::Kind;
    std::vector<CalibratedConstant> constants;
    if (const auto point = largestOf(rates, Work::Elementwise, MathType::Float32))
        constants.push_back({"speed.bandwidth_bytes_per_second", point->perSecond, Kind::Real, point->spread,
            "add of the largest size"});
    constants.push_back({"speed.bandwidth_fraction", 1, Kind::Real, std::nullopt, kNoFraction});
    constants.push_back({"speed.flops_fraction", 1, Kind::Real, std::nullopt, kNoFraction});
    for (std::size_t i = 0; i < simulator::kMathTypes; ++i)
        if (const auto type = static_cast<MathType>(i); const auto point = fastestOf(rates, Work::Product, type))
            constants.push_back({std::string("speed.peak_flops.") + simulator::nameOf(type), point->perSecond,
                Kind::Real, point->spread, "the fastest addmm"});
    for (const CalibratedRates& table : rates)
        if (table.work == simulator::nameOf(Work::Elementwise) && table.type == simulator::nameOf(MathType::Float32))
            constants.push_back(floorOf(table));
    return constants;
}

} // namespace headroom::collectors
