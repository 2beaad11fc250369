// SPDX-License-Identifier: Apache-2.0
#include "core/base/Error.h"
#include "profiling/recordings/FrameCategories.h"
#include "profiling/recordings/ProfilerEntries.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace headroom::recordings {
namespace {

/// Follows the spans of each thread, which nest, and tells which were open when memory was taken. Of each call stack
/// the text is put together once, and charged to the file's bound on memory.
class OpenSpans {
public:
    OpenSpans(const Objects& objects, std::vector<HostSpan>& spans, trace::OwnerTable& owners)
        : m_objects(objects)
        , m_spans(spans)
        , m_owners(owners)
    {
        std::ranges::sort(m_spans, [](const HostSpan& a, const HostSpan& b) {
            return std::tuple(a.thread, a.beginNs, -a.endNs) < std::tuple(b.thread, b.beginNs, -b.endNs);
        });
    }

    /// Reports in the order of thread and time.
    trace::OwnerId ownerAt(const MemoryReport& report)
    {
        while (m_next < m_spans.size()
            && std::tuple(m_spans[m_next].thread, m_spans[m_next].beginNs) <= std::tuple(report.thread, report.timeNs))
            open(m_spans[m_next++]);
        const auto isOver = [&](const HostSpan* span) {
            return span->thread != report.thread || span->endNs < report.timeNs;
        };
        const auto before = m_open.size();
        std::erase_if(m_open, isOver);
        if (before != m_open.size() || !m_owner)
            m_owner = ownerOfOpen();
        return *m_owner;
    }

private:
    void open(const HostSpan& span)
    {
        std::erase_if(m_open,
            [&](const HostSpan* other) { return other->thread != span.thread || other->endNs <= span.beginNs; });
        if (m_open.size() == kMostFrames)
            throw std::length_error("more than " + std::to_string(kMostFrames) + " spans of one thread in each other");
        m_open.push_back(&span);
        m_owner.reset();
    }

    trace::OwnerId ownerOfOpen()
    {
        std::u32string names;
        for (const HostSpan* span : m_open)
            names.push_back(span->name);
        const auto [found, isNew] = m_ofStacks.try_emplace(std::move(names), trace::kUnknownOwner);
        if (isNew && !m_open.empty())
            found->second = ownerOf(found->first);
        return found->second;
    }

    trace::OwnerId ownerOf(const std::u32string& names)
    {
        std::vector<StackFrame> stack;
        std::string modules;
        FrameSigns signs = 0;
        std::size_t bytes = sizeof(trace::MemoryOwner) + names.size() * sizeof(char32_t);
        for (const char32_t number : names) {
            const std::string_view name = m_objects.textOf(number);
            bytes += 2 * name.size() + 1; // of a module twice
            constexpr std::string_view kModule = "nn.Module: ";
            if (name.starts_with(kModule))
                modules.append(modules.empty() ? "" : ".").append(name.substr(kModule.size()));
            stack.push_back(frameOf(name));
            signs |= signsOf(stack.back());
        }
        m_objects.charge(2 * bytes); // the table has two copies
        std::ranges::reverse(stack);
        return m_owners.idOf({.category = categoryOf(signs), .module = modules, .frames = linesOf(stack)});
    }

