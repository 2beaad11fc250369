// SPDX-License-Identifier: Apache-2.0
#include "core/config/techniques/TrainableDescriptor.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/Configuration.h"
#include "tests/support/Refusal.h"

namespace headroom::config::trainable_test {
namespace {

using Kind = TrainableNotation::Kind;

std::vector<std::string> problemsOf(
    const std::string& model, const std::string& notation, const ValueMap& options, const ValueMap& workload = {})
{
    Configuration configuration = defaultConfiguration(model, "test");
    configuration.workload = makeWorkload(workload, findModel(model, "test").shapes, "workload");
    configuration.techniques["trainable"] = makeSetting(trainableDescriptor(), notation, options, "trainable");
    return conflicts(configuration);
}

Value texts(const std::vector<std::string>& names)
{
    Value::List list;
    for (const std::string& name : names)
        list.emplace_back(name);
    return list;
}

TEST(TrainableTest, readsEveryForm)
{
    EXPECT_EQ(parseTrainable("all", "w"), (TrainableNotation{Kind::All, 0}));
    EXPECT_EQ(parseTrainable("none", "w"), (TrainableNotation{Kind::None, 0}));
    EXPECT_EQ(parseTrainable("lora:1", "w"), (TrainableNotation{Kind::Lora, 1}));
    EXPECT_EQ(parseTrainable("lora:65536", "w"), (TrainableNotation{Kind::Lora, 65536}));
}

TEST(TrainableTest, whatItWritesReadsBackAsTheSame)
{
    for (const TrainableNotation& trainable :
        {TrainableNotation{}, TrainableNotation{Kind::None}, TrainableNotation{Kind::Lora, 128}})
        EXPECT_EQ(parseTrainable(toText(trainable), "w"), trainable);
    EXPECT_EQ(trainableDescriptor().normalise("lora:016", "w"), "lora:16");
}

TEST(TrainableTest, refusesWhatIsNoNotation)
{
    for (const char* text :
        {"", "lora", "lora:", "lora:0", "lora:-4", "lora:x", "lora:4.0", "lora:65537", "ALL", "off"})
        EXPECT_EQ(refusal([&] { parseTrainable(text, "spec.toml:7: techniques.trainable"); }),
            std::string("spec.toml:7: techniques.trainable: found \"") + text
                + "\" (valid: all, lora:R with a rank R of at least 1 and at most 65536, none)");
}

TEST(TrainableTest, aBackwardPassNeedsSomethingThatIsTrained)
{
    EXPECT_TRUE(problemsOf("ffn-stack-tiny", "none", {}, {{"step", "inference"}}).empty());
    EXPECT_TRUE(problemsOf("ffn-stack-tiny", "lora:4", {}, {{"step", "train"}}).empty());
    for (const char* step : {"forward_backward", "train"})
        EXPECT_EQ(problemsOf("ffn-stack-tiny", "none", {}, {{"step", step}}),
            std::vector<std::string>{std::string("trainable = none leaves nothing that step = ") + step
                + " could form a gradient of (valid: all or lora:R, or step = inference)"});
}

TEST(TrainableTest, targetsAreEndsOfPathsAtADot)
{
    EXPECT_TRUE(isTargeted("transformer_blocks.3.attn1.to_q", "to_q"));
    EXPECT_TRUE(isTargeted("transformer_blocks.3.attn1.to_q", "attn1.to_q"));
    EXPECT_TRUE(isTargeted("proj_in", "proj_in"));
    EXPECT_FALSE(isTargeted("transformer_blocks.3.attn1.to_q", "o_q"));
    EXPECT_FALSE(isTargeted("transformer_blocks.3.attn1.to_q", "attn1"));
    EXPECT_FALSE(isTargeted("to_q", "attn1.to_q"));
}

TEST(TrainableTest, everyFamilysOwnTargetsAreThere)
{
    for (const std::string& name : modelNames()) {
        EXPECT_FALSE(findModel(name, "test").family->adapterTargets.empty()) << name;
        EXPECT_TRUE(problemsOf(name, "lora:2", {}).empty()) << name;
    }
}

// A model need not have every kind of block that the family has adapters for.
TEST(TrainableTest, theFamilysTargetsNeedNotAllBeThere)
{
    Configuration flux = defaultConfiguration("flux-tiny", "test");
    flux.modelFields["num_layers"] = 0;
    flux.techniques["trainable"] = makeSetting(trainableDescriptor(), "lora:4", {}, "trainable");
    EXPECT_TRUE(conflicts(flux).empty());
    flux.techniques["trainable"] =
        makeSetting(trainableDescriptor(), "lora:4", {{"target_modules", texts({"attn.to_q", "ff.net.2"})}}, "");
    EXPECT_EQ(conflicts(flux).size(), 1U);
}

TEST(TrainableTest, aTargetThatMatchesNothingIsRefusedWithWhatThereIs)
{
    EXPECT_EQ(problemsOf("ffn-stack-tiny", "lora:4", {{"target_modules", texts({"net.2", "to_q"})}}),
        std::vector<std::string>{"trainable: target_modules names \"to_q\", which no Linear of ffn-stack ends with "
                                 "(there are net.0.proj, net.2)"});
    EXPECT_EQ(problemsOf("ltx-video-tiny", "lora:4", {{"target_modules", texts({"q_proj"})}}),
        std::vector<std::string>{
            "trainable: target_modules names \"q_proj\", which no Linear of ltx-video ends with (there are proj_in, "
            "time_embed.emb.timestep_embedder.linear_1, time_embed.emb.timestep_embedder.linear_2, time_embed.linear, "
            "caption_projection.linear_1, caption_projection.linear_2, attn1.to_q, attn1.to_k, attn1.to_v, "
            "attn1.to_out.0, attn2.to_q, attn2.to_k and 5 others)"})
        << "a dozen names will do";
    EXPECT_EQ(problemsOf("ffn-stack-tiny", "lora:4", {{"target_modules", texts({})}}),
        std::vector<std::string>{"trainable: target_modules is empty, so there is nothing to train (valid: names of "
                                 "Linears, or all as notation)"});
}

TEST(TrainableTest, anAlphaThatSwitchesTheAdaptersOffIsRefused)
{
    EXPECT_EQ(problemsOf("ffn-stack-tiny", "lora:4", {{"alpha", 0.0}}),
        std::vector<std::string>{"trainable: alpha = 0 would multiply what the adapters give by zero (valid: a number "
                                 "above 0)"});
    EXPECT_EQ(refusal([] { makeSetting(trainableDescriptor(), "lora:4", {{"alpha", -1.0}}, "trainable"); }),
        "trainable.alpha: found -1.0 (valid: a number of at least 0.0)");
    EXPECT_EQ(refusal([] { makeSetting(trainableDescriptor(), "lora:4", {{"dropout", 1.5}}, "trainable"); }),
        "trainable.dropout: found 1.5 (valid: a number of at least 0.0 and at most 1.0)");
}

TEST(TrainableTest, adaptersMayHaveANumberFormatOfTheirOwn)
{
    const auto setting = [](const std::string& notation, const ValueMap& options) {
        return makeSetting(trainableDescriptor(), notation, options, "trainable");
    };
    Workload workload;
    workload.dtype = Dtype::BFloat16;
    EXPECT_EQ(setting("lora:4", {}).options.at("dtype"), Value("same"));
    EXPECT_EQ(trainedDtype(setting("lora:4", {}), workload), Dtype::BFloat16);
    EXPECT_EQ(trainedDtype(setting("lora:4", {{"dtype", "float32"}}), workload), Dtype::Float32);
    EXPECT_EQ(trainedDtype(setting("all", {}), workload), Dtype::BFloat16);
    EXPECT_EQ(refusal([&] { setting("lora:4", {{"dtype", "bfloat16"}}); }),
        "trainable.dtype: found \"bfloat16\" (valid: same, float32)");
    EXPECT_TRUE(problemsOf("ffn-stack-tiny", "lora:4", {{"dtype", "float32"}}, {{"dtype", "float16"}}).empty());
    EXPECT_EQ(problemsOf("ffn-stack-tiny", "lora:4", {{"dtype", "float32"}}, {{"dtype", "float64"}}),
        std::vector<std::string>{
            "trainable: dtype = float32 would round what a model in float64 computes (valid: dtype = same)"});
}

// The state of a fused update has the number format of what is trained, whatever that of the base is.
TEST(TrainableTest, aFusedUpdateOfFloat32AdaptersKeepsFloat32State)
{
    Configuration configuration = defaultConfiguration("ffn-stack-tiny", "test");
    configuration.workload.step = StepKind::Train;
    configuration.workload.dtype = Dtype::BFloat16;
    configuration.techniques["optimizer"] =
        makeSetting(findTechnique("optimizer", "test"), "adamw:fused", {{"state_dtype", "float32"}}, "optimizer");
    for (const auto& [dtype, problems] : {std::pair("float32", 0U), std::pair("same", 1U)}) {
        configuration.techniques["trainable"] =
            makeSetting(trainableDescriptor(), "lora:4", {{"dtype", dtype}}, "trainable");
        EXPECT_EQ(conflicts(configuration).size(), problems) << dtype;
    }
}

TEST(TrainableTest, aBaselineKeepsWhatIsTrained)
{
    Configuration configuration = defaultConfiguration("ffn-stack-tiny", "test");
    configuration.techniques["trainable"] = makeSetting(trainableDescriptor(), "lora:4", {}, "trainable");
    configuration.techniques["split_ffn"] = makeSetting(findTechnique("split_ffn", "test"), "4", {}, "split_ffn");
    const Configuration baseline = baselineOf(configuration);
    EXPECT_EQ(baseline.techniques.at("trainable").notation, "lora:4");
    EXPECT_EQ(baseline.techniques.at("split_ffn").notation, "off");
}

TEST(TrainableTest, theDtypeOfAdaptersCountsWhereItIsTheirOwn)
{
    const TechniqueDescriptor trainable = trainableDescriptor();
    const auto setting = [&](const char* notation, const ValueMap& options) {
        return makeSetting(trainable, notation, options, "trainable");
    };
    EXPECT_TRUE(trainable.idleOptions(setting("lora:4", {{"dtype", "float32"}})).empty());
    EXPECT_EQ(trainable.trainedDtype(setting("lora:4", {{"dtype", "float32"}})), Dtype::Float32);
    for (const TechniqueSetting& plain : {setting("lora:4", {}), setting("none", {{"dtype", "float32"}})}) {
        EXPECT_EQ(trainable.idleOptions(plain), std::vector<std::string>{"dtype"}) << plain.notation;
        EXPECT_EQ(trainable.trainedDtype(plain), std::nullopt) << plain.notation;
    }
}

} // namespace
} // namespace headroom::config::trainable_test
