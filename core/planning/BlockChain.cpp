// SPDX-License-Identifier: Apache-2.0
#include "core/planning/BlockChain.h"

#include <algorithm>

namespace headroom::planning {

Bytes peakBytesOf(const BlockChain& chain, const ChainChoices& choices)
{
    Bytes held = 0;
    Bytes peak = chain.restBytes;
    for (std::size_t i = 0; i < chain.blocks.size(); ++i) {
        const ChainBlock& block = chain.blocks[i];
        const BlockChoice& choice = block.choices.at(choices.at(i));
        peak = std::max(peak, block.forwardBase + held + choice.forwardBytes);
        held += choice.heldBytes;
        peak = std::max(peak, block.backwardBase + held + choice.backwardBytes);
    }
    return std::max(peak, chain.turnBase + held);
}

double secondsOf(const BlockChain& chain, const ChainChoices& choices)
{
    double seconds = 0;
    for (std::size_t i = 0; i < chain.blocks.size(); ++i)
        seconds += chain.blocks[i].choices.at(choices.at(i)).seconds;
    return seconds;
}

} // namespace headroom::planning
