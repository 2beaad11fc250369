// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/html/HtmlTimelines.h"

#include "core/base/Quantities.h"
#include "experiments/report/Breakdown.h"
#include "experiments/report/DetailTables.h"
#include "experiments/report/GroupFront.h"
#include "experiments/report/ReportFigures.h"
#include "experiments/report/html/HtmlFigure.h"
#include "experiments/report/html/HtmlTable.h"
#include "experiments/report/html/HtmlTree.h"

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
Html treeHtml(const ReportTrial& trial, const Comparison& comparison, double leastShare)
{
    const auto& breakdown = trial.result.breakdown;
    if (!breakdown)
        return {};
    const auto tree = figures::peakTree(moduleTree(*breakdown), trace::Grouping::Module, leastShare);
    Html html = htmlTree(tree, comparison.isMixed() ? originOf(trial.provenance()) : Origin::Plain);
    if (const ReportTable sources = largestSources(trial, kMostSources); !sources.rows.empty())
        html += htmlTable(marked(sources, comparison), "Lines of the model's source that hold most", Sorting::None);
    return html;
}

/// Writes the timelines of a report one by one.
class TimelineWriter {
public:
    TimelineWriter(const ReportContent& content, const Comparison& comparison)
        : m_content(content)
        , m_comparison(comparison)
        , m_trials(trialsById(content))
        , m_titles(timelineTitles(content, comparison))
    {
    }

    Html inFull(std::size_t index) const
    {
        Html html = element("h3", name(titleOf(index)));
        html += body(index, kInFull);
        return html;
    }

    Html folded(std::size_t index) const { return opened(titleOf(index) + peakText(index), body(index, kFolded)); }

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

    Html body(std::size_t index, const Detail& detail) const
    {
        const std::string number = std::to_string(index + 1);
        Html html = htmlFigure(timelineOf(input(index), titleOf(index), detail.wideBins),
            timelineOf(input(index), titleOf(index), detail.narrowBins), "timeline-" + number);
        const auto trial = m_trials.find(input(index).id);
        if (trial != m_trials.end())
            if (const Html tree = treeHtml(*trial->second, m_comparison, detail.leastShare); !tree.empty())
                html += opened("What was held at the peak, by module", tree);
        html += witnesses(index, "witness-" + number);
        return html;
    }

    // What host, device and driver told beside it; nothing where nothing was recorded.
    Html witnesses(std::size_t index, const std::string& id) const
    {
        const auto found = m_content.witnesses.find(input(index).id);
        if (found == m_content.witnesses.end())
            return {};
        Html tracks;
        std::size_t number = 0;
        for (const figures::Figure& figure : found->second) {
            tracks += element("h4", name(figure.title));
            tracks += htmlTrack(figure, id + "-" + std::to_string(++number));
        }
        return opened("What host, device and driver told at the same time", tracks);
    }

    const ReportContent& m_content;
    const Comparison& m_comparison;
    TrialsById m_trials;
    std::map<std::string, std::string> m_titles;
};

} // namespace

Html timelinesHtml(const ReportContent& content, const Comparison& comparison)
{
    const auto chosen = trialsInFull(comparison, kMostInFull);
    const TimelineWriter timelines(content, comparison);
    Html shown;
    Html rest;
    for (std::size_t i = 0; i < content.timelines.size(); ++i)
        if (chosen.contains(content.timelines[i].id))
            shown += timelines.inFull(i);
        else
            rest += timelines.folded(i);
    if (!shown.empty() && !rest.empty())
        shown += element("h3", text("Trials that others beat"));
    shown += element("div", {{"class", "folded"}}, rest);
    return content.timelines.empty() ? Html() : shown;
}

Html treesWithoutTimeline(const ReportContent& content, const Comparison& comparison)
{
    std::unordered_set<std::string> withTimeline;
    for (const figures::TimelineInput& timeline : content.timelines)
        withTimeline.insert(timeline.id);
    Html trees;
    for (const ReportTrial& trial : content.trials) {
        if (withTimeline.contains(trial.id()))
            continue;
        const std::string mark = provenanceMark(trial, comparison);
        if (const Html tree = treeHtml(trial, comparison, kFolded.leastShare); !tree.empty())
            trees += opened(nameOf(trial, comparison) + mark, tree);
    }
    return trees;
}

} // namespace headroom::report
