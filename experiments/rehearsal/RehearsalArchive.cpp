// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/RehearsalArchive.h"

#include "core/base/Error.h"
#include "core/base/ShellWords.h"
#include "core/config/Installation.h"
#include "experiments/recordings/RecordedTrial.h"
#include "experiments/recordings/RecordingSpool.h"
#include "experiments/results/Environment.h"
#include "experiments/results/MergedRepeats.h"
#include "experiments/verdict/BudgetJudge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace headroom::experiments {
namespace {

namespace fs = std::filesystem;
using protocol::RepeatResult;

constexpr const char* kFormat = "rehearsal";

// All that the command's memory may depend on and that is known beforehand.
std::string contentOf(const PlannedRehearsal& planned)
{
    const RehearsalTerms& terms = planned.terms;
    std::string content = fmt::format(
        "{} steps={} cards={} assume={}", shellCommand(terms.command), terms.steps, terms.cards, terms.assume);
    if (!terms.ranks.empty())
        content += fmt::format(" nodes={} ranks={}", terms.nodes, fmt::join(terms.ranks, ","));
    return content;
}

PlannedTrial trialOf(const PlannedRehearsal& planned)
{
    return recordedTrial({nameOfCommand(planned.terms.command), contentOf(planned), kFormat,
        "rehearsal:" + planned.terms.device.name, planned.terms.allocator, planned.label, "--device"});
}

Outcome outcomeOf(RehearsalOutcome outcome)
{
    switch (outcome) {
    case RehearsalOutcome::Completed:
        return Outcome::Completed;
    case RehearsalOutcome::OutOfMemory:
        return Outcome::OutOfMemory;
    case RehearsalOutcome::TimedOut:
        return Outcome::TimedOut;
    default:
        return Outcome::Failed;
    }
}

protocol::MemoryFigures figuresOf(const RecordedPeak& peak, std::optional<Bytes> device)
{
    protocol::MemoryFigures figures;
    figures.allocated = peak.allocated;
    figures.reserved = peak.reserved;
    figures.device = device;
    return figures;
}

protocol::OutOfMemoryFacts factsOf(const RecordedShortage& shortage, const RecordedPeak& peak)
{
    protocol::OutOfMemoryFacts facts;
    facts.phase = peak.phase;
    facts.requestedBytes = shortage.requested;
    facts.freeBytes = shortage.free;
    return facts;
}

void addPeaks(RepeatResult& result, const RehearsedRow& row, const RehearsedRun& run)
{
    const ProcessRecords* const main = run.main();
    const RecordedPeak* const peak = main == nullptr ? nullptr : main->fullestPeak();
    if (peak == nullptr)
        return;
    result.memory.peak = result.memory.wholeRunPeak = figuresOf(*peak, run.mostTaken());
    result.memory.allocRetries = peak->retries;
    result.memory.notCounted = row.rank.notCounted;
}

RepeatResult resultOf(const RehearsedRow& row, const RehearsedRun& run)
{
    RepeatResult result;
    result.outcome = outcomeOf(row.rank.outcome);
    result.reason = row.rank.reason;
    addPeaks(result, row, run);
    if (row.rank.outcome == RehearsalOutcome::OutOfMemory && row.rank.outOfMemory) {
        result.outOfMemory = factsOf(*row.rank.outOfMemory, row.rank.peak);
        result.phase = row.rank.peak.phase;
    }
    if (row.rank.isSecondRun)
        result.need = protocol::UnlimitedNeed{figuresOf(row.rank.peak, row.rank.needed), {}};
    if (result.outcome != Outcome::Completed && result.outcome != Outcome::OutOfMemory && result.reason.empty())
        result.reason = toText(row.rank.outcome);
    return result;
}

std::vector<PlannedTrial> trialsOf(const std::vector<PlannedRehearsal>& planned)
{
    std::vector<PlannedTrial> trials;
    for (const PlannedRehearsal& one : planned)
        trials.push_back(trialOf(one));
    return trials;
}

bool isScript(const std::string& word)
{
    return word.ends_with(".py") || word.ends_with(".sh") || word.ends_with(".ipynb");
}

} // namespace

std::string nameOfCommand(const std::vector<std::string>& command)
{
    const auto script = std::ranges::find_if(command, isScript);
    return fs::path(script == command.end() ? command.front() : *script).filename().string();
}

RehearsalArchive::RehearsalArchive(
    const fs::path& workspace, const std::vector<PlannedRehearsal>& planned, const std::string& commandLine)
    : m_name(nameOfCommand(planned.at(0).terms.command))
    , m_environment(toJson(captureEnvironment()).dump())
    , m_archive(workspace)
    , m_deviceFit(config::resourceDirectory())
    , m_planned(trialsOf(planned))
    , m_results(planned.size())
{
    m_archive.begin(recordedSpec(m_name, {}), m_planned, RunMode::New, commandLine);
    m_archive.waitForOthers();
}

fs::path RehearsalArchive::spool(std::size_t index, const std::optional<RehearsedMemory>& memory) const
{
    if (!memory)
        return {};
    const fs::path path = m_archive.spoolPath(index, 0);
    writeSpool(memory->recording, memory->recording.devices.at(memory->device), path);
    return path;
}

void RehearsalArchive::add(std::size_t index, RehearsedRow& row, const RehearsedRun& run)
{
    std::optional<RehearsedMemory> memory;
    try {
        memory = memoryOf(run);
    } catch (const Error& error) {
        m_remarks.push_back(std::string("the memory history cannot be read: ") + error.what());
    }
    row.trialId = m_planned[index].trialId;
    if (memory)
        row.rank.held = heldAtPeak(*memory);
    const RepeatResult result = resultOf(row, run);
    const fs::path trace = spool(index, memory);
    const SpoolGuard guard(trace);
    const std::string remark = m_archive.add({.trial = index,
        .repeat = 0,
        .result = result,
        .startedAt = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()),
        .environmentJson = m_environment,
        .spool = trace});
    if (!remark.empty())
        m_remarks.push_back(remark);
    m_results[index] = trialResult(m_name, m_planned[index], {result},
        [this](const auto& trial, const auto& figures) { return m_deviceFit.fits(trial, figures); });
}

RunSummary RehearsalArchive::end(const std::vector<Budget>& budgets, double seconds, bool isInterrupted)
{
    RunSummary summary;
    summary.experiment = m_name;
    summary.trials = static_cast<std::int64_t>(m_planned.size());
    for (const auto& result : m_results)
        if (result)
            ++summary.outcomes[result->outcome];
    summary.notRun = std::ranges::count_if(m_results, [](const auto& result) { return !result; });
    summary.interrupted = isInterrupted;
    summary.seconds = seconds;
    summary.budgets = judge(budgets, m_planned, m_results);
    m_archive.end(summary, m_environment, m_deviceFit);
    return summary;
}

ResultsDocument RehearsalArchive::results() const
{
    ResultsDocument document;
    document.experiment = m_name;
    document.environment = OrderedJson::parse(m_environment);
    for (const auto& result : m_results)
        if (result)
            document.trials.push_back(*result);
    return document;
}

} // namespace headroom::experiments
