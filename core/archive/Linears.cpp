// SPDX-License-Identifier: Apache-2.0
#include "core/archive/Linears.h"

#include "core/archive/ValueUses.h"

#include <algorithm>
#include <unordered_map>

namespace headroom::archive {
namespace {

constexpr std::string_view kLinear = "torch.ops.aten.linear.default";
constexpr std::string_view kAddmm = "torch.ops.aten.addmm.default";
constexpr std::string_view kMatmul = "torch.ops.aten.matmul.default";
constexpr std::string_view kView = "torch.ops.aten.view.default";

/// The tensors of a model by their values.
class StoredByValue {
public:
    explicit StoredByValue(const ExportedModel& model)
    {
        for (const StoredTensor& tensor : model.tensors)
            m_tensors.emplace(tensor.value, &tensor);
    }

    /// The parameter of that name in the module; null if the value is another tensor, or tied to one.
    const StoredTensor* own(const Argument& value, const std::string& path, std::string_view name) const
    {
        const auto found = m_tensors.find(value.name);
        if (value.kind != ArgumentKind::Tensor || found == m_tensors.end())
            return nullptr;
        const StoredTensor& tensor = *found->second;
        const bool isOwn = tensor.kind == StoredKind::Parameter && tensor.tiedTo.empty()
            && tensor.name.size() == path.size() + 1 + name.size() && tensor.name.starts_with(path)
            && tensor.name.ends_with(name) && tensor.name[path.size()] == '.';
        return isOwn ? &tensor : nullptr;
    }

private:
    std::unordered_map<std::string_view, const StoredTensor*> m_tensors;
};

/// Finds products with a module's own weight.
class LinearSearch {
public:
    explicit LinearSearch(const ExportedModel& model)
        : m_graph(model.graph)
        , m_stored(model)
    {
    }

    std::vector<LinearNode> all()
    {
        std::vector<LinearNode> found;
        for (std::size_t index = 0; index < m_graph.nodes.size(); ++index) {
            const Node& node = m_graph.nodes[index];
            const bool isLinear = node.target == kLinear && node.inputs.size() >= 2;
            const bool isProduct = node.target == kAddmm && node.inputs.size() == 3; // beta and alpha are 1
            const bool isMatmul = node.target == kMatmul && node.inputs.size() == 2;
            if (node.modules.empty() || node.modules.back().path.empty() || !(isLinear || isProduct || isMatmul))
                continue;
            auto linear = isLinear ? asLinear(index) : isProduct ? asTransposed(index) : asMatmul(index);
            if (linear && isAsBefore(*linear))
                found.push_back(std::move(*linear));
        }
        return found;
    }

private:
    // A module is one layer: what it computes otherwise with the same weight stays the graph's.
    bool isAsBefore(const LinearNode& linear)
    {
        const std::pair form(linear.isTransposed, linear.bias.empty());
        return m_forms.emplace(linear.path, form).first->second == form;
    }

    // input, weight, bias
    std::optional<LinearNode> asLinear(std::size_t index) const
    {
        const auto& inputs = m_graph.nodes[index].inputs;
        const bool hasBias = inputs.size() > 2 && inputs[2].value.kind == ArgumentKind::Tensor;
        auto linear = product(index, inputs[1].value, hasBias ? &inputs[2].value : nullptr);
        if (linear)
            linear->input = inputs[0].value.name;
        return linear;
    }

    // bias, input, weight
    std::optional<LinearNode> asTransposed(std::size_t index)
    {
        const auto& inputs = m_graph.nodes[index].inputs;
        auto linear = product(index, inputs[2].value, &inputs[0].value);
        if (!linear)
            return std::nullopt;
        std::swap(linear->rows, linear->columns);
        linear->isTransposed = true;
        linear->input = inputs[1].value.name;
        takeViews(*linear);
        return linear;
    }

