// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/MemoryCounters.h"

namespace headroom::trace {
namespace {

Bytes wrappingSum(Bytes a, Bytes b)
{
    return static_cast<Bytes>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

Bytes wrappingDifference(Bytes a, Bytes b)
{
    return static_cast<Bytes>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

} // namespace

std::string_view counterName(Counter counter)
{
    switch (counter) {
    case Counter::Allocated:
        return "allocated";
    case Counter::Reserved:
        return "reserved";
    case Counter::Active:
        return "active";
    }
    return {};
}

void MemoryCounters::apply(const AllocatorEvent& event)
{
    switch (event.action) {
    case Action::Alloc:
        allocated = wrappingSum(allocated, event.bytes);
        active = wrappingSum(active, event.bytes);
        break;
    case Action::FreeRequested:
        allocated = wrappingDifference(allocated, event.bytes);
        break;
    case Action::FreeCompleted:
        active = wrappingDifference(active, event.bytes);
        break;
    case Action::SegmentAlloc:
    case Action::SegmentMap:
        reserved = wrappingSum(reserved, event.bytes);
        break;
    case Action::SegmentFree:
    case Action::SegmentUnmap:
        reserved = wrappingDifference(reserved, event.bytes);
        break;
    case Action::OutOfMemory:
    case Action::Relabelled:
        break;
    }
}

Bytes MemoryCounters::of(Counter counter) const
{
    switch (counter) {
    case Counter::Allocated:
        return allocated;
    case Counter::Reserved:
        return reserved;
    case Counter::Active:
        return active;
    }
    return 0;
}

} // namespace headroom::trace
