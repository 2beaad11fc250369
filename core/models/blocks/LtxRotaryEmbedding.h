// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/models/LtxVideoFamily.h"
#include "core/models/layers/RotaryEmbedding.h"

#include <array>
#include <optional>

namespace headroom::models {

/// Scales of the grid's axes: frames, height, width.
using GridScale = std::array<double, 3>;

/// Positions of the latent tokens: integer grid coordinates, frame slowest; [batch, tokens, 3] float32.
///
/// With a scale s: f * s[0] * patchTime / 20, h * s[1] * patch / 2048, w * s[2] * patch / 2048. Without one the
/// integers are unchanged.
struct GridOptions {
    std::int64_t patch = 1;
    std::int64_t patchTime = 1;
    std::optional<GridScale> scale;
};

at::Tensor latentGrid(
    const config::LtxLatent& latent, std::int64_t batch, const GridOptions& grid, const at::TensorOptions& options);

/// The same for given coordinates [batch, 3, tokens]: f / 20, h / 2048, w / 2048.
at::Tensor gridOfCoordinates(const at::Tensor& coordinates);

/// Tables [batch, tokens, width] of a grid. With n = width / 6: angle (j, axis) = 10000^(j / (n - 1)) * pi / 2
/// * (2 * coordinate - 1), axis fastest, each twice; width mod 6 entries of cosine 1 and sine 0 in front.
RotaryTables ltxRotaryTables(const at::Tensor& grid, std::int64_t width);

} // namespace headroom::models
