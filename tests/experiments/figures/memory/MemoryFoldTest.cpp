// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/memory/TimelineFigure.h"

#include "experiments/figures/memory/CategoryStack.h"
#include "tests/experiments/figures/ExampleFigures.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace headroom::figures {
namespace {

std::vector<MemoryBin> randomBins(Random& random, std::int64_t& endNs)
{
    std::vector<MemoryBin> bins;
    std::int64_t at = static_cast<std::int64_t>(random.below(50));
    for (std::size_t count = 1 + random.below(400); count > 0; --count) {
        const auto low = static_cast<Bytes>(random.below(1'000));
        bins.push_back({at, low, low + static_cast<Bytes>(random.below(100))});
        at += static_cast<std::int64_t>(1 + random.below(40));
    }
    endNs = at;
    return bins;
}

/// What the bins say about [from, to).
MemoryBin rangeOf(const std::vector<MemoryBin>& bins, std::int64_t from, std::int64_t to, std::int64_t endNs)
{
    MemoryBin range{from, 1'000'000, -1};
    for (std::size_t i = 0; i < bins.size(); ++i) {
        const std::int64_t end = i + 1 < bins.size() ? bins[i + 1].beginNs : endNs;
        if (bins[i].beginNs >= to || end <= from)
            continue;
        range.min = std::min(range.min, bins[i].min);
        range.max = std::max(range.max, bins[i].max);
    }
    return range;
}

TEST(MemoryFoldTest, fewBinsStayAsTheyAre)
{
    const std::vector<MemoryBin> bins{{0, 1, 2}, {5, 3, 3}};
    const auto result = folded(bins, 10, 2);
    ASSERT_EQ(result.size(), 2U);
    EXPECT_EQ(result[1].beginNs, 5);
}

TEST(MemoryFoldTest, eachBinHasTheExtremesOfItsOwnTime)
{
    Random random(5);
    for (int round = 0; round < 300; ++round) {
        std::int64_t endNs = 0;
        const auto bins = randomBins(random, endNs);
        const std::size_t most = 1 + random.below(60);
        const auto result = folded(bins, endNs, most);
        ASSERT_LE(result.size(), std::max(most, bins.size() <= most ? bins.size() : most));
        for (std::size_t i = 0; i < result.size(); ++i) {
            const std::int64_t end = i + 1 < result.size() ? result[i + 1].beginNs : endNs;
            const MemoryBin expected = rangeOf(bins, result[i].beginNs, end, endNs);
            ASSERT_EQ(result[i].min, expected.min) << "round " << round << ", bin " << i;
            ASSERT_EQ(result[i].max, expected.max) << "round " << round << ", bin " << i;
        }
    }
}

TEST(MemoryFoldTest, aStackIsFoldedAsTheLineAboveItAndKeepsWhatItsMostConsistsOf)
{
    Random random(6);
    for (int round = 0; round < 100; ++round) {
        const auto buckets = randomCategories(random, 1 + random.below(400), 5'000);
        const std::int64_t endNs = buckets.back().allocated.endNs;
        const std::size_t most = 1 + random.below(60);
        std::vector<MemoryBin> bins;
        for (const trace::CategoryBucket& bucket : buckets)
            bins.push_back({bucket.allocated.beginNs, bucket.allocated.min, bucket.allocated.max});
        const auto line = folded(bins, endNs, most);
        const auto stack = folded(buckets, endNs, most);
        ASSERT_EQ(stack.size(), line.size());
        for (std::size_t i = 0; i < stack.size(); ++i) {
            ASSERT_EQ(stack[i].allocated.beginNs, line[i].beginNs);
            ASSERT_EQ(stack[i].allocated.min, line[i].min);
            ASSERT_EQ(stack[i].allocated.max, line[i].max);
            ASSERT_EQ(stack[i].atMax.total(), line[i].max);
        }
    }
}

} // namespace
} // namespace headroom::figures
