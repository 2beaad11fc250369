// SPDX-License-Identifier: Apache-2.0
#include "core/config/catalogue/Configuration.h"

#include "core/config/catalogue/Catalogue.h"
#include "tests/support/Configurations.h"
#include "tests/support/Refusal.h"

#include <gmock/gmock.h>

namespace headroom::config {
namespace {

Configuration withSplit(const std::string& notation, const ValueMap& options = {})
{
    Configuration configuration = defaultConfiguration("ffn-stack-tiny", "w");
    configuration.techniques["split_ffn"] =
        makeSetting(findTechnique("split_ffn", "w"), notation, options, "split_ffn");
    return configuration;
}

TEST(ConfigurationTest, theDefaultIsCompleteAndTheBaseline)
{
    const Configuration configuration = defaultConfiguration("ffn-stack-tiny", "w");
    EXPECT_EQ(configuration.modelFields.at("num_layers"), Value(2));
    EXPECT_EQ(configuration.workload.shapes.at("sequence_length"), Value(8));
    for (const TechniqueDescriptor& technique : techniqueCatalogue())
        EXPECT_EQ(configuration.techniques.at(technique.key).notation, technique.off);
    EXPECT_TRUE(isBaseline(configuration));
    EXPECT_EQ(techniqueLabel(configuration), "baseline");
}

TEST(ConfigurationTest, theBaselineDiffersInTechniquesOnly)
{
    const Configuration configuration = withSplit("4", {{"accumulate", "out_of_place"}});
    EXPECT_FALSE(isBaseline(configuration));
    EXPECT_EQ(baselineOf(configuration), defaultConfiguration("ffn-stack-tiny", "w"));
}

TEST(ConfigurationTest, optionsOfATechniqueThatIsOffDoNotApply)
{
    EXPECT_EQ(withSplit("off", {{"accumulate", "out_of_place"}}), withSplit("off"));
    EXPECT_TRUE(withSplit("off").techniques.at("split_ffn").options.at("accumulate").isNull());
    EXPECT_NE(withSplit("4", {{"accumulate", "out_of_place"}}), withSplit("4"));
}

TEST(ConfigurationTest, optionsAreCheckedEvenWhenTheTechniqueIsOff)
{
    EXPECT_EQ(refusal([] { withSplit("off", {{"accumulate", "sideways"}}); }),
        "split_ffn.accumulate: found \"sideways\" (valid: in_place, out_of_place)");
    EXPECT_EQ(refusal([] { withSplit("4", {{"acumulate", "in_place"}}); }),
        "split_ffn: unknown key \"acumulate\", did you mean \"accumulate\"? (valid: accumulate)");
}

TEST(ConfigurationTest, labelsNameWhatIsOnAndOptionsThatDiffer)
{
    EXPECT_EQ(techniqueLabel(withSplit("4")), "split_ffn 4");
    EXPECT_EQ(techniqueLabel(withSplit("4", {{"accumulate", "in_place"}})), "split_ffn 4");
    EXPECT_EQ(techniqueLabel(withSplit("tokens:2", {{"accumulate", "out_of_place"}})),
        "split_ffn tokens:2 (accumulate out_of_place)");
}

std::vector<std::string> conflictsOfWorkload(const ValueMap& values)
{
    Configuration configuration = defaultConfiguration("ffn-stack-tiny", "w");
    configuration.workload = workloadOf("ffn-stack-tiny", values);
    return conflicts(configuration);
}

TEST(ConfigurationTest, mixedPrecisionTakesWeightsOfEveryNumberFormat)
{
    for (const char* autocast : {"bfloat16", "float16"})
        for (const char* dtype : {"float32", "bfloat16", "float16", "float64"})
            EXPECT_TRUE(conflictsOfWorkload({{"autocast", autocast}, {"dtype", dtype}}).empty());
    for (const char* dtype : {"float32", "bfloat16", "float16"})
        EXPECT_TRUE(conflictsOfWorkload({{"autocast", "bfloat16"}, {"dtype", dtype}, {"step", "train"}}).empty());
    EXPECT_TRUE(conflictsOfWorkload({{"autocast", "float16"}, {"step", "train"}}).empty());
}

TEST(ConfigurationTest, aScaledLossNeedsGradientsThatCanBeUnscaled)
{
    for (const char* dtype : {"bfloat16", "float16"})
        EXPECT_EQ(conflictsOfWorkload({{"autocast", "float16"}, {"dtype", dtype}, {"step", "train"}}),
            std::vector<std::string>{std::string("workload.autocast = float16 scales the loss, and gradients in ")
                + dtype
                + " cannot be unscaled (valid: dtype = float32, autocast = bfloat16, or trainable = lora:R with "
                  "trainable.dtype = float32)"});
    Configuration adapters = defaultConfiguration("ffn-stack-tiny", "w");
    adapters.workload =
        workloadOf("ffn-stack-tiny", {{"autocast", "float16"}, {"dtype", "float16"}, {"step", "train"}});
    choose(adapters, "trainable", "lora:4", {{"dtype", "float32"}});
    EXPECT_TRUE(conflicts(adapters).empty());
    choose(adapters, "trainable", "lora:4");
    EXPECT_EQ(conflicts(adapters).size(), 1U);
}

TEST(ConfigurationTest, keptGradientsCannotBeUnscaledTwice)
{
    const ValueMap kept{{"step", "forward_backward"}, {"gradients", "keep"}};
    ValueMap workload = kept;
    workload["autocast"] = "float16";
    EXPECT_EQ(conflictsOfWorkload(workload),
        std::vector<std::string>{
            "workload.autocast = float16 scales the loss and unscales the gradients at each update, and gradients = "
            "keep would unscale those of the last update again (valid: gradients = set_to_none or zero, or autocast = "
            "bfloat16)"});
    workload["autocast"] = "bfloat16";
    EXPECT_TRUE(conflictsOfWorkload(workload).empty());
}

TEST(ConfigurationTest, aLossOfNextTokensNeedsTwoOfThem)
{
    Configuration configuration = defaultConfiguration("llama-tiny", "");
    configuration.workload.step = StepKind::Train;
    configuration.workload.loss = Loss::CrossEntropy;
    EXPECT_TRUE(conflicts(configuration).empty());
    configuration.workload.shapes["sequence_length"] = 1;
    EXPECT_EQ(conflicts(configuration),
        std::vector<std::string>{
            "workload.loss = cross_entropy compares each token with the next, and sequence_length = 1 has none"});
    configuration.workload.loss = Loss::Mean;
    EXPECT_TRUE(conflicts(configuration).empty());
}

TEST(ConfigurationTest, aFusedLossIsACrossEntropyThatHandsNothingOn)
{
    Configuration configuration = defaultConfiguration("llama-tiny", "");
    Workload& workload = configuration.workload;
    workload.step = StepKind::Train;
    workload.loss = Loss::CrossEntropy;
    workload.shapes["fused"] = true;
    EXPECT_TRUE(conflicts(configuration).empty());
    workload.output = ModelOutput::Held;
    EXPECT_EQ(conflicts(configuration),
        std::vector<std::string>{"workload.fused = true keeps no output that could be held (valid: released)"});
    workload.output = ModelOutput::Released;
    workload.outputDtype = OutputDtype::Float32;
    EXPECT_EQ(
        conflicts(configuration), std::vector<std::string>{"workload.fused = true hands no output on (valid: same)"});
    workload.outputDtype = OutputDtype::Same;
    choose(configuration, "trainable", "lora:2", {{"target_modules", Value::List{"q_proj", "lm_head"}}});
    EXPECT_EQ(conflicts(configuration),
        std::vector<std::string>{"trainable: target_modules names the head, whose product is fused with the loss and "
                                 "has no adapters (valid: other Linears, or workload.fused = false)"});
    workload.loss = Loss::Mean;
    EXPECT_THAT(conflicts(configuration),
        testing::Contains("workload.fused = true fuses cross_entropy with the last product, and the loss is mean "
                          "(valid: false, or loss = cross_entropy)"));
}

TEST(ConfigurationTest, whatIsComputedInFloat64IsNotHandedOnInFloat32)
{
    Configuration configuration = defaultConfiguration("ffn-stack-tiny", "");
    configuration.workload.outputDtype = OutputDtype::Float32;
    EXPECT_TRUE(conflicts(configuration).empty());
    configuration.workload.dtype = Dtype::Float64;
    EXPECT_EQ(conflicts(configuration),
        std::vector<std::string>{
            "workload.output_dtype = float32 would round what a model in float64 computes (valid: same)"});
}

TEST(ConfigurationTest, chunksAreForCrossEntropyAndEachHasAToken)
{
    Configuration configuration = defaultConfiguration("llama-tiny", ""); // sequences of 6
    configuration.workload.step = StepKind::Train;
    configuration.workload.loss = Loss::CrossEntropy;
    configuration.workload.shapes["chunks"] = 6;
    EXPECT_TRUE(conflicts(configuration).empty());
    configuration.workload.shapes["chunks"] = 7;
    EXPECT_EQ(conflicts(configuration),
        std::vector<std::string>{"workload.chunks = 7 are more pieces than a sequence has tokens (sequence_length = 6) "
                                 "(valid: 1 to 6)"});
    configuration.workload.loss = Loss::Mean;
    EXPECT_EQ(conflicts(configuration),
        std::vector<std::string>{"workload.chunks = 7 cuts sequences into pieces for cross_entropy, and the loss is "
                                 "mean (valid: 1, or loss = cross_entropy)"});
    configuration.workload.step = StepKind::Inference;
    EXPECT_TRUE(conflicts(configuration).empty());
}

TEST(ConfigurationTest, whatDependsOnShapesCanBeLeftOut)
{
    EXPECT_TRUE(conflictsOfAnyShapes(withSplit("tokens:3")).empty());
    EXPECT_EQ(conflictsOfAnyShapes(withSplit("7")).size(), 1U);
    Configuration video = defaultConfiguration("wan-tiny", "");
    video.modelFields["rope_max_seq_len"] = 3;
    EXPECT_EQ(conflicts(video).size(), 1U);
    EXPECT_TRUE(conflictsOfAnyShapes(video).empty());
    video.modelFields["image_dim"] = 1280;
    EXPECT_EQ(conflictsOfAnyShapes(video).size(), 1U);
}

TEST(ConfigurationTest, conflictsNameTheNumbersThatDoNotFit)
{
    EXPECT_TRUE(conflicts(withSplit("8")).empty());
    EXPECT_EQ(conflicts(withSplit("7")),
        std::vector<std::string>{"split_ffn = 7 does not divide the feed-forward's inner width 64"});
    EXPECT_EQ(conflicts(withSplit("tokens:3")),
        std::vector<std::string>{"split_ffn = tokens:3 does not divide the 16 tokens of the feed-forward's input"});
}

TEST(ConfigurationTest, problemsNameTheSettingAndTheChangesThatMendThem)
{
    Configuration configuration = defaultConfiguration("ltx-video-tiny", "test");
    configuration.workload.step = StepKind::Train;
    choose(configuration, "casting", "e4m3");
    const std::vector<Problem> problems = problemsOf(configuration);
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_EQ(problems[0].path, "techniques.casting");
    ASSERT_EQ(problems[0].repairs.size(), 2U);
    EXPECT_EQ(problems[0].repairs[0], (Repair{"Train LoRA adapters", "techniques.trainable", "lora:16"}));
    EXPECT_EQ(problems[0].repairs[1], (Repair{"Only run inference", "workload.step", "inference"}));
    choose(configuration, "trainable", "lora:16");
    EXPECT_TRUE(problemsOf(configuration).empty());
}

TEST(ConfigurationTest, stepsRepeatAsItsTechniquesDo)
{
    Configuration configuration = defaultConfiguration("ffn-stack-tiny", "w");
    EXPECT_EQ(stepPeriodOf(configuration).steps, 1);
    configuration.techniques["ema"] = makeSetting(findTechnique("ema", "w"), "device", {{"interval", 12}}, "ema");
    const StepPeriod period = stepPeriodOf(configuration);
    EXPECT_EQ(period.steps, 12);
    EXPECT_EQ(period.option, "ema.interval");
    EXPECT_EQ(period.event, "an EMA update");
}

TEST(MeasurementProtocolTest, valuesReadBackAsTheSameProtocol)
{
    const MeasurementProtocol protocol{0, 9, 3, true, true};
    EXPECT_EQ(makeProtocol(toValues(protocol), "protocol"), protocol);
    EXPECT_EQ(makeProtocol({}, "protocol"), MeasurementProtocol{});
    EXPECT_EQ(toValues(MeasurementProtocol{}), protocolFields().defaults());
}

TEST(MeasurementProtocolTest, refusesCountsOutsideTheirRange)
{
    EXPECT_EQ(refusal([] { makeProtocol({{"steps", 0}}, "protocol"); }),
        "protocol.steps: found 0 (valid: an integer of at least 1 and at most 1000000)");
    EXPECT_EQ(refusal([] { makeProtocol({{"repeats", 1001}}, "protocol"); }),
        "protocol.repeats: found 1001 (valid: an integer of at least 1 and at most 1000)");
    EXPECT_EQ(refusal([] { makeProtocol({{"warmup_steps", -1}}, "protocol"); }),
        "protocol.warmup_steps: found -1 (valid: an integer of at least 0 and at most 1000000)");
}

} // namespace
} // namespace headroom::config
