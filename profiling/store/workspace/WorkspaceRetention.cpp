// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/Query.h"
#include "profiling/store/StoreErrors.h"
#include "profiling/store/ThreadWithoutFiles.h"
#include "profiling/store/workspace/Workspace.h"

#include <system_error>

// The part of Workspace that drops traces and returns space.
namespace headroom::store {
namespace {

constexpr auto kAsked = "as was asked for";

Bytes sizeOf(const std::filesystem::path& path)
{
    std::error_code missing;
    const auto size = std::filesystem::file_size(path, missing);
    return missing ? 0 : static_cast<Bytes>(size);
}

// Includes the contents of the write-ahead log.
Bytes sizeOnDisk(const std::filesystem::path& path)
{
    return sizeOf(path) + sizeOf(path.string() + "-wal");
}

} // namespace

DroppedTraces Workspace::dropRepeatTrace(std::int64_t repeat)
{
    WriteTransaction transaction = beginWrite();
    const DroppedTraces dropped = TraceRetention(*m_file).dropOfRepeat(repeat, kAsked);
    transaction.commit();
    return dropped;
}

DroppedTraces Workspace::dropTrialTraces(std::int64_t trial)
{
    return dropEach(TraceRetention(*m_file).tracedOfTrial(trial));
}

DroppedTraces Workspace::dropExperimentTraces(std::int64_t experiment)
{
    return dropEach(TraceRetention(*m_file).tracedOfExperiment(experiment));
}

// There may be no space left when traces are dropped: the log's contents for one trace are moved into the file, which
// does not grow, before the next trace takes their place.
DroppedTraces Workspace::dropEach(const std::vector<std::int64_t>& repeats)
{
    DroppedTraces sum;
    for (const std::int64_t repeat : repeats) {
        const DroppedTraces dropped = dropRepeatTrace(repeat);
        sum.repeats += dropped.repeats;
        sum.bytes += dropped.bytes;
        if (!m_file->inTransaction())
            m_file->database().tryExec("PRAGMA wal_checkpoint(PASSIVE)");
    }
    return sum;
}

std::map<std::int64_t, Bytes> Workspace::traceBytes()
{
    return TraceRetention(*m_file).bytesByTrial();
}

RepairReport Workspace::copyTo(const std::filesystem::path& target)
{
    requireFilesAllowed(path());
    const SalvageSource source(m_file->database().getHandle());
    return WorkspaceRepair(source).writeTo(target);
}

CompactResult Workspace::compact()
{
    if (m_file->inTransaction())
        throw FileError("the workspace cannot be compacted while writes are grouped", path().string());
    CompactResult result{.bytesBefore = sizeOnDisk(path())};
    m_file->execute("VACUUM");
    // The new file is in the log until it is checkpointed, for which no reader may still use the old one.
    Query checkpoint(*m_file, "PRAGMA wal_checkpoint(TRUNCATE)");
    if (checkpoint.step() && checkpoint.integer(0) != 0)
        throw FileError(
            "the workspace is compacted, but somebody reads it just now: its file shrinks when they are done",
            path().string(), "a moment without other readers");
    result.bytesAfter = sizeOnDisk(path());
    return result;
}

} // namespace headroom::store
