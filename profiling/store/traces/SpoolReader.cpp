// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/traces/SpoolReader.h"

#include "profiling/store/traces/RecordReader.h"
#include "profiling/store/traces/StretchTable.h"

namespace headroom::store {

SpoolReader::SpoolReader(const std::filesystem::path& path)
    : m_file(path, Access::ReadOnly, spoolSchema(), kDefaultBusyTimeout)
{
}

bool SpoolReader::isFinished()
{
    Query query(m_file, "SELECT finished FROM spool");
    return query.step() && query.integer(0) == 1;
}

bool SpoolReader::hasRecords()
{
    return m_file.integer("PRAGMA user_version") >= 2;
}

bool SpoolReader::hasStretches()
{
    return m_file.integer("PRAGMA user_version") >= 3;
}

std::int64_t SpoolReader::malformedOwners()
{
    return RecordReader(m_file, kSpoolRepeat).malformedOwners();
}

std::vector<trace::PhaseSpan> SpoolReader::phases()
{
    std::vector<trace::PhaseSpan> phases;
    Query query(m_file, "SELECT name, step, begin_ns, end_ns FROM phases ORDER BY ordinal");
    while (query.step())
        phases.push_back({query.text(0), query.integer(1), query.integer(2), query.integer(3)});
    return phases;
}

std::vector<DiagnosticRow> SpoolReader::diagnostics()
{
    std::vector<DiagnosticRow> rows;
    Query query(m_file, "SELECT severity, kind, message, count FROM diagnostics ORDER BY rowid");
    while (query.step())
        rows.push_back({.severity = severityFromText(query.text(0)),
            .kind = query.text(1),
            .message = query.text(2),
            .count = query.integer(3)});
    return rows;
}

std::vector<TrackRow> SpoolReader::tracks()
{
    return trace().tracks(kSpoolRepeat);
}

SpoolReader::Blocks::Blocks(SpoolReader& spool)
    : m_query(spool.m_file, "SELECT track, ordinal, data FROM event_blocks ORDER BY repeat, track, ordinal")
{
}

bool SpoolReader::Blocks::next(StoredBlock& block)
{
    if (!m_query.step())
        return false;
    block = {m_query.text(0), m_query.integer(1), m_query.bytes(2)};
    return true;
}

SpoolReader::Chunks::Chunks(SpoolReader& spool)
    : m_query(
          spool.m_file, "SELECT track, counter, data FROM pyramids ORDER BY repeat, track, counter, level, first_ns")
{
}

bool SpoolReader::Chunks::next(StoredChunk& chunk)
{
    if (!m_query.step())
        return false;
    chunk = {m_query.text(0), m_query.text(1), m_query.bytes(2)};
    return true;
}

SpoolReader::Categories::Categories(SpoolReader& spool)
    : m_query(spool.m_file, "SELECT track, data FROM category_pyramids ORDER BY repeat, track, level, first_ns")
{
}

bool SpoolReader::Categories::next(StoredCategories& chunk)
{
    if (!m_query.step())
        return false;
    chunk = {m_query.text(0), m_query.bytes(1)};
    return true;
}

SpoolReader::Stretches::Stretches(SpoolReader& spool)
    : m_query(spool.m_file,
          "SELECT track, ordinal, first_event, events, peak_events, peak_reserved_bytes, "
          "peak_allocated_bytes, failures, data FROM segment_stretches ORDER BY repeat, track, ordinal")
{
}

bool SpoolReader::Stretches::next(StoredStretch& stored)
{
    if (!m_query.step())
        return false;
    const std::span<const std::byte> state = m_query.bytes(8);
    stored.track = m_query.text(0);
    stored.stretch = readStretch(m_query, 1);
    stored.stretch.state.assign(state.begin(), state.end());
    return true;
}

} // namespace headroom::store
