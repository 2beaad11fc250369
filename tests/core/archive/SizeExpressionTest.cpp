// SPDX-License-Identifier: Apache-2.0
#include "core/archive/SizeExpression.h"

#include <gtest/gtest.h>

namespace headroom::archive::size_expression_test {
namespace {

const SymbolValues kValues{{"s0", 7}, {"s1", 12}};

double valueOf(const std::string& text)
{
    const auto expression = SizeExpression::parse(text);
    EXPECT_NE(expression, nullptr) << text;
    return expression ? expression->at(kValues).value_or(-1) : -1;
}

TEST(SizeExpressionTest, readsWhatSympyWrites)
{
    EXPECT_EQ(valueOf("Symbol('s0', positive=True, integer=True)"), 7);
    EXPECT_EQ(valueOf("Integer(5)"), 5);
    EXPECT_EQ(valueOf("Mul(Integer(2), Symbol('s0', positive=True))"), 14);
    EXPECT_EQ(valueOf("Add(Integer(-1), Mul(Symbol('s0'), Symbol('s1')))"), 83);
    EXPECT_EQ(valueOf("Pow(Symbol('s0'), Integer(2))"), 49);
    EXPECT_EQ(valueOf("FloorDiv(Symbol('s1'), Integer(5))"), 2);
    EXPECT_EQ(valueOf("torch.utils._sympy.functions.FloorDiv(Symbol('s1'), Integer(5))"), 2);
    EXPECT_EQ(valueOf("Mod(Symbol('s1'), Integer(5))"), 2);
    EXPECT_EQ(valueOf("Max(Integer(3), Symbol('s0'))"), 7);
}

TEST(SizeExpressionTest, aFormThatIsNotKnownIsNone)
{
    for (const char* text : {"", "s0", "Unknown(Integer(1))", "Mul(Integer(2)", "Mul()", "Integer(x)", "Symbol('s0'",
             "Pow(Integer(2))", "Integer(99999999999999999999)", "Integer(5) trailing"})
        EXPECT_EQ(SizeExpression::parse(text), nullptr) << text;
    std::string deep;
    for (int i = 0; i < 100000; ++i)
        deep += "Mul(";
    EXPECT_EQ(SizeExpression::parse(deep), nullptr);
}

TEST(SizeExpressionTest, aSizeWithoutItsSymbolsValueIsTheExamples)
{
    const Size size{24, SizeExpression::parse("Symbol('s9')"), false};
    EXPECT_EQ(size.at(kValues), 24);
    EXPECT_TRUE(size.isFree());
    EXPECT_EQ(size.at({{"s9", 3}}), 3);
    EXPECT_EQ((Size{24, SizeExpression::parse("FloorDiv(Symbol('s9'), Integer(0))"), false}.at({{"s9", 3}})), 24);
}

} // namespace
} // namespace headroom::archive::size_expression_test
