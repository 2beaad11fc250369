// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/simulated/OpCostCollector.h"

#include "profiling/kernels/IndexSorting.h"
#include "profiling/kernels/OpArguments.h"
#include "profiling/kernels/OpRules.h"
#include "profiling/simulator/rules/AttentionRules.h"

#include <algorithm>
#include <map>
#include <string>

namespace headroom::collectors {
namespace {

// Bytes that exist in memory: a dimension of stride 0 repeats one element.
Bytes storedBytes(const at::Tensor& tensor)
{
    if (tensor.is_non_overlapping_and_dense())
        return tensor.numel() * static_cast<Bytes>(tensor.element_size());
    std::int64_t elements = 1;
    for (std::int64_t dimension = 0; dimension < tensor.dim(); ++dimension)
        if (tensor.stride(dimension) != 0 || tensor.size(dimension) == 0)
            elements *= tensor.size(dimension);
    return elements * static_cast<Bytes>(tensor.element_size());
}

Bytes storedBytes(at::ArrayRef<c10::IValue> values)
{
    Bytes bytes = 0;
    forEachTensor(values, [&](const at::Tensor& tensor) { bytes += storedBytes(tensor); });
    return bytes;
}

// 2 m n k, times the batch for three-dimensional factors.
double productFlops(const at::Tensor& left, const at::Tensor& right)
{
    return 2.0 * static_cast<double>(left.numel()) * static_cast<double>(right.size(-1));
}

// Rows of the left factor, each with the right factor of its group, [rows, k] x [groups, k, n]; or columns of the right
// one, [groups, m, k] x [k, columns].
double groupedFlops(const at::Tensor& left, const at::Tensor& right)
{
    const bool areColumns = left.dim() == 3 && right.dim() == 2;
    return productFlops(left, right) / static_cast<double>(areColumns ? left.size(0) : 1);
}

// A difference, its power and a sum for each pair of numbers.
double distanceFlops(const at::Tensor& left, const at::Tensor& right)
{
    return 3.0 * static_cast<double>(left.numel()) * static_cast<double>(right.size(-2));
}

bool isCausal(const c10::FunctionSchema& schema, at::ArrayRef<c10::IValue> arguments)
{
    const std::optional<int> place = schema.argumentIndexWithName("is_causal");
    return place && arguments[static_cast<std::size_t>(*place)].toBool();
}

// The fraction of queries x keys that remains if each query sees the keys up to its own position.
double causalShare(const simulator::AttentionShape& shape)
{
    const std::int64_t seen = std::min(shape.queries, shape.keys);
    const double pairs = static_cast<double>(seen) * static_cast<double>(seen + 1) / 2
        + static_cast<double>(shape.queries - seen) * static_cast<double>(shape.keys);
    return pairs / (static_cast<double>(shape.queries) * static_cast<double>(shape.keys));
}

// `inputs`: the arguments from the query on.
double attentionFlops(const c10::FunctionSchema& schema, at::ArrayRef<c10::IValue> arguments,
    at::ArrayRef<c10::IValue> inputs, double (*flops)(const simulator::AttentionShape&))
{
    const at::Tensor& query = inputs[0].toTensor();
    const at::Tensor& value = inputs[2].toTensor();
    const simulator::AttentionShape shape{
        query.size(0), query.size(1), query.size(2), value.size(2), query.size(3), value.size(3)};
    return flops(shape) * (isCausal(schema, arguments) ? causalShare(shape) : 1);
}

// Index of a convolution's argument "transposed"; its backward has the gradient in front.
constexpr std::size_t kTransposed = 6;

// Operations of the multiply-adds for one output element; in a transposed convolution, for one input element.
double flopsPerElement(const at::Tensor& weight)
{
    return 2.0 * static_cast<double>(weight.numel() / weight.size(0));
}

// Each gradient is a product of the forward's size; the bias's is a sum.
double convolutionBackwardFlops(at::ArrayRef<c10::IValue> arguments)
{
    const auto wanted = arguments.back().toBoolList();
    const at::Tensor& counted = arguments[arguments[kTransposed + 1].toBool() ? 1 : 0].toTensor();
    const double forward = flopsPerElement(arguments[2].toTensor()) * static_cast<double>(counted.numel());
    return forward * ((wanted.get(0) ? 1 : 0) + (wanted.get(1) ? 1 : 0));
}

// Each input element of a transposed convolution takes part in as many products as an output element of a regular one.
double transposedFlops(at::ArrayRef<c10::IValue> arguments)
{
    return flopsPerElement(arguments[1].toTensor()) * static_cast<double>(arguments[0].toTensor().numel());
}

// For an op without results, such as those on lists: the arguments that it writes. Fused optimizers also write
// gradients when they unscale them; here the loss scale's own kernel does that.
Bytes changedBytes(const c10::FunctionSchema& schema, at::ArrayRef<c10::IValue> arguments)
{
    Bytes bytes = 0;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const c10::Argument& argument = schema.arguments()[i];
        const bool isChanged = argument.alias_info() != nullptr && argument.alias_info()->isWrite();
        if (isChanged && argument.name() != "grads")
            bytes += storedBytes(arguments.slice(i, 1));
    }
    return bytes;
}

} // namespace

