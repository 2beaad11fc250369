// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/ParityCheck.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/weights/Safetensors.h"
#include "tests/support/Refusal.h"
#include "tests/support/TemporaryFolder.h"

#include <gmock/gmock.h>

namespace headroom::collectors {
namespace {

using config::InputForm;
using enum config::UpstreamInput::Presence;
using testing::ElementsAre;
using testing::Key;

config::UpstreamFamily family()
{
    return {{},
        {{"hidden"}, {"time", InputForm::AsGiven}, {"mask", InputForm::Activation, Optional},
            {"scale", InputForm::HostNumbers, Optional, 3}, {"frames", InputForm::HostNumbers, Optional},
            {"rotary", InputForm::Activation, Optional, 2}}};
}

models::Inputs inputsOf(const tensor::NamedTensors& tensors)
{
    const TemporaryFolder folder;
    const auto file = folder.path() / "i.safetensors";
    tensor::writeSafetensors(file, tensors);
    return readParityInputs(file, family(), {}, at::kBFloat16);
}

std::string objection(const tensor::NamedTensors& tensors)
{
    const std::string message = refusal<FileError>([&] { inputsOf(tensors); });
    return message.substr(message.find(".safetensors: ") + 14);
}

tensor::NamedTensors with(const std::string& name, const at::Tensor& tensor)
{
    return {{"hidden", at::ones({2, 3})}, {"time", at::ones({2})}, {name, tensor}};
}

TEST(ParityInputsTest, activationsTakeTheModelsTypeAndTheRestStays)
{
    const models::Inputs inputs = inputsOf(with("mask", at::ones({2, 3}, at::kLong)));
    EXPECT_THAT(inputs, ElementsAre(Key("hidden"), Key("mask"), Key("time")));
    EXPECT_EQ(inputs.at("hidden").scalar_type(), at::kBFloat16);
    EXPECT_EQ(inputs.at("time").scalar_type(), at::kFloat);
    EXPECT_EQ(inputs.at("mask").scalar_type(), at::kLong);
}

TEST(ParityInputsTest, hostNumbersAreOneTensorOrATuple)
{
    const at::Tensor scale = at::tensor({0.5, 32.0, 16.0}, at::kDouble);
    EXPECT_TRUE(at::equal(inputsOf(with("scale", scale)).at("scale"), scale));
    tensor::NamedTensors tuple = with("scale.0", scale[0]);
    tuple.emplace_back("scale.1", scale[1].view({1}));
    tuple.emplace_back("scale.2", scale[2]);
    EXPECT_TRUE(at::equal(inputsOf(tuple).at("scale"), scale));
    tuple.pop_back();
    EXPECT_EQ(objection(tuple), "has no tensor \"scale.2\"");
    EXPECT_EQ(objection(with("scale", at::ones({2}))), "tensor \"scale\" has 2 elements (valid: 3)");
    EXPECT_EQ(
        inputsOf(with("frames", at::full({}, 7, at::kLong))).at("frames").sizes(), (std::vector<std::int64_t>{1}));
    EXPECT_EQ(objection(with("frames", at::ones({2}, at::kLong))), "tensor \"frames\" has 2 elements (valid: 1)");
}

TEST(ParityInputsTest, aTupleOfTensorsKeepsItsNames)
{
    tensor::NamedTensors tuple = with("rotary.0", at::ones({4}));
    tuple.emplace_back("rotary.1", at::zeros({4}));
    const models::Inputs inputs = inputsOf(tuple);
    EXPECT_EQ(inputs.at("rotary.0").scalar_type(), at::kBFloat16);
    EXPECT_TRUE(at::equal(inputs.at("rotary.1").to(at::kFloat), at::zeros({4})));
    EXPECT_EQ(objection(with("rotary", at::ones({2, 4}))),
        "has a tensor \"rotary\", which is a tuple of 2 (valid: rotary.0, rotary.1)");
}

// What is required depends on the model, or on what else is there.
TEST(ParityInputsTest, familiesAskForWhatTheirForwardReads)
{
    const auto problem = [](const char* model, const char* field, bool value, const std::set<std::string>& given) {
        const config::ModelDescriptor descriptor = config::findModel(model, "");
        const config::ValueMap set = field == nullptr ? config::ValueMap{} : config::ValueMap{{field, value}};
        return config::upstreamOf(descriptor.family->name).inputProblem(descriptor.fields.complete(set, ""), given);
    };
    EXPECT_EQ(problem("flux-tiny", "guidance_embeds", true, {"guidance"}), "");
    EXPECT_EQ(problem("flux-tiny", "guidance_embeds", false, {}), "");
    EXPECT_EQ(problem("flux-tiny", "guidance_embeds", true, {}), "has no tensor \"guidance\", which the model embeds");
    EXPECT_EQ(problem("flux-tiny", "guidance_embeds", false, {"guidance"}),
        "has a tensor \"guidance\", and the model embeds none (guidance_embeds is false)");
    EXPECT_EQ(problem("ltx-video-tiny", nullptr, false, {"num_frames", "height", "width"}), "");
    EXPECT_EQ(problem("ltx-video-tiny", nullptr, false, {"video_coords"}), "");
    EXPECT_EQ(problem("ltx-video-tiny", nullptr, false, {"num_frames", "width"}),
        "has no tensor \"height\", nor \"video_coords\" in place of it");
}

TEST(ParityInputsTest, whatIsMissingAndWhatNobodyTakesIsRefused)
{
    EXPECT_EQ(objection({{"hidden", at::ones({1})}}), "has no tensor \"time\", an argument of the model's forward");
    EXPECT_EQ(objection(with("mass", at::ones({1}))),
        "tensor \"mass\" is no argument of the model's forward (valid: hidden, time, mask, scale, frames, rotary)");
}

} // namespace
} // namespace headroom::collectors
