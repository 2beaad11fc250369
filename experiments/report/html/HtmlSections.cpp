// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/html/HtmlSections.h"

#include "experiments/figures/Figure.h"
#include "experiments/figures/svg/SvgWriter.h"
#include "experiments/report/Breakdown.h"
#include "experiments/report/DetailTables.h"
#include "experiments/report/ReplayText.h"
#include "experiments/report/ReportFigures.h"
#include "experiments/report/TrialTable.h"
#include "experiments/report/html/HtmlTable.h"
#include "experiments/report/html/HtmlTree.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace headroom::report {
namespace {

constexpr double kWide = 1000;
constexpr double kNarrow = 344;
constexpr double kTrackHeight = 190;

struct Extent {
    double width = 0;
    std::optional<double> height{};
};

Html drawing(const figures::Figure& figure, const std::string& id, const std::string& classes, const Extent& extent)
{
    const figures::SvgStyle style{.width = extent.width,
        .styleSheet = figures::StyleSheet::OfThePage,
        .title = figures::TitleDisplay::Hidden,
        .idPrefix = id + "-" + classes,
        .height = extent.height};
    return element("div", {{"class", "drawing " + classes}}, {figures::toSvg(figure, style)});
}

Html figureOf(const figures::Figure& figure, const std::string& id, const std::optional<double>& height)
{
    Html content = drawing(figure, id, "wide", {kWide, height});
    content += drawing(figure, id, "narrow", {kNarrow, height});
    content += element("figcaption", text(figure.description));
    Html table = element("summary", text("The figure as a table"));
    table += htmlTable(figure.table, figure.title);
    content += element("details", table);
    return element("figure", {{"id", id}}, content);
}

/// A figure with its caption, drawn twice (for wide and for narrow pages), and the same as a table to open. `id` is
/// different for each figure of a page.
Html htmlFigure(const figures::Figure& figure, const std::string& id)
{
    return figureOf(figure, id, std::nullopt);
}

/// The same, low: one of several that stand below each other.
Html htmlTrack(const figures::Figure& figure, const std::string& id)
{
    return figureOf(figure, id, kTrackHeight);
}

// The others are there to be opened: pages stay short.
constexpr std::size_t kOpenTimelines = 3;
constexpr std::size_t kOpenGroups = 4;
constexpr double kLeastShareOfTree = 0.005; ///< of the peak: smaller rows are summed up

Html paragraph(const std::string& words)
{
    return element("p", sentence(words));
}

Html note(const std::string& words)
{
    return element("p", {{"class", "note"}}, sentence(words));
}

Html htmlBullets(const std::vector<std::string>& sentences, const std::string& classes)
{
    Html items;
    for (const std::string& words : sentences)
        items += element("li", sentence(words));
    return element("ul", {{"class", classes}}, items);
}

Html opened(const std::string& summary, const Html& content)
{
    Html html = element("summary", text(summary));
    html += content;
    return element("details", html);
}

Html groupHtml(const GroupVerdict& group)
{
    Html html;
    if (!group.title.empty())
        html += element("h3", text(group.title));
    html += htmlBullets(group.sentences, "findings");
    return element("div", {{"class", "group"}}, html);
}

Html groupsHtml(const std::vector<GroupVerdict>& groups)
{
    Html shown;
    Html rest;
    for (std::size_t i = 0; i < groups.size(); ++i)
        (i < kOpenGroups || groups.size() == kOpenGroups + 1 ? shown : rest) += groupHtml(groups[i]);
    Html html = element("div", {{"class", "groups"}}, shown);
    if (!rest.empty())
        html += opened(std::to_string(groups.size() - kOpenGroups) + " further cases",
            element("div", {{"class", "groups"}}, rest));
    return html;
}

Html verdictHtml(const Verdict& verdict)
{
    Html html;
    for (const std::string& words : verdict.lead)
        html += sentence(words + " ");
    html = element("p", {{"class", "lead"}}, html);
    if (!verdict.across.empty())
        html += htmlBullets(verdict.across, "findings");
    html += groupsHtml(verdict.groups);
    html += htmlBullets(verdict.cautions, "cautions");
    return html;
}

Html tradeoffHtml(const std::vector<Panel>& panels)
{
    Html html;
    for (std::size_t i = 0; i < panels.size(); ++i) {
        if (!panels[i].title.empty())
            html += element("h3", text(panels[i].title));
        html += htmlFigure(panels[i].tradeoff, "tradeoff-" + std::to_string(i + 1));
    }
    return html;
}

Html peaksHtml(const std::vector<Panel>& panels)
{
    Html html;
    for (std::size_t i = 0; i < panels.size(); ++i) {
        if (!panels[i].title.empty())
            html += element("h3", text(panels[i].title));
        html += htmlFigure(panels[i].peaks, "peaks-" + std::to_string(i + 1));
    }
    return html;
}

constexpr std::size_t kMostSources = 12;

using TrialsById = std::unordered_map<std::string, const ReportTrial*>;

TrialsById trialsById(const ReportContent& content)
{
    TrialsById trials;
    for (const ReportTrial& trial : content.trials)
        trials.try_emplace(trial.id(), &trial);
    return trials;
}

/// What was held at the peak of a trial; nothing where its record does not say.
Html treeHtml(const ReportTrial& trial)
{
    const auto& breakdown = trial.result.breakdown;
    if (!breakdown)
        return {};
    const figures::PeakTreeRow tree =
        figures::peakTree(moduleTree(*breakdown), trace::Grouping::Module, kLeastShareOfTree);
    Html html = htmlTree(tree, trial.isPredicted() ? Origin::Predicted : Origin::Plain);
    if (const ReportTable sources = largestSources(trial, kMostSources); !sources.rows.empty())
        html += htmlTable(sources, "Lines of the model's source that hold most", Sorting::None);
    return html;
}

Html timelineTreeHtml(const TrialsById& trials, const std::string& id)
{
    const auto trial = trials.find(id);
    const Html tree = trial == trials.end() ? Html() : treeHtml(*trial->second);
    return tree.empty() ? tree : opened("What was held at the peak, by module", tree);
}

/// What host, device and driver told beside a timeline; nothing where nothing was recorded.
Html witnessesHtml(const ReportContent& content, const std::string& trial, const std::string& id)
{
    const auto found = content.witnesses.find(trial);
    if (found == content.witnesses.end())
        return {};
    Html tracks;
    for (const figures::Figure& figure : found->second) {
        tracks += element("h4", text(figure.title));
        tracks += htmlTrack(figure, id + "-" + std::to_string(&figure - found->second.data() + 1));
    }
    return opened("What host, device and driver told at the same time", tracks);
}

Html categoriesHtml(const ReportContent& content, const Comparison& comparison, const std::vector<Panel>& panels)
{
    Html html;
    for (std::size_t i = 0; i < panels.size(); ++i) {
        if (!panels[i].categories)
            continue;
        if (!panels[i].title.empty())
            html += element("h3", text(panels[i].title));
        html += htmlFigure(*panels[i].categories, "categories-" + std::to_string(i + 1));
    }
    Html trees;
    std::unordered_set<std::string> withTimeline;
    for (const figures::TimelineInput& timeline : content.timelines)
        withTimeline.insert(timeline.id);
    for (const ReportTrial& trial : content.trials)
        if (const Html tree = withTimeline.contains(trial.id()) ? Html() : treeHtml(trial); !tree.empty())
            trees += opened(nameOf(trial, comparison) + (trial.isPredicted() ? " (predicted)" : ""), tree);
    if (!trees.empty())
        html += element("h3", text("By module"));
    html += trees;
    if (html.empty())
        return html;
    html += opened("Bytes of each category, exactly",
        htmlTable(breakdownTable(content, comparison), "What each peak consists of, in bytes", Sorting::None));
    return html;
}

Html timelinesHtml(const ReportContent& content, const Comparison& comparison)
{
    Html shown;
    Html rest;
    const std::vector<figures::Figure> timelines = timelinesOf(content, comparison);
    const TrialsById trials = trialsById(content);
    for (std::size_t i = 0; i < timelines.size(); ++i) {
        Html html = element("h3", text(timelines[i].title));
        html += htmlFigure(timelines[i], "timeline-" + std::to_string(i + 1));
        html += timelineTreeHtml(trials, content.timelines[i].id);
        html += witnessesHtml(content, content.timelines[i].id, "witness-" + std::to_string(i + 1));
        (i < kOpenTimelines ? shown : rest) += html;
    }
    if (!rest.empty())
        shown += opened(std::to_string(timelines.size() - kOpenTimelines) + " further timelines", rest);
    return shown;
}

Html tableOrNothing(const ReportTable& table, const std::string& caption)
{
    return table.rows.empty() ? Html() : htmlTable(table, caption, Sorting::None);
}

Html resultsHtml(const ReportContent& content, const Comparison& comparison)
{
    Html html;
    if (!content.task.empty())
        html += element("p", {{"class", "task"}}, text(content.task));
    html += htmlTable(trialTable(content, comparison), "Results of each trial", Sorting::Offered);
    html +=
        note("Peaks are after warm-up. What was saved and the speed that was kept are against the trial of the same "
             "case without the techniques that vary.");
    return html;
}

Html differencesHtml(const ReportContent& content)
{
    Html html = htmlTable(differenceTable(content), "Settings that differ", Sorting::None);
    Html terms;
    const std::vector<Facet> shared = sharedSettings(content);
    for (const Facet& facet : shared) {
        Html pair = element("dt", text(facet.key));
        pair += element("dd", text(facet.value));
        terms += element("div", pair);
    }
    html += opened(std::to_string(shared.size()) + " settings that all trials share",
        element("dl", {{"class", "settings"}}, terms));
    return html;
}

Html code(const std::string& source, const std::string& name)
{
    return element("div", {{"class", "copyable"}, {"data-name", name}}, element("pre", element("code", text(source))));
}

Html replayHtml(const ReportContent& content)
{
    Html html = paragraph("Started on " + content.startedAt + " by Headroom " + content.headroomVersion
        + (content.commandLine.empty() ? "." : " with this command:"));
    if (!content.commandLine.empty())
        html += code(content.commandLine, "command");
    html += paragraph("To run it again, save the spec below as `" + specFileName(content) + "` and run");
    html += code(replayCommand(content), "command");
    html += note(replayNote(content));
    html += element("h3", text(specFileName(content)));
    html += code(content.replay.toml, "spec");
    return html;
}

} // namespace

