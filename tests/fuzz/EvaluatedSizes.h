// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/ExportedModel.h"

#include <cstddef>

namespace headroom::archive {

/// Evaluates the expressions of all sizes of a graph; the number of those that have a function and a value.
inline std::size_t evaluatedSizes(const Graph& graph, const SymbolValues& values)
{
    std::size_t evaluated = 0;
    const auto evaluate = [&](const Size& size) {
        evaluated += size.expression && size.expression->symbol().empty() && size.evaluated(values) ? 1 : 0;
    };
    for (const auto& [name, info] : graph.tensors)
        for (const Size& size : info.sizes)
            evaluate(size);
    for (const auto& [name, size] : graph.numbers)
        evaluate(size);
    for (const Graph& subgraph : graph.subgraphs)
        evaluated += evaluatedSizes(subgraph, values);
    return evaluated;
}

} // namespace headroom::archive
