// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/ImportedFactsCodec.h"

namespace headroom::protocol {
namespace {

Json textOrNull(const std::string& text)
{
    return text.empty() ? Json(nullptr) : Json(text);
}

std::string factText(const Json& json)
{
    return json.is_null() ? std::string() : json.get<std::string>();
}

} // namespace

Json toJson(const config::ImportedFacts& facts)
{
    return {{"file", facts.file}, {"content", facts.content}, {"class", textOrNull(facts.modelClass)},
        {"torch_version", textOrNull(facts.torchVersion)}, {"exported_on", textOrNull(facts.exportedOn)},
        {"dtype", facts.dtype}, {"parameters", facts.parameters}, {"blocks", facts.blocks},
        {"forward_flops", facts.forwardFlops}, {"tokens", facts.tokens}, {"remarks", facts.remarks}};
}

std::optional<config::ImportedFacts> importedFactsFromJson(const Json& json)
{
    if (json.is_null())
        return std::nullopt;
    config::ImportedFacts facts;
    json.at("file").get_to(facts.file);
    json.at("content").get_to(facts.content);
    facts.modelClass = factText(json.at("class"));
    facts.torchVersion = factText(json.at("torch_version"));
    facts.exportedOn = factText(json.at("exported_on"));
    json.at("dtype").get_to(facts.dtype);
    json.at("parameters").get_to(facts.parameters);
    json.at("blocks").get_to(facts.blocks);
    json.at("forward_flops").get_to(facts.forwardFlops);
    json.at("tokens").get_to(facts.tokens);
    json.at("remarks").get_to(facts.remarks);
    return facts;
}

} // namespace headroom::protocol
