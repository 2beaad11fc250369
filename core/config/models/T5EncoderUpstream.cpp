// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/T5EncoderUpstream.h"

#include "core/base/Error.h"

namespace headroom::config {
namespace {

// What is not said is the feed-forward of the first version.
void requireGate(ValueMap&, const ValueMap& entries, const std::string& where)
{
    if (!entries.contains("feed_forward_proj"))
        throw UsageError("found nothing, which means relu", where + ": feed_forward_proj", "gated-gelu");
}

UpstreamClass encoderIn(const char* name)
{
    UpstreamClass encoder;
    encoder.name = name;
    encoder.defaults = {{"d_model", 512}, {"d_kv", 64}, {"d_ff", 2048}, {"num_layers", 6}, {"num_heads", 8}};
    encoder.harmless = {"classifier_dropout", "decoder_start_token_id", "dtype", "eos_token_id", "is_encoder_decoder",
        "n_positions", "num_decoder_layers", "output_past", "pad_token_id", "scale_decoder_outputs",
        "task_specific_params", "tie_word_embeddings", "torch_dtype", "transformers_version", "use_cache"};
    encoder.fixed = {{"dense_act_fn", {"gelu_new"}}, {"is_decoder", {false}}, {"is_gated_act", {true}}};
    encoder.settle = requireGate;
    return encoder;
}

} // namespace

// The whole model has the encoder in it; its files have the decoder too, and the embedding under several names.
UpstreamFamily t5EncoderUpstream()
{
    using enum UpstreamInput::Presence;
    return {.family = "t5-encoder",
        .classes = {encoderIn("T5EncoderModel"), encoderIn("T5ForConditionalGeneration")},
        .inputs = {{"input_ids", InputForm::AsGiven}, {"attention_mask", InputForm::AsGiven, Optional}},
        .weights = {.aliases = {{"encoder.embed_tokens.weight", "shared.weight"}},
            .ignored = {R"(^decoder\.)", R"(^lm_head\.)"}}};
}

} // namespace headroom::config
