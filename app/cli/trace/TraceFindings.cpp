// SPDX-License-Identifier: Apache-2.0
#include "app/cli/trace/TraceFindings.h"

#include "core/base/Error.h"
#include "core/config/Installation.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/protocol/Json.h"
#include "core/protocol/TrialCodec.h"
#include "experiments/archive/StoredResults.h"
#include "experiments/verdict/DeviceFit.h"
#include "profiling/trace/peaks/MemoryTree.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace headroom::cli {

using experiments::OrderedJson;

namespace {

constexpr const char* kNoEffect = "no_effect";

// Turns errors in rows that are damaged or from another version into FileErrors.
template <typename Read> auto understood(const store::Workspace& workspace, const std::string& what, const Read& read)
{
    try {
        return read();
    } catch (const protocol::Json::exception& error) {
        throw FileError(what + " cannot be read: " + protocol::problemOf(error), workspace.path().string());
    } catch (const TrialError& error) {
        throw FileError(what + " cannot be read: " + error.what(), workspace.path().string());
    }
}

config::Trial storedTrial(const store::Workspace& workspace, const store::TrialRow& row)
{
    return understood(workspace, "trial " + row.trialId,
        [&] { return protocol::trialFromJson(protocol::Json::parse(row.requestJson)); });
}

// The driver's number for a device: 1 for "cuda:1".
std::uint32_t deviceIdOf(const std::string& device)
{
    std::uint32_t id = 0;
    if (const std::size_t colon = device.find(':'); device.starts_with("cuda") && colon != std::string::npos)
        std::from_chars(device.data() + colon + 1, device.data() + device.size(), id);
    return id;
}

std::vector<experiments::TechniqueAtPeak> techniquesOf(
    const config::Configuration& configuration, const report::TraceAnswer& answer)
{
    const trace::MemoryNode held = trace::memoryTree(answer.holdings, answer.owners, trace::Grouping::Technique);
    std::vector<experiments::TechniqueAtPeak> techniques;
    for (const config::TechniqueDescriptor& descriptor : config::techniqueCatalogue()) {
        const auto setting = configuration.techniques.find(descriptor.key);
        if (setting == configuration.techniques.end() || setting->second.notation == descriptor.off)
            continue;
        experiments::TechniqueAtPeak technique{.key = descriptor.key, .notation = setting->second.notation};
        if (const trace::MemoryNode* node = held.child(descriptor.key))
            technique.heldBytes = node->bytes();
        if (const auto region = answer.regions.find(descriptor.key); region != answer.regions.end())
            technique.region = region->second;
        if (technique.region.ownHighest)
            technique.belowPeakBytes = answer.peak.bytes - technique.region.ownHighest->bytes;
        techniques.push_back(std::move(technique));
    }
    return techniques;
}

// Why the sweep flags the trial as no_effect; this can be found only from the whole sweep.
std::optional<std::string> noEffectOf(store::Workspace& workspace, const TraceSubject& subject)
{
    experiments::DeviceFit deviceFit(config::resourceDirectory());
    const auto results = experiments::readResults(workspace, subject.experiment, deviceFit);
    for (const experiments::TrialResult& trial : results.trials)
        if (trial.trialId == subject.trial.trialId)
            for (const experiments::TrialFlag& flag : trial.flags)
                if (flag.name == kNoEffect)
                    return flag.reason;
    return std::nullopt;
}

ComparedTrial comparedTrial(store::Workspace& workspace, const TraceShowQuestion& question)
{
    const auto choices = chooseTrial(workspace, {question.against, question.experiment, "--against"});
    if (const auto subject = tracedOf(workspace, choices)) {
        const auto answer = report::readTraceAnswer(workspace, subject->traced, {});
        return {subject->trial, report::profileOf(answer), true};
    }
    for (const TrialChoice& choice : choices)
        for (const store::RepeatRow& repeat : workspace.repeats(choice.trial.id))
            if (const auto read = experiments::readRepeat(repeat); read.result.breakdown)
                return {choice.trial, experiments::profileOf(*read.result.breakdown), false};
    throw UsageError(choices.front().trial.label
            + " has neither a trace nor a breakdown of its peak: run it again with --trace (headroom run ... --trace)",
        "--against");
}

} // namespace

bool TraceFindings::isLowerBound() const
{
    return (answer.witnesses && answer.witnesses->isCaptureLate)
        || std::ranges::any_of(
            diagnostics, [](const store::DiagnosticRow& row) { return store::isLossOfTrace(row.kind); });
}

trace::MemoryNode treeOf(const TraceFindings& findings, trace::Grouping grouping)
{
    if (findings.blockTree)
        return *findings.blockTree;
    return trace::memoryTree(findings.answer.holdings, findings.answer.owners, grouping);
}

TraceFindings findInTrace(store::Workspace& workspace, const TraceShowQuestion& question)
{
    if (!question.against.empty() && question.timeNs)
        throw UsageError("trials are compared at their peaks", "--against", "--at peak");
    TraceSubject subject = chooseTrace(workspace, {question.trial, question.experiment, "TRIAL"});
    config::Trial trial = storedTrial(workspace, subject.trial);
    const experiments::StoredRepeat repeat = experiments::readRepeat(subject.repeat);
    report::TraceAnswer answer =
        report::readTraceAnswer(workspace, subject.traced, {question.timeNs, deviceIdOf(subject.trial.device)});
    auto techniques = techniquesOf(trial.configuration, answer);
    TraceFindings findings{
        std::move(subject), std::move(trial), repeat.result, {}, std::move(answer), std::move(techniques), {}, {}};
    findings.diagnostics = workspace.repeatDiagnostics(findings.subject.repeat.id);
    if (repeat.isDamaged())
        findings.diagnostics.push_back(
            {.repeat = repeat.id, .severity = store::Severity::Error, .kind = "damaged_row", .message = repeat.damage});
    if (report::isOfBlocks(question.grouping))
        findings.blockTree =
            report::readBlockTree(workspace, findings.subject.traced, findings.answer, question.grouping);
    findings.noEffect = noEffectOf(workspace, findings.subject);
    if (!question.against.empty())
        findings.against = comparedTrial(workspace, question);
    return findings;
}

} // namespace headroom::cli
