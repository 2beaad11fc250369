// SPDX-License-Identifier: Apache-2.0
#include "core/models/blocks/LtxRotaryEmbedding.h"

#include <numbers>

namespace headroom::models {
namespace {

constexpr double kBaseFrames = 20;
constexpr double kBasePixels = 2048;
constexpr double kLtxTheta = 10000;
constexpr std::int64_t kLtxAxes = 3;

// Step by step in float32, as the angles of high frequencies preserve every rounding.
at::Tensor axis(
    std::int64_t extent, std::optional<double> scale, std::int64_t patch, double base, const at::TensorOptions& options)
{
    const at::Tensor steps = at::arange(extent, options);
    return scale ? steps * *scale * patch / base : steps;
}

std::optional<double> gridScaleOf(const GridOptions& grid, std::size_t index)
{
    return grid.scale ? std::optional((*grid.scale)[index]) : std::nullopt;
}

at::Tensor padded(const at::Tensor& table, std::int64_t entries, double value)
{
    if (entries == 0)
        return table;
    auto shape = table.sizes().vec();
    shape.back() = entries;
    return at::cat({at::full(shape, value, table.options()), table}, -1);
}

} // namespace

at::Tensor latentGrid(
    const config::LtxLatent& latent, std::int64_t batch, const GridOptions& grid, const at::TensorOptions& options)
{
    const auto real = options.dtype(at::kFloat);
    const auto axes = at::meshgrid({axis(latent.frames, gridScaleOf(grid, 0), grid.patchTime, kBaseFrames, real),
                                       axis(latent.height, gridScaleOf(grid, 1), grid.patch, kBasePixels, real),
                                       axis(latent.width, gridScaleOf(grid, 2), grid.patch, kBasePixels, real)},
        "ij");
    return at::stack(axes, -1).view({1, latent.tokens(), kLtxAxes}).expand({batch, -1, -1});
}

at::Tensor gridOfCoordinates(const at::Tensor& coordinates)
{
    return at::stack({coordinates.select(1, 0) / kBaseFrames, coordinates.select(1, 1) / kBasePixels,
                         coordinates.select(1, 2) / kBasePixels},
        -1)
        .to(at::kFloat);
}

RotaryTables ltxRotaryTables(const at::Tensor& grid, std::int64_t width)
{
    const std::int64_t count = width / (2 * kLtxAxes);
    const at::Tensor frequencies =
        at::pow(kLtxTheta, at::linspace(0, 1, count, grid.options())) * std::numbers::pi / 2.0;
    const at::Tensor angles = (frequencies * (grid.unsqueeze(-1) * 2 - 1)).transpose(-1, -2).flatten(2);
    const std::int64_t padding = width % (2 * kLtxAxes);
    return {padded(angles.cos().repeat_interleave(2, -1), padding, 1),
        padded(angles.sin().repeat_interleave(2, -1), padding, 0)};
}

} // namespace headroom::models
