// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/AddressEffect.h"

#include <gtest/gtest.h>

namespace headroom::experiments {
namespace {

TrialResult resultWith(std::optional<Bytes> reserved, std::optional<Bytes> other)
{
    TrialResult result;
    result.memory.peak.reserved = reserved;
    result.memory.peak.reservedOtherAddresses = other;
    return result;
}

TEST(AddressEffectTest, isThatOfThePeaksReservedBytes)
{
    const auto effect = addressesEffect(resultWith(1000, 1031));
    ASSERT_TRUE(effect);
    EXPECT_DOUBLE_EQ(*effect, 3.1);
}

TEST(AddressEffectTest, isNotThereOfWhatIsMeasuredOrHasNoSegments)
{
    EXPECT_FALSE(addressesEffect({}));
    EXPECT_FALSE(addressesEffect(resultWith(1000, std::nullopt)));
    EXPECT_FALSE(addressesEffect(resultWith(0, 0)));
}

TEST(AddressEffectTest, isSaidOfAllPredictionsInOneSentence)
{
    EXPECT_EQ(addressesSentence({}), "");
    EXPECT_EQ(addressesSentence({0.04, 3.1, -1}),
        "What is reserved depends on where the driver puts segments: in the other order of addresses it is -1.0 % to "
        "+3.1 %.");
    EXPECT_TRUE(addressesSentence({-0.04, 0.04}).ends_with("it is the same."));
    EXPECT_TRUE(addressesSentence({-0.03, 3.1}).ends_with("it is -0.03 % to +3.1 %."));
    EXPECT_TRUE(addressesSentence({-1.52, -1.5}).ends_with("it is -1.5 %."));
}

} // namespace
} // namespace headroom::experiments
