// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/Axis.h"

#include "tests/experiments/figures/ExampleFigures.h"

#include <gmock/gmock.h>

#include <cmath>

namespace headroom::figures {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> texts(const std::vector<Tick>& ticks)
{
    std::vector<std::string> result;
    for (const Tick& tick : ticks)
        result.push_back(tick.text);
    return result;
}

bool isOneTwoOrFive(double step)
{
    const double digit = step / std::pow(10.0, std::floor(std::log10(step) + 1e-9));
    return std::abs(digit - 1) < 1e-6 || std::abs(digit - 2) < 1e-6 || std::abs(digit - 5) < 1e-6;
}

TEST(AxisTest, ticksAreRoundNumbers)
{
    EXPECT_THAT(texts(niceTicks(Scale::Linear, 0, 28.8, 8)), ElementsAre("0", "5", "10", "15", "20", "25"));
    EXPECT_THAT(texts(niceTicks(Scale::Linear, 1.33, 1.71, 8)),
        ElementsAre("1.35", "1.40", "1.45", "1.50", "1.55", "1.60", "1.65", "1.70"));
    EXPECT_THAT(texts(niceTicks(Scale::Linear, 1.33, 1.71, 4)), ElementsAre("1.4", "1.5", "1.6", "1.7"));
    EXPECT_THAT(texts(niceTicks(Scale::Linear, -3, 3, 4)), ElementsAre("-2", "0", "2"));
}

TEST(AxisTest, oneTickIsNone)
{
    EXPECT_THAT(texts(niceTicks(Scale::Linear, 0.9, 3.1, 2)), ElementsAre("1", "3"));
    EXPECT_THAT(texts(niceTicks(Scale::Linear, 4.6, 5.4, 2)), ElementsAre("4.6", "5.4"));
}

TEST(AxisTest, theBoundsThemselvesAreTicks)
{
    EXPECT_THAT(texts(niceTicks(Scale::Linear, 0.1, 0.3, 4)), ElementsAre("0.1", "0.2", "0.3"));
}

TEST(AxisTest, randomRangesHaveSortedRoundTicksInside)
{
    Random random(1);
    for (int i = 0; i < 5'000; ++i) {
        const double size = std::pow(10.0, 12 * random.fraction() - 6);
        const double low = size * (random.fraction() - 0.3);
        const double high = low + size * (0.001 + random.fraction());
        const std::size_t most = 2 + random.below(10);
        const auto ticks = niceTicks(Scale::Linear, low, high, most);
        ASSERT_LE(ticks.size(), most) << low << " to " << high;
        ASSERT_GE(ticks.size(), 2U) << low << " to " << high;
        for (std::size_t t = 0; t < ticks.size(); ++t) {
            ASSERT_GE(ticks[t].value, low);
            ASSERT_LE(ticks[t].value, high);
            if (t > 0 && ticks.size() > 2) { // of two, the outermost of a finer step
                ASSERT_TRUE(isOneTwoOrFive(ticks[t].value - ticks[t - 1].value)) << low << " to " << high;
            }
        }
    }
}

TEST(AxisTest, textsOfTicksSayTheirValue)
{
    Random random(2);
    for (int i = 0; i < 1'000; ++i) {
        const double low = random.fraction();
        for (const Tick& tick : niceTicks(Scale::Linear, low, low + random.fraction() + 0.01, 8))
            ASSERT_NEAR(std::stod(tick.text), tick.value, 1e-9);
    }
}

TEST(AxisTest, ticksOfLongNumbersHaveADecimalPrefixThatTheyShare)
{
    EXPECT_THAT(texts(niceTicks(Scale::Linear, 0, 15.5e6, 4)), ElementsAre("0", "5 M", "10 M", "15 M"));
    EXPECT_THAT(texts(niceTicks(Scale::Linear, 0.4e6, 1.6e6, 4)), ElementsAre("0.5 M", "1.0 M", "1.5 M"));
    EXPECT_THAT(texts(niceTicks(Scale::Linear, 0, 250e3, 4)), ElementsAre("0", "100 k", "200 k"));
    EXPECT_THAT(texts(niceTicks(Scale::Linear, 0, 25e3, 4)), ElementsAre("0", "10000", "20000"));
    EXPECT_THAT(texts(niceTicks(Scale::Logarithmic, 900, 2e8, 8)),
        ElementsAre("1000", "10000", "100 k", "1 M", "10 M", "100 M"));
}

TEST(AxisTest, logarithmicTicksAreOneTwoFiveOrDecades)
{
    EXPECT_THAT(texts(niceTicks(Scale::Logarithmic, 0.9, 60, 8)), ElementsAre("1", "2", "5", "10", "20", "50"));
    EXPECT_THAT(
        texts(niceTicks(Scale::Logarithmic, 0.009, 1200, 8)), ElementsAre("0.01", "0.1", "1", "10", "100", "1000"));
    EXPECT_LE(niceTicks(Scale::Logarithmic, 1e-9, 1e9, 5).size(), 5U);
    EXPECT_GE(niceTicks(Scale::Logarithmic, 3.1, 3.9, 5).size(), 2U);
}

TEST(AxisTest, beginsAtZeroUnlessThatWouldHideTheDifferences)
{
    EXPECT_EQ(axisFor("m", Scale::Linear, std::vector<double>{9.3, 26.7}).low, 0);
    EXPECT_GT(axisFor("s", Scale::Linear, std::vector<double>{1.36, 1.68}).low, 1.2);
    EXPECT_EQ(axisFor("m", Scale::Linear, std::vector<double>{12}).low, 0);
    EXPECT_EQ(axisFromZero("m", std::vector<double>{100, 101}).low, 0);
}

TEST(AxisTest, showsEveryValueWithRoom)
{
    const std::vector<double> values{1.36, 1.5, 1.68};
    for (const Scale scale : {Scale::Linear, Scale::Logarithmic}) {
        const Axis axis = axisFor("s", scale, values);
        for (const double value : values) {
            EXPECT_GT(axis.fraction(value), 0.02);
            EXPECT_LT(axis.fraction(value), 0.98);
        }
    }
}

TEST(AxisTest, doesNotBlowUpNoise)
{
    const Axis axis = axisFor("s", Scale::Linear, std::vector<double>{1.6800, 1.6801});
    EXPECT_GT(axis.high - axis.low, 0.05);
}

TEST(AxisTest, degenerateValuesStillGiveARange)
{
    for (const std::vector<double>& values : std::vector<std::vector<double>>{{}, {0}, {0, 0}, {-2, -2}, {5, 5, 5}}) {
        const Axis axis = axisFor("s", Scale::Linear, values);
        EXPECT_LT(axis.low, axis.high);
        EXPECT_GE(axis.ticks.size(), 2U);
    }
}

TEST(AxisTest, takesALogarithmicScaleForWideRangesOnly)
{
    EXPECT_EQ(suitableScale(std::vector<double>{1, 31}), Scale::Logarithmic);
    EXPECT_EQ(suitableScale(std::vector<double>{1, 29}), Scale::Linear);
    EXPECT_EQ(suitableScale(std::vector<double>{0, 29}), Scale::Linear);
    EXPECT_EQ(suitableScale({}), Scale::Linear);
}

TEST(AxisTest, categoriesAreTicksFromTheTop)
{
    const Axis axis = categoryAxis("", std::vector<std::string>{"none", "all"});
    EXPECT_THAT(texts(axis.ticks), ElementsAre("none", "all"));
    EXPECT_DOUBLE_EQ(axis.fraction(0), 0.25);
    EXPECT_DOUBLE_EQ(axis.fraction(1), 0.75);
}

} // namespace
} // namespace headroom::figures
