// SPDX-License-Identifier: Apache-2.0
#include "core/training/Loss.h"

#include "core/config/Error.h"

namespace headroom::training {

at::Tensor makeTarget(config::Loss loss, const at::Tensor& output)
{
    return loss == config::Loss::Mse ? at::randn(output.sizes(), output.options()) : at::Tensor();
}

at::Tensor lossOf(config::Loss loss, const at::Tensor& output, const at::Tensor& target)
{
    switch (loss) {
    case config::Loss::Mean:
        return output.mean();
    case config::Loss::MeanSquare:
        return output.square().mean();
    case config::Loss::Mse:
        return (output - target).square().mean();
    case config::Loss::CrossEntropy:
        break;
    }
    throw UsageError("cross_entropy needs a model whose output are logits over a vocabulary", "workload.loss",
        "mean, mse, mean_square");
}

} // namespace headroom::training
