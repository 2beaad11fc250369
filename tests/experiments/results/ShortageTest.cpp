// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/Shortage.h"

#include <gtest/gtest.h>

namespace headroom::experiments::shortage_test {
namespace {

OrderedJson bytesOrNull(std::optional<Bytes> bytes)
{
    return bytes ? OrderedJson(*bytes) : OrderedJson(nullptr);
}

OrderedJson outOfMemory(std::optional<Bytes> requested, std::optional<Bytes> missing, std::optional<Bytes> limit)
{
    OrderedJson record{{"outcome", "out_of_memory"}, {"reason", "out of memory: what the allocator says"}};
    record["oom"] = {
        {"phase", "forward"}, {"requested_bytes", bytesOrNull(requested)}, {"missing_bytes", bytesOrNull(missing)}};
    record["memory"] = {{"limit_bytes", bytesOrNull(limit)}, {"needed_bytes", nullptr}, {"missing_bytes", nullptr}};
    for (const char* moment : {"after_load", "whole_run_peak"})
        record["memory"][moment] = {{"reserved_bytes", nullptr}, {"device_bytes", nullptr}};
    return record;
}

OrderedJson withNeed(Bytes needed, Bytes missing)
{
    OrderedJson record = outOfMemory(96 * kMiB, kMiB, 23 * kGiB);
    record["memory"]["needed_bytes"] = needed;
    record["memory"]["missing_bytes"] = missing;
    return record;
}

TEST(ShortageTest, saysTheWholeNeedAndWhereItFirstFailed)
{
    EXPECT_EQ(shortageText(withNeed(354 * kGiB / 10, 117 * kGiB / 10)),
        "needs 35.4 GiB, 11.7 more than usable; first failed in forward for 96 MiB");
}

TEST(ShortageTest, amountsOfOtherUnitsNameThem)
{
    EXPECT_EQ(shortageText(withNeed(24 * kGiB, 5 * kMiB)),
        "needs 24.0 GiB, 5.00 MiB more than usable; first failed in forward for 96 MiB");
}

TEST(ShortageTest, requestsThatAreNotRoundHaveThreeDigits)
{
    OrderedJson record = withNeed(24 * kGiB, kGiB);
    record["oom"]["requested_bytes"] = 96 * kMiB + 400 * kKiB;
    EXPECT_EQ(shortageText(record), "needs 24.0 GiB, 1.00 more than usable; first failed in forward for 96.4 MiB");
}

TEST(ShortageTest, aProcessorTellsWhatIsNeededAtLeast)
{
    EXPECT_EQ(shortageText(outOfMemory(2 * kGiB, kGiB, 8 * kGiB)),
        "needs at least 9.00 GiB, 1.00 more than usable; first failed in forward for 2 GiB");
}

// A simulated card in a workspace of a version that did not simulate without the limit: its context is not known where
// it did not come through loading.
TEST(ShortageTest, aCardWithoutAKnownContextTellsThatMoreIsNeededThanIsUsable)
{
    OrderedJson record = outOfMemory(96 * kMiB, kMiB, 23 * kGiB);
    record["memory"]["whole_run_peak"]["reserved_bytes"] = 22 * kGiB;
    EXPECT_EQ(shortageText(record), "needs at least 1.00 MiB more than usable; first failed in forward for 96 MiB");
    record["memory"]["after_load"] = {{"reserved_bytes", kGiB}, {"device_bytes", 3 * kGiB / 2}};
    EXPECT_EQ(
        shortageText(record), "needs at least 23.5 GiB, 1.00 MiB more than usable; first failed in forward for 96 MiB");
}

TEST(ShortageTest, aRealCardTellsWhatItHadGivenOut)
{
    OrderedJson record = outOfMemory({}, {}, 80 * kGiB);
    record["memory"]["whole_run_peak"]["reserved_bytes"] = 78 * kGiB;
    EXPECT_EQ(shortageText(record), "needs at least 78.0 GiB; first failed in forward");
    record["memory"]["after_load"] = {{"reserved_bytes", kGiB}, {"device_bytes", 3 * kGiB / 2}};
    EXPECT_EQ(shortageText(record), "needs at least 78.5 GiB; first failed in forward");
}

// The device is not what there was too little of.
TEST(ShortageTest, theHostsMemoryIsNoShortageOfTheDevice)
{
    OrderedJson record = outOfMemory(kGiB, {}, 80 * kGiB);
    record["memory"]["whole_run_peak"]["reserved_bytes"] = 78 * kGiB;
    EXPECT_EQ(shortageText(record), "");
    EXPECT_EQ(RecordView(record).ending(), "out of memory: out of memory: what the allocator says");
}

TEST(ShortageTest, theEndingOfARecordIsTheSentence)
{
    const OrderedJson record = withNeed(24 * kGiB, kGiB);
    EXPECT_EQ(RecordView(record).ending(), "out of memory: " + shortageText(record));
}

TEST(ShortageTest, whatCompletedLacksNothing)
{
    OrderedJson record = withNeed(24 * kGiB, kGiB);
    record["outcome"] = "completed";
    EXPECT_FALSE(shortageOf(RecordView(record)));
}

} // namespace
} // namespace headroom::experiments::shortage_test
