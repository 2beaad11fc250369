// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/rules/ReductionRules.h"

#include <gtest/gtest.h>

namespace headroom::simulator::reduction_rules_test {
namespace {

// Of a GPU with 148 multiprocessors of 2048 threads, on which the figures below were recorded.
constexpr ReductionDevice kRecorded{148, 2048};
constexpr ReductionDevice kA100{108, 2048};

std::vector<std::int64_t> contiguousStrides(const std::vector<std::int64_t>& sizes)
{
    std::vector<std::int64_t> strides(sizes.size(), 1);
    for (std::size_t i = sizes.size(); i-- > 1;)
        strides[i - 1] = strides[i] * sizes[i];
    return strides;
}

ReducedTensor tensor(const std::vector<std::int64_t>& sizes, const std::vector<bool>& isReduced)
{
    return {sizes, contiguousStrides(sizes), isReduced};
}

ReductionScratch sum(const ReducedTensor& input, const ReductionDevice& device = kRecorded)
{
    return reductionScratch(input, {}, device);
}

ReductionScratch oneLaunch(Bytes buffer, Bytes semaphores)
{
    return {std::nullopt, {{buffer, semaphores}}};
}

// What a language model's norms of width 1024 and 2560 were seen to take for the gradient of their weights.
TEST(ReductionRulesTest, aSumOverLeadingDimensionsTakesTheRecordedBytes)
{
    EXPECT_EQ(sum(tensor({4, 512, 1024}, {true, true, false})), oneLaunch(16777216, 32));
    EXPECT_EQ(sum(tensor({4, 512, 2560}, {true, true, false})), oneLaunch(41943040, 80));
    EXPECT_EQ(sum(tensor({4, 2048, 2560}, {true, true, false})), oneLaunch(155975680, 80));
}

TEST(ReductionRulesTest, fewRowsAreNotSplit)
{
    EXPECT_EQ(sum(tensor({4, 128, 1024}, {true, true, false})), ReductionScratch{});
    EXPECT_EQ(sum(tensor({1023, 1024}, {true, false})), oneLaunch(8388608, 32)) << "256 values a thread, 16 blocks";
    EXPECT_EQ(sum(tensor({1020, 1024}, {true, false})), ReductionScratch{}) << "255 values for each of four threads";
}

// 64 output vectors of 4 are no whole warp's work for 256 columns: 256 / 4 = 64 = two warps, so two grid cells.
TEST(ReductionRulesTest, theGridIsThatOfTheOutputs)
{
    EXPECT_EQ(sum(tensor({2048, 256}, {true, false})), oneLaunch(Bytes{4} * 256 * 32 * 128, 8));
    EXPECT_EQ(sum(tensor({2048, 1024 * 1024}, {true, false})), ReductionScratch{})
        << "enough outputs to fill the device";
}

// Odd widths are read one by one: 512 threads of 32 x 16, so 128 values for each of 2048 rows, too few to split.
TEST(ReductionRulesTest, widthsThatVectorsDoNotDivideUseMoreThreadsForARow)
{
    EXPECT_EQ(sum(tensor({2048, 1001}, {true, false})), ReductionScratch{});
    // 8192 / 16 = 512 values; 32 columns a block: 32 cells of ceil(592 / 32) = 19 blocks, not 512 / 16 = 32.
    EXPECT_EQ(sum(tensor({8192, 1001}, {true, false})), oneLaunch(Bytes{4} * 1001 * 19 * 32, 128));
}

TEST(ReductionRulesTest, aViewThatBeginsBetweenVectorsIsReadOneByOne)
{
    ReducedTensor shifted = tensor({2048, 1024}, {true, false});
    shifted.offset = 1;
    EXPECT_EQ(sum(shifted), ReductionScratch{});
}

// A whole tensor: 512 threads, each with vectors of 4 elements; sixteen values a thread are the least.
TEST(ReductionRulesTest, aSumOfEverythingKeepsOneNumberForEachBlock)
{
    const std::int64_t elements = std::int64_t{1} << 24;
    // Threads that are idle at 2^24 / 512 = 32768 values each: 2048 / 512 = 4 blocks on each of 108 multiprocessors.
    EXPECT_EQ(sum(tensor({elements}, {true}), kA100), oneLaunch(Bytes{4} * 432, 4));
    EXPECT_EQ(sum(tensor({64, elements / 64}, {true, true}), kA100), oneLaunch(Bytes{4} * 432, 4)) << "one dimension";
    EXPECT_EQ(sum(tensor({4096}, {true}), kA100), ReductionScratch{});
}

TEST(ReductionRulesTest, rowsThatFillTheDeviceAreNotSplit)
{
    EXPECT_EQ(sum(tensor({8192, 4096}, {false, true}), kA100), ReductionScratch{});
}

// A transposed matrix, its rows summed up: the same bytes in the same order as the columns of the other.
TEST(ReductionRulesTest, stridesDecideNotTheOrderOfDimensions)
{
    const ReducedTensor transposed{{1024, 2048}, {1, 1024}, {false, true}};
    EXPECT_EQ(sum(transposed), sum(tensor({2048, 1024}, {true, false})));
    EXPECT_EQ(sum(tensor({2048, 1, 1024, 1}, {true, true, false, false})), sum(tensor({2048, 1024}, {true, false})));
}

TEST(ReductionRulesTest, theBufferHoldsAccumulators)
{
    const ReducedTensor rows = tensor({2048, 1024}, {true, false});
    EXPECT_EQ(reductionScratch(rows, {.input = 2, .accumulator = 4, .output = 2}, kRecorded), oneLaunch(16777216, 32));
    EXPECT_EQ(reductionScratch(rows, {.input = 4, .accumulator = 16, .output = 4}, kRecorded), oneLaunch(67108864, 32));
}

// 2^29 + 2^10 floats lie beyond 2^31 bytes: halves of 262,144 and 262,145 rows.
TEST(ReductionRulesTest, whatIsTooLargeForOffsetsIsReducedInHalves)
{
    const ReductionScratch halves = sum(tensor({524289, 1024}, {true, false}));
    ASSERT_EQ(halves.launches.size(), 2U);
    EXPECT_EQ(halves.launches[0], sum(tensor({262144, 1024}, {true, false})).launches.at(0));
    EXPECT_EQ(halves.launches[1], sum(tensor({262145, 1024}, {true, false})).launches.at(0));
    EXPECT_EQ(halves.accumulators, std::nullopt) << "partial sums lie in the result";
    const ReductionScratch rounded =
        reductionScratch(tensor({1048577, 1024}, {true, false}), {.input = 2, .accumulator = 4, .output = 2}, kA100);
    EXPECT_EQ(rounded.accumulators, 4096);
    EXPECT_EQ(rounded.launches.size(), 2U);
}

TEST(ReductionRulesTest, nothingOfNothing)
{
    EXPECT_EQ(sum(tensor({0, 1024}, {true, false})), ReductionScratch{});
    EXPECT_EQ(sum(tensor({}, {})), ReductionScratch{});
    EXPECT_EQ(sum(tensor({1, 1}, {true, false})), ReductionScratch{});
}

} // namespace
} // namespace headroom::simulator::reduction_rules_test
