// SPDX-License-Identifier: Apache-2.0
#include "profiling/recordings/SqliteRecording.h"

#include "core/base/Error.h"
#include "profiling/recordings/SqliteRecords.h"
#include "profiling/recordings/SqliteTables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

namespace headroom::recordings {
namespace {

constexpr const char* kOwnEvents = "headroom_device_traces";
constexpr const char* kMemoryEvents = "CUDA_GPU_MEMORY_USAGE_EVENTS";

// In the order of EventKind.
constexpr std::array<std::string_view, 9> kActions{"alloc", "free_requested", "free_completed", "segment_alloc",
    "segment_free", "segment_map", "segment_unmap", "oom", "relabelled"};

constexpr std::int64_t kDeviceMemory = 2; ///< Nsight's number of memory of the device
constexpr std::int64_t kDeallocation = 1;
constexpr Bytes kMostBytes = Bytes{1} << 50;

bool isSensibleSize(Bytes bytes)
{
    return bytes >= 0 && bytes <= kMostBytes;
}

class SqliteReader {
public:
    SqliteReader(const std::filesystem::path& path, const Progress& progress)
        : m_tables(std::make_shared<const SqliteTables>(path))
        , m_path(path.string())
        , m_progress(progress)
    {
    }

    Recording read()
    {
        m_recording.format = "nsys";
        if (m_tables->has(kOwnEvents))
            readOwn();
        else if (m_tables->has(kMemoryEvents))
            readMemoryEvents();
        else
            throw FileError(std::string("a database without the table ") + kMemoryEvents, m_path,
                "an export of Nsight Systems that was recorded with --cuda-memory-usage=true");
        m_recording.moreRecords = [tables = m_tables](const RecordVisitor& visit) { eachSqliteRecord(*tables, visit); };
        for (auto& [number, device] : m_devices)
            if (!device.isEmpty())
                m_recording.devices.push_back(std::move(device));
        return std::move(m_recording);
    }

private:
    void readOwn()
    {
        m_recording.isOwnExport = true;
        readAbout();
        readOwners();
        readPhases();
        readTracks();
        readOwnEvents();
    }

    void readAbout()
    {
        m_tables->each("headroom_about", {"name", "value"}, [&](const SqliteRow& row) {
            if (row.text(0) == "HEADROOM_KIND")
                m_recording.isPredicted = row.text(1) == "predicted";
            else if (row.text(0) == "HEADROOM_DEVICE")
                m_recording.deviceName = row.text(1);
        });
    }

    // Their numbers are kept: they are in order and each is there once.
    void readOwners()
    {
        std::vector<trace::MemoryOwner> owners;
        m_tables->each("headroom_owners", {"id", "category", "module", "technique", "source", "frames"},
            [&](const SqliteRow& row) {
                const auto category = config::memoryCategoryFromText(row.text(1));
                owners.push_back({category.value_or(config::MemoryCategory::Unknown), row.text(2), row.text(3),
                    row.text(4), row.text(5)});
            });
        if (!owners.empty() && owners.front() == trace::MemoryOwner{})
            m_recording.owners = trace::OwnerTable(std::move(owners));
    }

    void readPhases()
    {
        m_tables->each("headroom_phases", {"name", "step", "start", "end"}, [&](const SqliteRow& row) {
            m_recording.phases.push_back({row.text(0), row.known(1).value_or(-1), row.integer(2), row.integer(3)});
        });
    }

    void readTracks()
    {
        m_tables->each("headroom_tracks", {"id", "name", "allocated_before", "reserved_before", "active_before"},
            [&](const SqliteRow& row) {
                DeviceRecording& device = m_devices[row.integer(0)];
                device.heldBefore = {row.integer(2), row.integer(3), row.integer(4)};
            });
        std::int64_t number = 0;
        for (auto& [id, device] : m_devices)
            device.device = deviceNumber(number++);
    }

