// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/pyramids/PyramidChunk.h"

#include "core/base/Crc32.h"
#include "profiling/trace/Columns.h"
#include "profiling/trace/MalformedBlock.h"

#include <limits>
#include <string>

namespace headroom::trace {
namespace {

constexpr std::uint32_t kPyramidMagic = 0x31504548; // "HEP1"
constexpr std::uint16_t kPyramidVersion = 1;
constexpr std::size_t kPyramidHeaderBytes = 24;
constexpr std::size_t kPyramidChecksumBytes = 4;
constexpr std::size_t kNumbersPerNode = 4;

void verifyPyramidChunk(std::span<const std::byte> data)
{
    if (data.size() < kPyramidHeaderBytes + kPyramidChecksumBytes || getFixed<std::uint32_t>(data, 0) != kPyramidMagic)
        throw MalformedBlock("not a chunk of a pyramid");
    const auto version = getFixed<std::uint16_t>(data, 4);
    if (version != kPyramidVersion)
        throw MalformedBlock("the pyramid chunk has version " + std::to_string(version), {}, "1");
    const auto count = getFixed<std::uint32_t>(data, 8);
    if (getFixed<std::uint16_t>(data, 6) > kMaxBinShift || count == 0 || count > kMaxChunkNodes)
        throw MalformedBlock("the pyramid chunk has an impossible header");
    if (kPyramidHeaderBytes + getFixed<std::uint32_t>(data, 12) + kPyramidChecksumBytes != data.size())
        throw MalformedBlock("the pyramid chunk is truncated or has bytes left over");
    const std::size_t covered = data.size() - kPyramidChecksumBytes;
    if (crc32(data.first(covered)) != getFixed<std::uint32_t>(data, covered))
        throw MalformedBlock("the pyramid chunk does not match its checksum");
}

void verifyPyramidBin(std::int64_t bin, const PyramidLevel& level)
{
    using Limits = std::numeric_limits<std::int64_t>;
    if (bin < (Limits::min() >> level.shift) || bin > ((Limits::max() - 1) >> level.shift))
        throw MalformedBlock("a node of the pyramid chunk lies outside of time");
    if (!level.nodes.empty() && bin <= level.nodes.back().bin)
        throw MalformedBlock("the nodes of the pyramid chunk are out of order");
}

PyramidNode nextNode(ColumnReader& column, const PyramidNode& previous)
{
    PyramidNode node;
    node.bin = wrappingAdd(previous.bin, unzigzag(column.varint()));
    node.min = wrappingAdd(previous.min, unzigzag(column.varint()));
    node.max = wrappingAdd(node.min, static_cast<std::int64_t>(column.varint()));
    node.last = wrappingAdd(node.min, static_cast<std::int64_t>(column.varint()));
    return node;
}

} // namespace

std::int64_t PyramidChunk::firstNs() const
{
    return BinRange{level.shift, level.nodes.front().bin, 1}.beginNs();
}

std::int64_t PyramidChunk::lastNs() const
{
    return BinRange{level.shift, level.nodes.back().bin, 1}.endNs() - 1;
}

std::vector<std::byte> encodePyramidChunk(int shift, Bytes before, std::span<const PyramidNode> nodes)
{
    if (nodes.empty() || nodes.size() > kMaxChunkNodes)
        throw UsageError("a chunk of " + std::to_string(nodes.size()) + " nodes", "pyramid", "1 to 4096 nodes");
    ColumnWriter column(nodes.size() * kNumbersPerNode * ColumnWriter::kMaxVarintBytes);
    PyramidNode previous;
    for (const PyramidNode& node : nodes) {
        column.putVarint(zigzag(wrappingDelta(previous.bin, node.bin)));
        column.putVarint(zigzag(wrappingDelta(previous.min, node.min)));
        column.putVarint(static_cast<std::uint64_t>(wrappingDelta(node.min, node.max)));
        column.putVarint(static_cast<std::uint64_t>(wrappingDelta(node.min, node.last)));
        previous = node;
    }
    std::vector<std::byte> out;
    out.reserve(kPyramidHeaderBytes + column.size() + kPyramidChecksumBytes);
    putFixed(out, kPyramidMagic);
    putFixed(out, kPyramidVersion);
    putFixed(out, static_cast<std::uint16_t>(shift));
    putFixed(out, static_cast<std::uint32_t>(nodes.size()));
    putFixed(out, static_cast<std::uint32_t>(column.size()));
    putFixed(out, before);
    out.insert(out.end(), column.bytes().begin(), column.bytes().end());
    putFixed(out, crc32(out));
    return out;
}

PyramidChunk decodePyramidChunk(std::span<const std::byte> data)
{
    verifyPyramidChunk(data);
    PyramidChunk chunk;
    chunk.level.shift = getFixed<std::uint16_t>(data, 6);
    chunk.before = getFixed<std::int64_t>(data, 16);
    ColumnReader column(data.subspan(kPyramidHeaderBytes, data.size() - kPyramidHeaderBytes - kPyramidChecksumBytes));
    PyramidNode node;
    for (auto left = getFixed<std::uint32_t>(data, 8); left > 0; --left) {
        node = nextNode(column, node);
        verifyPyramidBin(node.bin, chunk.level);
        chunk.level.nodes.push_back(node);
    }
    if (!column.atEnd())
        throw MalformedBlock("the pyramid chunk is longer than its nodes");
    return chunk;
}

} // namespace headroom::trace
