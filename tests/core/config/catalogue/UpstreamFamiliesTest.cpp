// SPDX-License-Identifier: Apache-2.0
//
// The configuration files that upstream publishes, family by family.
#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/Upstream.h"
#include "tests/support/Refusal.h"

#include <gmock/gmock.h>

namespace headroom::config::upstream_families_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

struct Published {
    const char* model;
    ValueMap entries;
};

ValueMap flux(bool guidance)
{
    return {{"_class_name", "FluxTransformer2DModel"}, {"_diffusers_version", "0.30.0.dev0"},
        {"_name_or_path", "../checkpoints/flux"}, {"attention_head_dim", 128}, {"guidance_embeds", guidance},
        {"in_channels", 64}, {"joint_attention_dim", 4096}, {"num_attention_heads", 24}, {"num_layers", 19},
        {"num_single_layers", 38}, {"patch_size", 1}, {"pooled_projection_dim", 768}};
}

ValueMap wan(int heads, int inner, int layers)
{
    return {{"_class_name", "WanTransformer3DModel"}, {"_diffusers_version", "0.33.0.dev0"},
        {"added_kv_proj_dim", Value()}, {"attention_head_dim", 128}, {"cross_attn_norm", true}, {"eps", 1e-06},
        {"ffn_dim", inner}, {"freq_dim", 256}, {"image_dim", Value()}, {"in_channels", 16},
        {"num_attention_heads", heads}, {"num_layers", layers}, {"out_channels", 16},
        {"patch_size", Value::List{1, 2, 2}}, {"qk_norm", "rms_norm_across_heads"}, {"rope_max_seq_len", 1024},
        {"text_dim", 4096}};
}

ValueMap cogVideoX(int heads, int layers, bool rotary)
{
    return {{"_class_name", "CogVideoXTransformer3DModel"}, {"_diffusers_version", "0.30.0.dev0"},
        {"activation_fn", "gelu-approximate"}, {"attention_bias", true}, {"attention_head_dim", 64}, {"dropout", 0.0},
        {"flip_sin_to_cos", true}, {"freq_shift", 0}, {"in_channels", 16}, {"max_text_seq_length", 226},
        {"norm_elementwise_affine", true}, {"norm_eps", 1e-05}, {"num_attention_heads", heads}, {"num_layers", layers},
        {"out_channels", 16}, {"patch_size", 2}, {"sample_frames", 49}, {"sample_height", 60}, {"sample_width", 90},
        {"spatial_interpolation_scale", 1.875}, {"temporal_compression_ratio", 4},
        {"temporal_interpolation_scale", 1.0}, {"text_embed_dim", 4096}, {"time_embed_dim", 512},
        {"timestep_activation_fn", "silu"}, {"use_learned_positional_embeddings", false},
        {"use_rotary_positional_embeddings", rotary}};
}

ValueMap llama(int hidden, int inner, int layers, int heads, int keyHeads, int vocabulary, double theta)
{
    return {{"architectures", Value::List{"LlamaForCausalLM"}}, {"attention_bias", false}, {"attention_dropout", 0.0},
        {"bos_token_id", 1}, {"eos_token_id", 2}, {"hidden_act", "silu"}, {"hidden_size", hidden},
        {"initializer_range", 0.02}, {"intermediate_size", inner}, {"max_position_embeddings", 4096},
        {"model_type", "llama"}, {"num_attention_heads", heads}, {"num_hidden_layers", layers},
        {"num_key_value_heads", keyHeads}, {"pretraining_tp", 1}, {"rms_norm_eps", 1e-05}, {"rope_scaling", Value()},
        {"rope_theta", theta}, {"tie_word_embeddings", false}, {"torch_dtype", "float16"},
        {"transformers_version", "4.40.0"}, {"use_cache", true}, {"vocab_size", vocabulary}};
}

