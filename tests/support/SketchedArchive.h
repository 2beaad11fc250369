// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Crc32.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace headroom {

/// Bytes of a zip file with these entries, not compressed.
class SketchedZip {
public:
    void add(const std::string& name, const std::string& content)
    {
        const std::string entry = common(name, content);
        m_directory += "PK\x01\x02" + number(20, 2) + entry + number(0, 10) + number(m_bytes.size(), 4) + name;
        m_bytes += "PK\x03\x04" + entry + name + content;
        ++m_entries;
    }

    std::string bytes() const
    {
        return m_bytes + m_directory + "PK\x05\x06" + number(0, 4) + number(m_entries, 2) + number(m_entries, 2)
            + number(m_directory.size(), 4) + number(m_bytes.size(), 4) + number(0, 2);
    }

private:
    static std::string number(std::uint64_t value, int width)
    {
        std::string bytes;
        for (int i = 0; i < width; ++i)
            bytes += static_cast<char>(i < 8 ? (value >> (8 * i)) & 0xFF : 0);
        return bytes;
    }

    static std::string common(const std::string& name, const std::string& content)
    {
        const std::uint32_t checksum = trace::crc32(std::as_bytes(std::span(content)));
        return number(20, 2) + number(0, 8) + number(checksum, 4) + number(content.size(), 4)
            + number(content.size(), 4) + number(name.size(), 2) + number(0, 2);
    }

    std::string m_bytes;
    std::string m_directory;
    std::size_t m_entries = 0;
};

/// An exported model as torch.export.save writes it, small: two blocks `layers.0` and `layers.1`, each a Linear of
/// width 4, over an input `x` whose first size is free (2 in the example). What is sketched is changed before it is
/// written.
class SketchedModel {
public:
    using Json = nlohmann::json;

    SketchedModel()
    {
        Json& graph = m_model["graph_module"]["graph"];
        graph = {{"inputs", {tensorArgument("p_0"), tensorArgument("p_1"), tensorArgument("x")}},
            {"outputs", {tensorArgument("b")}}, {"nodes", Json::array()}, {"tensor_values", Json::object()}};
        for (const char* weight : {"p_0", "p_1"})
            graph["tensor_values"][weight] = tensor({size(4), size(4)});
        for (const char* value : {"x", "a", "b"})
            graph["tensor_values"][value] = tensor({freeSize("s0", 2), size(4)});
        graph["nodes"] = {linear("x", "a", 0), linear("a", "b", 1)};
        m_model["graph_module"]["signature"] = {{"input_specs", {parameter(0), parameter(1), userInput("x")}},
            {"output_specs", {{{"user_output", {{"arg", tensorArgument("b")}}}}}}};
        m_model["schema_version"] = {{"major", 8}, {"minor", 17}};
        m_model["range_constraints"] = {{"s0", {{"min_val", 2}, {"max_val", 64}}}};
        m_model["torch_version"] = "2.11.0";
        m_model["guards_code"] = Json::array();
        for (int i = 0; i < 2; ++i)
            m_config["config"]["layers." + std::to_string(i) + ".weight"] = {
                {"path_name", "weight_0"}, {"use_pickle", false}, {"tensor_meta", tensor({size(4), size(4)})}};
    }

    Json& model() { return m_model; }
    Json& graph() { return m_model["graph_module"]["graph"]; }
    Json& node(std::size_t index) { return graph()["nodes"][index]; }
    Json& value(const std::string& name) { return graph()["tensor_values"][name]; }
    /// extra/headroom.json; without a call there is none.
    Json& notes()
    {
        if (m_notes.is_null())
            m_notes = {{"schema", "headroom.capture/1"}, {"model", "model.Tiny"}, {"training", true}};
        return m_notes;
    }

    /// The 16 values of a layer's weight; without a call the archive has none, as if it was exported on meta.
    void setWeight(int layer, const std::vector<float>& values)
    {
        const std::string file = "weight_" + std::to_string(layer);
        m_config["config"]["layers." + std::to_string(layer) + ".weight"]["path_name"] = file;
        m_weights[file] = std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
    }

    /// Inserts a node before the others' end: it reads `source` and makes `result`, of its own module and line.
    void addNode(const std::string& target, const std::string& source, const std::string& result)
    {
        value(result) = value("x");
        graph()["nodes"].push_back({{"target", target}, {"inputs", {input("self", tensorArgument(source))}},
            {"outputs", {tensorArgument(result)}},
            {"metadata",
                {{"nn_module_stack", "L__self__,,model.Tiny;L__self__odd,odd,model.Odd"},
                    {"stack_trace", "File \"/home/a/model.py\", line 33, in forward\n    odd(x)"}}}});
    }

    std::string bytes() const { return bytesWith(m_model.dump()); }
    /// The same with another text in the place of the model's.
    std::string bytesWith(const std::string& model) const
    {
        SketchedZip zip;
        zip.add("m/models/model.json", model);
        zip.add("m/data/weights/model_weights_config.json", m_config.dump());
        zip.add("m/data/constants/model_constants_config.json", R"({"config": {}})");
        if (!m_notes.is_null())
            zip.add("m/extra/headroom.json", m_notes.dump());
        for (const auto& [file, values] : m_weights)
            zip.add("m/data/weights/" + file, values);
        return zip.bytes();
    }

    static Json tensorArgument(const std::string& name) { return {{"as_tensor", {{"name", name}}}}; }
    static Json input(const std::string& name, const Json& argument)
    {
        return {{"name", name}, {"arg", argument}, {"kind", 1}};
    }
    static Json size(std::int64_t number) { return {{"as_int", number}}; }
    static Json freeSize(const std::string& symbol, std::int64_t example)
    {
        return {{"as_expr",
            {{"expr_str", "Symbol('" + symbol + "', positive=True, integer=True)"}, {"hint", {{"as_int", example}}}}}};
    }
    /// Of float32; 13: bfloat16, 12: bool, 5: int64.
    static Json tensor(const Json::array_t& sizes, int dtype = 7)
    {
        return {{"dtype", dtype}, {"sizes", sizes}, {"requires_grad", true}};
    }

private:
    static Json linear(const std::string& source, const std::string& result, int layer)
    {
        const std::string path = "layers." + std::to_string(layer);
        return {{"target", "torch.ops.aten.linear.default"},
            {"inputs",
                {input("input", tensorArgument(source)),
                    input("weight", tensorArgument("p_" + std::to_string(layer)))}},
            {"outputs", {tensorArgument(result)}},
            {"metadata",
                {{"nn_module_stack", "L__self__,,model.Tiny;L__self__" + path + "," + path + ",model.Block"},
                    {"stack_trace",
                        "File \"/home/a/model.py\", line " + std::to_string(10 + layer) + ", in forward\n    f(x)"}}}};
    }
    static Json parameter(int layer)
    {
        return {{"parameter",
            {{"arg", {{"name", "p_" + std::to_string(layer)}}},
                {"parameter_name", "layers." + std::to_string(layer) + ".weight"}}}};
    }
    static Json userInput(const std::string& name) { return {{"user_input", {{"arg", tensorArgument(name)}}}}; }

    Json m_model;
    Json m_config;
    Json m_notes;
    std::map<std::string, std::string> m_weights;
};

} // namespace headroom
