// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/AllocatorEvent.h"
#include "profiling/trace/PhaseSpan.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace headroom::trace {

/// A trace whose blocks have owners that change on the way, with the phases that it went through.
struct OwnedTrace {
    OwnerTable owners;
    std::vector<AllocatorEvent> events;
    std::vector<PhaseSpan> phases;
};

inline AllocatorEvent allocated(std::int64_t timeNs, std::uint64_t address, Bytes bytes, OwnerId owner = kUnknownOwner)
{
    return {.timeNs = timeNs, .address = address, .bytes = bytes, .requestedBytes = bytes, .owner = owner};
}

inline AllocatorEvent freed(std::int64_t timeNs, std::uint64_t address, Bytes bytes, OwnerId owner = kUnknownOwner)
{
    AllocatorEvent event = allocated(timeNs, address, bytes, owner);
    event.action = Action::FreeRequested;
    return event;
}

inline AllocatorEvent relabelled(
    std::int64_t timeNs, std::uint64_t address, Bytes bytes, OwnerId previous, OwnerId owner)
{
    AllocatorEvent event = allocated(timeNs, address, bytes, owner);
    event.action = Action::Relabelled;
    event.previousOwner = previous;
    return event;
}

inline AllocatorEvent acted(Action action, std::int64_t timeNs, std::uint64_t address, Bytes bytes)
{
    AllocatorEvent event = allocated(timeNs, address, bytes);
    event.action = action;
    return event;
}

/// Blocks come, are relabelled and go; steps of forward, backward and optimizer, with gaps between them.
inline OwnedTrace randomOwnedTrace(std::size_t count, std::uint32_t seed)
{
    std::mt19937 random(seed);
    OwnedTrace trace;
    for (int i = 0; i < 40; ++i) {
        const auto category = config::kMemoryCategories[random() % config::kMemoryCategoryCount];
        const std::string block = random() % 5 == 0 ? "" : "transformer_blocks." + std::to_string(random() % 12);
        const std::string module = block + (random() % 2 == 0 || block.empty() ? "" : ".ff.net");
        trace.owners.idOf({category, module, random() % 3 == 0 ? "checkpointing" : ""});
    }
    const auto ownerCount = static_cast<std::uint32_t>(trace.owners.all().size());
    std::vector<AllocatorEvent> live;
    std::int64_t timeNs = 10;
    for (std::uint64_t address = 0x1000; trace.events.size() < count; address += 0x100000) {
        timeNs += random() % 4;
        const auto kind = live.empty() ? 0 : random() % 5;
        if (kind < 2) {
            live.push_back(
                allocated(timeNs, address, 1 + random() % 5'000, static_cast<OwnerId>(random() % ownerCount)));
            trace.events.push_back(live.back());
        } else if (AllocatorEvent& block = live[random() % live.size()]; kind == 2) {
            const auto owner = static_cast<OwnerId>(random() % ownerCount);
            trace.events.push_back(relabelled(timeNs, block.address, block.bytes, block.owner, owner));
            block.owner = owner;
        } else {
            trace.events.push_back(freed(timeNs, block.address, block.bytes, block.owner));
            std::swap(block, live.back());
            live.pop_back();
        }
    }
    std::int64_t begin = 20;
    for (std::int64_t step = 0; begin < timeNs; ++step)
        for (const char* name : {"forward", "backward", "optimizer"}) {
            const std::int64_t length = 1 + random() % 300;
            trace.phases.push_back({name, step, begin, begin + length});
            begin += length + random() % 20;
        }
    return trace;
}

} // namespace headroom::trace
