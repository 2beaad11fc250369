// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/Query.h"
#include "profiling/store/workspace/Workspace.h"

// The reading half of Workspace.
namespace headroom::store {
namespace {

const std::string kSelectExperiment =
    "SELECT id, name, created_at_ms, spec_toml, spec_json, command_line, headroom_version, finished_at_ms, "
    "summary_json, environment FROM experiments ";
const std::string kSelectTrial = "SELECT id, experiment, ordinal, trial_id, config_id, label, device, runtime, "
                                 "predicted, request_json, expected_repeats, status FROM trials ";
const std::string kSelectRepeat =
    "SELECT id, trial, repeat_index, outcome, reason, phase, result_json, started_at_ms, finished_at_ms, "
    "peak_allocated_bytes, peak_reserved_bytes, environment FROM repeats ";
const std::string kSelectDiagnostic =
    "SELECT id, experiment, trial, repeat, severity, kind, message, count FROM diagnostics ";

Timestamp timestamp(std::int64_t sinceEpochMs)
{
    return Timestamp(std::chrono::milliseconds(sinceEpochMs));
}

std::optional<Timestamp> optionalTimestamp(const Query& query, int column)
{
    const auto value = query.optionalInteger(column);
    return value ? std::optional(timestamp(*value)) : std::nullopt;
}

ExperimentRow experimentRow(const Query& query)
{
    return {.id = query.integer(0),
        .name = query.text(1),
        .createdAt = timestamp(query.integer(2)),
        .specToml = query.text(3),
        .specJson = query.text(4),
        .commandLine = query.text(5),
        .headroomVersion = query.text(6),
        .finishedAt = optionalTimestamp(query, 7),
        .summaryJson = query.optionalText(8),
        .environment = query.optionalInteger(9)};
}

TrialRow trialRow(const Query& query)
{
    return {.id = query.integer(0),
        .experiment = query.integer(1),
        .ordinal = query.integer(2),
        .trialId = query.text(3),
        .configId = query.text(4),
        .label = query.text(5),
        .device = query.text(6),
        .runtime = query.optionalText(7),
        .predicted = query.integer(8) == 1,
        .requestJson = query.text(9),
        .expectedRepeats = static_cast<int>(query.integer(10)),
        .status = trialStatusFromText(query.text(11))};
}

RepeatRow repeatRow(const Query& query)
{
    return {.id = query.integer(0),
        .trial = query.integer(1),
        .repeatIndex = static_cast<int>(query.integer(2)),
        .outcome = outcomeFromText(query.text(3)),
        .reason = query.optionalText(4),
        .phase = query.optionalText(5),
        .resultJson = query.optionalText(6),
        .startedAt = optionalTimestamp(query, 7),
        .finishedAt = optionalTimestamp(query, 8),
        .peakAllocatedBytes = query.optionalInteger(9),
        .peakReservedBytes = query.optionalInteger(10),
        .environment = query.optionalInteger(11)};
}

DiagnosticRow diagnosticRow(const Query& query)
{
    return {.id = query.integer(0),
        .experiment = query.optionalInteger(1),
        .trial = query.optionalInteger(2),
        .repeat = query.optionalInteger(3),
        .severity = severityFromText(query.text(4)),
        .kind = query.text(5),
        .message = query.text(6),
        .count = query.integer(7)};
}

SampleRow sampleRow(const Query& query)
{
    return {query.integer(0), query.real(1)};
}

trace::PhaseSpan phaseSpan(const Query& query)
{
    return {query.text(0), query.integer(1), query.integer(2), query.integer(3)};
}

template <typename Row, typename... Parameters>
std::vector<Row> all(
    SqliteFile& file, Row (*read)(const Query&), const std::string& sql, const Parameters&... parameters)
{
    std::vector<Row> rows;
    Query query(file, sql.c_str(), parameters...);
    while (query.step())
        rows.push_back(read(query));
    return rows;
}

template <typename Row, typename... Parameters>
std::optional<Row> first(
    SqliteFile& file, Row (*read)(const Query&), const std::string& sql, const Parameters&... parameters)
{
    Query query(file, sql.c_str(), parameters...);
    return query.step() ? std::optional(read(query)) : std::nullopt;
}

} // namespace

// Ordered by number rather than by time: a clock may have been set back.
std::vector<ExperimentRow> Workspace::experiments()
{
    return all(*m_file, experimentRow, kSelectExperiment + "ORDER BY id DESC");
}

std::optional<ExperimentRow> Workspace::findExperiment(std::int64_t id)
{
    return first(*m_file, experimentRow, kSelectExperiment + "WHERE id = ?", id);
}

std::optional<ExperimentRow> Workspace::findExperiment(const std::string& name)
{
    return first(*m_file, experimentRow, kSelectExperiment + "WHERE name = ? ORDER BY id DESC LIMIT 1", name);
}

std::size_t Workspace::trialCount(std::int64_t experiment)
{
    Query query(*m_file, "SELECT count(*) FROM trials WHERE experiment = ?", experiment);
    return query.step() ? static_cast<std::size_t>(query.integer(0)) : 0;
}

std::vector<TrialRow> Workspace::trials(std::int64_t experiment)
{
    std::vector<TrialRow> rows;
    eachTrial(experiment, [&](const TrialRow& row) { rows.push_back(row); });
    return rows;
}

void Workspace::eachTrial(std::int64_t experiment, const std::function<void(const TrialRow&)>& visit)
{
    Query query(*m_file, (kSelectTrial + "WHERE experiment = ? ORDER BY ordinal, id").c_str(), experiment);
    while (query.step())
        visit(trialRow(query));
}

std::optional<TrialRow> Workspace::findTrial(std::int64_t id)
{
    return first(*m_file, trialRow, kSelectTrial + "WHERE id = ?", id);
}

std::optional<TrialRow> Workspace::findTrial(const std::string& trialId)
{
    return first(*m_file, trialRow, kSelectTrial + "WHERE trial_id = ? ORDER BY experiment DESC LIMIT 1", trialId);
}

std::vector<RepeatRow> Workspace::repeats(std::int64_t trial)
{
    return all(*m_file, repeatRow, kSelectRepeat + "WHERE trial = ? ORDER BY repeat_index", trial);
}

bool Workspace::hasFinishedRepeat(std::int64_t trial, int repeatIndex, Retry retry)
{
    Query query(*m_file, "SELECT outcome FROM repeats WHERE trial = ? AND repeat_index = ?", trial, repeatIndex);
    return query.step() && isFinished(outcomeFromText(query.text(0)), retry);
}

std::vector<SampleRow> Workspace::samples(std::int64_t repeat)
{
    return all(*m_file, sampleRow, "SELECT step, seconds FROM samples WHERE repeat = ? ORDER BY step", repeat);
}

std::vector<trace::PhaseSpan> Workspace::phases(std::int64_t repeat)
{
    return all(*m_file, phaseSpan, "SELECT name, step, begin_ns, end_ns FROM phases WHERE repeat = ? ORDER BY ordinal",
        repeat);
}

std::vector<DiagnosticRow> Workspace::experimentDiagnostics(std::int64_t experiment)
{
    return all(*m_file, diagnosticRow,
        kSelectDiagnostic
            + "WHERE experiment = ? ORDER BY repeat IS NULL, (SELECT repeat_index FROM repeats WHERE repeats.id = "
              "diagnostics.repeat), trial, id",
        experiment);
}

std::vector<DiagnosticRow> Workspace::repeatDiagnostics(std::int64_t repeat)
{
    return all(*m_file, diagnosticRow, kSelectDiagnostic + "WHERE repeat = ? ORDER BY id", repeat);
}

std::optional<std::string> Workspace::environment(std::int64_t id)
{
    Query query(*m_file, "SELECT json FROM environments WHERE id = ?", id);
    return query.step() ? std::optional(query.text(0)) : std::nullopt;
}

} // namespace headroom::store
