// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/TimedSteps.h"

#include "core/config/catalogue/Catalogue.h"

#include <gtest/gtest.h>

namespace headroom::collectors {
namespace {

config::Trial trialWithEma(std::int64_t interval)
{
    config::Trial trial;
    trial.configuration = config::defaultConfiguration("ffn-stack-tiny", "");
    trial.configuration.techniques["ema"] =
        config::makeSetting(config::findTechnique("ema", ""), "device", {{"interval", interval}}, "techniques.ema");
    trial.device = config::parseDevice("cpu", "device.name");
    trial.protocol.steps = 50;
    return trial;
}

TEST(TimedStepsTest, aFigureIsOfAsManyStepsAsRepeat)
{
    const TimedSteps each = timedSteps(trialWithEma(1), false);
    EXPECT_EQ(each.stepsPerSample, 1);
    EXPECT_EQ(each.samples, 50);
    const TimedSteps tenth = timedSteps(trialWithEma(10), false);
    EXPECT_EQ(tenth.stepsPerSample, 10);
    EXPECT_EQ(tenth.samples, 20) << "two hundred steps in all";
    EXPECT_EQ(tenth.remark, "");
}

TEST(TimedStepsTest, aPeriodThatIsTooLongIsSaid)
{
    const TimedSteps timed = timedSteps(trialWithEma(1000), false);
    EXPECT_EQ(timed.stepsPerSample, 200);
    EXPECT_EQ(timed.samples, 1);
    EXPECT_EQ(timed.remark,
        "steps repeat every 1000 only (ema.interval): figures are of 200 of them, and an EMA update may not be among "
        "these");
}

} // namespace
} // namespace headroom::collectors
