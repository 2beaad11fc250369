// SPDX-License-Identifier: Apache-2.0
#include "core/archive/Flops.h"

#include <algorithm>

namespace headroom::archive {
namespace {

class FlopCount {
public:
    FlopCount(const Graph& graph, const SymbolValues& values)
        : m_graph(graph)
        , m_values(values)
    {
    }

    double ofGraph() const
    {
        double flops = 0;
        for (const Node& node : m_graph.nodes)
            flops += ofNode(node);
        for (const Graph& subgraph : m_graph.subgraphs)
            flops += FlopCount(subgraph, m_values).ofGraph();
        return flops;
    }

private:
    const TensorInfo* argument(const Node& node, const char* name) const
    {
        const Argument* found = argumentOf(node, name);
        return found == nullptr ? nullptr : info(*found);
    }
    const TensorInfo* info(const Argument& argument) const
    {
        const auto found = m_graph.tensors.find(argument.name);
        return found == m_graph.tensors.end() ? nullptr : &found->second;
    }
    double elements(const TensorInfo* tensor) const
    {
        return tensor == nullptr ? 0 : static_cast<double>(tensor->elements(m_values));
    }
    double size(const TensorInfo* tensor, std::size_t fromEnd) const
    {
        if (tensor == nullptr || tensor->sizes.size() < fromEnd)
            return 0;
        return static_cast<double>(tensor->sizes[tensor->sizes.size() - fromEnd].at(m_values));
    }

    double ofNode(const Node& node) const
    {
        const std::string op = atenName(node);
        if (op.empty() || node.outputs.empty())
            return 0;
        const double results = elements(info(node.outputs.front()));
        if (op == "linear")
            return 2 * results * size(argument(node, "input"), 1);
        if (op == "addmm")
            return 2 * results * size(argument(node, "mat1"), 1);
        if (op == "baddbmm")
            return 2 * results * size(argument(node, "batch1"), 1);
        if (op == "mm" || op == "bmm" || op == "matmul")
            return 2 * results * size(argument(node, "self"), 1);
        if (op.starts_with("conv") && !op.starts_with("conv_transpose"))
            return 2 * results * ofOneResult(argument(node, "weight"));
        if (op == "scaled_dot_product_attention")
            return ofAttention(node);
        return 0;
    }

    // A convolution's result is a product with one filter.
    double ofOneResult(const TensorInfo* weight) const
    {
        return weight == nullptr || weight->sizes.empty()
            ? 0
            : elements(weight) / std::max(1.0, size(weight, weight->sizes.size()));
    }

    double ofAttention(const Node& node) const
    {
        const TensorInfo* query = argument(node, "query");
        const TensorInfo* key = argument(node, "key");
        const double channels = size(query, 1);
        const double queries = channels > 0 ? elements(query) / channels : 0; // of all heads
        return 2 * queries * size(key, 2) * (channels + size(argument(node, "value"), 1));
    }

    const Graph& m_graph;
    const SymbolValues& m_values;
};

} // namespace

double forwardFlops(const ExportedModel& model, const SymbolValues& values)
{
    return FlopCount(model.graph, values).ofGraph();
}

} // namespace headroom::archive
