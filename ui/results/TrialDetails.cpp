// SPDX-License-Identifier: Apache-2.0
#include "ui/results/TrialDetails.h"

#include "core/base/Error.h"
#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "experiments/report/DetailTables.h"
#include "experiments/report/EngagementTables.h"
#include "experiments/report/ReplayText.h"
#include "experiments/report/formats/MarkdownReport.h"

#include <array>

namespace headroom::ui {
namespace {

using report::CellKind;
using report::Origin;
using report::ReportCell;
using report::ReportTable;
using report::ReportTrial;

Origin originOf(const ReportTrial& trial)
{
    return report::originOf(trial.provenance());
}

// Moves the unit from the title to the value: "peak reserved (GiB)" and "5.010" become "peak reserved" and "5.010 GiB".
report::ReportRow figure(const report::ReportColumn& column, ReportCell cell)
{
    std::string title = column.title;
    if (const auto open = title.rfind(" ("); open != std::string::npos) {
        cell.text += " " + title.substr(open + 2, title.size() - open - 3);
        title.erase(open);
    }
    return {"", {{title}, cell}};
}

void addBytes(ReportTable& table, const ReportTrial& trial, const std::string& title, std::optional<Bytes> bytes)
{
    if (bytes)
        table.rows.push_back({"", {{title}, {sizeText(*bytes), originOf(trial)}}});
}

// The figures of the trial's row in the table, then those that have no column there.
ReportTable figures(const ResultSet& results, const ReportTrial& trial)
{
    ReportTable figures{{{"figure"}, {"value", CellKind::Number}}, {}};
    const ReportTable& table = results.table();
    const auto row = static_cast<std::size_t>(&trial - results.content().trials.data());
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const ReportCell& cell = table.rows[row].cells[i];
        const std::string& title = table.columns[i].title;
        const bool isFigure = table.columns[i].kind == CellKind::Number || title == "fits" || title == "95 % interval";
        if (isFigure && cell.text != report::kUnknownCell)
            figures.rows.push_back(figure(table.columns[i], cell));
    }
    addBytes(figures, trial, "allocated after load", trial.result.memory.afterLoad.allocated);
    addBytes(figures, trial, "first step's peak, allocated", trial.result.memory.firstStepPeak.allocated);
    if (const auto& limit = trial.result.memory.limit)
        figures.rows.push_back({"", {{"memory limit"}, {sizeText(*limit)}}});
    return figures;
}

ReportTable ids(const ResultSet& results, const ReportTrial& trial)
{
    ReportTable table{{{"what"}, {"id"}}, {}};
    const auto add = [&](const std::string& what, const std::string& value) {
        if (!value.empty())
            table.rows.push_back({"", {{what}, {value}}});
    };
    add("trial", ResultSet::storedId(trial));
    add("configuration", trial.result.configId);
    add("label", trial.label());
    add("experiment", trial.result.experiment + ", number " + std::to_string(results.experimentOf(trial)));
    add("repeats", std::to_string(trial.repeats) + " of " + std::to_string(trial.expectedRepeats));
    add("workspace", results.workspace());
    return table;
}

DetailSection differences(const ResultSet& results, const ReportTrial& trial)
{
    const report::ComparisonGroup& group = results.comparison().groupOf(trial);
    if (group.reference == nullptr)
        return {.title = "Settings", .sentences = {"There is no trial without these techniques to compare it with."}};
    if (group.reference == &trial)
        return {
            .title = "Settings", .sentences = {"This is the reference that the others of its case are compared with."}};
    DetailSection section{
        .title = "Differs from the reference in", .table = report::differenceTable(trial, *group.reference)};
    section.table.columns[2].title = "reference";
    return section;
}

std::string outcomeOf(const ResultSet& results, const ReportTrial& trial)
{
    const ReportTable& table = results.table();
    const auto row = static_cast<std::size_t>(&trial - results.content().trials.data());
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (table.columns[i].title == "outcome")
            return table.rows[row].cells[i].text;
    return headroom::inWords(toText(trial.result.outcome));
}

// A spec from another version may be invalid in this one.
std::string specOf(const ReportTrial& trial)
{
    try {
        return report::replaySpec(trial);
    } catch (const Error&) {
        return {};
    }
}

void add(std::vector<DetailSection>& sections, DetailSection section)
{
    if (!section.sentences.empty() || !section.table.rows.empty() || !section.code.empty())
        sections.push_back(std::move(section));
}

} // namespace

TrialDetails trialDetails(const ResultSet& results, const ReportTrial& trial)
{
    TrialDetails details;
    details.title = trial.techniques;
    details.subtitle = trial.model() + " on " + trial.device() + ", " + trial.kind();
    details.outcome = outcomeOf(results, trial);
    details.outcomeWord = toText(trial.result.outcome);
    details.spec = specOf(trial);
    const std::string ending = trial.ending();
    auto& sections = details.sections;
    if (!ending.empty())
        add(sections, {.title = "Why it has no figures", .sentences = {ending}});
    add(sections, {.title = "Flags", .sentences = report::flagReasons(trial)});
    add(sections, {.title = "Figures", .table = figures(results, trial)});
    add(sections, differences(results, trial));
    add(sections, {.title = "In effect", .table = report::effectTable(trial)});
    add(sections, {.title = "What the techniques did, per step", .table = report::engagementTable(trial)});
    add(sections, {.title = "Ids", .table = ids(results, trial)});
    add(sections, {.title = "Environment", .table = report::environmentTable(results.content())});
    if (!details.spec.empty()) {
        const std::string file = report::specFileName(results.content());
        add(sections,
            {.title = "Run it again",
                .sentences = {
                    "Save the spec below as " + file + " and run: " + report::replayCommand(results.content())}});
        add(sections, {.title = "", .code = details.spec});
    }
    return details;
}

std::string markdownOf(const TrialDetails& details)
{
    std::string text = "# " + report::markdownText(details.title) + "\n\n" + report::markdownText(details.subtitle)
        + "\n\n" + report::markdownText(details.outcome) + "\n";
    for (const DetailSection& section : details.sections) {
        text += section.title.empty() ? "\n" : "\n## " + section.title + "\n\n";
        for (const std::string& sentence : section.sentences)
            text += report::markdownText(sentence) + "\n";
        text += report::markdownTable(section.table);
        if (!section.code.empty())
            text += "```toml\n" + section.code + "```\n";
    }
    return text;
}

} // namespace headroom::ui
