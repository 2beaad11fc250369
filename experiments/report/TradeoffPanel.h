// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/tradeoff/TradeoffFigure.h"
#include "experiments/report/Comparison.h"
#include "experiments/report/ReportContent.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::report {

/// In place of a technique's key: the experiment of a trial, if there are several.
inline constexpr const char* kByExperiment = "experiment";

/// What a trade-off shows of its trials, and by what it tells them apart. As it is made: what reports show.
struct TradeoffChoice {
    std::optional<figures::MemoryKind> memory = {}; ///< nothing: reserved where all completed trials have it
    SpeedUnit unit = SpeedUnit::Steps;
    std::optional<figures::Budget> budget = {}; ///< nothing: the limit that was set, or the usable memory if near
    figures::FrontLines front = figures::FrontLines::Shown;
    /// The key of a technique, or kByExperiment; empty: the group.
    std::string colourBy = {};
    std::string shapeBy = {};
};

/// `members`: of Comparison::panels().
figures::TradeoffInput tradeoffInput(const ReportContent& content, const Comparison& comparison,
    const std::vector<std::size_t>& members, const TradeoffChoice& choice = {});

/// What all trials of a panel share of that by which groups are told apart; empty for the only panel.
std::string panelTitle(const Comparison& comparison, const std::vector<std::size_t>& members);

std::vector<const ReportTrial*> trialsOf(const Comparison& comparison, const std::vector<std::size_t>& members);
/// Keys of the techniques that differ between the trials.
std::vector<std::string> varyingTechniques(const std::vector<const ReportTrial*>& trials);
/// By what trials are told apart best, of the techniques that differ: those with the most settings first.
std::vector<std::string> tellingTechniques(const std::vector<const ReportTrial*>& trials);
/// What a table by axes and the window compare: the memory that the device must have, as it decides what fits; where
/// that is not known of all completed trials, as automaticMemory.
figures::MemoryKind decidingMemory(const std::vector<const ReportTrial*>& trials);
/// What is shown where nobody has chosen: reserved where all completed trials have it.
figures::MemoryKind automaticMemory(const std::vector<const ReportTrial*>& trials);
/// What memory is known of any of the trials.
std::vector<figures::MemoryKind> memoryKindsOf(const std::vector<const ReportTrial*>& trials);
/// Usable memory of the device, where it is known and the same for all trials.
std::optional<figures::Budget> usableMemory(
    const ReportContent& content, const std::vector<const ReportTrial*>& trials);

} // namespace headroom::report
