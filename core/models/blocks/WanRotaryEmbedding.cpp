// SPDX-License-Identifier: Apache-2.0
#include "core/models/blocks/WanRotaryEmbedding.h"

#include "core/memory/MemoryScopes.h"

namespace headroom::models {
namespace {

constexpr double kWanTheta = 10000;
constexpr std::size_t kWanAxes = 3;

std::array<std::int64_t, kWanAxes> channelsOf(std::int64_t headDim)
{
    const std::int64_t side = 2 * (headDim / 6);
    return {headDim - 2 * side, side, side};
}

// [positions, channels / 2] for one axis.
at::Tensor axisAnglesOf(std::int64_t positions, std::int64_t channels, const at::TensorOptions& options)
{
    const auto real = options.dtype(at::kDouble);
    const at::Tensor exponents = at::arange(0, channels, 2, real) / static_cast<double>(channels);
    return at::outer(at::arange(positions, real), at::pow(at::Scalar(kWanTheta), exponents).reciprocal());
}

at::Tensor wanTwice(const at::Tensor& values)
{
    return values.unsqueeze(-1).expand({-1, -1, 2}).flatten(1);
}

} // namespace

WanRotaryEmbedding::WanRotaryEmbedding(std::int64_t headDim, std::int64_t positions, const at::TensorOptions& options)
    : m_channels(channelsOf(headDim))
{
    std::vector<at::Tensor> cosines, sines;
    for (const std::int64_t channels : m_channels) {
        const at::Tensor angles = axisAnglesOf(positions, channels, options);
        cosines.push_back(wanTwice(angles.cos()).to(at::kFloat));
        sines.push_back(wanTwice(angles.sin()).to(at::kFloat));
    }
    const auto type = options.dtype().toScalarType();
    m_cosines = register_buffer("freqs_cos", at::cat(cosines, 1).to(type));
    m_sines = register_buffer("freqs_sin", at::cat(sines, 1).to(type));
}

RotaryTables WanRotaryEmbedding::forward(const TokenGrid& grid) const
{
    const tensor::ModuleScope scope(*this);
    at::Tensor cosines = ofGrid(m_cosines, grid);
    return {std::move(cosines), ofGrid(m_sines, grid)};
}

at::Tensor WanRotaryEmbedding::ofGrid(const at::Tensor& table, const TokenGrid& grid) const
{
    const std::vector<at::Tensor> axes = table.split_with_sizes(m_channels, 1);
    std::vector<at::Tensor> parts;
    for (std::size_t axis = 0; axis < kWanAxes; ++axis) {
        std::array<std::int64_t, kWanAxes + 1> shape{1, 1, 1, -1};
        shape[axis] = grid[axis];
        parts.push_back(axes[axis].narrow(0, 0, grid[axis]).view(shape).expand({grid[0], grid[1], grid[2], -1}));
    }
    return at::cat(parts, -1).reshape({1, grid[0] * grid[1] * grid[2], 1, -1});
}

} // namespace headroom::models
