// SPDX-License-Identifier: Apache-2.0
#include "profiling/recordings/SnapshotReader.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "profiling/recordings/PrivatePools.h"
#include "profiling/recordings/ProfileSnapshot.h"
#include "profiling/recordings/RingStart.h"
#include "profiling/recordings/SnapshotSegments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace headroom::recordings {
namespace {

constexpr const char* kValidSnapshot = "a file of torch.cuda.memory._dump_snapshot";

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
        , m_named(objects)
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
        if (!m_recording.isOwnExport && !m_entries.isOfTraining() && !m_entries.isOfProfile() && !hasForwardOfAStep())
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
        m_recording.deviceName = std::string(m_objects.line(m_objects.at(origin, "device"), "a device's name"));
    }

    // PYTORCH_CUDA_ALLOC_CONF as it was; without it, what is told of single settings.
    void readSettings()
    {
        const Value settings = part("allocator_settings");
        std::string text;
        for (const char* const name : {"PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF"})
            if (text.empty())
                text = std::string(m_objects.line(m_objects.at(settings, name), name));
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
        DeviceRecording& device = m_devices[number];
        device.device = deviceNumber(number);
        return device;
    }

    void readSegments()
    {
        SnapshotSegments segments(m_objects, m_entries, m_named);
        for (const Value& value : m_objects.list(part("segments"))) {
            if (m_objects.dict(value).empty())
                continue;
            DeviceRecording& device = deviceOf(m_objects.at(value, "device").integer());
            RecordedSegment segment = segments.read(value);
            device.privateSegments += segment.privatePool != 0 ? 1 : 0;
            if (isSensible(segment.address, segment.bytes) && segment.bytes > 0)
                device.before.push_back(std::move(segment));
            else
                ++device.contradictions;
        }
    }

    void readTraces()
    {
        std::int64_t number = 0;
        for (const Value& trace : m_objects.list(part("device_traces"))) {
            m_named.requireOnce(trace, "a device's trace");
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
            const std::string_view text = m_objects.line(note.text, "the text of a note");
            m_objects.charge(sizeof(trace::MarkerRecord) + text.size());
            m_recording.records.markers.push_back(
                {.beginNs = timeNs, .endNs = timeNs, .isMark = true, .name = std::string(text)});
        }
    }

    struct OpenPhase {
        Value step;
        std::int64_t beginNs = 0;
    };

    void readPhases()
    {
        std::map<std::uint64_t, std::vector<OpenPhase>> open; // by the numbers of their names
        for (const Value& edge : m_objects.list(part("external_annotations"))) {
            m_named.requireOnce(edge, "an annotation");
            const Value name = m_objects.at(edge, "name");
            std::vector<OpenPhase>& spans = open[name.kind == Value::Kind::Text ? name.payload + 1 : 0];
            const Value exact = m_objects.at(edge, "time_ns"); // of exports
            const std::int64_t timeNs = exact.isNumber()
                ? withinFileNs(exact.integer())
                : sinceFirst(fileNsOf(m_objects.at(edge, "time_us").integer()));
            if (m_objects.text(m_objects.at(edge, "stage")) == "START")
                spans.push_back({m_objects.at(edge, "step"), timeNs});
            else if (!spans.empty()) {
                addPhase(name, spans.back(), timeNs);
                spans.pop_back();
            }
        }
        if (!m_recording.isOwnExport) // whose order is that of the recording
            std::ranges::stable_sort(m_recording.phases, {}, &trace::PhaseSpan::beginNs);
    }

    // "Optimizer.step#AdamW.step" is an update; ours have a step of their own.
    void addPhase(const Value& named, const OpenPhase& phase, std::int64_t endNs)
    {
        const std::string_view name = m_objects.line(named, "the name of an annotation");
        const bool isUpdate = name.starts_with("Optimizer.step");
        const bool isClearing = name.starts_with("Optimizer.zero_grad");
        m_objects.charge(sizeof(trace::PhaseSpan) + name.size());
        m_recording.phases.push_back({std::string(isUpdate ? "optimizer"
                                              : isClearing ? "zero_grad"
                                                           : name),
            phase.step.isNumber() ? phase.step.integer() : -1, phase.beginNs, std::max(endNs, phase.beginNs)});
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

    // A rehearsal says in which phase of which step it is, also where memory runs out before the first backward pass.
    bool hasForwardOfAStep() const
    {
        return std::ranges::any_of(m_recording.phases,
            [](const trace::PhaseSpan& phase) { return phase.name == "forward" && phase.step >= 0; });
    }

    // What modules compute is kept for a backward pass if there is one.
    void forgetSavedActivations()
    {
        std::vector<trace::MemoryOwner> owners(m_recording.owners.all().begin(), m_recording.owners.all().end());
        for (trace::MemoryOwner& owner : owners)
            if (owner.category == config::MemoryCategory::SavedActivations)
                owner.category = config::MemoryCategory::Unknown;
        m_recording.owners = trace::OwnerTable(); // at most three copies of the texts at a time
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
    NamedOnce m_named;
    std::int64_t m_firstNs = 0;
    bool m_hasMadeUpSegments = false; ///< the allocator had none; the export gave each block its own
};

} // namespace

Recording snapshotRecording(
    const Objects& objects, const Value& root, SnapshotEntries& entries, const std::string& file)
{
    try {
        return SnapshotReader(objects, root, entries, file).read();
    } catch (const std::length_error& error) {
        throw FileError(std::string("it has ") + error.what(), file, kValidSnapshot);
    }
}

} // namespace headroom::recordings
