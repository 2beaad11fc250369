// SPDX-License-Identifier: Apache-2.0
#include "experiments/validation/ValidationRow.h"

#include "core/protocol/TrialCodec.h"
#include "tests/experiments/validation/DrawnPairs.h"

#include <gmock/gmock.h>

#include <set>

namespace headroom::experiments {
namespace {

using testing::SizeIs;

TEST(ValidationDrawTest, bothSidesRunTheSameConfigurationUnderTheSameProtocol)
{
    const std::vector<ValidationPair> pairs = pairsOfStacks(12);
    ASSERT_THAT(pairs, SizeIs(12));
    std::set<std::string> ids;
    for (const ValidationPair& pair : pairs) {
        EXPECT_EQ(pair.measured.configId, pair.predicted.configId);
        EXPECT_EQ(pair.measured.trial.configuration, pair.predicted.trial.configuration);
        EXPECT_EQ(pair.measured.trial.protocol, pair.predicted.trial.protocol);
        EXPECT_EQ(pair.measured.trial.device.notation(), "cpu");
        EXPECT_EQ(pair.predicted.trial.device.name(), "sim:cpu");
        EXPECT_EQ(pair.measured.trialId, protocol::trialId(pair.measured.trial));
        ids.insert(pair.measured.trialId);
    }
    EXPECT_THAT(ids, SizeIs(12)) << "each once";
}

TEST(ValidationDrawTest, moreTrialsBeginWithThoseOfFewer)
{
    const std::vector<ValidationPair> few = pairsOfStacks(4), many = pairsOfStacks(9);
    for (std::size_t i = 0; i < few.size(); ++i)
        EXPECT_EQ(few[i].measured.trialId, many[i].measured.trialId);
}

TEST(ValidationDrawTest, ofWhatIsChosenTheFirstTakePart)
{
    const ValidationDraw draw{.device = config::parseDevice("cpu", ""),
        .against = config::parseDevice("sim:t4", ""),
        .trials = 5,
        .seed = 1,
        .models = config::tinyDraw(),
        .protocol = {}};
    const auto trained = [](std::vector<PlannedTrial> trials) {
        std::erase_if(trials, [](const PlannedTrial& planned) {
            return planned.trial.configuration.workload.step != config::StepKind::Train;
        });
        return trials;
    };
    const std::vector<ValidationPair> pairs = drawPairs(draw, trained);
    ASSERT_THAT(pairs, SizeIs(5));
    for (const ValidationPair& pair : pairs)
        EXPECT_EQ(pair.measured.trial.configuration.workload.step, config::StepKind::Train);
}

TEST(ValidationProtocolTest, memoryAloneTakesTwoSteps)
{
    const config::MeasurementProtocol alone = validationProtocol(StepTimes::NotMeasured, 5);
    EXPECT_EQ(alone.warmupSteps + alone.steps, 2);
    EXPECT_EQ(alone.maxWarmupSteps, 1);
    EXPECT_EQ(validationProtocol(StepTimes::Measured, 7).steps, 7);
}

} // namespace
} // namespace headroom::experiments