std::vector<HtmlSection> htmlSections(const ReportContent& content, const Comparison& comparison)
{
    const std::vector<Panel> panels = panelsOf(content, comparison);
    return {{"verdict", "Verdict", verdictHtml(verdictOf(content, comparison))},
        {"tradeoff", "Memory against speed", tradeoffHtml(panels)},
        {"results", "Results", resultsHtml(content, comparison)}, {"peaks", "Peak memory", peaksHtml(panels)},
        {"categories", "What the peaks consist of", categoriesHtml(content, comparison, panels)},
        {"timelines", "Memory over time", timelinesHtml(content, comparison)},
        {"differences", "What differs between the trials", differencesHtml(content)},
        {"engagement", "What the techniques did",
            tableOrNothing(engagementTable(content, comparison), "Counters per step after warm-up")},
        {"endings", "Trials without results",
            tableOrNothing(endingTable(content, comparison), "Trials that did not complete")},
        {"flags", "Flagged trials", tableOrNothing(flagTable(content, comparison), "Flags and their reasons")},
        {"remarks", "Remarks of the run", tableOrNothing(remarkTable(content), "Remarks")},
        {"environment", "Environment", tableOrNothing(environmentTable(content), "Where it ran")},
        {"again", "Run it again", replayHtml(content)}};
}

} // namespace headroom::report
