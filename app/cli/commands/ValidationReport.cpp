// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/ValidationReport.h"

#include "core/base/Numbers.h"
#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "core/config/DeviceSpec.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headroom::cli {

using experiments::ErrorQuantiles;
using experiments::OrderedJson;
using experiments::PeakCause;
using experiments::ValidatedFigures;
using experiments::ValidationDocument;
using experiments::ValidationRow;

namespace {

constexpr std::size_t kShortIdDigits = 8; // as in every table

std::string shortTrialId(const std::string& trialId)
{
    return trialId.substr(0, kShortIdDigits);
}

std::string errorText(const std::optional<double>& error)
{
    return error ? signedPercentText(*error) : kUnknownCell;
}

std::string absoluteText(double error)
{
    return error > 0 && error < kLeastShownChange ? signedPercentText(error).substr(1) : percentText(error);
}

Table quantilesTable(const ValidationDocument& validation)
{
    Table table({{"figure"}, {"trials", Alignment::Right}, {"exact", Alignment::Right}, {"least", Alignment::Right},
        {"5 %", Alignment::Right}, {"median", Alignment::Right}, {"95 %", Alignment::Right}, {"most", Alignment::Right},
        {"median without sign", Alignment::Right}, {"95 % within", Alignment::Right},
        {"all within", Alignment::Right}});
    const auto add = [&](const char* figure, const std::optional<ErrorQuantiles>& errors) {
        if (errors)
            table.addRow({figure, grouped(std::int64_t(errors->count)), grouped(std::int64_t(errors->exact)),
                signedPercentText(errors->smallest), signedPercentText(errors->p05), signedPercentText(errors->median),
                signedPercentText(errors->p95), signedPercentText(errors->largest),
                absoluteText(errors->absoluteMedian), absoluteText(errors->absoluteP95),
                absoluteText(errors->absoluteLargest)});
    };
    add("peak allocated", validation.allocatedErrors());
    add("peak reserved", validation.reservedErrors());
    add("step time", validation.stepErrors());
    return table;
}

std::string measuredOn(const ValidationDocument& validation)
{
    std::string text = validation.device;
    if (!validation.deviceTitle.empty())
        text += " (" + validation.deviceTitle + ")";
    if (const auto& worker = validation.environment.worker)
        text += ", LibTorch " + worker->torchVersion;
    return text + ", " + validation.date;
}

std::string drawText(const ValidationDocument& validation)
{
    return fmt::format("{}, drawn from seed {} of {}{}: measured on {}; predicted for {}. Errors are (predicted - "
                       "measured) / measured.",
        counted(std::ssize(validation.rows), "trial"), validation.seed, joined(validation.models),
        validation.filter.empty() ? "" : ", with " + validation.filter, measuredOn(validation), validation.against);
}

std::string quantilesRemark(const ValidationDocument& validation)
{
    std::vector<std::string> sentences;
    if (const auto correlation = validation.stepRankCorrelation())
        sentences.push_back("Rank correlation of the step times: " + fixed(*correlation, 3) + ".");
    else if (config::parseDevice(validation.device, "device").isRehearsed())
        sentences.push_back("Step times were not compared: those of " + validation.device + " are modelled, too.");
    else if (validation.jobs > 1)
        sentences.push_back("Step times were not compared, as several trials ran side by side.");
    else if (!validation.stepErrors())
        sentences.push_back("Step times were not compared: " + validation.against + " predicts none.");
    sentences.push_back(validation.hostDifferences() == 0
            ? "What techniques keep in host memory is the same in all."
            : "What techniques keep in host memory differs in " + counted(validation.hostDifferences(), "trial") + ".");
    if (validation.isInterrupted)
        sentences.push_back(fmt::format("Interrupted: {} were asked for.", counted(validation.asked, "trial")));
    return joined(sentences, " ");
}

const ValidationRow& rowOfCause(const ValidationDocument& validation, const PeakCause& cause)
{
    return *std::ranges::find(validation.rows, cause.trialId, &ValidationRow::trialId);
}

// The lines are indented, so that Markdown leaves them as they are.
std::string linesToMeasure(const ValidationDocument& validation)
{
    std::string text = "The lines that measure them, in this order:\n";
    for (const PeakCause& cause : validation.causes)
        text += "\n    " + rowOfCause(validation, cause).command;
    return text;
}

std::string withoutCausesText(const ValidationDocument& validation)
{
    const auto errors = validation.allocatedErrors();
    if (!errors)
        return "No trial could be compared.";
    return errors->absoluteLargest == 0 ? "Every peak of allocated memory is predicted to the byte."
                                        : "Their causes were not looked for.";
}

Section worstSection(const ValidationDocument& validation)
{
    if (validation.causes.empty())
        return {"Worst predictions", withoutCausesText(validation), {}, ""};
    Table table({{"trial"}, {"model"}, {"techniques"}, {"error of peak allocated", Alignment::Right}, {"cause"}});
    for (const PeakCause& cause : validation.causes) {
        const ValidationRow& row = rowOfCause(validation, cause);
        table.addRow(
            {shortTrialId(row.trialId), row.model, row.techniques, errorText(row.allocatedError()), cause.text});
    }
    return {"Worst predictions", "", std::move(table), linesToMeasure(validation)};
}

// Columns of figures that some trial has.
struct ShownFigures {
    bool reserved = false;
    bool stepTime = false;
};

ShownFigures shownFigures(const ValidationDocument& validation)
{
    ShownFigures shown;
    for (const ValidationRow& row : validation.rows) {
        shown.reserved = shown.reserved || row.measured.reserved || row.predicted.reserved;
        shown.stepTime = shown.stepTime || row.measured.stepSeconds || row.predicted.stepSeconds;
    }
    return shown;
}

std::string peakCell(const std::optional<Bytes>& bytes)
{
    return bytes ? exactSizeText(*bytes) : kUnknownCell;
}

std::string stepCell(const std::optional<double>& seconds)
{
    return seconds ? significant(*seconds * 1e3, kColumnDigits) : kUnknownCell;
}

// Why a side has no figures.
std::string endingOf(const char* side, const ValidatedFigures& figures)
{
    if (figures.outcome == Outcome::Completed)
        return {};
    return std::string(side) + " " + inWords(toText(figures.outcome))
        + (figures.reason.empty() ? "" : ": " + figures.reason);
}

std::vector<Column> trialColumns(const ShownFigures& shown)
{
    std::vector<Column> columns{{"trial"}, {"model"}, {"what a step does"}, {"techniques"},
        {"measured allocated", Alignment::Right}, {"predicted", Alignment::Right}, {"error", Alignment::Right}};
    if (shown.reserved)
        for (const char* title : {"measured reserved", "predicted reserved", "error of reserved"})
            columns.push_back({title, Alignment::Right});
    if (shown.stepTime)
        for (const char* title : {"measured step (ms)", "predicted step (ms)", "error of step"})
            columns.push_back({title, Alignment::Right});
    columns.push_back({"remark"});
    return columns;
}

std::vector<std::string> trialCells(const ValidationRow& row, const ShownFigures& shown)
{
    const ValidatedFigures& measured = row.measured;
    const ValidatedFigures& predicted = row.predicted;
    std::vector<std::string> cells{shortTrialId(row.trialId), row.model, row.task, row.techniques,
        peakCell(measured.allocated), peakCell(predicted.allocated), errorText(row.allocatedError())};
    if (shown.reserved)
        cells.insert(
            cells.end(), {peakCell(measured.reserved), peakCell(predicted.reserved), errorText(row.reservedError())});
    if (shown.stepTime)
        cells.insert(
            cells.end(), {stepCell(measured.stepSeconds), stepCell(predicted.stepSeconds), errorText(row.stepError())});
    cells.push_back(rowRemark(row));
    return cells;
}

Section trialsSection(const ValidationDocument& validation)
{
    const ShownFigures shown = shownFigures(validation);
    Table table(trialColumns(shown));
    for (const ValidationRow& row : validation.rows)
        table.addRow(trialCells(row, shown));
    return {"Trials", "", std::move(table), ""};
}

std::string errorsText(const char* figure, const std::optional<ErrorQuantiles>& errors)
{
    if (!errors)
        return {};
    const bool isHigh = errors->largest >= -errors->smallest;
    return fmt::format("{} 95 % within {}, largest error {}", figure, absoluteText(errors->absoluteP95),
        signedPercentText(isHigh ? errors->largest : errors->smallest));
}

} // namespace

