// SPDX-License-Identifier: Apache-2.0
#include "core/config/LossChunks.h"

#include <algorithm>
#include <bit>

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

bool isLossFused(const Workload& workload)
{
    const auto fused = workload.shapes.find(kFusedLoss);
    const bool hasLoss = workload.step != StepKind::Inference && workload.loss == Loss::CrossEntropy;
    return hasLoss && fused != workload.shapes.end() && fused->second.boolean();
}

std::int64_t fusedRows(std::int64_t rows, std::int64_t width, std::int64_t vocabulary, std::int64_t chunks)
{
    if (chunks > 1)
        return (rows + chunks - 1) / chunks;
    const std::int64_t pieces = (vocabulary + width - 1) / width;
    const auto least = static_cast<std::uint64_t>((rows + pieces - 1) / pieces);
    return std::min(rows, static_cast<std::int64_t>(std::bit_ceil(least)));
}

Workload withWholeLoss(Workload workload)
{
    if (const auto chunks = workload.shapes.find(kLossChunks); chunks != workload.shapes.end())
        chunks->second = std::int64_t{1};
    if (const auto fused = workload.shapes.find(kFusedLoss); fused != workload.shapes.end())
        fused->second = false;
    return workload;
}

} // namespace headroom::config