ValueMap t5()
{
    return {{"architectures", Value::List{"T5EncoderModel"}}, {"classifier_dropout", 0.0}, {"d_ff", 10240},
        {"d_kv", 64}, {"d_model", 4096}, {"decoder_start_token_id", 0}, {"dense_act_fn", "gelu_new"},
        {"dropout_rate", 0.1}, {"eos_token_id", 1}, {"feed_forward_proj", "gated-gelu"}, {"initializer_factor", 1.0},
        {"is_encoder_decoder", true}, {"is_gated_act", true}, {"layer_norm_epsilon", 1e-06}, {"model_type", "t5"},
        {"num_decoder_layers", 24}, {"num_heads", 64}, {"num_layers", 24}, {"output_past", true}, {"pad_token_id", 0},
        {"relative_attention_max_distance", 128}, {"relative_attention_num_buckets", 32},
        {"tie_word_embeddings", false}, {"torch_dtype", "bfloat16"}, {"transformers_version", "4.43.3"},
        {"use_cache", true}, {"vocab_size", 32128}};
}

const std::vector<Published>& published()
{
    static const std::vector<Published> files{{"flux-dev", flux(true)}, {"flux-schnell", flux(false)},
        {"wan-2.1-1.3b", wan(12, 8960, 30)}, {"wan-2.1-14b", wan(40, 13824, 40)},
        {"cogvideox-2b", cogVideoX(30, 30, false)}, {"cogvideox-5b", cogVideoX(48, 42, true)},
        {"llama-2-7b", llama(4096, 11008, 32, 32, 32, 32000, 10000.0)},
        {"llama-2-13b", llama(5120, 13824, 40, 40, 40, 32000, 10000.0)},
        {"llama-3-8b", llama(4096, 14336, 32, 32, 8, 128256, 500000.0)}, {"t5-v1.1-xxl", t5()}};
    return files;
}

ValueMap with(ValueMap entries, const std::string& key, const Value& value)
{
    entries[key] = value;
    return entries;
}

ValueMap without(ValueMap entries, const std::string& key)
{
    entries.erase(key);
    return entries;
}

std::string objection(const ValueMap& entries)
{
    return refusal([&] { modelFromUpstream(entries, "c.json"); });
}

TEST(UpstreamFamiliesTest, aPublishedFileIsItsModelWithNothingToAdd)
{
    for (const Published& file : published()) {
        const DescribedModel found = modelFromUpstream(file.entries, "c.json");
        EXPECT_EQ(found.model, file.model);
        EXPECT_THAT(found.fields, IsEmpty()) << file.model;
    }
}

TEST(UpstreamFamiliesTest, headsOfKeysAndValuesAreAsManyAsOfQueriesWhereAFileDoesNotSay)
{
    const ValueMap silent = without(llama(4096, 11008, 32, 16, 8, 32000, 10000.0), "num_key_value_heads");
    EXPECT_EQ(modelFromUpstream(silent, "c.json").fields.at("num_key_value_heads"), Value(16));
}

TEST(UpstreamFamiliesTest, newFilesOfLlamaSayTheirWavelengthsElsewhere)
{
    ValueMap entries = without(llama(4096, 14336, 32, 32, 8, 128256, 1.0), "rope_theta");
    entries["rope_parameters.rope_theta"] = 500000.0;
    entries["rope_parameters.rope_type"] = "default";
    const DescribedModel found = modelFromUpstream(entries, "c.json");
    EXPECT_EQ(found.model, "llama-3-8b");
    EXPECT_THAT(found.fields, IsEmpty());
}

TEST(UpstreamFamiliesTest, whatWouldChangeTheResultIsRefusedByItsKey)
{
    const ValueMap small = llama(4096, 11008, 32, 32, 32, 32000, 10000.0);
    EXPECT_THAT(objection(with(small, "rope_scaling.factor", 8.0)), HasSubstr("c.json: rope_scaling.factor: found 8"));
    EXPECT_THAT(objection(with(small, "attention_dropout", 0.1)), HasSubstr("c.json: attention_dropout: found 0.1"));
    EXPECT_THAT(objection(with(small, "hidden_act", "gelu")), HasSubstr("c.json: hidden_act: found \"gelu\""));
    EXPECT_THAT(objection(with(t5(), "feed_forward_proj", "relu")),
        HasSubstr("c.json: feed_forward_proj: found \"relu\" (valid: gated-gelu)"));
    EXPECT_THAT(objection(without(t5(), "feed_forward_proj")), HasSubstr("c.json: feed_forward_proj: found nothing"));
    EXPECT_THAT(objection(with(t5(), "architectures", Value::List{"T5ForQuestionAnswering"})),
        HasSubstr("found the class \"T5ForQuestionAnswering\", which no model family is"));
    EXPECT_THAT(objection(with(flux(true), "theta", 10000)), HasSubstr("c.json: theta: found 10000"));
}

