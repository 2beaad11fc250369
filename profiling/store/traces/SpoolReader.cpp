// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/traces/SpoolReader.h"

#include "profiling/store/traces/RecordReader.h"

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

} // namespace headroom::store