    const Objects& m_objects;
    std::vector<HostSpan>& m_spans;
    trace::OwnerTable& m_owners;
    std::size_t m_next = 0;
    std::vector<const HostSpan*> m_open;
    std::unordered_map<std::u32string, trace::OwnerId> m_ofStacks; ///< by the numbers of the names
    std::optional<trace::OwnerId> m_owner;
};

std::string_view ownText(const Objects& objects, const Value& root, std::string_view key)
{
    return objects.text(objects.at(objects.at(root, "otherData"), key));
}

bool isOwnExport(const Objects& objects, const Value& root)
{
    return ownText(objects, root, "product").starts_with("Headroom");
}

/// A trace that Headroom wrote has counters in place of blocks; its times are those of the trace.
Recording fromCounters(const Objects& objects, const Value& root, ProfilerEntries& entries)
{
    Recording recording;
    recording.format = "chrome";
    recording.isOwnExport = true;
    recording.isPredicted = ownText(objects, root, "kind") == "predicted";
    recording.deviceName = std::string(ownText(objects, root, "device"));
    recording.phases = std::move(entries.phases());
    recording.records = std::move(entries.records());
    DeviceRecording& device = recording.devices.emplace_back();
    device.hasSegments = false;
    const bool hasCategories = std::ranges::any_of(entries.counters(),
        [](const CounterValue& value) { return value.counter == CounterValue::Counter::ByCategory; });
    CounterEvents events(device, recording.owners, hasCategories);
    for (const CounterValue& value : entries.counters())
        events.add(value);
    recording.remarks.emplace_back("the trace tells every change of the counters, not whose block each was");
    return recording;
}

/// The reserved memory that reports tell the sum of, as segments that have no real address.
class ReservedSegments {
public:
    explicit ReservedSegments(DeviceRecording& device)
        : m_device(device)
        , m_total(device.heldBefore.reserved)
    {
    }

    void become(Bytes total, std::int64_t timeNs)
    {
        if (total > m_total)
            add(total - m_total, timeNs);
        while (total < m_total)
            remove(m_total - total, timeNs);
    }

private:
    void add(Bytes bytes, std::int64_t timeNs)
    {
        m_segments.emplace_back(m_next, bytes);
        m_device.events.push_back({m_next, bytes, 0, timeNs, 0, trace::kUnknownOwner, EventKind::SegmentAlloc});
        m_next += static_cast<Address>(roundUp(bytes, kMiB));
        m_total += bytes;
    }

    // The last one that was taken, and what is left of it comes back.
    void remove(Bytes bytes, std::int64_t timeNs)
    {
        const auto [address, held] = m_segments.empty() ? std::pair(m_next, bytes) : m_segments.back();
        if (!m_segments.empty())
            m_segments.pop_back();
        m_device.events.push_back({address, held, 0, timeNs, 0, trace::kUnknownOwner, EventKind::SegmentFree});
        m_total -= held;
        if (held > bytes)
            add(held - bytes, timeNs);
    }

    DeviceRecording& m_device;
    Bytes m_total;
    Address m_next = Address{1} << 56;
    std::vector<std::pair<Address, Bytes>> m_segments;
};

class ProfilerReader {
public:
    ProfilerReader(const Objects& objects, ProfilerEntries& entries)
        : m_objects(objects)
        , m_entries(entries)
    {
    }

    Recording read()
    {
        m_recording.format = "chrome";
        findFirst();
        giveOwners();
        readReports();
        m_recording.phases = std::move(m_entries.phases());
        m_recording.records = std::move(m_entries.records());
        shiftTimes();
        for (auto& [number, device] : m_devices)
            m_recording.devices.push_back(std::move(device));
        addRemarks();
        return std::move(m_recording);
    }

private:
    void findFirst()
    {
        std::optional<std::int64_t> first;
        for (const MemoryReport& report : m_entries.reports())
            first = std::min(first.value_or(kMostFileNs), report.timeNs);
        for (const trace::PhaseSpan& phase : m_entries.phases())
            first = std::min(first.value_or(kMostFileNs), phase.beginNs);
        m_firstNs = first.value_or(0);
    }

