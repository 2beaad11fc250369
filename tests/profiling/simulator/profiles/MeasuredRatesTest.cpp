// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/profiles/MeasuredRates.h"

#include <gtest/gtest.h>

namespace headroom::simulator {
namespace {

RateTable table(Work work, MathType type, std::vector<RatePoint> points, std::int64_t smallestDimension = 0)
{
    return {work, type, smallestDimension, std::move(points), "measured"};
}

TEST(MeasuredRatesTest, aRateFollowsAPowerOfTheSizeBetweenPoints)
{
    const RateTable rates = table(Work::Elementwise, MathType::Float32, {{100, 1e3, 0}, {10'000, 1e5, 0}});
    EXPECT_DOUBLE_EQ(rates.seconds(100), 0.1);
    EXPECT_DOUBLE_EQ(rates.seconds(10'000), 0.1);
    EXPECT_NEAR(rates.seconds(1'000), 0.1, 1e-12) << "the rate is 1e4 in the middle of the decades";
}

TEST(MeasuredRatesTest, beyondThePointsASmallCallTakesTheLeastTimeAndALargeOneTheLastRate)
{
    const RateTable rates = table(Work::Elementwise, MathType::Float32, {{100, 1e3, 0}, {10'000, 1e5, 0}});
    EXPECT_DOUBLE_EQ(rates.seconds(1), 0.1);
    EXPECT_DOUBLE_EQ(rates.seconds(0), 0.1);
    EXPECT_DOUBLE_EQ(rates.seconds(1e6), 10);
}

TEST(MeasuredRatesTest, productsAreInterpolatedOverTheirSmallestDimension)
{
    MeasuredRates rates;
    rates.add(table(Work::Product, MathType::Float32, {{1e6, 1e8, 0}}, 64));
    rates.add(table(Work::Product, MathType::Float32, {{1e6, 1e6, 0}}, 1));
    const auto seconds = [&](std::int64_t smallest) {
        return rates.seconds({Work::Product, MathType::Float32, 1e6, smallest}).value();
    };
    EXPECT_DOUBLE_EQ(seconds(1), 1);
    EXPECT_NEAR(seconds(8), 0.1, 1e-12);
    EXPECT_DOUBLE_EQ(seconds(64), 0.01);
    EXPECT_DOUBLE_EQ(seconds(4096), 0.01);
    EXPECT_DOUBLE_EQ(seconds(0), 1) << "not distinguished: as the smallest";
}

TEST(MeasuredRatesTest, aProductBelowAllThatWereMeasuredOfItsDimensionsHasTheirRateNotTheirTime)
{
    MeasuredRates rates;
    rates.add(table(Work::Product, MathType::Float32, {{1e3, 1e8, 0}, {1e9, 1e8, 0}}, 64));
    rates.add(table(Work::Product, MathType::Float32, {{1e9, 1e8, 0}}, 512));
    const auto seconds = [&](double size, std::int64_t smallest) {
        return rates.seconds({Work::Product, MathType::Float32, size, smallest}).value();
    };
    EXPECT_NEAR(seconds(1e7, 256), 0.1, 1e-12);
    EXPECT_NEAR(seconds(1e7, 512), 0.1, 1e-12);
    EXPECT_NEAR(seconds(1, 512), 1e-5, 1e-15) << "no call is shorter than the shortest of all";
}

TEST(MeasuredRatesTest, whatWasNotMeasuredTakesTheNearestThatWas)
{
    MeasuredRates rates;
    EXPECT_TRUE(rates.isEmpty());
    EXPECT_FALSE(rates.seconds({Work::Gelu, MathType::Float32, 8}));
    rates.add(table(Work::Elementwise, MathType::Float32, {{1, 1, 0}}));
    EXPECT_DOUBLE_EQ(rates.seconds({Work::Gelu, MathType::Bfloat16, 8}).value(), 8);
    rates.add(table(Work::Elementwise, MathType::Bfloat16, {{1, 2, 0}}));
    EXPECT_DOUBLE_EQ(rates.seconds({Work::Gelu, MathType::Float16, 8}).value(), 4);
    rates.add(table(Work::Gelu, MathType::Float32, {{1, 4, 0}}));
    EXPECT_DOUBLE_EQ(rates.seconds({Work::Gelu, MathType::Float64, 8}).value(), 2);
    EXPECT_FALSE(rates.seconds({Work::Product, MathType::Float32, 8})) << "operations are not bytes";
}

TEST(MeasuredRatesTest, everyKindHasAName)
{
    EXPECT_EQ(nameOf(Work::Product), "product");
    EXPECT_EQ(nameOf(Work::Optimizer), "optimizer");
    EXPECT_EQ(workNames().size(), static_cast<std::size_t>(Work::Optimizer) + 1);
    EXPECT_TRUE(isArithmetic(Work::ConvolutionBackward));
    EXPECT_FALSE(isArithmetic(Work::Copy));
}

} // namespace
} // namespace headroom::simulator
