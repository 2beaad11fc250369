// SPDX-License-Identifier: Apache-2.0
#include "profiling/recordings/MemoryTimeline.h"

#include "core/base/Error.h"
#include "profiling/trace/Columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <map>
#include <utility>

namespace headroom::recordings {
namespace {

using config::MemoryCategory;

// In the order in which torch.profiler numbers its categories; the last one is of what it cannot tell. Gradients of
// activations are its AUTOGRAD_DETAIL.
constexpr std::array kTimelineCategories{MemoryCategory::Weights, MemoryCategory::OptimizerState,
    MemoryCategory::Inputs, MemoryCategory::Temporaries, MemoryCategory::SavedActivations, MemoryCategory::Gradients,
    MemoryCategory::Temporaries, MemoryCategory::Unknown};
constexpr std::size_t kCategories = kTimelineCategories.size();
constexpr std::int64_t kPreexistingAction = 1;
constexpr std::int64_t kNewVersion = 3;
constexpr Bytes kMostTimelineBytes = Bytes{1} << 50;
constexpr std::int64_t kNsOfMicrosecond = 1'000;
constexpr std::int64_t kLastMicrosecond = std::numeric_limits<std::int64_t>::max() / kNsOfMicrosecond;

bool isListOfLists(const Objects& objects, const Value& value)
{
    const std::vector<Value>& list = objects.list(value);
    return !list.empty() && list.front().kind == Value::Kind::List;
}

bool isRawTimeline(const Objects& objects, const Value& root)
{
    return isListOfLists(objects, root) && objects.list(objects.list(root).front()).size() == 4
        && objects.list(objects.list(root).front()).front().isNumber();
}

bool isTimelineByCategory(const Objects& objects, const Value& root)
{
    const std::vector<Value>& both = objects.list(root);
    return both.size() == 2 && both[0].kind == Value::Kind::List && both[1].kind == Value::Kind::List
        && (objects.list(both[0]).empty() || isListOfLists(objects, both[1]));
}

/// Blocks of nobody's address, by size and category.
class TimelineReader {
public:
    TimelineReader(const Objects& objects, const std::string& file)
        : m_objects(objects)
        , m_file(file)
        , m_device(m_recording.devices.emplace_back())
    {
        m_recording.format = "memory-timeline";
        m_device.hasSegments = false;
        for (std::size_t i = 0; i < kCategories; ++i)
            m_owners[i] = m_recording.owners.idOf({.category = kTimelineCategories[i]});
    }

    Recording readByCategory(const Value& root)
    {
        const std::vector<Value>& times = m_objects.list(m_objects.list(root)[0]);
        const std::vector<Value>& sizes = m_objects.list(m_objects.list(root)[1]);
        if (times.size() != sizes.size())
            fail(fmt::format("{} times and {} sizes", times.size(), sizes.size()), "as many sizes as times");
        for (std::size_t i = 0; i < times.size(); ++i)
            become(microseconds(times[i], i), m_objects.list(sizes[i]), i);
        return finished("the file tells the sum of each category over time, not single blocks, and not its device");
    }

    Recording readRaw(const Value& root)
    {
        const std::vector<Value>& entries = m_objects.list(root);
        for (std::size_t i = 0; i < entries.size(); ++i)
            add(m_objects.list(entries[i]), i);
        tellPending();
        return finished("the file tells sizes and categories of blocks, not their addresses, and not its device");
    }

private:
    [[noreturn]] void fail(const std::string& found, const std::string& valid) const
    {
        throw FileError("a memory timeline with " + found, m_file, valid);
    }

    Bytes bytesOf(const Value& value, std::size_t entry) const
    {
        const std::int64_t bytes = value.integer();
        if (!value.isNumber() || bytes < -kMostTimelineBytes || bytes > kMostTimelineBytes)
            fail(fmt::format("a size that is none in entry {}", entry), "sizes of memory");
        return bytes;
    }

    std::int64_t microseconds(const Value& value, std::size_t entry) const
    {
        if (!value.isNumber() || std::abs(std::max(value.integer(), -kLastMicrosecond)) > kLastMicrosecond)
            fail(fmt::format("a time that is none in entry {}", entry), "microseconds");
        return value.integer() * kNsOfMicrosecond;
    }

    std::int64_t since(std::int64_t ns)
    {
        m_firstNs = m_firstNs.value_or(ns);
        m_lastNs = std::max(m_lastNs, trace::wrappingDelta(*m_firstNs, ns));
        return m_lastNs;
    }

    // Both in one event would be a change of owner, which sums do not tell: less comes first, so that no peak is made
    // up.
    void become(std::int64_t ns, const std::vector<Value>& sizes, std::size_t entry)
    {
        if (sizes.size() != kCategories && sizes.size() != kCategories + 1)
            fail(fmt::format("{} categories in entry {}", sizes.size(), entry), fmt::format("{}", kCategories));
        const std::int64_t timeNs = since(ns);
        std::array<Bytes, kCategories> changes{};
        for (std::size_t i = 0; i < kCategories; ++i) // where there is one more, the first is always 0
            changes[i] = bytesOf(sizes[i + sizes.size() - kCategories], entry) - m_held[i];
        for (std::size_t i = 0; i < kCategories; ++i)
            if (changes[i] < 0)
                release(i, -changes[i], timeNs);
        for (std::size_t i = 0; i < kCategories; ++i)
            if (changes[i] > 0)
                allocate(i, changes[i], timeNs);
    }

    void allocate(std::size_t category, Bytes bytes, std::int64_t timeNs)
    {
        m_held[category] += bytes;
        m_blocks[category].emplace_back(m_next, bytes);
        tell(EventKind::Alloc, m_next, bytes, category, timeNs);
        advance(bytes);
    }