// Other models of the same class, which would be taken for a similar one.
TEST(UpstreamFamiliesTest, fieldsThatNoModelOfTheFamilySupportsAreRefusedWithTheFile)
{
    EXPECT_THAT(objection(with(wan(40, 13824, 40), "image_dim", 1280)),
        HasSubstr("c.json: image_dim = 1280 is of an image-to-video model"));
    EXPECT_THAT(objection(with(wan(40, 13824, 40), "patch_size", Value::List{1, 4, 4})),
        HasSubstr("c.json: patch_size = [1, 4, 4] is not supported (valid: [1, 2, 2])"));
    EXPECT_THAT(objection(with(cogVideoX(48, 42, true), "patch_size_t", 2)),
        HasSubstr("c.json: patch_size_t = 2 is not supported"));
    EXPECT_THAT(objection(with(cogVideoX(48, 42, true), "use_learned_positional_embeddings", true)),
        HasSubstr("c.json: use_learned_positional_embeddings = true is not supported"));
    EXPECT_THAT(
        objection(with(flux(true), "axes_dims_rope", Value::List{16, 56})), HasSubstr("c.json: axes_dims_rope"));
}

TEST(UpstreamFamiliesTest, theWholeT5HasTheEncoderInIt)
{
    const ValueMap whole = with(t5(), "architectures", Value::List{"T5ForConditionalGeneration"});
    EXPECT_EQ(modelFromUpstream(whole, "c.json").model, "t5-v1.1-xxl");
}

// By its kind, whatever other keys that kind has.
TEST(UpstreamFamiliesTest, scaledRotaryEmbeddingsAreRefusedByTheirKind)
{
    const ValueMap small = llama(4096, 11008, 32, 32, 32, 32000, 10000.0);
    EXPECT_THAT(objection(with(with(small, "rope_parameters.factor", 8.0), "rope_parameters.rope_type", "llama3")),
        HasSubstr("c.json: rope_parameters.rope_type: found \"llama3\", which is not supported (valid: \"default\")"));
    EXPECT_THAT(objection(with(with(small, "rope_scaling.factor", 8.0), "rope_scaling.rope_type", "linear")),
        HasSubstr("c.json: rope_scaling.rope_type: found \"linear\", which is not supported"));
    EXPECT_EQ(modelFromUpstream(with(small, "rope_scaling.rope_type", "default"), "c.json").model, "llama-2-7b");
}

TEST(UpstreamFamiliesTest, nullSaysNothingWhereUpstreamTakesItSo)
{
    const ValueMap small = llama(4096, 11008, 32, 32, 32, 32000, 10000.0);
    const DescribedModel found =
        modelFromUpstream(with(with(small, "num_key_value_heads", {}), "rope_parameters", {}), "c.json");
    EXPECT_EQ(found.model, "llama-2-7b");
    EXPECT_THAT(found.fields, IsEmpty());
    EXPECT_THAT(objection(with(small, "hidden_size", {})), HasSubstr("c.json: hidden_size: found null"));
}

TEST(UpstreamFamiliesTest, twoKeysOfOneFieldHaveToAgree)
{
    const ValueMap small = llama(4096, 11008, 32, 32, 32, 32000, 10000.0);
    EXPECT_EQ(modelFromUpstream(with(small, "rope_parameters.rope_theta", 10000), "c.json").model, "llama-2-7b");
    EXPECT_THAT(objection(with(small, "rope_parameters.rope_theta", 500000.0)),
        HasSubstr("c.json: rope_parameters.rope_theta: found 5e+05 beside rope_theta = 10000.0"));
}

} // namespace
} // namespace headroom::config::upstream_families_test
