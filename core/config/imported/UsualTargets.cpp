// SPDX-License-Identifier: Apache-2.0
#include "core/config/imported/UsualTargets.h"

#include <algorithm>
#include <map>
#include <set>

namespace headroom::config {
namespace {

using TargetNames = std::vector<std::string>;

// Of scripts and tables that do not keep to the usual names below.
const std::map<std::string, TargetNames>& targetsByClass()
{
    static const std::map<std::string, TargetNames> targets{
        {"FluxTransformer2DModel",
            {"attn.to_k", "attn.to_q", "attn.to_v", "attn.to_out.0", "attn.add_k_proj", "attn.add_q_proj",
                "attn.add_v_proj", "attn.to_add_out", "ff.net.0.proj", "ff.net.2", "ff_context.net.0.proj",
                "ff_context.net.2"}},
        {"SD3Transformer2DModel",
            {"attn.add_k_proj", "attn.add_q_proj", "attn.add_v_proj", "attn.to_add_out", "attn.to_k", "attn.to_out.0",
                "attn.to_q", "attn.to_v"}},
        {"PhiForCausalLM", {"q_proj", "v_proj", "fc1", "fc2"}},
    };
    return targets;
}

// The first of these that a model has all of.
const std::vector<TargetNames>& usualNames()
{
    static const std::vector<TargetNames> names{{"to_q", "to_k", "to_v", "to_out.0"}, {"q_proj", "v_proj"},
        {"query", "value"}, {"query_proj", "value_proj"}, {"q", "v"}, {"c_attn"}, {"query_key_value"}, {"Wqkv"},
        {"qkv_proj"}, {"to_q", "to_k", "to_v"}, {"qkv"}, {"in_proj"}};
    return names;
}

bool endsWith(const std::string& path, const std::string& end)
{
    return path == end || path.ends_with("." + end);
}

bool hasAny(const TargetNames& linears, const std::string& end)
{
    return std::ranges::any_of(linears, [&](const std::string& path) { return endsWith(path, end); });
}

// "proj"; of an element of a list with the list: "to_out.0".
std::string endOf(const std::string& path)
{
    const std::size_t dot = path.rfind('.');
    if (dot == std::string::npos || dot == 0 || path.find_first_not_of("0123456789", dot + 1) != std::string::npos)
        return path.substr(dot == std::string::npos ? 0 : dot + 1);
    const std::size_t before = path.rfind('.', dot - 1);
    return path.substr(before == std::string::npos ? 0 : before + 1);
}

TargetNames allEnds(const TargetNames& linears)
{
    std::set<std::string> ends;
    for (const std::string& path : linears)
        if (const std::string end = endOf(path); end != "lm_head")
            ends.insert(end);
    return {ends.begin(), ends.end()};
}

} // namespace

TargetNames usualTargets(const std::string& modelClass, const TargetNames& linears)
{
    const auto known = targetsByClass().find(modelClass.substr(modelClass.rfind('.') + 1));
    if (known != targetsByClass().end())
        return known->second;
    for (const TargetNames& usual : usualNames())
        if (std::ranges::all_of(usual, [&](const std::string& name) { return hasAny(linears, name); }))
            return usual;
    return allEnds(linears);
}

} // namespace headroom::config
