// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/pyramids/CategoryChunk.h"

#include "core/base/Crc32.h"
#include "profiling/trace/CategoryCounters.h"
#include "profiling/trace/Columns.h"
#include "profiling/trace/MalformedBlock.h"

#include <algorithm>
#include <limits>
#include <string>

namespace headroom::trace {
namespace {

constexpr std::uint32_t kCategoryMagic = 0x31434548; // "HEC1"
constexpr std::uint16_t kCategoryVersion = 1;
constexpr std::size_t kBeforeOffset = 16;
constexpr std::size_t kCategoryHeaderBytes = kBeforeOffset + 8 * config::kMemoryCategoryCount;
constexpr std::size_t kCategoryChecksumBytes = 4;
constexpr unsigned kMaskBits = config::kMemoryCategoryCount;
constexpr std::uint64_t kMask = (1U << kMaskBits) - 1;
// Bin, minimum, the mask of changes, and every category twice.
constexpr std::size_t kMaxNodeBytes = (3 + 2 * config::kMemoryCategoryCount) * ColumnWriter::kMaxVarintBytes;

std::uint64_t changes(const CategoryBytes& from, const CategoryBytes& to)
{
    std::uint64_t mask = 0;
    for (unsigned i = 0; i < kMaskBits; ++i)
        mask |= static_cast<std::uint64_t>(from.bytes[i] != to.bytes[i]) << i;
    return mask;
}

void putChanges(ColumnWriter& column, std::uint64_t mask, const CategoryBytes& from, const CategoryBytes& to)
{
    for (unsigned i = 0; i < kMaskBits; ++i) {
        if ((mask >> i & 1U) != 0)
            column.putVarint(zigzag(wrappingDelta(from.bytes[i], to.bytes[i])));
    }
}

CategoryBytes getChanges(ColumnReader& column, std::uint64_t mask, CategoryBytes bytes)
{
    for (unsigned i = 0; i < kMaskBits; ++i) {
        if ((mask >> i & 1U) != 0)
            bytes.bytes[i] = wrappingAdd(bytes.bytes[i], unzigzag(column.varint()));
    }
    return bytes;
}

void verifyCategoryChunk(std::span<const std::byte> data)
{
    if (data.size() < kCategoryHeaderBytes + kCategoryChecksumBytes
        || getFixed<std::uint32_t>(data, 0) != kCategoryMagic)
        throw MalformedBlock("not a chunk of a pyramid of categories");
    const auto version = getFixed<std::uint16_t>(data, 4);
    if (version != kCategoryVersion)
        throw MalformedBlock("the chunk of categories has version " + std::to_string(version), {}, "1");
    const auto count = getFixed<std::uint32_t>(data, 8);
    if (getFixed<std::uint16_t>(data, 6) > kMaxBinShift || count == 0 || count > kMaxCategoryChunkNodes)
        throw MalformedBlock("the chunk of categories has an impossible header");
    if (kCategoryHeaderBytes + getFixed<std::uint32_t>(data, 12) + kCategoryChecksumBytes != data.size())
        throw MalformedBlock("the chunk of categories is truncated or has bytes left over");
    const std::size_t covered = data.size() - kCategoryChecksumBytes;
    if (crc32(data.first(covered)) != getFixed<std::uint32_t>(data, covered))
        throw MalformedBlock("the chunk of categories does not match its checksum");
}

void verifyCategoryBin(std::int64_t bin, const CategoryChunk& chunk)
{
    using Limits = std::numeric_limits<std::int64_t>;
    if (bin < (Limits::min() >> chunk.shift) || bin > ((Limits::max() - 1) >> chunk.shift))
        throw MalformedBlock("a node of the chunk of categories lies outside of time");
    if (!chunk.nodes.empty() && bin <= chunk.nodes.back().bin)
        throw MalformedBlock("the nodes of the chunk of categories are out of order");
}

void putNode(ColumnWriter& column, const CategoryNode& node, std::int64_t previousBin, const CategoryBytes& previous)
{
    column.putVarint(zigzag(wrappingDelta(previousBin, node.bin)));
    column.putVarint(static_cast<std::uint64_t>(wrappingDelta(node.min, node.max)));
    const std::uint64_t toMax = changes(previous, node.atMax);
    const std::uint64_t toLast = changes(node.atMax, node.atLast);
    column.putVarint(toMax | toLast << kMaskBits);
    putChanges(column, toMax, previous, node.atMax);
    putChanges(column, toLast, node.atMax, node.atLast);
}

CategoryNode getNode(ColumnReader& column, std::int64_t previousBin, const CategoryBytes& previous)
{
    CategoryNode node;
    node.bin = wrappingAdd(previousBin, unzigzag(column.varint()));
    const auto range = static_cast<std::int64_t>(column.varint());
    const std::uint64_t mask = column.varint();
    if (mask >> (2 * kMaskBits) != 0)
        throw MalformedBlock("a node of the chunk of categories has an unknown category");
    node.atMax = getChanges(column, mask & kMask, previous);
    node.atLast = getChanges(column, mask >> kMaskBits, node.atMax);
    node.max = CategoryCounters::of(node.atMax).allocated;
    node.last = CategoryCounters::of(node.atLast).allocated;
    node.min = wrappingDelta(range, node.max);
    return node;
}

} // namespace

void mergeCategoryNode(CategoryNode& node, const CategoryNode& later)
{
    if (later.max > node.max) {
        node.max = later.max;
        node.atMax = later.atMax;
    }
    node.min = std::min(node.min, later.min);
    node.last = later.last;
    node.atLast = later.atLast;
}

CategoryChunkPlace CategoryChunk::place() const
{
    return placeOf(shift, nodes);
}

CategoryChunkPlace placeOf(int shift, std::span<const CategoryNode> nodes)
{
    return {shift, nodes.size(), BinRange{shift, nodes.front().bin, 1}.beginNs(),
        BinRange{shift, nodes.back().bin, 1}.endNs() - 1};
}

std::vector<std::byte> encodeCategoryChunk(int shift, const CategoryBytes& before, std::span<const CategoryNode> nodes)
{
    if (nodes.empty() || nodes.size() > kMaxCategoryChunkNodes)
        throw UsageError("a chunk of " + std::to_string(nodes.size()) + " nodes", "categories", "1 to 1024 nodes");
    ColumnWriter column(nodes.size() * kMaxNodeBytes);
    const CategoryBytes* previous = &before;
    std::int64_t bin = 0;
    for (const CategoryNode& node : nodes) {
        putNode(column, node, bin, *previous);
        bin = node.bin;
        previous = &node.atLast;
    }
    std::vector<std::byte> out;
    out.reserve(kCategoryHeaderBytes + column.size() + kCategoryChecksumBytes);
    putFixed(out, kCategoryMagic);
    putFixed(out, kCategoryVersion);
    putFixed(out, static_cast<std::uint16_t>(shift));
    putFixed(out, static_cast<std::uint32_t>(nodes.size()));
    putFixed(out, static_cast<std::uint32_t>(column.size()));
    for (const Bytes bytes : before.bytes)
        putFixed(out, bytes);
    out.insert(out.end(), column.bytes().begin(), column.bytes().end());
    putFixed(out, crc32(out));
    return out;
}

CategoryChunk decodeCategoryChunk(std::span<const std::byte> data)
{
    verifyCategoryChunk(data);
    CategoryChunk chunk;
    chunk.shift = getFixed<std::uint16_t>(data, 6);
    for (std::size_t i = 0; i < kMaskBits; ++i)
        chunk.before.bytes[i] = getFixed<std::int64_t>(data, kBeforeOffset + 8 * i);
    const auto count = getFixed<std::uint32_t>(data, 8);
    chunk.nodes.reserve(count);
    ColumnReader column(
        data.subspan(kCategoryHeaderBytes, data.size() - kCategoryHeaderBytes - kCategoryChecksumBytes));
    const CategoryBytes* previous = &chunk.before;
    std::int64_t bin = 0;
    while (chunk.nodes.size() < count) {
        const CategoryNode node = getNode(column, bin, *previous);
        verifyCategoryBin(node.bin, chunk);
        bin = node.bin;
        previous = &chunk.nodes.emplace_back(node).atLast;
    }
    if (!column.atEnd())
        throw MalformedBlock("the chunk of categories is longer than its nodes");
    return chunk;
}

} // namespace headroom::trace
