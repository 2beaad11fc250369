// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

namespace headroom {

/// Runs all arms turn and turn about, so that what the machine does besides meets all of them; the first rounds are
/// forgotten.
template <typename Arm> void runRounds(const std::vector<std::unique_ptr<Arm>>& arms, int rounds, int warmUpRounds)
{
    for (int round = 0; round < rounds + warmUpRounds; ++round) {
        if (round == warmUpRounds)
            for (const auto& arm : arms)
                arm->forget();
        for (const auto& arm : arms)
            arm->run();
    }
}

} // namespace headroom
