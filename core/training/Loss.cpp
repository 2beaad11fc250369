// SPDX-License-Identifier: Apache-2.0
#include "core/training/Loss.h"

#include "core/base/Error.h"

namespace headroom::training {

namespace {

[[noreturn]] void refuseCrossEntropy()
{
    throw UsageError("cross_entropy needs a model whose output are logits over a vocabulary", "workload.loss",
        "mean, mse, mean_square");
}

// Upstream raises all logits and leaves the last token's out by its label.
at::Tensor crossEntropy(const at::Tensor& logits, const at::Tensor& labels, at::Reduction::Reduction reduction)
{
    if (!labels.defined())
        refuseCrossEntropy();
    const at::Tensor raised = logits.scalar_type() == at::kDouble ? logits : logits.to(at::kFloat);
    return at::cross_entropy_loss(raised.flatten(0, -2), labels.flatten(), {}, reduction, kNoLabel);
}

} // namespace

double labelledTokens(const at::Tensor& labels)
{
    return static_cast<double>(labels.size(0) * (labels.size(1) - 1));
}

at::Tensor nextTokens(const models::Inputs& inputs, const std::string& name)
{
    const auto ids = inputs.find(name);
    if (ids == inputs.end())
        refuseCrossEntropy();
    return at::constant_pad_nd(ids->second, {0, 1}, kNoLabel).narrow(1, 1, ids->second.size(1)).contiguous();
}

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
    case config::Loss::Model:
        return output;
    case config::Loss::CrossEntropy:
        break;
    }
    return crossEntropy(output, target, at::Reduction::Mean);
}

at::Tensor lossOfChunks(const std::vector<at::Tensor>& logits, const at::Tensor& labels)
{
    if (!labels.defined())
        refuseCrossEntropy();
    at::Tensor sum;
    std::int64_t begin = 0;
    for (const at::Tensor& piece : logits) {
        const at::Tensor part = crossEntropy(piece, labels.narrow(1, begin, piece.size(1)), at::Reduction::Sum);
        sum = sum.defined() ? sum + part : part;
        begin += piece.size(1);
    }
    return sum / labelledTokens(labels);
}

} // namespace headroom::training
