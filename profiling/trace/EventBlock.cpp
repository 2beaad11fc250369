// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/EventBlock.h"

#include "profiling/trace/Columns.h"
#include "profiling/trace/Crc32.h"
#include "profiling/trace/MalformedBlock.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

namespace headroom::trace {
namespace {

constexpr std::uint32_t kMagic = 0x31424548; // "HEB1"
constexpr std::uint16_t kVersion = 1;
constexpr std::size_t kHeaderBytes = 128;
constexpr std::size_t kChecksumBytes = 4;
constexpr std::size_t kColumnLengthsOffset = 104;

// One tag byte per event: the action and which of the rarely changing columns have a value for it.
constexpr unsigned kActionMask = 0x07;
constexpr unsigned kStreamChanged = 0x08;
constexpr unsigned kRequestedDiffers = 0x10;
constexpr unsigned kTagMask = kActionMask | kStreamChanged | kRequestedDiffers;

enum Column : std::size_t { Tag, Time, Address, Size, Requested, Stream, ColumnCount };

struct ColumnWriters {
    explicit ColumnWriters(std::size_t events)
        : tag(events)
        , time(events * ColumnWriter::kMaxVarintBytes)
        , address(events * ColumnWriter::kMaxVarintBytes)
        , size(events * ColumnWriter::kMaxVarintBytes)
        , requested(events * ColumnWriter::kMaxVarintBytes)
        , stream(events * ColumnWriter::kMaxVarintBytes)
    {
    }

    void put(const AllocatorEvent& event, const AllocatorEvent& previous)
    {
        auto tagBits = static_cast<unsigned>(event.action) & kActionMask;
        time.putVarint(zigzag(wrappingDelta(previous.timeNs, event.timeNs)));
        address.putVarint(zigzag(static_cast<std::int64_t>(event.address - previous.address)));
        size.putVarint(zigzag(event.bytes));
        if (event.requestedBytes != event.bytes) {
            tagBits |= kRequestedDiffers;
            requested.putVarint(zigzag(wrappingDelta(event.bytes, event.requestedBytes)));
        }
        if (event.stream != previous.stream) {
            tagBits |= kStreamChanged;
            stream.putVarint(zigzag(event.stream));
        }
        tag.putByte(static_cast<std::uint8_t>(tagBits));
    }

    std::array<const ColumnWriter*, ColumnCount> all() const
    {
        return {&tag, &time, &address, &size, &requested, &stream};
    }

    ColumnWriter tag, time, address, size, requested, stream;
};

struct ColumnReaders {
    explicit ColumnReaders(const std::array<std::span<const std::byte>, ColumnCount>& columns)
        : tag(columns[Tag])
        , time(columns[Time])
        , address(columns[Address])
        , size(columns[Size])
        , requested(columns[Requested])
        , stream(columns[Stream])
    {
    }

    // Turns the previous event into the next one.
    void next(AllocatorEvent& event)
    {
        const unsigned tagBits = tag.byte();
        if ((tagBits & ~kTagMask) != 0)
            throw MalformedBlock("an event of the block has an unknown tag");
        event.action = static_cast<Action>(tagBits & kActionMask);
        event.timeNs = wrappingAdd(event.timeNs, unzigzag(time.varint()));
        event.address += static_cast<std::uint64_t>(unzigzag(address.varint()));
        event.bytes = unzigzag(size.varint());
        event.requestedBytes = event.bytes;
        if ((tagBits & kRequestedDiffers) != 0)
            event.requestedBytes = wrappingAdd(event.bytes, unzigzag(requested.varint()));
        if ((tagBits & kStreamChanged) != 0)
            event.stream = static_cast<std::int32_t>(unzigzag(stream.varint()));
    }

    bool atEnd() const
    {
        return tag.atEnd() && time.atEnd() && address.atEnd() && size.atEnd() && requested.atEnd() && stream.atEnd();
    }

