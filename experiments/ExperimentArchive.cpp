// SPDX-License-Identifier: Apache-2.0
#include "experiments/ExperimentArchive.h"

#include "core/config/Error.h"
#include "core/config/Installation.h"
#include "core/protocol/TrialCodec.h"
#include "experiments/ByteFormat.h"
#include "experiments/TrialQueue.h"
#include "profiling/store/StoreErrors.h"

#include <algorithm>

namespace headroom::experiments {
namespace {

using protocol::RepeatResult;

// An import of a long trace, or a workspace that is compacted, takes its time.
constexpr std::chrono::minutes kPatienceWithOthers{2};

store::Timestamp now()
{
    return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

std::optional<std::string> unlessEmpty(const std::string& text)
{
    return text.empty() ? std::nullopt : std::optional(text);
}

store::TrialRow trialRow(const PlannedTrial& planned, std::size_t ordinal)
{
    const config::DeviceSpec& device = planned.trial.device;
    store::TrialRow row;
    row.ordinal = static_cast<std::int64_t>(ordinal);
    row.trialId = planned.trialId;
    row.configId = planned.configId;
    row.label = planned.label;
    row.device = device.name();
    row.runtime = unlessEmpty(device.runtime);
    row.predicted = device.isSimulated();
    row.requestJson = protocol::toJson(planned.trial).dump();
    row.expectedRepeats = std::max(1, repeatsNeeded(planned));
    return row;
}

store::RepeatImport importOf(const RepeatEntry& entry)
{
    const RepeatResult& result = entry.result;
    store::RepeatImport import;
    import.retry = store::Retry::Failures;
    import.repeat.repeatIndex = entry.repeat;
    import.repeat.outcome = store::outcomeFromText(protocol::toText(result.outcome));
    import.repeat.reason = unlessEmpty(result.reason);
    import.repeat.phase = unlessEmpty(result.phase);
    import.repeat.resultJson = protocol::toJson(result).dump();
    import.repeat.startedAt = entry.startedAt;
    import.repeat.finishedAt = now();
    import.repeat.peakAllocatedBytes = result.memory.peak.allocated;
    import.repeat.peakReservedBytes = result.memory.peak.reserved;
    for (std::size_t step = 0; step < result.stepSeconds.size(); ++step)
        import.samples.push_back({static_cast<std::int64_t>(step), result.stepSeconds[step]});
    for (const std::string& remark : result.diagnostics)
        import.diagnostics.push_back({.severity = store::Severity::Warning, .kind = "worker", .message = remark});
    return import;
}

RepeatResult resultOf(const store::RepeatRow& row, const std::filesystem::path& workspace)
{
    const auto refuse = [&](const std::exception& error) {
        return FileError("result of repeat " + std::to_string(row.id) + " cannot be read: " + error.what(),
            workspace.string(), "a run without --resume");
    };
    try {
        return protocol::repeatResultFromJson(protocol::Json::parse(row.resultJson.value_or("")));
    } catch (const protocol::Json::exception& error) {
        throw refuse(error);
    } catch (const TrialError& error) {
        throw refuse(error);
    }
}

} // namespace

ExperimentArchive::ExperimentArchive(
    const std::filesystem::path& workspace, std::optional<Bytes> traceLimit, WorkspaceUse use)
    : m_workspace(store::Workspace::open(workspace,
          use == WorkspaceUse::MakeWhereMissing ? store::Access::Create : store::Access::ReadWrite,
          {.traceLimit = traceLimit}))
{
}

void ExperimentArchive::waitForOthers()
{
    m_workspace.setBusyTimeout(kPatienceWithOthers);
}

void ExperimentArchive::begin(
    const ExperimentSpec& spec, std::span<const PlannedTrial> trials, RunMode mode, const std::string& commandLine)
{
    m_finished.assign(trials.size(), {});
    if (mode == RunMode::Resume && resume(spec.name, trials))
        return;
    m_experiment = m_workspace.addExperiment({.name = spec.name,
        .createdAt = now(),
        .specToml = spec.toml,
        .specJson = spec.canonicalJson(),
        .commandLine = commandLine,
        .headroomVersion = config::version()});
    addTrials(trials);
}

void ExperimentArchive::addTrials(std::span<const PlannedTrial> trials)
{
    std::vector<store::TrialRow> rows;
    for (std::size_t i = 0; i < trials.size(); ++i)
        rows.push_back(trialRow(trials[i], i));
    m_trials = m_workspace.addTrials(m_experiment, rows);
}

bool ExperimentArchive::resume(const std::string& name, std::span<const PlannedTrial> trials)
{
    for (const store::ExperimentRow& experiment : m_workspace.experiments())
        if (experiment.name == name && adopt(experiment.id, trials)) {
            m_workspace.reopenExperiment(m_experiment);
            readFinished();
            return true;
        }
    return false;
}

bool ExperimentArchive::adopt(std::int64_t experiment, std::span<const PlannedTrial> trials)
{
    std::map<std::string, std::int64_t> rows;
    for (const store::TrialRow& row : m_workspace.trials(experiment))
        rows.emplace(row.trialId, row.id);
    if (trials.empty())
        return false;
    m_isPart = trials.size() < rows.size();
    m_trials.clear();
    for (const PlannedTrial& planned : trials) {
        const auto found = rows.find(planned.trialId);
        if (found == rows.end())
            return false;
        m_trials.push_back(found->second);
    }
    m_experiment = experiment;
    return true;
}

void ExperimentArchive::readFinished()
{
    for (std::size_t i = 0; i < m_trials.size(); ++i)
        for (const store::RepeatRow& row : m_workspace.repeats(m_trials[i]))
            if (row.outcome == store::Outcome::Completed || row.outcome == store::Outcome::OutOfMemory)
                m_finished[i].emplace(row.repeatIndex, resultOf(row, m_workspace.path()));
}

void ExperimentArchive::setRunning(std::size_t trial)
{
    m_workspace.setTrialStatus(m_trials.at(trial), store::TrialStatus::Running);
}

void ExperimentArchive::setPlanned(std::size_t trial)
{
    m_workspace.setTrialStatus(m_trials.at(trial), store::TrialStatus::Planned);
}

std::string ExperimentArchive::add(const RepeatEntry& entry)
{
    try {
        return keep(entry);
    } catch (const FileError&) {
        discardSpool(entry.spool);
        throw;
    }
}

std::string ExperimentArchive::keep(const RepeatEntry& entry)
{
    store::RepeatImport import = importOf(entry);
    import.repeat.trial = m_trials.at(entry.trial);
    import.repeat.environment = environmentId(entry.environmentJson);
    if (!entry.spool.empty() && std::filesystem::exists(entry.spool))
        import.spool = entry.spool;
    std::string problem;
    const store::ImportResult imported = takeIn(import, problem);
    if (!import.spool)
        return problem;
    const std::string damage = spoolDamage(imported.repeat);
    if (!damage.empty())
        return "trace kept as " + entry.spool.string() + ": " + damage;
    discardSpool(entry.spool);
    return imported.dropped.repeats == 0 ? "" : dropRemark(imported.dropped);
}

// It changes once, when the first worker says what it is: no question to the database for each repeat.
std::int64_t ExperimentArchive::environmentId(const std::string& json)
{
    if (m_environment.first != json)
        m_environment = {json, m_workspace.addEnvironment(json)};
    return m_environment.second;
}

// A full disk costs the trace, and the result only where that does not fit either. A workspace that is damaged or gone
// is not put right by a smaller import.
store::ImportResult ExperimentArchive::takeIn(store::RepeatImport& import, std::string& problem)
{
    try {
        return m_workspace.importRepeat(import);
    } catch (const store::DamagedFileError&) {
        throw;
    } catch (const store::DisplacedFileError&) {
        throw;
    } catch (const FileError& error) {
        if (!import.spool)
            throw;
        problem = std::string("the trace is not kept: ") + error.what();
    }
    discardSpool(*import.spool); // which may be the room that the figures need
    import.spool.reset();
    import.diagnostics.push_back({.severity = store::Severity::Warning, .kind = "trace_not_kept", .message = problem});
    return m_workspace.importRepeat(import);
}

std::string ExperimentArchive::dropRemark(const store::DroppedTraces& dropped)
{
    return std::to_string(dropped.repeats) + (dropped.repeats == 1 ? " trace" : " traces") + " ("
        + readable(dropped.bytes) + ") dropped to keep to the limit of what traces may take";
}

// The store notes as errors what it could not take in of a spool.
std::string ExperimentArchive::spoolDamage(std::int64_t repeat)
{
    for (const store::DiagnosticRow& row : m_workspace.repeatDiagnostics(repeat))
        if (row.severity == store::Severity::Error)
            return row.message;
    return {};
}

void ExperimentArchive::addRemark(const std::string& text)
{
    m_workspace.addDiagnostic(
        {.experiment = m_experiment, .severity = store::Severity::Warning, .kind = "run", .message = text});
}

void ExperimentArchive::end(const std::string& summaryJson, const std::string& environmentJson)
{
    if (m_isPart)
        return;
    m_workspace.finishExperiment(m_experiment, {now(), summaryJson, environmentId(environmentJson)});
}

void ExperimentArchive::discardSpool(const std::filesystem::path& spool)
{
    std::error_code ignored; // a file that stays is no harm: its name is not used again before it is removed
    for (const char* suffix : {"", "-wal", "-shm", "-journal"})
        if (!spool.empty())
            std::filesystem::remove(spool.string() + suffix, ignored);
}

std::filesystem::path ExperimentArchive::spoolPath(std::size_t trial, int repeat) const
{
    const std::filesystem::path path = m_workspace.path().string() + "." + std::to_string(m_trials.at(trial)) + "-"
        + std::to_string(repeat) + ".spool";
    discardSpool(path); // of a run that was killed
    return path;
}

} // namespace headroom::experiments