    void readOwnEvents()
    {
        const std::vector<std::string> columns{
            "action", "addr", "size", "stream", "start", "requested_size", "track", "owner", "previous_owner"};
        m_tables->each(kOwnEvents, columns, [&](const SqliteRow& row) { addOwn(row); });
    }

    void addOwn(const SqliteRow& row)
    {
        const auto action = std::ranges::find(kActions, row.text(0));
        if (action == kActions.end())
            return;
        RecordedEvent event;
        event.kind = static_cast<EventKind>(action - kActions.begin());
        event.address = static_cast<Address>(row.integer(1));
        event.bytes = isOfBlock(event.kind) ? row.integer(5) : row.integer(2);
        event.blockBytes = isOfBlock(event.kind) ? row.integer(2) : 0;
        event.stream = static_cast<Stream>(row.integer(3));
        event.timeNs = row.nanoseconds(4);
        event.owner = static_cast<trace::OwnerId>(std::clamp<std::int64_t>(row.integer(7), 0, 0xFFFF'FFFF));
        event.previousOwner = static_cast<trace::OwnerId>(std::clamp<std::int64_t>(row.integer(8), 0, 0xFFFF'FFFF));
        if (!isSensibleSize(event.bytes) || !isSensibleSize(event.blockBytes))
            throw FileError(fmt::format("an event of {} bytes", event.bytes), m_path, "sizes of memory");
        m_devices[row.integer(6)].events.push_back(event);
        deviceNumber(static_cast<std::int64_t>(m_devices.size()) - 1);
        tellProgress();
    }

    // What the driver gave out: allocations of whatever asked for them, PyTorch's segments among them.
    void readMemoryEvents()
    {
        const std::vector<std::string> columns{
            "start", "deviceId", "address", "bytes", "memKind", "memoryOperationType", "streamId"};
        m_tables->each(kMemoryEvents, columns, [&](const SqliteRow& row) {
            if (row.integer(4) == kDeviceMemory)
                addMemoryEvent(row);
        });
        for (auto& [number, device] : m_devices)
            std::ranges::stable_sort(device.events, {}, &RecordedEvent::timeNs);
        m_recording.remarks.emplace_back(
            "blocks are what the driver gave out: of PyTorch's caching allocator whole segments");
    }

    void addMemoryEvent(const SqliteRow& row)
    {
        const int number = deviceNumber(std::max<std::int64_t>(row.integer(1), 0));
        DeviceRecording& device = m_devices[number];
        device.device = number;
        device.hasSegments = false;
        const Bytes bytes = row.integer(3);
        if (bytes == 0)
            return;
        if (!isSensibleSize(bytes))
            throw FileError(fmt::format("a memory event of {} bytes", bytes), m_path, "sizes of memory");
        RecordedEvent event{static_cast<Address>(row.integer(2)), bytes, bytes, row.integer(0), 0, trace::kUnknownOwner,
            EventKind::Alloc};
        if (row.integer(5) != kDeallocation)
            return device.events.push_back(event);
        event.kind = EventKind::FreeRequested;
        device.events.push_back(event);
        event.kind = EventKind::FreeCompleted;
        device.events.push_back(event);
        tellProgress();
    }

    void tellProgress()
    {
        if ((++m_count & 0xF'FFFFU) == 0 && m_progress)
            m_progress(0.5); // the database does not tell how many there will be
    }

    std::shared_ptr<const SqliteTables> m_tables; ///< open as long as the recording
    std::string m_path;
    const Progress& m_progress;
    Recording m_recording;
    std::map<std::int64_t, DeviceRecording> m_devices;
    std::uint64_t m_count = 0;
};

} // namespace

Recording sqliteRecording(const std::filesystem::path& path, const Progress& progress)
{
    try {
        return SqliteReader(path, progress).read();
    } catch (const std::length_error& error) {
        throw FileError(std::string("it has ") + error.what(), path.string(), "an export of Nsight Systems");
    }
}

} // namespace headroom::recordings
