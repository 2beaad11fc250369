// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/OutputComparison.h"

namespace headroom::collectors {

std::optional<protocol::Numerics> compareOutputs(const at::Tensor& output, const at::Tensor& baseline)
{
    if (output.is_meta() || !output.sizes().equals(baseline.sizes()))
        return std::nullopt;
    const at::Tensor expected = baseline.to(at::kDouble);
    const at::Tensor difference = output.to(at::kDouble) - expected;
    const double norm = expected.norm().item<double>();
    protocol::Numerics numerics;
    numerics.outputMaxAbs = difference.abs().max().item<double>();
    numerics.outputMeanAbs = difference.abs().mean().item<double>();
    if (norm > 0)
        numerics.outputRelL2 = difference.norm().item<double>() / norm;
    return numerics;
}

} // namespace headroom::collectors
