// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/ModelFamily.h"

namespace headroom::config {

/// CogVideoX's transformer (diffusers' CogVideoXTransformer3DModel), fields by upstream's names.
ModelFamily cogVideoXFamily();

/// Pixels per latent position, frames per latent frame after the first, latent positions per side of a token.
inline constexpr std::int64_t kCogVideoXSpatialRatio = 8;
inline constexpr std::int64_t kCogVideoXTemporalRatio = 4;
inline constexpr std::int64_t kCogVideoXPatch = 2;
/// Width of a feed-forward's inner layer, as a multiple of the model's width.
inline constexpr std::int64_t kCogVideoXFeedForwardFactor = 4;

/// Extents of a latent video.
struct CogVideoXLatent {
    std::int64_t frames = 0;
    std::int64_t height = 0;
    std::int64_t width = 0;

    std::int64_t rows() const { return height / kCogVideoXPatch; }
    std::int64_t columns() const { return width / kCogVideoXPatch; }
    std::int64_t tokens() const { return frames * rows() * columns(); }

    bool operator==(const CogVideoXLatent&) const = default;
};

/// The extents for the shapes' pixels and frames.
CogVideoXLatent cogVideoXLatent(const ValueMap& shapes);

/// The extents that the model was made for: sample_frames, sample_height, sample_width.
CogVideoXLatent cogVideoXSample(const ValueMap& fields);

/// num_attention_heads * attention_head_dim.
std::int64_t cogVideoXInnerWidth(const ValueMap& fields);

} // namespace headroom::config
