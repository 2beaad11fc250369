// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/AddressEffect.h"

#include <gtest/gtest.h>

namespace headroom::experiments {
namespace {

OrderedJson recordWith(const char* peak)
{
    return OrderedJson::parse(std::string(R"({"memory": {"peak": )") + peak + "}}");
}

TEST(AddressEffectTest, isThatOfThePeaksReservedBytes)
{
    const auto effect =
        addressesEffect(recordWith(R"({"reserved_bytes": 1000, "reserved_other_addresses_bytes": 1031})"));
    ASSERT_TRUE(effect);
    EXPECT_DOUBLE_EQ(*effect, 3.1);
}

TEST(AddressEffectTest, isNotThereOfWhatIsMeasuredOrHasNoSegments)
{
    EXPECT_FALSE(addressesEffect(OrderedJson::parse("{}")));
    EXPECT_FALSE(addressesEffect(OrderedJson::parse(R"({"memory": null})")));
    EXPECT_FALSE(addressesEffect(recordWith(R"({"reserved_bytes": 1000, "reserved_other_addresses_bytes": null})")));
    EXPECT_FALSE(addressesEffect(recordWith(R"({"reserved_bytes": 0, "reserved_other_addresses_bytes": 0})")));
}

TEST(AddressEffectTest, isSaidOfAllPredictionsInOneSentence)
{
    EXPECT_EQ(addressesSentence({}), "");
    EXPECT_EQ(addressesSentence({0.04, 3.1, -1}),
        "What is reserved depends on where the driver puts segments: in the other order of addresses it is -1.0 % to "
        "+3.1 %.");
    EXPECT_TRUE(addressesSentence({-0.01, 0.02}).ends_with("it is the same."));
    EXPECT_TRUE(addressesSentence({-1.52, -1.5}).ends_with("it is -1.5 %."));
}

} // namespace
} // namespace headroom::experiments
