// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/traces/SpoolWriter.h"

#include "profiling/store/Query.h"
#include "profiling/store/WriteTransaction.h"
#include "profiling/store/traces/SpoolReader.h"

namespace headroom::store {
namespace {

const std::filesystem::path& requireNew(const std::filesystem::path& path)
{
    if (std::filesystem::exists(path))
        throw FileError("the spool exists already", path.string(), "a new file name");
    return path;
}

} // namespace

SpoolWriter::SpoolWriter(const std::filesystem::path& path, const SpoolOptions& options)
    : m_file(requireNew(path), Access::Create, spoolSchema(), kDefaultBusyTimeout)
    , m_form{options.eventsPerBlock, options.eventsPerStretch}
    , m_records(m_file, kSpoolRepeat)
{
    if (options.maxPages)
        m_file.execute("PRAGMA max_page_count = " + std::to_string(*options.maxPages));
}

void SpoolWriter::beginTrack(const std::string& track, const trace::MemoryCounters& before)
{
    const auto [entry, added] = m_tracks.try_emplace(track, m_file, kSpoolRepeat, track, before, m_owners, m_form);
    if (!added)
        throw FileError("the track '" + track + "' has begun already", m_file.path().string());
}

void SpoolWriter::append(const std::string& track, std::span<const trace::AllocatorEvent> events)
{
    writer(track).append(events);
}

TrackWriter& SpoolWriter::writer(const std::string& track)
{
    const auto known = m_tracks.find(track);
    if (known != m_tracks.end())
        return known->second;
    return m_tracks.try_emplace(track, m_file, kSpoolRepeat, track, trace::MemoryCounters{}, m_owners, m_form)
        .first->second;
}

void SpoolWriter::addOwner(trace::OwnerId id, const trace::MemoryOwner& owner)
{
    if (id != trace::kUnknownOwner)
        m_records.addOwner(id, owner);
    m_owners.set(id, owner.category);
}

void SpoolWriter::addRecords(const trace::DeviceRecords& records)
{
    WriteTransaction transaction(m_file);
    m_records.add(records);
    transaction.commit();
}

void SpoolWriter::addPhase(const trace::PhaseSpan& span)
{
    Query(m_file, "INSERT INTO phases (name, step, begin_ns, end_ns) VALUES (?, ?, ?, ?)", span.name, span.step,
        span.beginNs, span.endNs)
        .run();
}

void SpoolWriter::addDiagnostic(const DiagnosticRow& row)
{
    Query(m_file, "INSERT INTO diagnostics (severity, kind, message, count) VALUES (?, ?, ?, ?)", toText(row.severity),
        row.kind, row.message, row.count)
        .run();
}

void SpoolWriter::flush()
{
    for (auto& [name, track] : m_tracks)
        track.flush();
}

void SpoolWriter::finish()
{
    WriteTransaction transaction(m_file);
    for (auto& [name, track] : m_tracks)
        track.finish();
    m_file.execute("UPDATE spool SET finished = 1");
    transaction.commit();
    // One file instead of two. A concurrent reader may prevent that, which loses nothing.
    m_file.database().setBusyTimeout(0);
    m_file.database().tryExec("PRAGMA journal_mode = DELETE");
}

} // namespace headroom::store
