// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/trace/CategoryCounters.h"
#include "tests/profiling/trace/RandomTrace.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace headroom::trace {

/// Three owners of each category; the first is the unknown one.
inline std::vector<MemoryOwner> testOwners()
{
    std::vector<MemoryOwner> owners(1);
    for (const char* const module : {"transformer_blocks.0", "transformer_blocks.1", "proj_out"}) {
        for (const config::MemoryCategory category : config::kMemoryCategories)
            owners.push_back({category, module, ""});
    }
    return owners;
}

/// A random trace whose blocks have owners of testOwners(), and change them now and then.
inline std::vector<AllocatorEvent> ownedTrace(std::size_t count, std::uint32_t seed = 1)
{
    std::mt19937 random(seed);
    const std::size_t owners = testOwners().size();
    std::unordered_map<std::uint64_t, OwnerId> ownerOf;
    std::vector<AllocatorEvent> events;
    for (AllocatorEvent event : randomTrace(count, seed)) {
        if (event.action == Action::Alloc)
            ownerOf[event.address] = static_cast<OwnerId>(random() % owners);
        if (event.action != Action::SegmentAlloc)
            event.owner = ownerOf[event.address];
        events.push_back(event);
        if (event.action == Action::Alloc && random() % 3 == 0) {
            event.action = Action::Relabelled;
            event.timeNs += static_cast<std::int64_t>(random() % 2);
            event.previousOwner = event.owner;
            event.owner = ownerOf[event.address] = static_cast<OwnerId>(random() % owners);
            events.push_back(event);
        }
    }
    events.resize(count);
    return events;
}

/// The slow plain answer: every bucket of the range from all events, one after the other. Times must not run backwards.
inline std::vector<CategoryBucket> plainCategories(const std::vector<AllocatorEvent>& events,
    const std::vector<MemoryOwner>& owners, Bytes before, const BinRange& range)
{
    std::vector<CategoryBucket> buckets;
    std::map<config::MemoryCategory, std::uint64_t> held{
        {config::MemoryCategory::Unknown, static_cast<std::uint64_t>(before)}};
    const auto move = [&](OwnerId owner, std::uint64_t bytes) {
        held[owner < owners.size() ? owners[owner].category : config::MemoryCategory::Unknown] += bytes;
    };
    const auto now = [&] {
        CategoryBytes bytes;
        for (const auto& [category, amount] : held)
            bytes.of(category) = static_cast<Bytes>(amount);
        return bytes;
    };
    const auto total = [&] {
        std::uint64_t sum = 0;
        for (const auto& [category, amount] : held)
            sum += amount;
        return static_cast<Bytes>(sum);
    };
    std::size_t next = 0;
    for (std::size_t i = 0; i < range.count; ++i) {
        CategoryBucket bucket{range.bucket(i), {}};
        const auto step = [&](bool inside) {
            const AllocatorEvent& event = events[next++];
            const auto bytes = static_cast<std::uint64_t>(event.bytes);
            if (event.action == Action::Alloc || event.action == Action::Relabelled)
                move(event.owner, bytes);
            if (event.action == Action::FreeRequested)
                move(event.owner, 0 - bytes);
            if (event.action == Action::Relabelled)
                move(event.previousOwner, 0 - bytes);
            if (!inside)
                return;
            bucket.allocated.min = std::min(bucket.allocated.min, total());
            bucket.allocated.last = total();
            if (total() > bucket.allocated.max) {
                bucket.allocated.max = total();
                bucket.atMax = now();
            }
        };
        while (next < events.size() && events[next].timeNs < bucket.allocated.beginNs)
            step(false);
        bucket.allocated.min = bucket.allocated.max = bucket.allocated.last = total();
        bucket.atMax = now();
        while (next < events.size() && events[next].timeNs < bucket.allocated.endNs)
            step(true);
        buckets.push_back(bucket);
    }
    return buckets;
}

/// Any bytes at all, so that every counter wraps around; times do not run backwards.
inline std::vector<AllocatorEvent> wrappingTrace(std::size_t count, std::uint32_t seed)
{
    std::vector<AllocatorEvent> events = arbitraryEvents(count, seed);
    std::mt19937_64 random(seed);
    std::int64_t timeNs = -1'000'000;
    for (AllocatorEvent& event : events) {
        timeNs += random() % 30 == 0 ? static_cast<std::int64_t>(random() % 1'000'000) : 0;
        event.timeNs = timeNs += static_cast<std::int64_t>(random() % 50);
    }
    return events;
}

} // namespace headroom::trace