    ColumnReader tag, time, address, size, requested, stream;
};

void widen(EventBlockHeader& header, const MemoryCounters& counters)
{
    header.min.allocated = std::min(header.min.allocated, counters.allocated);
    header.min.reserved = std::min(header.min.reserved, counters.reserved);
    header.min.active = std::min(header.min.active, counters.active);
    header.max.allocated = std::max(header.max.allocated, counters.allocated);
    header.max.reserved = std::max(header.max.reserved, counters.reserved);
    header.max.active = std::max(header.max.active, counters.active);
}

EventBlockHeader summarize(std::span<const AllocatorEvent> events, const MemoryCounters& before)
{
    EventBlockHeader header{.count = static_cast<std::uint32_t>(events.size()),
        .firstNs = events.front().timeNs,
        .lastNs = events.front().timeNs,
        .before = before,
        .min = before,
        .max = before};
    MemoryCounters counters = before;
    for (const AllocatorEvent& event : events) {
        header.firstNs = std::min(header.firstNs, event.timeNs);
        header.lastNs = std::max(header.lastNs, event.timeNs);
        counters.apply(event);
        widen(header, counters);
    }
    return header;
}

void putHeader(std::vector<std::byte>& out, const EventBlockHeader& header, const ColumnWriters& columns)
{
    std::uint32_t payload = 0;
    for (const ColumnWriter* column : columns.all())
        payload += static_cast<std::uint32_t>(column->size());
    putFixed(out, kMagic);
    putFixed(out, kVersion);
    putFixed(out, static_cast<std::uint16_t>(ColumnCount));
    putFixed(out, header.count);
    putFixed(out, payload);
    putFixed(out, header.firstNs);
    putFixed(out, header.lastNs);
    for (const Counter counter : kCounters)
        putFixed(out, header.before.of(counter));
    for (const Counter counter : kCounters) {
        putFixed(out, header.min.of(counter));
        putFixed(out, header.max.of(counter));
    }
    for (const ColumnWriter* column : columns.all())
        putFixed(out, static_cast<std::uint32_t>(column->size()));
}

EventBlockHeader getHeader(std::span<const std::byte> block)
{
    const auto value = [block](std::size_t index) { return getFixed<std::int64_t>(block, 16 + 8 * index); };
    return {.count = getFixed<std::uint32_t>(block, 8),
        .firstNs = value(0),
        .lastNs = value(1),
        .before = {.allocated = value(2), .reserved = value(3), .active = value(4)},
        .min = {.allocated = value(5), .reserved = value(7), .active = value(9)},
        .max = {.allocated = value(6), .reserved = value(8), .active = value(10)}};
}

void verifyForm(std::span<const std::byte> block)
{
    if (block.size() < kHeaderBytes + kChecksumBytes || getFixed<std::uint32_t>(block, 0) != kMagic)
        throw MalformedBlock("not a block of allocator events");
    const auto version = getFixed<std::uint16_t>(block, 4);
    if (version != kVersion)
        throw MalformedBlock("the event block has version " + std::to_string(version), {}, "1");
    if (getFixed<std::uint16_t>(block, 6) != ColumnCount)
        throw MalformedBlock("the event block has an unknown number of columns");
    const auto count = getFixed<std::uint32_t>(block, 8);
    if (count == 0 || count > kMaxBlockEvents)
        throw MalformedBlock("the event block says it holds " + std::to_string(count) + " events", {}, "1 to 65536");
    if (kHeaderBytes + getFixed<std::uint32_t>(block, 12) + kChecksumBytes != block.size())
        throw MalformedBlock("the event block is truncated or has bytes left over");
}

void verifyChecksum(std::span<const std::byte> block)
{
    const std::size_t covered = block.size() - kChecksumBytes;
    if (crc32(block.first(covered)) != getFixed<std::uint32_t>(block, covered))
        throw MalformedBlock("the event block does not match its checksum");
}

std::array<std::span<const std::byte>, ColumnCount> columnsOf(std::span<const std::byte> block)
{
    std::array<std::span<const std::byte>, ColumnCount> columns;
    std::span<const std::byte> rest = block.subspan(kHeaderBytes, block.size() - kHeaderBytes - kChecksumBytes);
    for (std::size_t i = 0; i < ColumnCount; ++i) {
        const auto length = getFixed<std::uint32_t>(block, kColumnLengthsOffset + 4 * i);
        if (length > rest.size())
            throw MalformedBlock("a column of the event block reaches behind its end");
        columns[i] = rest.first(length);
        rest = rest.subspan(length);
    }
    if (!rest.empty())
        throw MalformedBlock("the columns of the event block do not fill it");
    return columns;
}

} // namespace

std::vector<std::byte> encodeEventBlock(std::span<const AllocatorEvent> events, const MemoryCounters& before)
{
    if (events.empty() || events.size() > kMaxBlockEvents)
        throw UsageError("a block of " + std::to_string(events.size()) + " events", "event block", "1 to 65536 events");
    ColumnWriters columns(events.size());
    AllocatorEvent previous{};
    for (const AllocatorEvent& event : events) {
        columns.put(event, previous);
        previous = event;
    }
    std::vector<std::byte> out;
    out.reserve(kHeaderBytes + events.size() * 16);
    putHeader(out, summarize(events, before), columns);
    for (const ColumnWriter* column : columns.all())
        out.insert(out.end(), column->bytes().begin(), column->bytes().end());
    putFixed(out, crc32(out));
    return out;
}

EventBlockHeader verifyEventBlock(std::span<const std::byte> block)
{
    verifyForm(block);
    verifyChecksum(block);
    return getHeader(block);
}

EventBlockHeader readEventBlockHeader(std::span<const std::byte> block)
{
    verifyForm(block);
    return getHeader(block);
}

std::vector<AllocatorEvent> decodeEventBlock(std::span<const std::byte> block)
{
    const EventBlockHeader header = verifyEventBlock(block);
    ColumnReaders columns(columnsOf(block));
    std::vector<AllocatorEvent> events(header.count);
    AllocatorEvent event{};
    for (AllocatorEvent& slot : events) {
        columns.next(event);
        slot = event;
    }
    if (!columns.atEnd())
        throw MalformedBlock("a column of the event block is longer than its events");
    return events;
}

} // namespace headroom::trace
