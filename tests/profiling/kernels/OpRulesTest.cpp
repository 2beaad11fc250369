// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/OpRules.h"

#include "tests/profiling/comparisons/TrialRun.h"

#include <gmock/gmock.h>

namespace headroom::collectors {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::set<std::string> withoutRule(const std::function<void()>& program)
{
    OpSurvey survey;
    tensor::OpInterceptor interceptor;
    interceptor.addObserver(survey);
    const tensor::OpInterceptor::Scope scope(interceptor);
    program();
    return survey.withoutRule();
}

TEST(OpRulesTest, anOpWithoutARuleIsNamedOnce)
{
    const at::Tensor tensor = at::ones({4, 4});
    EXPECT_THAT(withoutRule([&] {
        at::linalg_qr(tensor);
        at::linalg_qr(tensor.t());
        tensor.add(1).t().mm(tensor);
    }),
        ElementsAre("linalg_qr"));
}

TEST(OpRulesTest, inPlaceFormsHaveTheRuleOfTheOp)
{
    at::Tensor tensor = at::ones({4, 4});
    EXPECT_THAT(withoutRule([&] {
        tensor.add_(1).mul_(2).zero_();
        tensor.resize_({2, 2});
    }),
        IsEmpty());
}

// Vision-language models check with them that their images have as many places among the tokens as they need.
TEST(OpRulesTest, checksOfAllValuesHaveARule)
{
    const at::Tensor flags = at::ones({4, 4}, at::kBool);
    EXPECT_THAT(withoutRule([&] {
        at::_is_all_true(flags);
        at::_is_any_true(flags);
    }),
        IsEmpty());
}

// TensorTopK.cu: one block takes nothing. CUB's tiles are known for keys of 4 and 8 bytes.
TEST(OpRulesTest, longSortsAndSelectionsAreNamed)
{
    const at::Tensor experts = at::ones({64, 8}), words = at::ones({2, 32000}), sentence = at::ones({2, 4096});
    EXPECT_THAT(withoutRule([&] { at::topk(experts, 2); }), IsEmpty());
    EXPECT_THAT(withoutRule([&] {
        at::sort(sentence);
        at::sort(words);
    }),
        IsEmpty());
    EXPECT_THAT(withoutRule([&] {
        at::topk(words, 50);
        at::sort(words.to(at::kBFloat16));
    }),
        ElementsAre("sort", "topk"));
}

// What a model runs, in every kind of step.
TEST(OpRulesTest, everyOpOfTheModelsHasARule)
{
    for (const char* model :
        {"ffn-stack-tiny", "ltx-video-tiny", "flux-tiny", "wan-tiny", "cogvideox-tiny", "llama-tiny", "t5-v1.1-tiny"})
        for (const char* step : {"inference", "train"})
            for (const char* dtype : {"float32", "bfloat16"})
                for (const char* device : {"sim:cpu", "sim:rtx4090"}) {
                    config::Trial trial = trialOfModel(model, device, {}, {{"step", step}, {"dtype", dtype}});
                    checkpoint(trial, std::string(step) == "train" ? "ops" : "none");
                    const protocol::RepeatResult result = measured(trial);
                    EXPECT_EQ(result.outcome, Outcome::Completed) << result.reason;
                    EXPECT_THAT(result.opsWithoutRule, IsEmpty()) << model << ", " << step << " on " << device;
                    EXPECT_THAT(result.diagnostics, IsEmpty()) << model << ", " << step << " on " << device;
                }
}

} // namespace
} // namespace headroom::collectors
