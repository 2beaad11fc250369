// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/GraphReader.h"

#include <map>
#include <string>
#include <vector>

namespace headroom::archive {

/// An integer as the schema writes it.
inline Json number(std::int64_t value)
{
    return {{"as_int", value}};
}

/// Graphs of torch.export's schema in a few words, for tests.
class GraphText {
public:
    GraphText& input(const std::string& name, const std::vector<std::int64_t>& sizes)
    {
        m_json["inputs"].push_back(tensor(name));
        return describe(name, sizes);
    }
    /// A node of one result; arguments are schema names with values as the schema writes them.
    GraphText& node(const std::string& target, const std::vector<std::pair<std::string, Json>>& arguments,
        const std::string& result, const std::vector<std::int64_t>& sizes, const std::string& modules = {})
    {
        return node(target, arguments, {tensor(result)}, result, modules).describe(result, sizes);
    }
    GraphText& node(const std::string& target, const std::vector<std::pair<std::string, Json>>& arguments,
        const std::vector<Json>& outputs, const std::string& name, const std::string& modules = {})
    {
        Json inputs = Json::array();
        for (const auto& [argument, value] : arguments)
            inputs.push_back({{"name", argument}, {"arg", value}, {"kind", 1}});
        m_json["nodes"].push_back({{"target", target}, {"inputs", inputs}, {"outputs", outputs}, {"name", name},
            {"metadata", {{"nn_module_stack", modules}}}});
        return *this;
    }
    GraphText& output(const std::string& name)
    {
        m_json["outputs"].push_back(tensor(name));
        return *this;
    }
    GraphText& describe(const std::string& name, const std::vector<std::int64_t>& sizes)
    {
        Json list = Json::array();
        for (const std::int64_t size : sizes)
            list.push_back(number(size));
        m_json["tensor_values"][name] = {{"dtype", 7}, {"sizes", list}, {"requires_grad", false}};
        return *this;
    }

    Json json() const { return m_json; }
    Graph graph() const { return readGraph(m_json, std::string("model.json")); }

    static Json tensor(const std::string& name) { return {{"as_tensor", {{"name", name}}}}; }
    static Json graphArgument(const std::string& name, const Json& graph)
    {
        return {{"as_graph", {{"name", name}, {"graph", graph}}}};
    }

private:
    Json m_json = {{"inputs", Json::array()}, {"outputs", Json::array()}, {"nodes", Json::array()},
        {"tensor_values", Json::object()}, {"sym_int_values", Json::object()}};
};

inline std::string atenOp(const std::string& name)
{
    return "torch.ops.aten." + name;
}

} // namespace headroom::archive
