// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/validation/ValidationRow.h"

namespace headroom::experiments {

/// Pairs of feed-forward stacks on cpu and sim:cpu, as the scripted worker can tell them apart by their lengths.
inline std::vector<ValidationPair> pairsOfStacks(std::size_t count)
{
    const ValidationDraw draw{.device = config::parseDevice("cpu", ""),
        .against = config::parseDevice("sim:cpu", ""),
        .trials = count,
        .seed = 5,
        .models = {config::drawnModel("ffn-stack-tiny", "")},
        .protocol = validationProtocol(StepTimes::Measured, 3)};
    return drawPairs(draw);
}

inline std::string lengthOf(const ValidationPair& pair)
{
    const auto& shapes = pair.measured.trial.configuration.workload.shapes;
    return std::to_string(shapes.at("sequence_length").integer());
}

} // namespace headroom::experiments
