// SPDX-License-Identifier: Apache-2.0
#include "profiling/recordings/SqliteRecords.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace headroom::recordings {
namespace {

constexpr std::size_t kPiece = 50'000;
constexpr std::size_t kPieceBytes = 64 << 20; ///< of names: many rows may have the same long one
constexpr std::int64_t kNvtxMark = 34;
constexpr std::int64_t kNvtxStartEnd = 60;
constexpr std::int64_t kDriverCall = 1; ///< of eventClass; Nsight's own of the runtime is 0

std::uint32_t smallNumber(std::int64_t number)
{
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(number, 0, 0xFFFF'FFFF));
}

// Nsight's kinds are CUPTI's less one; 7 is unknown.
std::uint32_t memoryKindOf(const SqliteRow& row, std::size_t column)
{
    const auto kind = row.known(column);
    return !kind || *kind == 7 ? 0 : smallNumber(*kind + 1);
}

// Bits 24 to 47 of a global thread are the process, the lower ones the thread.
std::uint32_t processIn(std::int64_t global)
{
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(global) >> 24U & 0xFF'FFFFU);
}

std::uint32_t threadIn(std::int64_t global)
{
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(global) & 0xFF'FFFFU);
}

class RecordTables {
public:
    RecordTables(const SqliteTables& tables, const RecordVisitor& visit)
        : m_tables(tables)
        , m_visit(visit)
    {
        m_tables.each(
            "StringIds", {"id", "value"}, [&](const SqliteRow& row) { m_texts.emplace(row.integer(0), row.text(1)); });
    }

    void read()
    {
        readKernels();
        readCopies();
        readMemsets();
        readCalls();
        readMarkers();
        readSamples();
        passOn();
    }

private:
    // A whole list of millions takes gigabytes.
    void counted()
    {
        if (++m_count == kPiece || m_nameBytes > kPieceBytes)
            passOn();
    }

    void passOn()
    {
        if (m_count > 0)
            m_visit(std::exchange(m_records, {}));
        m_count = 0;
        m_nameBytes = 0;
    }

    std::string textOf(std::int64_t id)
    {
        const auto found = m_texts.find(id);
        if (found == m_texts.end())
            return {};
        m_nameBytes += found->second.size();
        return found->second;
    }

    void readKernels()
    {
        m_tables.each("CUPTI_ACTIVITY_KIND_KERNEL",
            {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "demangledName", "mangledName",
                "launchType", "registersPerThread", "gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ",
                "staticSharedMemory", "dynamicSharedMemory", "localMemoryPerThread", "localMemoryTotal", "gridId",
                "sharedMemoryExecuted", "graphNodeId"},
            [&](const SqliteRow& row) {
                m_records.kernels.push_back(kernelOf(row));
                counted();
            });
    }

    trace::KernelRecord kernelOf(const SqliteRow& row)
    {
        const auto part = [&](std::size_t column) {
            return static_cast<std::int32_t>(smallNumber(row.integer(column)));
        };
        trace::KernelRecord kernel;
        kernel.beginNs = row.nanoseconds(0);
        kernel.endNs = row.nanoseconds(1);
        kernel.deviceId = smallNumber(row.integer(2));
        kernel.contextId = smallNumber(row.integer(3));
        kernel.streamId = smallNumber(row.integer(4));
        kernel.correlationId = smallNumber(row.integer(5));
        kernel.name = row.known(7) ? textOf(row.integer(7)) : textOf(row.integer(6));
        kernel.launchType = smallNumber(row.integer(8));
        kernel.registersPerThread = smallNumber(row.integer(9));
        kernel.gridX = part(10);
        kernel.gridY = part(11);
        kernel.gridZ = part(12);
        kernel.blockX = part(13);
        kernel.blockY = part(14);
        kernel.blockZ = part(15);
        kernel.staticSharedBytes = row.integer(16);
        kernel.dynamicSharedBytes = row.integer(17);
        kernel.localBytesPerThread = row.integer(18);
        kernel.localBytes = row.integer(19);
        kernel.gridId = row.integer(20);
        kernel.executedSharedBytes = row.integer(21);
        kernel.graphNodeId = static_cast<std::uint64_t>(row.integer(22));
        return kernel;
    }

    void readCopies()
    {
        m_tables.each("CUPTI_ACTIVITY_KIND_MEMCPY",
            {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "bytes", "copyKind", "srcKind",
                "dstKind", "srcDeviceId", "dstDeviceId", "graphNodeId", "copyCount"},
            [&](const SqliteRow& row) {
                trace::CopyRecord copy;
                copy.beginNs = row.nanoseconds(0);
                copy.endNs = row.nanoseconds(1);
                copy.deviceId = smallNumber(row.integer(2));
                copy.contextId = smallNumber(row.integer(3));
                copy.streamId = smallNumber(row.integer(4));
                copy.correlationId = smallNumber(row.integer(5));
                copy.bytes = row.integer(6);
                copy.copyKind = smallNumber(row.integer(7));
                copy.sourceKind = memoryKindOf(row, 8);
                copy.destinationKind = memoryKindOf(row, 9);
                copy.sourceDeviceId = row.known(10) ? smallNumber(row.integer(10)) : trace::kNoDeviceId;
                copy.destinationDeviceId = row.known(11) ? smallNumber(row.integer(11)) : trace::kNoDeviceId;
                copy.graphNodeId = static_cast<std::uint64_t>(row.integer(12));
                copy.copyCount = static_cast<std::uint64_t>(row.known(13).value_or(1));
                m_records.copies.push_back(copy);
                counted();
            });
    }

    void readMemsets()
    {
        m_tables.each("CUPTI_ACTIVITY_KIND_MEMSET",
            {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "bytes", "value", "memKind",
                "graphNodeId"},
            [&](const SqliteRow& row) {
                trace::MemsetRecord memset;
                memset.beginNs = row.nanoseconds(0);
                memset.endNs = row.nanoseconds(1);
                memset.deviceId = smallNumber(row.integer(2));
                memset.contextId = smallNumber(row.integer(3));
                memset.streamId = smallNumber(row.integer(4));
                memset.correlationId = smallNumber(row.integer(5));
                memset.bytes = row.integer(6);
                memset.value = smallNumber(row.integer(7));
                memset.memoryKind = memoryKindOf(row, 8);
                memset.graphNodeId = static_cast<std::uint64_t>(row.integer(9));
                m_records.memsets.push_back(memset);
                counted();
            });
    }

    void readCalls()
    {
        m_tables.each("CUPTI_ACTIVITY_KIND_RUNTIME",
            {"start", "end", "eventClass", "globalTid", "correlationId", "nameId", "returnValue"},
            [&](const SqliteRow& row) {
                trace::ApiRecord call;
                call.beginNs = row.nanoseconds(0);
                call.endNs = row.nanoseconds(1);
                call.isDriver = row.integer(2) == kDriverCall;
                call.processId = processIn(row.integer(3));
                call.threadId = threadIn(row.integer(3));
                call.correlationId = smallNumber(row.integer(4));
                call.name = textOf(row.integer(5));
                call.returnValue = smallNumber(row.integer(6));
                m_records.calls.push_back(std::move(call));
                counted();
            });
    }

    // Ranges of a thread that nest (push/pop) are how programs mark their phases; in exports of Headroom they are
    // those.
    void readMarkers()
    {
        const bool isOwn = m_tables.has("headroom_phases");
        m_tables.each("NVTX_EVENTS", {"start", "end", "eventType", "rangeId", "text", "textId", "globalTid"},
            [&](const SqliteRow& row) {
                const std::int64_t type = row.integer(2);
                if (isOwn && type != kNvtxMark && type != kNvtxStartEnd)
                    return;
                trace::MarkerRecord marker;
                marker.beginNs = row.nanoseconds(0);
                marker.isMark = type == kNvtxMark;
                marker.endNs = marker.isMark ? marker.beginNs : row.known(1) ? row.nanoseconds(1) : -1;
                marker.id = smallNumber(row.integer(3));
                marker.name = row.known(5) && row.text(4).empty() ? textOf(row.integer(5)) : row.text(4);
                marker.processId = processIn(row.integer(6));
                marker.threadId = threadIn(row.integer(6));
                m_records.markers.push_back(std::move(marker));
                counted();
            });
    }

    void readSamples()
    {
        m_tables.each("headroom_host_samples", {"start", "resident_bytes", "pinned_bytes"}, [&](const SqliteRow& row) {
            m_records.hostSamples.push_back({row.integer(0), row.known(1), row.known(2)});
            counted();
        });
    }

    const SqliteTables& m_tables;
    const RecordVisitor& m_visit;
    std::size_t m_count = 0; ///< that wait to be passed on
    std::size_t m_nameBytes = 0; ///< of theirs
    std::unordered_map<std::int64_t, std::string> m_texts;
    trace::DeviceRecords m_records;
};

} // namespace

void eachSqliteRecord(const SqliteTables& tables, const RecordVisitor& visit)
{
    RecordTables(tables, visit).read();
}

} // namespace headroom::recordings
