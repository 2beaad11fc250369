// SPDX-License-Identifier: Apache-2.0
#include "core/archive/OutputNames.h"

namespace headroom::archive {
namespace {

const Json* memberOrNull(const Json* json, const char* key)
{
    if (json == nullptr || !json->is_object())
        return nullptr;
    const auto place = json->find(key);
    return place == json->end() ? nullptr : &*place;
}

// torch.utils._pytree: [version, {"type", "context", "children_spec"}], written as text in the first call's signature.
Json outputTree(const Json& program)
{
    const Json* calls = memberOrNull(memberOrNull(&program, "graph_module"), "module_call_graph");
    if (calls == nullptr || !calls->is_array() || calls->empty())
        return {};
    const Json* text = memberOrNull(memberOrNull(&calls->front(), "signature"), "out_spec");
    if (text == nullptr || !text->is_string())
        return {};
    Json tree = Json::parse(text->get<std::string>(), nullptr, /*allow_exceptions=*/false);
    return tree.is_array() && tree.size() == 2 ? std::move(tree[1]) : Json();
}

const Json* childrenOf(const Json& tree)
{
    const Json* children = memberOrNull(&tree, "children_spec");
    return children != nullptr && children->is_array() ? children : nullptr;
}

std::size_t leavesOf(const Json& tree)
{
    std::size_t leaves = 0;
    for (std::vector<const Json*> open{&tree}; !open.empty();) {
        const Json* next = open.back();
        open.pop_back();
        const Json* children = childrenOf(*next);
        const Json* type = memberOrNull(next, "type");
        if (children == nullptr || type == nullptr || type->is_null())
            ++leaves;
        else
            for (const Json& child : *children)
                open.push_back(&child);
    }
    return leaves;
}

// A list of keys, for dicts and data classes alike.
std::vector<std::string> keysOf(const Json& tree)
{
    const Json* context = memberOrNull(&tree, "context");
    if (context == nullptr || !context->is_string())
        return {};
    std::vector<std::string> keys;
    const Json list = Json::parse(context->get<std::string>(), nullptr, /*allow_exceptions=*/false);
    if (list.is_array())
        for (const Json& key : list)
            keys.push_back(key.is_string() ? key.get<std::string>() : std::string());
    return keys;
}

} // namespace

std::vector<std::string> outputNamesOf(const Json& program)
{
    const Json tree = outputTree(program);
    const Json* children = childrenOf(tree);
    const std::vector<std::string> keys = keysOf(tree);
    if (children == nullptr || keys.size() != children->size())
        return {};
    std::vector<std::string> names;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const std::size_t leaves = leavesOf((*children)[i]);
        names.push_back(leaves == 1 ? keys[i] : std::string());
        names.resize(names.size() + leaves - (leaves > 0 ? 1 : 0));
        if (leaves == 0)
            names.pop_back();
    }
    return names;
}

} // namespace headroom::archive
