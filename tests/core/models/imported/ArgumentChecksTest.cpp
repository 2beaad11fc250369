// SPDX-License-Identifier: Apache-2.0
#include "core/models/imported/ArgumentChecks.h"

#include <gtest/gtest.h>

namespace headroom::models::argument_checks_test {
namespace {

// With the arguments' defaults behind those that are given.
void checkOf(const char* name, const char* overload, torch::jit::Stack stack)
{
    const auto op = c10::Dispatcher::singleton().findSchema({name, overload});
    ASSERT_TRUE(op) << name;
    const ArgumentCheck check = argumentCheckOf(op->schema());
    ASSERT_NE(check, nullptr) << name;
    for (std::size_t i = stack.size(); i < op->schema().arguments().size(); ++i)
        stack.push_back(op->schema().arguments()[i].default_value().value_or(c10::IValue()));
    check(stack);
}

at::Tensor integers(const std::vector<std::int64_t>& values)
{
    return at::tensor(values, at::kLong);
}

TEST(ArgumentChecksTest, aWeightHasOneNormForEachSlice)
{
    const at::Tensor weight = at::ones({3, 4});
    EXPECT_NO_THROW(checkOf("aten::_weight_norm", "", {weight, at::ones({3, 1}), 0}));
    EXPECT_NO_THROW(checkOf("aten::_weight_norm", "", {weight, at::ones({1, 4}), 1}));
    EXPECT_NO_THROW(checkOf("aten::_weight_norm", "", {weight, at::ones({}), -1})); // of all, by other operators
    EXPECT_THROW(checkOf("aten::_weight_norm", "", {weight, at::ones({0, 1}), 0}), c10::Error);
    EXPECT_THROW(checkOf("aten::_weight_norm", "", {weight, at::ones({3, 1}), 1}), c10::Error);
}

TEST(ArgumentChecksTest, targetsOfCtcAreClasses)
{
    const at::Tensor probabilities = at::zeros({5, 1, 4});
    const std::vector<std::int64_t> lengths{5};
    const std::vector<std::int64_t> targetLengths{2};
    const auto check = [&](const at::Tensor& targets) {
        checkOf("aten::ctc_loss", "IntList", {probabilities, targets, lengths, targetLengths});
        checkOf("aten::ctc_loss", "Tensor", {probabilities, targets, integers(lengths), integers(targetLengths)});
    };
    EXPECT_NO_THROW(check(integers({1, 3})));
    EXPECT_THROW(check(integers({1, 4})), c10::Error);
    EXPECT_THROW(check(integers({-1, 3})), c10::Error);
    EXPECT_NO_THROW(check(at::empty({1, 2}, at::TensorOptions(at::kLong).device(at::kMeta)))); // which has no values
}

TEST(ArgumentChecksTest, offsetsOfBagsAreInOrder)
{
    const auto check = [](const std::vector<std::int64_t>& offsets, std::int64_t mode) {
        checkOf("aten::embedding_bag", "", {at::ones({4, 8}), integers({0, 1, 2}), integers(offsets), false, mode});
        checkOf("aten::embedding_bag", "padding_idx",
            {at::ones({4, 8}), integers({0, 1, 2}), integers(offsets), false, mode, false, c10::IValue(), false, 1});
    };
    EXPECT_NO_THROW(check({0, 2}, 0));
    EXPECT_NO_THROW(check({}, 2));
    EXPECT_THROW(check({0, -100000000, 2}, 0), c10::Error);
    EXPECT_THROW(check({0, 3, 1}, 1), c10::Error);
    EXPECT_THROW(check({0, 2}, 3), c10::Error);
}

TEST(ArgumentChecksTest, whatLibTorchChecksItselfHasNoCheckOfOurs)
{
    EXPECT_EQ(argumentCheckOf(c10::Dispatcher::singleton().findSchema({"aten::embedding", ""})->schema()), nullptr);
}

} // namespace
} // namespace headroom::models::argument_checks_test
