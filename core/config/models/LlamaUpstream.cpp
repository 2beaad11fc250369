// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/LlamaUpstream.h"

namespace headroom::config {
namespace {

// As many heads of keys and values as of queries, where a file does not say.
void deriveKeyValueHeads(ValueMap& fields, const ValueMap& entries, const std::string&)
{
    const auto given = entries.find("num_key_value_heads");
    if (given == entries.end() || given->second.isNull())
        fields["num_key_value_heads"] = fields.at("num_attention_heads");
    if (fields.at("head_dim") == Value(fields.at("hidden_size").integer() / fields.at("num_attention_heads").integer()))
        fields["head_dim"] = {};
}

UpstreamClass causalModel()
{
    UpstreamClass model;
    model.name = "LlamaForCausalLM";
    model.modelType = "llama";
    model.defaults = {{"rms_norm_eps", 1e-6}};
    model.renamed = {{"rope_parameters.rope_theta", "rope_theta"}};
    model.harmless = {"max_position_embeddings", "bos_token_id", "eos_token_id", "pad_token_id", "torch_dtype", "dtype",
        "transformers_version", "use_cache", "model_type", "pretraining_tp"};
    model.fixed = {
        {"attention_dropout", {0.0, 0}}, {"rope_scaling", {Value()}}, {"rope_parameters.rope_type", {"default"}}};
    model.settle = deriveKeyValueHeads;
    return model;
}

} // namespace

// Old files hold the rotary embedding's frequencies too.
UpstreamFamily llamaUpstream()
{
    using enum UpstreamInput::Presence;
    return {.family = "llama",
        .classes = {causalModel()},
        .inputs = {{"input_ids", InputForm::AsGiven}, {"attention_mask", InputForm::AsGiven, Optional},
            {"position_ids", InputForm::AsGiven, Optional}},
        .weights = {.ignored = {R"(rotary_emb\.inv_freq$)"}}};
}

} // namespace headroom::config