OpCostCollector::OpCostCollector(Sink sink, Views views)
    : m_sink(std::move(sink))
    , m_views(views)
{
}

OpCostCollector::OpTraits OpCostCollector::traitsOf(const c10::OperatorHandle& op)
{
    const c10::FunctionSchema* schema = &op.schema();
    auto it = m_traits.find(schema);
    if (it == m_traits.end())
        it = m_traits.emplace(schema, OpTraits{classify(*schema), workOfOp(*schema)}).first;
    return it->second;
}

OpCostCollector::OpKind OpCostCollector::classify(const c10::FunctionSchema& schema)
{
    const std::string name = baseName(schema);
    if (opRule(schema) == OpRule::Storage)
        return OpKind::Free;
    if (name.starts_with("_scaled_dot_product_"))
        return name.ends_with("_backward") ? OpKind::AttentionBackward : OpKind::Attention;
    static const std::map<std::string, OpKind> kinds{{"mm", OpKind::MatrixProduct}, {"bmm", OpKind::BatchedProduct},
        {"addmm", OpKind::BiasedProduct}, {"baddbmm", OpKind::BiasedBatchedProduct},
        {"addbmm", OpKind::BiasedBatchedProduct}, {"_int_mm", OpKind::BatchedProduct},
        {"_scaled_mm", OpKind::ScaledProduct}, {"_grouped_mm", OpKind::GroupedProduct},
        {"_cdist_forward", OpKind::Distances}, {"convolution", OpKind::Convolution},
        {"convolution_backward", OpKind::ConvolutionBackward}, {"embedding", OpKind::RowLookup},
        {"_embedding_bag", OpKind::RowLookup}, {"_embedding_bag_forward_only", OpKind::RowLookup},
        {"index", OpKind::Selection}, {"_unsafe_index", OpKind::Selection}, {"index_select", OpKind::Selection},
        {"take", OpKind::Selection}, {"sort", OpKind::Sort}, {"nll_loss_forward", OpKind::LabelLookup},
        {"nll_loss_backward", OpKind::LabelGradient}};
    const auto found = kinds.find(name);
    return found == kinds.end() ? OpKind::Compute : found->second;
}

void OpCostCollector::before(const tensor::OpCall& call)
{
    const OpTraits traits = traitsOf(call.op);
    m_kind = traits.kind;
    if (m_kind == OpKind::Free)
        return;
    const auto arguments = argumentsOf(call);
    m_cost = {};
    m_cost.work = traits.work;
    m_cost.isRecorded = c10::GradMode::is_enabled();
    m_cost.parts = partsOf(arguments);
    if (traits.work == simulator::Work::Copy)
        m_copied = copiedTensors(arguments);
    m_cost.smallestDimension = smallestDimension(arguments);
    m_cost.bytesRead = bytesReadBy(arguments);
    m_flopsPerResult = m_kind == OpKind::Convolution && !arguments[kTransposed].toBool()
        ? flopsPerElement(arguments[1].toTensor())
        : 0;
    m_cost.flops = flopsOf(call.op.schema(), arguments);
    m_furtherPasses = furtherPasses(arguments);
    if (call.op.schema().returns().empty()) {
        m_cost.bytesWritten = changedBytes(call.op.schema(), arguments);
        forEachTensor(
            arguments.slice(0, 1), [&](const at::Tensor& tensor) { m_cost.type = mathTypeOf(tensor.scalar_type()); });
    }
    // Attention returns statistics and random state beside its output, products in 8 bits a wider result: the data type
    // is that of the inputs.
    if (hasTypeOfInputs())
        m_cost.type = mathTypeOf(arguments[0].toTensor().scalar_type());
}

