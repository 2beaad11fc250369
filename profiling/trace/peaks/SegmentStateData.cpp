// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/peaks/SegmentStateData.h"

#include "core/base/Crc32.h"
#include "profiling/trace/Columns.h"
#include "profiling/trace/MalformedBlock.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <string>

namespace headroom::trace {
namespace {

constexpr std::uint32_t kStateMagic = 0x31534548; // "HES1"
constexpr std::uint16_t kStateVersion = 1;
constexpr std::size_t kStateHeaderBytes = 64;
constexpr std::size_t kStateChecksumBytes = 4;
constexpr std::size_t kNumbersPerSegment = 4;
constexpr std::size_t kNumbersPerBlock = 6;

std::uint64_t withFlag(std::int32_t stream, bool flag)
{
    return zigzag(stream) << 1 | (flag ? 1U : 0U);
}

std::int32_t streamOf(std::uint64_t number)
{
    const std::int64_t stream = unzigzag(number >> 1);
    if (stream < std::numeric_limits<std::int32_t>::min() || stream > std::numeric_limits<std::int32_t>::max())
        throw MalformedBlock("a stream of the state of segments is impossible");
    return static_cast<std::int32_t>(stream);
}

bool flagOf(std::uint64_t number)
{
    return (number & 1U) != 0;
}

// Segments and blocks mostly begin where the one before ends.
class StateWriter {
public:
    StateWriter(const SegmentState& state, std::size_t numbers)
        : m_timeNs(state.timeNs)
        , m_column(numbers * ColumnWriter::kMaxVarintBytes)
    {
    }

    void put(const HeldSegment& segment)
    {
        putPlace(segment.address, segment.bytes, segment.sinceNs);
        m_column.putVarint(withFlag(segment.stream, segment.isExpandable));
    }

    void put(const HeldBlock& block)
    {
        putPlace(block.address, block.bytes, block.sinceNs);
        m_column.putVarint(withFlag(block.stream, block.isPending));
        m_column.putVarint(zigzag(wrappingDelta(block.bytes, block.requestedBytes)));
        m_column.putVarint(block.owner);
    }

    /// The first of another list begins anew.
    void restart() { m_end = 0; }
    std::span<const std::byte> bytes() const { return m_column.bytes(); }

private:
    void putPlace(std::uint64_t address, Bytes bytes, std::int64_t sinceNs)
    {
        m_column.putVarint(zigzag(static_cast<std::int64_t>(address - m_end)));
        m_column.putVarint(zigzag(bytes));
        m_column.putVarint(zigzag(wrappingDelta(sinceNs, m_timeNs)));
        m_end = address + static_cast<std::uint64_t>(bytes);
    }

    std::int64_t m_timeNs;
    std::uint64_t m_end = 0;
    ColumnWriter m_column;
};

class StateReader {
public:
    StateReader(const SegmentState& state, std::span<const std::byte> data)
        : m_timeNs(state.timeNs)
        , m_column(data)
    {
    }

    HeldSegment segment()
    {
        HeldSegment segment;
        readPlace(segment);
        const std::uint64_t number = m_column.varint();
        segment.stream = streamOf(number);
        segment.isExpandable = flagOf(number);
        return segment;
    }

    HeldBlock block()
    {
        HeldBlock block;
        readPlace(block);
        const std::uint64_t number = m_column.varint();
        block.stream = streamOf(number);
        block.isPending = flagOf(number);
        block.requestedBytes = wrappingAdd(block.bytes, unzigzag(m_column.varint()));
        const std::uint64_t owner = m_column.varint();
        if (owner > std::numeric_limits<OwnerId>::max())
            throw MalformedBlock("an owner in the state of segments is impossible");
        block.owner = static_cast<OwnerId>(owner);
        return block;
    }

    void restart() { m_end = 0; }
    bool atEnd() const { return m_column.atEnd(); }

private:
    template <typename Held> void readPlace(Held& held)
    {
        held.address = m_end + static_cast<std::uint64_t>(unzigzag(m_column.varint()));
        held.bytes = unzigzag(m_column.varint());
        held.sinceNs = wrappingDelta(unzigzag(m_column.varint()), m_timeNs);
        m_end = held.address + static_cast<std::uint64_t>(held.bytes);
    }

