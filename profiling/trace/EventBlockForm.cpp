// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/EventBlockForm.h"

#include "core/base/Crc32.h"
#include "profiling/trace/CategoryCounters.h"
#include "profiling/trace/Columns.h"
#include "profiling/trace/MalformedBlock.h"

#include <string>

namespace headroom::trace {
namespace {

constexpr std::uint32_t kEventBlockMagic = 0x31424548; // "HEB1"
constexpr std::size_t kCategoriesOffset = 104;
constexpr std::size_t kEventBlockChecksumBytes = 4;

struct Form {
    std::size_t columns;
    std::size_t lengthsOffset;
    std::size_t headerBytes;
};

constexpr std::uint16_t kNewestVersion = 2;
constexpr Form kForms[] = {{6, 104, 128}, {kEventColumns, 200, 232}};
static_assert(kForms[1].lengthsOffset == kCategoriesOffset + 8 * config::kMemoryCategoryCount,
    "another number of categories is another version of the block");

const Form& formOf(std::span<const std::byte> block)
{
    return kForms[eventBlockVersion(block) - 1];
}

void putHeader(std::vector<std::byte>& out, const EventBlockHeader& header, std::size_t payload)
{
    putFixed(out, kEventBlockMagic);
    putFixed(out, kNewestVersion);
    putFixed(out, static_cast<std::uint16_t>(kEventColumns));
    putFixed(out, header.count);
    putFixed(out, static_cast<std::uint32_t>(payload));
    putFixed(out, header.firstNs);
    putFixed(out, header.lastNs);
    for (const Counter counter : kCounters)
        putFixed(out, header.before.of(counter));
    for (const Counter counter : kCounters) {
        putFixed(out, header.min.of(counter));
        putFixed(out, header.max.of(counter));
    }
    for (const Bytes bytes : header.categoriesBefore.bytes)
        putFixed(out, bytes);
}

CategoryBytes categoriesOf(std::span<const std::byte> block, Bytes allocated)
{
    CategoryBytes categories = CategoryCounters::ofUnknown(allocated).categories;
    if (eventBlockVersion(block) == 1)
        return categories;
    for (std::size_t i = 0; i < categories.bytes.size(); ++i)
        categories.bytes[i] = getFixed<std::int64_t>(block, kCategoriesOffset + 8 * i);
    if (CategoryCounters::of(categories).allocated != allocated)
        throw MalformedBlock("the categories of the event block do not sum to what is allocated");
    return categories;
}

} // namespace

std::vector<std::byte> frameEventBlock(const EventBlockHeader& header, const EventColumns& columns)
{
    std::size_t payload = 0;
    for (const auto& column : columns)
        payload += column.size();
    std::vector<std::byte> out;
    out.reserve(kForms[1].headerBytes + payload + kEventBlockChecksumBytes);
    putHeader(out, header, payload);
    for (const auto& column : columns)
        putFixed(out, static_cast<std::uint32_t>(column.size()));
    for (const auto& column : columns)
        out.insert(out.end(), column.begin(), column.end());
    putFixed(out, crc32(out));
    return out;
}

void verifyEventBlockForm(std::span<const std::byte> block)
{
    if (block.size() < kForms[0].headerBytes + kEventBlockChecksumBytes
        || getFixed<std::uint32_t>(block, 0) != kEventBlockMagic)
        throw MalformedBlock("not a block of allocator events");
    const auto version = eventBlockVersion(block);
    if (version == 0 || version > kNewestVersion)
        throw MalformedBlock("the event block has version " + std::to_string(version), {}, "1 and 2");
    const Form& form = formOf(block);
    if (getFixed<std::uint16_t>(block, 6) != form.columns)
        throw MalformedBlock("the event block has an unknown number of columns");
    const auto count = getFixed<std::uint32_t>(block, 8);
    if (count == 0 || count > kMaxBlockEvents)
        throw MalformedBlock("the event block says it holds " + std::to_string(count) + " events", {}, "1 to 65536");
    if (form.headerBytes + getFixed<std::uint32_t>(block, 12) + kEventBlockChecksumBytes != block.size())
        throw MalformedBlock("the event block is truncated or has bytes left over");
}

void verifyEventBlockChecksum(std::span<const std::byte> block)
{
    const std::size_t covered = block.size() - kEventBlockChecksumBytes;
    if (crc32(block.first(covered)) != getFixed<std::uint32_t>(block, covered))
        throw MalformedBlock("the event block does not match its checksum");
}

std::uint16_t eventBlockVersion(std::span<const std::byte> block)
{
    return getFixed<std::uint16_t>(block, 4);
}

EventBlockHeader eventBlockHeader(std::span<const std::byte> block)
{
    const auto value = [block](std::size_t index) { return getFixed<std::int64_t>(block, 16 + 8 * index); };
    return {.count = getFixed<std::uint32_t>(block, 8),
        .firstNs = value(0),
        .lastNs = value(1),
        .before = {.allocated = value(2), .reserved = value(3), .active = value(4)},
        .min = {.allocated = value(5), .reserved = value(7), .active = value(9)},
        .max = {.allocated = value(6), .reserved = value(8), .active = value(10)},
        .categoriesBefore = categoriesOf(block, value(2))};
}

EventColumns eventBlockColumns(std::span<const std::byte> block)
{
    const Form& form = formOf(block);
    EventColumns columns;
    std::span<const std::byte> rest =
        block.subspan(form.headerBytes, block.size() - form.headerBytes - kEventBlockChecksumBytes);
    for (std::size_t i = 0; i < form.columns; ++i) {
        const auto length = getFixed<std::uint32_t>(block, form.lengthsOffset + 4 * i);
        if (length > rest.size())
            throw MalformedBlock("a column of the event block reaches behind its end");
        columns[i] = rest.first(length);
        rest = rest.subspan(length);
    }
    if (!rest.empty())
        throw MalformedBlock("the columns of the event block do not fill it");
    return columns;
}

} // namespace headroom::trace
