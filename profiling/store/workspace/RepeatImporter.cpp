// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/workspace/RepeatImporter.h"

#include "profiling/store/Query.h"
#include "profiling/store/StoreErrors.h"
#include "profiling/store/traces/RecordIndex.h"
#include "profiling/store/traces/RecordWriter.h"
#include "profiling/store/traces/TrackWriter.h"
#include "profiling/store/workspace/SpoolImporter.h"
#include "profiling/store/workspace/TraceRetention.h"

#include <fmt/format.h>

namespace headroom::store {
namespace {

constexpr auto kInsertRepeat =
    "INSERT INTO repeats (trial, repeat_index, outcome, reason, phase, result_json, started_at_ms, finished_at_ms, "
    "peak_allocated_bytes, peak_reserved_bytes, environment) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
constexpr auto kInsertPhase =
    "INSERT INTO phases (repeat, ordinal, name, step, begin_ns, end_ns) VALUES (?, ?, ?, ?, ?, ?)";
constexpr auto kInsertDiagnostic =
    "INSERT INTO diagnostics (experiment, trial, repeat, severity, kind, message, count) "
    "VALUES (?, ?, ?, ?, ?, ?, ?)";
constexpr auto kUpdateTrial =
    "UPDATE trials SET status = CASE WHEN (SELECT count(*) FROM repeats WHERE trial = trials.id "
    "AND outcome <> 'cancelled') >= expected_repeats THEN 'done' ELSE 'running' END WHERE id = ?";

std::optional<std::int64_t> milliseconds(const std::optional<Timestamp>& time)
{
    return time ? std::optional<std::int64_t>(time->time_since_epoch().count()) : std::nullopt;
}

} // namespace

ImportResult RepeatImporter::import(const RepeatImport& source)
{
    ImportResult result;
    const auto earlier = findEarlier(source.repeat);
    if (earlier && isFinished(earlier->outcome, source.retry)) {
        result.repeat = earlier->id;
        result.status = ImportStatus::KeptFinished;
        return result;
    }
    if (earlier)
        Query(m_file, "DELETE FROM repeats WHERE id = ?", earlier->id).run();
    result.repeat = insertRepeat(source.repeat);
    insertSamples(result.repeat, source.samples);
    insertPhases(result.repeat, source.phases, 0);
    insertDiagnostics(source, result.repeat, source.diagnostics);
    insertTrace(result, source);
    updateTrial(source.repeat.trial);
    return result;
}

std::optional<RepeatImporter::Earlier> RepeatImporter::findEarlier(const RepeatRow& row)
{
    Query trial(m_file, "SELECT experiment FROM trials WHERE id = ?", row.trial);
    if (!trial.step())
        throw UnusableFileError(
            fmt::format("there is no trial {} to import a repeat into", row.trial), m_file.path().string());
    m_experiment = trial.integer(0);
    Query query(
        m_file, "SELECT id, outcome FROM repeats WHERE trial = ? AND repeat_index = ?", row.trial, row.repeatIndex);
    if (!query.step())
        return std::nullopt;
    return Earlier{query.integer(0), outcomeFromText(query.text(1))};
}

std::int64_t RepeatImporter::insertRepeat(const RepeatRow& row)
{
    Query(m_file, kInsertRepeat, row.trial, row.repeatIndex, toText(row.outcome), row.reason, row.phase, row.resultJson,
        milliseconds(row.startedAt), milliseconds(row.finishedAt), row.peakAllocatedBytes, row.peakReservedBytes,
        row.environment)
        .run();
    return m_file.database().getLastInsertRowid();
}

void RepeatImporter::insertSamples(std::int64_t repeat, const std::vector<SampleRow>& samples)
{
    for (const SampleRow& sample : samples)
        Query(
            m_file, "INSERT INTO samples (repeat, step, seconds) VALUES (?, ?, ?)", repeat, sample.step, sample.seconds)
            .run();
}

void RepeatImporter::insertPhases(
    std::int64_t repeat, const std::vector<trace::PhaseSpan>& phases, std::int64_t ordinal)
{
    for (const trace::PhaseSpan& span : phases)
        Query(m_file, kInsertPhase, repeat, ordinal++, span.name, span.step, span.beginNs, span.endNs).run();
}

void RepeatImporter::insertDiagnostics(
    const RepeatImport& source, std::int64_t repeat, const std::vector<DiagnosticRow>& rows)
{
    for (DiagnosticRow row : rows) {
        row.experiment = m_experiment;
        row.trial = source.repeat.trial;
        row.repeat = repeat;
        insertDiagnostic(m_file, row);
    }
}

void RepeatImporter::insertTrace(ImportResult& result, const RepeatImport& source)
{
    TraceRetention retention(m_file);
    const Bytes before = retention.usedBytes();
    insertRecords(result.repeat, source);
    insertTracks(result, source);
    const bool hasRecords = insertSpool(result, source) || source.records != trace::DeviceRecords{};
    if (hasRecords)
        indexRecords(m_file, result.repeat);
    if (result.blocks > 0 || hasRecords)
        retention.setBytes(result.repeat, retention.usedBytes() - before);
}

void RepeatImporter::insertRecords(std::int64_t repeat, const RepeatImport& source)
{
    RecordWriter writer(m_file, repeat);
    for (trace::OwnerId id = 1; id < source.owners.size(); ++id)
        writer.addOwner(id, source.owners[id]);
    writer.add(source.records);
}

void RepeatImporter::insertTracks(ImportResult& result, const RepeatImport& source)
{
    const trace::OwnerCategories owners(source.owners);
    for (const EventTrack& track : source.tracks) {
        TrackWriter writer(m_file, result.repeat, track.name, track.before, owners);
        writer.append(track.events);
        writer.finish();
        result.blocks += writer.blocks();
    }
}

bool RepeatImporter::insertSpool(ImportResult& result, const RepeatImport& source)
{
    if (!source.spool)
        return false;
    SpoolImporter spool(m_file, result.repeat);
    spool.import(*source.spool);
    insertPhases(result.repeat, spool.phases(), static_cast<std::int64_t>(source.phases.size()));
    insertDiagnostics(source, result.repeat, spool.diagnostics());
    result.blocks += spool.blocks();
    result.malformedBlocks = spool.malformedBlocks();
    return spool.records() > 0;
}

void RepeatImporter::updateTrial(std::int64_t trial)
{
    Query(m_file, kUpdateTrial, trial).run();
}

std::int64_t insertDiagnostic(SqliteFile& file, const DiagnosticRow& row)
{
    Query(file, kInsertDiagnostic, row.experiment, row.trial, row.repeat, toText(row.severity), row.kind, row.message,
        row.count)
        .run();
    return file.database().getLastInsertRowid();
}

} // namespace headroom::store
