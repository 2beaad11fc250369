// SPDX-License-Identifier: Apache-2.0
#include "experiments/archive/ExperimentArchive.h"

#include "core/base/Error.h"
#include "core/base/Quantities.h"
#include "core/base/ShellWords.h"
#include "core/base/Wording.h"
#include "core/config/Installation.h"
#include "experiments/archive/ArchiveRows.h"
#include "experiments/archive/StoredResults.h"
#include "experiments/sweep/TrialQueue.h"
#include "profiling/store/StoreErrors.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

namespace headroom::experiments {
namespace {

// An import of a long trace, or a workspace that is compacted, takes its time.
constexpr std::chrono::minutes kPatienceWithOthers{2};

// SQLite looks through it in less than a tenth of a second.
constexpr std::uintmax_t kSmallWorkspaceBytes = 64 * kMiB;

std::uintmax_t bytesOf(const std::filesystem::path& file)
{
    std::error_code gone;
    const auto bytes = std::filesystem::file_size(file, gone);
    return gone ? 0 : bytes;
}

std::size_t hashOfResult(const std::optional<std::string>& json)
{
    return std::hash<std::string>{}(json.value_or(""));
}

// A trial that somebody has deleted meanwhile is missed by nobody.
bool isStored(store::Workspace& workspace, std::int64_t trial, const std::map<int, std::size_t>& hashes)
{
    std::map<int, std::size_t> found;
    for (const store::RepeatRow& row : workspace.repeats(trial))
        found.emplace(row.repeatIndex, hashOfResult(row.resultJson));
    return std::ranges::includes(found, hashes) || !workspace.findTrial(trial);
}

store::Timestamp now()
{
    return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
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

void ExperimentArchive::begin(const ExperimentSpec& spec, std::span<const PlannedTrial> trials, RunMode mode,
    const std::string& commandLine, const TakeFinished& take)
{
    removeLeftFiles(m_workspace.path());
    m_begun = now();
    m_bytesAtBegin = bytesOf(m_workspace.path());
    const std::string command = shownCommand(commandLine);
    if (mode != RunMode::Resume || !resume(spec.name, trials, command, take))
        addNew(spec, trials, command);
    m_spools.emplace(m_workspace.path(), m_experiment, ::getpid(), m_begun.time_since_epoch().count());
}

// Claimed before others can see it.
void ExperimentArchive::addNew(
    const ExperimentSpec& spec, std::span<const PlannedTrial> trials, const std::string& commandLine)
{
    store::Workspace::Batch batch(m_workspace);
    m_experiment = m_workspace.addExperiment({.name = spec.name,
        .createdAt = m_begun,
        .specToml = spec.toml,
        .specJson = spec.canonicalJson(),
        .commandLine = commandLine,
        .headroomVersion = config::version()});
    claim(spec.name, commandLine);
    addTrials(trials);
    batch.commit();
}

void ExperimentArchive::addTrials(std::span<const PlannedTrial> trials)
{
    std::vector<store::TrialRow> rows;
    for (std::size_t i = 0; i < trials.size(); ++i)
        rows.push_back(trialRow(trials[i], i));
    m_trials = m_workspace.addTrials(m_experiment, rows);
}

bool ExperimentArchive::resume(const std::string& name, std::span<const PlannedTrial> trials,
    const std::string& commandLine, const TakeFinished& take)
{
    for (const store::ExperimentRow& experiment : m_workspace.experiments()) {
        if (experiment.name != name || !adopt(experiment.id, trials))
            continue;
        claim(name, commandLine);
        if (isAnyLeft(trials, take))
            m_workspace.reopenExperiment(m_experiment);
        return true;
    }
    return false;
}

void ExperimentArchive::claim(const std::string& name, const std::string& commandLine)
{
    auto claim = RunClaim::take(m_workspace.path(), m_experiment, commandLine);
    if (!claim)
        throw FileError("experiment " + std::to_string(m_experiment) + " (" + name + ") is run at this moment"
                + toText(RunClaim::holder(m_workspace.path(), m_experiment)),
            m_workspace.path().string(), "--resume once that run has ended, or a run of its own without --resume");
    m_claim.emplace(std::move(*claim));
}

bool ExperimentArchive::adopt(std::int64_t experiment, std::span<const PlannedTrial> trials)
{
    std::map<std::string, std::int64_t> rows;
    m_workspace.eachTrial(experiment, [&](const store::TrialRow& row) { rows.emplace(row.trialId, row.id); });
    if (trials.empty())
        return false;
    std::vector<std::int64_t> ids;
    for (const PlannedTrial& planned : trials) {
        const auto found = rows.find(planned.trialId);
        if (found == rows.end())
            return false;
        ids.push_back(found->second);
    }
    m_trials = std::move(ids);
    m_isPart = trials.size() < rows.size();
    m_experiment = experiment;
    return true;
}

// Reads what is finished, and hands it over.
bool ExperimentArchive::isAnyLeft(std::span<const PlannedTrial> trials, const TakeFinished& take)
{
    bool isAny = false;
    for (std::size_t i = 0; i < trials.size(); ++i) {
        std::map<int, KeptRepeat> finished = readFinished(i);
        for (int repeat = 0; repeat < repeatsNeeded(trials[i]); ++repeat)
            isAny = isAny || !finished.contains(repeat);
        if (take && !finished.empty())
            take(i, std::move(finished));
    }
    return isAny;
}

std::map<int, KeptRepeat> ExperimentArchive::readFinished(std::size_t trial)
{
    std::map<int, KeptRepeat> finished;
    for (store::RepeatRow& row : m_workspace.repeats(m_trials[trial])) {
        StoredRepeat repeat = readRepeat(row);
        if (repeat.isDamaged()) {
            m_damaged.insert({trial, row.repeatIndex});
            m_damages.push_back(repeat.damage);
        } else if (row.outcome == Outcome::Completed || row.outcome == Outcome::OutOfMemory) {
            finished.emplace(row.repeatIndex, KeptRepeat(std::move(repeat.result), std::move(*row.resultJson)));
        }
    }
    return finished;
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
    store::RepeatImport import = importOf(entry.result, entry.repeat, entry.startedAt, now());
    import.repeat.resultJson = entry.kept != nullptr ? entry.kept->json() : KeptRepeat(entry.result).json();
    import.repeat.trial = m_trials.at(entry.trial);
    if (m_damaged.contains({entry.trial, entry.repeat}))
        import.retry = store::Retry::Everything;
    if (!entry.spool.empty() && std::filesystem::exists(entry.spool))
        import.spool = entry.spool;
    std::string problem;
    const store::ImportResult imported = takeIn(import, entry.environmentJson, problem);
    m_stored[entry.trial][entry.repeat] = hashOfResult(import.repeat.resultJson);
    if (!import.spool)
        return problem;
    if (const std::string damage = spoolDamage(imported.repeat); !damage.empty())
        return kept(entry, damage);
    discardSpool(entry.spool);
    return imported.dropped.repeats == 0 ? "" : dropRemark(imported.dropped);
}

// A worker that was killed before its first write leaves nothing to look at.
std::string ExperimentArchive::kept(const RepeatEntry& entry, const std::string& damage) const
{
    std::error_code ignored;
    if (std::filesystem::file_size(entry.spool, ignored) == 0) {
        discardSpool(entry.spool);
        return "the trace is lost: " + damage;
    }
    const std::filesystem::path path = keptSpoolPath(m_workspace.path(), spoolName(entry.trial, entry.repeat));
    keepSpool(entry.spool, path);
    return "trace kept as " + path.string() + ": " + damage;
}

// It changes once, when the first worker says what it is: no question to the database for each repeat.
std::int64_t ExperimentArchive::environmentId(const std::string& json)
{
    if (m_environment.first != json)
        m_environment = {json, m_workspace.addEnvironment(json)};
    return m_environment.second;
}

// A full disk costs the trace, and the result only where that does not fit either: the room of the spool is the
// result's. A workspace that is damaged or gone is not put right by a smaller import.
store::ImportResult ExperimentArchive::takeIn(
    store::RepeatImport& import, const std::string& environmentJson, std::string& problem)
{
    try {
        import.repeat.environment = environmentId(environmentJson);
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
    discardSpool(*import.spool);
    import.spool.reset();
    import.diagnostics.push_back({.severity = store::Severity::Warning, .kind = "trace_not_kept", .message = problem});
    import.repeat.environment = environmentId(environmentJson);
    return m_workspace.importRepeat(import);
}

std::string ExperimentArchive::dropRemark(const store::DroppedTraces& dropped)
{
    return counted(dropped.repeats, "trace") + " (" + sizeText(dropped.bytes)
        + ") dropped to keep to the limit of what traces may take";
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

void ExperimentArchive::end(const RunSummary& summary, const std::string& environmentJson, DeviceFit& deviceFit)
{
    keepEnd(summary, environmentJson, deviceFit);
    requireKept();
}

void ExperimentArchive::keepEnd(const RunSummary& summary, const std::string& environmentJson, DeviceFit& deviceFit)
{
    if (m_isPart && !isEndOfTheWhole())
        return;
    const RunSummary whole = m_isPart ? ofTheWhole(summary, deviceFit) : summary;
    m_workspace.finishExperiment(m_experiment, {now(), toJson(whole).dump(), environmentId(environmentJson)});
}

// A connection of its own has no pages in memory that the file lost. Random bytes may hit what is not of this run, and
// a file that was cut is shorter than it was.
void ExperimentArchive::requireKept() const
{
    auto workspace =
        store::Workspace::open(m_workspace.path(), store::Access::ReadOnly, {.busyTimeout = kPatienceWithOthers});
    const std::uintmax_t bytes = bytesOf(m_workspace.path());
    if (bytes <= kSmallWorkspaceBytes || bytes < m_bytesAtBegin)
        workspace.requireSound();
    for (const auto& [trial, hashes] : m_stored)
        if (!isStored(workspace, m_trials.at(trial), hashes))
            throw store::DamagedFileError("the workspace has lost what was stored in it", m_workspace.path().string(),
                "a file that no other program writes");
}

// One that has ended before and was not opened again has its own end.
bool ExperimentArchive::isEndOfTheWhole()
{
    if (const auto row = m_workspace.findExperiment(m_experiment); !row || row->finishedAt)
        return false;
    return std::ranges::all_of(m_workspace.trials(m_experiment),
        [](const store::TrialRow& trial) { return trial.status == store::TrialStatus::Done; });
}

RunSummary ExperimentArchive::ofTheWhole(const RunSummary& part, DeviceFit& deviceFit)
{
    const store::ExperimentRow row = m_workspace.findExperiment(m_experiment).value();
    StoredResults results(row.name, m_workspace.trialCount(row.id), deviceFit);
    readExperiment(m_workspace, row, [&](const StoredTrial& trial) { results.add(trial); });
    RunSummary whole = countedSummary(row.name, results.take());
    whole.interrupted = part.interrupted;
    whole.seconds = part.seconds;
    whole.budgets = part.budgets;
    return whole;
}

SpoolName ExperimentArchive::spoolName(std::size_t trial, int repeat) const
{
    return {m_experiment, m_trials.at(trial), repeat};
}

std::filesystem::path ExperimentArchive::spoolPath(std::size_t trial, int repeat) const
{
    // Of the repeat whose place this one takes.
    discardSpool(keptSpoolPath(m_workspace.path(), spoolName(trial, repeat)));
    const std::filesystem::path path = m_spools->spool(m_trials.at(trial), repeat);
    discardSpool(path); // of a repeat that this run has begun before
    return path;
}

} // namespace headroom::experiments
