// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/Technique.h"

#include <algorithm>

namespace headroom::techniques {

bool Technique::countRepeated(const RepeatedBlock& block)
{
    return std::ranges::all_of(block.counted, [](const auto& counter) { return counter.second == 0; });
}

} // namespace headroom::techniques
