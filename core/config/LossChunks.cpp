// SPDX-License-Identifier: Apache-2.0
#include "core/config/LossChunks.h"

namespace headroom::config {

std::int64_t lossChunks(const Workload& workload)
{
    const auto chunks = workload.shapes.find(kLossChunks);
    const bool hasLoss = workload.step != StepKind::Inference && workload.loss == Loss::CrossEntropy;
    return hasLoss && chunks != workload.shapes.end() ? chunks->second.integer() : 1;
}

std::int64_t piecesOf(std::int64_t tokens, std::int64_t chunks)
{
    const std::int64_t most = (tokens + chunks - 1) / chunks;
    return (tokens + most - 1) / most;
}

Workload withWholeLoss(Workload workload)
{
    if (const auto chunks = workload.shapes.find(kLossChunks); chunks != workload.shapes.end())
        chunks->second = std::int64_t{1};
    return workload;
}

} // namespace headroom::config
