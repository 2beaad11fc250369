// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/FigureTerms.h"

#include <array>

namespace headroom::report {

using figures::Outcome;

figures::Provenance provenanceOf(const ReportTrial& trial)
{
    return trial.isPredicted() ? figures::Provenance::Predicted : figures::Provenance::Measured;
}

Outcome outcomeOf(const ReportTrial& trial)
{
    constexpr std::array<std::pair<const char*, Outcome>, 6> kOutcomes{
        {{"completed", Outcome::Completed}, {"out_of_memory", Outcome::OutOfMemory}, {"failed", Outcome::Failed},
            {"timed_out", Outcome::TimedOut}, {"cancelled", Outcome::Cancelled}, {"skipped", Outcome::Skipped}}};
    for (const auto& [word, outcome] : kOutcomes)
        if (trial.hasOutcome(word))
            return outcome;
    return Outcome::NotRun;
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
        return trial.bytes("/memory/peak/allocated_bytes");
    case figures::MemoryKind::Reserved:
        return trial.bytes("/memory/peak/reserved_bytes");
    case figures::MemoryKind::Needed:
        return trial.bytes("/memory/needed_bytes");
    case figures::MemoryKind::HostRss:
        break;
    }
    return trial.bytes("/memory/peak/host_rss_bytes");
}

std::optional<double> speedOf(const ReportTrial& trial, SpeedUnit unit)
{
    return unit == SpeedUnit::Steps ? trial.stepsPerSecond() : trial.number("/speed/samples_per_second");
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
