// SPDX-License-Identifier: Apache-2.0
#include "core/config/imported/UsualTargets.h"

#include "core/config/catalogue/Catalogue.h"

#include <gtest/gtest.h>

namespace headroom::config {
namespace {

using Names = std::vector<std::string>;

TEST(UsualTargetsTest, areThoseOfHandWrittenModelsOfTheSameClass)
{
    const ModelDescriptor ltx = findModel("ltx-video-2b", "");
    EXPECT_EQ(usualTargets("diffusers.LTXVideoTransformer3DModel", ltx.family->linears(ltx.fields.defaults())),
        ltx.family->adapterTargets);
    const ModelDescriptor llama = findModel("llama-3-8b", "");
    EXPECT_EQ(usualTargets({}, llama.family->linears(llama.fields.defaults())), llama.family->adapterTargets);
    const ModelDescriptor flux = findModel("flux-dev", "");
    EXPECT_EQ(usualTargets("diffusers.models.FluxTransformer2DModel", {}), flux.family->adapterTargets);
}

TEST(UsualTargetsTest, areThoseOfPeftForTransformers)
{
    EXPECT_EQ(
        usualTargets({}, {"transformer.h.0.attn.c_attn", "transformer.h.0.attn.c_proj", "lm_head"}), (Names{"c_attn"}));
    EXPECT_EQ(usualTargets({},
                  {"bert.encoder.layer.0.attention.self.query", "bert.encoder.layer.0.attention.self.key",
                      "bert.encoder.layer.0.attention.self.value"}),
        (Names{"query", "value"}));
    EXPECT_EQ(usualTargets("transformers.PhiForCausalLM", {"model.layers.0.self_attn.q_proj"}),
        (Names{"q_proj", "v_proj", "fc1", "fc2"}));
}

TEST(UsualTargetsTest, areAllLinearsButTheHeadOfOtherModels)
{
    EXPECT_EQ(usualTargets({}, {"layers.0.up", "layers.0.out.0", "layers.1.up", "0", "lm_head"}),
        (Names{"0", "out.0", "up"}));
    EXPECT_EQ(usualTargets({}, {"classifier.1"}), Names{"classifier.1"}) << "of a list of the model's own";
    EXPECT_EQ(usualTargets({}, {"features.1.0.block.3", "classifier.2"}), (Names{"block.3", "classifier.2"}));
    EXPECT_EQ(usualTargets({}, {}), Names{});
}

} // namespace
} // namespace headroom::config
