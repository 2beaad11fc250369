// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/Columns.h"

#include "profiling/trace/MalformedBlock.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace headroom::trace {
namespace {

TEST(ColumnsTest, varintsRoundTripAtEveryLength)
{
    ColumnWriter writer(64 * 2 * ColumnWriter::kMaxVarintBytes);
    for (unsigned bit = 0; bit < 64; ++bit) {
        writer.putVarint(std::uint64_t{1} << bit);
        writer.putVarint((std::uint64_t{1} << bit) - 1);
    }
    ColumnReader reader(writer.bytes());
    for (unsigned bit = 0; bit < 64; ++bit) {
        EXPECT_EQ(reader.varint(), std::uint64_t{1} << bit);
        EXPECT_EQ(reader.varint(), (std::uint64_t{1} << bit) - 1);
    }
    EXPECT_TRUE(reader.atEnd());
}

TEST(ColumnsTest, zigzagKeepsSmallMagnitudesSmallAndExtremesIntact)
{
    EXPECT_EQ(zigzag(0), 0U);
    EXPECT_EQ(zigzag(-1), 1U);
    EXPECT_EQ(zigzag(1), 2U);
    for (const std::int64_t value : {std::numeric_limits<std::int64_t>::min(), std::int64_t{-77}, std::int64_t{0},
             std::numeric_limits<std::int64_t>::max()})
        EXPECT_EQ(unzigzag(zigzag(value)), value);
}

TEST(ColumnsTest, readingBehindTheEndIsAnError)
{
    const std::array cut{std::byte{0x80}, std::byte{0xFF}};
    EXPECT_THROW(ColumnReader(cut).varint(), MalformedBlock);
    ColumnReader empty(std::span<const std::byte>{});
    EXPECT_THROW(empty.byte(), MalformedBlock);
    EXPECT_THROW(empty.varint(), MalformedBlock);
}

TEST(ColumnsTest, aNumberOfMoreThan64BitsIsAnError)
{
    std::array<std::byte, 11> endless;
    endless.fill(std::byte{0xFF});
    EXPECT_THROW(ColumnReader(endless).varint(), MalformedBlock);
}

} // namespace
} // namespace headroom::trace
