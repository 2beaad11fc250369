// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/OutputComparison.h"

#include <algorithm>
#include <cmath>

namespace headroom::collectors {
namespace {

struct Sums {
    double maxAbs = 0;
    double sumAbs = 0;
    double squaredDifference = 0;
    double squaredExpected = 0;

    void add(const at::Tensor& output, const at::Tensor& baseline)
    {
        const at::Tensor expected = baseline.to(at::kDouble);
        const at::Tensor difference = expected.sub(output.to(expected.options())).abs_();
        const double most = difference.max().item<double>();
        if (!(most <= maxAbs)) // NaN counts as the largest difference and remains so
            maxAbs = std::isnan(maxAbs) ? maxAbs : most;
        sumAbs += difference.sum().item<double>();
        squaredDifference += difference.square_().sum().item<double>();
        squaredExpected += expected.square().sum().item<double>();
    }
};

} // namespace

void forEachChunk(std::int64_t elements, const std::function<void(std::int64_t begin, std::int64_t count)>& action)
{
    constexpr std::int64_t kChunkElements = 1 << 18;
    for (std::int64_t begin = 0; begin < elements; begin += kChunkElements)
        action(begin, std::min(kChunkElements, elements - begin));
}

std::optional<protocol::Numerics> compareOutputs(const at::Tensor& output, const at::Tensor& baseline)
{
    if (output.is_meta() || !output.sizes().equals(baseline.sizes()) || output.numel() == 0)
        return std::nullopt;
    const at::Tensor flatOutput = output.reshape({-1});
    const at::Tensor flatBaseline = baseline.reshape({-1});
    Sums sums;
    forEachChunk(output.numel(), [&](std::int64_t begin, std::int64_t count) {
        sums.add(flatOutput.narrow(0, begin, count), flatBaseline.narrow(0, begin, count));
    });
    protocol::Numerics numerics;
    numerics.outputMaxAbs = sums.maxAbs;
    numerics.outputMeanAbs = sums.sumAbs / static_cast<double>(output.numel());
    if (sums.squaredExpected > 0)
        numerics.outputRelL2 = std::sqrt(sums.squaredDifference / sums.squaredExpected);
    return numerics;
}

} // namespace headroom::collectors
