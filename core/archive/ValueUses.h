// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/ExportedGraph.h"

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headroom::archive {

/// Which nodes of a graph make and read each value. The graph is borrowed, and must not change meanwhile.
class ValueUses {
public:
    explicit ValueUses(const Graph& graph);

    /// Nothing for inputs and the model's tensors.
    std::optional<std::size_t> maker(std::string_view value) const;
    /// In their order, each once, without assertions of a tensor's type; as many as there are nodes stands for the
    /// graph's outputs.
    const std::vector<std::size_t>& readers(std::string_view value) const;
    /// Whether this node alone reads the value.
    bool isReadBy(std::string_view value, std::size_t node) const;

private:
    void addReader(std::string_view value, std::size_t node);

    std::unordered_map<std::string_view, std::size_t> m_makers;
    std::unordered_map<std::string_view, std::vector<std::size_t>> m_readers;
};

} // namespace headroom::archive
