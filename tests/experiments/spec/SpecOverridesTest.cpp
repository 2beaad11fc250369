// SPDX-License-Identifier: Apache-2.0
#include "experiments/spec/SpecOverrides.h"
#include "core/base/Error.h"
#include "experiments/spec/SpecLoader.h"
#include "experiments/spec/TomlValue.h"
#include "experiments/sweep/Sweep.h"
#include "tests/support/Refusal.h"

#include <gmock/gmock.h>

namespace headroom::experiments {
namespace {

using config::Value;
using testing::ElementsAre;

Value assigned(const std::string& assignment)
{
    SpecOverrides overrides;
    overrides.assign(assignment);
    return overrides.settings().front().value;
}

TEST(SpecOverridesTest, valuesAreTomlAndBareWordsAreText)
{
    EXPECT_EQ(assigned("model.dim=4"), Value(4));
    EXPECT_EQ(assigned("model.dim=4_096"), Value(4096));
    EXPECT_EQ(assigned("model.dropout=0.5"), Value(0.5));
    EXPECT_EQ(assigned("model.dropout=1e-3"), Value(0.001));
    EXPECT_EQ(assigned("model.bias=false"), Value(false));
    EXPECT_EQ(assigned("model.activation_fn=geglu"), Value("geglu"));
    EXPECT_EQ(assigned("model.activation_fn=\"geglu\""), Value("geglu"));
    EXPECT_EQ(assigned("model.activation_fn='geglu'"), Value("geglu"));
    EXPECT_EQ(assigned("split_ffn=tokens:4"), Value("tokens:4"));
    EXPECT_EQ(assigned("model.activation_fn=2024-01-01"), Value("2024-01-01"));
    EXPECT_EQ(assigned("model.activation_fn=a=b"), Value("a=b"));
}

TEST(SpecOverridesTest, commasOutsideBracketsAndQuotesMakeAnAxis)
{
    EXPECT_EQ(assigned("model.num_layers=2,4"), Value(Value::List{2, 4}));
    EXPECT_EQ(assigned("model.num_layers= 2 , 4 "), Value(Value::List{2, 4}));
    EXPECT_EQ(assigned("model.axes=[2,2,4]"), Value(Value::List{2, 2, 4}));
    EXPECT_EQ(assigned("model.axes=[2,4],[1,1]"), Value(Value::List{Value::List{2, 4}, Value::List{1, 1}}));
    EXPECT_EQ(assigned("model.activation_fn=\"a,b\",c"), Value(Value::List{"a,b", "c"}));
}

TEST(SpecOverridesTest, pathsMayBeShort)
{
    EXPECT_EQ(fullPath("split_ffn", "x"), "techniques.split_ffn");
    EXPECT_EQ(fullPath("split_ffn.accumulate", "x"), "techniques.split_ffn.accumulate");
    EXPECT_EQ(fullPath("split_ffn.notation", "x"), "techniques.split_ffn");
    EXPECT_EQ(fullPath("techniques.split_ffn.notation", "x"), "techniques.split_ffn");
    EXPECT_EQ(fullPath("techniques.split_ffn.accumulate", "x"), "techniques.split_ffn.accumulate");
    EXPECT_EQ(fullPath("model.dim", "x"), "model.dim");
}

TEST(SpecOverridesTest, anOptionOfTheLossStandsBesideIt)
{
    for (const char* path : {"workload.chunks", "loss.chunks", "workload.loss.chunks"}) {
        SpecOverrides overrides;
        overrides.assign(std::string(path) + "=4");
        EXPECT_EQ(overrides.settings().front().path, "workload.chunks") << path;
    }
    EXPECT_EQ(fullPath("loss.fused", "x"), "workload.fused");
    EXPECT_THROW(fullPath("loss.other", "x"), UsageError);
}

TEST(SpecOverridesTest, refusesPathsThatNoSpecHas)
{
    for (const char* path : {"", "model", "model.", "model.a.b", "techniques", "split_ffn.", "split_ffn.a.b", ".dim"})
        EXPECT_THROW(fullPath(path, "x"), UsageError) << path;
}

TEST(SpecOverridesTest, errorsNameTheFlag)
{
    SpecOverrides overrides;
    EXPECT_EQ(refusal([&] { overrides.assign("model.dim"); }),
        "--set: found \"model.dim\" (valid: PATH=VALUE, such as workload.batch=2)");
    EXPECT_EQ(refusal([&] { overrides.assign("model.dim="); }),
        "--set model.dim: a value is missing (valid: values separated by commas)");
    EXPECT_EQ(refusal([&] { overrides.assign("model.dim=1,,2"); }),
        "--set model.dim: a value is missing (valid: values separated by commas)");
    EXPECT_EQ(refusal([&] { overrides.assign("model.axes=[1,2"); }),
        "--set model.axes: found [1,2 (valid: a value in TOML syntax, or a bare word)");
    EXPECT_EQ(refusal([&] { overrides.assign("modle.dim=1"); }),
        "--set modle.dim: unknown path \"modle.dim\", did you mean \"model.dim\"? (valid: model.FIELD, "
        "workload.FIELD, device.name, device.memory_limit_bytes, device.segment_addresses, device.allocator, "
        "protocol.FIELD, TECHNIQUE, TECHNIQUE.OPTION)");
    EXPECT_EQ(refusal([&] { overrides.setTechnique("split_ffn", ""); }),
        "--split-ffn: a value is missing (valid: values separated by commas)");
}

TEST(SpecOverridesTest, whatWasProbablyMeantIsNeverWhatWasWritten)
{
    const auto problemOf = [](const std::string& path) {
        return errorOf([&] { fullPath(path, "x"); }).value_or(UsageError("")).problem();
    };
    EXPECT_EQ(problemOf("frames"), "unknown path \"frames\", did you mean \"workload.frames\"?");
    EXPECT_EQ(problemOf("dtype"), "unknown path \"dtype\", did you mean \"workload.dtype\"?");
    EXPECT_EQ(problemOf("model.rope_scaling.rope_type"), "unknown path \"model.rope_scaling.rope_type\"");
    EXPECT_EQ(problemOf("model"), "unknown path \"model\"");
    EXPECT_EQ(problemOf("split_ffn.a.b"), "unknown path \"split_ffn.a.b\"");
    EXPECT_EQ(problemOf("techniques"), "unknown path \"techniques\"");
}

TEST(SpecOverridesTest, valuesThatDoNotFitNameTheFlag)
{
    SpecOverrides overrides;
    overrides.setModels("ffn-stack-tiny");
    overrides.setTechnique("split_ffn", "off,minus");
    const auto error = errorOf([&] { expand(loadOverrides(overrides)); });
    ASSERT_TRUE(error);
    EXPECT_EQ(error->where(), "--split-ffn");
}

TEST(SpecOverridesTest, flagsAloneMakeAnExperiment)
{
    SpecOverrides overrides;
    overrides.setModels("ffn-stack-tiny,ffn-stack");
    overrides.setDevices("cpu,sim:h200");
    overrides.setTechnique("split_ffn", "off,4");
    std::vector<std::string> labels;
    for (const PlannedTrial& planned : expand(loadOverrides(overrides)))
        labels.push_back(planned.label);
    EXPECT_THAT(labels,
        ElementsAre("cpu | ffn-stack-tiny | baseline", "cpu | ffn-stack-tiny | split_ffn 4",
            "cpu | ffn-stack | baseline", "cpu | ffn-stack | split_ffn 4", "sim:h200 | ffn-stack-tiny | baseline",
            "sim:h200 | ffn-stack-tiny | split_ffn 4", "sim:h200 | ffn-stack | baseline",
            "sim:h200 | ffn-stack | split_ffn 4"));
}

TEST(SpecOverridesTest, quickIsWeakerThanWhatIsSetExplicitly)
{
    SpecOverrides overrides;
    overrides.assign("protocol.steps=9");
    overrides.useQuickProtocol();
    const auto trials = expand(loadSpecText(
        "model.name = \"ffn-stack-tiny\"\n[protocol]\nwarmup_steps = 5\nsteps = 5\nrepeats = 5", "s", overrides));
    EXPECT_EQ(trials[0].trial.protocol.warmupSteps, 1);
    EXPECT_EQ(trials[0].trial.protocol.steps, 9);
    EXPECT_EQ(trials[0].trial.protocol.repeats, 1);
}

TEST(SpecOverridesTest, theLaterOfTwoWins)
{
    SpecOverrides overrides;
    overrides.setModels("ffn-stack-tiny");
    overrides.assign("model.dim=8,16");
    overrides.assign("model.dim=32");
    const auto trials = expand(loadOverrides(overrides));
    ASSERT_EQ(trials.size(), 1u);
    EXPECT_EQ(trials[0].trial.configuration.modelFields.at("dim"), Value(32));
}

} // namespace
} // namespace headroom::experiments
