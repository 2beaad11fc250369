// SPDX-License-Identifier: Apache-2.0
#include "core/config/catalogue/Upstream.h"

#include "core/config/catalogue/Catalogue.h"
#include "tests/support/Refusal.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <regex>

namespace headroom::config::upstream_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// The configuration that upstream publishes for LTX-Video 0.9.
ValueMap publishedConfig()
{
    return {{"_class_name", "LTXVideoTransformer3DModel"}, {"_diffusers_version", "0.32.0.dev0"},
        {"activation_fn", "gelu-approximate"}, {"attention_bias", true}, {"attention_head_dim", 64},
        {"attention_out_bias", true}, {"caption_channels", 4096}, {"cross_attention_dim", 2048}, {"in_channels", 128},
        {"norm_elementwise_affine", false}, {"norm_eps", 1e-06}, {"num_attention_heads", 32}, {"num_layers", 28},
        {"out_channels", 128}, {"patch_size", 1}, {"patch_size_t", 1}, {"qk_norm", "rms_norm_across_heads"}};
}

ValueMap with(const std::string& key, const Value& value)
{
    ValueMap entries = publishedConfig();
    entries[key] = value;
    return entries;
}

std::string objection(const ValueMap& entries)
{
    return refusal([&] { modelFromUpstream(entries, "c.json"); });
}

TEST(UpstreamTest, everyFamilySaysWhatItsForwardTakes)
{
    for (const ModelFamily& family : modelFamilies())
        EXPECT_FALSE(family.upstream.inputs.empty()) << family.name;
}

TEST(UpstreamTest, tablesSpeakOfFieldsThatThereAreAndPatternsThatParse)
{
    for (const ModelFamily& family : modelFamilies()) {
        for (const UpstreamClass& candidate : family.upstream.classes) {
            EXPECT_NO_THROW(family.fields.complete(candidate.defaults, candidate.name));
            for (const auto& [key, field] : candidate.renamed)
                EXPECT_NE(family.fields.find(field), nullptr) << candidate.name << " " << field;
        }
        for (const std::string& pattern : family.upstream.weights.ignored)
            EXPECT_NO_THROW(std::regex{pattern});
    }
}

TEST(UpstreamTest, aPublishedConfigurationIsItsModel)
{
    const DescribedModel model = modelFromUpstream(publishedConfig(), "c.json");
    EXPECT_EQ(model.model, "ltx-video-2b");
    EXPECT_THAT(model.fields, IsEmpty());
}

TEST(UpstreamTest, whatAFileLeavesOutIsTheClassesOwnDefault)
{
    const DescribedModel model =
        modelFromUpstream({{"_class_name", "LTXVideoTransformer3DModel"}, {"num_layers", 3}}, "c.json");
    EXPECT_EQ(model.model, "ltx-video-2b");
    EXPECT_EQ(model.fields, (ValueMap{{"num_layers", 3}}));
}

TEST(UpstreamTest, theNearestMemberOfTheFamilyIsTaken)
{
    const ValueMap tiny{{"_class_name", "LTXVideoTransformer3DModel"}, {"in_channels", 4}, {"out_channels", 4},
        {"num_attention_heads", 2}, {"attention_head_dim", 8}, {"cross_attention_dim", 16}, {"num_layers", 1},
        {"caption_channels", 16}};
    const DescribedModel model = modelFromUpstream(tiny, "c.json");
    EXPECT_EQ(model.model, "ltx-video-tiny");
    EXPECT_EQ(model.fields, (ValueMap{{"num_layers", 1}, {"caption_channels", 16}}));
}

TEST(UpstreamTest, aWidthThatDoesNotFitIsRefused)
{
    EXPECT_THAT(objection(with("cross_attention_dim", 1024)),
        HasSubstr("c.json: cross_attention_dim = 1024 differs from num_attention_heads * attention_head_dim = 2048"));
}

TEST(UpstreamTest, keysThatSayNothingOfTheModelAreLeftAlone)
{
    for (const char* key : {"_name_or_path", "_anything", "architectures", "decay", "optimization_step"})
        EXPECT_THAT(modelFromUpstream(with(key, "x"), "c.json").fields, IsEmpty()) << key;
}

TEST(UpstreamTest, whatIsNotSupportedIsRefusedWithFileAndKey)
{
    EXPECT_EQ(objection(with("num_layers", "many")),
        "c.json: num_layers: found \"many\" (valid: an integer of at least 1 and at most 4096)");
    EXPECT_EQ(objection(with("qk_norm", "layer_norm")),
        "c.json: qk_norm: found \"layer_norm\" (valid: rms_norm_across_heads)");
    EXPECT_EQ(objection(with("qk_norm", Value())), "c.json: qk_norm: found null (valid: rms_norm_across_heads)");
    EXPECT_THAT(objection(with("num_layer", 4)),
        HasSubstr("c.json: num_layer: found 4, and LTXVideoTransformer3DModel has no such key that is supported, did "
                  "you mean \"num_layers\"? (valid: in_channels, out_channels, "));
    EXPECT_THAT(objection(with("quantization_config.load_in_8bit", true)),
        HasSubstr("c.json: quantization_config.load_in_8bit: found true"));
}

TEST(UpstreamTest, classesThatNoFamilyIsAreRefused)
{
    EXPECT_THAT(objection({{"_class_name", "UNet2DConditionModel"}}),
        HasSubstr("c.json: _class_name: found the class \"UNet2DConditionModel\", which no model family is (valid: "));
    EXPECT_THAT(objection({{"architectures", Value::List{"BertModel", "BertForMaskedLM"}}, {"model_type", "bert"}}),
        HasSubstr("c.json: architectures: found the class \"BertModel, BertForMaskedLM\", which no model family is"));
    EXPECT_THAT(
        objection({{"model_type", "bert"}}), HasSubstr("c.json: model_type: found \"bert\", which no model family is"));
    EXPECT_THAT(objection({{"num_layers", 4}}), HasSubstr("c.json: does not say of which class its model is"));
}

} // namespace
} // namespace headroom::config::upstream_test
