// SPDX-License-Identifier: Apache-2.0
#include "experiments/validation/ValidationRow.h"

#include "tests/experiments/validation/DrawnPairs.h"

#include <gmock/gmock.h>

namespace headroom::experiments {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

protocol::RepeatResult sideOf(Bytes allocated, std::vector<double> seconds)
{
    protocol::RepeatResult result;
    result.outcome = Outcome::Completed;
    result.memory.peak.allocated = allocated;
    result.stepSeconds = std::move(seconds);
    return result;
}

ValidationRow rowWith(const protocol::RepeatResult& measured, const protocol::RepeatResult& predicted,
    StepTimes times = StepTimes::Measured)
{
    return rowOf(pairsOfStacks(1).front(), measured, predicted, times);
}

TEST(ValidationRowTest, errorsAreSignedAndRelativeToWhatWasMeasured)
{
    const ValidationRow row = rowWith(sideOf(1000, {0.2, 0.4, 0.3}), sideOf(990, {0.36}));
    EXPECT_DOUBLE_EQ(row.allocatedError().value(), -0.01);
    EXPECT_DOUBLE_EQ(row.stepError().value(), 0.2);
    EXPECT_FALSE(row.reservedError()) << "neither side knows it";
    EXPECT_TRUE(row.isAnswered());
}

TEST(ValidationRowTest, whatIsNotKnownOnASideHasNoError)
{
    const ValidationRow row = rowWith(sideOf(1000, {0.2}), sideOf(1000, {}));
    EXPECT_EQ(row.allocatedError(), 0.0);
    EXPECT_FALSE(row.stepError());
    const OrderedJson json = toJson(row);
    EXPECT_TRUE(json.at("step_rel").is_null());
    EXPECT_TRUE(json.at("predicted").at("step_seconds").is_null());
    EXPECT_EQ(json.at("measured").at("step_seconds"), 0.2);
}

TEST(ValidationRowTest, stepsThatRanSideBySideAreNotTimed)
{
    const ValidationRow row = rowWith(sideOf(1000, {0.2}), sideOf(1000, {0.1}), StepTimes::NotMeasured);
    EXPECT_FALSE(row.measured.stepSeconds);
    EXPECT_FALSE(row.stepError());
}

TEST(ValidationRowTest, aSideThatRanOutOfMemoryIsAnAnswerAndOneThatFailedIsNone)
{
    protocol::RepeatResult ended = sideOf(900, {});
    ended.outcome = Outcome::OutOfMemory;
    ended.reason = "96 bytes were asked for";
    const ValidationRow full = rowWith(sideOf(1000, {}), ended);
    EXPECT_TRUE(full.isAnswered());
    EXPECT_FALSE(full.allocatedError());
    EXPECT_EQ(toJson(full).at("predicted").at("outcome"), "out_of_memory");
    EXPECT_EQ(toJson(full).at("predicted").at("reason"), "96 bytes were asked for");
    ended.outcome = Outcome::Failed;
    EXPECT_FALSE(rowWith(ended, sideOf(1000, {})).isAnswered());
}

TEST(ValidationRowTest, hostMemoryIsComparedWhereBothSidesKnowIt)
{
    protocol::RepeatResult measured = sideOf(1000, {}), predicted = sideOf(1000, {});
    predicted.memory.peak.hostPageable = 64;
    EXPECT_TRUE(rowWith(measured, predicted).hasSameHostMemory());
    measured.memory.peak.hostPageable = 32;
    EXPECT_FALSE(rowWith(measured, predicted).hasSameHostMemory());
}

TEST(ValidationRowTest, namesTheLineThatMeasuresIt)
{
    const ValidationRow row = rowWith(sideOf(1, {}), sideOf(1, {}));
    EXPECT_THAT(row.command, StartsWith("headroom run --model ffn-stack-tiny"));
    EXPECT_THAT(row.command, HasSubstr("--device cpu"));
}

} // namespace
} // namespace headroom::experiments
