// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/html/HtmlSections.h"

#include "core/base/Wording.h"
#include "experiments/figures/Figure.h"
#include "experiments/report/Breakdown.h"
#include "experiments/report/DetailTables.h"
#include "experiments/report/EngagementTables.h"
#include "experiments/report/ReplayText.h"
#include "experiments/report/ReportFigures.h"
#include "experiments/report/TrialTable.h"
#include "experiments/report/html/HtmlCompared.h"
#include "experiments/report/html/HtmlEffects.h"
#include "experiments/report/html/HtmlFigure.h"
#include "experiments/report/html/HtmlTable.h"
#include "experiments/report/html/HtmlTimelines.h"
#include "experiments/report/html/PageExcerpt.h"

#include <algorithm>

namespace headroom::report {
namespace {

constexpr std::size_t kOpenGroups = 4; ///< the others are there to be opened: pages stay short
// Of a page that does not show all trials.
constexpr std::size_t kMostGroups = 100;
constexpr std::size_t kMostGrids = 4;

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

Html groupHtml(const GroupVerdict& group)
{
    Html html;
    if (!group.title.empty())
        html += element("h3", name(group.title));
    html += htmlBullets(group.sentences, "findings");
    return element("div", {{"class", "group"}}, html);
}

Html groupsHtml(const std::vector<GroupVerdict>& groups, std::size_t most)
{
    Html shown;
    Html rest;
    for (std::size_t i = 0; i < std::min(most, groups.size()); ++i)
        (i < kOpenGroups || groups.size() == kOpenGroups + 1 ? shown : rest) += groupHtml(groups[i]);
    Html html = element("div", {{"class", "groups"}}, shown);
    if (!rest.empty())
        html += opened(std::to_string(groups.size() - kOpenGroups) + " further cases",
            element("div", {{"class", "groups"}}, rest));
    if (groups.size() > most)
        html += note("Those of the last " + grouped(std::ssize(groups) - std::int64_t(most)) + " cases are left out.");
    return html;
}

Html verdictHtml(const Verdict& verdict, std::size_t mostGroups)
{
    Html html;
    for (const std::string& words : verdict.lead)
        html += sentence(words + " ");
    html = element("p", {{"class", "lead"}}, html);
    if (!verdict.across.empty())
        html += htmlBullets(verdict.across, "findings");
    html += groupsHtml(verdict.groups, mostGroups);
    html += htmlBullets(verdict.cautions, "cautions");
    return html;
}

// What of the trials a part of the page shows, where it does not show all.
std::string extentNote(const PageExcerpt& shown, const ReportContent& content, const std::string& trialsFile)
{
    return grouped(std::ssize(shown.content().trials)) + " of " + grouped(std::ssize(content.trials))
        + " trials are shown here: those that no other one of their case beats, what they are compared with, and the "
          "first of the others. All of them are in `"
        + trialsFile + "`, beside this page.";
}

Html noteOrNothing(const std::string& words)
{
    return words.empty() ? Html() : note(words);
}

Html tradeoffHtml(const std::vector<Panel>& panels, const std::string& extent)
{
    Html html = noteOrNothing(extent);
    for (std::size_t i = 0; i < panels.size(); ++i) {
        if (!panels[i].title.empty())
            html += element("h3", name(panels[i].title));
        html += htmlFigure(panels[i].tradeoff, "tradeoff-" + std::to_string(i + 1));
    }
    return html;
}

Html peaksHtml(const std::vector<Panel>& panels, const std::string& extent)
{
    Html html = noteOrNothing(extent);
    for (std::size_t i = 0; i < panels.size(); ++i) {
        if (!panels[i].title.empty())
            html += element("h3", name(panels[i].title));
        html += htmlFigure(panels[i].peaks, "peaks-" + std::to_string(i + 1));
    }
    return html;
}

Html categoriesHtml(const ReportContent& content, const Comparison& comparison, const std::vector<Panel>& panels,
    const std::string& extent)
{
    Html html;
    for (std::size_t i = 0; i < panels.size(); ++i) {
        if (!panels[i].categories)
            continue;
        if (!panels[i].title.empty())
            html += element("h3", name(panels[i].title));
        html += htmlFigure(*panels[i].categories, "categories-" + std::to_string(i + 1));
    }
    const Html trees = treesWithoutTimeline(content, comparison);
    if (!trees.empty())
        html += element("h3", text("By module"));
    html += trees;
    if (html.empty())
        return html;
    html += noteOrNothing(extent);
    html += opened("Bytes of each category, exactly",
        htmlTable(marked(breakdownTable(content, comparison), comparison), "What each peak consists of, in bytes",
            Sorting::None));
    return html;
}

// As many rows as of trials.
Html tableOrNothing(ReportTable table, const std::string& caption)
{
    const std::size_t rows = table.rows.size();
    table.rows.resize(std::min(rows, kMostRows));
    Html html = table.rows.empty() ? Html() : htmlTable(table, caption, Sorting::None);
    if (rows > kMostRows)
        html += note("The first " + grouped(std::int64_t{kMostRows}) + " of " + grouped(std::int64_t(rows)) + " rows.");
    return html;
}

Html resultsHtml(const ReportContent& content, const Comparison& comparison, const std::string& extent)
{
    Html html = noteOrNothing(extent);
    if (!content.task.empty())
        html += element("p", {{"class", "task"}}, name(content.task));
    html += htmlTable(marked(trialTable(content, comparison), comparison), "Results of each trial", Sorting::Offered);
    html +=
        note("Peaks are after warm-up. What was saved and the speed that was kept are against the trial of the same "
             "case without the techniques that vary.");
    return html;
}

Html differencesHtml(const ReportContent& content, const ReportContent& shown)
{
    Html html = htmlTable(differenceTable(shown), "Settings that differ", Sorting::None);
    if (const ReportTable settings = settingTable(shown); !settings.rows.empty()) {
        html += element("h3", text("What the settings came to"));
        html += htmlTable(settings, "What each setting came to", Sorting::None);
    }
    Html terms;
    const std::vector<Facet> shared = sharedSettings(content);
    for (const Facet& facet : shared) {
        Html pair = element("dt", name(facet.key));
        pair += element("dd", name(facet.value));
        terms += element("div", pair);
    }
    html += opened(std::to_string(shared.size()) + " settings that all trials share",
        element("dl", {{"class", "settings"}}, terms));
    return html;
}

Html engagementHtml(const ReportContent& content, const Comparison& comparison)
{
    Html html;
    for (const EngagementTable& engagement : engagementTables(content, comparison)) {
        html += element("h3", text(engagement.technique));
        html += htmlTable(
            marked(engagement.table, comparison), engagement.technique + ": counters per step", Sorting::None);
    }
    if (!html.empty())
        html += note("Counters of one step after warm-up, by setting. Two numbers are the least and the most of the "
                     "trials with that setting; the results as JSON have those of each trial.");
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
    if (content.replay.match == ReplayMatch::Recorded) {
        html += note(replayNote(content));
        return html;
    }
    html += paragraph("To run it again, save the spec below as `" + specFileName(content) + "` and run");
    html += code(replayCommand(content), "command");
    html += note(replayNote(content));
    html += element("h3", name(specFileName(content)));
    html += code(content.replay.toml, "spec");
    return html;
}

} // namespace

std::vector<HtmlSection> htmlSections(
    const ReportContent& content, const Comparison& comparison, const std::string& trialsFile)
{
    const PageExcerpt rows(content, comparison, kMostRows);
    const PageExcerpt drawn(content, comparison, kMostDrawn);
    const std::vector<Panel> panels = panelsOf(drawn.content(), drawn.comparison());
    const std::string drawnExtent = drawn.isWhole() ? "" : extentNote(drawn, content, trialsFile);
    const std::string rowsExtent = rows.isWhole() ? "" : extentNote(rows, content, trialsFile);
    return {{"verdict", "Verdict",
                verdictHtml(verdictOf(content, comparison), rows.isWhole() ? content.trials.size() : kMostGroups)},
        {"tradeoff", "Memory against speed", tradeoffHtml(panels, drawnExtent)},
        {"results", "Results", resultsHtml(rows.content(), rows.comparison(), rowsExtent)},
        {"effects", "What each technique changes, alone and together",
            effectsHtml(comparison, rows.isWhole() ? content.trials.size() : kMostGrids)},
        {"peaks", "Peak memory", peaksHtml(panels, drawnExtent)},
        {"categories", "What the peaks consist of",
            categoriesHtml(drawn.content(), drawn.comparison(), panels, drawnExtent)},
        {"timelines", "Memory over time", timelinesHtml(content, comparison)},
        {"compared", "Runs beside each other", comparedHtml(content.compared)},
        {"differences", "What differs between the trials", differencesHtml(content, rows.content())},
        {"engagement", "What the techniques did", engagementHtml(content, comparison)},
        {"endings", "Trials without results",
            tableOrNothing(marked(endingTable(content, comparison), comparison), "Trials that did not complete")},
        {"flags", "Flagged trials",
            tableOrNothing(marked(flagTable(content, comparison), comparison), "Flags and their reasons")},
        {"remarks", "Remarks of the run", tableOrNothing(remarkTable(content), "Remarks")},
        {"environment", "Environment", tableOrNothing(environmentTable(content), "Where it ran")},
        {"again", "Run it again", replayHtml(content)}};
}

} // namespace headroom::report
