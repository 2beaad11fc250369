// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/ModelFamily.h"

namespace headroom::config {

/// Wan 2.1's text-to-video transformer (diffusers' WanTransformer3DModel), fields by upstream's names.
ModelFamily wanFamily();

/// Compression of Wan's autoencoder: pixels per latent position, frames per latent frame after the first.
inline constexpr std::int64_t kWanSpatialRatio = 8;
inline constexpr std::int64_t kWanTemporalRatio = 4;
/// Latent positions per token in height and in width; one in time.
inline constexpr std::int64_t kWanPatch = 2;
/// Vectors that a time step gives each block: shift, scale and gate for the self-attention, then for the feed-forward.
inline constexpr std::int64_t kWanModulations = 6;

/// Extents of the latent video for the shapes' pixels and frames.
struct WanLatent {
    std::int64_t frames = 0;
    std::int64_t height = 0;
    std::int64_t width = 0;

    /// Per sample.
    std::int64_t tokens() const { return frames * (height / kWanPatch) * (width / kWanPatch); }
};

WanLatent wanLatent(const ValueMap& shapes);

/// num_attention_heads * attention_head_dim.
std::int64_t wanInnerWidth(const ValueMap& fields);

/// Parameters that stay in float32 in a model of a smaller type: none unless `keep_in_fp32_modules` is set.
std::int64_t wanParametersInFloat32(const ValueMap& fields);

} // namespace headroom::config
