// SPDX-License-Identifier: Apache-2.0
#include "profiling/recordings/SnapshotReader.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "profiling/recordings/PrivatePools.h"
#include "profiling/recordings/ProfileSnapshot.h"
#include "profiling/recordings/RingStart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>

namespace headroom::recordings {
namespace {

constexpr const char* kValidSnapshot = "a file of torch.cuda.memory._dump_snapshot";
constexpr std::int64_t kMostDevices = 4096;

// What no address space holds.
bool isSensible(Address address, Bytes bytes)
{
    constexpr Address kMostAddress = Address{1} << 60;
    constexpr Bytes kMostBytes = Bytes{1} << 50;
    return address <= kMostAddress && bytes >= 0 && bytes <= kMostBytes;
}

class SnapshotReader {
public:
    SnapshotReader(const Objects& objects, const Value& root, SnapshotEntries& entries, const std::string& file)
        : m_objects(objects)
        , m_root(root)
        , m_entries(entries)
        , m_file(file)
    {
    }

    Recording read()
    {
        requireSnapshot();
        m_recording.format = "pytorch-snapshot";
        readOrigin();
        readSettings();
        readSegments();
        readTraces();
        setTimes();
        readPhases();
        readNotes();
        for (auto& [number, device] : m_devices)
            finish(number, device);
        noteOddities();
        m_recording.owners = std::move(m_entries.owners().table());
        if (!m_recording.isOwnExport && !m_entries.isOfTraining() && !m_entries.isOfProfile())
            forgetSavedActivations();
        return std::move(m_recording);
    }

private:
    // A bare list is what torch.cuda.memory_snapshot() returns: segments without a trace.
    Value part(std::string_view key) const
    {
        if (m_root.kind == Value::Kind::List)
            return key == "segments" ? m_root : Value();
        return m_objects.at(m_root, key);
    }

    void requireSnapshot() const
    {
        const bool isBareList = m_root.kind == Value::Kind::List && !m_objects.list(m_root).empty()
            && m_objects.at(m_objects.list(m_root).front(), "blocks").kind == Value::Kind::List;
        const bool isSnapshot = isBareList || m_objects.at(m_root, "segments").kind == Value::Kind::List
            || m_objects.at(m_root, "device_traces").kind == Value::Kind::List;
        if (!isSnapshot)
            throw FileError("it has neither \"segments\" nor \"device_traces\"", m_file, kValidSnapshot);
    }

    void readOrigin()
    {
        const Value origin = part("headroom");
        if (origin.kind != Value::Kind::Dict)
            return;
        m_recording.isOwnExport = true;
        m_recording.isPredicted = m_objects.at(origin, "predicted").truth();
        m_hasMadeUpSegments = m_objects.at(origin, "segments_of_single_blocks").truth();
        m_recording.deviceName = std::string(m_objects.text(m_objects.at(origin, "device")));
    }

    // PYTORCH_CUDA_ALLOC_CONF as it was; without it, what is told of single settings.
    void readSettings()
    {
        const Value settings = part("allocator_settings");
        std::string text(m_objects.text(m_objects.at(settings, "PYTORCH_CUDA_ALLOC_CONF")));
        if (text.empty())
            text = std::string(m_objects.text(m_objects.at(settings, "PYTORCH_ALLOC_CONF")));
        if (text.empty())
            text = settingsTold(settings);
        std::erase_if(text, [](char c) { return c == ' ' || c == '\t'; });
        try {
            simulator::parseAllocatorSettings(text, m_file);
            m_recording.allocator = text;
        } catch (const UsageError& error) {
            m_recording.remarks.push_back(
                "the settings of its allocator (" + text + ") are not simulated: " + error.problem());
        }
    }

