// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/FigureTerms.h"

namespace headroom::report {

figures::Provenance provenanceOf(const ReportTrial& trial)
{
    return trial.provenance();
}

std::vector<figures::Flag> flagsOf(const ReportTrial& trial)
{
    std::vector<figures::Flag> flags;
    for (const figures::Flag flag :
        {figures::Flag::Pressured, figures::Flag::NotSteady, figures::Flag::NoEffect, figures::Flag::Implausible})
        if (trial.hasFlag(figures::name(flag)))
            flags.push_back(flag);
    return flags;
}

std::optional<Bytes> peakOf(const ReportTrial& trial, figures::MemoryKind memory)
{
    switch (memory) {
    case figures::MemoryKind::Allocated:
        return trial.result.memory.peak.allocated;
    case figures::MemoryKind::Reserved:
        return trial.result.memory.peak.reserved;
    case figures::MemoryKind::Needed:
        return trial.result.memory.need.needed;
    case figures::MemoryKind::HostRss:
        break;
    }
    return trial.result.memory.peak.hostRss;
}

std::optional<double> speedOf(const ReportTrial& trial, SpeedUnit unit)
{
    switch (unit) {
    case SpeedUnit::Steps:
        return trial.stepsPerSecond();
    case SpeedUnit::Samples:
        return trial.result.speed.samplesPerSecond;
    case SpeedUnit::Tokens:
        break;
    }
    return trial.result.speed.tokensPerSecond;
}

std::optional<figures::Interval95> intervalOf(const ReportTrial& trial, SpeedUnit unit)
{
    const auto interval = trial.stepsPerSecond95();
    const auto steps = trial.stepsPerSecond();
    const auto speed = speedOf(trial, unit);
    if (!interval || !steps || !speed || *steps <= 0)
        return std::nullopt;
    const double each = *speed / *steps;
    return figures::Interval95{interval->low * each, interval->high * each};
}

} // namespace headroom::report
