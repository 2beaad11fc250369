// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/workspace/SpoolImporter.h"

#include "profiling/store/traces/PyramidRebuild.h"
#include "profiling/store/traces/RecordCopier.h"
#include "profiling/store/traces/RecordWriter.h"
#include "profiling/store/traces/StretchRebuild.h"
#include "profiling/store/traces/StretchTable.h"
#include "profiling/store/traces/TrackPyramids.h"
#include "profiling/store/traces/TrackWriter.h"
#include "profiling/trace/MalformedBlock.h"
#include "profiling/trace/peaks/SegmentStateData.h"
#include "profiling/trace/pyramids/PyramidChunk.h"

#include <fmt/format.h>

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
        m_hasRecords = spool->hasRecords();
        readRows(*spool);
    } catch (const FileError& error) {
        diagnose(Severity::Error, "unreadable_spool", error.what());
        return;
    }
    if (m_hasRecords) {
        copyOwners(*spool);
        copyRecords(*spool);
    }
    copyBlocks(*spool);
    copyPyramids(*spool);
    copyStretches(*spool);
    rebuildPyramids();
    completeStretches();
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

// Only reading the spool is guarded: if the workspace cannot be written, the import ends. False if the spool could not
// be read to its end.
template <typename Rows, typename Row> bool SpoolImporter::copyRows(SpoolReader& spool)
{
    std::optional<Rows> rows;
    Row row;
    bool isWhole = true;
    const auto next = [&]() {
        try {
            if (!rows)
                rows.emplace(spool);
            return rows->next(row);
        } catch (const FileError& error) {
            diagnose(Severity::Error, "damaged_spool", error.what());
            isWhole = false;
            return false;
        }
    };
    while (next())
        copy(row);
    return isWhole;
}

void SpoolImporter::copyOwners(SpoolReader& spool)
{
    std::vector<trace::MemoryOwner> owners;
    try {
        const trace::OwnerTable table = spool.trace().owners(kSpoolRepeat);
        owners.assign(table.all().begin(), table.all().end());
        if (const std::int64_t rows = spool.malformedOwners(); rows > 0)
            diagnose(Severity::Error, "malformed_record", "owners without a known category are unknown", rows);
    } catch (const FileError& error) {
        diagnose(Severity::Error, "damaged_spool", error.what());
    }
    m_owners = trace::OwnerCategories(owners);
    RecordWriter writer(m_target, m_repeat);
    for (trace::OwnerId id = 1; id < owners.size(); ++id)
        writer.addOwner(id, owners[id]);
}

void SpoolImporter::copyRecords(SpoolReader& spool)
{
    RecordCopier copier(m_target, m_repeat);
    copier.copy(spool.file());
    m_records = copier.rows();
    if (copier.malformedRows() > 0)
        diagnose(Severity::Error, "malformed_record", "records of the driver or the host were left out",
            copier.malformedRows());
    for (const std::string& problem : copier.problems())
        diagnose(Severity::Error, "damaged_spool", problem);
}

void SpoolImporter::copyBlocks(SpoolReader& spool)
{
    copyRows<SpoolReader::Blocks, SpoolReader::StoredBlock>(spool);
}

void SpoolImporter::copy(const SpoolReader::StoredBlock& block)
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
    const bool isWhole = copyRows<SpoolReader::Chunks, SpoolReader::StoredChunk>(spool)
        && (!m_hasRecords || copyRows<SpoolReader::Categories, SpoolReader::StoredCategories>(spool));
    if (!isWhole)
        m_damaged.insert(m_complete.begin(), m_complete.end());
}

void SpoolImporter::copy(const SpoolReader::StoredChunk& chunk)
{
    trace::PyramidChunk decoded;
    try {
        decoded = trace::decodePyramidChunk(chunk.data);
    } catch (const trace::MalformedBlock& error) {
        markDamaged(chunk.track, error);
        return;
    }
    insertPyramidChunk(m_target, m_repeat, chunk.track, chunk.counter, decoded, chunk.data);
    m_complete.insert(chunk.track);
}

void SpoolImporter::copy(const SpoolReader::StoredCategories& chunk)
{
    trace::CategoryChunkPlace place;
    try {
        place = trace::decodeCategoryChunk(chunk.data).place();
    } catch (const trace::MalformedBlock& error) {
        markDamaged(chunk.track, error);
        return;
    }
    insertCategoryChunk(m_target, m_repeat, chunk.track, place, chunk.data);
}

void SpoolImporter::copyStretches(SpoolReader& spool)
{
    if (spool.hasStretches())
        copyRows<SpoolReader::Stretches, SpoolReader::StoredStretch>(spool);
}

// What is left out here is built anew.
void SpoolImporter::copy(const SpoolReader::StoredStretch& stored)
{
    try {
        trace::decodeSegmentState(stored.stretch.state);
    } catch (const trace::MalformedBlock& error) {
        diagnose(Severity::Warning, "malformed_segment_state",
            fmt::format("the states of the segments of track '{}' are built anew: {}", stored.track, error.what()));
        return;
    }
    insertStretch(m_target, m_repeat, stored.track, stored.stretch);
}

void SpoolImporter::markDamaged(const std::string& track, const Error& error)
{
    if (m_damaged.insert(track).second)
        diagnose(Severity::Warning, "malformed_pyramid",
            fmt::format("the pyramids of track '{}' are built anew: {}", track, error.what()));
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
    if (const std::string problem = store::rebuildPyramids(m_target, m_repeat, track, m_owners); !problem.empty())
        diagnose(Severity::Error, "malformed_block", problem);
}

// For tracks of a worker that was killed or of an older version, and where blocks were left out.
void SpoolImporter::completeStretches()
{
    for (const TrackRow& track : TraceReader(m_target).tracks(m_repeat)) {
        const StretchReader reader(m_target, m_repeat, track.track);
        if (track.events <= static_cast<std::int64_t>(trace::SegmentStretches::kFewestEvents)
            || areCovered(reader.blocks(), reader.stretches()))
            continue;
        if (const std::string problem = rebuildStretches(m_target, m_repeat, track.track); !problem.empty())
            diagnose(Severity::Error, "malformed_block", problem);
    }
}

void SpoolImporter::diagnose(Severity severity, std::string kind, std::string message, std::int64_t count)
{
    m_diagnostics.push_back(
        {.severity = severity, .kind = std::move(kind), .message = std::move(message), .count = count});
}

} // namespace headroom::store
