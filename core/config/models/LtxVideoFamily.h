// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/ModelFamily.h"

namespace headroom::config {

/// LTX-Video's transformer (diffusers' LTXVideoTransformer3DModel), fields by upstream's names.
ModelFamily ltxVideoFamily();

/// Compression of LTX-Video's autoencoder: pixels per latent position, frames per latent frame after the first.
inline constexpr std::int64_t kLtxSpatialRatio = 32;
inline constexpr std::int64_t kLtxTemporalRatio = 8;
/// Width of the sinusoidal time-step embedding.
inline constexpr std::int64_t kLtxTimestepChannels = 256;

/// Extents of the latent video for the shapes' pixels and frames, and its tokens per sample.
struct LtxLatent {
    std::int64_t frames = 0;
    std::int64_t height = 0;
    std::int64_t width = 0;

    std::int64_t tokens() const { return frames * height * width; }
};

LtxLatent ltxLatent(const ValueMap& shapes);

/// num_attention_heads * attention_head_dim.
std::int64_t ltxInnerWidth(const ValueMap& fields);

} // namespace headroom::config
