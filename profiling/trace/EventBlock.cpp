// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/EventBlock.h"

#include "profiling/trace/CategoryCounters.h"
#include "profiling/trace/Columns.h"
#include "profiling/trace/EventBlockForm.h"
#include "profiling/trace/MalformedBlock.h"

#include <algorithm>
#include <string>

namespace headroom::trace {
namespace {

// Owners are unsigned 32-bit numbers and wrap around like everything else here.
std::uint64_t ownerDelta(OwnerId from, OwnerId to)
{
    return zigzag(static_cast<std::int32_t>(to - from));
}

OwnerId addOwnerDelta(OwnerId from, std::uint64_t delta)
{
    return from + static_cast<OwnerId>(unzigzag(delta));
}

struct ColumnWriters {
    explicit ColumnWriters(std::size_t events)
        : tag(events)
        , time(events * ColumnWriter::kMaxVarintBytes)
        , address(events * ColumnWriter::kMaxVarintBytes)
        , size(events * ColumnWriter::kMaxVarintBytes)
        , requested(events * ColumnWriter::kMaxVarintBytes)
        , stream(events * ColumnWriter::kMaxVarintBytes)
        , owner(events * ColumnWriter::kMaxVarintBytes)
        , previousOwner(events * ColumnWriter::kMaxVarintBytes)
    {
    }

    void put(const AllocatorEvent& event, const AllocatorEvent& previous)
    {
        auto tagBits = static_cast<unsigned>(event.action) & kTagOfVersion2.actionMask;
        time.putVarint(zigzag(wrappingDelta(previous.timeNs, event.timeNs)));
        address.putVarint(zigzag(static_cast<std::int64_t>(event.address - previous.address)));
        size.putVarint(zigzag(event.bytes));
        if (event.requestedBytes != event.bytes) {
            tagBits |= kTagOfVersion2.requestedDiffers;
            requested.putVarint(zigzag(wrappingDelta(event.bytes, event.requestedBytes)));
        }
        if (event.stream != previous.stream) {
            tagBits |= kTagOfVersion2.streamChanged;
            stream.putVarint(zigzag(event.stream));
        }
        tag.putByte(static_cast<std::uint8_t>(tagBits | putOwners(event, previous)));
    }

    unsigned putOwners(const AllocatorEvent& event, const AllocatorEvent& previous)
    {
        unsigned tagBits = 0;
        if (event.owner != previous.owner) {
            tagBits |= kTagOfVersion2.ownerChanged;
            owner.putVarint(ownerDelta(previous.owner, event.owner));
        }
        if (event.previousOwner != kUnknownOwner) {
            tagBits |= kTagOfVersion2.hasPreviousOwner;
            previousOwner.putVarint(ownerDelta(event.owner, event.previousOwner));
        }
        return tagBits;
    }

    EventColumns all() const
    {
        return {tag.bytes(), time.bytes(), address.bytes(), size.bytes(), requested.bytes(), stream.bytes(),
            owner.bytes(), previousOwner.bytes()};
    }

    ColumnWriter tag, time, address, size, requested, stream, owner, previousOwner;
};

ColumnReader reader(const EventColumns& columns, EventColumn column)
{
    return ColumnReader(columns[static_cast<std::size_t>(column)]);
}

struct ColumnReaders {
    explicit ColumnReaders(const EventColumns& columns)
        : tag(reader(columns, EventColumn::Tag))
        , time(reader(columns, EventColumn::Time))
        , address(reader(columns, EventColumn::Address))
        , size(reader(columns, EventColumn::Size))
        , requested(reader(columns, EventColumn::Requested))
        , stream(reader(columns, EventColumn::Stream))
        , owner(reader(columns, EventColumn::Owner))
        , previousOwner(reader(columns, EventColumn::PreviousOwner))
    {
    }

