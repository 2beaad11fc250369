// SPDX-License-Identifier: Apache-2.0
#include "experiments/verdict/FitVerdict.h"

#include "experiments/verdict/DeviceFit.h"

#include <gtest/gtest.h>

namespace headroom::experiments::fit_verdict_test {
namespace {

using Kind = FitVerdict::Kind;
using protocol::RepeatResult;

constexpr Bytes kUsable = 64 * kGiB;
constexpr Bytes kContext = kGiB;

simulator::MemoryProfile card()
{
    return {.totalBytes = {kUsable, ""}, .usableBytes = {kUsable, ""}, .contextBytes = {kContext, ""}};
}

RepeatResult completed(Bytes reserved)
{
    RepeatResult result;
    result.outcome = Outcome::Completed;
    result.memory.peak.reserved = reserved;
    result.memory.peak.allocated = reserved - kMiB;
    result.memory.allocRetries = 0;
    return result;
}

RepeatResult outOfMemory(Bytes missing)
{
    RepeatResult result;
    result.outcome = Outcome::OutOfMemory;
    result.outOfMemory = {"backward", 2 * missing, missing};
    return result;
}

TEST(FitVerdictTest, aTrialFitsDownToTheMargin)
{
    const Bytes margin = kUsable / DeviceFit::kMarginDivisor;
    EXPECT_EQ(judgeFit({}, card(), completed(kUsable - kContext - margin)).kind, Kind::Fits);
    EXPECT_EQ(judgeFit({}, card(), completed(kUsable - kContext - margin + 1)).kind, Kind::Tight);
    EXPECT_EQ(judgeFit({}, card(), completed(kUsable - kContext)).freeBytes(), 0);
}

TEST(FitVerdictTest, anAllocatorThatHasToGiveBackIsTight)
{
    RepeatResult result = completed(10 * kGiB);
    result.memory.allocRetries = 2;
    const FitVerdict verdict = judgeFit({}, card(), result);
    EXPECT_EQ(verdict.kind, Kind::Tight);
    EXPECT_EQ(sentenceFor(verdict),
        "Tight: needs 11.0 of 64.0 GiB, 53.0 GiB free, the allocator has to give memory back 2 times on the way");
}

TEST(FitVerdictTest, whatTheOtherOrderOfAddressesWouldNeedIsSaid)
{
    RepeatResult result = completed(10 * kGiB);
    result.memory.peak.reservedOtherAddresses = 10 * kGiB + kGiB / 2;
    EXPECT_EQ(judgeFit({}, card(), result).kind, Kind::Fits);
    EXPECT_EQ(detailsFor(judgeFit({}, card(), result)),
        "Needs 11.0 of 64.0 GiB, of which 1.00 GiB for the driver. Had the driver put segments in the other order of "
        "addresses, it would need 11.5 GiB (+5.0 % reserved). Less than 1.00 GiB free counts as tight.");
    result.memory.peak.reservedOtherAddresses = 10 * kGiB;
    EXPECT_NE(detailsFor(judgeFit({}, card(), result)).find("it would need as much. "), std::string::npos);
}

TEST(FitVerdictTest, whatFitsInOneOrderOfAddressesOnlyIsTight)
{
    RepeatResult result = completed(60 * kGiB);
    result.memory.firstStepPeak.reservedOtherAddresses = kUsable;
    const FitVerdict verdict = judgeFit({}, card(), result);
    EXPECT_EQ(verdict.kind, Kind::Tight);
    EXPECT_EQ(sentenceFor(verdict),
        "Tight: needs 61.0 of 64.0 GiB, 3.00 GiB free, 1.00 GiB too few where segments lie in the other order");
}

TEST(FitVerdictTest, aMemoryLimitTakesTheDevicesPlace)
{
    config::Trial trial;
    trial.memoryLimitBytes = 16 * kGiB;
    const FitVerdict verdict = judgeFit(trial, card(), completed(16 * kGiB));
    EXPECT_EQ(verdict.kind, Kind::Fits); // within the limit, and the device has its margin
    EXPECT_EQ(verdict.usableBytes, 17 * kGiB);
    trial.memoryLimitBytes = 100 * kGiB;
    EXPECT_EQ(judgeFit(trial, card(), completed(kGiB)).usableBytes, kUsable);
}

TEST(FitVerdictTest, agreesWithTheVerdictOfARecord)
{
    DeviceFit fit(HEADROOM_SOURCE_DIR "/resources");
    const simulator::ProfileCatalogue profiles(HEADROOM_SOURCE_DIR "/resources");
    const auto& memory = *profiles.device("rtx4090").memory;
    config::Trial trial;
    trial.device = config::parseDevice("sim:rtx4090", "");
    for (const std::optional<Bytes> limit :
        {std::optional<Bytes>(), std::optional(24 * kGiB), std::optional(20 * kGiB)})
        for (Bytes reserved = 18 * kGiB; reserved < 24 * kGiB; reserved += kGiB / 16) {
            if (limit && reserved > *limit)
                continue; // the allocator would not have handed it out
            trial.memoryLimitBytes = limit;
            RepeatResult result = completed(reserved);
            for (const Bytes more : {Bytes{0}, kGiB / 8, kGiB}) {
                result.memory.peak.reservedOtherAddresses = reserved + more;
                EXPECT_EQ(judgeFit(trial, memory, result).kind == Kind::Fits, fit.fits(trial, result.memory))
                    << reserved << ' ' << more;
            }
        }
}

TEST(FitVerdictTest, whatIsMissingIsTheWholeNeedWhereItIsKnown)
{
    const FitVerdict verdict = judgeFit({}, card(), outOfMemory(kGiB), completed(80 * kGiB));
    EXPECT_EQ(verdict.kind, Kind::DoesNotFit);
    EXPECT_EQ(verdict.freeBytes(), -17 * kGiB);
    EXPECT_EQ(sentenceFor(verdict),
        "Does not fit: needs 81.0 GiB, 17.0 more than usable; first failed in backward for 2 GiB");
    EXPECT_EQ(detailsFor(verdict),
        "Needs 81.0 of 64.0 GiB, of which 1.00 GiB for the driver. The first request that fails is in backward: "
        "2 GiB, 1.00 GiB more than is left. Less than 1.00 GiB free counts as tight.");
}

TEST(FitVerdictTest, aResultThatBringsItsNeedSaysTheSame)
{
    RepeatResult result = outOfMemory(kGiB);
    result.need = protocol::needOf(completed(80 * kGiB), *result.outOfMemory);
    EXPECT_EQ(sentenceFor(judgeFit({}, card(), result)),
        sentenceFor(judgeFit({}, card(), outOfMemory(kGiB), completed(80 * kGiB))));
}

TEST(FitVerdictTest, whatIsMissingIsAtLeastTheFirstRequestsWhereNothingElseIsKnown)
{
    const FitVerdict verdict = judgeFit({}, card(), outOfMemory(kGiB));
    EXPECT_EQ(verdict.freeBytes(), -kGiB);
    EXPECT_EQ(sentenceFor(verdict),
        "Does not fit: needs at least 65.0 GiB, 1.00 more than usable; first failed in backward for 2 GiB");
}

// Without its limit an allocator may get by with less: the request that failed on the card is there all the same.
TEST(FitVerdictTest, theFirstRequestThatFailsIsPartOfTheNeed)
{
    const FitVerdict verdict = judgeFit({}, card(), outOfMemory(kGiB), completed(10 * kGiB));
    EXPECT_EQ(verdict.freeBytes(), -kGiB);
    EXPECT_EQ(verdict.neededBytes(), kUsable + kGiB);
}

TEST(FitVerdictTest, allocatedMemoryIsThePeakAfterWarmUpAsEverywhere)
{
    RepeatResult result = completed(10 * kGiB);
    result.memory.firstStepPeak.allocated = 20 * kGiB;
    EXPECT_EQ(judgeFit({}, card(), result).allocatedBytes, 10 * kGiB - kMiB);
}

TEST(FitVerdictTest, aFailedPredictionIsNoVerdict)
{
    RepeatResult failed;
    failed.outcome = Outcome::Failed;
    EXPECT_EQ(judgeFit({}, card(), failed).kind, Kind::Unknown);
    EXPECT_EQ(judgeFit({}, card(), failed).freeBytes(), std::nullopt);
}

} // namespace
} // namespace headroom::experiments::fit_verdict_test
