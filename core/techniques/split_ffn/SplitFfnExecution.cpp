// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/split_ffn/SplitFfnExecution.h"

#include "core/autocast/AutocastRegion.h"
#include "core/base/Error.h"
#include "core/memory/MemoryScopes.h"
#include "core/models/layers/FeedForward.h"
#include "core/models/layers/LinearProduct.h"

namespace headroom::techniques {
namespace {

/// The low-rank adapters of a feed-forward that runs in slices of its inner channels: of the projection's B the slice's
/// rows, of the output's A its columns. Without adapters nothing is done and tensors stay undefined.

/// Adds to `sum` the part of A(dropout(inner)) that channels [first, first + length) of the output's adapter give:
/// [tokens, rank]; made by the first slice. B comes once, after the last one.
void addReduced(const models::FeedForward& layer, const at::Tensor& inner, std::int64_t first, at::Tensor& sum);

/// The tokens, and A(dropout(x)) of each projection's adapter, the same for all slices: [tokens, rank].
std::vector<at::Tensor> inputsOfSlices(const models::FeedForward& layer, const at::Tensor& tokens)
{
    std::vector<at::Tensor> inputs{tokens};
    for (const models::Linear* projection : layer.projections()) {
        const tensor::ModuleScope module(*projection);
        const models::LowRankAdapter* adapter = projection->adapter();
        inputs.push_back(adapter == nullptr ? at::Tensor() : adapter->reduce(tokens, layer.place().is_training()));
    }
    return inputs;
}

/// Rows [first, first + length) of a projection with what its adapter adds to them.
at::Tensor adaptedRows(
    const models::Linear& projection, const at::Tensor& rows, const at::Tensor& reduced, std::int64_t first)
{
    const models::LowRankAdapter* adapter = projection.adapter();
    if (adapter == nullptr)
        return rows;
    const tensor::ModuleScope module(*adapter->b);
    at::Tensor added = models::linearProduct(reduced, adapter->b->weight.narrow(0, first, rows.size(-1)), {});
    added = added * adapter->options.scale;
    return (rows + added).to(rows.scalar_type());
}

void addReduced(const models::FeedForward& layer, const at::Tensor& inner, std::int64_t first, at::Tensor& sum)
{
    const models::LowRankAdapter* adapter = layer.output().adapter();
    if (adapter == nullptr)
        return;
    const tensor::ModuleScope module(*adapter->a);
    const at::Tensor dropped =
        at::dropout(inner.to(adapter->type), adapter->options.dropout, layer.place().is_training());
    const at::Tensor part = models::linearProduct(dropped, adapter->a->weight.narrow(1, first, inner.size(-1)), {});
    sum = sum.defined() ? sum + part : part;
}

/// Adds to the output, in place, what its adapter makes of the whole sum.
void addAdapted(const models::FeedForward& layer, const at::Tensor& sum, at::Tensor& output)
{
    const models::LowRankAdapter* adapter = layer.output().adapter();
    if (adapter == nullptr)
        return;
    const tensor::ModuleScope module(layer.output());
    output.add_(adapter->b->forward(sum), adapter->options.scale);
}

constexpr const char* kSplitFfnKey = "split_ffn";

// Slices take views of the weights without running the Linears: what is to be done around those, once around all
// slices, and around each that is repeated.
struct LinearsInUse {
    explicit LinearsInUse(const models::FeedForward& layer)
        : projection(layer.projection())
        , gate(layer.projections().size() > 1 ? std::make_unique<tensor::ModuleHookRun>(*layer.projections()[1])
                                              : nullptr)
        , output(layer.output())
    {
    }
    tensor::ModuleHookRun projection;
    std::unique_ptr<tensor::ModuleHookRun> gate;
    tensor::ModuleHookRun output;
};

at::Tensor sliceOf(const at::Tensor& tensor, std::int64_t dimension, std::int64_t index, std::int64_t length)
{
    return tensor.defined() ? tensor.narrow(dimension, index * length, length) : tensor;
}

// The activation of one slice. `inputs`: the input, and it as each projection's adapter reduces it.
at::Tensor innerOf(const models::FeedForward& layer, const ChannelSlice& slice, const std::vector<at::Tensor>& inputs)
{
    return layer.activated([&](std::size_t half) {
        const models::ProjectedChannels& first = slice.rows[half];
        const models::Linear& linear = *layer.projections()[first.linear];
        const tensor::ModuleLabel module(linear);
        const at::Tensor rows =
            models::linearProduct(inputs[0], slice.projectionWeights[half], slice.projectionBiases[half]);
        return adaptedRows(linear, rows, inputs[1 + first.linear], first.first);
    });
}

at::Tensor flattened(const at::Tensor& input)
{
    return input.reshape({-1, input.size(-1)});
}

// Of what the second product gives.
at::TensorOptions outputOptions(const models::FeedForward& layer, const at::Tensor& tokens)
{
    if (tensor::AutocastRegion::type() && tensor::isAutocastEligible(tokens))
        return tokens.options().dtype(*tensor::AutocastRegion::type());
    return tokens.options().dtype(layer.layerOptions().outputType.value_or(tokens.scalar_type()));
}

// The flattened output in the input's leading shape.
at::Tensor withShapeOf(const at::Tensor& output, const at::Tensor& input)
{
    auto shape = input.sizes().vec();
    shape.back() = output.size(-1);
    return output.view(shape);
}

// What slices add up to: the output, and the inner activation as the output's adapter reduces it.
struct SliceSum {
    at::Tensor output;
    at::Tensor reduced;
};

// Writes y = h W^T + b into `target`, without a temporary where the types agree. Autograd cannot record that form.
void linearInto(at::Tensor target, const at::Tensor& hidden, const models::Linear& linear)
{
    if (models::isOfOtherType(hidden, linear.weight)) {
        target.copy_(models::linearProduct(hidden, linear.rows(), linear.bias));
        return;
    }
    const at::Tensor input = tensor::autocastInput(hidden);
    const at::Tensor cast = tensor::autocastParameter(linear.weight);
    const at::Tensor weight = linear.layout() == models::WeightLayout::InByOut ? cast : cast.t();
    if (linear.bias.defined())
        at::addmm_out(target, tensor::autocastParameter(linear.bias), input, weight);
    else
        at::mm_out(target, input, weight);
}

// Adds a slice's result to the sum inside the matrix product; the first slice makes the sum, output bias included.
// The product comes last: a repetition ends with what it saves.
void addSlice(
    const models::FeedForward& layer, const ChannelSlice& slice, const std::vector<at::Tensor>& inputs, SliceSum& sum)
{
    const at::Tensor inner = innerOf(layer, slice, inputs);
    const tensor::ModuleLabel module(layer.output());
    addReduced(layer, inner, slice.rows[0].first, sum.reduced);
    if (!sum.output.defined())
        sum.output = models::linearProduct(inner, slice.outputWeight, layer.output().bias);
    else if (models::isOfOtherType(inner, slice.outputWeight))
        sum.output.add_(models::linearProduct(inner, slice.outputWeight, {}));
    else
        sum.output.addmm_(tensor::autocastInput(inner), tensor::autocastParameter(slice.outputWeight).t());
}

// In a repetition nothing is added up: what the product saves it saves before it runs, and there the repetition ends.
// So the sum needs a shape but no memory.
at::Tensor sumInRepetition(const models::FeedForward& layer, const at::Tensor& tokens)
{
    return at::empty({1, 1}, outputOptions(layer, tokens)).expand({tokens.size(0), layer.layerOptions().dimOut});
}

} // namespace

ChannelSlice channelSlice(const models::FeedForward& layer, std::int64_t index, std::int64_t slices)
{
    const auto& options = layer.layerOptions();
    const std::int64_t length = options.inner / slices;
    const auto linears = layer.projections();
    ChannelSlice slice;
    for (const models::ProjectedChannels& half : layer.projectedChannels()) {
        const std::int64_t first = half.first + index * length;
        const models::Linear& linear = *linears[half.linear];
        slice.rows.push_back({half.linear, first});
        slice.projectionWeights.push_back(linear.rows().narrow(0, first, length));
        slice.projectionBiases.push_back(linear.bias.defined() ? linear.bias.narrow(0, first, length) : linear.bias);
    }
    slice.outputWeight = sliceOf(layer.output().rows(), 1, index, length);
    return slice;
}

ChannelSplitExecution::ChannelSplitExecution(
    std::int64_t slices, Accumulate accumulate, SliceActivations activations, std::shared_ptr<SliceCount> count)
    : m_slices(slices)
    , m_accumulate(accumulate)
    , m_activations(activations)
    , m_count(std::move(count))
{
}

at::Tensor ChannelSplitExecution::run(const models::FeedForward& layer, const at::Tensor& input)
{
    const tensor::MemoryScope technique(kSplitFfnKey);
    const LinearsInUse linears(layer);
    const at::Tensor tokens = flattened(input);
    at::Tensor output = m_accumulate == Accumulate::InPlace ? sumInPlace(layer, tokens) : sumOutOfPlace(layer, tokens);
    return withShapeOf(output, input);
}

// `repeat` lives as long as the graph: it refers to the layer and to nothing shorter-lived.
std::unique_ptr<tensor::CheckpointScope> ChannelSplitExecution::beginSlice(
    const models::FeedForward& layer, std::int64_t index, const std::vector<at::Tensor>& inputs, const Repeat& repeat)
{
    m_count->begin();
    if (m_activations == SliceActivations::Saved)
        return nullptr;
    const std::string name = "feed-forward slice " + std::to_string(index) + " of " + std::to_string(m_slices);
    return std::make_unique<tensor::CheckpointScope>(
        tensor::CheckpointRegion{name,
            [repeat, &layer, count = m_count](const std::vector<at::Tensor>& again) {
                const tensor::MemoryScope technique(kSplitFfnKey);
                const tensor::ModuleScope module(layer.place());
                const LinearsInUse linears(layer);
                count->begin();
                repeat(again);
            }},
        inputs);
}

at::Tensor ChannelSplitExecution::sumInPlace(const models::FeedForward& layer, const at::Tensor& tokens)
{
    const std::vector<at::Tensor> inputs = inputsOfSlices(layer, tokens);
    SliceSum sum;
    for (std::int64_t index = 0; index < m_slices; ++index) {
        const auto repeat = [&layer, index, slices = m_slices](const std::vector<at::Tensor>& again) {
            SliceSum repeated{index == 0 ? at::Tensor() : sumInRepetition(layer, again[0]), {}};
            addSlice(layer, channelSlice(layer, index, slices), again, repeated);
        };
        const auto scope = beginSlice(layer, index, inputs, repeat);
        addSlice(layer, channelSlice(layer, index, m_slices), inputs, sum);
    }
    addAdapted(layer, sum.reduced, sum.output);
    return sum.output;
}

at::Tensor ChannelSplitExecution::sumOutOfPlace(const models::FeedForward& layer, const at::Tensor& tokens)
{
    const std::vector<at::Tensor> inputs = inputsOfSlices(layer, tokens);
    at::Tensor output = at::zeros({tokens.size(0), layer.layerOptions().dimOut}, outputOptions(layer, tokens));
    at::Tensor reduced;
    at::Tensor partial; // of the previous slice, still alive while the next one runs
    for (std::int64_t index = 0; index < m_slices; ++index) {
        const auto partialOf = [&layer, index, slices = m_slices](
                                   const std::vector<at::Tensor>& in, at::Tensor& reducedSum) {
            const ChannelSlice slice = channelSlice(layer, index, slices);
            const at::Tensor inner = innerOf(layer, slice, in);
            const tensor::ModuleLabel module(layer.output());
            addReduced(layer, inner, slice.rows[0].first, reducedSum);
            return models::linearProduct(inner, slice.outputWeight, {});
        };
        const auto repeat = [partialOf](const std::vector<at::Tensor>& again) {
            at::Tensor ignored;
            partialOf(again, ignored);
        };
        const auto scope = beginSlice(layer, index, inputs, repeat);
        partial = partialOf(inputs, reduced);
        output.add_(partial);
    }
    if (layer.output().bias.defined())
        output.add_(layer.output().bias);
    addAdapted(layer, reduced, output);
    return output;
}

TokenSplitExecution::TokenSplitExecution(std::int64_t slices, Accumulate accumulate, std::shared_ptr<SliceCount> count)
    : m_slices(slices)
    , m_accumulate(accumulate)
    , m_count(std::move(count))
{
}

// A remainder would be left out of the output without a word.
std::int64_t TokenSplitExecution::lengthOf(const at::Tensor& tokens) const
{
    if (tokens.size(0) % m_slices != 0)
        throw UsageError(
            "does not divide the " + std::to_string(tokens.size(0)) + " tokens of the feed-forward's input",
            "split_ffn = tokens:" + std::to_string(m_slices), "a divisor");
    return tokens.size(0) / m_slices;
}

at::Tensor TokenSplitExecution::run(const models::FeedForward& layer, const at::Tensor& input)
{
    const tensor::MemoryScope technique(kSplitFfnKey);
    const LinearsInUse linears(layer);
    const tensor::SharedCasts casts;
    const at::Tensor tokens = flattened(input);
    const at::Tensor output = m_accumulate == Accumulate::InPlace ? runInto(layer, tokens) : runPieces(layer, tokens);
    return withShapeOf(output, input);
}

at::Tensor TokenSplitExecution::runInto(const models::FeedForward& layer, const at::Tensor& tokens)
{
    const std::int64_t length = lengthOf(tokens);
    at::Tensor output = at::empty({tokens.size(0), layer.layerOptions().dimOut}, outputOptions(layer, tokens));
    for (std::int64_t index = 0; index < m_slices; ++index) {
        m_count->begin();
        const at::Tensor piece = sliceOf(tokens, 0, index, length);
        at::Tensor target = sliceOf(output, 0, index, length);
        if (at::GradMode::is_enabled() || layer.output().adapter() != nullptr)
            target.copy_(layer.forwardPlain(piece));
        else
            linearInto(target, layer.inner(piece), layer.output());
    }
    return output;
}

at::Tensor TokenSplitExecution::runPieces(const models::FeedForward& layer, const at::Tensor& tokens)
{
    const std::int64_t length = lengthOf(tokens);
    std::vector<at::Tensor> pieces;
    for (std::int64_t index = 0; index < m_slices; ++index) {
        m_count->begin();
        pieces.push_back(layer.forwardPlain(sliceOf(tokens, 0, index, length)));
    }
    return at::cat(pieces, 0);
}

} // namespace headroom::techniques
