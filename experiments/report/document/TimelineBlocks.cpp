// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/document/TimelineBlocks.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "experiments/report/Breakdown.h"
#include "experiments/report/DetailTables.h"
#include "experiments/report/GroupFront.h"
#include "experiments/report/ReportFigures.h"

#include <unordered_map>
#include <unordered_set>

namespace headroom::report {
namespace {

/// How much of a trial is shown.
struct Detail {
    std::size_t wideBins; ///< steps of a curve
    std::size_t narrowBins;
    double leastShare; ///< of the peak: smaller rows of its tree are summed up
};

constexpr std::size_t kMostInFull = 8;
constexpr std::size_t kMostModules = 8;
constexpr std::size_t kMostSources = 12;
constexpr Detail kInFull{480, 200, 0.01}; ///< two pixels a step
constexpr Detail kFolded{120, 60, 0.05};

using TrialsById = std::unordered_map<std::string, const ReportTrial*>;

TrialsById trialsById(const ReportContent& content)
{
    TrialsById trials;
    for (const ReportTrial& trial : content.trials)
        trials.try_emplace(trial.id(), &trial);
    return trials;
}

// Nothing where the record does not say.
Blocks treeBlocks(const ReportTrial& trial, const Comparison& comparison, double leastShare)
{
    const auto& breakdown = trial.result.breakdown;
    if (!breakdown)
        return {};
    Blocks blocks{TreeBlock{figures::peakTree(moduleTree(*breakdown), trace::Grouping::Module, leastShare),
        comparison.isMixed() ? originOf(trial.provenance()) : Origin::Plain,
        marked(largestModules(trial, kMostModules), comparison)}};
    if (const ReportTable sources = largestSources(trial, kMostSources); !sources.rows.empty()) {
        const std::string title = "Lines of the model's source that hold most";
        blocks.push_back(Heading{title, 4});
        blocks.push_back(TableBlock{marked(sources, comparison), title});
    }
    return blocks;
}

/// Makes the blocks of the timelines of a report one by one.
class TimelineMaker {
public:
    TimelineMaker(const ReportContent& content, const Comparison& comparison)
        : m_content(content)
        , m_comparison(comparison)
        , m_trials(trialsById(content))
        , m_titles(timelineTitles(content, comparison))
    {
    }

    void addInFull(std::size_t index, Blocks& to) const
    {
        to.push_back(Heading{titleOf(index)});
        for (Block& block : blocksOf(index, kInFull))
            to.push_back(std::move(block));
    }

    Folded folded(std::size_t index) const { return {titleOf(index) + peakText(index), blocksOf(index, kFolded)}; }

private:
    const figures::TimelineInput& input(std::size_t index) const { return m_content.timelines[index]; }
    const std::string& titleOf(std::size_t index) const { return m_titles.at(input(index).id); }

    std::string peakText(std::size_t index) const
    {
        const auto& series = input(index).series;
        return series.empty() || !series.front().peak
            ? std::string()
            : ": " + sizeText(series.front().peak->bytes) + " " + series.front().name + " at the peak";
    }

    Blocks blocksOf(std::size_t index, const Detail& detail) const
    {
        const std::string number = std::to_string(index + 1);
        Blocks blocks{FigureBlock{timelineOf(input(index), titleOf(index), detail.wideBins), "timeline-" + number,
            FigureBlock::Size::Normal, timelineOf(input(index), titleOf(index), detail.narrowBins)}};
        const auto trial = m_trials.find(input(index).id);
        if (trial != m_trials.end())
            if (Blocks tree = treeBlocks(*trial->second, m_comparison, detail.leastShare); !tree.empty())
                blocks.push_back(Folded{"What was held at the peak, by module", std::move(tree)});
        addWitnesses(index, "witness-" + number, blocks);
        return blocks;
    }

    // What host, device and driver told beside it; nothing where nothing was recorded.
    void addWitnesses(std::size_t index, const std::string& id, Blocks& to) const
    {
        const auto found = m_content.witnesses.find(input(index).id);
        if (found == m_content.witnesses.end())
            return;
        Folded tracks{"What host, device and driver told at the same time", {}};
        std::size_t number = 0;
        for (const figures::Figure& figure : found->second) {
            tracks.blocks.push_back(Heading{figure.title, 4});
            tracks.blocks.push_back(FigureBlock{figure, id + "-" + std::to_string(++number), FigureBlock::Size::Track});
        }
        to.push_back(std::move(tracks));
    }

    const ReportContent& m_content;
    const Comparison& m_comparison;
    TrialsById m_trials;
    std::map<std::string, std::string> m_titles;
};

Paragraph leftOut(std::size_t timelines)
{
    return {counted(std::int64_t(timelines), "timeline") + " of trials that others beat are on the web page.",
        Paragraph::Look::Note};
}

} // namespace

Blocks timelineBlocks(const ReportContent& content, const Comparison& comparison, ReportBounds::Timelines shown)
{
    if (content.timelines.empty())
        return {};
    const auto chosen = trialsInFull(comparison, kMostInFull);
    const TimelineMaker timelines(content, comparison);
    Blocks blocks;
    std::vector<std::size_t> beaten;
    for (std::size_t i = 0; i < content.timelines.size(); ++i)
        if (chosen.contains(content.timelines[i].id))
            timelines.addInFull(i, blocks);
        else
            beaten.push_back(i);
    if (shown == ReportBounds::Timelines::InFullOnly && !beaten.empty()) {
        blocks.push_back(leftOut(beaten.size()));
        return blocks;
    }
    if (!blocks.empty() && !beaten.empty())
        blocks.push_back(Heading{"Trials that others beat"});
    Group rest{"folded", {}};
    for (const std::size_t i : beaten)
        rest.blocks.push_back(timelines.folded(i));
    blocks.push_back(std::move(rest));
    return blocks;
}

Blocks treesWithoutTimeline(const ReportContent& content, const Comparison& comparison)
{
    std::unordered_set<std::string> withTimeline;
    for (const figures::TimelineInput& timeline : content.timelines)
        withTimeline.insert(timeline.id);
    Blocks trees;
    for (const ReportTrial& trial : content.trials) {
        if (withTimeline.contains(trial.id()))
            continue;
        if (Blocks tree = treeBlocks(trial, comparison, kFolded.leastShare); !tree.empty())
            trees.push_back(Folded{nameOf(trial, comparison) + provenanceMark(trial, comparison), std::move(tree)});
    }
    return trees;
}

} // namespace headroom::report
