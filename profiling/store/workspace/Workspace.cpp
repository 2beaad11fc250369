// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/workspace/Workspace.h"

#include "profiling/store/Query.h"
#include "profiling/store/StoreErrors.h"
#include "profiling/store/workspace/RepeatImporter.h"

namespace headroom::store {
namespace {

constexpr auto kInsertExperiment =
    "INSERT INTO experiments (name, created_at_ms, spec_toml, spec_json, command_line, headroom_version) "
    "VALUES (?, ?, ?, ?, ?, ?)";
constexpr auto kInsertTrial =
    "INSERT INTO trials (experiment, ordinal, trial_id, config_id, label, device, runtime, predicted, request_json, "
    "expected_repeats, status) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

// FNV-1a, 64 bits. It only narrows the search: the texts themselves are compared.
std::int64_t hashOf(const std::string& text)
{
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char letter : text)
        hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3U;
    return static_cast<std::int64_t>(hash);
}

} // namespace

Workspace Workspace::open(const std::filesystem::path& path, Access access, const WorkspaceOptions& options)
{
    return Workspace(
        std::make_unique<SqliteFile>(path, access, options.schema, options.busyTimeout), options.traceLimit);
}

Workspace::Workspace(std::unique_ptr<SqliteFile> file, std::optional<Bytes> traceLimit)
    : m_file(std::move(file))
    , m_traceLimit(traceLimit)
{
}

Workspace::Workspace(Workspace&&) noexcept = default;

void Workspace::setBusyTimeout(std::chrono::milliseconds timeout)
{
    m_file->setBusyTimeout(timeout);
}

Workspace::~Workspace() = default;

WriteTransaction Workspace::beginWrite()
{
    if (m_batch != nullptr)
        m_batch->begin();
    return WriteTransaction(*m_file);
}

std::int64_t Workspace::addExperiment(const ExperimentRow& row)
{
    WriteTransaction transaction = beginWrite();
    Query(*m_file, kInsertExperiment, row.name, std::int64_t{row.createdAt.time_since_epoch().count()}, row.specToml,
        row.specJson, row.commandLine, row.headroomVersion)
        .run();
    const std::int64_t id = m_file->database().getLastInsertRowid();
    transaction.commit();
    return id;
}

void Workspace::finishExperiment(std::int64_t experiment, const ExperimentEnd& end)
{
    WriteTransaction transaction = beginWrite();
    Query(*m_file, "UPDATE experiments SET finished_at_ms = ?, summary_json = ?, environment = ? WHERE id = ?",
        std::int64_t{end.finishedAt.time_since_epoch().count()}, end.summaryJson, end.environment, experiment)
        .run();
    transaction.commit();
}

void Workspace::reopenExperiment(std::int64_t experiment)
{
    WriteTransaction transaction = beginWrite();
    Query(*m_file, "UPDATE experiments SET finished_at_ms = NULL, summary_json = NULL, environment = NULL WHERE id = ?",
        experiment)
        .run();
    transaction.commit();
}

std::vector<std::int64_t> Workspace::addTrials(std::int64_t experiment, std::span<const TrialRow> rows)
{
    std::vector<std::int64_t> ids;
    WriteTransaction transaction = beginWrite();
    for (const TrialRow& row : rows) {
        Query(*m_file, kInsertTrial, experiment, row.ordinal, row.trialId, row.configId, row.label, row.device,
            row.runtime, row.predicted ? 1 : 0, row.requestJson, row.expectedRepeats, toText(row.status))
            .run();
        ids.push_back(m_file->database().getLastInsertRowid());
    }
    transaction.commit();
    return ids;
}

void Workspace::setTrialStatus(std::int64_t trial, TrialStatus status)
{
    WriteTransaction transaction = beginWrite();
    Query(*m_file, "UPDATE trials SET status = ? WHERE id = ?", toText(status), trial).run();
    transaction.commit();
}

std::int64_t Workspace::addEnvironment(const std::string& json)
{
    WriteTransaction transaction = beginWrite();
    Query known(*m_file, "SELECT id FROM environments WHERE hash = ? AND json = ?", hashOf(json), json);
    if (known.step())
        return known.integer(0);
    Query(*m_file, "INSERT INTO environments (hash, json) VALUES (?, ?)", hashOf(json), json).run();
    const std::int64_t id = m_file->database().getLastInsertRowid();
    transaction.commit();
    return id;
}

ImportResult Workspace::importRepeat(const RepeatImport& source)
{
    WriteTransaction transaction = beginWrite();
    ImportResult result = RepeatImporter(*m_file).import(source);
    if (m_traceLimit && result.status == ImportStatus::Imported)
        result.dropped = TraceRetention(*m_file).enforce(*m_traceLimit, result.repeat);
    transaction.commit();
    return result;
}

void Workspace::requireSound()
{
    Query check(*m_file, "PRAGMA quick_check(1)");
    const std::string found = check.step() ? check.text(0) : "no answer";
    if (found != "ok")
        throw DamagedFileError("the workspace is damaged: " + found, path().string(),
            "headroom workspace repair FILE saves what can be read");
}

std::int64_t Workspace::addDiagnostic(const DiagnosticRow& row)
{
    WriteTransaction transaction = beginWrite();
    const std::int64_t id = insertDiagnostic(*m_file, row);
    transaction.commit();
    return id;
}

Workspace::Batch::Batch(Workspace& workspace, std::chrono::milliseconds interval)
    : m_workspace(workspace)
    , m_interval(interval)
{
    m_workspace.m_batch = this;
}

Workspace::Batch::~Batch()
{
    m_workspace.m_batch = nullptr;
    if (m_workspace.m_file->inTransaction())
        m_workspace.m_file->database().tryExec("ROLLBACK");
}

void Workspace::Batch::begin()
{
    if (m_workspace.m_file->inTransaction())
        return;
    m_workspace.m_file->beginWriting();
    m_begun = std::chrono::steady_clock::now();
}

void Workspace::Batch::commit()
{
    if (!m_workspace.m_file->inTransaction())
        return;
    m_workspace.m_file->requireInPlace();
    m_workspace.m_file->execute("COMMIT");
}

void Workspace::Batch::commitIfDue()
{
    if (m_workspace.m_file->inTransaction() && std::chrono::steady_clock::now() - m_begun >= m_interval)
        commit();
}

} // namespace headroom::store
