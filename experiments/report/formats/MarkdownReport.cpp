// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/formats/MarkdownReport.h"

#include "core/base/ShownText.h"
#include "experiments/report/Breakdown.h"
#include "experiments/report/DetailTables.h"
#include "experiments/report/EngagementTables.h"
#include "experiments/report/ReplayText.h"
#include "experiments/report/TrialTable.h"
#include "experiments/report/Verdict.h"
#include "experiments/report/effects/EffectSentences.h"
#include "experiments/report/effects/EffectTables.h"

#include <algorithm>

namespace headroom::report {
namespace {

constexpr std::size_t kMostModules = 8; ///< of each trial

// A sentence of ours, whose backquotes are meant; only names in it may hold what Markdown or HTML would take as its
// own.
std::string sentenceText(const std::string& sentence)
{
    std::string text;
    bool isCode = false;
    for (const char c : config::shownLine(sentence)) {
        isCode = c == '`' ? !isCode : isCode;
        if (!isCode && (c == '<' || c == '|' || c == '*' || c == '['))
            text += '\\';
        text += c;
    }
    return text;
}

std::string section(const std::string& title, const std::string& body)
{
    return body.empty() ? "" : "\n## " + title + "\n\n" + body;
}

std::string markdownBullets(const std::vector<std::string>& sentences)
{
    std::string text;
    for (const std::string& sentence : sentences)
        text += "- " + sentenceText(sentence) + "\n";
    return text;
}

// A fence longer than any inside.
std::string codeBlock(const std::string& language, const std::string& text)
{
    const std::string code = config::shownText(text);
    std::string fence = "```";
    while (code.find(fence) != std::string::npos)
        fence += '`';
    return fence + language + "\n" + code + (code.ends_with('\n') ? "" : "\n") + fence + "\n";
}

std::string verdictText(const Verdict& verdict)
{
    std::string text;
    for (const std::string& sentence : verdict.lead)
        text += sentenceText(sentence) + "\n";
    text += (verdict.across.empty() ? "" : "\n") + markdownBullets(verdict.across);
    for (const GroupVerdict& group : verdict.groups)
        text += (group.title.empty() ? "\n" : "\n**" + markdownText(group.title) + "**\n\n")
            + markdownBullets(group.sentences);
    return text + "\n" + markdownBullets(verdict.cautions);
}

std::string taskParagraph(const ReportContent& content)
{
    return content.task.empty() ? "" : markdownText(content.task) + "\n\n";
}

std::string breakdownText(const ReportContent& content, const Comparison& comparison)
{
    std::string text = markdownTable(marked(breakdownTable(content, comparison), comparison));
    for (const ReportTrial& trial : content.trials) {
        if (const ReportTable modules = marked(largestModules(trial, kMostModules), comparison); !modules.rows.empty())
            text += "\n**" + markdownText(nameOf(trial, comparison)) + "**\n\n" + markdownTable(modules);
        if (const ReportTable sources = marked(largestSources(trial, kMostModules), comparison); !sources.rows.empty())
            text += "\n" + markdownTable(sources);
    }
    return text;
}

std::string engagementText(const ReportContent& content, const Comparison& comparison)
{
    std::string text;
    for (const EngagementTable& engagement : engagementTables(content, comparison))
        text += (text.empty() ? "**" : "\n**") + markdownText(engagement.technique) + "**\n\n"
            + markdownTable(marked(engagement.table, comparison));
    return text;
}

std::string sharedText(const ReportContent& content)
{
    std::string text;
    for (const Facet& facet : sharedSettings(content))
        text += (text.empty() ? "" : ", ") + facet.key + " = " + markdownText(facet.value);
    return text.empty() ? "" : "\nThe same in all trials: " + text + "\n";
}

std::string replayText(const ReportContent& content)
{
    const std::string started = "It was started on " + content.startedAt + " by Headroom " + content.headroomVersion;
    const std::string as = content.commandLine.empty() ? ".\n" : " as\n\n" + codeBlock("sh", content.commandLine);
    if (content.replay.match == ReplayMatch::Recorded)
        return started + as + "\n" + replayNote(content) + "\n";
    return started + as + "\nTo run it again, save the spec below as `" + specFileName(content) + "` and run\n\n"
        + codeBlock("sh", replayCommand(content)) + "\n" + replayNote(content) + "\n\n"
        + codeBlock("toml", content.replay.toml);
}

std::string effectsText(const Comparison& comparison)
{
    const std::vector<EffectGrid> grids = crossedGrids(effectGrids(comparison));
    const EffectPeak peak = suitablePeak(grids);
    std::string text;
    for (const EffectGrid& grid : grids) {
        const Effects effects = effectsOf(grid, peak);
        text += (text.empty() ? "" : "\n")
            + (grid.group().title.empty() ? "" : "**" + markdownText(grid.group().title) + "**\n\n");
        for (const Interaction* of : notablePairs(effects))
            text += "- " + markdownText(sentenceFor(*of)) + "\n";
        for (const std::string& caution : cautionsOf(effects))
            text += "- " + markdownText(caution) + "\n";
        text += "\n" + markdownTable(marked(mainEffectTable(effects), comparison)) + "\n"
            + markdownTable(marked(interactionTable(effects), comparison));
    }
    return text.empty() ? text : text + "\n" + markdownText(effectNote(peak)) + "\n";
}

std::string comparedText(const ReportContent& content)
{
    std::string text;
    for (const ComparedRuns& runs : content.compared) {
        text += (text.empty() ? "**" : "\n**") + markdownText(runs.title) + "**\n\n";
        for (const std::string& sentence : runs.sentences)
            text += "- " + markdownText(sentence) + "\n";
        for (const ComparedRuns::Detail& detail : runs.details)
            text += "\n" + markdownText(detail.title) + ":\n\n" + markdownTable(detail.table);
    }
    return text;
}

std::string predictionParagraph(const ReportContent& content)
{
    const std::string note = predictionNotes(content);
    return note.empty() ? note : "\n" + markdownText(note) + "\n";
}

} // namespace

std::string markdownText(const std::string& text)
{
    std::string result;
    for (const char c : config::shownLine(text)) {
        if (std::string("\\|`*<[").find(c) != std::string::npos)
            result += '\\';
        result += c;
    }
    return result;
}

std::string markdownTable(const ReportTable& table)
{
    if (table.rows.empty())
        return {};
    std::string text = "|";
    std::string rule = "|";
    for (const ReportColumn& column : table.columns) {
        text += " " + markdownText(column.title) + " |";
        rule += column.kind == CellKind::Number ? " ---: |" : " --- |";
    }
    text += "\n" + rule + "\n";
    for (const ReportRow& row : table.rows) {
        text += "|";
        for (const ReportCell& cell : row.cells)
            text += " " + markdownText(cell.text)
                + (cell.origin == Origin::Plain ? "" : std::string(" ") + markOf(cell.origin)) + " |";
        text += "\n";
    }
    for (const Origin origin : table.markedOrigins())
        text += std::string("\n") + markOf(origin) + ": " + meaningOf(origin) + ".\n";
    return text;
}

std::string markdownReport(const ReportContent& content, const Comparison& comparison)
{
    std::string text = "# " + markdownText(content.experiment) + "\n";
    if (!content.title.empty())
        text += "\n" + markdownText(content.title) + "\n";
    text += section("Verdict", verdictText(verdictOf(content, comparison)));
    text += section("Results",
        taskParagraph(content) + markdownTable(marked(trialTable(content, comparison), comparison))
            + predictionParagraph(content));
    text += section("What each technique changes, alone and together", effectsText(comparison));
    text += section("What the peaks consist of", breakdownText(content, comparison));
    text += section("Runs beside each other", comparedText(content));
    text += section("Not completed", markdownTable(marked(endingTable(content, comparison), comparison)));
    text += section("Flagged", markdownTable(marked(flagTable(content, comparison), comparison)));
    text += section("What differs", markdownTable(differenceTable(content)) + sharedText(content));
    text += section("What the settings came to", markdownTable(settingTable(content)));
    text += section("What the techniques did", engagementText(content, comparison));
    text += section("Remarks of the run", markdownTable(remarkTable(content)));
    text += section("Environment", markdownTable(environmentTable(content)));
    text += section("Run it again", replayText(content));
    return text;
}

} // namespace headroom::report