    std::string settingsTold(const Value& settings) const
    {
        std::string text;
        const auto add = [&](const std::string& setting) { text += (text.empty() ? "" : ",") + setting; };
        if (m_objects.at(settings, "expandable_segments").truth())
            add("expandable_segments:True");
        if (const auto bytes = m_objects.at(settings, "max_split_size").integer();
            bytes >= simulator::kDefaultLargeSegmentBytes && bytes < (std::int64_t{1} << 44))
            add(fmt::format("max_split_size_mb:{}", bytes / kMiB));
        return text;
    }

    DeviceRecording& deviceOf(std::int64_t number)
    {
        if (number < 0 || number >= kMostDevices)
            throw FileError(fmt::format("a device with the number {}", number), m_file, kValidSnapshot);
        DeviceRecording& device = m_devices[number];
        device.device = static_cast<int>(number);
        return device;
    }

    void readSegments()
    {
        for (const Value& value : m_objects.list(part("segments"))) {
            if (m_objects.dict(value).empty())
                continue;
            DeviceRecording& device = deviceOf(m_objects.at(value, "device").integer());
            const std::uint16_t pool = privatePoolOf(m_objects.at(value, "segment_pool_id"));
            device.privateSegments += pool != 0 ? 1 : 0;
            RecordedSegment segment = segmentOf(value);
            segment.privatePool = pool;
            if (isSensible(segment.address, segment.bytes) && segment.bytes > 0)
                device.before.push_back(std::move(segment));
            else
                ++device.contradictions;
        }
    }

    // A pool's id is a pair of numbers, both 0 for the default one.
    std::uint16_t privatePoolOf(const Value& id)
    {
        std::vector<std::int64_t> numbers;
        for (const Value& part : m_objects.list(id))
            numbers.push_back(part.integer());
        if (std::ranges::all_of(numbers, [](std::int64_t number) { return number == 0; }))
            return 0;
        const auto next = static_cast<std::uint16_t>(std::min<std::size_t>(m_pools.size() + 1, kMostPrivatePools));
        return m_pools.try_emplace(numbers, next).first->second;
    }

    RecordedSegment segmentOf(const Value& value)
    {
        RecordedSegment segment;
        segment.address = m_objects.at(value, "address").unsignedInteger();
        segment.bytes = std::max<Bytes>(0, m_objects.at(value, "total_size").integer());
        segment.stream = m_entries.streamOf(m_objects.at(value, "stream"));
        segment.isExpandable = m_objects.at(value, "is_expandable").truth();
        segment.pool =
            m_objects.text(m_objects.at(value, "segment_type")) == "small" ? PoolKind::Small : PoolKind::Large;
        // Before torch 2.1 blocks had no address: they tile the segment.
        Address at = segment.address;
        for (const Value& block : m_objects.list(m_objects.at(value, "blocks"))) {
            segment.blocks.push_back(blockOf(block, at));
            at = segment.blocks.back().address + static_cast<Address>(segment.blocks.back().bytes);
        }
        return segment;
    }

    RecordedBlock blockOf(const Value& value, Address at)
    {
        const std::string_view state = m_objects.text(m_objects.at(value, "state"));
        const Value address = m_objects.at(value, "address");
        const Value requested = m_objects.at(value, "requested_size");
        RecordedBlock block;
        block.address = address.isNumber() ? address.unsignedInteger() : at;
        block.bytes = std::max<Bytes>(0, m_objects.at(value, "size").integer());
        block.isLive = state != "inactive";
        block.isPending = block.isLive && state != "active_allocated";
        if (block.isLive) {
            block.requestedBytes = requested.isNumber() && requested.integer() > 0 ? requested.integer() : block.bytes;
            block.owner = m_entries.owners().ownerOf(
                m_objects, framesOf(value), m_objects.at(value, "user_metadata"), m_objects.at(value, "category"));
        }
        return block;
    }

    // The first versions kept the frames in a history of the block.
    Value framesOf(const Value& block) const
    {
        const Value frames = m_objects.at(block, "frames");
        const std::vector<Value>& history = m_objects.list(m_objects.at(block, "history"));
        return frames.kind == Value::Kind::List || history.empty() ? frames : m_objects.at(history.front(), "frames");
    }

