// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planning/BlockChain.h"

#include <vector>

namespace headroom::planning {

/// What blocks of a chain take at least, where they may be run partly in one way and partly in another.
///
/// For a stretch of blocks and a limit on the sum of what they hold that is a linear program whose best solution is
/// greedy: from the choices that hold least, the steps that save most time for each byte come first.
class ChainRelaxation {
public:
    /// `most`: for each block the most bytes that it and those before it may hold together. Borrows nothing.
    ChainRelaxation(const BlockChain& chain, const std::vector<Bytes>& most);

    /// A lower bound of the time of all blocks from `first` on where those before hold `heldBytes`.
    double leastSecondsFrom(std::size_t first, Bytes heldBytes) const;

private:
    /// From one block to the end of the stretch.
    struct Stretch {
        double leastHeld = 0; ///< bytes with the choices that hold least
        double secondsThen = 0;
        std::vector<double> bytes; ///< of the steps so far, the best step first
        std::vector<double> saved; ///< seconds of the steps so far

        double leastSeconds(double limit) const;
    };
    struct Limit {
        Bytes most = 0;
        std::vector<Stretch> from; ///< by first block
        double secondsAfter = 0; ///< of the blocks beyond the stretch, each at its fastest
    };

    void addLimit(const BlockChain& chain, std::size_t last, Bytes most);

    std::vector<Limit> m_limits;
    std::size_t m_blocks = 0;
};

} // namespace headroom::planning
