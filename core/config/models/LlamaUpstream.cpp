// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/LlamaUpstream.h"

#include "core/base/Error.h"

namespace headroom::config {
namespace {

bool says(const ValueMap& entries, const char* key)
{
    const auto found = entries.find(key);
    return found != entries.end() && !found->second.isNull();
}

// Without a number of key and value heads there is one for each query head. A head's width that follows need not be
// said.
void followHeads(ValueMap& fields, const ValueMap& entries, const std::string& where)
{
    const std::int64_t heads = fields.at("num_attention_heads").integer();
    if (!says(entries, "num_key_value_heads"))
        fields.at("num_key_value_heads") = heads;
    if (fields.at("hidden_size").integer() % heads == 0
        && fields.at("head_dim") == Value(fields.at("hidden_size").integer() / heads))
        fields.at("head_dim") = {};
    if (fields.at("tie_word_embeddings").boolean())
        throw UsageError("found true, which is not supported", where + ": tie_word_embeddings", "false");
}

// Old files have the wavelengths' base beside the other keys, new ones in an object; some have both.
void requireOneTheta(const ValueMap& entries, const std::string& where)
{
    constexpr const char* kNew = "rope_parameters.rope_theta";
    const auto number = [](const Value& value) {
        return value.isInteger() ? static_cast<double>(value.integer()) : value.real();
    };
    if (says(entries, "rope_theta") && says(entries, kNew)
        && number(entries.at("rope_theta")) != number(entries.at(kNew)))
        throw UsageError(
            "found " + toToml(entries.at(kNew)) + " beside rope_theta = " + toToml(entries.at("rope_theta")),
            where + ": " + kNew, "the same number");
}

void settled(ValueMap& fields, const ValueMap& entries, const std::string& where)
{
    requireOneTheta(entries, where);
    followHeads(fields, entries, where);
}

UpstreamClass causalModel()
{
    UpstreamClass model;
    model.name = "LlamaForCausalLM";
    model.modelType = "llama";
    model.defaults = {{"rms_norm_eps", 1e-6}};
    model.renamed = {{"rope_parameters.rope_theta", "rope_theta"}};
    model.harmless = {"bos_token_id", "dtype", "eos_token_id", "max_position_embeddings", "pad_token_id", "torch_dtype",
        "transformers_version", "use_cache"};
    model.fixed = {{"attention_dropout", {0.0, 0}}, {"pretraining_tp", {1}}, {"rope_parameters.rope_type", {"default"}},
        {"rope_scaling", {Value()}}, {"rope_scaling.rope_type", {"default"}}, {"rope_scaling.type", {"default"}}};
    model.nullable = {"num_key_value_heads", "rope_parameters"};
    model.settle = settled;
    return model;
}

} // namespace

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
