// SPDX-License-Identifier: Apache-2.0
#include "core/config/techniques/OptimizerDescriptor.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/Configuration.h"
#include "tests/support/Refusal.h"

namespace headroom::config::optimizer_test {
namespace {

using Rule = OptimizerNotation::Rule;
using Form = OptimizerNotation::Form;

TechniqueSetting settingOf(const std::string& notation, const ValueMap& options = {})
{
    return makeSetting(optimizerDescriptor(), notation, options, "optimizer");
}

std::vector<std::string> problemsOf(
    const std::string& notation, const ValueMap& options, const std::string& dtype = "float32")
{
    Configuration configuration = defaultConfiguration("ffn-stack-tiny", "test");
    configuration.workload =
        makeWorkload({{"step", "train"}, {"dtype", dtype}}, findModel("ffn-stack-tiny", "test").shapes, "workload");
    configuration.techniques["optimizer"] = settingOf(notation, options);
    return conflicts(configuration);
}

TEST(OptimizerTest, readsEveryForm)
{
    EXPECT_EQ(parseOptimizer("sgd", "w"), (OptimizerNotation{Rule::Sgd, Form::Loop}));
    EXPECT_EQ(parseOptimizer("sgd:loop", "w"), (OptimizerNotation{Rule::Sgd, Form::Loop}));
    EXPECT_EQ(parseOptimizer("sgd:foreach", "w"), (OptimizerNotation{Rule::Sgd, Form::Foreach}));
    EXPECT_EQ(parseOptimizer("adamw", "w"), (OptimizerNotation{Rule::Adamw, Form::Loop}));
    EXPECT_EQ(parseOptimizer("adamw:fused", "w"), (OptimizerNotation{Rule::Adamw, Form::Fused}));
    EXPECT_EQ(parseOptimizer("adamw:expressions", "w"), (OptimizerNotation{Rule::Adamw, Form::Expressions}));
}

TEST(OptimizerTest, whatItWritesReadsBackAsTheSame)
{
    for (const Rule rule : {Rule::Sgd, Rule::Adamw})
        for (const Form form : {Form::Loop, Form::Foreach, Form::Fused, Form::Expressions}) {
            const OptimizerNotation optimizer{rule, form};
            EXPECT_EQ(parseOptimizer(toText(optimizer), "w"), optimizer) << toText(optimizer);
        }
    EXPECT_EQ(optimizerDescriptor().normalise("adamw", "w"), "adamw:loop") << "of a trial";
    EXPECT_EQ(optimizerDescriptor().normalise("sgd:loop", "w"), "sgd") << "the default";
}

TEST(OptimizerTest, withoutAFormItIsThatOfPyTorchOnTheDevice)
{
    const auto meant = [](const std::string& notation, const ValueMap& given, DeviceKind device) {
        return optimizerMeant(notation, given, device, "w");
    };
    for (const DeviceKind card : {DeviceKind::Cuda, DeviceKind::Simulated, DeviceKind::Rehearsed}) {
        EXPECT_EQ(meant("adamw", {}, card), "adamw:foreach");
        EXPECT_EQ(meant("sgd", {{"weight_decay", 0.1}}, card), "sgd:foreach");
        EXPECT_EQ(meant("sgd", {}, card), "sgd") << "the default, which takes the same memory";
        EXPECT_EQ(meant("adamw:loop", {}, card), "adamw:loop") << "as it was said";
        EXPECT_EQ(meant("adamw:fused", {}, card), "adamw:fused");
    }
    EXPECT_EQ(meant("adamw", {}, DeviceKind::Cpu), "adamw:loop");
    EXPECT_EQ(meant("sgd", {{"momentum", 0.9}}, DeviceKind::Cpu), "sgd");
}

TEST(OptimizerTest, refusesWhatIsNoNotation)
{
    for (const char* text : {"", "adam", "off", "none", "sgd:", "sgd:each", "adamw:fused:loop", ":loop", "SGD"})
        EXPECT_EQ(refusal([&] { parseOptimizer(text, "spec.toml:7: techniques.optimizer"); }),
            std::string("spec.toml:7: techniques.optimizer: found \"") + text
                + "\" (valid: sgd, adamw, each with :loop, :foreach, :fused or :expressions, or as PyTorch does it on "
                  "the "
                  "device)");
}

TEST(OptimizerTest, defaultsArePyTorchs)
{
    const OptimizerOptions sgd = optimizerOptions(settingOf("sgd"));
    EXPECT_EQ(sgd.learningRate, 1e-3);
    EXPECT_EQ(sgd.momentum, 0.0);
    EXPECT_EQ(sgd.weightDecay, 0.0);
    const OptimizerOptions adamw = optimizerOptions(settingOf("adamw"));
    EXPECT_EQ(adamw.learningRate, 1e-3);
    EXPECT_EQ(adamw.weightDecay, 1e-2);
    EXPECT_EQ(adamw.beta1, 0.9);
    EXPECT_EQ(adamw.beta2, 0.999);
    EXPECT_EQ(adamw.eps, 1e-8);
    EXPECT_FALSE(adamw.stateDtype);
}

TEST(OptimizerTest, everyOptionIsRead)
{
    const OptimizerOptions options = optimizerOptions(settingOf("adamw",
        {{"lr", 0.5}, {"momentum", 0.25}, {"weight_decay", 0.125}, {"beta1", 0.75}, {"beta2", 0.875}, {"eps", 0.0},
            {"state_dtype", "bfloat16"}}));
    EXPECT_EQ(options.learningRate, 0.5);
    EXPECT_EQ(options.momentum, 0.25);
    EXPECT_EQ(options.weightDecay, 0.125);
    EXPECT_EQ(options.beta1, 0.75);
    EXPECT_EQ(options.beta2, 0.875);
    EXPECT_EQ(options.eps, 0.0);
    EXPECT_EQ(options.stateDtype, Dtype::BFloat16);
    EXPECT_EQ(optimizerOptions(settingOf("adamw", {{"state_dtype", "float32"}})).stateDtype, Dtype::Float32);
    EXPECT_EQ(optimizerOptions(settingOf("adamw", {{"weight_decay", 0.0}})).weightDecay, 0.0);
}

TEST(OptimizerTest, numbersOutsideOfTheirRangeAreRefused)
{
    EXPECT_EQ(refusal([] { settingOf("sgd", {{"lr", -0.1}}); }),
        "optimizer.lr: found -0.1 (valid: a number of at least 0.0)");
    EXPECT_EQ(refusal([] { settingOf("adamw", {{"beta2", 1.5}}); }),
        "optimizer.beta2: found 1.5 (valid: a number of at least 0.0 and at most 1.0)");
    EXPECT_EQ(refusal([] { settingOf("adamw", {{"state_dtype", "float16"}}); }),
        "optimizer.state_dtype: found \"float16\" (valid: float32, bfloat16)");
    EXPECT_EQ(problemsOf("adamw", {{"beta1", 1.0}}),
        std::vector<std::string>{
            "optimizer: beta1 = 1 would never forget its start, which is zero (valid: from 0 to below 1)"});
}

TEST(OptimizerTest, optionsOfTheOtherRuleAreRefused)
{
    EXPECT_EQ(problemsOf("adamw", {{"momentum", 0.9}}),
        std::vector<std::string>{
            "optimizer: adamw has no momentum (valid: lr, weight_decay, beta1, beta2, eps, state_dtype)"});
    EXPECT_EQ(problemsOf("sgd:fused", {{"beta1", 0.5}, {"eps", 0.1}}),
        (std::vector<std::string>{"optimizer: sgd has no beta1 (valid: lr, momentum, weight_decay, state_dtype)",
            "optimizer: sgd has no eps (valid: lr, momentum, weight_decay, state_dtype)"}));
}

TEST(OptimizerTest, aStateFormatNeedsStateAndAFormThatCanMixFormats)
{
    EXPECT_EQ(problemsOf("sgd", {{"state_dtype", "float32"}}),
        std::vector<std::string>{
            "optimizer: state_dtype = float32 has no state to hold, as sgd keeps one with momentum "
            "only (valid: momentum above 0, or no state_dtype)"});
    EXPECT_TRUE(problemsOf("sgd", {{"state_dtype", "bfloat16"}, {"momentum", 0.9}}).empty());
    EXPECT_TRUE(problemsOf("adamw:foreach", {{"state_dtype", "bfloat16"}}).empty());
    EXPECT_TRUE(problemsOf("adamw:fused", {{"state_dtype", "float32"}}).empty());
    EXPECT_EQ(problemsOf("adamw:fused", {{"state_dtype", "float32"}}, "bfloat16"),
        std::vector<std::string>{"optimizer: state_dtype = float32 differs from the parameters' bfloat16, and "
                                 "adamw:fused takes all in one number format (valid: loop or foreach, or no "
                                 "state_dtype)"});
    EXPECT_EQ(problemsOf("adamw:expressions", {{"state_dtype", "bfloat16"}}),
        std::vector<std::string>{"optimizer: state_dtype = bfloat16 differs from the parameters' float32, and "
                                 "adamw:expressions takes all in one number format (valid: loop or foreach, or no "
                                 "state_dtype)"});
}

TEST(OptimizerTest, theDefaultRuleHasOptionsToo)
{
    Configuration plain = defaultConfiguration("ffn-stack-tiny", "test");
    EXPECT_EQ(plain.techniques.at("optimizer").options.at("lr"), Value(1e-3));
    EXPECT_EQ(techniqueLabel(plain), "baseline");
    Configuration chosen = plain;
    chosen.techniques["optimizer"] = settingOf("sgd", {{"lr", 0.1}});
    EXPECT_EQ(chosen.techniques.at("optimizer").options.at("lr"), Value(0.1));
    EXPECT_EQ(techniqueLabel(chosen), "optimizer sgd (lr 0.1)");
    EXPECT_TRUE(isChosen(optimizerDescriptor(), chosen.techniques.at("optimizer")));
    EXPECT_FALSE(isChosen(optimizerDescriptor(), plain.techniques.at("optimizer")));
}

} // namespace
} // namespace headroom::config::optimizer_test