    std::int64_t m_timeNs;
    std::uint64_t m_end = 0;
    ColumnReader m_column;
};

template <typename Held> bool isInOrder(const std::vector<Held>& held)
{
    return std::ranges::adjacent_find(held, std::ranges::greater_equal{}, &Held::address) == held.end();
}

void verifySegmentState(std::span<const std::byte> data)
{
    if (data.size() < kStateHeaderBytes + kStateChecksumBytes || getFixed<std::uint32_t>(data, 0) != kStateMagic)
        throw MalformedBlock("not a state of segments");
    const auto version = getFixed<std::uint16_t>(data, 4);
    if (version != kStateVersion)
        throw MalformedBlock("the state of segments has version " + std::to_string(version), {}, "1");
    const std::size_t payload = data.size() - kStateHeaderBytes - kStateChecksumBytes;
    const auto segments = getFixed<std::uint32_t>(data, 8);
    const auto blocks = getFixed<std::uint32_t>(data, 12);
    if (getFixed<std::uint16_t>(data, 6) != 0 || getFixed<std::uint64_t>(data, 16) != payload
        || std::uint64_t{segments} * kNumbersPerSegment + std::uint64_t{blocks} * kNumbersPerBlock > payload)
        throw MalformedBlock("the state of segments is truncated or has bytes left over");
    const std::size_t covered = data.size() - kStateChecksumBytes;
    if (crc32(data.first(covered)) != getFixed<std::uint32_t>(data, covered))
        throw MalformedBlock("the state of segments does not match its checksum");
}

SegmentState headerOf(std::span<const std::byte> data)
{
    SegmentState state;
    state.events = getFixed<std::uint64_t>(data, 24);
    state.timeNs = getFixed<std::int64_t>(data, 32);
    state.counters = {.allocated = getFixed<std::int64_t>(data, 40),
        .reserved = getFixed<std::int64_t>(data, 48),
        .active = getFixed<std::int64_t>(data, 56)};
    return state;
}

} // namespace

std::vector<std::byte> encodeSegmentState(const SegmentState& state)
{
    if (!isInOrder(state.segments) || !isInOrder(state.blocks))
        throw UsageError("segments or blocks out of order", "the state of segments", "the order of their addresses");
    StateWriter column(state, state.segments.size() * kNumbersPerSegment + state.blocks.size() * kNumbersPerBlock);
    for (const HeldSegment& segment : state.segments)
        column.put(segment);
    column.restart();
    for (const HeldBlock& block : state.blocks)
        column.put(block);
    std::vector<std::byte> out;
    out.reserve(kStateHeaderBytes + column.bytes().size() + kStateChecksumBytes);
    putFixed(out, kStateMagic);
    putFixed(out, kStateVersion);
    putFixed(out, std::uint16_t{0});
    putFixed(out, static_cast<std::uint32_t>(state.segments.size()));
    putFixed(out, static_cast<std::uint32_t>(state.blocks.size()));
    putFixed(out, static_cast<std::uint64_t>(column.bytes().size()));
    putFixed(out, state.events);
    putFixed(out, state.timeNs);
    for (const Counter counter : kCounters)
        putFixed(out, state.counters.of(counter));
    out.insert(out.end(), column.bytes().begin(), column.bytes().end());
    putFixed(out, crc32(out));
    return out;
}

SegmentState decodeSegmentState(std::span<const std::byte> data)
{
    verifySegmentState(data);
    SegmentState state = headerOf(data);
    StateReader column(state, data.subspan(kStateHeaderBytes, data.size() - kStateHeaderBytes - kStateChecksumBytes));
    state.segments.resize(getFixed<std::uint32_t>(data, 8));
    for (HeldSegment& segment : state.segments)
        segment = column.segment();
    column.restart();
    state.blocks.resize(getFixed<std::uint32_t>(data, 12));
    for (HeldBlock& block : state.blocks)
        block = column.block();
    if (!column.atEnd())
        throw MalformedBlock("the state of segments is longer than its blocks");
    if (!isInOrder(state.segments) || !isInOrder(state.blocks))
        throw MalformedBlock("the state of segments is out of order");
    return state;
}

} // namespace headroom::trace
