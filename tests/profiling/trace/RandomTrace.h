// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/AllocatorEvent.h"

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace headroom::trace {

/// A trace as an allocator would give it: blocks come and go, idle gaps between bursts, two streams, all deterministic.
inline std::vector<AllocatorEvent> randomTrace(std::size_t count, std::uint32_t seed = 1)
{
    std::mt19937 random(seed);
    std::vector<AllocatorEvent> live;
    std::vector<AllocatorEvent> events;
    std::int64_t timeNs = 1'000;
    std::uint64_t nextAddress = 0x7f0000000000;
    while (events.size() < count) {
        timeNs += random() % 50 == 0 ? 100'000 + random() % 1'000'000 : random() % 300;
        AllocatorEvent event;
        if (live.empty() || (live.size() < 3'000 && random() % 5 < 3)) {
            const Bytes requested = 1 + static_cast<Bytes>(random() % (8U << 20U));
            event = {timeNs, nextAddress, roundUp(requested, 512), requested, static_cast<std::int32_t>(random() % 2),
                random() % 20 == 0 ? Action::SegmentAlloc : Action::Alloc};
            nextAddress += static_cast<std::uint64_t>(event.bytes);
            if (event.action == Action::Alloc)
                live.push_back(event);
        } else {
            const std::size_t index = random() % live.size();
            event = live[index];
            event.timeNs = timeNs;
            if (event.action == Action::Alloc) {
                event.action = Action::FreeRequested;
                live[index].action = Action::FreeRequested;
            } else {
                event.action = Action::FreeCompleted;
                std::swap(live[index], live.back());
                live.pop_back();
            }
        }
        events.push_back(event);
    }
    return events;
}

/// Any bits at all: extremes of every field, times in no order.
inline std::vector<AllocatorEvent> arbitraryEvents(std::size_t count, std::uint32_t seed)
{
    std::mt19937_64 random(seed);
    const auto value = [&random]() { return static_cast<std::int64_t>(random() >> (random() % 64)); };
    std::vector<AllocatorEvent> events(count);
    for (AllocatorEvent& event : events) {
        event.timeNs = random() % 2 == 0 ? value() : -value();
        event.address = random();
        event.bytes = random() % 2 == 0 ? value() : -value();
        event.requestedBytes = random() % 2 == 0 ? event.bytes : value();
        event.stream = random() % 3 == 0 ? static_cast<std::int32_t>(random()) : 0;
        event.action = static_cast<Action>(random() % 9);
        event.owner = static_cast<OwnerId>(random() % 3 == 0 ? random() : random() % 20);
        event.previousOwner = random() % 3 == 0 ? static_cast<OwnerId>(random() >> (random() % 64)) : kUnknownOwner;
    }
    return events;
}

} // namespace headroom::trace
