// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/pyramids/PyramidChunk.h"

#include "core/base/Crc32.h"
#include "profiling/trace/MalformedBlock.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>

namespace headroom::trace {
namespace {

std::vector<PyramidNode> randomNodes(std::size_t count)
{
    std::mt19937_64 random(4);
    std::vector<PyramidNode> nodes(count);
    std::int64_t bin = -100;
    for (PyramidNode& node : nodes) {
        bin += 1 + static_cast<std::int64_t>(random() % 1000);
        const Bytes min = static_cast<Bytes>(random());
        node = {bin, min, static_cast<Bytes>(random()), static_cast<Bytes>(random())};
    }
    return nodes;
}

TEST(PyramidChunkTest, roundTrips)
{
    for (const std::size_t count : {1U, 17U, 4'096U}) {
        const auto nodes = randomNodes(count);
        const PyramidChunk chunk = decodePyramidChunk(encodePyramidChunk(12, -5, nodes));
        EXPECT_EQ(chunk.level.shift, 12);
        EXPECT_EQ(chunk.before, -5);
        EXPECT_EQ(chunk.level.nodes, nodes);
        EXPECT_EQ(chunk.firstNs(), nodes.front().bin * 4096);
        EXPECT_EQ(chunk.lastNs(), nodes.back().bin * 4096 + 4095);
    }
}

TEST(PyramidChunkTest, everyTruncationAndFlippedBitIsAnError)
{
    auto data = encodePyramidChunk(3, 0, randomNodes(20));
    for (std::size_t size = 0; size < data.size(); ++size)
        EXPECT_THROW(decodePyramidChunk(std::span(data).first(size)), MalformedBlock) << size;
    for (std::size_t bit = 0; bit < data.size() * 8; ++bit) {
        data[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
        EXPECT_THROW(decodePyramidChunk(data), MalformedBlock) << bit;
        data[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    }
}

TEST(PyramidChunkTest, damageBehindAValidChecksumNeverEscapesTheChunk)
{
    const auto original = encodePyramidChunk(3, 0, randomNodes(50));
    std::mt19937 random(7);
    int refused = 0;
    for (int round = 0; round < 10'000; ++round) {
        auto data = original;
        for (auto changes = 1 + random() % 4; changes > 0; --changes)
            data[random() % data.size()] = static_cast<std::byte>(random());
        const std::uint32_t sum = crc32(std::span(data).first(data.size() - 4));
        std::memcpy(data.data() + data.size() - 4, &sum, 4);
        try {
            const PyramidChunk chunk = decodePyramidChunk(data);
            EXPECT_LE(chunk.firstNs(), chunk.lastNs());
        } catch (const MalformedBlock&) {
            ++refused;
        }
    }
    EXPECT_GT(refused, 500);
}

TEST(PyramidChunkTest, nodesOutOfOrderOrOutsideOfTimeAreRefused)
{
    const std::vector<PyramidNode> swapped{{5, 0, 0, 0}, {4, 0, 0, 0}};
    EXPECT_THROW(decodePyramidChunk(encodePyramidChunk(0, 0, swapped)), MalformedBlock);
    const std::vector<PyramidNode> outside{{std::numeric_limits<std::int64_t>::max() / 2, 0, 0, 0}};
    EXPECT_THROW(decodePyramidChunk(encodePyramidChunk(8, 0, outside)), MalformedBlock);
    EXPECT_THROW(encodePyramidChunk(0, 0, {}), UsageError);
}

} // namespace
} // namespace headroom::trace