    void giveOwners()
    {
        auto& reports = m_entries.reports();
        std::vector<std::size_t> order(reports.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i] = i;
        std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
            return std::tuple(reports[a].thread, reports[a].timeNs) < std::tuple(reports[b].thread, reports[b].timeNs);
        });
        m_owners.resize(reports.size());
        OpenSpans spans(m_objects, m_entries.spans(), m_recording.owners);
        for (const std::size_t place : order)
            m_owners[place] = spans.ownerAt(reports[place]);
    }

    void readReports()
    {
        const auto& reports = m_entries.reports();
        std::vector<std::size_t> order(reports.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i] = i;
        std::ranges::stable_sort(order, {}, [&](std::size_t place) { return reports[place].timeNs; });
        std::map<int, ReservedSegments> segments;
        for (const std::size_t place : order) {
            const MemoryReport& report = reports[place];
            const auto found = m_devices.find(report.device);
            DeviceRecording& device = found == m_devices.end() ? begin(report) : found->second;
            segments.try_emplace(report.device, device)
                .first->second.become(report.totalReservedBytes, report.timeNs - m_firstNs);
            add(device, report, m_owners[place]);
        }
    }

    // What was held when the profiler began has no blocks.
    DeviceRecording& begin(const MemoryReport& report)
    {
        DeviceRecording& device = m_devices[report.device];
        device.device = report.device;
        device.hasSegments = false;
        device.heldBefore.allocated = std::max<Bytes>(0, report.totalAllocatedBytes - report.bytes);
        device.heldBefore.active = device.heldBefore.allocated;
        device.heldBefore.reserved = report.totalReservedBytes;
        return device;
    }

    void add(DeviceRecording& device, const MemoryReport& report, trace::OwnerId owner) const
    {
        const Bytes bytes = report.bytes > 0 ? report.bytes : -report.bytes;
        RecordedEvent event{report.address, bytes, bytes, report.timeNs - m_firstNs, 0, owner, EventKind::Alloc};
        if (report.bytes > 0)
            return device.events.push_back(event);
        event.kind = EventKind::FreeRequested;
        device.events.push_back(event);
        event.kind = EventKind::FreeCompleted;
        device.events.push_back(event);
    }

    void shiftTimes()
    {
        const auto shift = [this](auto& spans) {
            for (auto& span : spans) {
                span.beginNs = withinFileNs(span.beginNs - m_firstNs);
                span.endNs = withinFileNs(span.endNs - m_firstNs);
            }
        };
        shift(m_recording.phases);
        shift(m_recording.records.kernels);
        shift(m_recording.records.copies);
        shift(m_recording.records.memsets);
        shift(m_recording.records.calls);
        shift(m_recording.records.markers);
    }

    void addRemarks()
    {
        for (const DeviceRecording& device : m_recording.devices)
            if (device.heldBefore.allocated > 0)
                m_recording.remarks.push_back(fmt::format("{}: {} bytes were held before the profiler began, in blocks "
                                                          "that it does not tell of",
                    device.device < 0 ? "host" : fmt::format("device {}", device.device), device.heldBefore.allocated));
        m_recording.remarks.emplace_back(
            "the profiler tells sizes of blocks and the sum of reserved memory, not the segments");
    }

    const Objects& m_objects;
    ProfilerEntries& m_entries;
    Recording m_recording;
    std::map<int, DeviceRecording> m_devices;
    std::vector<trace::OwnerId> m_owners;
    std::int64_t m_firstNs = 0;
};

} // namespace

Recording profilerRecording(
    const Objects& objects, const Value& root, ProfilerEntries& entries, const std::string& file)
{
    const bool isTrace = root.kind == Value::Kind::List || objects.at(root, "traceEvents").kind == Value::Kind::List;
    if (!isTrace || entries.entries() == 0)
        throw FileError("JSON that is neither a trace nor a memory snapshot", file,
            "\"traceEvents\" with events of torch.profiler, or \"segments\" and \"device_traces\"");
    if (entries.reports().empty() && !entries.counters().empty() && isOwnExport(objects, root))
        return fromCounters(objects, root, entries);
    if (entries.reports().empty())
        throw FileError("a trace without memory events", file,
            "a trace of torch.profiler with profile_memory=True, or one that Headroom exported");
    try {
        return ProfilerReader(objects, entries).read();
    } catch (const std::length_error& error) {
        throw FileError(std::string("the trace has ") + error.what(), file, "a trace of torch.profiler");
    }
}

} // namespace headroom::recordings