    void readTraces()
    {
        std::int64_t number = 0;
        for (const Value& trace : m_objects.list(part("device_traces"))) {
            for (const Value& run : m_objects.list(trace))
                if (run.kind == Value::Kind::Entries)
                    addEvents(deviceOf(number), run);
            ++number;
        }
        m_entries.events().clear();
        m_entries.events().shrink_to_fit();
    }

    void addEvents(DeviceRecording& device, const Value& run)
    {
        std::vector<RecordedEvent>& all = m_entries.events();
        const bool isAll = device.events.empty() && run.count == all.size();
        if (isAll)
            device.events = std::move(all);
        else
            device.events.insert(device.events.end(), all.begin() + static_cast<std::ptrdiff_t>(run.payload),
                all.begin() + static_cast<std::ptrdiff_t>(run.payload + run.count));
        std::erase_if(
            device.events, [](const RecordedEvent& event) { return event.kind == SnapshotEntries::kIgnored; });
        if (m_entries.isOfProfile())
            for (RecordedEvent& event : device.events)
                event.blockBytes = event.bytes;
        device.contradictions += static_cast<std::int64_t>(std::erase_if(device.events, [](const RecordedEvent& event) {
            return !isSensible(event.address, event.bytes) || !isSensible(event.address, event.blockBytes)
                || (event.blockBytes > 0 && event.blockBytes < event.bytes);
        }));
    }

    // Times are counted from the first event of the file; where it has none, events lie a microsecond apart.
    void setTimes()
    {
        std::optional<std::int64_t> first;
        for (const auto& [number, device] : m_devices)
            if (!device.events.empty())
                first = std::min(first.value_or(kMostFileNs), device.events.front().timeNs);
        m_firstNs = m_recording.isOwnExport ? 0 : first.value_or(0);
        for (auto& [number, device] : m_devices) {
            std::int64_t last = m_recording.isOwnExport ? std::numeric_limits<std::int64_t>::min() : 0;
            for (RecordedEvent& event : device.events) {
                event.timeNs = m_entries.hasTimes() ? std::max(last, sinceFirst(event.timeNs)) : last + 1000;
                last = event.timeNs;
            }
        }
    }

    // Bounded as the times of the file are: differences of two of them have 64 bits, too.
    std::int64_t sinceFirst(std::int64_t timeNs) const { return withinFileNs(timeNs - m_firstNs); }

    void readNotes()
    {
        for (const SnapshotEntries::Note& note : m_entries.notes()) {
            const std::int64_t timeNs = std::max<std::int64_t>(sinceFirst(note.timeNs), 0);
            m_recording.records.markers.push_back(
                {.beginNs = timeNs, .endNs = timeNs, .isMark = true, .name = note.text});
        }
    }

    void readPhases()
    {
        std::map<std::string, std::vector<trace::PhaseSpan>> open;
        for (const Value& edge : m_objects.list(part("external_annotations"))) {
            const std::string name(m_objects.text(m_objects.at(edge, "name")));
            const Value exact = m_objects.at(edge, "time_ns"); // of exports
            const std::int64_t timeNs = exact.isNumber()
                ? withinFileNs(exact.integer())
                : sinceFirst(fileNsOf(m_objects.at(edge, "time_us").integer()));
            if (m_objects.text(m_objects.at(edge, "stage")) == "START")
                open[name].push_back(phaseOf(edge, name, timeNs));
            else if (auto& spans = open[name]; !spans.empty()) {
                spans.back().endNs = std::max(timeNs, spans.back().beginNs);
                m_recording.phases.push_back(spans.back());
                spans.pop_back();
            }
        }
        if (!m_recording.isOwnExport) // whose order is that of the recording
            std::ranges::stable_sort(m_recording.phases, {}, &trace::PhaseSpan::beginNs);
    }