// Embedding tables and class probabilities are not read as a whole, nor in the gradient, which is filled with zeros and
// written where the labels are.
Bytes OpCostCollector::bytesReadBy(at::ArrayRef<c10::IValue> arguments) const
{
    const auto elementBytes = [&](std::size_t i) { return static_cast<Bytes>(arguments[i].toTensor().element_size()); };
    switch (m_kind) {
    case OpKind::RowLookup: {
        const at::Tensor& indices = arguments[1].toTensor();
        return storedBytes(indices) + indices.numel() * arguments[0].toTensor().size(-1) * elementBytes(0);
    }
    case OpKind::LabelLookup: {
        const at::Tensor& labels = arguments[1].toTensor();
        return storedBytes(labels) + labels.numel() * elementBytes(0);
    }
    case OpKind::LabelGradient:
        return storedBytes(arguments[2].toTensor());
    case OpKind::Selection: // what is selected is as large as the result
        return storedBytes(arguments.slice(1));
    default:
        return storedBytes(arguments);
    }
}

// Of m, n and k in a product of two factors.
std::int64_t OpCostCollector::smallestDimension(at::ArrayRef<c10::IValue> arguments) const
{
    if (m_kind != OpKind::MatrixProduct && m_kind != OpKind::BiasedProduct)
        return 0;
    const std::size_t first = m_kind == OpKind::MatrixProduct ? 0 : 1;
    const at::Tensor& left = arguments[first].toTensor();
    return std::min({left.size(0), left.size(1), arguments[first + 1].toTensor().size(-1)});
}

double OpCostCollector::flopsOf(const c10::FunctionSchema& schema, at::ArrayRef<c10::IValue> arguments) const
{
    switch (m_kind) {
    case OpKind::GroupedProduct:
        return groupedFlops(arguments[0].toTensor(), arguments[1].toTensor());
    case OpKind::Distances:
        return distanceFlops(arguments[0].toTensor(), arguments[1].toTensor());
    case OpKind::MatrixProduct:
    case OpKind::BatchedProduct:
    case OpKind::ScaledProduct:
        return productFlops(arguments[0].toTensor(), arguments[1].toTensor());
    case OpKind::BiasedProduct:
    case OpKind::BiasedBatchedProduct:
        return productFlops(arguments[1].toTensor(), arguments[2].toTensor());
    case OpKind::Attention:
        return attentionFlops(schema, arguments, arguments, simulator::attentionForwardFlops);
    case OpKind::AttentionBackward: // its first argument is the gradient of the result
        return attentionFlops(schema, arguments, arguments.slice(1), simulator::fusedAttentionBackwardFlops);
    case OpKind::Convolution:
        return m_flopsPerResult > 0 ? 0 : transposedFlops(arguments);
    case OpKind::ConvolutionBackward:
        return convolutionBackwardFlops(arguments);
    default:
        return 0;
    }
}

// Besides the first one.
std::int64_t OpCostCollector::furtherPasses(at::ArrayRef<c10::IValue> arguments) const
{
    if (m_kind != OpKind::Sort)
        return 0;
    const at::Tensor& keys = arguments[0].toTensor();
    const std::int64_t dimension = arguments[arguments.size() - 2].toInt();
    return sortPasses(keys, keys.dim() == 0 ? 1 : keys.size(dimension)) - 1;
}

void OpCostCollector::after(const tensor::OpCall& call)
{
    if (m_kind == OpKind::Free) {
        if (m_views == Views::Reported)
            m_sink({.launches = 0, .isRecorded = c10::GradMode::is_enabled()});
        return;
    }
    const auto results = resultsOf(call);
    if (m_flopsPerResult > 0)
        m_cost.flops = m_flopsPerResult * static_cast<double>(results[0].toTensor().numel());
    m_cost.bytesWritten += storedBytes(results);
    if (m_kind == OpKind::Selection)
        m_cost.bytesRead += storedBytes(results);
    m_cost.bytesRead += m_furtherPasses * storedBytes(results);
    m_cost.bytesWritten += m_furtherPasses * storedBytes(results);
    if (!hasTypeOfInputs())
        forEachTensor(results, [&](const at::Tensor& tensor) { m_cost.type = mathTypeOf(tensor.scalar_type()); });
    if (m_cost.work == simulator::Work::Copy && !results.empty() && results[0].isTensor())
        m_cost.work = workOfCopy(m_copied, results[0].toTensor().scalar_type());
    m_sink(m_cost);
}

} // namespace headroom::collectors
