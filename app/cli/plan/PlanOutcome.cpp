// SPDX-License-Identifier: Apache-2.0
#include "app/cli/plan/PlanOutcome.h"

#include "app/cli/plan/TrainerOffers.h"
#include "core/base/Quantities.h"
#include "core/base/ShellWords.h"
#include "core/base/Wording.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/protocol/Json.h"
#include "core/protocol/TrialCodec.h"
#include "experiments/plan/PlanSentences.h"
#include "experiments/results/TrialRecordJson.h"
#include "experiments/spec/RunWords.h"
#include "experiments/sweep/SweepLabels.h"

#include <fmt/format.h>

#include <algorithm>

namespace headroom::cli {

using experiments::OrderedJson;
using experiments::PlannedChoice;
using experiments::PlannedTrial;
using PlanEnd = experiments::PlanFindings::End;

namespace {

std::string runLine(const config::Trial& trial)
{
    return experiments::shellCommand(experiments::runWords(trial));
}

Bytes needOf(const PlannedChoice& choice)
{
    return choice.verdict.neededBytes().value_or(0);
}

std::string slowerText(const PlanOutcome& outcome, const PlannedChoice& choice)
{
    const double slower = choice.figures.seconds / outcome.result.answer->figures.seconds - 1;
    return slower < kLeastShownChange ? "none" : percentText(slower / (1 + slower));
}

std::string roleOf(const PlanOutcome& outcome, const PlannedChoice& choice)
{
    std::vector<std::string> roles;
    if (choice.trial == outcome.result.answer->trial)
        roles.emplace_back("answer");
    if (outcome.result.leastMemory && choice.trial == outcome.result.leastMemory->trial)
        roles.emplace_back("least memory");
    return joined(roles);
}

Table frontTable(const PlanOutcome& outcome)
{
    Table table({{"change"}, {"needs", Alignment::Right}, {"free", Alignment::Right},
        {speedUnitName(SpeedUnit::Steps), Alignment::Right}, {"speed lost", Alignment::Right}, {"what it is"}});
    const auto add = [&](const PlannedChoice& choice) {
        table.addRow({experiments::changesText(choice.changes), sizeText(needOf(choice)),
            sizeText(outcome.result.usableBytes - needOf(choice)), significant(1 / choice.figures.seconds),
            slowerText(outcome, choice), roleOf(outcome, choice)});
    };
    for (const PlannedChoice& choice : outcome.result.front)
        add(choice);
    return table;
}

std::string leastMemoryText(const PlanOutcome& outcome)
{
    const auto& least = outcome.result.leastMemory;
    if (!least || least->trial == outcome.result.answer->trial)
        return fmt::format("Nothing that was predicted needs less at a speed within {}.",
            percentText(outcome.request.options.maxSlowdown));
    return fmt::format("Least memory within {} of its time: {}, needs {}, {} less speed.\n\n    {}",
        percentText(outcome.request.options.maxSlowdown), experiments::changesText(least->changes),
        sizeText(needOf(*least)), slowerText(outcome, *least), runLine(least->trial));
}

std::string reasonsText(const PlanOutcome& outcome)
{
    std::string text;
    for (const experiments::PlanReason& reason : outcome.result.reasons)
        text += (text.empty() ? "- " : "\n- ") + reason.text;
    return text;
}

std::string verificationLines(const PlanOutcome& outcome)
{
    std::string text;
    for (const VerifiedChoice& row : outcome.verification)
        text += (text.empty() ? "- " : "\n- ") + row.measured.label + ": " + row.text;
    return text.empty() ? "Nothing was run: no combination of the plan works there." : text;
}

// What was rehearsed was not measured.
std::string verificationTitle(const config::DeviceSpec& device)
{
    return (device.isRehearsed() ? "Rehearsed on " : "Measured on ") + device.notation();
}

// Less than that is beyond what predictions tell.
constexpr double kClosedGap = 0.01;

std::string furtherText(const PlanOutcome& outcome)
{
    const auto& gap = outcome.result.findings.provenGap;
    if (!outcome.result.answer || !gap || *gap <= kClosedGap)
        return {};
    return "\n\nThe search ended before everything was decided; more --simulations look further.";
}

// Few trainers can be told a policy for each block.
std::string withoutBudgetText(const PlanOutcome& outcome)
{
    const auto& plain = outcome.result.withoutBudget;
    if (!plain)
        return {};
    return fmt::format(
        "\n\nA budget gives each block a policy of its own. With one that trainers know: {}, {} less speed, "
        "needs {}.\n\n    {}",
        experiments::changesText(plain->changes), slowerText(outcome, *plain), sizeText(needOf(*plain)),
        runLine(plain->trial));
}

// Who means training may have said the card alone, and got what a run without flags is.
std::string hintOfTask(const config::Configuration& asked)
{
    const auto published = config::findModel(asked.model, "model.name").publishedDtype;
    if (asked.workload.step != config::StepKind::Inference || asked.workload.dtype == published)
        return {};
    return fmt::format(
        " (its weights are published as {0}: --dtype {0}; training: --trainable lora:16 or all)", toText(published));
}

Section answerSection(const PlanOutcome& outcome)
{
    Section section;
    section.before = planSentence(outcome);
    if (outcome.result.answer)
        section.before += "\n\n    " + runLine(outcome.result.answer->trial) + withoutBudgetText(outcome);
    if (const std::string& task = outcome.request.asked.task; !task.empty())
        section.before += "\n\nPlanned for: " + task + hintOfTask(outcome.request.asked.planned.trial.configuration);
    if (const std::string offers = offersText(outcome.request.trainer, outcome.result.notOffered); !offers.empty())
        section.before += "\n\n" + offers;
    section.before += furtherText(outcome);
    return section;
}

std::vector<Section> sectionsOf(const PlanOutcome& outcome)
{
    std::vector<Section> sections{answerSection(outcome)};
    if (outcome.result.answer) {
        sections.push_back({"Memory against speed", "", frontTable(outcome), leastMemoryText(outcome)});
        if (!outcome.result.reasons.empty())
            sections.push_back({"Why not", reasonsText(outcome), {}, ""});
    }
    if (outcome.request.verifyOn)
        sections.push_back({verificationTitle(*outcome.request.verifyOn), verificationLines(outcome), {}, ""});
    sections.back().after = outcome.request.verifyOn ? "" : "Predicted, nothing was run.";
    return sections;
}

OrderedJson settingValue(const std::string& path, const std::string& value)
{
    return path.starts_with("techniques.") ? OrderedJson(value) : OrderedJson(std::stoll(value));
}

OrderedJson changesJsonOf(const PlannedChoice& choice)
{
    OrderedJson list = OrderedJson::array();
    for (const experiments::SettingChange& change : choice.changes)
        list.push_back({{"path", change.path}, {"before", settingValue(change.path, change.before)},
            {"after", settingValue(change.path, change.after)}});
    return list;
}

OrderedJson recordOf(const PlanOutcome& outcome, const std::optional<PlannedChoice>& choice)
{
    if (!choice)
        return nullptr;
    const auto record = outcome.records.find(protocol::trialId(choice->trial));
    return record == outcome.records.end() ? OrderedJson(nullptr) : experiments::toJson(record->second);
}

// What stands beside the records: how each comes out of the trial that was asked about.
OrderedJson choiceJson(const PlanOutcome& outcome, const PlannedChoice& choice)
{
    OrderedJson json;
    json["trial_id"] = protocol::trialId(choice.trial);
    json["changes"] = changesJsonOf(choice);
    json["needed_bytes"] = needOf(choice);
    json["free_bytes"] = outcome.result.usableBytes - needOf(choice);
    json["step_seconds"] = choice.figures.seconds;
    json["command"] = runLine(choice.trial);
    return json;
}

OrderedJson reasonsJson(const PlanOutcome& outcome)
{
    OrderedJson list = OrderedJson::array();
    for (const experiments::PlanReason& reason : outcome.result.reasons) {
        OrderedJson json = choiceJson(outcome, reason.neighbour);
        json["fits"] = reason.neighbour.verdict.kind == experiments::FitVerdict::Kind::Fits;
        json["text"] = reason.text;
        list.push_back(std::move(json));
    }
    return list;
}

OrderedJson verificationJson(const PlanOutcome& outcome)
{
    if (!outcome.request.verifyOn)
        return nullptr;
    OrderedJson list = OrderedJson::array();
    for (const VerifiedChoice& row : outcome.verification) {
        OrderedJson json{{"trial_id", row.trialId}, {"held", row.held}, {"text", row.text}};
        json["predicted_allocated_bytes"] = protocol::orNull(row.predictedBytes);
        json["measured_allocated_bytes"] = protocol::orNull(row.measuredBytes);
        json["predicted_step_seconds"] = protocol::orNull(row.predictedSeconds);
        json["measured_step_seconds"] = protocol::orNull(row.measuredSeconds);
        json["trial"] = experiments::toJson(row.measured);
        list.push_back(std::move(json));
    }
    return list;
}

OrderedJson documentOf(const PlanOutcome& outcome)
{
    const experiments::PlanFindings& findings = outcome.result.findings;
    OrderedJson document{{"schema", "headroom.plan/1"}, {"experiment", outcome.request.asked.experiment},
        {"end", outcome.end()}, {"text", planSentence(outcome)},
        {"device", outcome.request.asked.planned.trial.device.notation()}, {"usable_bytes", outcome.result.usableBytes},
        {"context_bytes", outcome.result.contextBytes}};
    document["answer"] = recordOf(outcome, outcome.result.answer);
    document["least_memory"] = recordOf(outcome, outcome.result.leastMemory);
    document["without_budget"] =
        outcome.result.withoutBudget ? choiceJson(outcome, *outcome.result.withoutBudget) : OrderedJson(nullptr);
    document["front"] = OrderedJson::array();
    document["choices"] = OrderedJson::array();
    for (const PlannedChoice& choice : outcome.result.front) {
        document["front"].push_back(recordOf(outcome, choice));
        document["choices"].push_back(choiceJson(outcome, choice));
    }
    document["considered"] = findings.considered;
    document["combinations"] = findings.combinations;
    document["simulations"] = findings.predictions;
    document["proven_gap"] = protocol::orNull(findings.provenGap);
    document["order_violation"] = std::max(findings.memoryDisorder, findings.timeDisorder);
    document["command"] =
        outcome.result.answer ? OrderedJson(runLine(outcome.result.answer->trial)) : OrderedJson(nullptr);
    document["changes"] = outcome.result.answer ? changesJsonOf(*outcome.result.answer) : OrderedJson(nullptr);
    document["reasons"] = reasonsJson(outcome);
    document["failures"] = outcome.result.failures;
    document["for"] = outcome.request.trainer.empty() ? OrderedJson(nullptr) : OrderedJson(outcome.request.trainer);
    document["not_offered"] = outcome.result.notOffered;
    document["verification"] = verificationJson(outcome);
    return document;
}

PlannedTrial plannedTrial(const PlannedChoice& choice)
{
    return {
        choice.trial, protocol::trialId(choice.trial), protocol::configId(choice.trial.configuration), {}, {}, {}, {}};
}

} // namespace

std::string PlanOutcome::end() const
{
    const experiments::PlanFindings& findings = result.findings;
    if (findings.end == PlanEnd::Cancelled)
        return "cancelled";
    if (result.answer)
        return "found";
    if (findings.predicted.empty())
        return "failed";
    return findings.end == PlanEnd::Exhausted && result.failures.empty() ? "nothing_fits" : "out_of_effort";
}

int PlanOutcome::exitCode() const
{
    constexpr int kNothingFitsCode = 1;
    constexpr int kFailedCode = 3;
    constexpr int kUndecidedCode = 4;
    constexpr int kInterruptedCode = 130;
    const std::string ended = end();
    if (ended == "cancelled")
        return kInterruptedCode;
    if (ended != "found")
        return ended == "failed" ? kFailedCode : ended == "nothing_fits" ? kNothingFitsCode : kUndecidedCode;
    if (std::ranges::any_of(verification, [](const VerifiedChoice& row) { return !row.measured.hasCompleted(); }))
        return kFailedCode;
    return std::ranges::all_of(verification, &VerifiedChoice::held) ? 0 : kUndecidedCode;
}

std::vector<PlannedTrial> recordedTrials(const PlanOutcome& outcome)
{
    std::vector<PlannedTrial> trials;
    const auto add = [&](const PlannedChoice& choice) {
        PlannedTrial planned = plannedTrial(choice);
        if (std::ranges::find(trials, planned.trialId, &PlannedTrial::trialId) == trials.end())
            trials.push_back(std::move(planned));
    };
    for (const auto& choice : {outcome.result.answer, outcome.result.leastMemory})
        if (choice)
            add(*choice);
    for (const PlannedChoice& choice : outcome.result.front)
        add(choice);
    experiments::labelTrials(trials);
    return trials;
}

std::string planSentence(const PlanOutcome& outcome)
{
    std::string text = experiments::sentenceFor(outcome.result);
    if (outcome.result.answer)
        text += "\nPredicted for " + outcome.request.asked.planned.trial.device.notation() + ": "
            + experiments::certaintyText(outcome.result.findings) + ".";
    return text;
}

Report planOutcomeReport(const PlanOutcome& outcome)
{
    Report report;
    report.document = documentOf(outcome);
    report.records = report.document["choices"];
    report.sections = sectionsOf(outcome);
    return report;
}

} // namespace headroom::cli
