// SPDX-License-Identifier: Apache-2.0
//
// `headroom effects` of what headroom-worker itself predicts.
#include "tests/app/cli/program/Program.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace headroom::cli::real_effects_test {
namespace {

using experiments::OrderedJson;
using testing::HasSubstr;
using testing::StartsWith;

class RealEffectsTest : public Program {
protected:
    void SetUp() override
    {
#ifdef REAL_WORKER
        setVariable("HEADROOM_WORKER", REAL_WORKER);
#else
        GTEST_SKIP() << "headroom-worker is not part of this build";
#endif
    }
};

const OrderedJson& trialWith(
    const OrderedJson& trials, const char* policy, const char* casting, const char* split, const char* ema)
{
    return *std::ranges::find_if(trials, [&](const OrderedJson& trial) {
        const OrderedJson& techniques = trial.at("techniques");
        return techniques.at("checkpointing") == policy && techniques.at("casting") == casting
            && techniques.at("split_ffn") == split && techniques.at("ema") == ema;
    });
}

double peakOf(const OrderedJson& trial)
{
    return trial.at("memory").at("peak").at("allocated_bytes").get<double>();
}

double stepOf(const OrderedJson& trial)
{
    return trial.at("speed").at("step_seconds_median").get<double>();
}

// Two cells of the preset, from its records: the effect of casting, and what it does together with checkpointing.
TEST_F(RealEffectsTest, ofFourLeversAreThoseOfItsRecords)
{
    const Ended ran = run({"run", "four-levers", "--filter", "device.name=sim:rtx4090", "--format", "json"});
    ASSERT_EQ(ran.exitCode, 0) << ran.err;
    const OrderedJson trials = ran.json("trials");
    ASSERT_EQ(trials.size(), 16U);
    const Ended ended = run({"effects", "--format", "json"});
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    const OrderedJson document = ended.json();
    EXPECT_EQ(document.at("schema"), "headroom.effects/1");
    EXPECT_EQ(document.at("metric").at("peak"), "allocated");
    EXPECT_EQ(document.at("main").size(), 4U);
    EXPECT_EQ(document.at("interactions").size(), 6U);

    double castingPeak = 0, castingStep = 0, pairPeak = 0, pairStep = 0;
    for (const char* split : {"off", "4:recompute"})
        for (const char* ema : {"off", "host:async"}) {
            const auto& neither = trialWith(trials, "none", "off", split, ema);
            const auto& casting = trialWith(trials, "none", "e4m3", split, ema);
            const auto& policy = trialWith(trials, "all", "off", split, ema);
            const auto& both = trialWith(trials, "all", "e4m3", split, ema);
            castingPeak += (peakOf(casting) - peakOf(neither) + peakOf(both) - peakOf(policy)) / 8;
            castingStep += (stepOf(casting) - stepOf(neither) + stepOf(both) - stepOf(policy)) / 8;
            pairPeak += (peakOf(both) - peakOf(casting) - peakOf(policy) + peakOf(neither)) / 4;
            pairStep += (stepOf(both) - stepOf(casting) - stepOf(policy) + stepOf(neither)) / 4;
        }
    const OrderedJson main = *std::ranges::find_if(
        document.at("main"), [](const OrderedJson& effect) { return effect.at("technique") == "casting"; });
    EXPECT_NEAR(main.at("peak_bytes").get<double>(), castingPeak, 1);
    EXPECT_NEAR(main.at("step_seconds").get<double>(), castingStep, 1e-9);
    EXPECT_EQ(main.at("alone_peak_bytes").get<double>(),
        peakOf(trialWith(trials, "none", "e4m3", "off", "off"))
            - peakOf(trialWith(trials, "none", "off", "off", "off")));
    const OrderedJson pair = *std::ranges::find_if(document.at("interactions"),
        [](const OrderedJson& of) { return of.at("a") == "casting e4m3" && of.at("b") == "checkpointing all"; });
    EXPECT_NEAR(pair.at("peak_bytes").get<double>(), pairPeak, 1);
    EXPECT_NEAR(pair.at("step_seconds").get<double>(), pairStep, 1e-9);
    EXPECT_THAT(pair.at("text").get<std::string>(),
        StartsWith("casting e4m3 saves nothing until checkpointing all drops the upcast copies: "));
    double categories = 0;
    for (const auto& [category, bytes] : pair.at("categories").items())
        categories += bytes.get<double>();
    EXPECT_NEAR(categories, pair.at("peak_bytes").get<double>(), 16); // each rounded to a byte
}

} // namespace
} // namespace headroom::cli::real_effects_test
