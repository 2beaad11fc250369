// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/ModelFamily.h"

namespace headroom::config {

/// Flux's transformer (diffusers' FluxTransformer2DModel), fields by upstream's names.
ModelFamily fluxFamily();

/// Pixels per token side: Flux's autoencoder shrinks by 8, and 2 x 2 latent positions are packed into one token.
inline constexpr std::int64_t kFluxPixelsPerToken = 16;
/// Width of the sinusoids of the time step and of the guidance.
inline constexpr std::int64_t kFluxTimestepChannels = 256;
/// Width of a feed-forward's inner layer, as a multiple of the model's width.
inline constexpr std::int64_t kFluxFeedForwardFactor = 4;
/// Axes of a token's position: an index that is 0 for images, row, column.
inline constexpr std::size_t kFluxAxes = 3;

/// Tokens of one image: rows and columns.
struct FluxGrid {
    std::int64_t rows = 0;
    std::int64_t columns = 0;

    std::int64_t tokens() const { return rows * columns; }
};

FluxGrid fluxGrid(const ValueMap& shapes);

/// num_attention_heads * attention_head_dim.
std::int64_t fluxInnerWidth(const ValueMap& fields);

/// Channels of an output token: patch_size^2 * out_channels; out_channels defaults to in_channels.
std::int64_t fluxOutputWidth(const ValueMap& fields);

} // namespace headroom::config
