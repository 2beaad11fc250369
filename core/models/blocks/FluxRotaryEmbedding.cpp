// SPDX-License-Identifier: Apache-2.0
#include "core/models/blocks/FluxRotaryEmbedding.h"

namespace headroom::models {
namespace {

constexpr double kFluxTheta = 10000;

// Step by step as upstream, which multiplies by 1 where it divides one by the powers, and divides by a factor of 1.
at::Tensor fluxAnglesOf(const at::Tensor& positions, std::int64_t width)
{
    at::Tensor frequencies = at::arange(0, width, 2, positions.options().dtype(at::kDouble)) / width;
    frequencies = at::pow(kFluxTheta, frequencies);
    frequencies = at::reciprocal(frequencies) * 1.0;
    frequencies = frequencies / 1.0;
    return at::outer(positions, frequencies);
}

at::Tensor fluxTwice(at::Tensor table)
{
    table = table.repeat_interleave(2, 1);
    return table.to(at::kFloat);
}

} // namespace

RotaryTables fluxRotaryTables(const at::Tensor& ids, const std::vector<std::int64_t>& axes)
{
    const at::Tensor positions = ids.to(at::kFloat);
    std::vector<at::Tensor> cosines, sines;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        const at::Tensor angles = fluxAnglesOf(positions.select(1, static_cast<std::int64_t>(axis)), axes[axis]);
        cosines.push_back(fluxTwice(angles.cos()));
        sines.push_back(fluxTwice(angles.sin()));
    }
    return {at::cat(cosines, -1).unsqueeze(1), at::cat(sines, -1).unsqueeze(1)};
}

} // namespace headroom::models
