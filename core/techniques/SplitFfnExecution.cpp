// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/SplitFfnExecution.h"

#include "core/tensor/MemoryScopes.h"

namespace headroom::techniques {
namespace {

constexpr const char* kTechnique = "split_ffn";

at::Tensor sliceOf(const at::Tensor& tensor, std::int64_t dimension, std::int64_t index, std::int64_t length)
{
    return tensor.defined() ? tensor.narrow(dimension, index * length, length) : tensor;
}

// The activation of one slice. Gated kinds: value and gate come from projections of their own, both alive until the
// product is formed, as in the plain layer.
at::Tensor innerOf(const models::FeedForward& layer, const ChannelSlice& slice, const at::Tensor& input)
{
    const auto project = [&](std::size_t half) {
        const tensor::ModuleScope module(layer.projection());
        return at::linear(input, slice.projectionWeights[half], slice.projectionBiases[half]);
    };
    const models::Activation activation = layer.layerOptions().activation;
    if (!models::isGated(activation))
        return layer.dropInner(models::activate(activation, project(0)));
    const at::Tensor value = project(0);
    const at::Tensor gate = project(1);
    return layer.dropInner(models::applyGate(activation, value, gate));
}

at::Tensor flattened(const at::Tensor& input)
{
    return input.reshape({-1, input.size(-1)});
}

// The flattened output in the input's leading shape.
at::Tensor withShapeOf(const at::Tensor& output, const at::Tensor& input)
{
    auto shape = input.sizes().vec();
    shape.back() = output.size(-1);
    return output.view(shape);
}

// Writes y = h W^T + b into `target` without a temporary. Autograd cannot record that form.
void linearInto(at::Tensor target, const at::Tensor& hidden, const models::Linear& linear)
{
    if (linear.bias.defined())
        at::addmm_out(target, linear.bias, hidden, linear.weight.t());
    else
        at::mm_out(target, hidden, linear.weight.t());
}

// Adds a slice's result to `sum` inside the matrix product; the first slice makes the sum, output bias included.
void addSlice(const models::FeedForward& layer, const ChannelSlice& slice, const at::Tensor& tokens, at::Tensor& sum)
{
    const at::Tensor inner = innerOf(layer, slice, tokens);
    const tensor::ModuleScope module(layer.output());
    if (sum.defined())
        sum.addmm_(inner, slice.outputWeight.t());
    else
        sum = at::linear(inner, slice.outputWeight, layer.output().bias);
}

// In a repetition nothing is added up: what the product saves it saves before it runs, and there the repetition ends.
// So the sum needs a shape but no memory.
at::Tensor sumInRepetition(const models::FeedForward& layer, const at::Tensor& tokens)
{
    return at::empty({1, 1}, tokens.options()).expand({tokens.size(0), layer.layerOptions().dimOut});
}

} // namespace

ChannelSlice channelSlice(const models::FeedForward& layer, std::int64_t index, std::int64_t slices)
{
    const auto& options = layer.layerOptions();
    const std::int64_t length = options.inner / slices;
    const std::int64_t halves = models::isGated(options.activation) ? 2 : 1;
    ChannelSlice slice;
    for (std::int64_t half = 0; half < halves; ++half) {
        const std::int64_t position = half * slices + index;
        slice.projectionWeights.push_back(sliceOf(layer.projection().weight, 0, position, length));
        slice.projectionBiases.push_back(sliceOf(layer.projection().bias, 0, position, length));
    }
    slice.outputWeight = sliceOf(layer.output().weight, 1, index, length);
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
    const tensor::MemoryScope technique(kTechnique);
    const at::Tensor tokens = flattened(input);
    at::Tensor output = m_accumulate == Accumulate::InPlace ? sumInPlace(layer, tokens) : sumOutOfPlace(layer, tokens);
    return withShapeOf(output, input);
}

// `repeat` lives as long as the graph: it refers to the layer and to nothing shorter-lived.
std::unique_ptr<tensor::CheckpointScope> ChannelSplitExecution::beginSlice(
    const models::FeedForward& layer, std::int64_t index, const at::Tensor& tokens, const Repeat& repeat)
{
    m_count->begin();
    if (m_activations == SliceActivations::Saved)
        return nullptr;
    const std::string name = "feed-forward slice " + std::to_string(index) + " of " + std::to_string(m_slices);
    return std::make_unique<tensor::CheckpointScope>(
        tensor::CheckpointRegion{name,
            [repeat, &layer, count = m_count](const std::vector<at::Tensor>& inputs) {
                const tensor::MemoryScope technique(kTechnique);
                const tensor::ModuleScope module(layer);
                count->begin();
                repeat(inputs[0]);
            }},
        std::vector<at::Tensor>{tokens});
}

at::Tensor ChannelSplitExecution::sumInPlace(const models::FeedForward& layer, const at::Tensor& tokens)
{
    at::Tensor output;
    for (std::int64_t index = 0; index < m_slices; ++index) {
        const auto repeat = [&layer, index, slices = m_slices](const at::Tensor& input) {
            at::Tensor sum = index == 0 ? at::Tensor() : sumInRepetition(layer, input);
            addSlice(layer, channelSlice(layer, index, slices), input, sum);
        };
        const auto scope = beginSlice(layer, index, tokens, repeat);
        addSlice(layer, channelSlice(layer, index, m_slices), tokens, output);
    }
    return output;
}

at::Tensor ChannelSplitExecution::sumOutOfPlace(const models::FeedForward& layer, const at::Tensor& tokens)
{
    at::Tensor output = at::zeros({tokens.size(0), layer.layerOptions().dimOut}, tokens.options());
    at::Tensor partial; // of the previous slice, still alive while the next one runs
    for (std::int64_t index = 0; index < m_slices; ++index) {
        const auto partialOf = [&layer, index, slices = m_slices](const at::Tensor& input) {
            const ChannelSlice slice = channelSlice(layer, index, slices);
            const at::Tensor inner = innerOf(layer, slice, input);
            const tensor::ModuleScope module(layer.output());
            return at::linear(inner, slice.outputWeight);
        };
        const auto scope = beginSlice(layer, index, tokens, partialOf);
        partial = partialOf(tokens);
        output.add_(partial);
    }
    if (layer.output().bias.defined())
        output.add_(layer.output().bias);
    return output;
}

TokenSplitExecution::TokenSplitExecution(std::int64_t slices, Accumulate accumulate, std::shared_ptr<SliceCount> count)
    : m_slices(slices)
    , m_accumulate(accumulate)
    , m_count(std::move(count))
{
}

at::Tensor TokenSplitExecution::run(const models::FeedForward& layer, const at::Tensor& input)
{
    const tensor::MemoryScope technique(kTechnique);
    const at::Tensor tokens = flattened(input);
    const at::Tensor output = m_accumulate == Accumulate::InPlace ? runInto(layer, tokens) : runPieces(layer, tokens);
    return withShapeOf(output, input);
}

at::Tensor TokenSplitExecution::runInto(const models::FeedForward& layer, const at::Tensor& tokens)
{
    const std::int64_t length = tokens.size(0) / m_slices;
    at::Tensor output = at::empty({tokens.size(0), layer.layerOptions().dimOut}, tokens.options());
    for (std::int64_t index = 0; index < m_slices; ++index) {
        m_count->begin();
        const at::Tensor piece = sliceOf(tokens, 0, index, length);
        at::Tensor target = sliceOf(output, 0, index, length);
        if (at::GradMode::is_enabled())
            target.copy_(layer.forwardPlain(piece));
        else
            linearInto(target, layer.inner(piece), layer.output());
    }
    return output;
}

at::Tensor TokenSplitExecution::runPieces(const models::FeedForward& layer, const at::Tensor& tokens)
{
    const std::int64_t length = tokens.size(0) / m_slices;
    std::vector<at::Tensor> pieces;
    for (std::int64_t index = 0; index < m_slices; ++index) {
        m_count->begin();
        pieces.push_back(layer.forwardPlain(sliceOf(tokens, 0, index, length)));
    }
    return at::cat(pieces, 0);
}

} // namespace headroom::techniques
