// SPDX-License-Identifier: Apache-2.0
#include "app/cli/plan/FitReport.h"

#include "app/cli/plan/TrainerOffers.h"
#include "core/base/Quantities.h"
#include "core/base/ShellWords.h"
#include "core/protocol/Json.h"
#include "experiments/results/TrialRecordJson.h"
#include "experiments/spec/RunWords.h"

namespace headroom::cli {

using experiments::FitSearchResult;
using experiments::FittingChange;
using experiments::FitVerdict;
using experiments::OrderedJson;
using experiments::SettingChange;

namespace {

using FitEnd = FitSearchResult::End;

constexpr int kNothingFits = 1;
constexpr int kNotPredicted = 3;
constexpr int kNoAnswer = 4;
constexpr int kSearchInterrupted = 130;

std::string fitChangesText(const FittingChange& found)
{
    std::string text;
    for (const SettingChange& change : found.changes)
        text += (text.empty() ? "" : ", ") + experiments::shortText(change);
    return text;
}

std::string lineToRun(const FittingChange& found)
{
    return experiments::shellCommand(experiments::runWords(found.trial));
}

Bytes neededOf(const FitOutcome& outcome, const FittingChange& found)
{
    return found.peakBytes + outcome.prediction.verdict.contextBytes;
}

std::optional<double> lostBy(const FitOutcome& outcome, const FittingChange& found)
{
    return experiments::speedLost(found, outcome.prediction.trial, outcome.prediction.stepSeconds());
}

// The value as in a spec: notations are text, the batch is a number.
OrderedJson settingJson(const std::string& path, const std::string& value)
{
    return path.starts_with("techniques.") ? OrderedJson(value) : OrderedJson(std::stoll(value));
}

OrderedJson changesJson(const FittingChange& found)
{
    OrderedJson list = OrderedJson::array();
    for (const SettingChange& change : found.changes)
        list.push_back({{"path", change.path}, {"before", settingJson(change.path, change.before)},
            {"after", settingJson(change.path, change.after)}});
    return list;
}

OrderedJson foundJson(const FitOutcome& outcome, std::size_t index)
{
    const FittingChange& found = outcome.search->found[index];
    OrderedJson json;
    json["changes"] = changesJson(found);
    json["needed_bytes"] = neededOf(outcome, found);
    json["free_bytes"] = outcome.prediction.verdict.usableBytes - neededOf(outcome, found);
    json["host_pinned_bytes"] = found.hostPinnedBytes;
    json["host_pageable_bytes"] = found.hostPageableBytes;
    json["speed_lost"] = protocol::orNull(lostBy(outcome, found));
    json["command"] = lineToRun(found);
    json["trial"] = experiments::toJson(outcome.results[index]);
    return json;
}

Table changesTable(const FitOutcome& outcome)
{
    Table table({{"change"}, {"needs", Alignment::Right}, {"free", Alignment::Right},
        {speedUnitName(SpeedUnit::Steps), Alignment::Right}, {"speed lost", Alignment::Right}, {"host memory"}});
    for (const FittingChange& found : outcome.search->found) {
        const Bytes needed = neededOf(outcome, found);
        table.addRow(
            {fitChangesText(found), sizeText(needed), sizeText(outcome.prediction.verdict.usableBytes - needed),
                found.stepsPerSecond ? significant(*found.stepsPerSecond) : "",
                experiments::speedLostText(lostBy(outcome, found)), experiments::hostMemoryText(found)});
    }
    return table;
}

// The lines are indented, so that Markdown leaves them as they are.
std::string linesToRun(const FitOutcome& outcome)
{
    std::string text;
    for (const FittingChange& found : outcome.search->found)
        text += (text.empty() ? "    " : "\n    ") + lineToRun(found);
    return text;
}

Section changesSection(const FitOutcome& outcome)
{
    Section section{outcome.asked.experiment, fitSentence(outcome), {}, ""};
    if (!outcome.asked.task.empty())
        section.before += "\n\nAsked for: " + outcome.asked.task;
    if (!outcome.search || outcome.search->found.empty())
        return section;
    section.table = changesTable(outcome);
    section.after = "Predicted, nothing was run. The lines that run them, in this order:\n\n" + linesToRun(outcome);
    return section;
}

OrderedJson fitDocument(const FitOutcome& outcome)
{
    const FitVerdict& verdict = outcome.prediction.verdict;
    OrderedJson document{{"schema", "headroom.fit/1"}, {"experiment", outcome.asked.experiment}, {"end", outcome.end()},
        {"simulations", outcome.search ? outcome.search->simulations : 0},
        {"expected_simulations", outcome.search ? outcome.search->expectedSimulations : 0},
        {"device", outcome.asked.planned.trial.device.notation()}, {"usable_bytes", verdict.usableBytes},
        {"context_bytes", verdict.contextBytes}};
    document["for"] = outcome.asked.trainer.empty() ? OrderedJson(nullptr) : OrderedJson(outcome.asked.trainer);
    document["tried"] = outcome.search ? OrderedJson(outcome.search->tried) : OrderedJson::array();
    document["failures"] = outcome.search ? OrderedJson(outcome.search->failures) : OrderedJson::array();
    document["asked"] = experiments::toJson(outcome.result);
    document["found"] = OrderedJson::array();
    return document;
}

} // namespace

bool FitOutcome::fitsAlready() const
{
    return !search && prediction.verdict.kind == FitVerdict::Kind::Fits;
}

std::string FitOutcome::end() const
{
    if (fitsAlready())
        return "fits_already";
    if (!search)
        return wasStopped ? "cancelled" : "failed";
    switch (search->end) {
    case FitEnd::Found:
        return "found";
    case FitEnd::OutOfSimulations:
        return "out_of_simulations";
    case FitEnd::Cancelled:
        return "cancelled";
    case FitEnd::NothingFits:
        break;
    }
    return search->failures.empty() ? "nothing_fits" : "failed";
}

int FitOutcome::exitCode() const
{
    const std::string ended = end();
    if (ended == "cancelled")
        return kSearchInterrupted;
    if (ended == "failed")
        return kNotPredicted;
    if (ended == "nothing_fits")
        return kNothingFits;
    const bool isUndecided = ended == "out_of_simulations" && search->found.empty();
    return isUndecided ? kNoAnswer : 0;
}

std::string fitSentence(const FitOutcome& outcome)
{
    if (outcome.search)
        return sentenceFor(outcome.prediction.verdict) + ". " + sentenceFor(*outcome.search)
            + (outcome.asked.trainer.empty() ? "" : " " + offersText(outcome.asked.trainer, {}));
    if (outcome.fitsAlready())
        return sentenceFor(outcome.prediction.verdict) + ". It fits already, nothing has to change.";
    if (outcome.end() == "cancelled")
        return "Cancelled before the trial was predicted.";
    return "No prediction: " + outcome.prediction.result.reason;
}

Report fitReport(const FitOutcome& outcome)
{
    Report report;
    report.document = fitDocument(outcome);
    for (std::size_t i = 0; outcome.search && i < outcome.search->found.size(); ++i)
        report.document["found"].push_back(foundJson(outcome, i));
    report.records = report.document["found"];
    report.sections.push_back(changesSection(outcome));
    return report;
}

} // namespace headroom::cli