    // input, view of the weight, which nothing else reads. A bias that is added afterwards stays the graph's.
    std::optional<LinearNode> asMatmul(std::size_t index)
    {
        const Node& node = m_graph.nodes[index];
        const Argument& other = node.inputs[1].value;
        const auto turned = other.kind == ArgumentKind::Tensor ? uses().maker(other.name) : std::nullopt;
        if (!turned || !isTurned(m_graph.nodes[*turned]) || m_graph.nodes[*turned].modules != node.modules
            || m_graph.nodes[*turned].regions != node.regions || !uses().isReadBy(other.name, index))
            return std::nullopt;
        const auto before = uses().maker(node.inputs[0].value.name);
        auto linear = product(index, m_graph.nodes[*turned].inputs[0].value, nullptr);
        if (!linear || (before && *before > *turned))
            return std::nullopt;
        linear->first = *turned;
        linear->input = node.inputs[0].value.name;
        return linear;
    }

    static bool isTurned(const Node& node)
    {
        return (node.target == "torch.ops.aten.numpy_T.default" || node.target == "torch.ops.aten.t.default")
            && node.inputs.size() == 1;
    }

    std::optional<LinearNode> product(std::size_t index, const Argument& weight, const Argument* bias) const
    {
        const Node& node = m_graph.nodes[index];
        const std::string& path = node.modules.back().path;
        const StoredTensor* own = m_stored.own(weight, path, "weight");
        if (own == nullptr || own->info.sizes.size() != 2
            || (bias != nullptr && m_stored.own(*bias, path, "bias") == nullptr))
            return std::nullopt;
        LinearNode linear{.node = index, .path = path, .first = index, .last = index};
        linear.rows = own->info.sizes[0].example;
        linear.columns = own->info.sizes[1].example;
        linear.weight = weight.name;
        linear.bias = bias == nullptr ? std::string() : bias->name;
        linear.output = onlyResult(node);
        return linear.output.empty() ? std::nullopt : std::optional(std::move(linear));
    }

    // Views of the same call that keep the channels, and that nothing else reads.
    void takeViews(LinearNode& linear)
    {
        const auto before = uses().maker(linear.input);
        const auto& readers = uses().readers(linear.output);
        if (!before || readers.size() != 1 || readers.front() >= m_graph.nodes.size())
            return;
        const Node& rows = m_graph.nodes[*before];
        const Node& back = m_graph.nodes[readers.front()];
        if (!isViewOf(rows, linear, linear.columns) || !isViewOf(back, linear, linear.rows)
            || !uses().isReadBy(linear.input, linear.node) || back.inputs[0].value.name != linear.output
            || !hasShape(rows.inputs[0].value.name, back, linear))
            return;
        linear.first = *before;
        linear.last = readers.front();
        linear.input = rows.inputs[0].value.name;
        linear.output = onlyResult(back);
    }

    bool isViewOf(const Node& node, const LinearNode& linear, std::int64_t channels) const
    {
        const Node& product = m_graph.nodes[linear.node];
        return node.target == kView && node.inputs.size() == 2 && node.modules == product.modules
            && node.regions == product.regions && lastSize(onlyResult(node)) == channels;
    }

    // The output has the input's shape but for its channels.
    bool hasShape(const std::string& input, const Node& back, const LinearNode& linear) const
    {
        const auto from = m_graph.tensors.find(input);
        const auto to = m_graph.tensors.find(onlyResult(back));
        if (from == m_graph.tensors.end() || to == m_graph.tensors.end()
            || from->second.sizes.size() != to->second.sizes.size() || lastSize(input) != linear.columns)
            return false;
        for (std::size_t i = 0; i + 1 < from->second.sizes.size(); ++i)
            if (from->second.sizes[i].example != to->second.sizes[i].example)
                return false;
        return true;
    }

    std::int64_t lastSize(const std::string& value) const
    {
        const auto found = m_graph.tensors.find(value);
        return found == m_graph.tensors.end() || found->second.sizes.empty() ? 0 : found->second.sizes.back().example;
    }

    const ValueUses& uses()
    {
        if (!m_uses)
            m_uses.emplace(m_graph);
        return *m_uses;
    }

    const Graph& m_graph;
    StoredByValue m_stored;
    std::unordered_map<std::string, std::pair<bool, bool>> m_forms; ///< by path: transposed, without bias
    std::optional<ValueUses> m_uses; ///< where there is a product that needs them
};

} // namespace

std::vector<LinearNode> linearNodes(const ExportedModel& model)
{
    return LinearSearch(model).all();
}

} // namespace headroom::archive