    // "Optimizer.step#AdamW.step" is an update; ours have a step of their own.
    trace::PhaseSpan phaseOf(const Value& edge, const std::string& name, std::int64_t timeNs) const
    {
        const Value step = m_objects.at(edge, "step");
        const bool isUpdate = name.starts_with("Optimizer.step");
        const bool isClearing = name.starts_with("Optimizer.zero_grad");
        return {isUpdate     ? "optimizer"
                : isClearing ? "zero_grad"
                             : name,
            step.isNumber() ? step.integer() : -1, timeNs, timeNs};
    }

    void finish(std::int64_t number, DeviceRecording& device)
    {
        std::ranges::sort(device.before, {}, &RecordedSegment::address);
        if (m_hasMadeUpSegments)
            std::erase_if(device.events, [](const RecordedEvent& event) {
                return event.kind == EventKind::SegmentAlloc || event.kind == EventKind::SegmentFree;
            });
        device.hasSegments = (!m_hasMadeUpSegments && !device.before.empty())
            || std::ranges::any_of(device.events, [](const auto& event) {
                   return event.kind == EventKind::SegmentAlloc || event.kind == EventKind::SegmentMap;
               });
        if (m_hasMadeUpSegments)
            device.before.clear();
        else
            findStart(device);
        if (m_entries.isOfProfile())
            finishProfile(number, device);
        if (device.privateSegments > 0)
            m_recording.remarks.push_back(
                fmt::format("device {}: {} in private pools (of CUDA graphs or MemPool); what "
                            "a pool has is kept apart, but a flush takes it back, too",
                    number, counted(device.privateSegments, "segment")));
        if (device.contradictions > 0)
            m_recording.remarks.push_back(fmt::format("device {}: {} without a possible address or size left out",
                number, counted(device.contradictions, "event")));
        if (!device.isEmpty())
            m_recording.devices.push_back(std::move(device));
    }

    // What modules compute is kept for a backward pass if there is one.
    void forgetSavedActivations()
    {
        std::vector<trace::MemoryOwner> owners(m_recording.owners.all().begin(), m_recording.owners.all().end());
        for (trace::MemoryOwner& owner : owners)
            if (owner.category == config::MemoryCategory::SavedActivations)
                owner.category = config::MemoryCategory::Unknown;
        m_recording.owners = trace::OwnerTable(std::move(owners));
    }

    static_assert(kMostPrivatePools < 255); // below the streams that stand for blocks given back

    void findStart(DeviceRecording& device) const
    {
        findPrivatePools(device, device.before);
        device.before = segmentsBefore(std::move(device.before), device, m_recording.settings());
    }

    // The last device of a profile is the processor.
    void finishProfile(std::int64_t number, DeviceRecording& device)
    {
        completeProfile(device, m_entries.owners().table());
        if (number + 1 == static_cast<std::int64_t>(m_objects.list(part("device_traces")).size()))
            device.device = -1;
    }

    void noteOddities()
    {
        if (m_entries.isOfProfile())
            m_recording.remarks.emplace_back("a profile, as torch.cuda._memory_viz writes it, tells of tensors: no "
                                             "segments and no times; its events are shown a microsecond apart");
        else if (!m_entries.hasTimes())
            m_recording.remarks.emplace_back(
                "the file tells no times (torch before 2.2): its events are shown a microsecond apart");
        for (const std::string& action : m_entries.unknownActions())
            m_recording.remarks.push_back("entries of the unknown action \"" + action + "\" are left out");
    }

    const Objects& m_objects;
    Value m_root;
    SnapshotEntries& m_entries;
    std::string m_file;
    Recording m_recording;
    std::map<std::int64_t, DeviceRecording> m_devices;
    std::map<std::vector<std::int64_t>, std::uint16_t> m_pools; ///< private ones by their id
    std::int64_t m_firstNs = 0;
    bool m_hasMadeUpSegments = false; ///< the allocator had none; the export gave each block its own
};

} // namespace

Recording snapshotRecording(
    const Objects& objects, const Value& root, SnapshotEntries& entries, const std::string& file)
{
    return SnapshotReader(objects, root, entries, file).read();
}

} // namespace headroom::recordings