std::string rowRemark(const ValidationRow& row)
{
    std::vector<std::string> remarks;
    for (const std::string& ending : {endingOf("measured:", row.measured), endingOf("predicted:", row.predicted)})
        if (!ending.empty())
            remarks.push_back(ending);
    if (row.allocatedError() && !row.hasSameHostMemory())
        remarks.push_back("host memory differs");
    if (!row.opsWithoutRule.empty())
        remarks.push_back("no rule for " + joined(row.opsWithoutRule));
    return joined(remarks, "; ");
}

Report validationReport(const ValidationDocument& validation)
{
    Report report;
    report.sections.push_back(
        {"Predictions for " + validation.against + " against measurements on " + validation.device,
            drawText(validation), quantilesTable(validation), quantilesRemark(validation)});
    report.sections.push_back(worstSection(validation));
    report.sections.push_back(trialsSection(validation));
    report.document = experiments::toJson(validation);
    report.records = report.document["rows"];
    return report;
}

std::string validationSentence(const ValidationDocument& validation)
{
    const std::int64_t rows = std::ssize(validation.rows);
    std::vector<std::string> figures;
    for (const std::string& text : {errorsText("allocated memory", validation.allocatedErrors()),
             errorsText("reserved memory", validation.reservedErrors()),
             errorsText("step time", validation.stepErrors())})
        if (!text.empty())
            figures.push_back(text);
    return fmt::format("{}{} compared{}{}", validation.isInterrupted ? "interrupted: " : "",
        countedOf(rows - validation.unanswered(), validation.asked, "trial"), figures.empty() ? "" : ": ",
        joined(figures, "; "));
}

} // namespace headroom::cli
