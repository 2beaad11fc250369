// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/T5EncoderUpstream.h"

#include "core/config/Error.h"

namespace headroom::config {
namespace {

// Upstream's default is the first T5, whose feed-forwards have no gate.
void requireGate(ValueMap&, const ValueMap& entries, const std::string& where)
{
    if (!entries.contains("feed_forward_proj"))
        throw UsageError("is not there, which means relu", where + ": feed_forward_proj", "gated-gelu");
}

UpstreamClass encoder()
{
    UpstreamClass model;
    model.name = "T5EncoderModel";
    model.defaults = {{"d_model", 512}, {"d_ff", 2048}, {"num_layers", 6}, {"num_heads", 8}};
    model.harmless = {"num_decoder_layers", "decoder_start_token_id", "eos_token_id", "pad_token_id", "output_past",
        "torch_dtype", "dtype", "transformers_version", "use_cache", "model_type", "is_encoder_decoder",
        "classifier_dropout", "n_positions", "tie_word_embeddings", "is_decoder", "bos_token_id",
        "scale_decoder_outputs", "max_new_tokens", "task_specific_params"};
    model.fixed = {{"is_gated_act", {true}}, {"dense_act_fn", {"gelu_new"}}};
    model.settle = requireGate;
    return model;
}

} // namespace

UpstreamFamily t5EncoderUpstream()
{
    using enum UpstreamInput::Presence;
    return {.family = "t5-encoder",
        .classes = {encoder()},
        .inputs = {{"input_ids", InputForm::AsGiven}, {"attention_mask", InputForm::AsGiven, Optional}},
        .weights = {.aliases = {{"encoder.embed_tokens.weight", "shared.weight"}}}};
}

} // namespace headroom::config
