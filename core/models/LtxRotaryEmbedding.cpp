// SPDX-License-Identifier: Apache-2.0
#include "core/models/LtxRotaryEmbedding.h"

#include <numbers>

namespace headroom::models {
namespace {

constexpr double kBaseFrames = 20;
constexpr double kBasePixels = 2048;
constexpr double kTheta = 10000;
constexpr std::int64_t kAxes = 3;

at::Tensor axis(std::int64_t extent, double factor, const at::TensorOptions& options)
{
    const at::Tensor steps = at::arange(extent, options);
    return factor == 1.0 ? steps : steps * factor;
}

std::array<double, 3> axisFactors(const GridOptions& grid)
{
    if (!grid.scale)
        return {1, 1, 1};
    const double space = static_cast<double>(grid.patch) / kBasePixels;
    return {(*grid.scale)[0] * static_cast<double>(grid.patchTime) / kBaseFrames, (*grid.scale)[1] * space,
        (*grid.scale)[2] * space};
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

at::Tensor latentGrid(const config::LtxLatent& latent, std::int64_t batch, const GridOptions& grid,
    const at::TensorOptions& options)
{
    const auto factors = axisFactors(grid);
    const auto real = options.dtype(at::kFloat);
    const auto axes = at::meshgrid({axis(latent.frames, factors[0], real), axis(latent.height, factors[1], real),
                                       axis(latent.width, factors[2], real)},
        "ij");
    return at::stack(axes, -1).view({1, latent.tokens(), kAxes}).expand({batch, -1, -1});
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
    const std::int64_t count = width / (2 * kAxes);
    const at::Tensor frequencies
        = at::pow(kTheta, at::linspace(0, 1, count, grid.options())) * (std::numbers::pi / 2);
    const at::Tensor angles = (frequencies * (grid.unsqueeze(-1) * 2 - 1)).transpose(-1, -2).flatten(2);
    const std::int64_t padding = width % (2 * kAxes);
    return {padded(angles.cos().repeat_interleave(2, -1), padding, 1),
        padded(angles.sin().repeat_interleave(2, -1), padding, 0)};
}

} // namespace headroom::models
