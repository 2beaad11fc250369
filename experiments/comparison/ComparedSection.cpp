// SPDX-License-Identifier: Apache-2.0
#include "experiments/comparison/ComparedSection.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "experiments/comparison/OverTimeWords.h"
#include "experiments/comparison/PairsOverTime.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace headroom::experiments {
namespace {

using report::CellKind;
using report::ComparedRuns;
using report::ReportTable;

constexpr std::size_t kMostSections = 6;
constexpr std::size_t kMostRows = 12;
constexpr std::size_t kStretches = 720; ///< more than a report's drawing has pixels for are no use

/// A result of the first run with its partners in the others.
struct Group {
    std::vector<TrialPair> pairs; ///< `a` is the same in all
    std::vector<std::size_t> runs; ///< of each pair, which run it is of
};

std::string letter(std::size_t run)
{
    return std::string(1, static_cast<char>('A' + run));
}

bool areAlignedAlike(const std::vector<ResultComparison>& comparisons)
{
    std::optional<figures::Alignment> seen;
    for (const ResultComparison& comparison : comparisons)
        for (const TrialPair& pair : comparison.pairs)
            if (pair.overTime
                && std::exchange(seen, pair.overTime->alignment).value_or(pair.overTime->alignment)
                    != pair.overTime->alignment)
                return false;
    return true;
}

std::vector<ResultComparison> comparisonsOf(const std::vector<NamedRun>& runs, std::optional<figures::Alignment> wish)
{
    std::vector<ResultComparison> comparisons;
    for (std::size_t i = 1; i < runs.size(); ++i) {
        comparisons.push_back(compareResults(runs.front().run.results, runs[i].run.results));
        explainPeaks(comparisons.back(), runs.front().run, runs[i].run);
        layOverTime(comparisons.back(), runs.front().run, runs[i].run, wish, kStretches);
    }
    return comparisons;
}

// One axis for all: where they cannot be aligned in one better way, from their beginnings.
std::vector<ResultComparison> alignedComparisons(
    const std::vector<NamedRun>& runs, std::optional<figures::Alignment> wish)
{
    std::vector<ResultComparison> comparisons = comparisonsOf(runs, wish);
    if (!areAlignedAlike(comparisons))
        comparisons = comparisonsOf(runs, figures::Alignment::Start);
    return comparisons;
}

std::vector<Group> groupsOf(std::vector<ResultComparison> comparisons)
{
    std::vector<Group> groups;
    for (std::size_t i = 0; i < comparisons.size(); ++i)
        for (TrialPair& pair : comparisons[i].pairs) {
            auto found = std::ranges::find_if(
                groups, [&](const Group& group) { return group.pairs.front().a.trialId == pair.a.trialId; });
            if (found == groups.end())
                found = groups.emplace(groups.end());
            found->pairs.push_back(std::move(pair));
            found->runs.push_back(i + 1);
        }
    return groups;
}

std::string nameIn(const Group& group, const std::vector<NamedRun>& runs, std::size_t run, const TrialResult& result)
{
    const bool isNamedAlike =
        std::ranges::any_of(group.pairs, [](const TrialPair& pair) { return pair.a.label == pair.b.label; });
    return isNamedAlike ? result.label + ", " + runs[run].name : result.label;
}

std::string titleOf(const Group& group, const std::vector<NamedRun>& runs)
{
    std::vector<std::string> names{"A: " + nameIn(group, runs, 0, group.pairs.front().a)};
    for (std::size_t i = 0; i < group.pairs.size(); ++i)
        names.push_back(letter(group.runs[i]) + ": " + nameIn(group, runs, group.runs[i], group.pairs[i].b));
    return joined(names);
}

figures::Provenance provenanceOf(const TrialResult& result)
{
    return result.provenance();
}

std::vector<figures::MemoryBin> binsOf(
    const DifferenceOverTime& overTime, std::optional<figures::MemoryBin> DifferenceStretch::* side)
{
    std::vector<figures::MemoryBin> bins;
    for (const DifferenceStretch& stretch : overTime.stretches)
        if (const auto& bin = stretch.*side)
            bins.push_back(*bin);
    return bins;
}

// Curves are drawn by their highest values: both ends of a stretch's difference get a half of it.
std::vector<figures::MemoryBin> differenceBins(const DifferenceOverTime& overTime)
{
    std::vector<figures::MemoryBin> bins;
    for (const DifferenceStretch& stretch : overTime.stretches) {
        if (!stretch.difference)
            continue;
        const auto& [beginNs, least, most] = *stretch.difference;
        bins.push_back({beginNs, most, most});
        if (const std::int64_t middleNs = beginNs + (stretch.window.endNs - beginNs) / 2;
            least != most && middleNs > beginNs)
            bins.push_back({middleNs, least, least});
    }
    return bins;
}

figures::ComparedMemory memoryOfA(const Group& group, const std::string& name)
{
    const TrialPair& pair =
        *std::ranges::find_if(group.pairs, [](const TrialPair& one) { return one.overTime.has_value(); });
    return {pair.a.trialId, name, provenanceOf(pair.a), binsOf(*pair.overTime, &DifferenceStretch::a),
        pair.overTime->peakA, pair.overTime->peakPhaseA, 0, "A", {}, pair.overTime->endA};
}

std::optional<figures::ComparisonInput> overTimeOf(const Group& group, const std::vector<NamedRun>& runs)
{
    figures::ComparisonInput input;
    input.title = "Allocated memory";
    for (std::size_t i = 0; i < group.pairs.size(); ++i) {
        const TrialPair& pair = group.pairs[i];
        if (!pair.overTime)
            continue;
        const figures::TimeWindow window{
            pair.overTime->stretches.front().window.beginNs, pair.overTime->stretches.back().window.endNs};
        if (input.trials.empty()) {
            input.trials.push_back(memoryOfA(group, nameIn(group, runs, 0, pair.a)));
            input.phases = pair.overTime->phases;
            input.window = window;
            if (pair.overTime->alignment != figures::Alignment::Start)
                input.timeName = "Time of A";
        }
        input.window = {std::min(input.window.beginNs, window.beginNs), std::max(input.window.endNs, window.endNs)};
        input.trials.push_back({pair.b.trialId, nameIn(group, runs, group.runs[i], pair.b), provenanceOf(pair.b),
            binsOf(*pair.overTime, &DifferenceStretch::b), pair.overTime->peakB, pair.overTime->peakPhaseB,
            group.runs[i], letter(group.runs[i]), differenceBins(*pair.overTime), pair.overTime->endB});
    }
    return input.trials.empty() ? std::nullopt : std::optional(std::move(input));
}

std::vector<std::string> sentencesOf(const Group& group)
{
    std::vector<std::string> sentences;
    std::optional<figures::Alignment> alignment;
    for (std::size_t i = 0; i < group.pairs.size(); ++i) {
        const TrialPair& pair = group.pairs[i];
        const std::string b = letter(group.runs[i]);
        sentences.push_back(fmt::format("{} beside A: {}: {}.", b, inWords(toText(pair.verdict)), pair.text));
        if (!pair.overTime)
            sentences.push_back(fmt::format("A or {} has no trace: nothing is known of them over time.", b));
        else
            sentences.push_back(overTimeSentence(*pair.overTime, "A", b));
        if (pair.overTime)
            alignment = pair.overTime->alignment;
    }
    if (alignment)
        sentences.push_back(alignmentSentence(*alignment));
    return sentences;
}

ReportTable differenceTableOf(const std::string& what, const std::string& b)
{
    return {{{what}, {"A", CellKind::Number}, {b, CellKind::Number}, {"Difference", CellKind::Number}}, {}};
}

void addPeakTable(
    ComparedRuns& section, const std::string& by, const std::string& b, const std::vector<NamedDifference>& differences)
{
    ReportTable table = differenceTableOf(by, b);
    for (std::size_t i = 0; i < std::min(differences.size(), kMostRows); ++i) {
        const NamedDifference& one = differences[i];
        table.rows.push_back({"",
            {{nameOfPeakPart(by, one.name)}, {sizeText(one.aBytes)}, {sizeText(one.bBytes)},
                {signedSizeText(one.difference())}}});
    }
    if (tellsApart(differences))
        section.details.push_back(
            {fmt::format("At the peaks of A and {}, by {}", b, midSentence(by)), std::move(table)});
}

void addOverTimeTable(ComparedRuns& section, const DifferenceOverTime& overTime, const std::string& b)
{
    ReportTable table{
        {{"Part"}, {"Lasts", CellKind::Number}, {"On average", CellKind::Number}, {"Most above A"}, {"Most below A"}},
        {}};
    table.rows.push_back({"", cellsOfPart(overTime, overTime.whole)});
    for (const DifferencePart* part : notableParts(overTime, kMostRows))
        table.rows.push_back({"", cellsOfPart(overTime, *part)});
    section.details.push_back({"Where " + b + " differs from A over time", std::move(table)});
}

void addSettings(ComparedRuns& section, const std::string& title, const std::string& b,
    const std::vector<SettingDifference>& settings)
{
    if (settings.empty())
        return;
    ReportTable table{{{"What"}, {"A"}, {b}}, {}};
    const auto cell = [](const std::string& value) { return report::ReportCell{value.empty() ? kUnknownCell : value}; };
    for (const SettingDifference& setting : settings)
        table.rows.push_back({"", {{setting.key}, cell(setting.a), cell(setting.b)}});
    section.details.push_back({title, std::move(table)});
}

void addDetails(ComparedRuns& section, const TrialPair& pair, const std::string& b,
    const std::vector<SettingDifference>& environment)
{
    if (pair.overTime)
        addOverTimeTable(section, *pair.overTime, b);
    if (pair.atPeaks) {
        addPeakTable(section, "Category", b, pair.atPeaks->categories);
        addPeakTable(section, "Module", b, pair.atPeaks->modules);
        addPeakTable(section, "Frame", b, pair.atPeaks->frames);
    }
    addSettings(section, "Settings of A and " + b + " that differ", b, pair.settings);
    addSettings(section, "Where A and " + b + " ran differs", b, environment);
}

} // namespace

std::vector<ComparedRuns> comparedSections(const std::vector<NamedRun>& runs, std::optional<figures::Alignment> wish)
{
    std::vector<Group> groups = groupsOf(alignedComparisons(runs, wish));
    groups.resize(std::min(groups.size(), kMostSections));
    std::vector<ComparedRuns> sections;
    for (const Group& group : groups) {
        ComparedRuns section{titleOf(group, runs), sentencesOf(group), overTimeOf(group, runs), {}};
        for (std::size_t i = 0; i < group.pairs.size(); ++i)
            addDetails(section, group.pairs[i], letter(group.runs[i]),
                environmentDifferences(runs.front().run.environment, runs[group.runs[i]].run.environment));
        sections.push_back(std::move(section));
    }
    return sections;
}

} // namespace headroom::experiments