    // The last ones that were taken; of one that is too large the rest comes back.
    void release(std::size_t category, Bytes bytes, std::int64_t timeNs)
    {
        while (bytes > 0 && !m_blocks[category].empty()) {
            const auto [address, held] = m_blocks[category].back();
            m_blocks[category].pop_back();
            tellFreed(address, held, category, timeNs);
            m_held[category] -= held;
            if (held > bytes)
                allocate(category, held - bytes, timeNs);
            bytes -= std::min(bytes, held);
        }
        if (bytes > 0) // less than nothing
            ++m_device.contradictions;
        m_held[category] -= bytes;
    }

    /// An entry of the raw form: time in nanoseconds, action, bytes, category.
    void add(const std::vector<Value>& entry, std::size_t number)
    {
        if (entry.size() != 4 || !entry[0].isNumber() || !entry[1].isNumber() || !entry[3].isNumber()
            || entry[3].unsignedInteger() >= kCategories)
            fail(fmt::format("an entry {} that is no change", number), "[time, action, bytes, category]");
        const Bytes bytes = bytesOf(entry[2], number);
        const auto category = static_cast<std::size_t>(entry[3].integer());
        if (entry[1].integer() == kNewVersion && m_pending && bytes == m_pending->bytes)
            return relabel(category);
        tellPending();
        if (bytes > 0)
            return allocateRaw(entry[1].integer(), entry[0].integer(), bytes, category);
        m_pending = Pending{since(entry[0].integer()), -bytes, category};
        if (entry[1].integer() != kNewVersion)
            tellPending();
    }

    void allocateRaw(std::int64_t action, std::int64_t ns, Bytes bytes, std::size_t category)
    {
        m_places[{bytes, category}].push_back(m_next);
        if (action == kPreexistingAction && ns < 0)
            m_device.before.push_back(segmentBefore(bytes, category));
        else
            tell(EventKind::Alloc, m_next, bytes, category, since(ns));
        advance(bytes);
    }

    RecordedSegment segmentBefore(Bytes bytes, std::size_t category) const
    {
        RecordedSegment segment;
        segment.address = m_next;
        segment.bytes = bytes;
        segment.blocks.push_back({m_next, bytes, bytes, true, false, m_owners[category]});
        return segment;
    }

    // 0 where there is none.
    Address placeOf(Bytes bytes, std::size_t category)
    {
        std::vector<Address>& places = m_places[{bytes, category}];
        if (places.empty())
            return 0;
        const Address address = places.back();
        places.pop_back();
        return address;
    }

    // A new version of a tensor is the same block.
    void relabel(std::size_t category)
    {
        const Pending pending = *std::exchange(m_pending, std::nullopt);
        const Address address = placeOf(pending.bytes, pending.category);
        if (address == 0) {
            ++m_device.contradictions;
            return;
        }
        m_places[{pending.bytes, category}].push_back(address);
        if (kTimelineCategories[category] == kTimelineCategories[pending.category])
            return;
        tell(EventKind::Relabelled, address, pending.bytes, category, pending.timeNs);
        m_device.events.back().previousOwner = m_owners[pending.category];
    }

    void tellPending()
    {
        if (!m_pending)
            return;
        const Pending pending = *std::exchange(m_pending, std::nullopt);
        if (const Address address = placeOf(pending.bytes, pending.category); address != 0)
            tellFreed(address, pending.bytes, pending.category, pending.timeNs);
        else if (pending.bytes != 0)
            ++m_device.contradictions;
    }

    void tellFreed(Address address, Bytes bytes, std::size_t category, std::int64_t timeNs)
    {
        tell(EventKind::FreeRequested, address, bytes, category, timeNs);
        tell(EventKind::FreeCompleted, address, bytes, category, timeNs);
    }

    void tell(EventKind kind, Address address, Bytes bytes, std::size_t category, std::int64_t timeNs)
    {
        m_device.events.push_back({address, bytes, bytes, timeNs, 0, m_owners[category], kind});
    }

    void advance(Bytes bytes) { m_next += static_cast<Address>(roundUp(bytes, kMiB)); }

    Recording finished(const char* remark)
    {
        if (m_device.isEmpty())
            fail("no memory in it", "one of a device that the profile used");
        m_recording.remarks.emplace_back(remark);
        if (m_device.contradictions > 0)
            m_recording.remarks.push_back(fmt::format("{} changes fit to nothing", m_device.contradictions));
        return std::move(m_recording);
    }

    /// Memory that goes back, or gets another category in the next entry.
    struct Pending {
        std::int64_t timeNs = 0;
        Bytes bytes = 0;
        std::size_t category = 0;
    };

    const Objects& m_objects;
    const std::string& m_file;
    Recording m_recording;
    DeviceRecording& m_device;
    std::array<trace::OwnerId, kCategories> m_owners{};
    std::array<Bytes, kCategories> m_held{};
    std::array<std::vector<std::pair<Address, Bytes>>, kCategories> m_blocks;
    std::map<std::pair<Bytes, std::size_t>, std::vector<Address>> m_places;
    std::optional<Pending> m_pending;
    std::optional<std::int64_t> m_firstNs;
    std::int64_t m_lastNs = 0;
    Address m_next = Address{1} << 52;
};

} // namespace

bool isMemoryTimeline(const Objects& objects, const Value& root)
{
    return isTimelineByCategory(objects, root) || isRawTimeline(objects, root);
}

Recording memoryTimelineRecording(const Objects& objects, const Value& root, const std::string& file)
{
    TimelineReader reader(objects, file);
    return isTimelineByCategory(objects, root) ? reader.readByCategory(root) : reader.readRaw(root);
}

} // namespace headroom::recordings
