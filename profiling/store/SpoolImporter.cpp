// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/SpoolImporter.h"

#include "profiling/store/RecordWriter.h"
#include "profiling/store/TrackPyramids.h"
#include "profiling/store/TrackWriter.h"
#include "profiling/trace/MalformedBlock.h"
#include "profiling/trace/PyramidChunk.h"

#include <fmt/format.h>

#include <limits>
#include <optional>

namespace headroom::store {

SpoolImporter::SpoolImporter(SqliteFile& target, std::int64_t repeat)
    : m_target(target)
    , m_repeat(repeat)
{
}

void SpoolImporter::import(const std::filesystem::path& path)
{
    std::optional<SpoolReader> spool;
    try {
        spool.emplace(path);
        readRows(*spool);
    } catch (const FileError& error) {
        diagnose(Severity::Error, "unreadable_spool", error.what());
        return;
    }
    copyRecords(*spool);
    copyBlocks(*spool);
    copyPyramids(*spool);
    rebuildPyramids();
}

void SpoolImporter::readRows(SpoolReader& spool)
{
    if (!spool.isFinished())
        diagnose(Severity::Warning, "unfinished_spool",
            "the worker stopped before its trace was complete: events after its last block are missing");
    m_phases = spool.phases();
    for (DiagnosticRow& row : spool.diagnostics())
        m_diagnostics.push_back(std::move(row));
}

void SpoolImporter::copyRecords(SpoolReader& spool)
{
    using Time = std::numeric_limits<std::int64_t>;
    std::vector<trace::MemoryOwner> owners;
    trace::DeviceRecords records;
    try {
        if (!spool.hasRecords())
            return;
        const trace::OwnerTable table = spool.trace().owners(kSpoolRepeat);
        owners.assign(table.all().begin(), table.all().end());
        records = spool.trace().records(kSpoolRepeat, Time::min(), Time::max());
    } catch (const FileError& error) {
        diagnose(Severity::Error, "damaged_spool", error.what());
    }
    RecordWriter writer(m_target, m_repeat);
    for (trace::OwnerId id = 1; id < owners.size(); ++id)
        writer.addOwner(id, owners[id]);
    writer.add(records);
}

// Only reading the spool is guarded: a workspace that cannot be written ends the import.
void SpoolImporter::copyBlocks(SpoolReader& spool)
{
    std::optional<SpoolReader::Blocks> blocks;
    SpoolReader::StoredBlock block;
    const auto next = [&]() {
        try {
            if (!blocks)
                blocks.emplace(spool);
            return blocks->next(block);
        } catch (const FileError& error) {
            diagnose(Severity::Error, "damaged_spool", error.what());
            return false;
        }
    };
    while (next())
        copyBlock(block);
}

void SpoolImporter::copyBlock(const SpoolReader::StoredBlock& block)
{
    trace::EventBlockHeader header;
    try {
        header = trace::verifyEventBlock(block.data);
    } catch (const trace::MalformedBlock& error) {
        ++m_malformedBlocks;
        diagnose(Severity::Error, "malformed_block",
            fmt::format("block {} of track '{}' was left out: {}", block.ordinal, block.track, error.what()));
        return;
    }
    insertEventBlock(m_target, m_repeat, block.track, block.ordinal, header, block.data);
    ++m_blocks;
}

void SpoolImporter::copyPyramids(SpoolReader& spool)
{
    std::optional<SpoolReader::Chunks> chunks;
    SpoolReader::StoredChunk chunk;
    const auto next = [&]() {
        try {
            if (!chunks)
                chunks.emplace(spool);
            return chunks->next(chunk);
        } catch (const FileError& error) {
            diagnose(Severity::Error, "damaged_spool", error.what());
            m_damaged.insert(m_complete.begin(), m_complete.end());
            return false;
        }
    };
    while (next())
        copyChunk(chunk);
}

void SpoolImporter::copyChunk(const SpoolReader::StoredChunk& chunk)
{
    trace::PyramidChunk decoded;
    try {
        decoded = trace::decodePyramidChunk(chunk.data);
    } catch (const trace::MalformedBlock& error) {
        if (m_damaged.insert(chunk.track).second)
            diagnose(Severity::Warning, "malformed_pyramid",
                fmt::format("the pyramids of track '{}' are built anew: {}", chunk.track, error.what()));
        return;
    }
    insertPyramidChunk(m_target, m_repeat, chunk.track, chunk.counter, decoded, chunk.data);
    m_complete.insert(chunk.track);
}

// For tracks of a worker that was killed, or whose pyramids were damaged.
void SpoolImporter::rebuildPyramids()
{
    for (const TrackRow& track : TraceReader(m_target).tracks(m_repeat)) {
        const bool missing = !m_complete.contains(track.track)
            && track.events > static_cast<std::int64_t>(TrackPyramids::kMaxEventsWithout);
        if (missing || m_damaged.contains(track.track))
            rebuildPyramid(track.track);
    }
}

void SpoolImporter::rebuildPyramid(const std::string& track)
{
    Query(m_target, "DELETE FROM pyramids WHERE repeat = ? AND track = ?", m_repeat, track).run();
    std::optional<TrackPyramids> pyramids;
    const auto feed = [&](const trace::EventBlockHeader& header, std::span<const trace::AllocatorEvent> events) {
        if (!pyramids)
            pyramids.emplace(header.before);
        pyramids->resume(header.before);
        for (const trace::AllocatorEvent& event : events)
            pyramids->append(event);
    };
    try {
        TraceReader(m_target).eachBlock(m_repeat, track, feed);
    } catch (const FileError& error) {
        diagnose(Severity::Error, "malformed_block", error.what());
        return;
    }
    pyramids->write(m_target, m_repeat, track);
}

void SpoolImporter::diagnose(Severity severity, std::string kind, std::string message)
{
    m_diagnostics.push_back({.severity = severity, .kind = std::move(kind), .message = std::move(message)});
}

} // namespace headroom::store
