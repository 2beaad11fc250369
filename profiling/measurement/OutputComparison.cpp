// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/OutputComparison.h"

#include <algorithm>
#include <cmath>

namespace headroom::collectors {
namespace {

struct Differences {
    at::Tensor maxAbs;
    SumOnDevice sumAbs;
    SumOnDevice squaredDifference;
    SumOnDevice squaredExpected;

    void add(const at::Tensor& output, const at::Tensor& expected)
    {
        const at::Tensor difference = expected.sub(output.to(expected.device())).abs_();
        const at::Tensor most = difference.max();
        maxAbs = maxAbs.defined() ? at::maximum(maxAbs, most) : most; // no number counts as the largest and remains so
        sumAbs.add(difference.sum());
        squaredDifference.add(difference.square_().sum());
        squaredExpected.add(expected.square().sum());
    }
};

Differences differencesOf(const at::Tensor& output, const at::Tensor& baseline)
{
    Differences differences;
    const at::Tensor flatOutput = output.reshape({-1});
    std::int64_t begin = 0;
    forEachChunk(baseline, [&](const at::Tensor& expected) {
        differences.add(flatOutput.narrow(0, begin, expected.numel()).to(at::kDouble), expected);
        begin += expected.numel();
    });
    return differences;
}

} // namespace

std::int64_t chunkElements(c10::Device device)
{
    return device.is_cuda() ? 1 << 22 : 1 << 18;
}

void forEachChunk(const at::Tensor& tensor, const std::function<void(const at::Tensor& chunk)>& action)
{
    const at::Tensor flat = tensor.reshape({-1});
    const std::int64_t most = chunkElements(tensor.device());
    for (std::int64_t begin = 0; begin < flat.numel(); begin += most)
        action(flat.narrow(0, begin, std::min(most, flat.numel() - begin)).to(at::kDouble));
}

std::optional<protocol::Numerics> compareOutputs(const at::Tensor& output, const at::Tensor& baseline)
{
    if (output.is_meta() || !output.sizes().equals(baseline.sizes()) || output.numel() == 0)
        return std::nullopt;
    const Differences differences = differencesOf(output, baseline);
    protocol::Numerics numerics;
    numerics.outputMaxAbs = differences.maxAbs.item<double>();
    numerics.outputMeanAbs = differences.sumAbs.read() / static_cast<double>(output.numel());
    if (const double squaredExpected = differences.squaredExpected.read(); squaredExpected > 0)
        numerics.outputRelL2 = std::sqrt(differences.squaredDifference.read() / squaredExpected);
    return numerics;
}

} // namespace headroom::collectors
