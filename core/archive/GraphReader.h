// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/ExportedGraph.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace headroom::archive {

/// Where a value stands in a JSON file, for messages: "model.json: graph.nodes[3].inputs". Only what is refused needs
/// the text, so steps are kept as a list on the stack: a place is to be used while the one around it, and its texts,
/// live.
class JsonPlace {
public:
    JsonPlace(const std::string& file) // NOLINT(google-explicit-constructor): a file is a place
        : m_name(file)
    {
    }

    JsonPlace at(std::string_view member) const { return {this, member, std::nullopt}; }
    JsonPlace at(std::size_t index) const { return {this, {}, index}; }

    std::string text() const
    {
        if (m_outer == nullptr)
            return std::string(m_name);
        return m_outer->text() + (m_index ? "[" + std::to_string(*m_index) + "]" : "." + std::string(m_name));
    }

private:
    JsonPlace(const JsonPlace* outer, std::string_view name, std::optional<std::size_t> index)
        : m_outer(outer)
        , m_name(name)
        , m_index(index)
    {
    }

    const JsonPlace* m_outer = nullptr;
    std::string_view m_name;
    std::optional<std::size_t> m_index;
};

using Json = nlohmann::json;

/// Reads a graph of torch.export's schema, major version 8. `where` is the file, for messages. Throws FileError that
/// names the place within the file, what was found and what is valid, for other forms and unknown kinds of arguments.
Graph readGraph(const Json& graph, const JsonPlace& where);

/// A tensor's description (`tensor_values`, `tensor_meta`). Throws FileError.
TensorInfo readTensorInfo(const Json& json, const JsonPlace& where);

/// Throws FileError at `where` if the object has no such key, or a value of another type.
const Json& member(const Json& object, const char* key, const JsonPlace& where);
std::string textMember(const Json& object, const char* key, const JsonPlace& where);

/// The key and value of an object with one entry, as unions are written. Throws FileError.
std::pair<std::string, const Json*> unionOf(const Json& object, const JsonPlace& where);

} // namespace headroom::archive
