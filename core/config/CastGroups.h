// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace headroom::config {

/// What the published middle level takes as one beside feed-forwards of other people's models: feed-forwards,
/// embeddings of time steps, projections of text and patches. Every layer class of such a kind is named here.
inline constexpr std::array<std::string_view, 4> kCastGroupClasses{
    "FeedForward", "TimestepEmbedding", "TextProjection", "CogVideoXPatchEmbedding"};

} // namespace headroom::config
