// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recompute/CheckpointScope.h"
#include "core/techniques/split_ffn/SplitFfn.h"

namespace headroom::techniques {

/// Weights of one channel slice: views of the layer's own parameters.
/// Gated kinds have two projections (value, gate); the others one.
struct ChannelSlice {
    std::vector<at::Tensor> projectionWeights; ///< each [s, dim]
    std::vector<at::Tensor> projectionBiases; ///< each [s], or undefined
    at::Tensor outputWeight; ///< [dimOut, s]
    std::vector<models::ProjectedChannels> rows; ///< first row of each projection; the first one's is the first inner
                                                 ///< channel too
};

/// The weights of slice `index` of `slices` equal ones.
ChannelSlice channelSlice(const models::FeedForward& layer, std::int64_t index, std::int64_t slices);

/// A feed-forward as a sum over slices of its inner channels. Where slices are recomputed, each is a checkpointed
/// region of its own, so that the layer keeps its input alone and the backward pass holds one slice's activations at a
/// time.
class ChannelSplitExecution final : public models::FeedForwardExecution {
public:
    ChannelSplitExecution(
        std::int64_t slices, Accumulate accumulate, SliceActivations activations, std::shared_ptr<SliceCount> count);
    at::Tensor run(const models::FeedForward& layer, const at::Tensor& input) override;

private:
    /// Of the tokens, and of them as each projection's adapter reduces them (undefined without one).
    using Repeat = std::function<void(const std::vector<at::Tensor>& inputs)>;

    at::Tensor sumInPlace(const models::FeedForward& layer, const at::Tensor& tokens);
    at::Tensor sumOutOfPlace(const models::FeedForward& layer, const at::Tensor& tokens);
    std::unique_ptr<tensor::CheckpointScope> beginSlice(const models::FeedForward& layer, std::int64_t index,
        const std::vector<at::Tensor>& inputs, const Repeat& repeat);

    std::int64_t m_slices;
    Accumulate m_accumulate;
    SliceActivations m_activations;
    std::shared_ptr<SliceCount> m_count;
};

/// A feed-forward run on one slice of the tokens after the other.
class TokenSplitExecution final : public models::FeedForwardExecution {
public:
    TokenSplitExecution(std::int64_t slices, Accumulate accumulate, std::shared_ptr<SliceCount> count);
    at::Tensor run(const models::FeedForward& layer, const at::Tensor& input) override;

private:
    std::int64_t lengthOf(const at::Tensor& tokens) const;
    at::Tensor runInto(const models::FeedForward& layer, const at::Tensor& tokens);
    at::Tensor runPieces(const models::FeedForward& layer, const at::Tensor& tokens);

    std::int64_t m_slices;
    Accumulate m_accumulate;
    std::shared_ptr<SliceCount> m_count;
};

} // namespace headroom::techniques
