// SPDX-License-Identifier: Apache-2.0
#include "core/config/Value.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <random>
#include <variant>

namespace headroom::config {
namespace {

TEST(ValueTest, knowsItsKind)
{
    EXPECT_TRUE(Value().isNull());
    EXPECT_TRUE(Value(true).isBoolean());
    EXPECT_TRUE(Value(4).isInteger());
    EXPECT_TRUE(Value(4.0).isReal());
    EXPECT_TRUE(Value("gelu").isText());
    EXPECT_TRUE(Value(Value::List{1, 2}).isList());
}

TEST(ValueTest, namesItsKindForMessages)
{
    EXPECT_EQ(kindOf(Value()), "nothing");
    EXPECT_EQ(kindOf(Value(false)), "a boolean");
    EXPECT_EQ(kindOf(Value(4)), "an integer");
    EXPECT_EQ(kindOf(Value(0.5)), "a real number");
    EXPECT_EQ(kindOf(Value("x")), "text");
    EXPECT_EQ(kindOf(Value(Value::List{})), "a list");
}

TEST(ValueTest, integersAreReadAsRealsButNotTheOtherWayRound)
{
    EXPECT_EQ(Value(4).real(), 4.0);
    EXPECT_THROW(Value(4.0).integer(), std::bad_variant_access);
    EXPECT_NE(Value(4), Value(4.0));
}

TEST(ValueTest, isWrittenAsToml)
{
    EXPECT_EQ(toToml(Value()), "null");
    EXPECT_EQ(toToml(Value(true)), "true");
    EXPECT_EQ(toToml(Value(false)), "false");
    EXPECT_EQ(toToml(Value(-4)), "-4");
    EXPECT_EQ(toToml(Value(2.0)), "2.0");
    EXPECT_EQ(toToml(Value(0.1)), "0.1");
    EXPECT_EQ(toToml(Value("ge\"l\\u")), R"("ge\"l\\u")");
    EXPECT_EQ(toToml(Value(Value::List{2, "a", Value::List{true}})), R"([2, "a", [true]])");
    EXPECT_EQ(toToml(Value(std::numeric_limits<std::int64_t>::min())), "-9223372036854775808");
}

TEST(ValueTest, textOfSeveralLinesIsTomlOfOneLine)
{
    EXPECT_EQ(toToml(Value("a\n\t\r\x1b\x7f\"\\")), R"("a\n\t\u000D\u001B\u007F\"\\")");
}

TEST(ValueTest, marksOfDirectionAndC1ControlsAreEscapesOfToml)
{
    EXPECT_EQ(toToml(Value("a\u0085\u009b\u202e\u2066ü😀")), "\"a\\u0085\\u009B\\u202E\\u2066ü😀\"");
    EXPECT_EQ(toToml(Value("\xff")), "\"\xff\"");
}

TEST(ValueTest, labelsShowTextWithoutQuotes)
{
    EXPECT_EQ(toLabel(Value("every:2")), "every:2");
    EXPECT_EQ(toLabel(Value(0.9999)), "0.9999");
    EXPECT_EQ(toLabel(Value(true)), "true");
}

TEST(ValueTest, realsReadBackAsTheSameDouble)
{
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> mantissa(-1, 1);
    std::uniform_int_distribution<int> exponent(-300, 300);
    for (int i = 0; i < 2000; ++i) {
        const double value = std::ldexp(mantissa(random), exponent(random));
        EXPECT_EQ(std::strtod(toToml(Value(value)).c_str(), nullptr), value);
    }
}

} // namespace
} // namespace headroom::config