    // Turns the previous event into the next one.
    template <const EventTag& kTag> void next(AllocatorEvent& event)
    {
        constexpr unsigned kKnown =
            kTag.actionMask | kTag.streamChanged | kTag.requestedDiffers | kTag.ownerChanged | kTag.hasPreviousOwner;
        const unsigned tagBits = tag.byte();
        const unsigned action = tagBits & kTag.actionMask;
        if ((tagBits & ~kKnown) != 0 || action > kTag.lastAction)
            throw MalformedBlock("an event of the block has an unknown tag");
        event.action = static_cast<Action>(action);
        event.timeNs = wrappingAdd(event.timeNs, unzigzag(time.varint()));
        event.address += static_cast<std::uint64_t>(unzigzag(address.varint()));
        event.bytes = unzigzag(size.varint());
        event.requestedBytes = event.bytes;
        if ((tagBits & kTag.requestedDiffers) != 0)
            event.requestedBytes = wrappingAdd(event.bytes, unzigzag(requested.varint()));
        if ((tagBits & kTag.streamChanged) != 0)
            event.stream = static_cast<std::int32_t>(unzigzag(stream.varint()));
        if ((tagBits & kTag.ownerChanged) != 0)
            event.owner = addOwnerDelta(event.owner, owner.varint());
        event.previousOwner =
            (tagBits & kTag.hasPreviousOwner) != 0 ? addOwnerDelta(event.owner, previousOwner.varint()) : kUnknownOwner;
    }

    bool atEnd() const
    {
        return tag.atEnd() && time.atEnd() && address.atEnd() && size.atEnd() && requested.atEnd() && stream.atEnd()
            && owner.atEnd() && previousOwner.atEnd();
    }

    ColumnReader tag, time, address, size, requested, stream, owner, previousOwner;
};

template <const EventTag& kTag> void decode(ColumnReaders& columns, std::span<AllocatorEvent> events)
{
    AllocatorEvent event{};
    for (AllocatorEvent& slot : events) {
        columns.next<kTag>(event);
        slot = event;
    }
}

void widen(EventBlockHeader& header, const MemoryCounters& counters)
{
    header.min.allocated = std::min(header.min.allocated, counters.allocated);
    header.min.reserved = std::min(header.min.reserved, counters.reserved);
    header.min.active = std::min(header.min.active, counters.active);
    header.max.allocated = std::max(header.max.allocated, counters.allocated);
    header.max.reserved = std::max(header.max.reserved, counters.reserved);
    header.max.active = std::max(header.max.active, counters.active);
}

EventBlockHeader summarize(
    std::span<const AllocatorEvent> events, const MemoryCounters& before, const CategoryBytes& categoriesBefore)
{
    EventBlockHeader header{.count = static_cast<std::uint32_t>(events.size()),
        .firstNs = events.front().timeNs,
        .lastNs = events.front().timeNs,
        .before = before,
        .min = before,
        .max = before,
        .categoriesBefore = categoriesBefore};
    MemoryCounters counters = before;
    for (const AllocatorEvent& event : events) {
        header.firstNs = std::min(header.firstNs, event.timeNs);
        header.lastNs = std::max(header.lastNs, event.timeNs);
        counters.apply(event);
        widen(header, counters);
    }
    return header;
}

} // namespace

std::vector<std::byte> encodeEventBlock(
    std::span<const AllocatorEvent> events, const MemoryCounters& before, const CategoryBytes& categoriesBefore)
{
    if (events.empty() || events.size() > kMaxBlockEvents)
        throw UsageError("a block of " + std::to_string(events.size()) + " events", "event block", "1 to 65536 events");
    if (CategoryCounters::of(categoriesBefore).allocated != before.allocated)
        throw UsageError("categories that do not sum to what is allocated", "event block");
    ColumnWriters columns(events.size());
    AllocatorEvent start{};
    const AllocatorEvent* previous = &start;
    for (const AllocatorEvent& event : events) {
        columns.put(event, *previous);
        previous = &event;
    }
    return frameEventBlock(summarize(events, before, categoriesBefore), columns.all());
}

std::vector<std::byte> encodeEventBlock(std::span<const AllocatorEvent> events, const MemoryCounters& before)
{
    return encodeEventBlock(events, before, CategoryCounters::ofUnknown(before.allocated).categories);
}

EventBlockHeader verifyEventBlock(std::span<const std::byte> block)
{
    verifyEventBlockForm(block);
    verifyEventBlockChecksum(block);
    return eventBlockHeader(block);
}

EventBlockHeader readEventBlockHeader(std::span<const std::byte> block)
{
    verifyEventBlockForm(block);
    return eventBlockHeader(block);
}

std::vector<AllocatorEvent> decodeEventBlock(std::span<const std::byte> block)
{
    const EventBlockHeader header = verifyEventBlock(block);
    ColumnReaders columns(eventBlockColumns(block));
    std::vector<AllocatorEvent> events(header.count);
    if (eventBlockVersion(block) == 1)
        decode<kTagOfVersion1>(columns, events);
    else
        decode<kTagOfVersion2>(columns, events);
    if (!columns.atEnd())
        throw MalformedBlock("a column of the event block is longer than its events");
    return events;
}

} // namespace headroom::trace
