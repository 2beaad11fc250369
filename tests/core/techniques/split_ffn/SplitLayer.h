// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/techniques/split_ffn/SplitFfnExecution.h"
#include "tests/support/torch/TestDevice.h"

#include <string>

namespace headroom::techniques {

/// One way to cut a feed-forward.
struct Cut {
    config::SplitFfnNotation::Axis axis = config::SplitFfnNotation::Axis::Channels;
    std::int64_t slices = 1;
    Accumulate accumulate = Accumulate::InPlace;
    SliceActivations activations = SliceActivations::Saved;
};

inline constexpr Accumulate kAccumulations[]{Accumulate::InPlace, Accumulate::OutOfPlace};
inline constexpr config::SplitFfnNotation::Axis kAxes[]{
    config::SplitFfnNotation::Axis::Channels, config::SplitFfnNotation::Axis::Tokens};

inline std::unique_ptr<models::FeedForwardExecution> executionOf(
    const Cut& cut, std::shared_ptr<SliceCount> count = std::make_shared<SliceCount>())
{
    if (cut.axis == config::SplitFfnNotation::Axis::Channels)
        return std::make_unique<ChannelSplitExecution>(cut.slices, cut.accumulate, cut.activations, std::move(count));
    return std::make_unique<TokenSplitExecution>(cut.slices, cut.accumulate, std::move(count));
}

inline std::string textOf(const Cut& cut)
{
    return config::toText({cut.axis, cut.slices, cut.activations == SliceActivations::Recomputed})
        + (cut.accumulate == Accumulate::InPlace ? " in_place" : " out_of_place");
}

/// A layer on the test device with weights of PyTorch's default distribution, from the current random state.
inline std::unique_ptr<models::FeedForward> randomLayer(
    const models::FeedForwardOptions& options, const at::TensorOptions& tensorOptions)
{
    auto layer = std::make_unique<models::FeedForward>(options, onTestDevice(tensorOptions));
    const torch::NoGradGuard noGradients;
    for (at::Tensor parameter : layer->parameters())
        parameter.uniform_(-1, 1).div_(std::sqrt(static_cast<double>(options.dim)));
    return layer;
}

} // namespace headroom::techniques
