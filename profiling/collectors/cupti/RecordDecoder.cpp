// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cupti/RecordDecoder.h"

#include <cupti.h>

#include <array>
#include <cstdlib>
#include <utility>

namespace headroom::collectors::cupti {
namespace {

constexpr std::int64_t kNeverEnded = -1;

constexpr std::uint32_t kMostKinds = 128; // 13.0 has 56
constexpr std::size_t kMostBytes = 1024;
constexpr std::size_t kAlignment = 8; // ACTIVITY_RECORD_ALIGNMENT

// The distance between the first two records of a buffer in which a record of this kind could begin at every aligned
// position.
std::size_t stepOver(std::uint32_t kind)
{
    struct Place {
        std::uint32_t kind;
        std::uint32_t rest;
    };
    static_assert(sizeof(Place) == kAlignment);
    alignas(kAlignment) std::array<Place, 2 * kMostBytes / kAlignment> places;
    places.fill({kind, 0});
    auto* buffer = reinterpret_cast<std::uint8_t*>(places.data());
    CUpti_Activity* record = nullptr;
    for (int index = 0; index < 2; ++index)
        if (cuptiActivityGetNextRecord(buffer, sizeof(places), &record) != CUPTI_SUCCESS)
            return 0;
    return static_cast<std::size_t>(reinterpret_cast<std::uint8_t*>(record) - buffer);
}

} // namespace

void MarkerRanges::begin(trace::MarkerRecord range)
{
    range.endNs = kNeverEnded;
    // A pending end belongs to this begin unless it is earlier: then it belongs to an earlier range with the same id.
    if (const auto end = m_ends.find(range.id); end != m_ends.end() && end->second >= range.beginNs) {
        range.endNs = end->second;
        m_ends.erase(end);
        m_complete.push_back(std::move(range));
        return;
    }
    const auto [it, isNew] = m_open.try_emplace(range.id, range);
    if (!isNew)
        m_complete.push_back(std::exchange(it->second, std::move(range)));
}

void MarkerRanges::end(std::uint32_t id, std::int64_t timeNs)
{
    const auto it = m_open.find(id);
    if (it == m_open.end() || it->second.beginNs > timeNs) {
        m_replacedEnds += m_ends.insert_or_assign(id, timeNs).second ? 0 : 1;
        return;
    }
    it->second.endNs = timeNs;
    m_complete.push_back(std::move(it->second));
    m_open.erase(it);
}

void MarkerRanges::mark(trace::MarkerRecord mark)
{
    mark.endNs = mark.beginNs;
    m_complete.push_back(std::move(mark));
}

std::vector<trace::MarkerRecord> MarkerRanges::takeComplete()
{
    return std::exchange(m_complete, {});
}

std::vector<trace::MarkerRecord> MarkerRanges::takeAll()
{
    for (auto& [id, range] : m_open)
        m_complete.push_back(std::move(range));
    m_open.clear();
    return takeComplete();
}

RecordSizes RecordSizes::ofLibrary()
{
    std::map<std::uint32_t, std::size_t> bytes;
    for (std::uint32_t kind = 1; kind < kMostKinds; ++kind)
        if (const std::size_t step = stepOver(kind); step > 0)
            bytes[kind] = step;
    return RecordSizes(std::move(bytes));
}

std::size_t RecordSizes::of(std::uint32_t kind) const
{
    const auto it = m_bytes.find(kind);
    return it == m_bytes.end() ? 0 : it->second;
}

RecordDecoder::RecordDecoder(const StampAxis& axis, RecordSizes sizes)
    : m_axis(axis)
    , m_sizes(std::move(sizes))
{
}

void RecordDecoder::decode(std::span<std::uint8_t> valid, trace::DeviceRecords& records)
{
    CUpti_Activity* record = nullptr;
    std::size_t end = 0;
    while (cuptiActivityGetNextRecord(valid.data(), valid.size(), &record) == CUPTI_SUCCESS) {
        const auto begin = static_cast<std::size_t>(reinterpret_cast<std::uint8_t*>(record) - valid.data());
        const std::size_t size = m_sizes.of(record->kind);
        if (size == 0 || begin + size > valid.size())
            break;
        end = begin + size;
        ++m_counts.records;
        add(*record, records);
    }
    m_counts.unreadableBytes += static_cast<Bytes>(valid.size() - end);
    for (trace::MarkerRecord& marker : m_markers.takeComplete())
        records.markers.push_back(std::move(marker));
}

void RecordDecoder::finish(trace::DeviceRecords& records)
{
    for (trace::MarkerRecord& marker : m_markers.takeAll())
        records.markers.push_back(std::move(marker));
}

void RecordDecoder::add(CUpti_Activity& activity, trace::DeviceRecords& records)
{
    switch (activity.kind) {
    case CUPTI_ACTIVITY_KIND_MEMORY2:
        if (const auto* memory = as<MemoryActivity>(activity))
            records.memory.push_back(recordOf(*memory, m_axis));
        return;
    case CUPTI_ACTIVITY_KIND_MEMORY_POOL:
        if (const auto* pool = as<PoolActivity>(activity))
            records.pools.push_back(recordOf(*pool, m_axis));
        return;
    case CUPTI_ACTIVITY_KIND_MEMCPY:
        return addSpan<CopyActivity>(activity, records.copies);
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
        return addSpan<PeerCopyActivity>(activity, records.copies);
    case CUPTI_ACTIVITY_KIND_MEMSET:
        return addSpan<MemsetActivity>(activity, records.memsets);
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
        return addSpan<KernelActivity>(activity, records.kernels);
    case CUPTI_ACTIVITY_KIND_RUNTIME:
    case CUPTI_ACTIVITY_KIND_DRIVER:
        return addCall(activity, records);
    case CUPTI_ACTIVITY_KIND_OVERHEAD:
        return addOverhead(activity, records);
    case CUPTI_ACTIVITY_KIND_MARKER:
        return addMarker(activity);
    case CUPTI_ACTIVITY_KIND_DEVICE:
        return releaseName(activity);
    default:
        ++m_counts.unknownKinds[activity.kind];
    }
}

template <typename Activity> const Activity* RecordDecoder::as(const CUpti_Activity& activity)
{
    if (m_sizes.of(activity.kind) >= sizeof(Activity))
        return reinterpret_cast<const Activity*>(&activity);
    ++m_counts.smallRecords;
    return nullptr;
}

template <typename Activity, typename Record>
void RecordDecoder::addSpan(CUpti_Activity& activity, std::vector<Record>& records)
{
    const auto* span = as<Activity>(activity);
    if (span == nullptr)
        return;
    m_counts.lostTimes += span->start == 0 && span->end == 0 ? 1 : 0;
    m_counts.unfinished += span->start != 0 && span->end == 0 ? 1 : 0;
    records.push_back(recordOf(*span, m_axis));
}

void RecordDecoder::addMarker(const CUpti_Activity& activity)
{
    const auto* side = as<MarkerActivity>(activity);
    if (side == nullptr)
        return;
    trace::MarkerRecord marker = recordOf(*side, m_axis);
    if (marker.isMark)
        m_markers.mark(std::move(marker));
    else if ((side->flags & CUPTI_ACTIVITY_FLAG_MARKER_END) != 0)
        m_markers.end(marker.id, marker.beginNs);
    else
        m_markers.begin(std::move(marker));
}

void RecordDecoder::addCall(const CUpti_Activity& activity, trace::DeviceRecords& records)
{
    const auto* call = as<ApiActivity>(activity);
    if (call == nullptr)
        return;
    trace::ApiRecord record = recordOf(*call, m_axis);
    record.name = nameOf(record);
    records.calls.push_back(std::move(record));
}

// The record owns the memory that it points to.
void RecordDecoder::addOverhead(CUpti_Activity& activity, trace::DeviceRecords& records)
{
    if (as<OverheadActivity>(activity) == nullptr)
        return;
    auto& overhead = reinterpret_cast<OverheadActivity&>(activity);
    records.overheads.push_back(recordOf(overhead, m_axis));
    std::free(overhead.overheadData);
    overhead.overheadData = nullptr;
}

// Nothing is decoded from a device record, as the runtime provides the same data. Its name still has to be freed.
void RecordDecoder::releaseName(CUpti_Activity& activity)
{
    if (as<DeviceActivity>(activity) == nullptr)
        return;
    auto& device = reinterpret_cast<DeviceActivity&>(activity);
    std::free(const_cast<char*>(device.name));
    device.name = nullptr;
}

const std::string& RecordDecoder::nameOf(const trace::ApiRecord& call)
{
    const auto [it, isNew] = m_callNames.try_emplace({call.isDriver, call.callbackId});
    if (!isNew)
        return it->second;
    const char* name = nullptr;
    const auto domain = call.isDriver ? CUPTI_CB_DOMAIN_DRIVER_API : CUPTI_CB_DOMAIN_RUNTIME_API;
    if (cuptiGetCallbackName(domain, call.callbackId, &name) == CUPTI_SUCCESS && name != nullptr)
        it->second = name;
    return it->second;
}

} // namespace headroom::collectors::cupti
